// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package validators has HashiCorp's checks of attributes, with errors that say
// which attribute it is, what is wrong with it, and what to do.
package validators

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// found is what a check found at an attribute.
type found struct {
	at    path.Path
	value attr.Value
	// detail is HashiCorp's text.
	detail string
}

// wording is what is wrong, in one line, and what to do.
type wording func(f found) (summary, advice string)

// worded says the errors of a check in the wording's text.
func (w wording) worded(at path.Path, value attr.Value, errors, to *diag.Diagnostics) {
	for _, d := range *errors {
		summary, advice := w(found{at: at, value: value, detail: d.Detail()})
		to.AddAttributeError(at, summary, advice)
	}
}

// refused is the summary of a value that is not allowed.
func (f found) refused() string { return fmt.Sprintf("%s cannot be %s", f.at, f.value) }

type textCheck struct {
	validator.String
	wording
}

// ValidateString checks, and words.
func (c textCheck) ValidateString(ctx context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	var own validator.StringResponse
	c.String.ValidateString(ctx, req, &own)
	c.worded(req.Path, req.ConfigValue, &own.Diagnostics, &resp.Diagnostics)
}

type numberCheck struct {
	validator.Int64
	wording
}

// ValidateInt64 checks, and words.
func (c numberCheck) ValidateInt64(ctx context.Context, req validator.Int64Request, resp *validator.Int64Response) {
	var own validator.Int64Response
	c.Int64.ValidateInt64(ctx, req, &own)
	c.worded(req.Path, req.ConfigValue, &own.Diagnostics, &resp.Diagnostics)
}

type listCheck struct {
	validator.List
	wording
}

// ValidateList checks, and words.
func (c listCheck) ValidateList(ctx context.Context, req validator.ListRequest, resp *validator.ListResponse) {
	var own validator.ListResponse
	c.List.ValidateList(ctx, req, &own)
	c.worded(req.Path, req.ConfigValue, &own.Diagnostics, &resp.Diagnostics)
}

type setCheck struct {
	validator.Set
	wording
}

// ValidateSet checks, and words.
func (c setCheck) ValidateSet(ctx context.Context, req validator.SetRequest, resp *validator.SetResponse) {
	var own validator.SetResponse
	c.Set.ValidateSet(ctx, req, &own)
	c.worded(req.Path, req.ConfigValue, &own.Diagnostics, &resp.Diagnostics)
}

type mapCheck struct {
	validator.Map
	wording
}

// ValidateMap checks, and words.
func (c mapCheck) ValidateMap(ctx context.Context, req validator.MapRequest, resp *validator.MapResponse) {
	var own validator.MapResponse
	c.Map.ValidateMap(ctx, req, &own)
	c.worded(req.Path, req.ConfigValue, &own.Diagnostics, &resp.Diagnostics)
}
