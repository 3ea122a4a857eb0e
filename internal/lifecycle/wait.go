// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
)

// errVanished means that Flink forgot a job while it was waited for, which
// only a restart of the JobManager does.
var errVanished = errors.New("the JobManager does not know the job any more; it was restarted meanwhile")

// waitUp waits until all parts of a job run, or have done their work, and stay
// so. A job that says RUNNING is not there yet, and refuses savepoints.
func (e *Engine) waitUp(ctx context.Context, jobID string) (*flink.Job, error) {
	var upSince, failingSince time.Time
	var restarts int64
	for {
		job, err := e.Client.Job(ctx, jobID)
		switch {
		case flink.IsNotFound(err):
			return nil, errVanished
		case err != nil:
			return nil, err
		}
		switch job.State {
		case flink.Finished:
			return job, nil
		case flink.Failed:
			return job, e.failureOf(ctx, jobID)
		case flink.Canceled:
			return job, errors.New("the job was cancelled by someone else while it started")
		}
		// Flink counts nothing readable: the time of the last restart tells that there was one.
		if last := job.Timestamps[string(flink.Restarting)]; last != restarts || job.State == flink.Restarting || job.State == flink.Failing {
			restarts, upSince = last, time.Time{}
			if failingSince.IsZero() {
				failingSince = time.Now()
			}
		}
		if !failingSince.IsZero() && time.Since(failingSince) > e.Timing.RestartGrace {
			return job, &restarting{cause: e.failureOf(ctx, jobID)}
		}
		if job.State == flink.Running && job.AllVerticesUp() {
			if upSince.IsZero() {
				upSince = time.Now()
			}
			if time.Since(upSince) >= e.Timing.Stable {
				return job, nil
			}
		} else {
			upSince = time.Time{}
		}
		if err := e.pause(ctx); err != nil {
			return job, fmt.Errorf("the job is %s and not all of its parts run yet: %w", job.State, err)
		}
	}
}

// restarting is a job that fails and restarts over and over.
type restarting struct{ cause error }

func (r *restarting) Error() string { return "it fails and restarts over and over: " + r.cause.Error() }
func (r *restarting) Unwrap() error { return r.cause }

// failureOf reads why a job failed.
func (e *Engine) failureOf(ctx context.Context, jobID string) error {
	failures, err := e.Client.Failures(ctx, jobID)
	if err != nil {
		return fmt.Errorf("the job failed, and its exceptions cannot be read: %w", err)
	}
	if len(failures) == 0 {
		return errors.New("the job failed and tells no exception")
	}
	return &failure{cause: rest.RootCause(failures[0].Trace), trace: failures[0].Trace}
}

// waitTerminal waits until a job has ended.
func (e *Engine) waitTerminal(ctx context.Context, jobID string) (*flink.Job, error) {
	for {
		job, err := e.Client.Job(ctx, jobID)
		if err != nil {
			return nil, err
		}
		if job.State.Terminal() {
			return job, nil
		}
		if err := e.pause(ctx); err != nil {
			return job, fmt.Errorf("the job is %s and has not ended: %w", job.State, err)
		}
	}
}
