// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package jobkind

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	client "github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/customtypes"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/values"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// Model is what the jobs of all kinds have in a configuration, a plan or a
// state. The model of a kind embeds it.
type Model struct {
	Name           types.String `tfsdk:"name"`
	Parallelism    types.Int64  `tfsdk:"parallelism"`
	MaxParallelism types.Int64  `tfsdk:"max_parallelism"`
	Configuration  types.Map    `tfsdk:"configuration"`
	State          types.String `tfsdk:"state"`
	RestartTrigger types.String `tfsdk:"restart_trigger"`
	RestoreFrom    types.String `tfsdk:"restore_from"`
	RestoreTrigger types.String `tfsdk:"restore_trigger"`
	Bundle         types.Object `tfsdk:"bundle"`
	Python         types.Object `tfsdk:"python"`
	Upgrade        types.Object `tfsdk:"upgrade"`
	OnDestroy      types.String `tfsdk:"on_destroy"`
	OnFinished     types.String `tfsdk:"on_finished"`
	AdoptExisting  types.Bool   `tfsdk:"adopt_existing"`
	ClusterMoved   types.Bool   `tfsdk:"cluster_moved"`
	Timeouts       types.Object `tfsdk:"timeouts"`

	ID                 types.String `tfsdk:"id"`
	JobID              types.String `tfsdk:"job_id"`
	JobName            types.String `tfsdk:"job_name"`
	Status             types.String `tfsdk:"status"`
	Cluster            types.String `tfsdk:"cluster"`
	WebURL             types.String `tfsdk:"web_url"`
	SavepointPath      types.String `tfsdk:"savepoint_path"`
	LastCheckpointPath types.String `tfsdk:"last_checkpoint_path"`
	RestoredFrom       types.String `tfsdk:"restored_from"`
	StartedAt          types.String `tfsdk:"started_at"`
	Deployment         types.Object `tfsdk:"deployment"`

	// beside are options that the program sets: see Configured.
	beside map[string]string
}

type upgradeModel struct {
	Mode                  types.String `tfsdk:"mode"`
	SavepointDirectory    types.String `tfsdk:"savepoint_directory"`
	KeepSavepoints        types.Int64  `tfsdk:"keep_savepoints"`
	SavepointFormat       types.String `tfsdk:"savepoint_format"`
	Drain                 types.Bool   `tfsdk:"drain"`
	AllowNonRestoredState types.Bool   `tfsdk:"allow_non_restored_state"`
	RollbackOnFailure     types.Bool   `tfsdk:"rollback_on_failure"`
}

type timeoutsModel struct {
	Create customtypes.Duration `tfsdk:"create"`
	Update customtypes.Duration `tfsdk:"update"`
	Delete customtypes.Duration `tfsdk:"delete"`
}

type deploymentModel struct {
	Generation types.Int64  `tfsdk:"generation"`
	Change     types.String `tfsdk:"change"`
}

// Shared is the part of a kind's model that all kinds share.
func (m *Model) Shared() *Model { return m }

// spec is what the job is to be, but for its program.
func (m *Model) spec(ctx context.Context) (lifecycle.Spec, diag.Diagnostics) {
	var diagnostics diag.Diagnostics
	spec := lifecycle.Spec{
		Name:        m.Name.ValueString(),
		Parallelism: m.Parallelism.ValueInt64(), MaxParallelism: m.MaxParallelism.ValueInt64(),
		Configuration: map[string]string{}, Bundle: m.bundle(ctx),
	}
	python, found := pythonOptions(ctx, m.Python)
	diagnostics.Append(found...)
	spec.Python = python
	if !m.Configuration.IsNull() && !m.Configuration.IsUnknown() {
		diagnostics.Append(m.Configuration.ElementsAs(ctx, &spec.Configuration, false)...)
	}
	for key, value := range m.beside {
		if _, set := spec.Configuration[key]; !set {
			spec.Configuration[key] = value
		}
	}
	return spec, diagnostics
}

func (m *Model) policy(ctx context.Context) (lifecycle.Policy, diag.Diagnostics) {
	upgrade, diagnostics := values.As[upgradeModel](ctx, m.Upgrade)
	policy := lifecycle.Policy{
		Mode:               upgrade.Mode.ValueString(),
		SavepointDirectory: upgrade.SavepointDirectory.ValueString(),
		KeepSavepoints:     upgrade.KeepSavepoints.ValueInt64Pointer(),
		Format:             client.SavepointFormat(upgrade.SavepointFormat.ValueString()),
		Drain:              upgrade.Drain.ValueBool(),
		AllowNonRestored:   upgrade.AllowNonRestoredState.ValueBool(),
		Rollback:           upgrade.RollbackOnFailure.ValueBool(),
		Adopt:              m.AdoptExisting.ValueBool(),
	}
	if policy.Mode == "" {
		// A state after import has no upgrade object yet.
		policy.Mode, policy.Rollback = lifecycle.ModeSavepoint, true
	}
	return policy, diagnostics
}

// record is what the lifecycle needs to know of an earlier call.
func (m *Model) record(ctx context.Context, private privateJob) lifecycle.Record {
	deployment, _ := values.As[deploymentModel](ctx, m.Deployment)
	upgrade, _ := values.As[upgradeModel](ctx, m.Upgrade)
	started, _ := time.Parse(time.RFC3339Nano, m.StartedAt.ValueString())
	return lifecycle.Record{
		UID: m.ID.ValueString(), Generation: deployment.Generation.ValueInt64(), JobID: m.JobID.ValueString(),
		JobName: m.JobName.ValueString(), State: lifecycle.State(m.State.ValueString()), Status: m.Status.ValueString(),
		SavepointPath: m.SavepointPath.ValueString(), LastCheckpoint: m.LastCheckpointPath.ValueString(),
		RestoredFrom: m.RestoredFrom.ValueString(), StartedAt: started,
		Bounded: private.Bounded, Savepoints: private.Savepoints, LastCheckpointAt: private.CheckpointAt,
		Asked: private.Asked, Origin: private.Origin, Failure: private.Failure,
		SavepointDirectory:    upgrade.SavepointDirectory.ValueString(),
		CheckpointDirectories: lifecycle.CheckpointDirectories(m.known()),
	}
}

// setRecord writes what the lifecycle reached.
func (m *Model) setRecord(rec lifecycle.Record, endpoint, change string) {
	m.ID = types.StringValue(rec.UID)
	m.JobID = values.Text(rec.JobID)
	m.JobName = values.Text(rec.JobName)
	m.State = types.StringValue(string(rec.State))
	m.Status = values.Text(rec.Status)
	m.Cluster = types.StringValue(endpoint)
	m.WebURL = values.Text(WebURL(endpoint, rec))
	m.SavepointPath = values.Text(rec.SavepointPath)
	m.LastCheckpointPath = values.Text(rec.LastCheckpoint)
	m.RestoredFrom = values.Text(rec.RestoredFrom)
	m.StartedAt = types.StringNull()
	if !rec.StartedAt.IsZero() {
		m.StartedAt = types.StringValue(rec.StartedAt.UTC().Format(time.RFC3339Nano))
	}
	m.setDeployment(types.Int64Value(rec.Generation), types.StringValue(change))
}

func (m *Model) setDeployment(generation types.Int64, change types.String) {
	m.Deployment = types.ObjectValueMust(deploymentTypes, map[string]attr.Value{"generation": generation, "change": change})
}

// change is the text of the last plan that started or stopped something.
func (m *Model) change(ctx context.Context) string {
	deployment, _ := values.As[deploymentModel](ctx, m.Deployment)
	return deployment.Change.ValueString()
}

// WebURL is the page of a job in the web UI of the cluster, empty without a job.
func WebURL(endpoint string, rec lifecycle.Record) string {
	if rec.JobID == "" {
		return ""
	}
	part := "running"
	if client.JobState(rec.Status).Terminal() {
		part = "completed"
	}
	return endpoint + "/#/job/" + part + "/" + rec.JobID + "/overview"
}

// limit is the time limit of one operation.
func (m *Model) limit(ctx context.Context, of func(timeoutsModel) customtypes.Duration, fallback time.Duration) time.Duration {
	timeouts, _ := values.As[timeoutsModel](ctx, m.Timeouts)
	if d, ok := of(timeouts).Get(); ok && d > 0 {
		return d
	}
	return fallback
}
