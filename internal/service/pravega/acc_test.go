// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest/realengine"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/pravega"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/local"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/pravegaengine"
)

// real is the controller that the tests run against, and a scope name that
// nobody else has.
type real struct {
	provider acctest.Config
	name     string
}

// realPravega may ask for TLS and passwords; those the provider takes from the
// environment.
func realPravega(t *testing.T) real {
	t.Helper()
	return real{
		provider: acctest.Config{Pravega: realengine.Variable(t, "STREAMING_PRAVEGA_ENDPOINT"), PravegaCA: os.Getenv("STREAMING_PRAVEGA_CA_FILE")},
		name:     "acc-" + strings.ToLower(rand.Text()),
	}
}

// scope is the provider block and the scope.
func (r real) scope(attributes ...string) string { return scopeIn(r.provider, r.name, attributes...) }

// stream is the scope, and a stream clicks in it.
func (r real) stream(attributes ...string) string {
	return r.scope() + fmt.Sprintf(`
resource "streaming_pravega_stream" "test" {
  scope = streaming_pravega_scope.test.name
  name  = "clicks"
  %s
}
`, strings.Join(attributes, "\n  "))
}

func (r real) client(t *testing.T) *pravega.Client {
	t.Helper()
	config := rest.Config{Endpoint: r.provider.Pravega, TLS: rest.TLS{CAFile: r.provider.PravegaCA}}
	if user := os.Getenv("STREAMING_PRAVEGA_USERNAME"); user != "" {
		config.BasicAuth = &rest.BasicAuth{Username: user, Password: os.Getenv("STREAMING_PRAVEGA_PASSWORD")}
	}
	transport, err := rest.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return pravega.New(transport)
}

// data does what REST cannot.
func (r real) data(t *testing.T) *pravegaengine.Client {
	t.Helper()
	engine, err := local.Load(realengine.Variable(t, "STREAMING_ENGINE_DIR"))
	if err != nil {
		t.Fatal(err)
	}
	data, err := engine.PravegaClient()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestAcc_Stream_eventsSurviveEveryUpdate writes 1,000 events, changes each
// attribute by apply, and counts the events again.
func TestAcc_Stream_eventsSurviveEveryUpdate(t *testing.T) {
	t.Parallel()
	r := realPravega(t)
	scope, data := r.name, r.data(t)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	count := func(want int) {
		t.Helper()
		if n, err := data.CountEvents(ctx, scope, "clicks"); err != nil || n != want {
			t.Errorf("%d events are left, want %d (%v)", n, want, err)
		}
	}
	inPlace := func(segments int64, attributes ...string) resource.TestStep {
		return acctest.Change(r.stream(attributes...), streamAddress, plancheck.ResourceActionUpdate,
			acctest.Is(streamAddress, "segment_count", knownvalue.Int64Exact(segments)))
	}
	checked := func(step resource.TestStep) resource.TestStep {
		step.PreConfig = func() { count(1000) }
		return step
	}
	acctest.RunReal(t,
		acctest.Apply(r.stream(fixed2, `retention = { time = "1 h" }`),
			acctest.Is(streamAddress, "segment_count", knownvalue.Int64Exact(2))),
		resource.TestStep{
			PreConfig: func() {
				if err := data.WriteEvents(ctx, scope, "clicks", 1000); err != nil {
					t.Fatal(err)
				}
				count(1000)
			},
			RefreshState: true,
		},
		inPlace(4, `scaling = { type = "FIXED_NUM_SEGMENTS", min_segments = 4 }`, `retention = { time = "1 h" }`),
		checked(inPlace(4, `scaling = { type = "FIXED_NUM_SEGMENTS", min_segments = 4 }`, `retention = { time = "7d" }`)),
		checked(inPlace(4, `scaling = { type = "FIXED_NUM_SEGMENTS", min_segments = 4 }`, `retention = { time = "7d" }`, `tags = ["pii", "team-a"]`)),
		checked(inPlace(1, `scaling = { type = "FIXED_NUM_SEGMENTS", min_segments = 1 }`, `retention = { time = "14 d" }`, `tags = ["pii"]`)),
		checked(inPlace(1, `scaling = { type = "FIXED_NUM_SEGMENTS", min_segments = 1 }`, `retention = { time = "14 d" }`, `tags = ["pii"]`, `timestamp_aggregation_timeout = "5 s"`)),
		checked(inPlace(1, `scaling = { type = "FIXED_NUM_SEGMENTS", min_segments = 1 }`, `retention = { size = "10 gb" }`, "allow_data_loss = true", `tags = ["pii"]`, `rollover_size = "64mb"`)),
		checked(inPlace(3, `scaling = { type = "BY_RATE_IN_EVENTS_PER_SEC", target_rate = 1000, scale_factor = 2, min_segments = 3 }`)),
		checked(acctest.Noop(r.stream(`scaling = { type = "BY_RATE_IN_EVENTS_PER_SEC", target_rate = 1000, scale_factor = 2, min_segments = 3 }`))),
	)
}

func TestAcc_Stream_isCreatedImportedAndChanged(t *testing.T) {
	t.Parallel()
	r := realPravega(t)
	scope := r.name
	full := []string{events2, `retention = { size = "10gb" }`, `tags = ["pii", "ümläut"]`, `timestamp_aggregation_timeout = "5 s"`, `rollover_size = "64mb"`}
	imported := resource.TestStep{
		ResourceName: streamAddress, ImportState: true, ImportStateId: scope + "/clicks", ImportStateVerify: true,
		// Each in the provider's own spelling, which the plan after it takes for the same.
		ImportStateVerifyIgnore: []string{"retention", "rollover_size"},
	}
	acctest.RunReal(t,
		acctest.Apply(r.stream(full...), acctest.Is(streamAddress, "id", knownvalue.StringExact(scope+"/clicks")),
			acctest.Is(streamAddress, "segment_count", knownvalue.Int64Exact(2))),
		imported,
		acctest.Noop(r.stream(events2, `retention = { size = "10240 mb" }`, `tags = ["ümläut", "pii", "pii"]`, `timestamp_aggregation_timeout = "5000 ms"`, `rollover_size = "65536 kb"`)),
		acctest.Fails(r.stream(events2, `retention = { size = "1gb" }`), "would delete data", "keeps 10 gb now"),
		// Everything back to its default.
		acctest.Change(r.stream(), streamAddress, plancheck.ResourceActionUpdate,
			acctest.Is(streamAddress, "segment_count", knownvalue.Int64Exact(1)), acctest.Is(streamAddress, "retention", knownvalue.Null())),
		acctest.Fails(r.stream(`retention = { time = "1 min" }`), "would delete data", "keeps everything now"),
		acctest.Change(r.stream(`retention = { time = "90 min" }`, "allow_data_loss = true"), streamAddress, plancheck.ResourceActionUpdate),
		acctest.Change(r.stream(`retention = { time = "25h" }`), streamAddress, plancheck.ResourceActionUpdate),
		acctest.Noop(r.stream(`retention = { time = "1500 min" }`)),
	)
	if err := r.client(t).Scope(t.Context(), scope); err == nil {
		t.Errorf("scope %s is left behind", scope)
	}
}

func TestAcc_Stream_whatExistsAndWhatIsSealed(t *testing.T) {
	t.Parallel()
	r := realPravega(t)
	scope, client := r.name, r.client(t)
	ctx := t.Context()
	acctest.RunReal(t,
		acctest.Apply(r.scope()),
		resource.TestStep{
			PreConfig: func() {
				config := pravega.StreamConfig{Scaling: pravega.Scaling{Type: pravega.Fixed, MinSegments: 2}}
				if _, err := client.CreateStream(ctx, scope, "clicks", config); err != nil {
					t.Fatal(err)
				}
			},
			Config: r.stream(), ExpectError: acctest.InOrder("exists already", "terraform import", scope+"/clicks"),
		},
		acctest.Change(r.stream("adopt_existing = true", fixed2), streamAddress, plancheck.ResourceActionCreate,
			acctest.Is(streamAddress, "segment_count", knownvalue.Int64Exact(2))),
		resource.TestStep{
			PreConfig: func() {
				if err := client.SealStream(ctx, scope, "clicks"); err != nil {
					t.Fatal(err)
				}
			},
			Config: r.stream("adopt_existing = true", fixed2, `tags = ["a"]`), ExpectError: acctest.InOrder("Cannot update Pravega stream", "sealed"),
		},
		acctest.Noop(r.stream("adopt_existing = true", fixed2)),
	)
}

func TestAcc_Scope_isCreatedImportedAndForced(t *testing.T) {
	t.Parallel()
	r := realPravega(t)
	scope, client := r.name, r.client(t)
	ctx := t.Context()
	forced := r.scope("force_destroy = true")
	acctest.RunReal(t,
		resource.TestStep{
			Config: r.scope(),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectKnownValue(scopeAddress, tfjsonpath.New("id"), knownvalue.StringExact(scope)),
			}},
			ConfigStateChecks: []statecheck.StateCheck{acctest.Is(scopeAddress, "id", knownvalue.StringExact(scope))},
		},
		resource.TestStep{ResourceName: scopeAddress, ImportState: true, ImportStateId: scope, ImportStateVerify: true},
		resource.TestStep{
			PreConfig: func() {
				for _, name := range []string{"foreign", "sealed"} {
					config := pravega.StreamConfig{Scaling: pravega.Scaling{Type: pravega.Fixed, MinSegments: 1}}
					if _, err := client.CreateStream(ctx, scope, name, config); err != nil {
						t.Fatal(err)
					}
				}
				if err := client.SealStream(ctx, scope, "sealed"); err != nil {
					t.Fatal(err)
				}
			},
			Config: r.scope(), Destroy: true, ExpectError: acctest.InOrder("is not empty", `streams: "foreign", "sealed"`),
		},
		acctest.Apply(forced),
		resource.TestStep{Config: forced, Destroy: true},
	)
	if err := client.Scope(context.WithoutCancel(ctx), scope); err == nil {
		t.Errorf("scope %s is left behind", scope)
	}
}

func TestAcc_Scopes_AndAStreamAreLookedUp(t *testing.T) {
	t.Parallel()
	r := realPravega(t)
	scope, made := r.name, r.stream(events2, `retention = { time = "36 h" }`)
	stream := func(name string) string {
		return made + dataBlock("streaming_pravega_stream", "scope = streaming_pravega_stream.test.scope", "name = "+name)
	}
	acctest.RunReal(t,
		acctest.Apply(stream("streaming_pravega_stream.test.name")+
			dataBlock("streaming_pravega_scopes", fmt.Sprintf("name_regex = %q", "^"+scope+"$"), "depends_on = [streaming_pravega_stream.test]"),
			acctest.Is(scopesLookup, "names", listed(scope)),
			acctest.Is(streamLookup, "id", knownvalue.StringExact(scope+"/clicks")),
			acctest.Is(streamLookup, "scaling.target_rate", knownvalue.Int64Exact(1000)),
			acctest.Is(streamLookup, "retention.time", knownvalue.StringExact("36 h")),
			acctest.Is(streamLookup, "segment_count", knownvalue.Int64Exact(2))),
		acctest.Fails(stream(`"gone"`), "does not exist", "no stream of this name"),
		acctest.Apply(made),
	)
}

// TestAcc_Streams_AreFilteredByTag also asks for a tag in a scope that is not there.
func TestAcc_Streams_AreFilteredByTag(t *testing.T) {
	t.Parallel()
	made := realPravega(t).stream(`tags = ["pii", "EU"]`)
	find := func(scope string, attributes ...string) string {
		return made + dataBlock("streaming_pravega_streams", append(attributes, "scope = "+scope, "depends_on = [streaming_pravega_stream.test]")...)
	}
	const own, gone = "streaming_pravega_stream.test.scope", `"${streaming_pravega_stream.test.scope}-gone"`
	names := func(names ...string) statecheck.StateCheck {
		return acctest.Is(streamsLookup, "names", listed(names...))
	}
	acctest.RunReal(t,
		acctest.Apply(find(own, `tag = "pii"`), names("clicks"),
			element(streamsLookup, "streams", 0, knownvalue.ObjectPartial(map[string]knownvalue.Check{
				"tags": knownvalue.SetExact([]knownvalue.Check{knownvalue.StringExact("EU"), knownvalue.StringExact("pii")}),
			}))),
		acctest.Apply(find(own, `tag = "eu"`), names()),
		acctest.Apply(find(own, `name_regex = "^cl"`), names("clicks")),
		acctest.Fails(find(gone), "Cannot list the streams of", "does not exist"),
		acctest.Fails(find(gone, `tag = "pii"`), "Cannot list the streams of", "does not exist"),
		acctest.Apply(made),
	)
}

// TestAcc_ReaderGroups_AreListedAndKeepAScope has a group made by a client of
// data, which destroying the scope names, and with force_destroy deletes.
func TestAcc_ReaderGroups_AreListedAndKeepAScope(t *testing.T) {
	t.Parallel()
	r := realPravega(t)
	scope, data, ctx := r.name, r.data(t), t.Context()
	made := r.stream()
	find := made + dataBlock("streaming_pravega_reader_groups", "scope = streaming_pravega_stream.test.scope")
	forced := r.scope("force_destroy = true")
	acctest.RunReal(t,
		acctest.Apply(find, acctest.Is(groupsLookup, "names", listed()), acctest.Is(groupsLookup, "reader_groups", listed())),
		resource.TestStep{
			PreConfig: func() {
				if err := data.CreateReaderGroup(ctx, scope, "audit", "clicks"); err != nil {
					t.Fatal(err)
				}
			},
			Config: find,
			ConfigStateChecks: []statecheck.StateCheck{
				acctest.Is(groupsLookup, "names", listed("audit")),
				element(groupsLookup, "reader_groups", 0, knownvalue.ObjectExact(map[string]knownvalue.Check{
					"name": knownvalue.StringExact("audit"), "streams": listed(scope + "/clicks"), "online_readers": listed(),
				})),
			},
		},
		resource.TestStep{Config: made, Destroy: true, ExpectError: acctest.InOrder("is not empty", `reader groups: "audit"`)},
		acctest.Apply(forced),
		resource.TestStep{Config: forced, Destroy: true},
	)
	if err := r.client(t).Scope(context.WithoutCancel(ctx), scope); err == nil {
		t.Errorf("scope %s is left behind", scope)
	}
}
