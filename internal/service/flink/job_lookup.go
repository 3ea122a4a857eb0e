// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	client "github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/diags"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/validators"
)

// jobLookup is what a data source is asked for: a job by its id or by its name.
type jobLookup struct {
	jobID, name types.String
}

func jobIDLookup() schema.StringAttribute {
	return schema.StringAttribute{
		Optional: true, Computed: true, MarkdownDescription: "Flink's id of the job. Exactly one of `job_id` and `name` is needed.",
		Validators: []validator.String{jobIDValidator(), validators.ExactlyOneOf("job_id", "name")},
	}
}

func jobNameLookup() schema.StringAttribute {
	return schema.StringAttribute{
		Optional: true, Computed: true,
		MarkdownDescription: "Name of the job. As a look-up it finds the one job of this name that has not ended, and is an error if there are several; if all have ended, the one that was started last.",
		Validators:          []validator.String{validators.NotEmpty()},
	}
}

// jobIDValidator refuses what is no id of a Flink job.
func jobIDValidator() validator.String {
	return validators.Matches(regexp.MustCompile(`^[0-9a-f]{32}$`), "must be 32 lower-case hex digits: the job_id of a job, not its name or its resource's id")
}

// find picks the job out of those of the cluster.
func (l jobLookup) find(ctx context.Context, flink *client.Client) (client.JobSummary, diag.Diagnostic) {
	jobs, err := flink.Jobs(ctx)
	if err != nil {
		return client.JobSummary{}, diags.Error("Cannot list the jobs of the Flink cluster "+flink.Endpoint(), err)
	}
	return l.among(jobs, flink.Endpoint())
}

// among picks the job that is asked for.
func (l jobLookup) among(jobs []client.JobSummary, endpoint string) (client.JobSummary, diag.Diagnostic) {
	if !l.jobID.IsNull() {
		for _, job := range jobs {
			if job.ID == l.jobID.ValueString() {
				return job, nil
			}
		}
		return client.JobSummary{}, jobGone(path.Root("job_id"), l.jobID.ValueString(), endpoint)
	}
	name := l.name.ValueString()
	var newest client.JobSummary
	var live []client.JobSummary
	for _, job := range jobs {
		if job.Name != name {
			continue
		}
		if newest.ID == "" || oldestFirst(newest, job) < 0 {
			newest = job
		}
		if !job.State.Terminal() {
			live = append(live, job)
		}
	}
	switch {
	case len(live) == 1:
		return live[0], nil
	case len(live) > 1:
		return client.JobSummary{}, severalJobs(name, live)
	case newest.ID != "":
		return newest, nil
	}
	return client.JobSummary{}, diag.NewAttributeErrorDiagnostic(path.Root("name"), fmt.Sprintf("Flink knows no job named %q", name),
		fmt.Sprintf("%s knows %d jobs, none of them of this name; data.streaming_flink_jobs lists them. An ended job is known for an hour, and after a restart of the JobManager none is.", endpoint, len(jobs)))
}

func severalJobs(name string, live []client.JobSummary) diag.Diagnostic {
	ids := make([]string, 0, len(live))
	for _, job := range live {
		ids = append(ids, fmt.Sprintf("%s (%s)", job.ID, job.State))
	}
	return diag.NewAttributeErrorDiagnostic(path.Root("name"), fmt.Sprintf("%d jobs are named %q", len(live), name),
		"Flink lets jobs share a name: "+strings.Join(ids, ", ")+".\n\nSet job_id to one of these ids instead of name.")
}

func jobGone(at path.Path, id, endpoint string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, "Flink knows no job "+id,
		endpoint+" does not list it. An ended job is known for an hour (jobstore.expiration-time), and after a restart of the JobManager without high availability none is.\n\n"+
			"Take the id from the job's resource, such as streaming_flink_job.orders.job_id, or look the job up by name.")
}

// unreadable says why a job that was found cannot be read: it may be gone since.
func (l jobLookup) unreadable(id, endpoint string, err error) diag.Diagnostic {
	if !client.IsNotFound(err) {
		return diags.Error("Cannot read Flink job "+id, err)
	}
	at := path.Root("job_id")
	if l.jobID.IsNull() {
		at = path.Root("name")
	}
	return jobGone(at, id, endpoint)
}
