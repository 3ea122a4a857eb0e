// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
)

// savepointTarget is where the savepoint of generation n goes, so that it can
// be found when Flink has forgotten both the trigger and the job.
func savepointTarget(directory, uid string, n int64) string {
	return plainDirectory(directory) + "/" + uid + "/" + strconv.FormatInt(n, 10)
}

// SavepointDirectory is the parent directory of savepoints: the policy's, else
// the cluster's default.
func (e *Engine) SavepointDirectory(ctx context.Context, policy Policy) (string, error) {
	if policy.SavepointDirectory != "" {
		return policy.SavepointDirectory, nil
	}
	cluster, err := e.directories(ctx)
	if err != nil {
		return "", err
	}
	if cluster.Savepoints == "" {
		return "", problemf(ProblemSavepointDirectory,
			"Set upgrade.savepoint_directory, or execution.checkpointing.savepoint-dir on the cluster.", nil,
			"there is no directory for the savepoint")
	}
	return cluster.Savepoints, nil
}

// stopWithSavepoint stops generation n and returns its savepoint's path. It
// first looks for what an interrupted apply triggered: one in progress is
// waited for, a completed one is used, a failed one is passed over.
func (e *Engine) stopWithSavepoint(ctx context.Context, rec Record, policy Policy) (string, error) {
	directory, err := e.SavepointDirectory(ctx, policy)
	if err != nil {
		return "", err
	}
	request := flink.StopRequest{
		TargetDirectory: savepointTarget(directory, rec.UID, rec.Generation),
		Drain:           policy.Drain,
		FormatType:      policy.Format,
	}
	strict, err := e.Client.Strict(ctx)
	if err != nil {
		return "", err
	}
	if strict {
		return e.stopUntriggered(ctx, rec, policy, request.TargetDirectory)
	}
	for k := int64(1); ; k++ {
		request.TriggerID = StopTrigger(rec.UID, rec.Generation, k)
		found := true
		trigger, err := e.Client.SavepointStatus(ctx, rec.JobID, request.TriggerID)
		if flink.IsNotFound(err) {
			found = false
			trigger, err = e.triggerStop(ctx, rec.JobID, request)
		}
		if err != nil {
			return "", err
		}
		trigger, err = e.waitTrigger(ctx, rec.JobID, request.TriggerID, trigger)
		if flink.IsNotFound(err) {
			trigger, err = e.forgottenStop(ctx, rec.JobID, request.TargetDirectory)
		}
		if err != nil {
			return "", err
		}
		location := trigger.Location
		if location == "" {
			location = locationInFailure(trigger.Failure)
		}
		if location == "" && found {
			continue
		}
		if location == "" {
			return "", e.stopFailed(ctx, rec.JobID, trigger.Failure)
		}
		ended, err := e.waitStopped(ctx, rec.JobID)
		if err != nil {
			return location, err
		}
		if ended {
			return location, nil
		}
		// The savepoint is complete but the job went on: a newer one is needed.
	}
}

// lastStop is the last stop that was sent to a job of ours, nil for none that
// Flink remembers.
func (e *Engine) lastStop(ctx context.Context, rec Record) (id string, stop *flink.Trigger, err error) {
	for k := int64(1); ; k++ {
		next := StopTrigger(rec.UID, rec.Generation, k)
		trigger, err := e.Client.SavepointStatus(ctx, rec.JobID, next)
		if flink.IsNotFound(err) {
			return id, stop, nil
		}
		if err != nil {
			return "", nil, err
		}
		id, stop = next, trigger
	}
}

// seenStop is the last stop that was sent to a live job of ours, nil for none.
func (e *Engine) seenStop(ctx context.Context, rec Record) (*flink.Trigger, error) {
	strict, err := e.Client.Strict(ctx)
	if err != nil {
		return nil, err
	}
	if strict {
		return e.seenUntriggered(ctx, rec)
	}
	_, stop, err := e.lastStop(ctx, rec)
	return stop, err
}

// awaitStop waits for the end of a stop that an interrupted apply sent, whatever
// comes of it: until then the job looks as if it went on.
func (e *Engine) awaitStop(ctx context.Context, rec Record) error {
	if rec.State == StateRunning || rec.State == StateInterrupted {
		if strict, err := e.Client.Strict(ctx); err != nil || strict {
			if err == nil {
				err = e.awaitLastUntriggered(ctx, rec)
			}
			return err
		}
	}
	id, stop, err := e.lastStop(ctx, rec)
	if err != nil || stop == nil {
		return err
	}
	stop, err = e.waitTrigger(ctx, rec.JobID, id, stop)
	if flink.IsNotFound(err) {
		return nil
	}
	if err != nil || stop.Location == "" {
		return err
	}
	_, err = e.waitStopped(ctx, rec.JobID)
	return err
}

// endsSoon gives a job whose stop is complete the moment that it takes to end.
func (e *Engine) endsSoon(ctx context.Context, jobID string) (bool, error) {
	for began := time.Now(); ; {
		state, known, err := e.Client.Status(ctx, jobID)
		if err != nil || !known || state.Terminal() {
			return err == nil, err
		}
		if time.Since(began) > e.Timing.Stable {
			return false, nil
		}
		if err := e.pause(ctx, began); err != nil {
			return false, err
		}
	}
}

// triggerStop sends the stop; a lost answer is no matter, since the trigger's
// id is ours.
func (e *Engine) triggerStop(ctx context.Context, jobID string, request flink.StopRequest) (*flink.Trigger, error) {
	_, err := e.Client.Stop(ctx, jobID, request)
	if err != nil && !rest.OutcomeUnknown(err) {
		return nil, err
	}
	if err == nil {
		return &flink.Trigger{InProgress: true}, nil
	}
	trigger, statusErr := e.Client.SavepointStatus(ctx, jobID, request.TriggerID)
	if flink.IsNotFound(statusErr) {
		// It was not executed: the same id can be sent again.
		if _, err = e.Client.Stop(ctx, jobID, request); err != nil {
			return nil, err
		}
		return &flink.Trigger{InProgress: true}, nil
	}
	return trigger, statusErr
}

func (e *Engine) waitTrigger(ctx context.Context, jobID, triggerID string, trigger *flink.Trigger) (*flink.Trigger, error) {
	began := time.Now()
	for trigger.InProgress {
		err := e.pause(ctx, began)
		if err == nil {
			trigger, err = e.Client.SavepointStatus(ctx, jobID, triggerID)
		}
		switch {
		case err != nil && ctx.Err() != nil:
			return nil, problemf(ProblemUnknownOutcome, "Apply again: the same savepoint is waited for. Raise timeouts if savepoints of this job take longer.",
				ended{ctx.Err()}, "the savepoint of job %s is still in progress (trigger %s)", jobID, triggerID)
		case err != nil:
			return nil, err
		}
	}
	return trigger, nil
}

// forgottenStop finds the savepoint of a stop that Flink has forgotten while it
// was waited for: the ended job tells of it, or the directory that was made for
// it.
func (e *Engine) forgottenStop(ctx context.Context, jobID, directory string) (*flink.Trigger, error) {
	state, known, err := e.Client.Status(ctx, jobID)
	if err != nil {
		return nil, err
	}
	if known && !state.Terminal() {
		return nil, problemf(ProblemUnknownOutcome, "Apply again: it is stopped anew.", nil, "Flink has forgotten the stop of job %s, which is %s", jobID, state)
	}
	if known {
		checkpoints, err := e.Client.Checkpoints(ctx, jobID)
		if err != nil && !flink.IsNotFound(err) {
			return nil, err
		}
		if err == nil && checkpoints.Latest.Savepoint != nil && within(checkpoints.Latest.Savepoint.Path, directory) {
			return &flink.Trigger{Location: checkpoints.Latest.Savepoint.Path}, nil
		}
	}
	if e.Probe != nil {
		path, _, found, err := e.Probe.Newest(ctx, directory)
		if err == nil && found {
			return &flink.Trigger{Location: path}, nil
		}
	}
	return nil, problemf(ProblemUnknownOutcome, "Apply again: the plan says where it goes on from.", nil,
		"job %s has ended, and Flink has forgotten the savepoint of its stop", jobID)
}

// within tells whether a path is below a directory.
func within(path, directory string) bool {
	return strings.HasPrefix(plainPath(path), plainPath(directory)+"/")
}

// completedInFailure is how Flink tells of a savepoint that was completed
// although the job then failed to stop. It is consistent and must be used.
var completedInFailure = regexp.MustCompile(`A savepoint has been created at: (\S+?),? `)

func locationInFailure(trace string) string {
	if match := completedInFailure.FindStringSubmatch(trace); match != nil {
		return match[1]
	}
	return ""
}

// waitStopped waits for the end of a job whose savepoint is complete. It tells
// false when the job is up again for good instead.
func (e *Engine) waitStopped(ctx context.Context, jobID string) (bool, error) {
	var upSince time.Time
	began := time.Now()
	for {
		job, err := e.Client.Summary(ctx, jobID)
		switch {
		case err != nil:
			return false, err
		case job == nil || job.State.Terminal():
			return true, nil
		}
		if job.AllUp() {
			if upSince.IsZero() {
				upSince = time.Now()
			}
			if time.Since(upSince) > 10*e.Timing.Stable+e.Timing.RestartGrace {
				return false, nil
			}
		} else {
			upSince = time.Time{}
		}
		if err := e.pause(ctx, began); err != nil {
			return false, fmt.Errorf("the savepoint is complete but the job is still %s: %w", job.State, err)
		}
	}
}

// stopFailed words a failure to stop; the job still runs.
func (e *Engine) stopFailed(ctx context.Context, jobID, trace string) error {
	cause := rest.RootCause(trace)
	job, err := e.Client.Summary(ctx, jobID)
	state := ""
	switch {
	case err == nil && job != nil && !job.AllUp():
		state = "is " + partly(job)
	case cause.Class == unreachable:
		// Flink misses a TaskManager only some time after that.
		state = "has a TaskManager that does not answer"
	}
	if state != "" {
		return problemf(ProblemRestarting,
			"A savepoint needs a job whose parts all run. Wait until it recovers, or choose upgrade.mode = \"last_state\" to go on from its newest checkpoint, or \"stateless\" to give up its state; on destroy, on_destroy = \"cancel\".",
			errors.New(cause.String()), "the job %s and takes no savepoint", state)
	}
	return problemf(ProblemSavepointDirectory,
		"The job still runs, unchanged. Check upgrade.savepoint_directory and that the cluster may write there, then apply again.",
		errors.New(cause.String()), "the savepoint failed")
}

// unreachable is what Flink throws for a TaskManager that is gone.
const unreachable = "RecipientUnreachableException"

// partly is a job's state, with how much of it runs: a job says RUNNING also
// while it waits for slots.
func partly(job *flink.JobSummary) string {
	if job.State != flink.Running {
		return string(job.State)
	}
	return fmt.Sprintf("%s in %d of %d parts", job.State, job.Tasks.Running, job.Tasks.Total)
}

// cancel cancels a job and waits for its end.
func (e *Engine) cancel(ctx context.Context, jobID string) error {
	if err := e.Client.Cancel(ctx, jobID); err != nil && !rest.OutcomeUnknown(err) && !flink.IsNotFound(err) {
		return err
	}
	return e.waitTerminal(ctx, jobID)
}
