// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega_test

import (
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/fault"
)

func TestFlow_Scope_isCreatedImportedChangedAndReplaced(t *testing.T) {
	t.Parallel()
	fake := newFake(t)
	acctest.RunFake(t,
		acctest.Apply(scopeConfig(fake.URL(), "orders"),
			acctest.Is(scopeAddress, "id", knownvalue.StringExact("orders")),
			acctest.Is(scopeAddress, "name", knownvalue.StringExact("orders")),
			acctest.Is(scopeAddress, "force_destroy", knownvalue.Bool(false)),
			acctest.Is(scopeAddress, "deletion_protection", knownvalue.Bool(false)),
			acctest.Is(scopeAddress, "adopt_existing", knownvalue.Bool(false))),
		acctest.Noop(scopeConfig(fake.URL(), "orders", "force_destroy = false", "deletion_protection = null")),
		resource.TestStep{ResourceName: scopeAddress, ImportState: true, ImportStateId: "orders", ImportStateVerify: true},
		// What concerns the provider alone is stored without a request.
		resource.TestStep{PreConfig: fake.Forget, RefreshState: true},
		acctest.Change(scopeConfig(fake.URL(), "orders", "force_destroy = true"), scopeAddress, plancheck.ResourceActionUpdate,
			acctest.Is(scopeAddress, "force_destroy", knownvalue.Bool(true))),
		acctest.Change(scopeConfig(fake.URL(), "orders", "adopt_existing = true"), scopeAddress, plancheck.ResourceActionUpdate,
			acctest.Is(scopeAddress, "adopt_existing", knownvalue.Bool(true))),
		acctest.Change(scopeConfig(fake.URL(), "orders", "deletion_protection = true"), scopeAddress, plancheck.ResourceActionUpdate,
			acctest.Is(scopeAddress, "deletion_protection", knownvalue.Bool(true))),
		acctest.Change(scopeConfig(fake.URL(), "orders"), scopeAddress, plancheck.ResourceActionUpdate,
			acctest.Is(scopeAddress, "deletion_protection", knownvalue.Bool(false))),
		resource.TestStep{
			PreConfig: func() {
				if n := writes(fake, "POST") + writes(fake, "PUT") + writes(fake, "DELETE"); n != 0 {
					t.Errorf("%d requests were sent for what concerns the provider alone", n)
				}
			},
			RefreshState: true,
		},
		acctest.Change(scopeConfig(fake.URL(), "orders-2"), scopeAddress, plancheck.ResourceActionReplace,
			acctest.Is(scopeAddress, "id", knownvalue.StringExact("orders-2"))),
	)
	if left := fake.Scopes(); len(left) != 0 {
		t.Errorf("scopes left after destroy: %v", left)
	}
}

func TestFlow_Scope_rejectsNamesAtPlan(t *testing.T) {
	t.Parallel()
	fake := newFake(t)
	long := make([]byte, 256)
	for i := range long {
		long[i] = 'a'
	}
	var steps []resource.TestStep
	for _, name := range []string{"", ".", "..", "_system", "a_b", "a b", "a/b", "ä", string(long)} {
		steps = append(steps, acctest.Fails(scopeConfig(fake.URL(), name), "Not a name for a Pravega scope", "name ="))
	}
	acctest.RunFake(t, steps...)
	if requests := fake.Requests(); len(requests) != 0 {
		t.Errorf("the controller was asked: %v", requests)
	}
}

func TestFlow_Scope_thatExistsIsNotTakenOverSilently(t *testing.T) {
	t.Parallel()
	fake := newFake(t)
	fake.AddStream("orders", "clicks", 1)
	acctest.RunFake(t,
		acctest.Fails(scopeConfig(fake.URL(), "orders"), "orders", "exists already", "terraform import streaming_pravega_scope.NAME orders", "adopt_existing = true"),
		acctest.Apply(scopeConfig(fake.URL(), "orders", "adopt_existing = true", "force_destroy = true"),
			acctest.Is(scopeAddress, "id", knownvalue.StringExact("orders"))),
		acctest.Noop(scopeConfig(fake.URL(), "orders", "adopt_existing = true", "force_destroy = true")),
	)
}

func TestFlow_Scope_importOfWhatIsNotThereFails(t *testing.T) {
	t.Parallel()
	fake := newFake(t)
	acctest.RunFake(t,
		resource.TestStep{
			Config: scopeConfig(fake.URL(), "orders"), ResourceName: scopeAddress, ImportState: true, ImportStateId: "orders",
			ExpectError: acctest.InOrder("Cannot import non-existent remote object"),
		},
		resource.TestStep{
			Config: scopeConfig(fake.URL(), "orders"), ResourceName: scopeAddress, ImportState: true, ImportStateId: "orders/clicks",
			ExpectError: acctest.InOrder("Not the id of a Pravega scope", "Import a scope by its name"),
		},
	)
}

func TestFlow_Scope_protectionStopsDestroyAndReplacement(t *testing.T) {
	t.Parallel()
	fake := newFake(t)
	protected := scopeConfig(fake.URL(), "orders", "deletion_protection = true")
	acctest.RunFake(t,
		acctest.Apply(protected),
		resource.TestStep{Config: protected, Destroy: true, ExpectError: acctest.InOrder("orders", "is protected from deletion", "deletion_protection = false, apply that alone")},
		acctest.Fails(scopeConfig(fake.URL(), "other", "deletion_protection = true"), "is protected from deletion"),
		// Only the value in state counts, not the new one.
		acctest.Fails(scopeConfig(fake.URL(), "other"), "is protected from deletion"),
		acctest.Apply(scopeConfig(fake.URL(), "orders")),
	)
	if left := fake.Scopes(); len(left) != 0 {
		t.Errorf("scopes left after destroy: %v", left)
	}
}

func TestFlow_Scope_destroyOfOneThatIsNotEmptyNamesWhatIsInIt(t *testing.T) {
	t.Parallel()
	fake := newFake(t)
	plain := scopeConfig(fake.URL(), "orders")
	forced := scopeConfig(fake.URL(), "orders", "force_destroy = true")
	acctest.RunFake(t,
		acctest.Apply(plain),
		resource.TestStep{
			PreConfig: func() {
				fake.AddStream("orders", "foreign", 3)
				fake.AddStream("orders", "sealed", 1)
				fake.Seal("orders", "sealed")
				fake.AddReaderGroup("orders", "readers", "orders/foreign")
				fake.AddKeyValueTable("orders", "table")
			},
			Config: plain, Destroy: true,
			ExpectError: acctest.InOrder("is not empty", `streams: "foreign", "sealed"`, `reader groups: "readers"`, "force_destroy = true"),
		},
		resource.TestStep{
			PreConfig: func() {
				if got := fake.Streams("orders"); !slices.Equal(got, []string{"foreign", "sealed"}) {
					t.Errorf("a refused destroy left the streams %v", got)
				}
			},
			Config: forced,
		},
		resource.TestStep{Config: forced, Destroy: true, ExpectError: acctest.InOrder("is not empty", "key-value tables")},
		resource.TestStep{PreConfig: func() { fake.RemoveKeyValueTable("orders", "table") }, Config: forced, Destroy: true},
	)
	if left := fake.Scopes(); len(left) != 0 {
		t.Errorf("scopes left after destroy: %v", left)
	}
}

func TestFlow_Scope_deletedByOthersIsCreatedAgain(t *testing.T) {
	t.Parallel()
	fake := newFake(t)
	config := scopeConfig(fake.URL(), "orders")
	acctest.RunFake(t,
		acctest.Apply(config),
		resource.TestStep{
			PreConfig: func() { fake.RemoveScope("orders") }, Config: config,
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(scopeAddress, plancheck.ResourceActionCreate),
			}},
		},
		// A destroy of what is gone is no error.
		resource.TestStep{PreConfig: func() { fake.RemoveScope("orders") }, Config: config, Destroy: true},
	)
}

func TestFlow_Scope_oneFaultIsOvercomeInTheSameApply(t *testing.T) {
	t.Parallel()
	for _, kind := range []fault.Kind{fault.Unsent, fault.LostAnswer, fault.ProxyError, fault.ProxyErrorApplied, fault.EmptyFailureApplied} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			fake := newFake(t)
			for _, method := range []string{"POST", "GET", "DELETE"} {
				if method != "GET" || kind != fault.EmptyFailureApplied { // Which only hits what changes something.
					fake.Inject(cut(kind, method, `/v1/scopes`))
				}
			}
			acctest.RunFake(t, acctest.Apply(scopeConfig(fake.URL(), "orders"), acctest.Is(scopeAddress, "id", knownvalue.StringExact("orders"))))
			if left := fake.Scopes(); len(left) != 0 {
				t.Errorf("scopes left after destroy: %v", left)
			}
		})
	}
}

// TestFlow_Scope_C71_ThatLooksEmptySaysWhatKeepsIt has what the list of streams
// does not show.
func TestFlow_Scope_C71_ThatLooksEmptySaysWhatKeepsIt(t *testing.T) {
	t.Parallel()
	fake := newFake(t)
	plain, forced := scopeConfig(fake.URL(), "orders"), scopeConfig(fake.URL(), "orders", "force_destroy = true")
	fails := func(config string, prepare func(), words ...string) resource.TestStep {
		return resource.TestStep{PreConfig: prepare, Config: config, Destroy: true, ExpectError: acctest.InOrder(words...)}
	}
	acctest.RunFake(t,
		acctest.Apply(plain),
		fails(plain, func() { fake.AddReaderGroup("orders", "rg1", "orders/gone") }, "is not empty", `In this one are reader groups: "rg1".`, "force_destroy = true"),
		acctest.Apply(forced),
		// One that fails half-way says how far it came.
		fails(forced, func() {
			for _, name := range []string{"a", "b", "c"} {
				fake.AddStream("orders", name, 1)
			}
			fake.Inject(fault.Fault{Kind: fault.Status, Method: "DELETE", Path: pathOf(`/streams/b$`), Status: 403, Times: -1})
		}, "Cannot empty Pravega scope", "streams/b", "403", `Still in it are streams: "b", "c".`, "may be sealed by now", "Destroy again"),
		fails(forced, func() { fake.Clear(); fake.AddKeyValueTable("orders", "table") }, "is not empty", "No stream or reader group is listed", "key-value tables"),
		resource.TestStep{PreConfig: func() { fake.RemoveKeyValueTable("orders", "table") }, Config: forced, Destroy: true},
	)
	if left := fake.Scopes(); len(left) != 0 {
		t.Errorf("scopes left after destroy: %v", left)
	}
}

func TestScope_planOfAForcedDestroySaysWhatGoes(t *testing.T) {
	t.Parallel()
	fake := newFake(t)
	s := newServer(t, fake.URL())
	config := map[string]any{"name": "orders"}
	plain, _ := s.apply(scopeType, nil, config)
	forced, _ := s.apply(scopeType, plain, with(config, "force_destroy", true))
	// An empty one takes nothing with it.
	quiet(t, s.plan(scopeType, forced, nil).Diagnostics)
	fake.AddStream("orders", "clicks", 1)
	fake.AddReaderGroup("orders", "g", "orders/clicks")
	quiet(t, s.plan(scopeType, plain, nil).Diagnostics)
	words := []string{`"orders" will be deleted with all that is in it`, `streams: "clicks"; reader groups: "g"`, "cannot be undone", "force_destroy = false"}
	warns(t, s.plan(scopeType, forced, nil).Diagnostics, words...)
	warns(t, s.plan(scopeType, forced, map[string]any{"name": "sales", "force_destroy": true}).Diagnostics, words...)
	gone := newFake(t)
	quiet(t, newServer(t, gone.URL()).plan(scopeType, forced, nil).Diagnostics)
	fake.Inject(fault.Fault{Kind: fault.Status, Status: 403, Times: -1})
	denied := s.plan(scopeType, forced, nil).Diagnostics
	s.noErrors(denied)
	warns(t, denied, "will be deleted with all that is in it", "could not be listed")
}
