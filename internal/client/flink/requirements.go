// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink

import (
	"context"
	"errors"
	"net/http"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
)

// SchedulerAdaptive is the one value of Job.SchedulerType whose jobs can change
// their parallelism while they run.
const SchedulerAdaptive = "Adaptive"

// Bounds are the least and the most subtasks that a vertex may run with.
type Bounds struct {
	Lower int64 `json:"lowerBound"`
	Upper int64 `json:"upperBound"`
}

type requirement struct {
	Parallelism Bounds `json:"parallelism"`
}

// Requirements reads what a job on the adaptive scheduler asks for, by the ids
// of its vertices. What it runs with may be less, or still the one before.
func (c *Client) Requirements(ctx context.Context, jobID string) (map[string]Bounds, error) {
	var answer map[string]requirement
	if err := c.rest.Get(ctx, &answer, "jobs", jobID, "resource-requirements"); err != nil {
		return nil, err
	}
	asked := make(map[string]Bounds, len(answer))
	for id, r := range answer {
		asked[id] = r.Parallelism
	}
	return asked, nil
}

// SetRequirements replaces what a job on the adaptive scheduler asks for; all
// vertices must be named. Flink answers before anything happens.
func (c *Client) SetRequirements(ctx context.Context, jobID string, asked map[string]Bounds) error {
	body := make(map[string]requirement, len(asked))
	for id, bounds := range asked {
		body[id] = requirement{bounds}
	}
	_, err := c.rest.Do(ctx, rest.Request{Method: http.MethodPut, Path: []string{"jobs", jobID, "resource-requirements"}, Body: body})
	return err
}

// IsJobUnknown tells whether Flink says that it knows no such job, in the way
// of the routes that answer it with 500.
func IsJobUnknown(err error) bool {
	var answer *rest.Error
	return IsNotFound(err) || errors.As(err, &answer) && answer.HasClass("FlinkJobNotFoundException")
}

// FreeSlots is how many slots of the cluster are free now.
func (c *Client) FreeSlots(ctx context.Context) (int64, error) {
	var overview overviewAnswer
	err := c.rest.Get(ctx, &overview, "overview")
	return overview.SlotsAvailable, err
}

// TriggerCheckpoint asks for a checkpoint now and returns the trigger.
func (c *Client) TriggerCheckpoint(ctx context.Context, jobID string) (string, error) {
	var answer struct {
		RequestID string `json:"request-id"`
	}
	body := struct {
		Type string `json:"checkpointType"`
	}{"CONFIGURED"}
	_, err := c.rest.Do(ctx, rest.Request{Method: http.MethodPost, Path: []string{"jobs", jobID, "checkpoints"}, Body: body, Out: &answer})
	return answer.RequestID, err
}

// CheckpointStatus reads the trigger of a checkpoint; see IsNotFound.
func (c *Client) CheckpointStatus(ctx context.Context, jobID, triggerID string) (*Trigger, error) {
	var answer triggerAnswer
	if err := c.rest.Get(ctx, &answer, "jobs", jobID, "checkpoints", triggerID); err != nil {
		return nil, err
	}
	return answer.trigger(), nil
}

// PlanVertices runs the program's main() without starting a job, and returns
// the parallelism of each vertex of the job that it would have started, by the
// ids that they would have.
func (c *Client) PlanVertices(ctx context.Context, jarID string, body RunRequest) (map[string]int64, error) {
	var answer struct {
		Plan struct {
			Nodes []struct {
				ID          string `json:"id"`
				Parallelism int64  `json:"parallelism"`
			} `json:"nodes"`
		} `json:"plan"`
	}
	request := rest.Request{
		Method: http.MethodPost, Path: []string{"jars", jarID, "plan"}, Body: body, Out: &answer, Timeout: rest.NoTimeout,
	}
	if _, err := c.rest.Do(ctx, request); err != nil {
		return nil, err
	}
	vertices := make(map[string]int64, len(answer.Plan.Nodes))
	for _, node := range answer.Plan.Nodes {
		vertices[node.ID] = node.Parallelism
	}
	return vertices, nil
}
