// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"testing"

	fwresource "github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/pravegafake"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/changes"
	service "github.com/terraform-streaming/terraform-provider-streaming/internal/service/pravega"
)

func schemaOf(t *testing.T, construct func() fwresource.Resource) schema.Schema {
	t.Helper()
	var resp fwresource.SchemaResponse
	construct().Schema(t.Context(), fwresource.SchemaRequest{}, &resp)
	if resp.Diagnostics.HasError() {
		t.Fatal(resp.Diagnostics)
	}
	return resp.Schema
}

// Each resource has a table, and the table and the schema say the same.
func TestChanges_FitTheSchemas(t *testing.T) {
	t.Parallel()
	tables := service.Changes()
	if len(tables) != len(service.Resources()) {
		t.Errorf("%d tables for %d resources", len(tables), len(service.Resources()))
	}
	for _, construct := range service.Resources() {
		var resp fwresource.MetadataResponse
		construct().Metadata(t.Context(), fwresource.MetadataRequest{ProviderTypeName: "streaming"}, &resp)
		table, ok := tables[resp.TypeName]
		if !ok {
			t.Errorf("%s has no table", resp.TypeName)
			continue
		}
		for _, problem := range table.Check(schemaOf(t, construct)) {
			t.Errorf("%s: %s", resp.TypeName, problem)
		}
	}
}

// attributeChange is a change of one attribute; what it does is in the table.
// The rest of the configuration is the same on both sides.
type attributeChange struct {
	attribute     string
	before, after []string
	// same is the value after the change in another spelling.
	same string
	// scope and name are those after the change, of a replacement.
	scope, name string
}

func streamAttributeChanges() []attributeChange {
	fixed := func(n int) string {
		return fmt.Sprintf(`scaling = { type = "FIXED_NUM_SEGMENTS", min_segments = %d }`, n)
	}
	rate := func(kind string, target, factor, minimum int) string {
		return fmt.Sprintf(`scaling = { type = "BY_RATE_IN_%s_PER_SEC", target_rate = %d, scale_factor = %d, min_segments = %d }`, kind, target, factor, minimum)
	}
	one := func(attribute, before, after string) attributeChange {
		c := attributeChange{attribute: attribute, after: []string{after}}
		if before != "" {
			c.before = []string{before}
		}
		return c
	}
	spelled := func(c attributeChange, same string) attributeChange { c.same = same; return c }
	return []attributeChange{
		{attribute: "scope", scope: "sales", name: "clicks"},
		{attribute: "name", scope: "orders", name: "views"},
		one("scaling.type", fixed(2), rate("EVENTS", 1000, 2, 2)),
		one("scaling.type", rate("EVENTS", 1000, 2, 2), rate("KBYTES", 1000, 2, 2)),
		one("scaling.type", rate("KBYTES", 1000, 2, 3), fixed(3)),
		one("scaling.target_rate", rate("EVENTS", 1000, 2, 2), rate("EVENTS", 500, 2, 2)),
		one("scaling.scale_factor", rate("EVENTS", 1000, 2, 2), rate("EVENTS", 1000, 3, 2)),
		one("scaling.min_segments", fixed(2), fixed(4)),
		one("scaling.min_segments", rate("EVENTS", 1000, 2, 4), rate("EVENTS", 1000, 2, 1)),
		spelled(one("retention.time", `retention = { time = "1 d" }`, `retention = { time = "36 h" }`), `retention = { time = "2160 min" }`),
		spelled(one("retention.size", `retention = { size = "1 gb" }`, `retention = { size = "2 gb" }`), `retention = { size = "2048 mb" }`),
		one("tags", `tags = ["a", "b"]`, `tags = ["b", "c"]`),
		spelled(one("timestamp_aggregation_timeout", "", `timestamp_aggregation_timeout = "5 s"`), `timestamp_aggregation_timeout = "5000ms"`),
		spelled(one("rollover_size", `rollover_size = "1mb"`, `rollover_size = "64mb"`), `rollover_size = "65536 kb"`),
		one("deletion_protection", "", "deletion_protection = true"),
		one("allow_data_loss", "", "allow_data_loss = true"),
		one("allow_retention_reset", "", "allow_retention_reset = true"),
		one("adopt_existing", "", "adopt_existing = true"),
	}
}

// written are the requests since the last Forget that change something.
func written(fake *pravegafake.Server) []string {
	requests := []string{}
	for _, request := range fake.Requests() {
		if request.Method != http.MethodGet {
			requests = append(requests, request.Method+" "+request.Path)
		}
	}
	return requests
}

// does checks that an apply wrote exactly these requests.
func does(fake *pravegafake.Server, requests []string) statecheck.StateCheck {
	return acctest.Outside(func() error {
		if got := written(fake); !slices.Equal(got, requests) {
			return fmt.Errorf("the apply wrote %q, want %q", got, requests)
		}
		return nil
	})
}

// unknown checks which values a plan does not know.
type unknown struct {
	address string
	want    []string
}

// CheckPlan looks at the resource's change.
func (u unknown) CheckPlan(_ context.Context, req plancheck.CheckPlanRequest, resp *plancheck.CheckPlanResponse) {
	for _, change := range req.Plan.ResourceChanges {
		if change.Address != u.address {
			continue
		}
		got := []string{}
		all, _ := change.Change.AfterUnknown.(map[string]any)
		for name, value := range all {
			if value == true {
				got = append(got, name)
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, u.want) {
			resp.Error = fmt.Errorf("the plan of %s leaves %q unknown instead of %q", u.address, got, u.want)
		}
		return
	}
	resp.Error = fmt.Errorf("the plan has no change of %s", u.address)
}

// asTheTable is a step whose plan and whose writes are those of a class.
func asTheTable(fake *pravegafake.Server, address, config string, table changes.Table, class changes.Class, requests []string) resource.TestStep {
	action := plancheck.ResourceActionUpdate
	if class == changes.Replace {
		action = plancheck.ResourceActionReplace
	}
	return resource.TestStep{
		Config: config,
		ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
			plancheck.ExpectResourceAction(address, action), unknown{address, append([]string{}, table.Unknown(class)...)}, acctest.Between(fake.Forget),
		}},
		ConfigStateChecks: []statecheck.StateCheck{does(fake, requests)},
	}
}

// TestFlow_Stream_EachChangeDoesWhatTheTableSays changes one attribute after
// the other, and compares plan and requests with the class that the docs name.
func TestFlow_Stream_EachChangeDoesWhatTheTableSays(t *testing.T) {
	t.Parallel()
	table := service.Changes()[service.StreamType]
	cases := streamAttributeChanges()
	for _, row := range table.Settable() {
		has := func(spelled bool) bool {
			return slices.ContainsFunc(cases, func(c attributeChange) bool {
				return c.attribute == row.Attribute && (!spelled || c.same != "")
			})
		}
		if !has(false) || row.Respelled && !has(true) {
			t.Errorf("no case changes %s, or spells it otherwise", row.Attribute)
		}
	}
	for i, c := range cases {
		row, ok := table.Row(c.attribute)
		if !ok {
			t.Errorf("%s has no row", c.attribute)
			continue
		}
		t.Run(fmt.Sprintf("%d %s", i, c.attribute), func(t *testing.T) {
			t.Parallel()
			fake := newOrders(t)
			fake.AddScope("sales")
			before := streamConfig(fake.URL(), c.before...)
			after := streamConfig(fake.URL(), c.after...)
			var requests []string
			switch row.Class {
			case changes.None:
			case changes.InPlace, changes.Rescale:
				requests = []string{"PUT /v1/scopes/orders/streams/clicks"}
			case changes.Replace:
				after = streamIn(fake.URL(), c.scope, c.name)
				requests = []string{"PUT /v1/scopes/orders/streams/clicks/state", "DELETE /v1/scopes/orders/streams/clicks", "POST /v1/scopes/" + c.scope + "/streams"}
			default:
				t.Fatalf("no stream has an attribute of the class %q", row.Class)
			}
			steps := []resource.TestStep{acctest.Apply(before), asTheTable(fake, streamAddress, after, table, row.Class, requests)}
			if c.same != "" {
				steps = append(steps, acctest.Noop(streamConfig(fake.URL(), c.same)))
			}
			if c.attribute == "deletion_protection" {
				steps = append(steps, asTheTable(fake, streamAddress, before, table, row.Class, requests))
			}
			acctest.RunFake(t, steps...)
			if left := append(fake.Streams("orders"), fake.Streams("sales")...); len(left) != 0 {
				t.Errorf("streams left after destroy: %v", left)
			}
		})
	}
}

func TestFlow_Scope_EachChangeDoesWhatTheTableSays(t *testing.T) {
	t.Parallel()
	fake := newFake(t)
	table := service.Changes()[service.ScopeType]
	config := func(attributes ...string) string { return scopeConfig(fake.URL(), "orders", attributes...) }
	steps := []resource.TestStep{acctest.Apply(config())}
	for _, row := range table.Settable() {
		switch row.Class {
		case changes.None:
			steps = append(steps, asTheTable(fake, scopeAddress, config(row.Attribute+" = true"), table, row.Class, nil),
				asTheTable(fake, scopeAddress, config(), table, row.Class, nil))
		case changes.Replace:
			steps = append(steps, asTheTable(fake, scopeAddress, scopeConfig(fake.URL(), "sales"), table, row.Class, []string{"DELETE /v1/scopes/orders", "POST /v1/scopes"}),
				asTheTable(fake, scopeAddress, config(), table, row.Class, []string{"DELETE /v1/scopes/sales", "POST /v1/scopes"}))
		default:
			t.Fatalf("no scope has an attribute of the class %q", row.Class)
		}
	}
	acctest.RunFake(t, steps...)
	if left := fake.Scopes(); len(left) != 0 {
		t.Errorf("scopes left after destroy: %v", left)
	}
}
