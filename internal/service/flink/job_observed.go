// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"

	client "github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/values"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/jobkind"
)

// observedModel is a job as the data source shows it.
type observedModel struct {
	JobID           types.String         `tfsdk:"job_id"`
	Name            types.String         `tfsdk:"name"`
	Status          types.String         `tfsdk:"status"`
	AllTasksRunning types.Bool           `tfsdk:"all_tasks_running"`
	Tasks           *observedTasks       `tfsdk:"tasks"`
	Type            types.String         `tfsdk:"type"`
	Parallelism     types.Int64          `tfsdk:"parallelism"`
	MaxParallelism  types.Int64          `tfsdk:"max_parallelism"`
	Owner           types.String         `tfsdk:"owner"`
	StartedAt       types.String         `tfsdk:"started_at"`
	EndedAt         types.String         `tfsdk:"ended_at"`
	RestoredFrom    types.String         `tfsdk:"restored_from"`
	Cluster         types.String         `tfsdk:"cluster"`
	WebURL          types.String         `tfsdk:"web_url"`
	Vertices        []observedVertex     `tfsdk:"vertices"`
	Restarts        types.Int64          `tfsdk:"restarts"`
	Checkpoints     *observedCheckpoints `tfsdk:"checkpoints"`
	LastFailure     *observedFailure     `tfsdk:"last_failure"`
}

type observedTasks struct {
	Total    types.Int64 `tfsdk:"total"`
	Running  types.Int64 `tfsdk:"running"`
	Finished types.Int64 `tfsdk:"finished"`
}

type observedVertex struct {
	ID             types.String `tfsdk:"id"`
	Name           types.String `tfsdk:"name"`
	Status         types.String `tfsdk:"status"`
	Parallelism    types.Int64  `tfsdk:"parallelism"`
	MaxParallelism types.Int64  `tfsdk:"max_parallelism"`
}

type observedCheckpoints struct {
	IntervalMS     types.Int64  `tfsdk:"interval_ms"`
	Completed      types.Int64  `tfsdk:"completed"`
	Failed         types.Int64  `tfsdk:"failed"`
	Restored       types.Int64  `tfsdk:"restored"`
	LastPath       types.String `tfsdk:"last_path"`
	LastAt         types.String `tfsdk:"last_at"`
	LastAgeSeconds types.Int64  `tfsdk:"last_age_seconds"`
	SavepointPath  types.String `tfsdk:"savepoint_path"`
	SavepointAt    types.String `tfsdk:"savepoint_at"`
}

type observedFailure struct {
	Reason types.String `tfsdk:"reason"`
	Task   types.String `tfsdk:"task"`
	At     types.String `tfsdk:"at"`
}

// observeJob asks for what there is to know of a job. Of its user's
// configuration it keeps the owner alone.
func observeJob(ctx context.Context, flink *client.Client, summary client.JobSummary) (*observedModel, error) {
	job, err := flink.Job(ctx, summary.ID)
	if err != nil {
		return nil, err
	}
	model := &observedModel{
		JobID: types.StringValue(summary.ID), Name: types.StringValue(summary.Name), Status: types.StringValue(string(summary.State)),
		AllTasksRunning: types.BoolValue(summary.AllUp()),
		Tasks: &observedTasks{
			Total: types.Int64Value(summary.Tasks.Total), Running: types.Int64Value(summary.Tasks.Running), Finished: types.Int64Value(summary.Tasks.Finished),
		},
		Type: values.Text(job.Type), MaxParallelism: positive(job.MaxParallelism),
		StartedAt: moment(summary.StartTime), EndedAt: moment(summary.EndTime),
		Cluster:  types.StringValue(flink.Endpoint()),
		WebURL:   values.Text(jobkind.WebURL(flink.Endpoint(), lifecycle.Record{JobID: summary.ID, Status: string(summary.State)})),
		Vertices: []observedVertex{},
	}
	for _, vertex := range job.Vertices {
		model.Vertices = append(model.Vertices, observedVertex{
			ID: types.StringValue(vertex.ID), Name: types.StringValue(vertex.Name), Status: types.StringValue(string(vertex.Status)),
			Parallelism: types.Int64Value(vertex.Parallelism), MaxParallelism: positive(vertex.MaxParallelism),
		})
	}
	config, err := flink.JobConfig(ctx, summary.ID)
	if err != nil {
		return nil, err
	}
	model.Parallelism = positive(config.ExecutionConfig.Parallelism)
	if marker, known := lifecycle.ParseMarker(config.ExecutionConfig.UserConfig); known {
		model.Owner = values.Text(marker.Owner)
	}
	if err := model.setCheckpoints(ctx, flink, job); err != nil {
		return nil, err
	}
	if model.Restarts, err = restarts(ctx, flink, summary); err != nil {
		return nil, err
	}
	model.LastFailure, err = lastFailure(ctx, flink, summary)
	return model, err
}

func positive(n int64) types.Int64 {
	if n <= 0 {
		return types.Int64Null()
	}
	return types.Int64Value(n)
}

// restarts is null for a job that has ended: what Flink still tells of it is
// older than its end.
func restarts(ctx context.Context, flink *client.Client, summary client.JobSummary) (types.Int64, error) {
	if summary.State.Terminal() {
		return types.Int64Null(), nil
	}
	n, known, err := flink.Restarts(ctx, summary.ID)
	if err != nil || !known {
		return types.Int64Null(), err
	}
	return types.Int64Value(n), nil
}

func (m *observedModel) setCheckpoints(ctx context.Context, flink *client.Client, job *client.Job) error {
	config, err := flink.CheckpointConfig(ctx, job.ID)
	if client.IsNotFound(err) {
		// A job that failed before it had a graph takes none.
		return nil
	}
	if err != nil {
		return err
	}
	history, err := flink.Checkpoints(ctx, job.ID)
	if err != nil {
		return err
	}
	m.Checkpoints = &observedCheckpoints{
		Completed: types.Int64Value(history.Counts.Completed), Failed: types.Int64Value(history.Counts.Failed), Restored: types.Int64Value(history.Counts.Restored),
	}
	if !config.Disabled() {
		m.Checkpoints.IntervalMS = types.Int64Value(config.Interval)
	}
	if last := history.Latest.Completed; last != nil {
		m.Checkpoints.LastPath, m.Checkpoints.LastAt = addressable(last.Path), moment(last.LatestAckTime)
		// Both answers may come from a cache, and the first one's clock be behind.
		m.Checkpoints.LastAgeSeconds = types.Int64Value(max(0, job.Now-last.LatestAckTime) / 1000)
	}
	if savepoint := history.Latest.Savepoint; savepoint != nil {
		m.Checkpoints.SavepointPath, m.Checkpoints.SavepointAt = addressable(savepoint.Path), moment(savepoint.LatestAckTime)
	}
	if restored := history.Latest.Restored; restored != nil {
		m.RestoredFrom = addressable(restored.Path)
	}
	return nil
}

// addressable is a path, null for Flink's words for there being none.
func addressable(location string) types.String {
	if strings.HasPrefix(location, "<") {
		return types.StringNull()
	}
	return values.Text(location)
}

// lastFailure is the newest exception in one line.
func lastFailure(ctx context.Context, flink *client.Client, summary client.JobSummary) (*observedFailure, error) {
	failures, err := flink.Failures(ctx, summary.ID)
	if err != nil {
		return nil, err
	}
	if len(failures) > 0 {
		return &observedFailure{
			Reason: values.Text(rest.RootCause(failures[0].Trace).String()), Task: values.Text(failures[0].Task), At: moment(failures[0].Timestamp),
		}, nil
	}
	if summary.State != client.Failed {
		return nil, nil //nolint:nilnil // a job that never failed has no failure
	}
	trace, err := flink.FailureCause(ctx, summary.ID)
	if err != nil || trace == "" {
		return nil, err
	}
	return &observedFailure{Reason: values.Text(rest.RootCause(trace).String()), At: moment(summary.EndTime)}, nil
}
