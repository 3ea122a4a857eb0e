// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	client "github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/diags"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/values"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// importedKey is set in private state until the configuration of an imported
// savepoint was taken over.
const importedKey = "imported"

const (
	noJob       = "There is no job to take a savepoint of"
	noJobDetail = "job_id is not set. What an imported savepoint was taken of cannot be read from it: job_id, trigger, directory and format_type are not known, and it stays as it is. Any other savepoint needs job_id."
)

// ValidateConfig warns of a savepoint without a job: what was imported can be one.
func (r *savepointResource) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	var config savepointModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if config.JobID.IsNull() {
		resp.Diagnostics.AddAttributeWarning(path.Root("job_id"), noJob, noJobDetail)
	}
}

// ModifyPlan tells what takes a new savepoint from what does not touch it.
func (r *savepointResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() {
		return
	}
	var plan savepointModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if req.State.Raw.IsNull() {
		if plan.JobID.IsNull() {
			resp.Diagnostics.AddAttributeError(path.Root("job_id"), noJob, noJobDetail)
			return
		}
		r.checkCreate(ctx, &plan, &resp.Diagnostics)
		return
	}
	var state savepointModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	imported, diagnostics := req.Private.GetKey(ctx, importedKey)
	resp.Diagnostics.Append(diagnostics...)
	if resp.Diagnostics.HasError() {
		return
	}
	takeOver := string(imported) == "true"
	for name, values := range map[string][2]types.String{
		"trigger": {state.Trigger, plan.Trigger}, "directory": {state.Directory, plan.Directory}, "format_type": {state.FormatType, plan.FormatType},
	} {
		if !values[0].Equal(values[1]) && !(takeOver && values[0].IsNull()) {
			resp.RequiresReplace = append(resp.RequiresReplace, path.Root(name))
		}
	}
	if len(resp.RequiresReplace) > 0 {
		if plan.JobID.IsNull() {
			resp.Diagnostics.AddAttributeError(path.Root("job_id"), noJob, noJobDetail)
		}
		return
	}
	if takeOver {
		resp.Diagnostics.AddWarning("The configuration is taken over",
			"Flink cannot tell what the savepoint "+state.Path.ValueString()+" was taken of: these attributes cannot be read: job_id, trigger, directory, format_type. "+
				"This apply takes what is configured, and takes no savepoint; from then on a change of trigger takes one.")
	}
	if !state.JobID.IsNull() {
		// The job goes on under another id after each restart.
		plan.JobID = state.JobID
	}
	if sameSavepointTimeouts(ctx, state.Timeouts, plan.Timeouts) {
		plan.Timeouts = state.Timeouts
	}
	plan.ID, plan.Path, plan.CreatedAt, plan.Cluster = state.ID, state.Path, state.CreatedAt, state.Cluster
	resp.Diagnostics.Append(resp.Plan.Set(ctx, &plan)...)
}

func sameSavepointTimeouts(ctx context.Context, a, b types.Object) bool {
	if a.IsUnknown() || b.IsUnknown() || a.IsNull() || b.IsNull() {
		return false
	}
	before, _ := values.As[savepointTimeoutsModel](ctx, a)
	after, _ := values.As[savepointTimeoutsModel](ctx, b)
	return before.Create.Same(after.Create) && before.Delete.Same(after.Delete)
}

// checkCreate says before the apply what would stop it.
func (r *savepointResource) checkCreate(ctx context.Context, plan *savepointModel, diagnostics *diag.Diagnostics) {
	if !r.Data.FlinkKnown() {
		return
	}
	flink, found := r.Data.Flink()
	diagnostics.Append(found...)
	if diagnostics.HasError() {
		return
	}
	if plan.Directory.IsNull() {
		cluster, err := flink.Cluster(ctx)
		if err != nil {
			// The cluster may be made in this apply, so that this is no error yet.
			diagnostics.AddWarning("The Flink cluster cannot be asked at plan", "Whether it has a savepoint directory is not known: "+err.Error()+". The apply needs it.")
			return
		}
		if cluster.SavepointDirectory == "" {
			diagnostics.AddAttributeError(path.Root("directory"), "There is no directory for the savepoint",
				"Neither directory nor the cluster's execution.checkpointing.savepoint-dir is set. Set one of them.")
			return
		}
	}
	if format := client.SavepointFormat(plan.FormatType.ValueString()); format != "" && format != client.Canonical {
		if strict, err := flink.Strict(ctx); err == nil && strict {
			diagnostics.AddAttributeError(path.Root("format_type"), "This Flink has no other savepoint format than CANONICAL", lifecycle.AdviceFormat)
		}
	}
	if plan.JobID.IsUnknown() {
		return
	}
	job, err := flink.Summary(ctx, plan.JobID.ValueString())
	switch {
	case err != nil:
	case job == nil:
		diagnostics.AddAttributeWarning(path.Root("job_id"), "Flink knows no job "+plan.JobID.ValueString(),
			"The apply fails unless it runs by then. An ended job is known for an hour, and after a restart of the JobManager none is.")
	case !job.AllUp():
		diagnostics.AddAttributeWarning(path.Root("job_id"), fmt.Sprintf("Job %s is %s and may take no savepoint", plan.JobID.ValueString(), job.State),
			"A savepoint needs a job whose parts all run. The apply fails unless they do by then.")
	}
}

// savepointPaths are the attributes that a problem is about.
var savepointPaths = map[lifecycle.Problem]path.Path{
	lifecycle.ProblemJob:                path.Root("job_id"),
	lifecycle.ProblemSavepointDirectory: path.Root("directory"),
	lifecycle.ProblemRestore:            path.Root("dispose_on_destroy"),
	lifecycle.ProblemFormat:             path.Root("format_type"),
}

// savepointError words a failure.
func savepointError(what string, err error) diag.Diagnostic {
	summary := "Cannot " + what
	var problem *lifecycle.Error
	if !errors.As(err, &problem) {
		return diags.Error(summary, err)
	}
	detail := diags.Sentence(problem.Error())
	if problem.Advice != "" {
		detail += "\n\n" + problem.Advice
	}
	if attribute, ok := savepointPaths[problem.Problem]; ok {
		return diag.NewAttributeErrorDiagnostic(attribute, summary, detail)
	}
	return diag.NewErrorDiagnostic(summary, detail)
}
