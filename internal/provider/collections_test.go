// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// place is a collection, or an object, somewhere in the schema of a resource.
type place struct {
	// steps are the names of attributes on the way; those of elements are left out.
	steps []string
	// forms are what it may be in a configuration, by what they are called.
	forms map[string]any
}

// formsOf are what can be written for a collection of this type.
func formsOf(of tftypes.Type) map[string]any {
	switch {
	case of.Is(tftypes.List{}), of.Is(tftypes.Set{}):
		return map[string]any{"null": nil, "unknown": unknown{}, "empty": []any{}, "with null": []any{nil}, "with unknown": []any{unknown{}}}
	case of.Is(tftypes.Map{}):
		return map[string]any{"null": nil, "unknown": unknown{}, "empty": map[string]any{}, "with null": map[string]any{"k": nil}, "with unknown": map[string]any{"k": unknown{}}}
	}
	return map[string]any{"null": nil, "unknown": unknown{}, "empty": map[string]any{}}
}

// placesIn finds those that a configuration can set.
func placesIn(attributes []*tfprotov6.SchemaAttribute, steps ...string) []place {
	var all []place
	for _, attribute := range attributes {
		if !attribute.Optional && !attribute.Required || attribute.WriteOnly {
			continue
		}
		at := append(slices.Clone(steps), attribute.Name)
		of := attribute.ValueType()
		if of.Is(tftypes.List{}) || of.Is(tftypes.Set{}) || of.Is(tftypes.Map{}) || of.Is(tftypes.Object{}) {
			all = append(all, place{at, formsOf(of)})
		}
		if attribute.NestedType != nil {
			all = append(all, placesIn(attribute.NestedType.Attributes, at...)...)
		}
	}
	return all
}

// priors are what a resource was before: not there, as it is stored, and what is
// nothing in the other way of the two.
func (p place) priors(form string, state map[string]any, attributes []*tfprotov6.SchemaAttribute) map[string]any {
	priors := map[string]any{"create": nil, "change": state}
	switch form {
	case "null":
		priors["change from empty"] = with(state, attributes, p.steps, p.forms["empty"])
	case "empty":
		priors["change from null"] = with(state, attributes, p.steps, nil)
	}
	return priors
}

// settable is a stored state without what only the provider sets, and without
// write-only values and their versions.
func settable(attributes []*tfprotov6.SchemaAttribute, stored map[string]any) map[string]any {
	config := map[string]any{}
	for _, attribute := range attributes {
		value := stored[attribute.Name]
		if !attribute.Optional && !attribute.Required || attribute.WriteOnly || strings.HasSuffix(attribute.Name, "_wo_version") {
			continue
		}
		if object, ok := value.(map[string]any); ok && attribute.NestedType != nil && attribute.NestedType.Nesting == tfprotov6.SchemaObjectNestingModeSingle {
			value = settable(attribute.NestedType.Attributes, object)
		}
		if list, ok := value.([]any); ok && attribute.NestedType != nil {
			elements := make([]any, 0, len(list))
			for _, element := range list {
				object, _ := element.(map[string]any)
				elements = append(elements, settable(attribute.NestedType.Attributes, object))
			}
			value = elements
		}
		config[attribute.Name] = value
	}
	return config
}

// with is a configuration in which the place has another value.
func with(config map[string]any, attributes []*tfprotov6.SchemaAttribute, steps []string, value any) map[string]any {
	changed := maps.Clone(config)
	if changed == nil {
		changed = map[string]any{}
	}
	if len(steps) == 1 {
		changed[steps[0]] = value
		return changed
	}
	at := slices.IndexFunc(attributes, func(a *tfprotov6.SchemaAttribute) bool { return a.Name == steps[0] })
	nested := attributes[at].NestedType
	if nested.Nesting == tfprotov6.SchemaObjectNestingModeSingle {
		inner, _ := changed[steps[0]].(map[string]any)
		changed[steps[0]] = with(inner, nested.Attributes, steps[1:], value)
		return changed
	}
	first := map[string]any{}
	if list, _ := changed[steps[0]].([]any); len(list) > 0 {
		first, _ = list[0].(map[string]any)
	}
	changed[steps[0]] = []any{with(first, nested.Attributes, steps[1:], value)}
	return changed
}

// disagrees finds an attribute that a plan has otherwise than the configuration,
// for which Terraform would refuse the provider: what is configured stays, in the
// plan or as it was, and only what can be computed is made up.
func disagrees(t *testing.T, attributes []*tfprotov6.SchemaAttribute, at string, config, prior, planned tftypes.Value) string {
	t.Helper()
	given, was, is := map[string]tftypes.Value{}, map[string]tftypes.Value{}, map[string]tftypes.Value{}
	for _, one := range []struct {
		value tftypes.Value
		into  *map[string]tftypes.Value
	}{{config, &given}, {prior, &was}, {planned, &is}} {
		if one.value.IsKnown() && !one.value.IsNull() {
			if err := one.value.As(one.into); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, attribute := range attributes {
		name := at + attribute.Name
		have, want, before := is[attribute.Name], given[attribute.Name], was[attribute.Name]
		kept := have.Equal(before) && !before.IsNull() && !want.IsNull()
		switch {
		case attribute.WriteOnly, want.IsNull() && attribute.Computed, have.Equal(want), kept:
		case attribute.NestedType != nil && attribute.NestedType.Nesting == tfprotov6.SchemaObjectNestingModeSingle && want.IsKnown() && !want.IsNull() && have.IsKnown() && !have.IsNull():
			if found := disagrees(t, attribute.NestedType.Attributes, name+".", want, before, have); found != "" {
				return found
			}
		default:
			return fmt.Sprintf("%s is configured as %s and planned as %s", name, want, have)
		}
	}
	return ""
}

func stored(t *testing.T, kind string, version int64) map[string]any {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", "states", fmt.Sprintf("%s.%d.json", kind, version)))
	if err != nil {
		t.Fatal(err)
	}
	var state map[string]any
	if err := json.Unmarshal(content, &state); err != nil {
		t.Fatal(err)
	}
	return state
}

// Each collection and each object that a configuration can set is given as null,
// unknown, empty, and with an element that is null or unknown. Validation, the
// plan of a create and that of a change answer, and a plan has what is configured.
func TestCollections_NullEmptyAndUnknownStayWhatTheyAre(t *testing.T) {
	t.Parallel()
	a := askedWith(t, nil, false)
	var plans atomic.Int64
	t.Cleanup(func() {
		if plans.Load() < 800 {
			t.Errorf("only %d plans were made", plans.Load())
		}
	})
	for kind, schema := range a.schema.ResourceSchemas {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			attributes, of := schema.Block.Attributes, schema.ValueType()
			state := stored(t, kind, schema.Version)
			base := settable(attributes, state)
			for _, place := range placesIn(attributes) {
				for form, value := range place.forms {
					config := wireValue(t, of, with(base, attributes, place.steps, value))
					for what, prior := range place.priors(form, state, attributes) {
						accepted, found := a.planned(t, kind, config, wireValue(t, of, prior))
						if found != "" {
							t.Errorf("%v %s, %s: %s", place.steps, form, what, found)
						}
						if accepted {
							plans.Add(1)
						}
					}
				}
			}
		})
	}
}

// planned validates and plans, and finds what disagrees. What is refused is no plan.
func (a asked) planned(t *testing.T, kind string, config, prior tftypes.Value) (accepted bool, found string) {
	t.Helper()
	of := a.schema.ResourceSchemas[kind].ValueType()
	pack := func(value tftypes.Value) *tfprotov6.DynamicValue {
		dynamic, err := tfprotov6.NewDynamicValue(of, value)
		if err != nil {
			t.Fatal(err)
		}
		return &dynamic
	}
	valid, err := a.ValidateResourceConfig(t.Context(), &tfprotov6.ValidateResourceConfigRequest{TypeName: kind, Config: pack(config)})
	if err != nil {
		return false, err.Error()
	}
	if refused(valid.Diagnostics) {
		return false, ""
	}
	resp, err := a.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{TypeName: kind, Config: pack(config), PriorState: pack(prior), ProposedNewState: pack(config)})
	if err != nil {
		return false, err.Error()
	}
	if refused(resp.Diagnostics) {
		return false, ""
	}
	planned, err := resp.PlannedState.Unmarshal(of)
	if err != nil {
		return false, err.Error()
	}
	return true, disagrees(t, a.schema.ResourceSchemas[kind].Block.Attributes, "", config, prior, planned)
}

func refused(diagnostics []*tfprotov6.Diagnostic) bool {
	return slices.ContainsFunc(diagnostics, func(d *tfprotov6.Diagnostic) bool { return d.Severity == tfprotov6.DiagnosticSeverityError })
}
