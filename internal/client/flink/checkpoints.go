// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink

import (
	"context"
	"slices"
)

// Checkpoints is the checkpoint history of a job, as far as it is needed.
type Checkpoints struct {
	Counts struct {
		Completed int64 `json:"completed"`
		Failed    int64 `json:"failed"`
		Restored  int64 `json:"restored"`
	} `json:"counts"`
	Latest struct {
		Completed *Checkpoint `json:"completed"`
		Savepoint *Checkpoint `json:"savepoint"`
		Restored  *Restored   `json:"restored"`
	} `json:"latest"`
	// History lists the newest ones of all kinds and ends, the newest first.
	History []Checkpoint `json:"history"`
}

// Stopping tells whether the savepoint of a stop is being taken.
func (c *Checkpoints) Stopping() bool {
	return slices.ContainsFunc(c.History, func(one Checkpoint) bool { return one.Status == "IN_PROGRESS" && one.OfStop() })
}

// Saving tells whether a savepoint of a job that goes on is being taken.
func (c *Checkpoints) Saving() bool {
	return slices.ContainsFunc(c.History, func(one Checkpoint) bool { return one.Status == "IN_PROGRESS" && one.Type == "SAVEPOINT" })
}

// Checkpoint is one checkpoint or savepoint, completed where it is a latest one.
type Checkpoint struct {
	ID            int64  `json:"id"`
	Status        string `json:"status"`
	Type          string `json:"checkpoint_type"`
	Path          string `json:"external_path"`
	TriggerTime   int64  `json:"trigger_timestamp"`
	LatestAckTime int64  `json:"latest_ack_timestamp"`
	Discarded     bool   `json:"discarded"`
}

// OfStop is true for the savepoint of a stop.
func (c *Checkpoint) OfStop() bool { return c.Type == "SYNC_SAVEPOINT" }

// Restored is what a job was started from.
type Restored struct {
	ID          int64  `json:"id"`
	Path        string `json:"external_path"`
	IsSavepoint bool   `json:"is_savepoint"`
	Timestamp   int64  `json:"restore_timestamp"`
}

// CheckpointConfig is how a job takes checkpoints.
type CheckpointConfig struct {
	Mode            string `json:"mode"`
	Interval        int64  `json:"interval"`
	Timeout         int64  `json:"timeout"`
	StateBackend    string `json:"state_backend"`
	Storage         string `json:"checkpoint_storage"`
	Externalization struct {
		Enabled              bool `json:"enabled"`
		DeleteOnCancellation bool `json:"delete_on_cancellation"`
	} `json:"externalization"`
}

// Disabled is true when the job takes no periodic checkpoints: Flink reports
// the largest 64-bit number as the interval.
func (c *CheckpointConfig) Disabled() bool { return c.Interval <= 0 || c.Interval >= 1<<62 }

// Checkpoints reads the checkpoint history of a job.
func (c *Client) Checkpoints(ctx context.Context, id string) (*Checkpoints, error) {
	var answer Checkpoints
	if err := c.rest.Get(ctx, &answer, "jobs", id, "checkpoints"); err != nil {
		return nil, err
	}
	return &answer, nil
}

// CheckpointConfig reads how a job takes checkpoints.
func (c *Client) CheckpointConfig(ctx context.Context, id string) (*CheckpointConfig, error) {
	var answer CheckpointConfig
	if err := c.rest.Get(ctx, &answer, "jobs", id, "checkpoints", "config"); err != nil {
		return nil, err
	}
	return &answer, nil
}
