// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/pravega"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/fault"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/pravegafake"
)

// puts are the bodies of the updates of orders/clicks since the last Forget.
func puts(fake *pravegafake.Server) ([]map[string]any, error) {
	var bodies []map[string]any
	for _, request := range fake.Requests() {
		if request.Method != http.MethodPut || strings.HasSuffix(request.Path, "/state") {
			continue
		}
		var body map[string]any
		if err := json.Unmarshal(request.Body, &body); err != nil {
			return nil, err
		}
		bodies = append(bodies, body)
	}
	return bodies, nil
}

// sent fails unless there was exactly one update, with exactly this body.
func sent(fake *pravegafake.Server, want string) statecheck.StateCheck {
	return acctest.Outside(func() error {
		var wanted map[string]any
		if err := json.Unmarshal([]byte(want), &wanted); err != nil {
			return err
		}
		got, err := puts(fake)
		if err != nil || len(got) != 1 || !reflect.DeepEqual(got[0], wanted) {
			return fmt.Errorf("updates were sent: %v (%w), want one: %v", got, err, wanted)
		}
		return nil
	})
}

// others changes orders/clicks as another client of the REST API would.
func others(t *testing.T, fake *pravegafake.Server, change func(*pravega.StreamConfig)) {
	t.Helper()
	transport, err := rest.New(rest.Config{Endpoint: fake.URL()})
	if err != nil {
		t.Fatal(err)
	}
	client, ctx := pravega.New(transport), context.WithoutCancel(t.Context())
	stream, err := client.Stream(ctx, "orders", "clicks")
	if err != nil {
		t.Fatal(err)
	}
	config := stream.StreamConfig
	change(&config)
	if _, err := client.UpdateStream(ctx, "orders", "clicks", config, func(pravega.Stream) error { return nil }); err != nil {
		t.Fatal(err)
	}
}

const importBlock = "import {\n  to = streaming_pravega_stream.test\n  id = \"orders/clicks\"\n}\n"

func planned(action plancheck.ResourceActionType) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(streamAddress, action)}}
}

func TestFlow_Stream_C48_TheServersDefaultsAreNoDrift(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	fake.AddStream("orders", "clicks", 1)
	plain := streamConfig(fake.URL())
	shows := func(more string) func() {
		return func() {
			fake.Clear()
			fake.Inject(fault.Fault{
				Kind: fault.Status, Method: http.MethodGet, Path: pathOf(`/clicks$`), Status: http.StatusOK, ContentType: "application/json", Times: -1,
				Body: `{"scopeName":"orders","streamName":"clicks","scalingPolicy":{"type":"FIXED_NUM_SEGMENTS","minSegments":1,"targetRate":0,"scaleFactor":0}` + more + `}`,
			})
		}
	}
	noop := func(before func()) resource.TestStep {
		return resource.TestStep{PreConfig: before, Config: plain, ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}}}
	}
	acctest.RunFake(t,
		// What was made with nothing stated is imported with nothing stated.
		resource.TestStep{Config: importBlock + plain, ConfigPlanChecks: planned(plancheck.ResourceActionNoop)},
		acctest.Noop(plain),
		// Defaults are there or left out, and other versions may show more.
		noop(shows(``)),
		noop(shows(`,"tags":null,"retentionPolicy":null`)),
		noop(shows(`,"tags":[],"timestampAggregationTimeout":0,"rolloverSizeBytes":0,"state":"ACTIVE","cacheQuota":{"bytes":5}`)),
		// What another tool sets is drift.
		resource.TestStep{
			PreConfig: func() {
				fake.Clear()
				others(t, fake, func(c *pravega.StreamConfig) { c.RolloverSize, c.AggregationTimeout = 1<<20, 5 })
			},
			Config: plain, ConfigPlanChecks: planned(plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{acctest.Is(streamAddress, "rollover_size", knownvalue.StringExact("0 b"))},
		},
	)
}

// TestFlow_Stream_C54_FewerSegmentsAreMergedInPlaceAndSaidBefore goes through
// each way to fewer segments; data stays throughout.
func TestFlow_Stream_C54_FewerSegmentsAreMergedInPlaceAndSaidBefore(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	var warnings acctest.Warnings
	fixed := func(n int) string {
		return fmt.Sprintf(`scaling = { type = "FIXED_NUM_SEGMENTS", min_segments = %d }`, n)
	}
	rate := func(n int) string {
		return fmt.Sprintf(`scaling = { type = "BY_RATE_IN_EVENTS_PER_SEC", target_rate = 1000, scale_factor = 2, min_segments = %d }`, n)
	}
	step := func(scaling string, segments int64, words ...string) resource.TestStep {
		return resource.TestStep{
			PreConfig: func() { warnings.Take() },
			Config:    streamConfig(fake.URL(), scaling),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(streamAddress, plancheck.ResourceActionUpdate), warnings.InPlan(words...),
			}},
			ConfigStateChecks: []statecheck.StateCheck{
				acctest.Is(streamAddress, "segment_count", knownvalue.Int64Exact(segments)),
				acctest.Outside(func() error {
					if n := fake.Events("orders", "clicks"); n != 1000 {
						return fmt.Errorf("%d events are left of 1000", n)
					}
					return nil
				}),
			},
		}
	}
	const merged = "Segments of Pravega stream \"orders/clicks\" will be merged"
	acctest.RunFakeWarned(t, &warnings,
		acctest.Apply(streamConfig(fake.URL(), fixed(2))),
		resource.TestStep{PreConfig: func() { fake.AddEvents("orders", "clicks", 1000) }, RefreshState: true},
		step(fixed(6), 6),
		step(fixed(4), 4, "scaling: "+merged, "It has 6 segments now, and exactly 4", "Data is kept", "Flink source"),
		step(rate(4), 4),
		step(rate(5), 5),
		step(rate(1), 5, "scaling: Segments of", "may be merged", "has 5 segments now", "merges none of them", "down to 1"),
		step(fixed(5), 5, "scaling: Pravega stream", "stops scaling by itself", "5 segments now, and exactly 5"),
		step(rate(5), 5),
		step(fixed(1), 1, merged, "5 segments now, and exactly 1"),
	)
}

// TestFlow_Stream_C54_SegmentsThatDoNotFollowAreSaid has the controller show
// the segments from before the update.
func TestFlow_Stream_C54_SegmentsThatDoNotFollowAreSaid(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	var warnings acctest.Warnings
	late := acctest.Between(func() {
		fake.Inject(fault.Fault{
			Kind: fault.Status, Method: http.MethodGet, Path: pathOf(`/scaling-events$`), Status: http.StatusOK, ContentType: "application/json", Times: 1,
			Body: `[{"timestamp":1,"segments":[{"number":0},{"number":1}],"splits":0,"merges":0}]`,
		})
		warnings.Take()
	})
	three := streamConfig(fake.URL(), `scaling = { type = "FIXED_NUM_SEGMENTS", min_segments = 3 }`)
	acctest.RunFakeWarned(t, &warnings,
		acctest.Apply(streamConfig(fake.URL(), fixed2)),
		resource.TestStep{
			Config: three, ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{late}},
			ConfigStateChecks: []statecheck.StateCheck{
				warnings.InState("segment_count: Pravega stream", "does not have its segments yet", "has 2 segments where scaling asks for 3"),
				acctest.Is(streamAddress, "segment_count", knownvalue.Int64Exact(2)),
			},
		},
		// The next refresh takes over what is there, without a change.
		acctest.Noop(three),
		resource.TestStep{RefreshState: true},
		resource.TestStep{Config: three, ConfigStateChecks: []statecheck.StateCheck{acctest.Is(streamAddress, "segment_count", knownvalue.Int64Exact(3))}},
	)
}

func TestFlow_Stream_C73_AnUpdateRepeatsWhatDoesNotChange(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	full := func(segments int, tags string) string {
		return streamConfig(fake.URL(), fmt.Sprintf(`scaling = { type = "FIXED_NUM_SEGMENTS", min_segments = %d }`, segments), `retention = { time = "30 h" }`,
			"tags = "+tags, `timestamp_aggregation_timeout = "5 s"`, `rollover_size = "64mb"`)
	}
	body := func(segments int, tags string) string {
		return fmt.Sprintf(`{"scalingPolicy":{"type":"FIXED_NUM_SEGMENTS","minSegments":%d},"retentionPolicy":{"type":"LIMITED_DAYS","value":0,"timeBasedRetention":{"days":1,"hours":6,"minutes":0}},
			"streamTags":%s,"timestampAggregationTimeout":5000,"rolloverSizeBytes":67108864}`, segments, tags)
	}
	change := func(config, want string) resource.TestStep {
		return resource.TestStep{
			PreConfig: fake.Forget, Config: config, ConfigPlanChecks: planned(plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{sent(fake, want), acctest.Outside(func() error { return readBack(fake) })},
		}
	}
	acctest.RunFake(t,
		acctest.Apply(full(2, `["a", "b"]`)),
		change(full(3, `["a", "b"]`), body(3, `["a","b"]`)),
		change(full(3, `["b"]`), body(3, `["b"]`)),
		// What is taken away is said too, not left out by chance.
		change(streamConfig(fake.URL(), `retention = { size = "2 gb" }`, "allow_data_loss = true"), `{"scalingPolicy":{"type":"FIXED_NUM_SEGMENTS","minSegments":1},
			"retentionPolicy":{"type":"LIMITED_SIZE_MB","value":2048},"streamTags":[],"timestampAggregationTimeout":0,"rolloverSizeBytes":0}`),
	)
}

// readBack fails unless the stream was read after its update: the answer to
// the update only echoes it.
func readBack(fake *pravegafake.Server) error {
	requests := fake.Requests()
	last := -1
	for i, request := range requests {
		if request.Method == http.MethodPut {
			last = i
		}
	}
	if last < 0 || last+1 >= len(requests) || requests[last+1].Method != http.MethodGet || !strings.HasSuffix(requests[last+1].Path, "/clicks") {
		return fmt.Errorf("the stream was not read back: %v", requests)
	}
	return nil
}

func TestFlow_Stream_C73_TheFirstUpdateOfAnImportedOneSaysWhatItCannotKeep(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	fake.AddStream("orders", "clicks", 1)
	fake.RetainTime("orders", "clicks", 24*60*60e9, 48*60*60e9)
	var warnings acctest.Warnings
	config := func(tag string) string { return streamConfig(fake.URL(), `retention = { time = "1 d" }`, tag) }
	tagged := func(tag string, words ...string) resource.TestStep {
		return resource.TestStep{
			PreConfig: func() { warnings.Take() }, Config: config(tag),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{warnings.InPlan(words...)}},
		}
	}
	acctest.RunFakeWarned(t, &warnings,
		resource.TestStep{Config: importBlock + config(""), ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
			plancheck.ExpectResourceAction(streamAddress, plancheck.ResourceActionNoop), warnings.InPlan(),
		}}},
		tagged(`tags = ["a"]`, "A maximum retention of", "ends with this update", "seconds or bytes", "This warning ends with the first update"),
		tagged(`tags = ["b"]`),
	)
}

func TestFlow_Stream_C74_TagsHaveTwoNames(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	fake.AddStream("orders", "clicks", 1)
	others(t, fake, func(c *pravega.StreamConfig) { c.Tags = []string{"pii", "eu"} })
	config := streamConfig(fake.URL(), `tags = ["eu", "pii"]`)
	tags := func() ([]string, error) {
		state, ok := fake.Stream("orders", "clicks")
		if !ok {
			return nil, fmt.Errorf("the stream is gone")
		}
		return state.Tags, nil
	}
	are := func(want ...string) statecheck.StateCheck {
		return acctest.Outside(func() error {
			if got, err := tags(); err != nil || !slices.Equal(got, want) {
				return fmt.Errorf("tags are %v (%w), want %v", got, err, want)
			}
			return nil
		})
	}
	acctest.RunFake(t,
		resource.TestStep{Config: importBlock + config, ConfigPlanChecks: planned(plancheck.ResourceActionNoop)},
		// Written back as read, they would be gone.
		resource.TestStep{
			Config: streamConfig(fake.URL(), `tags = ["eu", "pii"]`, `rollover_size = "1mb"`), ConfigPlanChecks: planned(plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{are("eu", "pii")},
		},
		resource.TestStep{
			PreConfig: func() { others(t, fake, func(c *pravega.StreamConfig) { c.Tags = []string{"eu", "other"} }) },
			Config:    config, ConfigPlanChecks: planned(plancheck.ResourceActionUpdate), ConfigStateChecks: []statecheck.StateCheck{are("eu", "pii")},
		},
	)
}

func TestFlow_Stream_C78_MadeAgainUnderTheSameNameIsEmpty(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	config := streamConfig(fake.URL(), fixed2)
	acctest.RunFake(t,
		acctest.Apply(config),
		resource.TestStep{PreConfig: func() { fake.AddEvents("orders", "clicks", 10) }, Config: config, Destroy: true},
		acctest.Change(config, streamAddress, plancheck.ResourceActionCreate,
			acctest.Is(streamAddress, "segment_count", knownvalue.Int64Exact(2)),
			acctest.Outside(func() error {
				state, ok := fake.Stream("orders", "clicks")
				if n := fake.Events("orders", "clicks"); !ok || n != 0 || state.Sealed {
					return fmt.Errorf("the stream made again has %d events: %+v", n, state)
				}
				return nil
			})),
		acctest.Change(streamConfig(fake.URL(), fixed2, `tags = ["a"]`), streamAddress, plancheck.ResourceActionUpdate),
	)
}

// TestFlow_Stream_C79_ErrorsWithoutAWordAreExplained answers each operation
// with the statuses that Pravega gives without a reason.
func TestFlow_Stream_C79_ErrorsWithoutAWordAreExplained(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	before, after := streamConfig(fake.URL(), fixed2), streamConfig(fake.URL(), fixed2, `tags = ["a"]`)
	const create, update = `/orders/streams$`, `/streams/clicks$`
	answers := func(method, path string, status int, html bool) func() {
		return func() {
			fake.Clear()
			f := fault.Fault{Kind: fault.Status, Method: method, Path: pathOf(path), Status: status, Times: -1}
			if html {
				f.Body, f.ContentType = "<html><body>Request failed.</body></html>", "text/html"
			}
			fake.Inject(f)
		}
	}
	fails := func(config string, prepare func(), words ...string) resource.TestStep {
		return resource.TestStep{PreConfig: prepare, Config: config, ExpectError: acctest.InOrder(words...)}
	}
	acctest.RunFake(t,
		fails(before, answers("POST", create, 400, false), "Cannot create Pravega stream", "has a name that Pravega refuses"),
		fails(before, answers("POST", create, 401, false), "Cannot create Pravega stream", "Check basic_auth"),
		fails(before, answers("POST", create, 403, false), "Cannot create Pravega stream", "READ_UPDATE on prn::/scope:SCOPE", "check the name too"),
		fails(before, answers("POST", create, 404, false), "Cannot create Pravega stream", `its scope "orders" does not exist`),
		fails(before, answers("POST", create, 409, false), "exists already", "terraform import"),
		fails(before, answers("POST", create, 500, true), "Cannot create Pravega stream", "was rejected by the controller", "gives no reason", "log has"),
		resource.TestStep{PreConfig: fake.Clear, Config: before},
		fails(after, answers("PUT", update, 403, false), "Cannot update Pravega stream", "READ_UPDATE"),
		fails(after, answers("PUT", update, 404, false), "Cannot update Pravega stream", "does not exist", "Plan again"),
		fails(after, answers("PUT", update, 500, true), "Cannot update Pravega stream", "was rejected by the controller", "gives the same answer"),
		fails(after, answers("GET", update, 403, false), "Cannot read Pravega stream", "Nothing is taken for gone"),
		resource.TestStep{
			PreConfig: answers("DELETE", update, 403, false), Config: before, Destroy: true,
			ExpectError: acctest.InOrder("Cannot delete Pravega stream", "READ_UPDATE", "may be sealed by now", "Destroy again"),
		},
		resource.TestStep{PreConfig: fake.Clear, Config: before},
	)
	if left := fake.Streams("orders"); len(left) != 0 {
		t.Errorf("streams left after destroy: %v", left)
	}
}
