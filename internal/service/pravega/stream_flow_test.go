// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/pravegafake"
)

// newOrders starts a controller with an empty scope "orders".
func newOrders(t *testing.T, options ...pravegafake.Option) *pravegafake.Server {
	t.Helper()
	fake := newFake(t, options...)
	fake.AddScope("orders")
	return fake
}

func importStep() resource.TestStep {
	return resource.TestStep{ResourceName: streamAddress, ImportState: true, ImportStateId: "orders/clicks", ImportStateVerify: true}
}

func TestFlow_Stream_defaults(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	acctest.RunFake(t,
		acctest.Apply(streamConfig(fake.URL()),
			acctest.Is(streamAddress, "id", knownvalue.StringExact("orders/clicks")),
			acctest.Is(streamAddress, "scaling", knownvalue.ObjectExact(map[string]knownvalue.Check{
				"type": knownvalue.StringExact("FIXED_NUM_SEGMENTS"), "min_segments": knownvalue.Int64Exact(1),
				"target_rate": knownvalue.Null(), "scale_factor": knownvalue.Null(),
			})),
			acctest.Is(streamAddress, "retention", knownvalue.Null()),
			acctest.Is(streamAddress, "tags", knownvalue.SetSizeExact(0)),
			acctest.Is(streamAddress, "timestamp_aggregation_timeout", knownvalue.StringExact("0 ms")),
			acctest.Is(streamAddress, "rollover_size", knownvalue.StringExact("0 b")),
			acctest.Is(streamAddress, "deletion_protection", knownvalue.Bool(false)),
			acctest.Is(streamAddress, "allow_data_loss", knownvalue.Bool(false)),
			acctest.Is(streamAddress, "allow_retention_reset", knownvalue.Bool(false)),
			acctest.Is(streamAddress, "adopt_existing", knownvalue.Bool(false)),
			acctest.Is(streamAddress, "segment_count", knownvalue.Int64Exact(1))),
		importStep(),
		// Nothing, null, empty and zero are the same.
		acctest.Noop(streamConfig(fake.URL(), "tags = []", `timestamp_aggregation_timeout = "0 s"`, `rollover_size = "0mb"`)),
		acctest.Noop(streamConfig(fake.URL(), "tags = null", "retention = null", "timestamp_aggregation_timeout = null", "rollover_size = null",
			`scaling = { type = "FIXED_NUM_SEGMENTS", min_segments = 1, target_rate = null }`)),
	)
	if left := fake.Streams("orders"); len(left) != 0 {
		t.Errorf("streams left after destroy: %v", left)
	}
}

// TestFlow_Stream_eachAttribute creates a stream with a value of one attribute,
// plans it again, imports it, changes the attribute, and takes it away again.
func TestFlow_Stream_eachAttribute(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		first, second string
		// same are spellings of second that mean the same.
		same        []string
		segments    [2]int64
		firstCheck  statecheck.StateCheck
		secondCheck statecheck.StateCheck
		// sends is false for what concerns the provider alone.
		sends bool
	}{
		"scaling fixed up": {
			first: fixed2, second: strings.Replace(fixed2, "= 2", "= 4", 1), segments: [2]int64{2, 4}, sends: true,
			firstCheck:  acctest.Is(streamAddress, "scaling.min_segments", knownvalue.Int64Exact(2)),
			secondCheck: acctest.Is(streamAddress, "scaling.min_segments", knownvalue.Int64Exact(4)),
		},
		"scaling fixed down": {
			first: strings.Replace(fixed2, "= 2", "= 3", 1), second: fixed2, segments: [2]int64{3, 2}, sends: true,
			firstCheck:  acctest.Is(streamAddress, "scaling.type", knownvalue.StringExact("FIXED_NUM_SEGMENTS")),
			secondCheck: acctest.Is(streamAddress, "scaling.target_rate", knownvalue.Null()),
		},
		"scaling to rate": {
			first: fixed2, second: events2, segments: [2]int64{2, 2}, sends: true,
			firstCheck:  acctest.Is(streamAddress, "scaling.scale_factor", knownvalue.Null()),
			secondCheck: acctest.Is(streamAddress, "scaling.target_rate", knownvalue.Int64Exact(1000)),
		},
		"scaling rate raised": {
			first: events2, second: strings.Replace(events2, "min_segments = 2", "min_segments = 6", 1), segments: [2]int64{2, 6}, sends: true,
			firstCheck:  acctest.Is(streamAddress, "scaling.scale_factor", knownvalue.Int64Exact(2)),
			secondCheck: acctest.Is(streamAddress, "scaling.min_segments", knownvalue.Int64Exact(6)),
		},
		"scaling kbytes lowered": {
			first:  `scaling = { type = "BY_RATE_IN_KBYTES_PER_SEC", target_rate = 5, scale_factor = 3, min_segments = 6 }`,
			second: `scaling = { type = "BY_RATE_IN_KBYTES_PER_SEC", target_rate = 6, scale_factor = 4, min_segments = 1 }`, segments: [2]int64{6, 6}, sends: true,
			firstCheck:  acctest.Is(streamAddress, "scaling.type", knownvalue.StringExact("BY_RATE_IN_KBYTES_PER_SEC")),
			secondCheck: acctest.Is(streamAddress, "scaling.scale_factor", knownvalue.Int64Exact(4)),
		},
		"retention time": {
			first: `retention = { time = "36 h" }`, second: `retention = { time = "7d" }`, segments: [2]int64{1, 1}, sends: true,
			same:        []string{`retention = { time = "168 h" }`, `retention = { time = "10080min" }`, `retention = { time = "7 days", size = null }`},
			firstCheck:  acctest.Is(streamAddress, "retention.time", knownvalue.StringExact("36 h")),
			secondCheck: acctest.Is(streamAddress, "retention.time", knownvalue.StringExact("7d")),
		},
		"retention minutes": {
			first: `retention = { time = "90 min" }`, second: `retention = { time = "25 h" }`, segments: [2]int64{1, 1}, sends: true,
			firstCheck:  acctest.Is(streamAddress, "retention.time", knownvalue.StringExact("90 min")),
			secondCheck: acctest.Is(streamAddress, "retention.size", knownvalue.Null()),
		},
		"retention size": {
			first: `retention = { size = "1 mb" }`, second: `retention = { size = "10gb" }`, segments: [2]int64{1, 1}, sends: true,
			same:        []string{`retention = { size = "10240 mb" }`},
			firstCheck:  acctest.Is(streamAddress, "retention.size", knownvalue.StringExact("1 mb")),
			secondCheck: acctest.Is(streamAddress, "retention.size", knownvalue.StringExact("10gb")),
		},
		"tags": {
			first: `tags = ["pii", "team-a"]`, second: `tags = ["team-b", "pii", "ümläut"]`, segments: [2]int64{1, 1}, sends: true,
			same:        []string{`tags = ["pii", "ümläut", "team-b", "pii"]`},
			firstCheck:  acctest.Is(streamAddress, "tags", knownvalue.SetExact([]knownvalue.Check{knownvalue.StringExact("pii"), knownvalue.StringExact("team-a")})),
			secondCheck: acctest.Is(streamAddress, "tags", knownvalue.SetSizeExact(3)),
		},
		"timestamp_aggregation_timeout": {
			first: `timestamp_aggregation_timeout = "1500 ms"`, second: `timestamp_aggregation_timeout = "5 s"`, segments: [2]int64{1, 1}, sends: true,
			same:        []string{`timestamp_aggregation_timeout = "5000ms"`},
			firstCheck:  acctest.Is(streamAddress, "timestamp_aggregation_timeout", knownvalue.StringExact("1500 ms")),
			secondCheck: acctest.Is(streamAddress, "timestamp_aggregation_timeout", knownvalue.StringExact("5 s")),
		},
		"rollover_size": {
			first: `rollover_size = "1000 b"`, second: `rollover_size = "64mb"`, segments: [2]int64{1, 1}, sends: true,
			same:        []string{`rollover_size = "65536kb"`, `rollover_size = "67108864 bytes"`},
			firstCheck:  acctest.Is(streamAddress, "rollover_size", knownvalue.StringExact("1000 b")),
			secondCheck: acctest.Is(streamAddress, "rollover_size", knownvalue.StringExact("64mb")),
		},
		"deletion_protection": {
			first: `deletion_protection = false`, second: `deletion_protection = true`, segments: [2]int64{1, 1},
			firstCheck:  acctest.Is(streamAddress, "deletion_protection", knownvalue.Bool(false)),
			secondCheck: acctest.Is(streamAddress, "deletion_protection", knownvalue.Bool(true)),
		},
		"allow_data_loss": {
			first: `allow_data_loss = false`, second: `allow_data_loss = true`, segments: [2]int64{1, 1},
			firstCheck:  acctest.Is(streamAddress, "allow_data_loss", knownvalue.Bool(false)),
			secondCheck: acctest.Is(streamAddress, "allow_data_loss", knownvalue.Bool(true)),
		},
		"allow_retention_reset": {
			first: `allow_retention_reset = false`, second: `allow_retention_reset = true`, segments: [2]int64{1, 1},
			firstCheck:  acctest.Is(streamAddress, "allow_retention_reset", knownvalue.Bool(false)),
			secondCheck: acctest.Is(streamAddress, "allow_retention_reset", knownvalue.Bool(true)),
		},
		"adopt_existing": {
			first: `adopt_existing = false`, second: `adopt_existing = true`, segments: [2]int64{1, 1},
			firstCheck:  acctest.Is(streamAddress, "adopt_existing", knownvalue.Bool(false)),
			secondCheck: acctest.Is(streamAddress, "adopt_existing", knownvalue.Bool(true)),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fake := newOrders(t)
			count := func(n int64) statecheck.StateCheck {
				return acctest.Is(streamAddress, "segment_count", knownvalue.Int64Exact(n))
			}
			first, second := streamConfig(fake.URL(), c.first), streamConfig(fake.URL(), c.second)
			imported := importStep()
			// The import writes its own spelling; that it means the same is seen in the eachSpelling test.
			imported.ImportStateVerifyIgnore = []string{"retention", "timestamp_aggregation_timeout", "rollover_size"}
			changed := acctest.Change(second, streamAddress, plancheck.ResourceActionUpdate, count(c.segments[1]), c.secondCheck)
			changed.PreConfig = func() { fake.AddEvents("orders", "clicks", 1000); fake.Forget() }
			steps := []resource.TestStep{acctest.Apply(first, count(c.segments[0]), c.firstCheck), imported, changed}
			for _, same := range c.same {
				steps = append(steps, acctest.Noop(streamConfig(fake.URL(), same)))
			}
			back := acctest.Change(streamConfig(fake.URL()), streamAddress, plancheck.ResourceActionUpdate)
			back.PreConfig = func() {
				want := 0
				if c.sends {
					want = 1
				}
				if n := writes(fake, "PUT"); n != want {
					t.Errorf("%d PUT were sent, want %d", n, want)
				}
				if n := writes(fake, "POST") + writes(fake, "DELETE"); n != 0 {
					t.Errorf("%d POST and DELETE were sent for an update in place", n)
				}
				fake.RunRetention()
				if n := fake.Events("orders", "clicks"); n != 1000 {
					t.Errorf("%d events are left of 1000", n)
				}
			}
			steps = append(steps, back)
			acctest.RunFake(t, steps...)
			if left := fake.Streams("orders"); len(left) != 0 {
				t.Errorf("streams left after destroy: %v", left)
			}
		})
	}
}

func TestFlow_Stream_importedStreamHasNoDiffInAnySpelling(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	fake.AddStream("orders", "clicks", 2)
	fake.RetainTime("orders", "clicks", 7*24*60*60e9, 0)
	config := streamConfig(fake.URL(), fixed2, `retention = { time = "168h" }`)
	block := "import {\n  to = streaming_pravega_stream.test\n  id = \"orders/clicks\"\n}\n"
	acctest.RunFake(t,
		resource.TestStep{
			Config: block + config,
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(streamAddress, plancheck.ResourceActionNoop),
			}},
			ConfigStateChecks: []statecheck.StateCheck{acctest.Is(streamAddress, "retention.time", knownvalue.StringExact("7 d"))},
		},
		acctest.Noop(config),
	)
}

func TestFlow_Stream_renameReplacesAndSegmentsAreUnknownThen(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	acctest.RunFake(t,
		acctest.Apply(streamConfig(fake.URL(), fixed2)),
		resource.TestStep{
			Config: namedStream(fake.URL(), "views", fixed2),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(streamAddress, plancheck.ResourceActionReplace),
				plancheck.ExpectUnknownValue(streamAddress, tfjsonpath.New("segment_count")),
				plancheck.ExpectKnownValue(streamAddress, tfjsonpath.New("id"), knownvalue.StringExact("orders/views")),
			}},
			ConfigStateChecks: []statecheck.StateCheck{acctest.Is(streamAddress, "id", knownvalue.StringExact("orders/views"))},
		},
	)
}

func TestFlow_Stream_tagsAloneKeepTheSegmentCountKnown(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	acctest.RunFake(t,
		acctest.Apply(streamConfig(fake.URL(), events2)),
		resource.TestStep{
			Config: streamConfig(fake.URL(), events2, `tags = ["a"]`),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectKnownValue(streamAddress, tfjsonpath.New("segment_count"), knownvalue.Int64Exact(2)),
			}},
		},
		resource.TestStep{
			Config: streamConfig(fake.URL(), `scaling = { type = "FIXED_NUM_SEGMENTS", min_segments = 1 }`),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectUnknownValue(streamAddress, tfjsonpath.New("segment_count")),
			}},
		},
	)
}

func TestFlow_Stream_isReplacedWithItsScope(t *testing.T) {
	t.Parallel()
	fake := newFake(t)
	config := func(name string) string {
		return scopeConfig(fake.URL(), name) + `
resource "streaming_pravega_stream" "test" {
  scope = streaming_pravega_scope.test.name
  name  = "clicks"
}
`
	}
	acctest.RunFake(t,
		acctest.Apply(config("orders"), acctest.Is(streamAddress, "id", knownvalue.StringExact("orders/clicks"))),
		acctest.Change(config("sales"), streamAddress, plancheck.ResourceActionReplace, acctest.Is(streamAddress, "id", knownvalue.StringExact("sales/clicks"))),
	)
	if left := fake.Scopes(); len(left) != 0 {
		t.Errorf("scopes left after destroy: %v", left)
	}
}

func TestFlow_Stream_unknownValuesAtPlan(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	config := func(minutes, tag string) string {
		return acctest.Config{Pravega: fake.URL()}.String() + fmt.Sprintf(`
resource "terraform_data" "known_later" {
  input = { minutes = %q, tag = %q, segments = 3, name = "clicks" }
}

resource "streaming_pravega_stream" "test" {
  scope     = "orders"
  name      = terraform_data.known_later.output.name
  scaling   = { type = "FIXED_NUM_SEGMENTS", min_segments = terraform_data.known_later.output.segments }
  retention = { time = terraform_data.known_later.output.minutes }
  tags      = [terraform_data.known_later.output.tag]
}
`, minutes, tag)
	}
	acctest.RunFake(t,
		acctest.Apply(config("60 min", "a"), acctest.Is(streamAddress, "retention.time", knownvalue.StringExact("60 min")), acctest.Is(streamAddress, "id", knownvalue.StringExact("orders/clicks"))),
		acctest.Noop(config("60 min", "a")),
	)
}

func TestFlow_Stream_driftIsPlannedBack(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	config := streamConfig(fake.URL(), fixed2, `retention = { time = "7d" }`, `tags = ["a"]`)
	acctest.RunFake(t,
		acctest.Apply(config),
		resource.TestStep{
			PreConfig: func() { fake.RetainTime("orders", "clicks", 24*60*60e9, 0) },
			Config:    config,
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(streamAddress, plancheck.ResourceActionUpdate),
			}},
			ConfigStateChecks: []statecheck.StateCheck{acctest.Is(streamAddress, "retention.time", knownvalue.StringExact("7d"))},
		},
		// Raised by somebody else: going back deletes data.
		resource.TestStep{
			PreConfig: func() { fake.RetainTime("orders", "clicks", 30*24*60*60e9, 0) },
			Config:    config, ExpectError: acctest.InOrder("would delete data", "keeps 30 d now", "it keeps 7 d", "allow_data_loss = true"),
		},
		resource.TestStep{
			PreConfig: func() { fake.RemoveStream("orders", "clicks") }, Config: config,
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(streamAddress, plancheck.ResourceActionCreate),
			}},
		},
	)
}

// scalingSteps lead from each scaling type to each other, in place, and import
// the stream after each. The stream begins with two fixed segments.
func scalingSteps(config func(scaling string) string) []resource.TestStep {
	scaling := func(kind string, minimum int) string {
		if kind == "FIXED_NUM_SEGMENTS" {
			return fmt.Sprintf(`scaling = { type = %q, min_segments = %d }`, kind, minimum)
		}
		return fmt.Sprintf(`scaling = { type = %q, target_rate = 1000, scale_factor = 2, min_segments = %d }`, kind, minimum)
	}
	var steps []resource.TestStep
	for _, c := range []struct {
		kind     string
		minimum  int
		segments int64
	}{
		{"BY_RATE_IN_EVENTS_PER_SEC", 3, 3},
		{"BY_RATE_IN_KBYTES_PER_SEC", 1, 3},
		{"FIXED_NUM_SEGMENTS", 2, 2},
		{"BY_RATE_IN_KBYTES_PER_SEC", 4, 4},
		{"BY_RATE_IN_EVENTS_PER_SEC", 2, 4},
		{"FIXED_NUM_SEGMENTS", 1, 1},
	} {
		steps = append(steps,
			acctest.Change(config(scaling(c.kind, c.minimum)), streamAddress, plancheck.ResourceActionUpdate,
				acctest.Is(streamAddress, "scaling.type", knownvalue.StringExact(c.kind)),
				acctest.Is(streamAddress, "segment_count", knownvalue.Int64Exact(c.segments))),
			importStep())
	}
	return steps
}

func TestFlow_Stream_EachScalingTypeIsChangedToEachOtherInPlace(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	config := func(scaling string) string { return streamConfig(fake.URL(), scaling) }
	acctest.RunFake(t, append([]resource.TestStep{
		acctest.Apply(config(fixed2)),
		{PreConfig: func() { fake.AddEvents("orders", "clicks", 1000) }, RefreshState: true},
	}, append(scalingSteps(config), resource.TestStep{
		PreConfig: func() {
			if n := fake.Events("orders", "clicks"); n != 1000 {
				t.Errorf("%d events are left of 1000", n)
			}
		},
		RefreshState: true,
	})...)...)
}
