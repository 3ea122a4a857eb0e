// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink

import (
	"context"
	"net/http"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
)

// SavepointFormat is CANONICAL or NATIVE.
type SavepointFormat string

// Canonical is the format that each version has.
const Canonical SavepointFormat = "CANONICAL"

// StopRequest is the body of a stop with savepoint.
type StopRequest struct {
	// TargetDirectory is the parent of the savepoint; Flink makes it when needed.
	TargetDirectory string          `json:"targetDirectory,omitempty"`
	Drain           bool            `json:"drain"`
	FormatType      SavepointFormat `json:"formatType,omitempty"`
	// TriggerID of 32 hex digits makes the call idempotent while Flink
	// remembers it. Flink 1.14 knows neither it nor FormatType; see Strict.
	TriggerID string `json:"triggerId,omitempty"`
}

// Stop triggers a stop with savepoint. Flink accepts it even for a job that it
// does not know: only the trigger's status tells.
func (c *Client) Stop(ctx context.Context, jobID string, body StopRequest) (string, error) {
	var answer struct {
		RequestID string `json:"request-id"`
	}
	_, err := c.rest.Do(ctx, rest.Request{Method: http.MethodPost, Path: []string{"jobs", jobID, "stop"}, Body: body, Out: &answer})
	return answer.RequestID, err
}

// SavepointRequest is the body of a savepoint of a job that goes on.
type SavepointRequest struct {
	// TargetDirectory is the parent of the savepoint; Flink makes it when needed.
	TargetDirectory string          `json:"target-directory,omitempty"`
	FormatType      SavepointFormat `json:"formatType,omitempty"`
	// TriggerID is as in StopRequest.
	TriggerID string `json:"triggerId,omitempty"`
}

// Savepoint triggers a savepoint. Like Stop, Flink accepts it even for a job
// that it does not know.
func (c *Client) Savepoint(ctx context.Context, jobID string, body SavepointRequest) (string, error) {
	var answer struct {
		RequestID string `json:"request-id"`
	}
	_, err := c.rest.Do(ctx, rest.Request{Method: http.MethodPost, Path: []string{"jobs", jobID, "savepoints"}, Body: body, Out: &answer})
	return answer.RequestID, err
}

// Trigger is how far a savepoint or a stop has come.
type Trigger struct {
	InProgress bool
	// Location is set when it was completed.
	Location string
	// Failure is the Java trace when it failed.
	Failure string
}

type triggerAnswer struct {
	Status struct {
		ID string `json:"id"`
	} `json:"status"`
	Operation *struct {
		Location string `json:"location"`
		Failure  *struct {
			Class string `json:"class"`
			Trace string `json:"stack-trace"`
		} `json:"failure-cause"`
	} `json:"operation"`
}

func (a *triggerAnswer) trigger() *Trigger {
	trigger := &Trigger{InProgress: a.Status.ID != "COMPLETED"}
	if a.Operation == nil {
		return trigger
	}
	trigger.Location = a.Operation.Location
	if a.Operation.Failure != nil {
		trigger.Failure = a.Operation.Failure.Trace
		if trigger.Failure == "" {
			trigger.Failure = a.Operation.Failure.Class
		}
	}
	return trigger
}

// SavepointStatus reads a trigger; see IsNotFound. Flink forgets a completed
// one after minutes.
func (c *Client) SavepointStatus(ctx context.Context, jobID, triggerID string) (*Trigger, error) {
	var answer triggerAnswer
	if err := c.rest.Get(ctx, &answer, "jobs", jobID, "savepoints", triggerID); err != nil {
		return nil, err
	}
	return answer.trigger(), nil
}

// DisposeSavepoint asks for a savepoint's deletion and returns the trigger.
func (c *Client) DisposeSavepoint(ctx context.Context, location string) (string, error) {
	var answer struct {
		RequestID string `json:"request-id"`
	}
	body := struct {
		Path string `json:"savepoint-path"`
	}{location}
	_, err := c.rest.Do(ctx, rest.Request{Method: http.MethodPost, Path: []string{"savepoint-disposal"}, Body: body, Out: &answer})
	return answer.RequestID, err
}

// DisposalStatus reads a disposal.
func (c *Client) DisposalStatus(ctx context.Context, triggerID string) (*Trigger, error) {
	var answer triggerAnswer
	if err := c.rest.Get(ctx, &answer, "savepoint-disposal", triggerID); err != nil {
		return nil, err
	}
	return answer.trigger(), nil
}
