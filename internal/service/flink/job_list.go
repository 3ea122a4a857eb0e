// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	client "github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/base"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/diags"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/listing"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/namefilter"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/validators"
)

var _ list.ListResourceWithConfigure = (*jobList)(nil)

type jobList struct {
	base.Resource
}

// NewJobList returns the list of jobs that could be imported.
func NewJobList() list.ListResource { return &jobList{} }

type jobListModel struct {
	NameRegex types.String   `tfsdk:"name_regex"`
	Statuses  []types.String `tfsdk:"statuses"`
}

// jobIdentity is what a job is imported by.
type jobIdentity struct {
	Owner types.String `tfsdk:"owner"`
	Name  types.String `tfsdk:"name"`
}

// Metadata names the resource that is listed.
func (l *jobList) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = JobType
}

// ListResourceConfigSchema describes the filters.
func (l *jobList) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	live := liveStates()
	resp.Schema = schema.Schema{
		MarkdownDescription: "Finds jobs of a Flink cluster to import, oldest first, in one request: all that have not ended, whoever started them and by whatever means. Filters are combined; no match is no error.\n\n" +
			"Flink does not tell what a job was started from: after the import the configuration says it, and a job that was started otherwise, as a SQL or a Python job, belongs into a resource of that type.",
		Attributes: map[string]schema.Attribute{
			"name_regex": namefilter.MatchListed("Only jobs whose name holds a match", "`^orders-`"),
			"statuses": schema.ListAttribute{
				Optional: true, ElementType: types.StringType,
				MarkdownDescription: "Only jobs with one of these statuses, in Flink's words: `INITIALIZING`, `CREATED`, `RUNNING`, `FAILING`, `CANCELLING`, `RESTARTING`, `SUSPENDED`, `RECONCILING`.",
				Validators:          []validator.List{validators.ListNotEmpty(), validators.EachOfList(validators.OneOf(live...))},
			},
		},
	}
}

// liveStates are the states of a job that has not ended.
func liveStates() []string {
	var live []string
	for _, state := range client.JobStates() {
		if !state.Terminal() {
			live = append(live, string(state))
		}
	}
	return live
}

// List asks for the jobs.
func (l *jobList) List(ctx context.Context, req list.ListRequest, resp *list.ListResultsStream) {
	var model jobListModel
	diagnostics := req.Config.Get(ctx, &model)
	named := namefilter.New(types.StringNull(), model.NameRegex, &diagnostics)
	flink, more := l.Data.Flink()
	diagnostics.Append(more...)
	if diagnostics.HasError() {
		listing.Fail(resp, diagnostics)
		return
	}
	jobs, err := flink.Jobs(ctx)
	if err != nil {
		listing.Fail(resp, append(diagnostics, diags.Error("Cannot list the jobs of the Flink cluster "+flink.Endpoint(), err)))
		return
	}
	jobs = slices.DeleteFunc(jobs, func(job client.JobSummary) bool { return job.State.Terminal() })
	slices.SortFunc(jobs, oldestFirst)
	count := map[string]int{}
	for _, job := range jobs {
		count[job.Name]++
	}
	var found []listing.Found
	for _, job := range jobs {
		if named.Matches(job.Name) && model.hasStatus(job) {
			found = append(found, l.found(flink, job, count[job.Name]))
		}
	}
	listing.Stream(ctx, req, resp, found)
}

func (m *jobListModel) hasStatus(job client.JobSummary) bool {
	return len(m.Statuses) == 0 || slices.Contains(m.Statuses, types.StringValue(string(job.State)))
}

// found is a job among others of its name.
func (l *jobList) found(flink *client.Client, job client.JobSummary, ofName int) listing.Found {
	found := listing.Found{
		Name: job.Name, Identity: jobIdentity{Owner: types.StringValue(l.Data.Owner), Name: types.StringValue(job.Name)},
		Fill: func(ctx context.Context, to *tfsdk.Resource) diag.Diagnostics {
			var diagnostics diag.Diagnostics
			for name, value := range map[string]string{
				"name": job.Name, "job_id": job.ID, "job_name": job.Name, "status": string(job.State), "cluster": flink.Endpoint(),
			} {
				diagnostics.Append(to.SetAttribute(ctx, path.Root(name), value)...)
			}
			return diagnostics
		},
	}
	if ofName > 1 {
		found.Warning = diag.NewWarningDiagnostic(fmt.Sprintf("%d jobs are named %q", ofName, job.Name),
			fmt.Sprintf("An identity has the name alone, so that it cannot tell them apart. Import this one by its id: %s.", job.ID))
	}
	return found
}
