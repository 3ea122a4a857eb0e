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
// so. A job that says RUNNING is not there yet, and refuses savepoints. It
// returns the last state seen.
func (e *Engine) waitUp(ctx context.Context, jobID string) (flink.JobState, error) {
	var upSince, failingSince time.Time
	began := time.Now()
	for {
		// The list, since a job's own page may be seconds old.
		job, err := e.Client.Summary(ctx, jobID)
		if err != nil {
			return "", err
		}
		if job == nil {
			return "", errVanished
		}
		switch job.State { //nolint:exhaustive // the others are on the way
		case flink.Finished:
			return job.State, nil
		case flink.Failed:
			return job.State, e.failureOf(ctx, jobID)
		case flink.Canceled:
			return job.State, errors.New("the job was cancelled by someone else while it started")
		case flink.Restarting, flink.Failing:
			if failingSince.IsZero() {
				failingSince = time.Now()
			}
		}
		if !failingSince.IsZero() && time.Since(failingSince) > e.Timing.RestartGrace {
			return job.State, &restarting{cause: e.failureOf(ctx, jobID)}
		}
		if !job.AllUp() {
			upSince = time.Time{}
		} else if upSince.IsZero() {
			// Whether it stays so is looked at closely again.
			upSince, began = time.Now(), time.Now()
		}
		if !upSince.IsZero() && time.Since(upSince) >= e.Timing.Stable {
			return job.State, nil
		}
		if err := e.pause(ctx, began); err != nil {
			return job.State, fmt.Errorf("the job is %s and not all of its parts run yet: %w", job.State, err)
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
		trace, err := e.Client.FailureCause(ctx, jobID)
		if err != nil || trace == "" {
			return errors.New("the job failed and tells no exception")
		}
		return &failure{cause: rest.RootCause(trace), trace: trace}
	}
	return &failure{cause: rest.RootCause(failures[0].Trace), trace: failures[0].Trace}
}

// waitTerminal waits until a job has ended, or is not known any more.
func (e *Engine) waitTerminal(ctx context.Context, jobID string) error {
	began := time.Now()
	for {
		state, known, err := e.Client.Status(ctx, jobID)
		if err != nil {
			return err
		}
		if !known || state.Terminal() {
			return nil
		}
		if err := e.pause(ctx, began); err != nil {
			return fmt.Errorf("the job is %s and has not ended: %w", state, err)
		}
	}
}

// cacheLimit is how long Flink's cache is waited for; its own limit is
// web.refresh-interval, three seconds by default.
const cacheLimit = 30 * time.Second

// settled reads a job with its state as it is now. When it has ended, it waits
// until Flink's cache has caught up, so that what is read of its checkpoints
// next is final.
func (e *Engine) settled(ctx context.Context, jobID string) (*flink.Job, error) {
	for began := time.Now(); ; {
		job, err := e.Client.Job(ctx, jobID)
		if err != nil || job.State.Terminal() {
			return job, err
		}
		state, known, err := e.Client.Status(ctx, jobID)
		if err != nil {
			return nil, err
		}
		if known && (!state.Terminal() || time.Since(began) > cacheLimit) {
			job.State = state
			return job, nil
		}
		if err := e.pause(ctx, began); err != nil {
			return nil, err
		}
	}
}
