// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package jobkind

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// ValidateConfig refuses what a new job would be refused for on any cluster. It
// is asked before the provider is configured, and once more with it: then the
// plan decides by itself, which knows the cluster and what has been applied.
// Warnings are the plan's as well. What a start needs is missed either way.
func (r *Resource[M, P]) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	adopted := r.Kind.needed(ctx, req.Config, &resp.Diagnostics)
	if r.Data != nil || adopted {
		return
	}
	config := P(new(M))
	found := req.Config.Get(ctx, config)
	if found.HasError() {
		resp.Diagnostics.Append(found...)
		return
	}
	found.Append(reveal[M](ctx, req.Config, config)...)
	configured[M](ctx, config)
	found.Append(config.Settle(ctx, nil, nil)...)
	checkConfiguration(types.MapNull(types.StringType), config.Shared().Configuration, anyVersion, &found)
	for _, one := range found {
		if one.Severity() == diag.SeverityError && !said(resp.Diagnostics, one) {
			resp.Diagnostics.Append(one)
		}
	}
}

// said tells whether one of the diagnostics is of the same, in other words.
func said(diagnostics diag.Diagnostics, one diag.Diagnostic) bool {
	return slices.ContainsFunc(diagnostics, func(other diag.Diagnostic) bool { return other.Summary() == one.Summary() })
}

// anyVersion stands for what holds for all versions of Flink.
func anyVersion() string { return "" }
