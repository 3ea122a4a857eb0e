// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega_test

import (
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	api "github.com/terraform-streaming/terraform-provider-streaming/internal/client/pravega"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/pravegaengine"
)

// cycle is how far apart the engine's retention cycles are
// (controller.retention.frequency.minutes).
const cycle = time.Minute

func TestAcc_Stream_shrunkRetentionDeletesOnlyWithConsent(t *testing.T) {
	t.Parallel()
	r := realPravega(t)
	data, ctx := r.data(t), t.Context()
	minute := `retention = { time = "1 min" }`
	events := func() int {
		n, err := data.CountEvents(ctx, r.name, "clicks")
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	write := func() {
		if err := data.WriteEvents(ctx, r.name, "clicks", 1000); err != nil {
			t.Fatal(err)
		}
	}
	acctest.RunReal(t,
		acctest.Apply(r.stream(fixed2, `retention = { time = "7d" }`)),
		resource.TestStep{
			PreConfig:   write,
			Config:      r.stream(fixed2, minute),
			ExpectError: acctest.InOrder("would delete data", "keeps 7 d now", "it keeps 1 min", "allow_data_loss = true"),
		},
		acctest.Change(r.stream(fixed2, minute, "allow_data_loss = true"), streamAddress, plancheck.ResourceActionUpdate, acctest.Outside(func() error {
			// A cut has to be a minute old before a cycle truncates there.
			for began := time.Now(); events() > 0; time.Sleep(5 * time.Second) {
				if time.Since(began) > 6*cycle {
					t.Fatalf("%d events are left after %s", events(), time.Since(began))
				}
			}
			return nil
		})),
		acctest.Change(r.stream(fixed2, `retention = { time = "1 h" }`), streamAddress, plancheck.ResourceActionUpdate, acctest.Outside(func() error {
			write()
			time.Sleep(cycle + 15*time.Second)
			if n := events(); n != 1000 {
				t.Errorf("%d events are left after a cycle with a raised retention", n)
			}
			return nil
		})),
	)
}

// foreign makes a stream as another client would, in the scope of the test.
func (r real) foreign(t *testing.T, retention pravegaengine.Retention) {
	t.Helper()
	config := api.StreamConfig{Scaling: api.Scaling{Type: api.Fixed, MinSegments: 2}}
	if _, err := r.client(t).CreateStream(t.Context(), r.name, "clicks", config); err != nil {
		t.Fatal(err)
	}
	data := r.data(t)
	if err := data.SetRetention(t.Context(), r.name, "clicks", retention); err != nil {
		t.Fatal(err)
	}
	if err := data.WriteEvents(t.Context(), r.name, "clicks", 100); err != nil {
		t.Fatal(err)
	}
}

// has checks, through Pravega's own client, which retention the stream has and
// that its events are there.
func (r real) has(t *testing.T, want pravegaengine.Retention) func() error {
	t.Helper()
	return func() error {
		got, err := r.data(t).Retention(t.Context(), r.name, "clicks")
		if err != nil {
			return err
		}
		if got != want {
			t.Errorf("the server has retention %+v, want %+v", got, want)
		}
		events, err := r.data(t).CountEvents(t.Context(), r.name, "clicks")
		if err == nil && events != 100 {
			t.Errorf("%d events of 100 are left", events)
		}
		return err
	}
}

// imported is a configuration that imports the stream.
func (r real) imported(attributes ...string) string {
	return "import {\n  to = streaming_pravega_stream.test\n  id = \"" + r.name + "/clicks\"\n}\n" + r.stream(append(attributes, fixed2)...)
}

func TestAcc_Stream_aRetentionOfSomeBytesIsNeverRounded(t *testing.T) {
	t.Parallel()
	bytes := pravegaengine.Retention{Type: "SIZE", Param: 1000, Max: pravegaengine.NoMaximum}
	for name, c := range map[string]struct {
		attributes []string
		want       pravegaengine.Retention
	}{
		"reset":                 {[]string{"allow_retention_reset = true"}, pravegaengine.Retention{}},
		"replaced by a greater": {[]string{`retention = { size = "1 gb" }`}, pravegaengine.Retention{Type: "SIZE", Param: 1 << 30, Max: pravegaengine.NoMaximum}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := realPravega(t)
			tags := `tags = ["a"]`
			acctest.RunReal(t,
				acctest.Apply(r.scope()),
				resource.TestStep{
					PreConfig:        func() { r.foreign(t, bytes) },
					Config:           r.imported(),
					ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(streamAddress, plancheck.ResourceActionNoop)}},
				},
				acctest.Fails(r.stream(fixed2, tags), "allow_retention_reset"),
				acctest.Apply(r.stream(fixed2), acctest.Outside(r.has(t, bytes))),
				acctest.Change(r.stream(append(c.attributes, fixed2, tags)...), streamAddress, plancheck.ResourceActionUpdate,
					acctest.Outside(r.has(t, c.want)), acctest.Is(streamAddress, "tags", knownvalue.SetExact([]knownvalue.Check{knownvalue.StringExact("a")}))),
			)
		})
	}
}

func TestAcc_Stream_aMaximumEndsWithTheFirstUpdateWhichSaysSo(t *testing.T) {
	t.Parallel()
	r := realPravega(t)
	var warnings acctest.Warnings
	day := int64(24 * 60 * 60 * 1000)
	retention, tags := `retention = { time = "1 d" }`, `tags = ["a"]`
	update := acctest.Change(r.stream(fixed2, retention, tags), streamAddress, plancheck.ResourceActionUpdate,
		acctest.Outside(r.has(t, pravegaengine.Retention{Type: "TIME", Param: day, Max: pravegaengine.NoMaximum})))
	update.ConfigPlanChecks.PreApply = append(update.ConfigPlanChecks.PreApply, warnings.InPlan("maximum"))
	acctest.RunRealWarned(t, &warnings,
		acctest.Apply(r.scope()),
		resource.TestStep{
			PreConfig: func() { r.foreign(t, pravegaengine.Retention{Type: "TIME", Param: day, Max: 2 * day}) },
			Config:    r.imported(retention),
		},
		acctest.Apply(r.stream(fixed2, retention), acctest.Outside(r.has(t, pravegaengine.Retention{Type: "TIME", Param: day, Max: 2 * day}))),
		update,
	)
}
