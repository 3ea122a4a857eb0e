// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package namefilter has what data sources and list resources share that find
// things by name.
package namefilter

import (
	"context"
	"regexp"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	listschema "github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/validators"
)

// Attribute is the name of the attribute that filters by an expression.
const Attribute = "name_regex"

// Exact is an attribute that filters by a name, and excludes the one that
// filters by an expression.
func Exact(description string) schema.StringAttribute {
	return schema.StringAttribute{
		Optional: true, MarkdownDescription: description,
		Validators: []validator.String{validators.Excludes(Attribute)},
	}
}

// Match is the attribute that filters by an expression. The description is the
// beginning of a sentence, excludes names the attributes that it cannot stand
// beside.
func Match(description, example string, excludes ...string) schema.StringAttribute {
	description = ofExpression(description, example)
	for _, other := range excludes {
		description += " Excludes `" + other + "`."
	}
	return schema.StringAttribute{
		Optional: true, MarkdownDescription: description, Validators: []validator.String{expressionValidator{}},
	}
}

// MatchListed is Match for a list resource.
func MatchListed(description, example string) listschema.StringAttribute {
	return listschema.StringAttribute{
		Optional: true, MarkdownDescription: ofExpression(description, example), Validators: []validator.String{expressionValidator{}},
	}
}

func ofExpression(description, example string) string {
	return description + " of this expression ([RE2](https://github.com/google/re2/wiki/Syntax)), such as " + example + "."
}

// Filter is what a list is filtered by; empty, it lets all names through.
type Filter struct {
	exact types.String
	match *regexp.Regexp
}

// New returns the filter for the values of a name and of Attribute, which may
// both be null.
func New(exact, expression types.String, diagnostics *diag.Diagnostics) Filter {
	filter := Filter{exact: exact}
	if !expression.IsNull() {
		filter.match = compiled(path.Root(Attribute), expression, diagnostics)
	}
	return filter
}

// Matches tells whether a name is let through.
func (f Filter) Matches(name string) bool {
	return (f.exact.IsNull() || f.exact.ValueString() == name) && (f.match == nil || f.match.MatchString(name))
}

// expressionValidator refuses what is no regular expression.
type expressionValidator struct{}

// Description says what is checked.
func (expressionValidator) Description(context.Context) string { return "a regular expression (RE2)" }

// MarkdownDescription says what is checked.
func (v expressionValidator) MarkdownDescription(ctx context.Context) string {
	return v.Description(ctx)
}

// ValidateString checks a known value.
func (expressionValidator) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	compiled(req.Path, req.ConfigValue, &resp.Diagnostics)
}

func compiled(at path.Path, expression types.String, diagnostics *diag.Diagnostics) *regexp.Regexp {
	match, err := regexp.Compile(expression.ValueString())
	if err != nil {
		reason := err.Error()
		diagnostics.AddAttributeError(at, "Not a regular expression", strings.ToUpper(reason[:1])+reason[1:]+".")
	}
	return match
}
