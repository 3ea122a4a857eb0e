// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package jobkind

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	client "github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/diags"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/values"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// checkKept refuses what the configuration asks for and Flink 1.14 cannot keep,
// where that is new: what has been applied is refused by an apply alone, before
// it stops anything, since an error at plan would also keep the job from being
// destroyed. The cluster is asked for its version only if there is such a thing.
func (p planner) checkKept(ctx context.Context, state, plan *Model, version func() string, diagnostics *diag.Diagnostics) {
	if p.kind.Gateway {
		return
	}
	spec, _ := plan.spec(ctx)
	if p.keepsMaxParallelism {
		spec.MaxParallelism = 0
	}
	if p.keepsBundle {
		spec.Bundle = lifecycle.Bundle{}
	}
	policy, _ := plan.policy(ctx)
	asked := func(version string) []lifecycle.Unkept {
		return slices.DeleteFunc(lifecycle.NotKept(version, spec, policy), func(u lifecycle.Unkept) bool { return !differs(ctx, u.Attribute[0], state, plan) })
	}
	if len(asked("")) == 0 || !client.IsStrict(version()) {
		return
	}
	for _, unkept := range asked(version()) {
		at := path.Root(unkept.Attribute[0])
		for _, step := range unkept.Attribute[1:] {
			at = at.AtName(step)
		}
		diagnostics.Append(diags.AtAttribute(at, unkept.Summary, unkept.Advice))
	}
}

// differs tells whether a top-level attribute that a cluster may not be able to
// keep is another one than before.
func differs(ctx context.Context, attribute string, state, plan *Model) bool {
	switch attribute {
	case "configuration":
		return !values.Same(state.Configuration, plan.Configuration)
	case "max_parallelism":
		return !state.MaxParallelism.Equal(plan.MaxParallelism)
	case "bundle":
		return state.bundle(ctx).SHA256 != plan.bundle(ctx).SHA256
	case "python":
		return !state.Python.Equal(plan.Python)
	}
	before, _ := values.As[upgradeModel](ctx, state.Upgrade)
	after, _ := values.As[upgradeModel](ctx, plan.Upgrade)
	return !before.SavepointFormat.Equal(after.SavepointFormat)
}
