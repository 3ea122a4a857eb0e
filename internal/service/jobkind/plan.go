// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package jobkind

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/base"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/diags"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/values"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// planner decides what a plan says.
type planner struct {
	kind Kind
	data *base.ProviderData
	told
	// keepsMaxParallelism is true where the program is told the maximum itself.
	keepsMaxParallelism bool
	// keepsBundle is true where the program is told of the bundle itself.
	keepsBundle bool
}

// create checks what can be known before a first start.
func (p planner) create(ctx context.Context, plan *Model, diagnostics *diag.Diagnostics) {
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
	checkConfiguration(types.MapNull(types.StringType), plan.Configuration, p.once(ctx), diagnostics)
	warnOfLocalPaths(ctx, emptyModel(), plan, diagnostics)
	plan.setDeployment(types.Int64Unknown(), types.StringValue(text))
	if plan.State.IsUnknown() || plan.AdoptExisting.IsUnknown() || plan.RestoreFrom.IsUnknown() {
		// Terraform plans again when it knows the values, and takes no other text then.
		plan.setDeployment(types.Int64Unknown(), types.StringUnknown())
	}
	if p.data == nil || !p.data.FlinkKnown() {
		return
	}
	client, found := p.data.Flink()
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
	p.checkKept(ctx, emptyModel(), plan, func() string { return cluster.Version }, diagnostics)
	upgrade, _ := values.As[upgradeModel](ctx, plan.Upgrade)
	needsDirectory := upgrade.Mode.ValueString() == lifecycle.ModeSavepoint || plan.OnDestroy.ValueString() == lifecycle.OnDestroySavepoint
	if needsDirectory && upgrade.SavepointDirectory.IsNull() && cluster.SavepointDirectory == "" {
		diagnostics.Append(diags.AtAttribute(path.Root("upgrade").AtName("savepoint_directory"), "There is no directory for savepoints",
			"Neither upgrade.savepoint_directory nor the cluster's execution.checkpointing.savepoint-dir is set, so this job could never be stopped without losing its state. "+
				"Set one of them, or choose both upgrade.mode and on_destroy other than \"savepoint\"."))
	}
	if wanted := max(plan.Parallelism.ValueInt64(), 1); !suspended && cluster.SlotsAvailable < wanted {
		diagnostics.AddAttributeWarning(path.Root("parallelism"), "The cluster has too few free slots now",
			fmt.Sprintf("The job needs at least %d, and %d of %d are free. The apply fails unless more are free by then.", wanted, cluster.SlotsAvailable, cluster.SlotsTotal))
	}
}

// update decides what the change does, and what of the computed values is
// not known before it is done.
func (p planner) update(ctx context.Context, state, plan *Model, private privateJob, own func(*Differences), diagnostics *diag.Diagnostics) {
	p.checkMoved(state, plan, private, diagnostics)
	state.markMoved(plan, private)
	version := p.once(ctx)
	keepSpelling(ctx, state, plan, version)
	checkConfiguration(state.Configuration, plan.Configuration, version, diagnostics)
	p.checkKept(ctx, state, plan, version, diagnostics)
	c := changeOf(ctx, state, plan, private, own)
	if c.parallelismAlone() && !p.kind.Fixed && p.rescalable(ctx, state, plan, diagnostics) {
		c = c.inPlace(state, plan)
	}
	if c.restore && plan.RestoreFrom.IsNull() {
		diagnostics.AddAttributeError(path.Root("restore_trigger"), "There is nothing to restore from",
			"A change of restore_trigger restarts the job from restore_from, which is not set. Set restore_from, or use restart_trigger to restart from the job's own state.")
	}
	p.check(c, diagnostics)
	if private.Imported && !diagnostics.HasError() {
		p.warn(state.JobID.ValueString(), private.Kind, c, diagnostics)
	}
	warnOfLoss(ctx, state, plan, c, diagnostics)
	warnOfLocalPaths(ctx, state, plan, diagnostics)
	if c.action == actionStart {
		p.warnOfDeath(ctx, state, plan, c, private, diagnostics)
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
		plan.Cluster = p.endpoint()
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
func (p planner) rescalable(ctx context.Context, state, plan *Model, diagnostics *diag.Diagnostics) bool {
	if p.data == nil || !p.data.FlinkKnown() || state.JobID.IsNull() {
		return false
	}
	engine, found := Engine(p.data, diagnostics)
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
		p.warnOfSlots(ctx, engine, state, plan, diagnostics)
	}
	return inPlace
}

// warnOfSlots tells when a rescale is not going to get what it asks for.
func (p planner) warnOfSlots(ctx context.Context, engine *lifecycle.Engine, state, plan *Model, diagnostics *diag.Diagnostics) {
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
func (p planner) endpoint() types.String {
	if p.data == nil || !p.data.FlinkKnown() {
		return types.StringUnknown()
	}
	client, diagnostics := p.data.Flink()
	if diagnostics.HasError() {
		return types.StringUnknown()
	}
	return types.StringValue(client.Endpoint())
}

// checkMoved refuses to start a job on another cluster because it is unknown there.
func (p planner) checkMoved(state, plan *Model, private privateJob, diagnostics *diag.Diagnostics) {
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
func (m *Model) markMoved(plan *Model, private privateJob) {
	if private.Moved && plan.ClusterMoved.ValueBool() && m.State.ValueString() == string(lifecycle.StateRunning) {
		m.State = types.StringValue(string(lifecycle.StateLost))
	}
}

// keepSpelling takes the state's spelling where the plan means the same. A
// collection that is null or empty now and was the other before is left as it
// is configured, since Terraform allows nothing else; it restarts nothing.
func keepSpelling(ctx context.Context, state, plan *Model, version func() string) {
	if sameConfiguration(state.Configuration, plan.Configuration, version) && !state.Configuration.IsNull() && !plan.Configuration.IsNull() {
		plan.Configuration = state.Configuration
	}
	keepBundleID(ctx, state, plan)
	if samePython(ctx, state.Python, plan.Python) && !state.Python.IsNull() && !plan.Python.IsNull() {
		plan.Python = state.Python
	}
	if sameTimeouts(ctx, state.Timeouts, plan.Timeouts) {
		plan.Timeouts = state.Timeouts
	}
}

// computedFrom restores every computed value of the state.
func (m *Model) computedFrom(state *Model) {
	m.ID, m.JobID, m.JobName, m.Status = state.ID, state.JobID, state.JobName, state.Status
	m.Cluster, m.WebURL, m.SavepointPath = state.Cluster, state.WebURL, state.SavepointPath
	m.LastCheckpointPath, m.RestoredFrom, m.StartedAt = state.LastCheckpointPath, state.RestoredFrom, state.StartedAt
	m.Deployment = state.Deployment
}
