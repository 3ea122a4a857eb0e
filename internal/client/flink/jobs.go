// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
)

// JobState is Flink's own word for the state of a job or a vertex.
type JobState string

// The states of a job. A vertex also has SCHEDULED and DEPLOYING.
const (
	Initializing JobState = "INITIALIZING"
	Created      JobState = "CREATED"
	Running      JobState = "RUNNING"
	Failing      JobState = "FAILING"
	Failed       JobState = "FAILED"
	Cancelling   JobState = "CANCELLING"
	Canceled     JobState = "CANCELED"
	Finished     JobState = "FINISHED"
	Restarting   JobState = "RESTARTING"
	Suspended    JobState = "SUSPENDED"
	Reconciling  JobState = "RECONCILING"
)

// JobStates are all states of a job.
func JobStates() []JobState {
	return []JobState{Initializing, Created, Running, Failing, Failed, Cancelling, Canceled, Finished, Restarting, Suspended, Reconciling}
}

// Terminal is true for the three states that a job never leaves.
func (s JobState) Terminal() bool { return s == Finished || s == Canceled || s == Failed }

// JobSummary is one entry of the list of jobs. Names are not unique.
type JobSummary struct {
	ID        string   `json:"jid"`
	Name      string   `json:"name"`
	State     JobState `json:"state"`
	StartTime int64    `json:"start-time"`
	// EndTime is -1 until the job has ended.
	EndTime int64 `json:"end-time"`
	// LastModification is when the state changed last, in ms.
	LastModification int64 `json:"last-modification"`
	Tasks            Tasks `json:"tasks"`
}

// Tasks counts the parallel parts of a job by state.
type Tasks struct {
	Total    int64 `json:"total"`
	Running  int64 `json:"running"`
	Finished int64 `json:"finished"`
}

// AllUp tells whether each part of the job runs or has done its work. A job
// says RUNNING long before that, and refuses savepoints until then.
func (j *JobSummary) AllUp() bool {
	return j.State == Running && j.Tasks.Total > 0 && j.Tasks.Running+j.Tasks.Finished == j.Tasks.Total
}

// Job is the detail of one job.
type Job struct {
	ID             string   `json:"jid"`
	Name           string   `json:"name"`
	State          JobState `json:"state"`
	Type           string   `json:"job-type"`
	SchedulerType  string   `json:"schedulerType"`
	MaxParallelism int64    `json:"maxParallelism"`
	StartTime      int64    `json:"start-time"`
	EndTime        int64    `json:"end-time"`
	// Now is the JobManager's clock when it looked at the job.
	Now        int64            `json:"now"`
	Timestamps map[string]int64 `json:"timestamps"`
	Vertices   []Vertex         `json:"vertices"`
	// Plan tells what flows between the vertices.
	Plan Plan `json:"plan"`
}

// Plan is a job's graph. It has no nodes for a job that failed before it had
// one, or still waits for its first slots.
type Plan struct {
	Nodes []PlanNode `json:"nodes"`
}

// PlanNode is a vertex of the graph, by its id.
type PlanNode struct {
	ID     string      `json:"id"`
	Inputs []PlanInput `json:"inputs"`
}

// PlanInput is the way of the data from another vertex.
type PlanInput struct {
	// Number is which input of the vertex it is, from 0.
	Number int64 `json:"num"`
	// ID is the other vertex.
	ID           string `json:"id"`
	ShipStrategy string `json:"ship_strategy"`
}

// Vertex is one part of a job's graph.
type Vertex struct {
	ID             string   `json:"id"`
	Name           string   `json:"name"`
	Parallelism    int64    `json:"parallelism"`
	MaxParallelism int64    `json:"maxParallelism"`
	Status         JobState `json:"status"`
}

// Started is when the job was submitted.
func (j *Job) Started() time.Time { return time.UnixMilli(j.StartTime).UTC() }

// JobConfig is what a job's program registered, and the parallelism submitted.
type JobConfig struct {
	Name            string `json:"name"`
	ExecutionConfig struct {
		Parallelism int64             `json:"job-parallelism"`
		UserConfig  map[string]string `json:"user-config"`
	} `json:"execution-config"`
}

// Jobs lists all jobs that the JobManager remembers, ended ones for an hour.
func (c *Client) Jobs(ctx context.Context) ([]JobSummary, error) {
	var answer struct {
		Jobs []JobSummary `json:"jobs"`
	}
	if err := c.rest.Get(ctx, &answer, "jobs", "overview"); err != nil {
		return nil, err
	}
	return answer.Jobs, nil
}

// Summary reads one entry of the list of jobs, nil when it is not there. Unlike
// Job it is never stale.
func (c *Client) Summary(ctx context.Context, id string) (*JobSummary, error) {
	jobs, err := c.Jobs(ctx)
	if err != nil {
		return nil, err
	}
	for i := range jobs {
		if jobs[i].ID == id {
			return &jobs[i], nil
		}
	}
	return nil, nil //nolint:nilnil // absence is an answer here
}

// Status reads the state of one job, which is never stale. ok is false for a
// job that Flink does not know. Flink 1.14 has no route for it, so that the
// list of jobs tells there.
func (c *Client) Status(ctx context.Context, id string) (state JobState, ok bool, err error) {
	if c.release.lacksStatus() {
		return c.listedStatus(ctx, id)
	}
	var answer struct {
		Status JobState `json:"status"`
	}
	err = c.rest.Get(ctx, &answer, "jobs", id, "status")
	if hasNoRoute(err) {
		c.release.learnStatus(false)
		return c.listedStatus(ctx, id)
	}
	if IsJobUnknown(err) {
		return "", false, nil
	}
	if err == nil {
		c.release.learnStatus(true)
	}
	return answer.Status, err == nil, err
}

func (c *Client) listedStatus(ctx context.Context, id string) (state JobState, ok bool, err error) {
	job, err := c.Summary(ctx, id)
	if err != nil || job == nil {
		return "", false, err
	}
	return job.State, true, nil
}

// Job reads one job; see IsNotFound. Flink answers it, and what is below it,
// from a cache of up to web.refresh-interval, three seconds: a job's state and
// its vertices may be that old. A job that is not known is never cached.
func (c *Client) Job(ctx context.Context, id string) (*Job, error) {
	var job Job
	if err := c.rest.Get(ctx, &job, "jobs", id); err != nil {
		return nil, err
	}
	return &job, nil
}

// JobConfig reads what the job's program registered as global parameters.
func (c *Client) JobConfig(ctx context.Context, id string) (*JobConfig, error) {
	var config JobConfig
	if err := c.rest.Get(ctx, &config, "jobs", id, "config"); err != nil {
		return nil, err
	}
	return &config, nil
}

// Cancel asks for a cancellation; on an ended job it does nothing.
func (c *Client) Cancel(ctx context.Context, id string) error {
	_, err := c.rest.Do(ctx, rest.Request{
		Method: http.MethodPatch, Path: []string{"jobs", id}, Query: url.Values{"mode": {"cancel"}},
	})
	return err
}

// Failure is the newest exception of a job.
type Failure struct {
	Name      string `json:"exceptionName"`
	Trace     string `json:"stacktrace"`
	Timestamp int64  `json:"timestamp"`
	Task      string `json:"taskName"`
}

// Failures lists the newest exceptions of a job, newest first.
func (c *Client) Failures(ctx context.Context, id string) ([]Failure, error) {
	var answer struct {
		// RootException is how Flink before 2.0 tells the newest one.
		RootException string `json:"root-exception"`
		Timestamp     int64  `json:"timestamp"`
		History       struct {
			Entries []Failure `json:"entries"`
		} `json:"exceptionHistory"`
	}
	if err := c.rest.Get(ctx, &answer, "jobs", id, "exceptions"); err != nil {
		return nil, err
	}
	if len(answer.History.Entries) == 0 && answer.RootException != "" {
		return []Failure{{Trace: answer.RootException, Timestamp: answer.Timestamp}}, nil
	}
	return answer.History.Entries, nil
}

// FailureCause reads why a job that has ended failed, as a Java trace, empty
// for another end. The adaptive scheduler lists no exception for a job that
// fails before it has a graph; this tells it.
func (c *Client) FailureCause(ctx context.Context, id string) (string, error) {
	var answer struct {
		Result struct {
			Cause struct {
				Trace string `json:"stack-trace"`
			} `json:"failure-cause"`
		} `json:"job-execution-result"`
	}
	err := c.rest.Get(ctx, &answer, "jobs", id, "execution-result")
	return answer.Result.Cause.Trace, err
}
