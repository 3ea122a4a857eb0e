// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// ModifyPlan says what an apply will do, and leaves alone what it will not
// touch: Terraform itself marks every computed value as unknown as soon as one
// attribute differs, and compares values as they are spelled.
func (r *jobResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() {
		return
	}
	var plan, config jobModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(planJar(ctx, &config, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if req.State.Raw.IsNull() {
		r.planCreate(ctx, &plan, &resp.Diagnostics)
		resp.Diagnostics.Append(resp.Plan.Set(ctx, &plan)...)
		return
	}
	var state jobModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	private, diagnostics := readPrivate(ctx, req.Private)
	resp.Diagnostics.Append(diagnostics...)
	if resp.Diagnostics.HasError() {
		return
	}
	r.planUpdate(ctx, &state, &plan, private, &resp.Diagnostics)
	resp.Diagnostics.Append(resp.Plan.Set(ctx, &plan)...)
}

// planJar hashes a source file, so that a plan shows a change of its content:
// Terraform proposes the hash of the state where nothing else has changed. The
// file may be made in the same apply: then the hash is not known yet.
func planJar(ctx context.Context, config, plan *jobModel) diag.Diagnostics {
	if plan.Jar.IsNull() || plan.Jar.IsUnknown() || config.Jar.IsUnknown() {
		return nil
	}
	jar, diagnostics := as[jarModel](ctx, plan.Jar)
	given, givenDiagnostics := as[jarModel](ctx, config.Jar)
	diagnostics.Append(givenDiagnostics...)
	if diagnostics.HasError() || !given.SHA256.IsNull() {
		return diagnostics
	}
	switch {
	case jar.Source.IsUnknown() || jar.ID.IsUnknown() || !jar.URL.IsNull():
		return diagnostics
	case jar.Source.IsNull() || !jar.ID.IsNull():
		jar.SHA256 = types.StringNull()
	default:
		file, err := lifecycle.ReadJarFile(jar.Source.ValueString())
		jar.SHA256 = types.StringValue(file.SHA256)
		if err != nil {
			diagnostics.Append(missingFile(path.Root("jar").AtName("source"), jar.Source.ValueString(), err))
			jar.SHA256 = types.StringUnknown()
		}
	}
	plan.Jar = jar.object()
	return diagnostics
}

// missingFile is a warning: at plan a file may be about to be made.
func missingFile(at path.Path, file string, err error) diag.Diagnostic {
	reason := err.Error()
	if errors.Is(err, fs.ErrNotExist) {
		reason = "there is no such file"
	}
	return diag.NewAttributeWarningDiagnostic(at, "The jar file cannot be read yet",
		fmt.Sprintf("%s: %s. If it is made during this apply, all is well, and its content is known then; otherwise the apply fails before anything is sent. "+
			"Relative paths begin at the directory that Terraform runs in; \"${path.module}/app.jar\" is a path beside the configuration.", file, reason))
}

// planCreate checks what can be known before a first start.
func (r *jobResource) planCreate(ctx context.Context, plan *jobModel, diagnostics *diag.Diagnostics) {
	suspended := plan.State.ValueString() == string(lifecycle.StateSuspended)
	text := "start"
	switch {
	case suspended:
		text = "none: created suspended, to be started later"
	case plan.AdoptExisting.ValueBool():
		text = "take over the running job of this name, else start"
	case !plan.RestoreFrom.IsNull():
		text = "start from restore_from"
	}
	checkConfiguration(types.MapNull(types.StringType), plan.Configuration, r.once(ctx), diagnostics)
	warnOfLocalPaths(ctx, emptyJob(), plan, diagnostics)
	plan.setDeployment(types.Int64Unknown(), types.StringValue(text))
	if plan.State.IsUnknown() || plan.AdoptExisting.IsUnknown() || plan.RestoreFrom.IsUnknown() {
		// Terraform plans again when it knows the values, and takes no other text then.
		plan.setDeployment(types.Int64Unknown(), types.StringUnknown())
	}
	if r.Data == nil || !r.Data.FlinkKnown() {
		return
	}
	client, found := r.Data.Flink()
	diagnostics.Append(found...)
	if diagnostics.HasError() {
		return
	}
	cluster, err := client.Cluster(ctx)
	if err != nil {
		// The cluster may be made in this apply, so that this is no error yet.
		diagnostics.AddWarning("The Flink cluster cannot be asked at plan",
			"Whether it has a savepoint directory and free slots is not known: "+err.Error()+". The apply needs it.")
		return
	}
	upgrade, _ := as[upgradeModel](ctx, plan.Upgrade)
	needsDirectory := upgrade.Mode.ValueString() == lifecycle.ModeSavepoint || plan.OnDestroy.ValueString() == lifecycle.OnDestroySavepoint
	if needsDirectory && upgrade.SavepointDirectory.IsNull() && cluster.SavepointDirectory == "" {
		diagnostics.AddAttributeError(path.Root("upgrade").AtName("savepoint_directory"), "There is no directory for savepoints",
			"Neither upgrade.savepoint_directory nor the cluster's execution.checkpointing.savepoint-dir is set, so this job could never be stopped without losing its state. "+
				"Set one of them, or choose both upgrade.mode and on_destroy other than \"savepoint\".")
	}
	if wanted := max(plan.Parallelism.ValueInt64(), 1); !suspended && cluster.SlotsAvailable < wanted {
		diagnostics.AddAttributeWarning(path.Root("parallelism"), "The cluster has too few free slots now",
			fmt.Sprintf("The job needs at least %d, and %d of %d are free. The apply fails unless more are free by then.", wanted, cluster.SlotsAvailable, cluster.SlotsTotal))
	}
}

// planUpdate decides what the change does, and what of the computed values is
// not known before it is done.
func (r *jobResource) planUpdate(ctx context.Context, state, plan *jobModel, private privateJob, diagnostics *diag.Diagnostics) {
	r.checkMoved(state, plan, private, diagnostics)
	state.markMoved(plan, private)
	version := r.once(ctx)
	keepSpelling(ctx, state, plan, version)
	checkConfiguration(state.Configuration, plan.Configuration, version, diagnostics)
	c := changeOf(ctx, state, plan, private)
	if c.parallelismAlone() && r.rescalable(ctx, state, plan, diagnostics) {
		c = c.inPlace(state, plan)
	}
	if c.restore && plan.RestoreFrom.IsNull() {
		diagnostics.AddAttributeError(path.Root("restore_trigger"), "There is nothing to restore from",
			"A change of restore_trigger restarts the job from restore_from, which is not set. Set restore_from, or use restart_trigger to restart from the job's own state.")
	}
	if private.Imported && !diagnostics.HasError() {
		diagnostics.AddWarning("The configuration is taken over",
			"Flink cannot tell what job "+state.JobID.ValueString()+" was started with. This apply takes what is configured for it, without a restart; from then on a change restarts it.")
	}
	warnOfLoss(ctx, state, plan, c, diagnostics)
	warnOfLocalPaths(ctx, state, plan, diagnostics)
	if c.action == actionStart {
		warnOfDeath(ctx, state, plan, c, private, diagnostics)
	}
	plan.computedFrom(state)
	switch c.action {
	case actionNone:
		// What was found cannot be otherwise and is wanted so: not a diff.
		if !plan.State.IsUnknown() {
			plan.State = state.State
		}
		return
	case actionStop:
		plan.Status, plan.WebURL = types.StringUnknown(), types.StringUnknown()
		plan.SavepointPath, plan.LastCheckpointPath = types.StringUnknown(), types.StringUnknown()
		plan.setDeployment(types.Int64Value(state.record(ctx, private).Generation), types.StringValue(c.text))
	case actionRescale:
		plan.Status, plan.LastCheckpointPath = types.StringUnknown(), types.StringUnknown()
		plan.setDeployment(types.Int64Value(state.record(ctx, private).Generation), types.StringValue(c.text))
	case actionStart, actionRestart:
		plan.JobID, plan.JobName, plan.Status, plan.WebURL = types.StringUnknown(), types.StringUnknown(), types.StringUnknown(), types.StringUnknown()
		plan.SavepointPath, plan.LastCheckpointPath = types.StringUnknown(), types.StringUnknown()
		plan.RestoredFrom, plan.StartedAt = types.StringUnknown(), types.StringUnknown()
		plan.Cluster = r.endpoint()
		plan.setDeployment(types.Int64Unknown(), types.StringValue(c.text))
		if c.unknown {
			// Terraform plans again when it knows the values, and takes no other text then.
			plan.setDeployment(types.Int64Unknown(), types.StringUnknown())
		}
	}
	if c.action == actionStop && lifecycle.State(state.State.ValueString()) == lifecycle.StateInterrupted {
		plan.JobID, plan.JobName, plan.RestoredFrom, plan.StartedAt = types.StringUnknown(), types.StringUnknown(), types.StringUnknown(), types.StringUnknown()
		plan.setDeployment(types.Int64Unknown(), types.StringValue(c.text))
	}
}

// rescalable asks whether the job can keep running while its parallelism
// changes. Where that is not known, the plan is a restart, which always works.
func (r *jobResource) rescalable(ctx context.Context, state, plan *jobModel, diagnostics *diag.Diagnostics) bool {
	if r.Data == nil || !r.Data.FlinkKnown() || state.JobID.IsNull() {
		return false
	}
	engine, found := r.engine(ctx, diagnostics)
	if found.HasError() {
		return false
	}
	inPlace, err := engine.Rescalable(ctx, state.JobID.ValueString())
	if err != nil {
		diagnostics.AddAttributeWarning(path.Root("parallelism"), "Whether the job can be rescaled in place is not known",
			"Its scheduler cannot be asked: "+lifecycle.Reason(err)+". The job is restarted with its state instead.")
		return false
	}
	if inPlace {
		r.warnOfSlots(ctx, engine, state, plan, diagnostics)
	}
	return inPlace
}

// warnOfSlots tells when a rescale is not going to get what it asks for.
func (r *jobResource) warnOfSlots(ctx context.Context, engine *lifecycle.Engine, state, plan *jobModel, diagnostics *diag.Diagnostics) {
	more := max(plan.Parallelism.ValueInt64(), 1) - max(state.Parallelism.ValueInt64(), 1)
	if more <= 0 {
		return
	}
	// The cluster may have others by the time of the apply, so that no answer is no matter.
	if free, err := engine.Client.FreeSlots(ctx); err == nil && free < more {
		diagnostics.AddAttributeWarning(path.Root("parallelism"), "The cluster has too few free slots now",
			fmt.Sprintf("The job is to have %d more, and %d are free. It takes what there is, and grows when more become free.", more, free))
	}
}

// endpoint is what cluster will be after an apply.
func (r *jobResource) endpoint() types.String {
	if r.Data == nil || !r.Data.FlinkKnown() {
		return types.StringUnknown()
	}
	client, diagnostics := r.Data.Flink()
	if diagnostics.HasError() {
		return types.StringUnknown()
	}
	return types.StringValue(client.Endpoint())
}

// checkMoved refuses to start a job on another cluster because it is unknown there.
func (r *jobResource) checkMoved(state, plan *jobModel, private privateJob, diagnostics *diag.Diagnostics) {
	if !private.Moved || plan.ClusterMoved.ValueBool() || plan.ClusterMoved.IsUnknown() {
		return
	}
	diagnostics.AddAttributeError(path.Root("cluster_moved"), "The endpoint leads to another cluster",
		fmt.Sprintf("Job %s was last applied to %s, and the cluster that the provider configuration names now does not know it. "+
			"If the job still runs there, a start here would run it twice. Correct the endpoint; or, when the job has really moved, set cluster_moved = true for one apply: "+
			"it is then started here from its last savepoint.", state.JobID.ValueString(), state.Cluster.ValueString()))
}

// markMoved counts a job as lost that another cluster does not know, once the
// user has said that it moved.
func (m *jobModel) markMoved(plan *jobModel, private privateJob) {
	if private.Moved && plan.ClusterMoved.ValueBool() && m.State.ValueString() == string(lifecycle.StateRunning) {
		m.State = types.StringValue(string(lifecycle.StateLost))
	}
}

// keepSpelling takes the state's spelling where the plan means the same. A
// collection that is null or empty now and was the other before is left as it
// is configured, since Terraform allows nothing else; it restarts nothing.
func keepSpelling(ctx context.Context, state, plan *jobModel, version func() string) {
	if sameConfiguration(state.Configuration, plan.Configuration, version) && !state.Configuration.IsNull() && !plan.Configuration.IsNull() {
		plan.Configuration = state.Configuration
	}
	if sameTimeouts(ctx, state.Timeouts, plan.Timeouts) {
		plan.Timeouts = state.Timeouts
	}
}

// computedFrom restores every computed value of the state.
func (m *jobModel) computedFrom(state *jobModel) {
	m.ID, m.JobID, m.JobName, m.Status = state.ID, state.JobID, state.JobName, state.Status
	m.Cluster, m.WebURL, m.SavepointPath = state.Cluster, state.WebURL, state.SavepointPath
	m.LastCheckpointPath, m.RestoredFrom, m.StartedAt = state.LastCheckpointPath, state.RestoredFrom, state.StartedAt
	m.Deployment = state.Deployment
}
