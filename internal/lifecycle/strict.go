// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/pyflink"
)

// Flink 1.14 takes the id of a job, and little else: no configuration, so that a
// job has no marker unless its program shows one (see JarProgram.Show), no claim
// mode, and no id of a stop. Its jobs are found by their derived ids alone. What a job that was found
// runs is not known, as for a program that overwrites its marker, and so it is
// started again, with its state. A stop is known by what it does: the savepoint
// that the job is taking, or took, and the directory that this resource gives it.
// A second stop beside one in progress is never sent: 1.14 lets the task fail
// for it.

// Unkept is something that a configuration asks for and a cluster cannot keep.
type Unkept struct {
	// Attribute is the path of the attribute, its steps in order.
	Attribute []string
	Problem   Problem
	Summary   string
	// Advice says why, and what to do.
	Advice string
}

// NotKept lists what a strict cluster of a version cannot keep of a job that is
// submitted to it. Flink's own defaults are no such thing.
func NotKept(version string, spec Spec, policy Policy) []Unkept {
	var found []Unkept
	add := func(attribute, what string, problem Problem, advice string) {
		found = append(found, Unkept{
			Attribute: []string{attribute}, Problem: problem, Advice: advice, Summary: fmt.Sprintf("Flink %s takes no %s with a job", version, what),
		})
	}
	const why = "The REST API of Flink 1.14 starts a job without any configuration of its own. "
	if len(spec.Configuration) > 0 {
		add("configuration", "configuration", ProblemConfiguration,
			why+"Let the program set what it needs, or set it in the cluster's flink-conf.yaml, and remove configuration here; or move to a newer Flink.")
	}
	if spec.MaxParallelism > 0 {
		add("max_parallelism", "maximum parallelism", ProblemOther,
			why+"Let the program call setMaxParallelism, or set pipeline.max-parallelism in the cluster's flink-conf.yaml, and remove max_parallelism here; or move to a newer Flink.")
	}
	if _, keeps := spec.Program.(BundleKeeper); !keeps && (spec.Bundle.SHA256 != "" || spec.Bundle.ID != "") {
		add("bundle", "Python bundle", ProblemBundle,
			why+"The files of a bundle travel in it, as python.files. Let the program's own arguments name the files, or move to a newer Flink.")
	}
	if len(spec.Python.Render(pyflink.Bundle{})) > 0 {
		add("python", "options of Python", ProblemOther,
			why+"Options of Python are part of that. Let the program set them, or set them in the cluster's flink-conf.yaml, and remove python here; or move to a newer Flink.")
	}
	if policy.Format != "" && policy.Format != flink.Canonical {
		found = append(found, Unkept{
			Attribute: []string{"upgrade", "savepoint_format"}, Problem: ProblemFormat,
			Summary: fmt.Sprintf("Flink %s has no other savepoint format than CANONICAL", version),
			Advice:  AdviceFormat,
		})
	}
	return found
}

// AdviceFormat is what to do about the format of a savepoint of a strict cluster.
const AdviceFormat = "Formats came with Flink 1.15. Remove the format here, or move to a newer Flink."

// throughREST is a program that the JobManager starts by itself.
type throughREST interface{ throughREST() }

// keepable makes sure that nothing is left out of a submission that somebody
// asked for. A plan says so before, where it can ask the cluster.
func (e *Engine) keepable(ctx context.Context, s start) error {
	if _, ok := s.spec.Program.(throughREST); !ok {
		return nil
	}
	if strict, err := e.Client.Strict(ctx); err != nil || !strict {
		return err
	}
	version, err := e.Client.Version(ctx)
	if err != nil {
		return err
	}
	for _, unkept := range NotKept(version, s.spec, s.policy) {
		return problemf(unkept.Problem, unkept.Advice+" Nothing was started.", nil, "%s", unkept.Summary)
	}
	return nil
}

// stopUntriggered stops a job of a strict cluster and returns its savepoint's
// path. A stop that an interrupted apply sent is waited for, and one whose
// answer was lost is sent again only when it is sure that it did not arrive.
func (e *Engine) stopUntriggered(ctx context.Context, rec Record, policy Policy, target string) (string, error) {
	request := flink.StopRequest{TargetDirectory: target, Drain: policy.Drain}
	for lost := 0; ; {
		location, ended, err := e.awaitUntriggered(ctx, rec, policy, target)
		if err != nil || ended {
			return location, err
		}
		id, err := e.Client.Stop(ctx, rec.JobID, request)
		if rest.OutcomeUnknown(err) && lost < lostStops {
			lost++
			continue
		}
		if err != nil {
			return "", err
		}
		trigger, err := e.waitTrigger(ctx, rec.JobID, id, &flink.Trigger{InProgress: true})
		if flink.IsNotFound(err) {
			trigger, err = e.forgottenStop(ctx, rec.JobID, target)
		}
		if err != nil {
			return "", err
		}
		location = cmp.Or(trigger.Location, locationInFailure(trigger.Failure))
		if location == "" {
			return "", e.stopFailed(ctx, rec.JobID, trigger.Failure)
		}
		if ended, err = e.waitStopped(ctx, rec.JobID); err != nil || ended {
			return location, err
		}
		// The savepoint is complete but the job went on: a newer one is needed.
	}
}

// lostStops is how often a stop is sent again whose answer was lost.
const lostStops = 2

// awaitUntriggered waits for the end of a stop that was sent to a job of a strict
// cluster, if there is one. ended is true when the job is over, with the
// savepoint that it was stopped with.
func (e *Engine) awaitUntriggered(ctx context.Context, rec Record, policy Policy, target string) (location string, ended bool, err error) {
	jobID := rec.JobID
	// What Flink shows may be from before the stop.
	if err := e.outdate(ctx); err != nil {
		return "", false, err
	}
	for began := time.Now(); ; {
		checkpoints, err := e.Client.Checkpoints(ctx, jobID)
		if err != nil && !flink.IsNotFound(err) {
			return "", false, err
		}
		unknown := err != nil
		state, known, err := e.Client.Status(ctx, jobID)
		if err != nil {
			return "", false, err
		}
		switch {
		case unknown || !known || state.Terminal():
			location, err := e.savepointOfEnd(ctx, rec, policy, state, target)
			return location, true, err
		case checkpoints.Stopping():
		case stoppedInto(checkpoints, target):
			if ends, err := e.waitStopped(ctx, jobID); err != nil || !ends {
				return "", false, err
			}
		default:
			return "", false, nil
		}
		if err := e.pause(ctx, began); err != nil {
			return "", false, problemf(ProblemUnknownOutcome, "Apply again: the same savepoint is waited for. Raise timeouts if savepoints of this job take longer.",
				err, "the savepoint of job %s is still in progress", jobID)
		}
	}
}

// stoppedInto tells whether the newest savepoint of a job is that of a stop into
// a directory.
func stoppedInto(checkpoints *flink.Checkpoints, target string) bool {
	savepoint := checkpoints.Latest.Savepoint
	return savepoint != nil && savepoint.OfStop() && within(savepoint.Path, target)
}

// savepointOfEnd is the savepoint with which a job was stopped that has ended.
func (e *Engine) savepointOfEnd(ctx context.Context, rec Record, policy Policy, state flink.JobState, target string) (string, error) {
	jobID := rec.JobID
	if state == flink.Finished {
		checkpoints, err := e.finalCheckpoints(ctx, jobID)
		if err != nil && !flink.IsNotFound(err) {
			return "", err
		}
		if err == nil && stoppedInto(checkpoints, target) {
			return checkpoints.Latest.Savepoint.Path, nil
		}
	}
	if !state.Terminal() {
		// A job may go on after a stop, and then has newer checkpoints.
		if newest := e.newestOnDisk(ctx, rec, policy, rec.Generation); newest.Searched && within(newest.Path, target) {
			return newest.Path, nil
		}
	}
	return "", problemf(ProblemUnknownOutcome, "Apply again: the plan says where it goes on from.", nil,
		"job %s has ended before it was stopped", jobID)
}

// seenUntriggered is what is seen of a stop of a job that runs, nil for none.
// What Flink shows may be from before the stop, but the directory that it is sent
// to is made at once: only where that is there, or cannot be looked for, is it
// worth the time that it takes until Flink looks again.
func (e *Engine) seenUntriggered(ctx context.Context, rec Record) (*flink.Trigger, error) {
	begun, err := e.mayBeStopping(ctx, rec)
	if err == nil && begun {
		err = e.outdate(ctx)
	}
	if err != nil {
		return nil, err
	}
	return e.lastUntriggered(ctx, rec)
}

func (e *Engine) mayBeStopping(ctx context.Context, rec Record) (bool, error) {
	if e.Probe == nil {
		return true, nil
	}
	cluster, err := e.directories(ctx)
	if err != nil {
		return false, err
	}
	for _, directory := range stopDirectories(cluster, rec.SavepointDirectory, rec.UID, rec.Generation) {
		if there, err := e.Probe.Exists(ctx, directory); err != nil || there {
			return true, nil //nolint:nilerr // what the probe cannot look at may be there
		}
	}
	return false, nil
}

// lastUntriggered is what is seen of a stop of a job of a strict cluster, nil for
// none.
func (e *Engine) lastUntriggered(ctx context.Context, rec Record) (*flink.Trigger, error) {
	checkpoints, err := e.Client.Checkpoints(ctx, rec.JobID)
	switch {
	case flink.IsNotFound(err):
		return nil, nil //nolint:nilnil // absence is an answer here
	case err != nil:
		return nil, err
	case checkpoints.Stopping():
		return &flink.Trigger{InProgress: true}, nil
	}
	savepoint := checkpoints.Latest.Savepoint
	if savepoint != nil && savepoint.OfStop() && strings.Contains(savepoint.Path, savepointTarget("", rec.UID, rec.Generation)+"/") {
		return &flink.Trigger{Location: savepoint.Path}, nil
	}
	return nil, nil //nolint:nilnil // absence is an answer here
}

// awaitLastUntriggered waits for the end of a stop that an interrupted apply
// sent, whatever comes of it.
func (e *Engine) awaitLastUntriggered(ctx context.Context, rec Record) error {
	state, known, err := e.Client.Status(ctx, rec.JobID)
	if err != nil || !known || state.Terminal() {
		return err
	}
	if err := e.outdate(ctx); err != nil {
		return err
	}
	for began := time.Now(); ; {
		stop, err := e.lastUntriggered(ctx, rec)
		if err != nil || stop == nil {
			return err
		}
		if !stop.InProgress {
			_, err := e.endsSoon(ctx, rec.JobID)
			return err
		}
		if err := e.pause(ctx, began); err != nil {
			return problemf(ProblemUnknownOutcome, "Apply again: the same savepoint is waited for. Raise timeouts if savepoints of this job take longer.",
				err, "the savepoint of job %s is still in progress", rec.JobID)
		}
	}
}

// takeUntriggered takes a savepoint of a job of a strict cluster. One that an
// interrupted apply began, or whose answer was lost, is known by its directory.
func (e *Engine) takeUntriggered(ctx context.Context, order SavepointOrder, target string) (TakenSavepoint, error) {
	if order.Format != "" && order.Format != flink.Canonical {
		return TakenSavepoint{}, problemf(ProblemFormat, AdviceFormat, nil, "Flink 1.14 has no other savepoint format than CANONICAL")
	}
	for lost := 0; ; lost++ {
		if err := e.awaitSaving(ctx, order.JobID); err != nil {
			return TakenSavepoint{}, err
		}
		own, err := e.newestIn(ctx, target)
		if err != nil || own.Path != "" {
			return own.TakenSavepoint, err
		}
		id, err := e.Client.Savepoint(ctx, order.JobID, flink.SavepointRequest{TargetDirectory: target})
		if rest.OutcomeUnknown(err) && lost < lostStops {
			continue
		}
		if err != nil {
			return TakenSavepoint{}, err
		}
		return e.awaitSavepoint(ctx, order.JobID, id, target, &flink.Trigger{InProgress: true})
	}
}

// awaitSaving waits until no savepoint of a job is being taken any more.
func (e *Engine) awaitSaving(ctx context.Context, jobID string) error {
	if err := e.outdate(ctx); err != nil {
		return err
	}
	for began := time.Now(); ; {
		checkpoints, err := e.Client.Checkpoints(ctx, jobID)
		switch {
		case flink.IsNotFound(err):
			return nil
		case err != nil || !checkpoints.Saving():
			return err
		}
		if err := e.pause(ctx, began); err != nil {
			return problemf(ProblemUnknownOutcome, "Apply again: it is waited for.", err, "a savepoint of job %s is still in progress", jobID)
		}
	}
}

// refusesOthersOnly tells whether a job that was refused because its id is taken
// is never the second one of its own program: a strict cluster takes that for
// the first one and reports nothing.
func (e *Engine) refusesOthersOnly(ctx context.Context) bool {
	strict, err := e.Client.Strict(ctx)
	return err != nil || strict
}

// stopDirectories are where a generation's stop puts its savepoint. On a strict
// cluster nothing else tells it, so that a generation whose directory is there
// is not free.
func stopDirectories(cluster flink.Directories, configured, uid string, n int64) []string {
	var directories []string
	for _, directory := range []string{configured, cluster.Savepoints} {
		if directory != "" {
			directories = append(directories, savepointTarget(directory, uid, n))
		}
	}
	return directories
}

// adoptsByID tells whether a create without owner is to take over the job that
// it finds under an id of its own. Elsewhere a job to be taken over is found by
// its name, which on a strict cluster nobody gives it but its program.
func (e *Engine) adoptsByID(ctx context.Context, policy Policy) (bool, error) {
	if e.Owner != "" || !policy.Adopt {
		return false, nil
	}
	return e.Client.Strict(ctx)
}

// warnOfRetention tells of a job of a strict cluster whose checkpoints go when
// it fails or is cancelled: on a newer one the provider sees to it that they stay.
func (e *Engine) warnOfRetention(ctx context.Context, s start, jobID string) {
	if _, ok := s.spec.Program.(throughREST); !ok {
		return
	}
	if strict, err := e.Client.Strict(ctx); err != nil || !strict {
		return
	}
	config, err := e.Client.CheckpointConfig(ctx, jobID)
	if err != nil || config.Disabled() || config.Externalization.Enabled && !config.Externalization.DeleteOnCancellation {
		return
	}
	e.warnf("The checkpoints of this job go when it fails or is cancelled",
		"Flink 1.14 takes no configuration with a job, so that the provider cannot keep them. If the job fails for good, what it counted since its last savepoint is lost. "+
			"Set execution.checkpointing.externalized-checkpoint-retention: RETAIN_ON_CANCELLATION in the cluster's flink-conf.yaml, or let the program enable externalized checkpoints.")
}
