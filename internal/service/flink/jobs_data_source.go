// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	client "github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/base"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/diags"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/namefilter"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/validators"
)

// JobsType is the data source type of a list of jobs.
const JobsType = "streaming_flink_jobs"

var _ datasource.DataSourceWithConfigure = (*jobsDataSource)(nil)

type jobsDataSource struct {
	base.DataSource
}

// NewJobsDataSource returns the data source of a list of jobs.
func NewJobsDataSource() datasource.DataSource { return &jobsDataSource{} }

type jobsModel struct {
	Name      types.String   `tfsdk:"name"`
	NameRegex types.String   `tfsdk:"name_regex"`
	Statuses  []types.String `tfsdk:"statuses"`
	JobIDs    []string       `tfsdk:"job_ids"`
	Jobs      []listedJob    `tfsdk:"jobs"`
}

type listedJob struct {
	JobID        types.String `tfsdk:"job_id"`
	Name         types.String `tfsdk:"name"`
	Status       types.String `tfsdk:"status"`
	StartedAt    types.String `tfsdk:"started_at"`
	EndedAt      types.String `tfsdk:"ended_at"`
	TasksTotal   types.Int64  `tfsdk:"tasks_total"`
	TasksRunning types.Int64  `tfsdk:"tasks_running"`
}

// Metadata names the data source.
func (d *jobsDataSource) Metadata(_ context.Context, _ datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = JobsType
}

// Schema describes the attributes.
func (d *jobsDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	number := func(description string) schema.Int64Attribute {
		return schema.Int64Attribute{Computed: true, MarkdownDescription: description}
	}
	text := func(description string) schema.StringAttribute {
		return schema.StringAttribute{Computed: true, MarkdownDescription: description}
	}
	statuses := make([]string, 0, len(client.JobStates()))
	for _, state := range client.JobStates() {
		statuses = append(statuses, string(state))
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: "The jobs that the JobManager knows, oldest first: those that run, and those that have ended within the last hour (`jobstore.expiration-time`) since it was started. " +
			"Filters are combined; without a match the lists are empty, which is no error.",
		Attributes: map[string]schema.Attribute{
			"name":       namefilter.Exact("Only jobs of exactly this name. Flink lets jobs share one."),
			"name_regex": namefilter.Match("Only jobs whose name holds a match", "`^orders-`", "name"),
			"statuses": schema.SetAttribute{
				Optional: true, ElementType: types.StringType,
				MarkdownDescription: "Only jobs with one of these statuses, in Flink's words: `INITIALIZING`, `CREATED`, `RUNNING`, `FAILING`, `FAILED`, `CANCELLING`, `CANCELED`, `FINISHED`, `RESTARTING`, `SUSPENDED`, `RECONCILING`.",
				Validators:          []validator.Set{validators.SetNotEmpty(), validators.EachOfSet(validators.OneOf(statuses...))},
			},
			"job_ids": schema.ListAttribute{Computed: true, ElementType: types.StringType, MarkdownDescription: "Flink's ids of the jobs, in the order of `jobs`."},
			"jobs": schema.ListNestedAttribute{
				Computed: true, MarkdownDescription: "The jobs, by the time of their start.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"job_id":        text("Flink's id of the job."),
					"name":          text("Name of the job."),
					"status":        text("Flink's word for its state, such as `RUNNING`."),
					"started_at":    text("When it was submitted, in RFC 3339, UTC."),
					"ended_at":      text("When it ended, in RFC 3339, UTC; null while it has not."),
					"tasks_total":   number("Parallel parts of the job."),
					"tasks_running": number("Parts of it that run now."),
				}},
			},
		},
	}
}

// Read lists the jobs in one request.
func (d *jobsDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var model jobsModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	flink, diagnostics := d.Data.Flink()
	resp.Diagnostics.Append(diagnostics...)
	named := namefilter.New(model.Name, model.NameRegex, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	jobs, err := flink.Jobs(ctx)
	if err != nil {
		resp.Diagnostics.Append(diags.Error("Cannot list the jobs of the Flink cluster "+flink.Endpoint(), err))
		return
	}
	jobs = slices.DeleteFunc(jobs, func(job client.JobSummary) bool { return !named.Matches(job.Name) || !model.hasStatus(job) })
	slices.SortFunc(jobs, oldestFirst)
	model.JobIDs, model.Jobs = []string{}, []listedJob{}
	for _, job := range jobs {
		model.JobIDs = append(model.JobIDs, job.ID)
		model.Jobs = append(model.Jobs, listedJob{
			JobID: types.StringValue(job.ID), Name: types.StringValue(job.Name), Status: types.StringValue(string(job.State)),
			StartedAt: moment(job.StartTime), EndedAt: moment(job.EndTime),
			TasksTotal: types.Int64Value(job.Tasks.Total), TasksRunning: types.Int64Value(job.Tasks.Running),
		})
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}

func (m *jobsModel) hasStatus(job client.JobSummary) bool {
	return len(m.Statuses) == 0 || slices.Contains(m.Statuses, types.StringValue(string(job.State)))
}

func oldestFirst(a, b client.JobSummary) int {
	return cmp.Or(cmp.Compare(a.StartTime, b.StartTime), cmp.Compare(a.ID, b.ID))
}

// moment is a time in ms as text, null for one that has not come.
func moment(ms int64) types.String {
	if ms <= 0 {
		return types.StringNull()
	}
	return types.StringValue(time.UnixMilli(ms).UTC().Format(time.RFC3339Nano))
}
