// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/fault"
)

// TestFlow_Stream_oneFaultIsOvercomeInTheSameApply hits one request of each
// operation. The answer may be lost after the controller acted or before: the
// apply that it hits gets where it should. The client's own tests hit them one by one.
func TestFlow_Stream_oneFaultIsOvercomeInTheSameApply(t *testing.T) {
	t.Parallel()
	for _, kind := range []fault.Kind{fault.Unsent, fault.LostAnswer, fault.ProxyError, fault.ProxyErrorApplied, fault.EmptyFailureApplied} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			fake := newOrders(t)
			for _, hit := range []struct{ method, path string }{
				{"POST", `/streams$`}, {"PUT", `/clicks$`}, {"PUT", `/state$`}, {"DELETE", `/clicks$`}, {"GET", `/clicks$`}, {"GET", `/scaling-events$`},
			} {
				if hit.method != "GET" || kind != fault.EmptyFailureApplied { // Which only hits what changes something.
					fake.Inject(cut(kind, hit.method, hit.path))
				}
			}
			acctest.RunFake(t,
				acctest.Apply(streamConfig(fake.URL(), fixed2, `tags = ["a"]`), acctest.Is(streamAddress, "segment_count", knownvalue.Int64Exact(2))),
				acctest.Change(streamConfig(fake.URL(), `scaling = { type = "FIXED_NUM_SEGMENTS", min_segments = 3 }`, `tags = ["b"]`),
					streamAddress, plancheck.ResourceActionUpdate, acctest.Is(streamAddress, "segment_count", knownvalue.Int64Exact(3)),
					acctest.Outside(func() error {
						state, ok := fake.Stream("orders", "clicks")
						if !ok || state.Segments != 3 || state.Epochs != 2 || len(state.Tags) != 1 || state.Tags[0] != "b" {
							return fmt.Errorf("the stream is %+v", state)
						}
						return nil
					})),
			)
			if left := fake.Streams("orders"); len(left) != 0 {
				t.Errorf("streams left after destroy: %v", left)
			}
		})
	}
}

// TestFlow_Stream_failedApplyIsGoneOnWithByTheNext breaks an operation for as
// long as an apply lasts, in ways that let the controller act or not.
func TestFlow_Stream_failedApplyIsGoneOnWithByTheNext(t *testing.T) {
	t.Parallel()
	always := func(f fault.Fault) fault.Fault { f.Times = -1; return f }
	for name, c := range map[string]struct {
		operation string
		faults    []fault.Fault
	}{
		"create never arrives":        {"create", []fault.Fault{always(fault.Fault{Kind: fault.Status, Status: 403, Method: "POST"})}},
		"create fails":                {"create", []fault.Fault{always(fault.Fault{Kind: fault.Status, Status: 500, Method: "POST"})}},
		"create is rejected":          {"create", []fault.Fault{always(fault.Fault{Kind: fault.Status, Status: 500, Body: "<html>", ContentType: "text/html", Method: "POST"})}},
		"update is forbidden":         {"update", []fault.Fault{always(fault.Fault{Kind: fault.Status, Status: 403, Method: "PUT"})}},
		"update cannot be read back":  {"update", []fault.Fault{cut(fault.LostAnswer, "PUT", ""), {Kind: fault.Status, Status: 403, Method: "GET", Nth: 4, Times: -1}}},
		"delete is forbidden":         {"delete", []fault.Fault{always(fault.Fault{Kind: fault.Status, Status: 403, Method: "DELETE"})}},
		"seal is forbidden":           {"delete", []fault.Fault{always(cut(fault.Status, "PUT", `/state$`))}},
		"seal is applied, then fails": {"delete", []fault.Fault{cut(fault.EmptyFailureApplied, "PUT", `/state$`), {Kind: fault.Status, Status: 403, Method: "PUT", Nth: 2, Times: -1}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fake := newOrders(t)
			arm := func() {
				for _, f := range c.faults {
					if f.Kind == fault.Status && f.Status == 0 {
						f.Status = 403
					}
					fake.Inject(f)
				}
			}
			first := streamConfig(fake.URL(), fixed2, `tags = ["a"]`)
			second := streamConfig(fake.URL(), fixed2, `tags = ["b"]`)
			var steps []resource.TestStep
			switch c.operation {
			case "create":
				steps = append(steps,
					resource.TestStep{PreConfig: arm, Config: first, ExpectError: acctest.InOrder("Cannot create Pravega stream")},
					resource.TestStep{
						PreConfig: fake.Clear, Config: first,
						ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(streamAddress, plancheck.ResourceActionCreate)}},
					})
			case "update":
				steps = append(steps, acctest.Apply(first),
					resource.TestStep{PreConfig: arm, Config: second, ExpectError: acctest.InOrder("Pravega stream")},
					resource.TestStep{PreConfig: fake.Clear, Config: second})
			case "delete":
				steps = append(steps, acctest.Apply(first),
					resource.TestStep{PreConfig: arm, Config: first, Destroy: true, ExpectError: acctest.InOrder("Cannot delete Pravega stream", "may be sealed by now")},
					resource.TestStep{PreConfig: fake.Clear, Config: first, Destroy: true})
			}
			acctest.RunFake(t, steps...)
			if left := fake.Streams("orders"); len(left) != 0 {
				t.Errorf("streams left after destroy: %v", left)
			}
		})
	}
}

// TestFlow_Stream_manyAtOnce has thirty streams of one scope made, changed and deleted in parallel.
func TestFlow_Stream_manyAtOnce(t *testing.T) {
	t.Parallel()
	fake := newFake(t)
	config := func(tag string) string {
		return scopeConfig(fake.URL(), "orders") + `
resource "streaming_pravega_stream" "many" {
  count = 30
  scope = streaming_pravega_scope.test.name
  name  = "clicks-${count.index}"
  tags  = ["` + tag + `"]
}
`
	}
	acctest.RunFake(t, acctest.Apply(config("a")), acctest.Apply(config("b")))
	if left := fake.Scopes(); len(left) != 0 {
		t.Errorf("scopes left after destroy: %v", left)
	}
}
