// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
)

// SavepointOrder is a savepoint that is to be taken of a job that goes on.
type SavepointOrder struct {
	JobID string
	// Trigger is the user's word for this one savepoint.
	Trigger string
	// Directory is its parent, empty for the cluster's default.
	Directory string
	Format    flink.SavepointFormat
}

// TakenSavepoint is a savepoint that is complete.
type TakenSavepoint struct {
	Path string
	At   time.Time
}

// adoptable is how old a complete savepoint may be that is taken for the one
// of an interrupted create. That it belongs to an earlier life of the resource,
// which ended without deleting it, looks the same: to take one too many is
// better than to hand out an old one as new.
const adoptable = 15 * time.Minute

// attempts bounds the walk over the trigger ids of one order.
const attempts = 1000

// SavepointFamily identifies the savepoints of an owner's resources for one
// job. All of them lie in one directory, so that one look tells which is the
// newest.
func SavepointFamily(owner, endpoint, jobID string) string {
	return Hash("v1", owner, endpoint, "streaming_flink_savepoint", jobID)
}

// SavepointTrigger is the id of the k-th attempt, from 1, to take a savepoint.
// Its directory has the same name.
func SavepointTrigger(family string, order SavepointOrder, k int64) string {
	return Hash(family, order.Trigger, string(order.Format), "savepoint", strconv.FormatInt(k, 10))
}

// TakeSavepoint takes a savepoint without stopping the job. What an
// interrupted call began is found again: by the trigger's derived id while
// Flink knows it, then by its directory, whose name is that id.
func (e *Engine) TakeSavepoint(ctx context.Context, order SavepointOrder, claims *SavepointClaims) (TakenSavepoint, error) {
	family := SavepointFamily(e.Owner, e.Client.Endpoint(), order.JobID)
	directory, err := e.SavepointDirectory(ctx, Policy{SavepointDirectory: order.Directory})
	if err != nil {
		return TakenSavepoint{}, directoryProblem(err)
	}
	parent := plainDirectory(directory) + "/" + family
	for k := int64(1); k <= attempts; k++ {
		id := SavepointTrigger(family, order, k)
		if !claims.claim(id) {
			continue
		}
		found, err := e.begunSavepoint(ctx, order.JobID, id, parent)
		if err != nil {
			return TakenSavepoint{}, err
		}
		switch {
		case found.taken.Path != "":
			e.warnf("A savepoint that was taken before is used",
				"Savepoint %s of job %s was complete before this apply began: an earlier one that was interrupted took it. "+
					"If a newer one is wanted, change trigger to a value that was not used before.", found.taken.Path, order.JobID)
			claims.keep(found.taken.Path)
			return found.taken, nil
		case found.used:
			continue
		}
		taken, err := e.triggerSavepoint(ctx, order, id, parent+"/"+id)
		if err == nil {
			claims.keep(taken.Path)
		}
		return taken, err
	}
	return TakenSavepoint{}, problemf(ProblemOther, "Change trigger.", nil, "%d savepoints of this job and trigger exist already", attempts)
}

// foundSavepoint is what there is under a trigger's id.
type foundSavepoint struct {
	taken TakenSavepoint
	// used is true for an id that cannot be used any more.
	used bool
}

// begunSavepoint looks for what an interrupted create began under a trigger id:
// one in progress is waited for, a complete one is taken unless something newer
// says that its time is over, a failed one is passed over.
func (e *Engine) begunSavepoint(ctx context.Context, jobID, id, parent string) (foundSavepoint, error) {
	trigger, err := e.Client.SavepointStatus(ctx, jobID, id)
	if err == nil && trigger.InProgress {
		taken, err := e.awaitSavepoint(ctx, jobID, id, parent+"/"+id, trigger)
		return foundSavepoint{taken: taken}, err
	}
	if err != nil && !flink.IsNotFound(err) {
		return foundSavepoint{}, err
	}
	known := err == nil
	if known && trigger.Location == "" {
		return foundSavepoint{used: true}, nil
	}
	own, err := e.newestIn(ctx, parent+"/"+id)
	if err != nil {
		return foundSavepoint{}, err
	}
	switch {
	case known && !own.looked:
		return foundSavepoint{taken: TakenSavepoint{Path: trigger.Location, At: time.Now()}}, nil
	case own.Path == "":
		// Of a known trigger: it was disposed of since.
		return foundSavepoint{used: known}, nil
	}
	newest, err := e.newestIn(ctx, parent)
	if err != nil {
		return foundSavepoint{}, err
	}
	if newest.Path != "" && !samePath(newest.Path, own.Path) || time.Since(own.At) > adoptable {
		return foundSavepoint{used: true}, nil
	}
	return foundSavepoint{taken: own.TakenSavepoint}, nil
}

// onDisk is the newest savepoint of a directory.
type onDisk struct {
	TakenSavepoint

	// looked is false where the cluster cannot look at the directory.
	looked bool
}

// newestIn asks the probe.
func (e *Engine) newestIn(ctx context.Context, directory string) (onDisk, error) {
	if e.Probe == nil {
		return onDisk{}, nil
	}
	path, at, _, err := e.Probe.Newest(ctx, directory)
	switch {
	case err == nil:
		return onDisk{TakenSavepoint: TakenSavepoint{Path: path, At: at}, looked: true}, nil
	case Unreachable(err):
		return onDisk{}, err
	}
	return onDisk{}, nil
}

// Unreachable tells whether a question to the probe failed because the cluster
// did not answer it, rather than for the sake of a file system.
func Unreachable(err error) bool {
	if answer, ok := errors.AsType[*rest.Error](err); ok {
		return !answer.Engine || answer.LeaderElection()
	}
	_, broken := errors.AsType[*rest.TransportError](err)
	_, other := errors.AsType[*rest.NotAPIError](err)
	return broken || other || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

func (e *Engine) triggerSavepoint(ctx context.Context, order SavepointOrder, id, target string) (TakenSavepoint, error) {
	if err := e.waitReady(ctx, order.JobID); err != nil {
		return TakenSavepoint{}, err
	}
	strict, err := e.Client.Strict(ctx)
	if err != nil {
		return TakenSavepoint{}, err
	}
	if strict {
		return e.takeUntriggered(ctx, order, target)
	}
	request := flink.SavepointRequest{TargetDirectory: target, FormatType: order.Format, TriggerID: id}
	for sent := 1; ; sent++ {
		_, err := e.Client.Savepoint(ctx, order.JobID, request)
		if err != nil && !rest.OutcomeUnknown(err) {
			return TakenSavepoint{}, err
		}
		trigger := &flink.Trigger{InProgress: true}
		if err != nil {
			// A lost answer is no matter: the trigger's id is ours.
			trigger, err = e.Client.SavepointStatus(ctx, order.JobID, id)
		}
		if flink.IsNotFound(err) && sent == 1 {
			// It was not executed, and can be sent again.
			continue
		}
		if err != nil {
			return TakenSavepoint{}, err
		}
		return e.awaitSavepoint(ctx, order.JobID, id, target, trigger)
	}
}

// awaitSavepoint waits for a trigger's end. Where the JobManager forgot it
// meanwhile, the directory tells what came of it.
func (e *Engine) awaitSavepoint(ctx context.Context, jobID, id, target string, trigger *flink.Trigger) (TakenSavepoint, error) {
	trigger, err := e.waitTrigger(ctx, jobID, id, trigger)
	if flink.IsNotFound(err) {
		own, probeErr := e.newestIn(ctx, target)
		if probeErr != nil || own.Path != "" {
			return own.TakenSavepoint, probeErr
		}
		return TakenSavepoint{}, problemf(ProblemUnknownOutcome, "Apply again when the job runs again.", nil,
			"the JobManager forgot the savepoint of job %s while it was waited for; it was probably restarted", jobID)
	}
	switch {
	case err != nil:
		return TakenSavepoint{}, err
	case trigger.Location == "":
		return TakenSavepoint{}, savepointFailed(jobID, trigger.Failure)
	}
	return TakenSavepoint{Path: trigger.Location, At: time.Now()}, nil
}

// waitReady waits, not for long, until a job can take a savepoint.
func (e *Engine) waitReady(ctx context.Context, jobID string) error {
	for began := time.Now(); ; {
		job, err := e.Client.Summary(ctx, jobID)
		switch {
		case err != nil:
			return err
		case job == nil:
			return problemf(ProblemJob, "Set job_id to the id of a job that runs, such as streaming_flink_job.orders.job_id. Flink forgets all jobs when it restarts without high availability.", nil,
				"Flink knows no job %s", jobID)
		case job.AllUp():
			return nil
		case job.State.Terminal(), time.Since(began) > e.Timing.RestartGrace:
			return e.notReady(ctx, job)
		}
		if err := e.pause(ctx, began); err != nil {
			return problemf(ProblemJob, "Apply again when the job is up, or raise timeouts.create.", err, "job %s (%s) is %s and not up yet", job.Name, job.ID, job.State)
		}
	}
}

// notReady words a job that takes no savepoint, with the reason if it failed.
func (e *Engine) notReady(ctx context.Context, job *flink.JobSummary) error {
	var cause error
	advice := "A savepoint needs a job whose parts all run. Start it, or wait until it is up, and apply again."
	if job.State == flink.Failed || job.State == flink.Failing || job.State == flink.Restarting {
		cause = e.failureOf(ctx, job.ID)
		advice = "A savepoint needs a job whose parts all run. Mend the job first."
	}
	return problemf(ProblemJob, advice, cause, "job %s (%s) is %s and takes no savepoint", job.Name, job.ID, job.State)
}

// savepointFailed words a savepoint that came to nothing; the job goes on.
func savepointFailed(jobID, trace string) error {
	cause := errors.New(rest.RootCause(trace).String())
	if rest.HasClass(trace, "FlinkJobNotFoundException") || strings.Contains(trace, "Not all required tasks") || strings.Contains(trace, "not being executed") ||
		strings.Contains(trace, "is suspending") {
		return problemf(ProblemJob, "A savepoint needs a job whose parts all run. Wait until it is up and apply again.", cause, "job %s takes no savepoint now", jobID)
	}
	return problemf(ProblemSavepointDirectory, "The job runs on, unchanged. Check the directory and that the cluster may write there, then apply again.", cause, "the savepoint failed")
}

// directoryProblem words a missing directory for a savepoint of its own.
func directoryProblem(err error) error {
	if problem, ok := errors.AsType[*Error](err); ok && problem.Problem == ProblemSavepointDirectory {
		return problemf(ProblemSavepointDirectory, "Set directory, or execution.checkpointing.savepoint-dir on the cluster.", nil, "there is no directory for the savepoint")
	}
	return err
}
