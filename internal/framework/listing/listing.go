// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package listing has what list resources share, by which terraform query finds
// what could be imported.
package listing

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
)

// Found is one thing that could be imported.
type Found struct {
	// Name is what people read.
	Name string
	// Identity is what it is imported by.
	Identity any
	// Fill sets what can be read of it, called only where Terraform wants it.
	Fill func(context.Context, *tfsdk.Resource) diag.Diagnostics
	// Warning is what to know before an import of it, nil for nothing.
	Warning diag.Diagnostic
}

// Stream hands on what was found, and no more of it than Terraform asks for.
func Stream(ctx context.Context, req list.ListRequest, resp *list.ListResultsStream, found []Found) {
	resp.Results = func(push func(list.ListResult) bool) {
		for i, one := range found {
			if req.Limit > 0 && int64(i) >= req.Limit {
				return
			}
			if !push(one.result(ctx, req)) {
				return
			}
		}
	}
}

func (f Found) result(ctx context.Context, req list.ListRequest) list.ListResult {
	result := req.NewListResult(ctx)
	result.DisplayName = f.Name
	result.Diagnostics.Append(result.Identity.Set(ctx, f.Identity)...)
	if f.Warning != nil {
		result.Diagnostics.Append(f.Warning)
	}
	if req.IncludeResource {
		result.Diagnostics.Append(f.Fill(ctx, result.Resource)...)
	}
	return result
}

// Fail ends a list that cannot be made.
func Fail(resp *list.ListResultsStream, diagnostics diag.Diagnostics) {
	resp.Results = list.ListResultsStreamDiagnostics(diagnostics)
}
