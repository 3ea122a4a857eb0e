// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
)

// Create is a job that is to come into being.
type Create struct {
	UID    string
	Spec   Spec
	Policy Policy
	Want   State
	// Restore is where the first start begins, empty for nothing.
	Restore string
}

// Create brings a job into being. It either succeeds, or undoes what it began,
// or leaves a job that the next Create finds by its id. It never returns a
// record together with an error.
func (e *Engine) Create(ctx context.Context, c Create) (Record, error) {
	mark(c.Spec.Program, c.UID)
	rec := Record{UID: c.UID, JobName: c.Spec.Name}
	if c.Policy.Adopt {
		adopted, g, err := e.adopt(ctx, rec, c.Spec.Name)
		if err != nil {
			return Record{}, err
		}
		if g != nil {
			restart, inPlace, err := e.differenceOfAdopted(ctx, g, c.Spec)
			if err != nil {
				return Record{}, err
			}
			return e.reach(ctx, adopted, c, Update{Restart: restart, InPlace: inPlace, found: true})
		}
	}
	existing, last, err := e.begun(ctx, c)
	if err != nil {
		return Record{}, err
	}
	if existing != nil {
		return e.resume(ctx, rec, existing, c)
	}
	if c.Want == StateSuspended {
		rec.State, rec.SavepointPath = StateSuspended, c.Restore
		return rec, nil
	}
	if err := e.notBeside(ctx, rec, c.Spec.Name); err != nil {
		return Record{}, err
	}
	uploaded, err := c.Spec.Program.Prepare(ctx)
	if err != nil {
		return Record{}, err
	}
	result, err := e.start(ctx, start{uid: c.UID, first: last + 1, restore: c.Restore, spec: c.Spec, policy: c.Policy})
	if err != nil {
		return Record{}, e.undoCreate(ctx, c, result, uploaded, err)
	}
	e.warnOfEarlier(ctx, rec, result, c)
	return e.recordStarted(ctx, rec, result, c.Restore)
}

// warnOfEarlier tells of state that an earlier job of this identity left. It
// may be of a job that was destroyed, or of an interrupted create whose job was
// lost with its JobManager: nothing but the user knows which.
func (e *Engine) warnOfEarlier(ctx context.Context, rec Record, s *started, c Create) {
	if s.generation == 1 || c.Restore != "" {
		return
	}
	rec.Generation, rec.JobID = s.generation-1-gap, JobID(c.UID, s.generation-1-gap)
	rec.CheckpointDirectories = CheckpointDirectories(c.Spec.Configuration)
	// It is only told of, so that it may be another configuration's.
	everyone := c.Policy
	everyone.Adopt = true
	found := e.newestOnDisk(ctx, rec, everyone, max(1, s.generation-1-gap))
	if found.Path == "" {
		return
	}
	e.warnf("An earlier job of this owner and name left state that is not used",
		"The job was started from nothing. The newest state of an earlier one, destroyed or lost before its creation was complete, is at %s. "+
			"To go on from it, set restore_from to it, and restore_trigger to any text.", found.Path)
}

// begun looks for the generations of this identity: one that lives was begun
// by an interrupted create. last is the highest that Flink knows.
func (e *Engine) begun(ctx context.Context, c Create) (existing *generation, last int64, err error) {
	generations, _, err := e.successors(ctx, Record{UID: c.UID}, c.Spec.Name)
	if err != nil {
		return nil, 0, err
	}
	for _, g := range generations {
		last = g.n
	}
	existing = live(generations)
	if existing == nil {
		return nil, last, nil
	}
	adopts, err := e.adoptsByID(ctx, c.Policy)
	if err != nil {
		return nil, last, err
	}
	if e.Owner == "" && !adopts {
		return nil, last, problemf(ProblemOwner, adviceOwner, nil,
			"job %s of this name runs already, under the id that this resource would use", existing.job.ID)
	}
	if existing.known && existing.marker.Owner != e.Owner {
		return nil, last, problemf(ProblemOwner, "Change the name, or the owner in the provider configuration.", nil,
			"job %s belongs to owner %q", existing.job.ID, existing.marker.Owner)
	}
	return existing, last, nil
}

// resume goes on with a job that an interrupted create submitted. What it was
// started with is known only if its marker says so; else it is restarted.
func (e *Engine) resume(ctx context.Context, rec Record, g *generation, c Create) (Record, error) {
	rec.Generation, rec.JobID = g.n, g.job.ID
	restart, inPlace, err := e.difference(ctx, g, c.Spec)
	if err != nil {
		return Record{}, err
	}
	if restart || c.Want != StateRunning {
		rec.State = StateRunning
		return e.reach(ctx, rec, c, Update{Restart: true})
	}
	if _, err := c.Spec.Program.Prepare(ctx); err != nil {
		return Record{}, err
	}
	state, err := e.waitUp(ctx, rec.JobID)
	if err != nil {
		return Record{}, startProblem(err)
	}
	rec, err = e.recordStarted(ctx, rec, &started{generation: g.n, jobID: rec.JobID, state: state}, "")
	if err != nil || !inPlace || rec.State != StateRunning {
		return rec, err
	}
	return e.reach(ctx, rec, c, Update{InPlace: true, found: true})
}

// reach moves a job that was found to what is wanted, in the way that u says.
// On an error nothing is recorded: the next create finds the job again.
func (e *Engine) reach(ctx context.Context, rec Record, c Create, u Update) (Record, error) {
	u.Old, u.Spec, u.Policy, u.Want = c.Spec, c.Spec, withoutRollback(c.Policy), c.Want
	moved, err := e.Update(ctx, rec, u)
	if err != nil {
		return Record{}, err
	}
	return moved, nil
}

func withoutRollback(policy Policy) Policy {
	policy.Rollback = false
	return policy
}

// adopt finds the one running job of a name; it returns no generation when
// there is none.
func (e *Engine) adopt(ctx context.Context, rec Record, name string) (Record, *generation, error) {
	job, err := e.FindByName(ctx, name)
	if err != nil || job == nil {
		return rec, nil, err
	}
	g, err := e.lookUp(ctx, job.ID, e.GenerationOf(rec.UID, job.ID))
	if err != nil || g == nil {
		return rec, nil, err
	}
	if g.known && g.marker.Owner != "" && g.marker.Owner != e.Owner {
		return rec, nil, problemf(ProblemOwner, "Let its owner give it up first: remove it there with on_destroy = \"detach\".", nil,
			"job %s of this name belongs to owner %q", job.ID, g.marker.Owner)
	}
	rec.Generation, rec.JobID, rec.State = g.n, job.ID, StateRunning
	return rec, g, nil
}

// FindByName returns the one job of a name that has not ended, or nil.
func (e *Engine) FindByName(ctx context.Context, name string) (*flink.JobSummary, error) {
	jobs, err := e.Client.Jobs(ctx)
	if err != nil {
		return nil, err
	}
	var found []flink.JobSummary
	for _, job := range jobs {
		if job.Name == name && !job.State.Terminal() {
			found = append(found, job)
		}
	}
	if len(found) > 1 {
		ids := make([]string, 0, len(found))
		for _, job := range found {
			ids = append(ids, job.ID)
		}
		return nil, problemf(ProblemOwner, "Flink lets jobs share a name. Cancel the ones that are not wanted, or import one by its id.", nil,
			"%d jobs named %q run: %s", len(found), name, strings.Join(ids, ", "))
	}
	if len(found) == 0 {
		return nil, nil //nolint:nilnil // absence is an answer here
	}
	return &found[0], nil
}

// searchedGenerations bounds the look for the generation of a given id.
const searchedGenerations = 1000

// GenerationOf returns which generation of an identity a job id is, or 0.
func (e *Engine) GenerationOf(uid, jobID string) int64 {
	for n := int64(1); n <= searchedGenerations; n++ {
		if JobID(uid, n) == jobID {
			return n
		}
	}
	return 0
}

// undoCreate cancels the job that this call submitted and deletes the jar that
// it uploaded, unless it is not known whether the job lives.
func (e *Engine) undoCreate(ctx context.Context, c Create, result *started, uploaded bool, cause error) error {
	var problem *Error
	unknown := errors.As(cause, &problem) && problem.Problem == ProblemUnknownOutcome
	if unknown || ctx.Err() != nil {
		return cause
	}
	if result.lives() {
		if err := e.cancel(ctx, result.jobID); err != nil {
			return fmt.Errorf("%w; and job %s that was started could not be cancelled: %w", cause, result.jobID, err)
		}
	}
	if uploaded {
		if err := c.Spec.Program.Discard(ctx); err != nil {
			return fmt.Errorf("%w; and the jar that was uploaded could not be deleted: %w", cause, err)
		}
	}
	return cause
}

// recordStarted notes a job that is up.
func (e *Engine) recordStarted(ctx context.Context, rec Record, s *started, restore string) (Record, error) {
	rec.Generation, rec.JobID = s.generation, s.jobID
	rec.State, rec.RestoredFrom, rec.LastCheckpoint = StateRunning, restore, ""
	rec.StartedAt, rec.LastCheckpointAt = time.Time{}, time.Time{}
	rec.Origin, rec.Failure, rec.Asked = Origin{}, "", nil
	if s.state == flink.Finished {
		rec.Bounded = true
	}
	return e.refresh(ctx, rec, rec.JobName, true)
}

// Known tells whether Flink knows a job.
func (e *Engine) Known(ctx context.Context, jobID string) (bool, error) {
	_, err := e.Client.Job(ctx, jobID)
	if flink.IsNotFound(err) {
		return false, nil
	}
	return err == nil, err
}

// Import reads a job that was started by other means, or by this resource in
// an earlier life. uidOf gives the identity for the job's name. What the job
// says about itself is beside the record, empty for one of other means.
func (e *Engine) Import(ctx context.Context, jobID string, uidOf func(name string) string) (Record, Marker, error) {
	g, err := e.lookUp(ctx, jobID, 0)
	if err != nil {
		return Record{}, Marker{}, err
	}
	if g == nil {
		return Record{}, Marker{}, problemf(ProblemOther, "Look for the id in Flink's web UI. Flink forgets ended jobs after an hour, and all jobs when it restarts.", nil,
			"Flink knows no job %s", jobID)
	}
	name := g.job.Name
	if g.known {
		if g.marker.Owner != e.Owner {
			return Record{}, Marker{}, problemf(ProblemOwner, "Set owner in the provider configuration to that, or let its owner give the job up first.", nil,
				"job %s belongs to owner %q", jobID, g.marker.Owner)
		}
		// What the program calls itself may differ from what it was named here.
		name = g.marker.Name
	}
	rec := Record{UID: uidOf(name), JobID: g.job.ID, JobName: g.job.Name, State: StateRunning}
	rec.Generation = e.GenerationOf(rec.UID, rec.JobID)
	rec, err = e.Refresh(ctx, rec, name, true)
	if err != nil {
		return Record{}, Marker{}, err
	}
	if rec.State != StateRunning && rec.State != StateInterrupted {
		if rec.SavepointPath == "" {
			rec.SavepointPath = rec.LastCheckpoint
		}
		rec.State = StateSuspended
	}
	rec.JobName = name
	return rec, g.marker, nil
}
