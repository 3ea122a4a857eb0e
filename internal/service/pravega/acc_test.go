// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega_test

import (
	"context"
	"crypto/rand"
	"fmt"
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
)

// realPravega is the controller that the tests run against, and a scope name
// that nobody else has.
func realPravega(t *testing.T) (endpoint, scope string) {
	t.Helper()
	return realengine.Variable(t, "STREAMING_PRAVEGA_ENDPOINT"), "acc-" + strings.ToLower(rand.Text())
}

// realConfig is a scope of its own, and a stream clicks in it.
func realConfig(endpoint, scope string, attributes ...string) string {
	return scopeConfig(endpoint, scope) + fmt.Sprintf(`
resource "streaming_pravega_stream" "test" {
  scope = streaming_pravega_scope.test.name
  name  = "clicks"
  %s
}
`, strings.Join(attributes, "\n  "))
}

func realClient(t *testing.T, endpoint string) *pravega.Client {
	t.Helper()
	transport, err := rest.New(rest.Config{Endpoint: endpoint})
	if err != nil {
		t.Fatal(err)
	}
	return pravega.New(transport)
}

// TestAcc_Stream_eventsSurviveEveryUpdate writes 1,000 events, changes scaling,
// retention and tags by apply, and counts the events again.
func TestAcc_Stream_eventsSurviveEveryUpdate(t *testing.T) {
	t.Parallel()
	endpoint, scope := realPravega(t)
	engine, err := local.Load(realengine.Variable(t, "STREAMING_ENGINE_DIR"))
	if err != nil {
		t.Fatal(err)
	}
	data, err := engine.PravegaClient()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	count := func(want int) {
		t.Helper()
		if n, err := data.CountEvents(ctx, scope, "clicks"); err != nil || n != want {
			t.Errorf("%d events are left, want %d (%v)", n, want, err)
		}
	}
	inPlace := func(segments int64, attributes ...string) resource.TestStep {
		return acctest.Change(realConfig(endpoint, scope, attributes...), streamAddress, plancheck.ResourceActionUpdate,
			acctest.Is(streamAddress, "segment_count", knownvalue.Int64Exact(segments)))
	}
	checked := func(step resource.TestStep) resource.TestStep {
		step.PreConfig = func() { count(1000) }
		return step
	}
	acctest.RunReal(t,
		acctest.Apply(realConfig(endpoint, scope, fixed2, `retention = { time = "1 h" }`),
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
		checked(inPlace(3, `scaling = { type = "BY_RATE_IN_EVENTS_PER_SEC", target_rate = 1000, scale_factor = 2, min_segments = 3 }`)),
		checked(acctest.Noop(realConfig(endpoint, scope, `scaling = { type = "BY_RATE_IN_EVENTS_PER_SEC", target_rate = 1000, scale_factor = 2, min_segments = 3 }`))),
	)
}

func TestAcc_Stream_isCreatedImportedAndChanged(t *testing.T) {
	t.Parallel()
	endpoint, scope := realPravega(t)
	full := []string{events2, `retention = { size = "10gb" }`, `tags = ["pii", "ümläut"]`, `timestamp_aggregation_timeout = "5 s"`, `rollover_size = "64mb"`}
	imported := resource.TestStep{
		ResourceName: streamAddress, ImportState: true, ImportStateId: scope + "/clicks", ImportStateVerify: true,
		// Each in the provider's own spelling, which the plan after it takes for the same.
		ImportStateVerifyIgnore: []string{"retention", "rollover_size"},
	}
	acctest.RunReal(t,
		acctest.Apply(realConfig(endpoint, scope, full...), acctest.Is(streamAddress, "id", knownvalue.StringExact(scope+"/clicks")),
			acctest.Is(streamAddress, "segment_count", knownvalue.Int64Exact(2))),
		imported,
		acctest.Noop(realConfig(endpoint, scope, events2, `retention = { size = "10240 mb" }`, `tags = ["ümläut", "pii", "pii"]`, `timestamp_aggregation_timeout = "5000 ms"`, `rollover_size = "65536 kb"`)),
		acctest.Fails(realConfig(endpoint, scope, events2, `retention = { size = "1gb" }`), "would delete data", "keeps 10 gb now"),
		// Everything back to its default.
		acctest.Change(realConfig(endpoint, scope), streamAddress, plancheck.ResourceActionUpdate,
			acctest.Is(streamAddress, "segment_count", knownvalue.Int64Exact(1)), acctest.Is(streamAddress, "retention", knownvalue.Null())),
		acctest.Fails(realConfig(endpoint, scope, `retention = { time = "1 min" }`), "would delete data", "keeps everything now"),
		acctest.Change(realConfig(endpoint, scope, `retention = { time = "90 min" }`, "allow_data_loss = true"), streamAddress, plancheck.ResourceActionUpdate),
		acctest.Change(realConfig(endpoint, scope, `retention = { time = "25h" }`), streamAddress, plancheck.ResourceActionUpdate),
		acctest.Noop(realConfig(endpoint, scope, `retention = { time = "1500 min" }`)),
	)
	if err := realClient(t, endpoint).Scope(t.Context(), scope); err == nil {
		t.Errorf("scope %s is left behind", scope)
	}
}

func TestAcc_Stream_whatExistsAndWhatIsSealed(t *testing.T) {
	t.Parallel()
	endpoint, scope := realPravega(t)
	client := realClient(t, endpoint)
	ctx := t.Context()
	acctest.RunReal(t,
		acctest.Apply(scopeConfig(endpoint, scope)),
		resource.TestStep{
			PreConfig: func() {
				config := pravega.StreamConfig{Scaling: pravega.Scaling{Type: pravega.Fixed, MinSegments: 2}}
				if _, err := client.CreateStream(ctx, scope, "clicks", config); err != nil {
					t.Fatal(err)
				}
			},
			Config: realConfig(endpoint, scope), ExpectError: acctest.InOrder("exists already", "terraform import", scope+"/clicks"),
		},
		acctest.Change(realConfig(endpoint, scope, "adopt_existing = true", fixed2), streamAddress, plancheck.ResourceActionCreate,
			acctest.Is(streamAddress, "segment_count", knownvalue.Int64Exact(2))),
		resource.TestStep{
			PreConfig: func() {
				if err := client.SealStream(ctx, scope, "clicks"); err != nil {
					t.Fatal(err)
				}
			},
			Config: realConfig(endpoint, scope, "adopt_existing = true", fixed2, `tags = ["a"]`), ExpectError: acctest.InOrder("Cannot update Pravega stream", "sealed"),
		},
		acctest.Noop(realConfig(endpoint, scope, "adopt_existing = true", fixed2)),
	)
}

func TestAcc_Scope_isCreatedImportedAndForced(t *testing.T) {
	t.Parallel()
	endpoint, scope := realPravega(t)
	client := realClient(t, endpoint)
	ctx := t.Context()
	forced := scopeConfig(endpoint, scope, "force_destroy = true")
	acctest.RunReal(t,
		resource.TestStep{
			Config: scopeConfig(endpoint, scope),
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
			Config: scopeConfig(endpoint, scope), Destroy: true, ExpectError: acctest.InOrder("is not empty", `streams: "foreign", "sealed"`),
		},
		acctest.Apply(forced),
		resource.TestStep{Config: forced, Destroy: true},
	)
	if err := client.Scope(context.WithoutCancel(ctx), scope); err == nil {
		t.Errorf("scope %s is left behind", scope)
	}
}
