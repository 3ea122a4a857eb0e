// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
)

// Update is a change of a job.
type Update struct {
	// Old is what the job was started with, for a rollback.
	Old Spec
	// OldName is the resource's name before the change.
	OldName string
	Spec    Spec
	Policy  Policy
	Want    State
	// Restart is true when a restart attribute changed.
	Restart bool
	// InPlace is true when the parallelism alone is to change, and the job to
	// keep its id; see Rescalable.
	InPlace bool
	// Restore replaces the state to start from, empty for the job's own.
	Restore string
	// Rerun starts a finished job again.
	Rerun bool
	// planned is where the plan said that a dead job goes on from.
	planned Origin

	// found is true for a job that an interrupted apply left, of which nothing
	// was promised.
	found bool
}

// step is what has to happen to a job.
type step int

const (
	keep step = iota
	stop
	begin
	replace
)

// steps is the whole table of observed and wanted states. A live job that is
// wanted running is replaced only if it is to restart.
var steps = map[State]map[State]step{
	StateRunning:   {StateRunning: keep, StateSuspended: stop},
	StateSuspended: {StateRunning: begin, StateSuspended: keep},
	StateFinished:  {StateRunning: begin, StateSuspended: keep},
	StateFailed:    {StateRunning: begin, StateSuspended: keep},
	StateCanceled:  {StateRunning: begin, StateSuspended: keep},
	StateLost:      {StateRunning: begin, StateSuspended: keep},
}

// Update moves a job to what is wanted. On an error it returns the record of
// what was reached, together with the error.
func (e *Engine) Update(ctx context.Context, rec Record, u Update) (Record, error) {
	mark(u.Spec.Program, rec.UID)
	mark(u.Old.Program, rec.UID)
	u.planned = rec.Origin
	observed, u, err := e.observe(ctx, rec, u)
	if err != nil {
		return rec, err
	}
	rec, u, err = e.adoptMoved(ctx, observed, u)
	if err != nil {
		return observed, err
	}
	next := decide(rec, u)
	if u.InPlace && (next == keep || !u.found) {
		if next != keep || rec.State != StateRunning {
			return rec, problemf(ProblemOther, "Apply again: the new plan says what is to happen.", nil,
				"job %s is %s by now, so that its parallelism cannot be changed in place", rec.JobID, rec.State)
		}
		moved, err := e.inPlace(ctx, rec, u)
		if !u.found || !errors.Is(err, errOtherGraph) {
			return moved, err
		}
		next = replace
	}
	switch next {
	case stop:
		return e.suspend(ctx, rec, u)
	case begin:
		return e.begin(ctx, rec, u)
	case replace:
		return e.replace(ctx, rec, u)
	case keep:
	}
	if u.Want == StateSuspended {
		rec.State = StateSuspended
		return rec, nil
	}
	return e.settle(ctx, rec)
}

// decide says what has to happen to an observed job.
func decide(rec Record, u Update) step {
	next := steps[rec.State][u.Want]
	switch {
	case next == begin && rec.State == StateFinished && !u.Restart && !u.Rerun:
		return keep
	case next == keep && rec.State == StateRunning && u.Restart:
		return replace
	}
	return next
}

// observe refreshes the record, and moves on to a later generation that an
// interrupted apply left.
func (e *Engine) observe(ctx context.Context, rec Record, u Update) (Record, Update, error) {
	if u.OldName == "" {
		u.OldName = u.Spec.Name
	}
	if rec.JobID == "" {
		rec.State = StateSuspended
		return rec, u, nil
	}
	if u.Want == StateRunning && !u.Restart {
		// What is to stay may be about to end. Where it is to go, the stop is seen there.
		if err := e.awaitStop(ctx, rec); err != nil {
			return rec, u, err
		}
	}
	fresh, err := e.refresh(ctx, rec, u.OldName, !u.Rerun)
	if err != nil {
		return rec, u, err
	}
	adopt := u.Policy.Adopt && e.Owner == "" && fresh.State != StateRunning
	if fresh.State != StateInterrupted && !adopt {
		return fresh, u, nil
	}
	later, unclear, err := e.successors(ctx, fresh, u.OldName)
	if err != nil {
		return rec, u, err
	}
	g := live(later)
	if g == nil && adopt {
		if g = live(unclear); g == nil {
			return fresh, u, nil
		}
	}
	if g == nil {
		return rec, u, fmt.Errorf("job %s ended while it was looked at; apply again", rec.JobID)
	}
	fresh.Generation, fresh.JobID = g.n, g.job.ID
	fresh.RestoredFrom, fresh.LastCheckpoint, fresh.Asked = "", "", nil
	fresh, err = e.refreshLive(ctx, fresh, g.job)
	if err != nil {
		return rec, u, err
	}
	u.found = true
	if u.Old.Program == nil || !g.known || g.marker.Spec != u.Old.Hash() {
		// Nothing tells how to start again what it runs.
		u.Policy = withoutRollback(u.Policy)
	}
	u.Restart, u.InPlace, err = e.difference(ctx, g, u.Spec)
	if err != nil {
		return rec, u, err
	}
	if fresh.RestoredFrom != "" {
		fresh.SavepointPath = fresh.RestoredFrom
	}
	return fresh, u, nil
}

// difference tells what has to happen to a generation that was found, for it to be
// what is wanted: what it runs is what its marker says, and without one it is
// not known. The marker of a job that can be rescaled tells of its start alone,
// so that this one is asked what it asks for.
func (e *Engine) difference(ctx context.Context, g *generation, spec Spec) (restart, inPlace bool, err error) {
	if late, ok := spec.Program.(interface{ ContentKnown() bool }); g.known && ok && !late.ContentKnown() {
		// What was not known at plan is known once it is ready.
		if _, err := spec.Program.Prepare(ctx); err != nil {
			return false, false, err
		}
	}
	if !g.known || g.marker.Spec != spec.Hash() {
		return true, false, nil
	}
	if g.job.State == flink.Initializing || g.job.State == flink.Created {
		// It has no graph to ask about yet. What does not come up is started again.
		if _, err := e.waitUp(ctx, g.job.ID); err != nil && ctx.Err() != nil {
			return false, false, err
		}
	}
	if _, plans := spec.Program.(Planner); plans {
		if inPlace, err = e.rescalable(ctx, g.job); err != nil {
			return false, false, err
		}
	}
	return !inPlace && g.marker.Parallelism != spec.parallelism(), inPlace, nil
}

// differenceOfAdopted is the difference of a job that is taken over. One without
// a marker, under an id that is not this resource's, was started by other means
// and is taken as it is.
func (e *Engine) differenceOfAdopted(ctx context.Context, g *generation, spec Spec) (restart, inPlace bool, err error) {
	if !g.known && g.n == 0 {
		return false, false, nil
	}
	return e.difference(ctx, g, spec)
}

// settle waits until a job that is to stay is up.
func (e *Engine) settle(ctx context.Context, rec Record) (Record, error) {
	if rec.State != StateRunning {
		return rec, nil
	}
	if _, err := e.waitUp(ctx, rec.JobID); err != nil {
		return rec, startProblem(err)
	}
	return e.refresh(ctx, rec, rec.JobName, true)
}

// suspend stops a job with a savepoint and leaves it so.
func (e *Engine) suspend(ctx context.Context, rec Record, u Update) (Record, error) {
	path, err := e.stopForRestart(ctx, rec, u.Policy)
	if path != "" {
		rec = noteSavepoint(rec, u.Policy, path)
	}
	if err != nil {
		return rec, err
	}
	rec.State = StateSuspended
	if path != "" {
		rec.SavepointPath = path
	}
	e.trimSavepoints(ctx, &rec, u.Policy)
	return e.refresh(ctx, rec, rec.JobName, true)
}

// noteSavepoint remembers a savepoint that this resource took.
func noteSavepoint(rec Record, policy Policy, path string) Record {
	rec.SavepointPath = path
	if policy.Mode == ModeSavepoint && !slices.Contains(rec.Savepoints, path) {
		rec.Savepoints = append(slices.Clone(rec.Savepoints), path)
	}
	return rec
}

// begin starts a job that does not run, from its newest state.
func (e *Engine) begin(ctx context.Context, rec Record, u Update) (Record, error) {
	if err := e.clear(ctx, rec, u); err != nil {
		return rec, err
	}
	if err := e.notBeside(ctx, rec, u.Spec.Name); err != nil {
		return rec, err
	}
	restore := u.Restore
	// A job that came to its own end has no state to go on from.
	if restore == "" && u.Policy.Mode != ModeStateless && rec.State != StateFinished {
		var err error
		if restore, err = e.restoreFrom(ctx, rec, u); err != nil {
			return rec, err
		}
	}
	if _, err := u.Spec.Program.Prepare(ctx); err != nil {
		return rec, err
	}
	ready, err := e.ready(ctx, next(rec, u, restore))
	if err != nil {
		return rec, err
	}
	return e.startNext(ctx, rec, u, ready)
}

// restoreFrom is the path that a job which does not run goes on from, empty for
// none.
func (e *Engine) restoreFrom(ctx context.Context, rec Record, u Update) (string, error) {
	if rec.JobID == "" {
		return rec.SavepointPath, nil
	}
	origin, err := e.Origin(ctx, rec, u.Policy)
	if err != nil {
		return "", err
	}
	if err := CheckOrigin(rec, origin); err != nil {
		return "", err
	}
	switch {
	case origin.Source == SourceHint:
		e.warnf("The newest checkpoint is taken from what a refresh saw",
			"The job is restored from %s, completed at %s. A newer one may exist that could not be looked for.", origin.Path, rec.LastCheckpointAt.UTC().Format(time.RFC3339))
	case u.planned.Path != "" && !samePath(u.planned.Path, origin.Path):
		e.warnf("The job goes on from newer state than the plan said", "It is restored from %s instead of %s, which the refresh before the plan found.", origin.Path, u.planned.Path)
	}
	return origin.Path, nil
}

// replace stops a live job and starts the next generation from its state.
func (e *Engine) replace(ctx context.Context, rec Record, u Update) (Record, error) {
	// All that can be done before the stop is: that keeps the pause short, and
	// what fails then stops nothing.
	if _, err := u.Spec.Program.Prepare(ctx); err != nil {
		return rec, err
	}
	ready, err := e.ready(ctx, next(rec, u, u.Restore))
	if err != nil {
		return rec, err
	}
	path, err := e.stopForRestart(ctx, rec, u.Policy)
	if path != "" {
		rec = noteSavepoint(rec, u.Policy, path)
	}
	if err != nil {
		return rec, err
	}
	rec.State = StateSuspended
	// The stop told this moment that the path is there.
	ready.restore = cmp.Or(u.Restore, path)
	stopped := rec
	rec, err = e.startNext(ctx, rec, u, ready)
	if err == nil || !u.Policy.Rollback || ctx.Err() != nil {
		return rec, err
	}
	return e.rollBack(ctx, stopped, rec, u, path, err)
}

// next is the start of the generation above the record's.
func next(rec Record, u Update, restore string) start {
	return start{uid: rec.UID, first: rec.Generation + 1, from: rec.JobID, restore: restore, spec: u.Spec, policy: u.Policy}
}

// startNext starts what is ready to follow the record.
func (e *Engine) startNext(ctx context.Context, rec Record, u Update, ready launch) (Record, error) {
	result, err := e.launch(ctx, ready)
	if err == nil {
		rec.JobName = u.Spec.Name
		rec, err = e.recordStarted(ctx, rec, result, ready.restore)
		if err == nil {
			e.trimSavepoints(ctx, &rec, u.Policy)
		}
		return rec, err
	}
	if ctx.Err() == nil && result.lives() {
		// What does not come up must not go on beside its successor.
		if cancelErr := e.cancel(ctx, result.jobID); cancelErr != nil {
			err = errors.Join(err, cancelErr)
		}
	}
	if ready.restore != "" && rec.SavepointPath == "" {
		rec.SavepointPath = ready.restore
	}
	return rec, err
}

// rollBack starts the old program again from the savepoint of the failed
// upgrade. The apply stays failed.
func (e *Engine) rollBack(ctx context.Context, stopped, failed Record, u Update, path string, cause error) (Record, error) {
	var problem *Error
	if errors.As(cause, &problem) && problem.Problem == ProblemUnknownOutcome {
		return failed, cause
	}
	if path == "" {
		return failed, cause
	}
	result, err := e.start(ctx, start{
		uid: stopped.UID, first: stopped.Generation + 1, from: stopped.JobID, restore: path, spec: u.Old, policy: u.Policy,
	})
	if err != nil {
		return failed, fmt.Errorf("%w; and the old program could not be started again from %s either: %s", cause, path, Reason(err))
	}
	stopped.JobName = u.Old.Name
	rec, err := e.recordStarted(ctx, stopped, result, path)
	if err != nil {
		return rec, errors.Join(cause, err)
	}
	return rec, &Error{
		Problem: ProblemRolledBack, Err: cause,
		Summary: "the new version did not start, and the old one runs again from the savepoint " + path,
		Advice:  advice(cause) + " Correct it and apply again: the change is still planned.",
	}
}

func advice(err error) string {
	if problem, ok := errors.AsType[*Error](err); ok {
		return problem.Advice
	}
	return ""
}
