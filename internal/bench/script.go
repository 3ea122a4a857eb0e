// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"fmt"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/jobs"
)

// scriptPoll is how often the script looks: as often as somebody writes who
// cares about the pause, and more often than most do.
const scriptPoll = 100 * time.Millisecond

// script upgrades a job with nothing but the REST calls that this takes, in
// the best order: the new jar is there before the old job stops.
type script struct {
	api
	job  string
	last string
}

// next is the first start or an upgrade, to a jar with this content.
func (s *script) next(ctx context.Context, jar []byte, name string) (before, after string, err error) {
	id, err := s.upload(ctx, name, jar)
	if err != nil {
		return "", "", err
	}
	run := map[string]any{
		"entryClass": jobs.Counter, "programArgsList": programArgs,
		"flinkConfiguration": map[string]string{
			"pipeline.name": s.job, "execution.checkpointing.interval": checkpointInterval,
			"execution.checkpointing.externalized-checkpoint-retention": "RETAIN_ON_CANCELLATION",
		},
	}
	before = s.last
	if before != "" {
		savepoint, err := s.stop(ctx, before)
		if err != nil {
			return "", "", err
		}
		run["savepointPath"] = savepoint
	}
	var started struct{ JobID string }
	if err := s.post(ctx, "/jars/"+id+"/run", run, &started); err != nil {
		return "", "", err
	}
	s.last = started.JobID
	return before, s.last, s.waitRunning(ctx, s.last)
}

// stop returns where the savepoint is.
func (s *script) stop(ctx context.Context, job string) (string, error) {
	var trigger struct {
		ID string `json:"request-id"`
	}
	if err := s.post(ctx, "/jobs/"+job+"/stop", map[string]any{"drain": false}, &trigger); err != nil {
		return "", err
	}
	for {
		var status struct {
			Status    struct{ ID string }
			Operation struct {
				Location string
				Cause    any `json:"failure-cause"`
			}
		}
		if err := s.get(ctx, &status, "/jobs/"+job+"/savepoints/"+trigger.ID); err != nil {
			return "", err
		}
		if status.Status.ID == "COMPLETED" {
			if status.Operation.Location == "" {
				return "", fmt.Errorf("stop of job %s: %v", job, status.Operation.Cause)
			}
			return status.Operation.Location, nil
		}
		if err := sleep(ctx, scriptPoll); err != nil {
			return "", err
		}
	}
}

// waitRunning waits until all of a job runs.
func (s *script) waitRunning(ctx context.Context, id string) error {
	for {
		var overview struct {
			Jobs []struct {
				JID   string
				State string
				Tasks struct{ Total, Running int }
			}
		}
		if err := s.get(ctx, &overview, "/jobs/overview"); err != nil {
			return err
		}
		for _, job := range overview.Jobs {
			switch {
			case job.JID != id:
			case job.State == "FAILED":
				return fmt.Errorf("job %s failed", id)
			case job.State == "RUNNING" && job.Tasks.Total > 0 && job.Tasks.Running == job.Tasks.Total:
				return nil
			}
		}
		if err := sleep(ctx, scriptPoll); err != nil {
			return err
		}
	}
}
