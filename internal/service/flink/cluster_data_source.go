// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/base"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/diags"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/values"
)

// ClusterType is the data source type of a cluster.
const ClusterType = "streaming_flink_cluster"

var _ datasource.DataSourceWithConfigure = (*clusterDataSource)(nil)

type clusterDataSource struct {
	base.DataSource
}

// NewClusterDataSource returns the data source of a cluster.
func NewClusterDataSource() datasource.DataSource { return &clusterDataSource{} }

type clusterModel struct {
	ID                  types.String `tfsdk:"id"`
	Version             types.String `tfsdk:"version"`
	Revision            types.String `tfsdk:"revision"`
	TaskManagers        types.Int64  `tfsdk:"task_managers"`
	SlotsTotal          types.Int64  `tfsdk:"slots_total"`
	SlotsAvailable      types.Int64  `tfsdk:"slots_available"`
	JobsRunning         types.Int64  `tfsdk:"jobs_running"`
	JobsFinished        types.Int64  `tfsdk:"jobs_finished"`
	JobsCanceled        types.Int64  `tfsdk:"jobs_canceled"`
	JobsFailed          types.Int64  `tfsdk:"jobs_failed"`
	SubmissionEnabled   types.Bool   `tfsdk:"submission_enabled"`
	AdaptiveScheduler   types.Bool   `tfsdk:"adaptive_scheduler"`
	SavepointDirectory  types.String `tfsdk:"savepoint_directory"`
	CheckpointDirectory types.String `tfsdk:"checkpoint_directory"`
}

// Metadata names the data source.
func (d *clusterDataSource) Metadata(_ context.Context, _ datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = ClusterType
}

// Schema describes the attributes.
func (d *clusterDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	number := func(description string) schema.Int64Attribute {
		return schema.Int64Attribute{Computed: true, MarkdownDescription: description}
	}
	text := func(description string) schema.StringAttribute {
		return schema.StringAttribute{Computed: true, MarkdownDescription: description}
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: "The configured Flink session cluster: version, slots, and default directories.",
		Attributes: map[string]schema.Attribute{
			"id":                   text("Endpoint of the cluster's REST API."),
			"version":              text("Flink's version, such as `2.3.0`, from `GET /config`."),
			"revision":             text("Commit that Flink was built from, from `GET /config`."),
			"task_managers":        number("Registered TaskManagers, from `GET /overview`."),
			"slots_total":          number("Slots of all TaskManagers."),
			"slots_available":      number("Slots that no job uses now."),
			"jobs_running":         number("Jobs that run now."),
			"jobs_finished":        number("Ended jobs in the JobManager's memory that finished or were stopped."),
			"jobs_canceled":        number("Ended jobs in the JobManager's memory that were cancelled."),
			"jobs_failed":          number("Ended jobs in the JobManager's memory that failed."),
			"submission_enabled":   schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether jars can be uploaded and run through REST (`web.submit.enable`)."},
			"adaptive_scheduler":   schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether jobs can be rescaled in place (`jobmanager.scheduler: adaptive`)."},
			"savepoint_directory":  text("Default directory of savepoints, null when the cluster has none."),
			"checkpoint_directory": text("Default directory of checkpoints, null when the cluster has none."),
		},
	}
}

// Read asks the cluster.
func (d *clusterDataSource) Read(ctx context.Context, _ datasource.ReadRequest, resp *datasource.ReadResponse) {
	client, diagnostics := d.Data.Flink()
	resp.Diagnostics.Append(diagnostics...)
	if resp.Diagnostics.HasError() {
		return
	}
	cluster, err := client.Cluster(ctx)
	if err != nil {
		resp.Diagnostics.Append(diags.Error("Cannot read the Flink cluster "+client.Endpoint(), err))
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &clusterModel{
		ID: types.StringValue(client.Endpoint()), Version: types.StringValue(cluster.Version), Revision: values.Text(cluster.Revision),
		TaskManagers: types.Int64Value(cluster.TaskManagers), SlotsTotal: types.Int64Value(cluster.SlotsTotal), SlotsAvailable: types.Int64Value(cluster.SlotsAvailable),
		JobsRunning: types.Int64Value(cluster.JobsRunning), JobsFinished: types.Int64Value(cluster.JobsFinished),
		JobsCanceled: types.Int64Value(cluster.JobsCancelled), JobsFailed: types.Int64Value(cluster.JobsFailed),
		SubmissionEnabled: types.BoolValue(cluster.WebSubmit), AdaptiveScheduler: types.BoolValue(cluster.WebRescale),
		SavepointDirectory: values.Text(cluster.SavepointDirectory), CheckpointDirectory: values.Text(cluster.CheckpointDir),
	})...)
}
