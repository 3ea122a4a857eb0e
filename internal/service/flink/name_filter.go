// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink

import (
	"context"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// exactName is the attribute of a list that filters by a name. other is the one
// that filters by an expression.
func exactName(other, description string) schema.StringAttribute {
	return schema.StringAttribute{
		Optional: true, MarkdownDescription: description,
		Validators: []validator.String{stringvalidator.ConflictsWith(path.MatchRoot(other))},
	}
}

// nameMatch is the attribute of a list that filters by an expression. other is
// the one that filters by a name.
func nameMatch(other, description, example string) schema.StringAttribute {
	return schema.StringAttribute{
		Optional:            true,
		MarkdownDescription: description + " of this expression ([RE2](https://github.com/google/re2/wiki/Syntax)), such as " + example + ". Excludes `" + other + "`.",
		Validators:          []validator.String{regexValidator{}},
	}
}

// nameFilter is what a list is filtered by; empty, it lets all names through.
type nameFilter struct {
	exact types.String
	match *regexp.Regexp
}

func newNameFilter(exact, expression types.String, diagnostics *diag.Diagnostics) nameFilter {
	filter := nameFilter{exact: exact}
	if !expression.IsNull() {
		filter.match = compiled(path.Root("name_regex"), expression, diagnostics)
	}
	return filter
}

func (f nameFilter) matches(name string) bool {
	return (f.exact.IsNull() || f.exact.ValueString() == name) && (f.match == nil || f.match.MatchString(name))
}

// regexValidator refuses what is no regular expression.
type regexValidator struct{}

// Description says what is checked.
func (regexValidator) Description(context.Context) string { return "a regular expression (RE2)" }

// MarkdownDescription says what is checked.
func (v regexValidator) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString checks a known value.
func (regexValidator) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	compiled(req.Path, req.ConfigValue, &resp.Diagnostics)
}

func compiled(at path.Path, expression types.String, diagnostics *diag.Diagnostics) *regexp.Regexp {
	match, err := regexp.Compile(expression.ValueString())
	if err != nil {
		diagnostics.AddAttributeError(at, "Not a regular expression", sentence(err.Error()))
	}
	return match
}
