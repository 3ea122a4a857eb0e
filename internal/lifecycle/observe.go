// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
)

// gap is how many unknown generations are looked past for a later one: ids
// that were used and expired leave holes.
const gap = 2

// generation is one generation of a job that Flink knows.
type generation struct {
	n      int64
	job    *flink.Job
	marker Marker
	// known is false when the program overwrote the marker.
	known bool
}

// lookUp reads the generation under an id, or nil when Flink does not know it.
func (e *Engine) lookUp(ctx context.Context, id string, n int64) (*generation, error) {
	job, err := e.settled(ctx, id)
	if flink.IsNotFound(err) {
		return nil, nil //nolint:nilnil // absence is an answer here
	}
	if err != nil {
		return nil, err
	}
	g := &generation{n: n, job: job}
	config, err := e.Client.JobConfig(ctx, id)
	switch {
	case flink.IsNotFound(err):
	case err != nil:
		return nil, err
	default:
		g.marker, g.known = ParseMarker(config.ExecutionConfig.UserConfig)
	}
	return g, nil
}

// successors lists what Flink knows of the generations above one, in order:
// what an interrupted apply began, and what may be another configuration's.
func (e *Engine) successors(ctx context.Context, rec Record, name string) (ours, unclear []*generation, err error) {
	ids := []string{rec.JobID}
	for n, missing := rec.Generation+1, 0; missing < gap; n++ {
		g, err := e.lookUp(ctx, JobID(rec.UID, n), n)
		if err != nil {
			return nil, nil, err
		}
		if g == nil {
			missing++
			continue
		}
		missing = 0
		switch e.claimOf(g, rec, name, ids) {
		case claimOurs:
			ours, ids = append(ours, g), append(ids, g.job.ID)
		case claimUnclear:
			unclear = append(unclear, g)
		case claimOther:
		}
	}
	return ours, unclear, nil
}

// live returns the last generation that has not ended.
func live(generations []*generation) *generation {
	for _, g := range slices.Backward(generations) {
		if !g.job.State.Terminal() {
			return g
		}
	}
	return nil
}

// Refresh brings a record up to what Flink shows now, and to what an interrupted
// apply set going. name is the resource's name, keepFinished whether a job that
// ended by itself stays ended.
func (e *Engine) Refresh(ctx context.Context, rec Record, name string, keepFinished bool) (Record, error) {
	fresh, err := e.refresh(ctx, rec, name, keepFinished)
	if err != nil || fresh.State != StateRunning {
		return fresh, err
	}
	stop, err := e.seenStop(ctx, fresh)
	switch {
	case err != nil:
		return rec, err
	case stop != nil && stop.InProgress:
		// It runs for as long as its savepoint takes, and then no more.
		fresh.State = StateInterrupted
	case stop != nil && stop.Location != "":
		if ended, err := e.endsSoon(ctx, rec.JobID); err != nil || !ended {
			return fresh, err
		}
		return e.refresh(ctx, rec, name, keepFinished)
	}
	return fresh, nil
}

func (e *Engine) refresh(ctx context.Context, rec Record, name string, keepFinished bool) (Record, error) {
	if rec.JobID == "" {
		return rec, nil
	}
	current, err := e.settled(ctx, rec.JobID)
	switch {
	case flink.IsNotFound(err):
		current = nil
	case err != nil:
		return rec, err
	}
	if current != nil && !current.State.Terminal() {
		return e.refreshLive(ctx, rec, current)
	}
	later, _, err := e.successors(ctx, rec, name)
	if err != nil {
		return rec, err
	}
	if live(later) != nil {
		rec.State = StateInterrupted
		return rec, nil
	}
	if current != nil {
		return e.refreshEnded(ctx, rec, current, keepFinished)
	}
	return e.refreshUnknown(ctx, rec, keepFinished)
}

func (e *Engine) refreshLive(ctx context.Context, rec Record, job *flink.Job) (Record, error) {
	rec.State, rec.Status = StateRunning, string(job.State)
	rec.Origin, rec.Failure = Origin{}, ""
	rec.JobName, rec.StartedAt = job.Name, job.Started()
	rec.Bounded = rec.Bounded || job.Type == "BATCH"
	asked, err := e.asked(ctx, job)
	if err != nil {
		return rec, err
	}
	rec.Asked, rec.AskedSince = asked, askedSince(rec.Asked, asked)
	checkpoints, err := e.Client.Checkpoints(ctx, rec.JobID)
	if flink.IsNotFound(err) {
		return rec, nil
	}
	if err != nil {
		return rec, err
	}
	if completed := checkpoints.Latest.Completed; completed != nil && completed.Path != "" {
		rec.LastCheckpoint, rec.LastCheckpointAt = completed.Path, time.UnixMilli(completed.LatestAckTime)
	}
	// A checkpoint of the job itself is what it recovered or was rescaled from.
	if restored := checkpoints.Latest.Restored; restored != nil && rec.RestoredFrom == "" && !strings.Contains(restored.Path, "/"+rec.JobID+"/") {
		rec.RestoredFrom = restored.Path
	}
	return rec, nil
}

// stopWindow is how close to a job's end a savepoint must be complete to be
// the reason of that end.
const stopWindow = 30 * time.Second

func (e *Engine) refreshEnded(ctx context.Context, rec Record, job *flink.Job, keepFinished bool) (Record, error) {
	before := rec
	rec.Status, rec.JobName, rec.StartedAt = string(job.State), job.Name, job.Started()
	if rec.State == StateSuspended {
		return rec, nil
	}
	read := e.Client.Checkpoints
	if rec.State == StateRunning || rec.State == StateInterrupted {
		// Seen for the first time: it may have ended this very moment.
		read = e.finalCheckpoints
	}
	switch job.State {
	case flink.Failed:
		rec.State, rec.Failure = StateFailed, Reason(e.failureOf(ctx, rec.JobID))
	case flink.Canceled:
		rec.State = StateCanceled
	default:
		rec.State = StateFinished
	}
	checkpoints, err := read(ctx, rec.JobID)
	switch {
	case err == nil:
		rec = noteEnd(rec, job, checkpoints)
	case !flink.IsNotFound(err):
		return rec, err
	case rec.State == StateFinished:
		// A job without checkpoints has none to show. One that Flink forgets between
		// two answers may have been stopped with a savepoint: that is on disk then.
		_, known, err := e.Client.Status(ctx, rec.JobID)
		if err != nil {
			return before, err
		}
		if !known {
			return e.refreshUnknown(ctx, before, keepFinished)
		}
	}
	if rec.State == StateFailed || rec.State == StateCanceled {
		return e.findOrigin(ctx, rec)
	}
	return rec, nil
}

// noteEnd takes from an ended job's checkpoints what they tell of its end.
func noteEnd(rec Record, job *flink.Job, checkpoints *flink.Checkpoints) Record {
	if completed := checkpoints.Latest.Completed; completed != nil && completed.Path != "" && !completed.Discarded {
		rec.LastCheckpoint, rec.LastCheckpointAt = completed.Path, time.UnixMilli(completed.LatestAckTime)
	}
	savepoint := checkpoints.Latest.Savepoint
	if savepoint == nil || savepoint.Path == "" {
		return rec
	}
	end := time.UnixMilli(job.EndTime)
	if job.State == flink.Finished && end.Sub(time.UnixMilli(savepoint.LatestAckTime)) < stopWindow {
		// Somebody stopped it with a savepoint, which holds its newest state.
		rec.State, rec.SavepointPath = StateSuspended, savepoint.Path
	}
	return rec
}

// refreshUnknown decides about a job that Flink does not know any more. It is
// lost only if it was running: Flink forgets ended ones.
func (e *Engine) refreshUnknown(ctx context.Context, rec Record, keepFinished bool) (Record, error) {
	switch rec.State {
	case StateRunning, StateInterrupted, StateLost, StateFailed, StateCanceled:
	default:
		return rec, nil
	}
	if rec.State == StateRunning || rec.State == StateInterrupted {
		rec.State = StateLost
	}
	rec, err := e.findOrigin(ctx, rec)
	if err != nil || rec.State != StateLost {
		return rec, err
	}
	if stoppedAt(rec) {
		// Its newest state is the savepoint of a stop of ours: it did not die, and
		// only an apply that was killed did not come to say so.
		rec.State, rec.Origin = StateSuspended, Origin{}
		return rec, nil
	}
	if !keepFinished || !rec.Bounded || rec.Origin.Source == SourceDisk {
		return rec, nil
	}
	e.warnf("A bounded job is gone from Flink's memory and counts as finished",
		"Job %s had an end of its own, and no checkpoint of it is left. To run it again, set on_finished = \"rerun\", or change restart_trigger.", rec.JobID)
	rec.State, rec.Origin = StateFinished, Origin{}
	return rec, nil
}

// stoppedAt tells whether the newest state of a job that is gone is the
// savepoint that this resource stopped it with.
func stoppedAt(rec Record) bool {
	return rec.Origin.Source == SourceDisk && rec.Origin.Searched &&
		strings.Contains(rec.Origin.Path, savepointTarget("", rec.UID, rec.Generation)+"/")
}

// findOrigin looks where a dead job would go on from, and notes what it found
// of the job itself.
func (e *Engine) findOrigin(ctx context.Context, rec Record) (Record, error) {
	origin, err := e.Origin(ctx, rec, Policy{})
	if err != nil {
		return rec, err
	}
	rec.Origin = origin
	switch {
	case origin.Source != SourceDisk && origin.Source != SourceFlink:
	case !IsCheckpoint(origin.Path):
		rec.SavepointPath = origin.Path
	case !older(origin.Path, rec.LastCheckpoint):
		rec.LastCheckpoint = origin.Path
	}
	return rec, nil
}
