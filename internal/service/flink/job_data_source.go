// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/base"
)

var _ datasource.DataSourceWithConfigure = (*jobDataSource)(nil)

type jobDataSource struct {
	base.DataSource
}

// NewJobDataSource returns the data source of one job.
func NewJobDataSource() datasource.DataSource { return &jobDataSource{} }

// Metadata names the data source.
func (d *jobDataSource) Metadata(_ context.Context, _ datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = JobType
}

// Schema describes the attributes.
func (d *jobDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = observedSchema()
}

func observedSchema() schema.Schema {
	number := func(description string) schema.Int64Attribute {
		return schema.Int64Attribute{Computed: true, MarkdownDescription: description}
	}
	text := func(description string) schema.StringAttribute {
		return schema.StringAttribute{Computed: true, MarkdownDescription: description}
	}
	return schema.Schema{
		MarkdownDescription: "One Flink job as the JobManager sees it, whoever started it: whether it is well, how often it was restarted, how old its newest checkpoint is, and why it failed last. Made for `check` blocks.\n\n" +
			"`status` and `tasks` are of this moment, `restarts` may be ten seconds old; the rest may be as old as the cluster's `web.refresh-interval`, three seconds. " +
			"Neither the job's arguments, its configuration nor the parameters that its program registered are shown: they may hold secrets.",
		Attributes: map[string]schema.Attribute{
			"job_id": jobIDLookup(), "name": jobNameLookup(),
			"status":            text("Flink's word for its state, such as `RUNNING`."),
			"all_tasks_running": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the job is `RUNNING` and each parallel part of it runs or has done its work. A job says `RUNNING` long before that."},
			"tasks": schema.SingleNestedAttribute{
				Computed: true, MarkdownDescription: "Parallel parts of the job.",
				Attributes: map[string]schema.Attribute{
					"total": number("All of them."), "running": number("Those that run."), "finished": number("Those that have done their work."),
				},
			},
			"type":            text("`STREAMING` or `BATCH`; null where Flink does not tell it (before 1.20)."),
			"parallelism":     number("Parallelism that the job was submitted with; null where Flink does not tell it. What runs is in `vertices`."),
			"max_parallelism": number("Maximum parallelism of the whole job; null when it was not set."),
			"owner":           text("The `owner` of the provider configuration that started the job; null when it has none, was started by other means, or its program registered parameters of its own."),
			"started_at":      text("When it was submitted, in RFC 3339, UTC."),
			"ended_at":        text("When it ended, in RFC 3339, UTC; null while it has not."),
			"restored_from":   text("Savepoint or checkpoint that its state is from, last; null for none."),
			"cluster":         text("Endpoint of the cluster."),
			"web_url":         text("Page of the job in Flink's web UI."),
			"vertices": schema.ListNestedAttribute{
				Computed: true, MarkdownDescription: "Parts of the job's graph.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"id": text("Flink's id of the part."), "name": text("Name, from its operators."), "status": text("State of the part, such as `RUNNING`."),
					"parallelism": number("Parallelism that it runs with."), "max_parallelism": number("Maximum parallelism."),
				}},
			},
			"restarts":    number("How often Flink has restarted the job by itself since it was submitted. It is up to ten seconds old (`metrics.fetcher.update-interval`); null while Flink has not counted it yet, and for a job that has ended."),
			"checkpoints": checkpointsSchema(),
			"last_failure": schema.SingleNestedAttribute{
				Computed: true, MarkdownDescription: "Newest failure that Flink remembers, also of a job that has recovered since; null for none.",
				Attributes: map[string]schema.Attribute{
					"reason": text("Root cause in one line."), "task": text("Part of the job that failed, where Flink tells it."), "at": text("When, in RFC 3339, UTC."),
				},
			},
		},
	}
}

func checkpointsSchema() schema.SingleNestedAttribute {
	number := func(description string) schema.Int64Attribute {
		return schema.Int64Attribute{Computed: true, MarkdownDescription: description}
	}
	text := func(description string) schema.StringAttribute {
		return schema.StringAttribute{Computed: true, MarkdownDescription: description}
	}
	return schema.SingleNestedAttribute{
		Computed: true, MarkdownDescription: "Checkpoints since the job was started; null for one that failed before.",
		Attributes: map[string]schema.Attribute{
			"interval_ms":      number("Interval of periodic checkpoints in milliseconds; null when there are none."),
			"completed":        number("Completed checkpoints, savepoints included."),
			"failed":           number("Failed ones."),
			"restored":         number("How often the job went back to one, the start from a savepoint included."),
			"last_path":        text("Newest completed checkpoint; null before the first, and where it lies in the JobManager's memory."),
			"last_at":          text("When it was completed, in RFC 3339, UTC."),
			"last_age_seconds": number("How long ago that is, by the JobManager's clock."),
			"savepoint_path":   text("Newest savepoint that was taken of the job; null for none."),
			"savepoint_at":     text("When it was completed, in RFC 3339, UTC."),
		},
	}
}

// Read finds the job and asks for all of it.
func (d *jobDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var model observedModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	flink, diagnostics := d.Data.Flink()
	resp.Diagnostics.Append(diagnostics...)
	if resp.Diagnostics.HasError() {
		return
	}
	lookup := jobLookup{model.JobID, model.Name}
	summary, problem := lookup.find(ctx, flink)
	if problem != nil {
		resp.Diagnostics.Append(problem)
		return
	}
	observed, err := observeJob(ctx, flink, summary)
	if err != nil {
		resp.Diagnostics.Append(lookup.unreadable(summary.ID, flink.Endpoint(), err))
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, observed)...)
}
