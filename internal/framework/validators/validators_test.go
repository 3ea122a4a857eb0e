// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package validators_test

import (
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/validators"
)

// checked validates a.x, whose siblings are a.y and a.z.
func checked(t *testing.T, check any, value attr.Value, y, z any) diag.Diagnostics {
	t.Helper()
	text := map[string]tftypes.Type{"y": tftypes.String, "z": tftypes.String}
	x, err := value.ToTerraformValue(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	text["x"] = x.Type()
	object := tftypes.Object{AttributeTypes: text}
	var of schema.Attribute = schema.StringAttribute{Optional: true}
	switch value.(type) {
	case types.Int64:
		of = schema.Int64Attribute{Optional: true}
	case types.List:
		of = schema.ListAttribute{Optional: true, ElementType: types.StringType}
	case types.Set:
		of = schema.SetAttribute{Optional: true, ElementType: types.StringType}
	case types.Map:
		of = schema.MapAttribute{Optional: true, ElementType: types.StringType}
	}
	config := tfsdk.Config{
		Schema: schema.Schema{Attributes: map[string]schema.Attribute{"a": schema.SingleNestedAttribute{
			Optional: true, Attributes: map[string]schema.Attribute{"x": of, "y": schema.StringAttribute{Optional: true}, "z": schema.StringAttribute{Optional: true}},
		}}},
		Raw: tftypes.NewValue(tftypes.Object{AttributeTypes: map[string]tftypes.Type{"a": object}}, map[string]tftypes.Value{
			"a": tftypes.NewValue(object, map[string]tftypes.Value{"x": x, "y": tftypes.NewValue(tftypes.String, y), "z": tftypes.NewValue(tftypes.String, z)}),
		}),
	}
	at, expression := path.Root("a").AtName("x"), path.MatchRoot("a").AtName("x")
	switch value := value.(type) {
	case types.String:
		var resp validator.StringResponse
		check.(validator.String).ValidateString(t.Context(), validator.StringRequest{Path: at, PathExpression: expression, Config: config, ConfigValue: value}, &resp)
		return resp.Diagnostics
	case types.Int64:
		var resp validator.Int64Response
		check.(validator.Int64).ValidateInt64(t.Context(), validator.Int64Request{Path: at, PathExpression: expression, Config: config, ConfigValue: value}, &resp)
		return resp.Diagnostics
	case types.List:
		var resp validator.ListResponse
		check.(validator.List).ValidateList(t.Context(), validator.ListRequest{Path: at, PathExpression: expression, Config: config, ConfigValue: value}, &resp)
		return resp.Diagnostics
	case types.Set:
		var resp validator.SetResponse
		check.(validator.Set).ValidateSet(t.Context(), validator.SetRequest{Path: at, PathExpression: expression, Config: config, ConfigValue: value}, &resp)
		return resp.Diagnostics
	case types.Map:
		var resp validator.MapResponse
		check.(validator.Map).ValidateMap(t.Context(), validator.MapRequest{Path: at, PathExpression: expression, Config: config, ConfigValue: value}, &resp)
		return resp.Diagnostics
	}
	t.Fatalf("%T", value)
	return nil
}

func TestValidators_SayWhereWhatAndWhatToDo(t *testing.T) {
	t.Parallel()
	text, number := types.StringValue, types.Int64Value
	list := func(elements ...attr.Value) types.List { return types.ListValueMust(types.StringType, elements) }
	set := func(elements ...attr.Value) types.Set { return types.SetValueMust(types.StringType, elements) }
	of := func(elements map[string]attr.Value) types.Map { return types.MapValueMust(types.StringType, elements) }
	hole := types.StringNull()
	some, none := any("set"), any(nil)
	for name, test := range map[string]struct {
		check           any
		wrong, right    attr.Value
		y, z            any
		summary, advice string
		// rightY is of the sibling beside what is right.
		rightY any
	}{
		"word":           {check: validators.OneOf("b", "c", "d"), wrong: text("e"), right: text("c"), summary: `a.x cannot be "e"`, advice: `Write "b", "c" or "d".`},
		"empty":          {check: validators.NotEmpty(), wrong: text(""), right: text("e"), summary: "a.x is empty", advice: "Write at least one character; where the attribute is optional, it can be left out."},
		"length":         {check: validators.Length(1, 3), wrong: text("eeee"), right: text("eee"), summary: `a.x cannot be "eeee"`, advice: "Write 1 to 3 characters."},
		"pattern":        {check: validators.Matches(regexp.MustCompile("^/"), "must begin with a slash"), wrong: text("e"), right: text("/e"), summary: `a.x cannot be "e"`, advice: "It must begin with a slash."},
		"range":          {check: validators.Between(1, 3), wrong: number(4), right: number(3), summary: "a.x cannot be 4", advice: "Write a whole number from 1 to 3."},
		"least":          {check: validators.AtLeast(2), wrong: number(1), right: number(2), summary: "a.x cannot be 1", advice: "Write a whole number of at least 2."},
		"empty list":     {check: validators.ListNotEmpty(), wrong: list(), right: list(text("e")), summary: "a.x is empty", advice: "Give it at least one element; where the attribute is optional, it can be left out."},
		"empty set":      {check: validators.SetNotEmpty(), wrong: set(), right: set(text("e")), summary: "a.x is empty", advice: "Give it at least one element; where the attribute is optional, it can be left out."},
		"empty map":      {check: validators.MapNotEmpty(), wrong: of(nil), right: of(map[string]attr.Value{"k": text("e")}), summary: "a.x is empty", advice: "Give it at least one element; where the attribute is optional, it can be left out."},
		"large set":      {check: validators.SetOfAtMost(1), wrong: set(text("e"), text("f")), right: set(text("e")), summary: "a.x has too many elements", advice: "At most 1 are allowed."},
		"hole in a list": {check: validators.ListWithoutNull(), wrong: list(hole), right: list(text("e")), summary: "An element of a.x is null", advice: "Leave the element out, or give it a value."},
		"hole in a map":  {check: validators.MapWithoutNull(), wrong: of(map[string]attr.Value{"k": hole}), right: of(map[string]attr.Value{"k": text("e")}), summary: "An element of a.x is null", advice: "Leave the element out, or give it a value."},
		"none of them":   {check: validators.ExactlyOneOf("x", "y", "z"), wrong: hole, right: text("e"), y: none, z: none, summary: "One of a.x, a.y and a.z is needed", advice: "Set a.x, a.y or a.z."},
		"two of them":    {check: validators.ExactlyOneOf("x", "y"), wrong: text("e"), right: text("e"), y: some, summary: "Only one of a.x and a.y can be set", advice: "Keep the one that is meant, and remove the other."},
		"not even one":   {check: validators.AtLeastOneOf("y"), wrong: hole, right: text("e"), summary: "One of a.x and a.y is needed", advice: "Set a.x or a.y."},
		"exclusion":      {check: validators.Excludes("y"), wrong: text("e"), right: text("e"), y: some, summary: "a.x and a.y exclude each other", advice: "Keep the one that is meant, and remove the other."},
		"of a list":      {check: validators.ListExcludes("y"), wrong: list(text("e")), right: list(text("e")), y: some, summary: "a.x and a.y exclude each other", advice: "Keep the one that is meant, and remove the other."},
		"of a map":       {check: validators.MapExcludes("y"), wrong: of(nil), right: of(nil), y: some, summary: "a.x and a.y exclude each other", advice: "Keep the one that is meant, and remove the other."},
		"need":           {check: validators.Needs("y"), wrong: text("e"), right: text("e"), rightY: some, summary: "a.x needs a.y", advice: "Set a.y too, or remove a.x."},
		"number's need":  {check: validators.NumberNeeds("y"), wrong: number(1), right: number(1), rightY: some, summary: "a.x needs a.y", advice: "Set a.y too, or remove a.x."},
		"map's need":     {check: validators.MapNeeds("y"), wrong: of(nil), right: of(nil), rightY: some, summary: "a.x needs a.y", advice: "Set a.y too, or remove a.x."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := checked(t, test.check, test.wrong, test.y, test.z)
			if len(found) != 1 || found[0].Summary() != test.summary || found[0].Detail() != test.advice {
				t.Errorf("got %v", found)
			}
			if at, ok := found[0].(diag.DiagnosticWithPath); !ok || !at.Path().Equal(path.Root("a").AtName("x")) {
				t.Errorf("it is at %v", found[0])
			}
			if found := checked(t, test.check, test.right, test.rightY, nil); len(found) > 0 {
				t.Errorf("what is right is %v", found)
			}
		})
	}
}
