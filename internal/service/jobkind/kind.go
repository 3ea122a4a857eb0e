// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package jobkind has what the resources of all kinds of job share: attributes,
// what a plan says, and how an apply reaches the lifecycle. A kind adds what
// its program is.
package jobkind

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/base"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// Kind is a kind of job.
type Kind struct {
	// Type is the resource type.
	Type string
	// Schema has Attributes and the kind's own.
	Schema func() schema.Schema
	// Needs are what a job cannot be started without.
	Needs []Need
	// Beside are attributes of the kind's own that no job is started with.
	Beside []string
	// Paths are the attributes that a problem with the program is about.
	Paths map[lifecycle.Problem]path.Path
	// Fixed is true for a kind whose program cannot tell its graph before it
	// runs, so that its parallelism needs a restart.
	Fixed bool
	// Hint says more of a failure than the lifecycle knows, by the trace of the
	// engine; empty for nothing, nil for a kind that never does.
	Hint func(trace string) string
	// Gateway is true for a kind whose jobs the SQL gateway submits.
	Gateway bool
}

// Own is a pointer to the model of a kind: a struct that embeds Model and has
// the kind's own attributes.
type Own[M any] interface {
	*M
	// Shared is there when Model is embedded.
	Shared() *Model
	// Clear makes the kind's own collections null, as nothing is known.
	Clear()
	// Complete sets at plan what can be known of the program, such as the hash of
	// a file.
	Complete(ctx context.Context, config *M) diag.Diagnostics
	// Settle keeps the state's spelling of what means the same, and checks what is
	// new; before is nil for a job to be created.
	Settle(ctx context.Context, before *M, data *base.ProviderData) diag.Diagnostics
	// Differences finds those between the kind's own attributes in state and plan.
	Differences(ctx context.Context, before *M, d *Differences)
	// Program is what runs.
	Program(ctx context.Context, data *base.ProviderData) (lifecycle.Program, diag.Diagnostics)
	// AfterStart sets what was not known at plan.
	AfterStart(ctx context.Context, program lifecycle.Program)
	// Upload is what the job runs from.
	Upload(ctx context.Context) Upload
}

// Revealer is a model with write-only attributes: their values are in the
// configuration alone, never in a plan or a state.
type Revealer[M any] interface {
	// Reveal keeps them outside of the attributes, for Complete, Settle and
	// Program. The model of a state gets those of today too: what it runs with is
	// known nowhere else, and a rollback needs them.
	Reveal(ctx context.Context, config *M) diag.Diagnostics
}

// reveal gives the models what is write-only.
func reveal[M any, P Own[M]](ctx context.Context, from tfsdk.Config, models ...P) diag.Diagnostics {
	if _, ok := any(models[0]).(Revealer[M]); !ok {
		return nil
	}
	config := P(new(M))
	diagnostics := from.Get(ctx, config)
	for _, model := range models {
		if revealer, ok := any(model).(Revealer[M]); ok && !diagnostics.HasError() {
			diagnostics.Append(revealer.Reveal(ctx, config)...)
		}
	}
	return diagnostics
}

// Upload is a file on the JobManager.
type Upload struct {
	// SHA256 is the hash of its content, empty where there is no file.
	SHA256 string
	// OfJob is true when the job's own resource uploads it.
	OfJob bool
}

// New returns the resource of a kind.
func New[M any, P Own[M]](kind Kind) resource.Resource { return &Resource[M, P]{Kind: kind} }

// ownDifferences are those of the kind's own attributes.
func ownDifferences[M any, P Own[M]](ctx context.Context, before, next P) func(*Differences) {
	return func(d *Differences) { next.Differences(ctx, before, d) }
}

// ModifyPlan says what an apply will do, and leaves alone what it will not
// touch: Terraform itself marks every computed value as unknown as soon as one
// attribute differs, and compares values as they are spelled.
func (r *Resource[M, P]) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() {
		return
	}
	plan, config := P(new(M)), P(new(M))
	resp.Diagnostics.Append(req.Plan.Get(ctx, plan)...)
	resp.Diagnostics.Append(req.Config.Get(ctx, config)...)
	resp.Diagnostics.Append(reveal[M](ctx, req.Config, plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(plan.Complete(ctx, config)...)
	if resp.Diagnostics.HasError() {
		return
	}
	p := planner{kind: r.Kind, data: r.Data}
	p.missing = r.Kind.missing(ctx, req.Plan)
	_, p.keepsMaxParallelism = any(plan).(MaxParallelismKeeper)
	_, p.keepsBundle = any(plan).(BundleKeeper)
	configured[M](ctx, plan)
	if req.State.Raw.IsNull() {
		p.needAll(&resp.Diagnostics)
		if resp.Diagnostics.HasError() {
			return
		}
		resp.Diagnostics.Append(plan.Settle(ctx, nil, r.Data)...)
		p.create(ctx, plan.Shared(), &resp.Diagnostics)
		resp.Diagnostics.Append(resp.Plan.Set(ctx, plan)...)
		return
	}
	state := P(new(M))
	resp.Diagnostics.Append(req.State.Get(ctx, state)...)
	private, diagnostics := readPrivate(ctx, req.Private)
	resp.Diagnostics.Append(diagnostics...)
	if resp.Diagnostics.HasError() {
		return
	}
	configured[M](ctx, state)
	p.untold = r.Kind.untold(ctx, req.State)
	if len(p.missing) == 0 {
		resp.Diagnostics.Append(plan.Settle(ctx, state, r.Data)...)
	}
	p.update(ctx, state.Shared(), plan.Shared(), private, ownDifferences(ctx, state, plan), &resp.Diagnostics)
	resp.Diagnostics.Append(resp.Plan.Set(ctx, plan)...)
	if len(p.missing) > 0 {
		resp.Diagnostics.Append(r.Kind.keepComputed(ctx, req.State, &resp.Plan)...)
	}
}
