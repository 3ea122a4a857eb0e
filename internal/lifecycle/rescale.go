// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
)

// Planner is a Program that can tell, without starting anything, how many
// subtasks each vertex of its job would have: operators with a parallelism of
// their own keep it, and only the program knows which those are.
type Planner interface {
	Vertices(ctx context.Context, parallelism int64, configuration map[string]string) (map[string]int64, error)
}

// errOtherGraph means that the program chains its operators otherwise with the
// new parallelism, so that the running job's vertices are not those it wants.
var errOtherGraph = errors.New("with the new parallelism the program's operators are chained into other vertices than those that run")

// Rescalable tells whether a job's parallelism can be changed while it runs,
// without loss: on the adaptive scheduler, and only with checkpoints. A rescale
// goes on from the newest checkpoint, and without any from where the job began.
func (e *Engine) Rescalable(ctx context.Context, jobID string) (bool, error) {
	job, err := e.Client.Job(ctx, jobID)
	if flink.IsNotFound(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return e.rescalable(ctx, job)
}

func (e *Engine) rescalable(ctx context.Context, job *flink.Job) (bool, error) {
	if adaptive, err := e.adaptive(ctx, job); err != nil || !adaptive || job.State.Terminal() {
		return false, err
	}
	config, err := e.Client.CheckpointConfig(ctx, job.ID)
	if flink.IsNotFound(err) {
		return false, nil
	}
	return err == nil && !config.Disabled(), err
}

// adaptive tells whether a job runs on the adaptive scheduler. Flink before 2.3
// does not say it of a job, only of the cluster.
func (e *Engine) adaptive(ctx context.Context, job *flink.Job) (bool, error) {
	if job.SchedulerType != "" || job.Type == "BATCH" {
		return job.SchedulerType == flink.SchedulerAdaptive, nil
	}
	return e.Client.CanRescale(ctx)
}

// asked reads what a live job on the adaptive scheduler asks for, nil for other
// jobs: how many subtasks each vertex may have at most.
func (e *Engine) asked(ctx context.Context, job *flink.Job) (map[string]int64, error) {
	adaptive, err := e.adaptive(ctx, job)
	if err != nil || !adaptive {
		return nil, err
	}
	requirements, err := e.Client.Requirements(ctx, job.ID)
	if flink.IsJobUnknown(err) {
		// It ended this very moment.
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	asked := make(map[string]int64, len(requirements))
	for id, bounds := range requirements {
		asked[id] = bounds.Upper
	}
	return asked, nil
}

// askedSince is the parallelism that somebody else has asked for since the
// record was made, 0 for none. Where each vertex got another one, it is the
// highest.
func askedSince(recorded, asked map[string]int64) int64 {
	var parallelism int64
	for id, upper := range asked {
		if before, known := recorded[id]; known && before != upper {
			parallelism = max(parallelism, upper)
		}
	}
	return parallelism
}

// inPlace changes the parallelism of a running job, which keeps its id. It asks
// for what a start with that parallelism would ask for, and does nothing where
// that was asked for already, so that an interrupted one can be repeated.
func (e *Engine) inPlace(ctx context.Context, rec Record, u Update) (Record, error) {
	wanted, err := e.wantedVertices(ctx, u.Spec)
	if err != nil {
		return rec, err
	}
	before, err := e.Client.Requirements(ctx, rec.JobID)
	if err != nil {
		return rec, err
	}
	if !sameKeys(before, wanted) {
		return rec, problemf(ProblemParallelism,
			"The job still runs, unchanged. Operators with a parallelism of their own are chained to others or not, depending on it, which only a restart can change. "+
				"Change restart_trigger in the same apply: the job is then restarted with its state.",
			errOtherGraph, "the parallelism cannot be changed in place")
	}
	if err := e.ask(ctx, rec.JobID, before, wanted); err != nil {
		return rec, err
	}
	// From here on this is what the job asks for, whatever comes of it.
	rec.Asked = uppers(wanted)
	if err := e.waitRescaled(ctx, rec.JobID, wanted); err != nil {
		var again *restarting
		if errors.As(err, &again) && u.Policy.Rollback {
			return e.askBack(ctx, rec, before, err)
		}
		return rec, startProblem(err)
	}
	return e.refresh(ctx, rec, rec.JobName, true)
}

// wantedVertices is what a start would ask for: one subtask at least, so that
// the job goes on when a TaskManager is lost.
func (e *Engine) wantedVertices(ctx context.Context, spec Spec) (map[string]flink.Bounds, error) {
	planner, ok := spec.Program.(Planner)
	if !ok {
		return nil, problemf(ProblemParallelism, "Change restart_trigger in the same apply: the job is then restarted with its state.", nil,
			"this kind of job cannot tell which of its operators follow its parallelism")
	}
	if _, err := spec.Program.Prepare(ctx); err != nil {
		return nil, err
	}
	configuration, err := e.configuration(ctx, spec, Marker{Owner: e.Owner, Name: spec.Name})
	if err != nil {
		return nil, err
	}
	vertices, err := planner.Vertices(ctx, spec.Parallelism, configuration)
	if err != nil {
		return nil, submitProblem(err)
	}
	wanted := make(map[string]flink.Bounds, len(vertices))
	for id, parallelism := range vertices {
		wanted[id] = flink.Bounds{Lower: 1, Upper: parallelism}
	}
	return wanted, nil
}

func sameKeys(a, b map[string]flink.Bounds) bool {
	for id := range a {
		if _, there := b[id]; !there {
			return false
		}
	}
	return len(a) == len(b)
}

func uppers(requirements map[string]flink.Bounds) map[string]int64 {
	asked := make(map[string]int64, len(requirements))
	for id, bounds := range requirements {
		asked[id] = bounds.Upper
	}
	return asked
}

// askTries is how often requirements are sent whose fate stays unknown.
const askTries = 3

// ask sets a job's requirements unless they are set already. When the answer is
// lost, it reads them back before it sends them again.
func (e *Engine) ask(ctx context.Context, jobID string, set, wanted map[string]flink.Bounds) error {
	for try := 1; !maps.Equal(set, wanted); try++ {
		err := e.Client.SetRequirements(ctx, jobID, wanted)
		if err == nil {
			return nil
		}
		if !rest.OutcomeUnknown(err) || try == askTries {
			return rescaleProblem(err)
		}
		var readErr error
		if set, readErr = e.Client.Requirements(ctx, jobID); readErr != nil {
			return errors.Join(rescaleProblem(err), readErr)
		}
	}
	return nil
}

// askBack returns to what the job asked for before a rescale that it does not
// survive.
func (e *Engine) askBack(ctx context.Context, rec Record, before map[string]flink.Bounds, cause error) (Record, error) {
	if err := e.ask(ctx, rec.JobID, nil, before); err != nil {
		return rec, fmt.Errorf("%w; and its parallelism could not be set back either: %s", startProblem(cause), Reason(err))
	}
	rec.Asked = uppers(before)
	return rec, problemf(ProblemParallelism, "The job was set back to its earlier parallelism. Look at its exceptions in Flink's web UI.", cause,
		"the job does not run with the new parallelism")
}

// checkpointPause is how long to wait between two checkpoints that are asked
// for to speed up a rescale.
const checkpointPause = 30 * time.Second

// waitRescaled waits until a job runs with what was asked for and stays so.
// With too few slots it runs with what it gets, and grows when there are more.
func (e *Engine) waitRescaled(ctx context.Context, jobID string, wanted map[string]flink.Bounds) error {
	var total int64
	for _, bounds := range wanted {
		total += bounds.Upper
	}
	w := rescaleWait{engine: e, jobID: jobID, total: total}
	began := time.Now()
	for {
		job, err := e.Client.Summary(ctx, jobID)
		if err != nil {
			return err
		}
		if done, err := w.look(ctx, job); done || err != nil {
			return err
		}
		looked := began
		if w.upSince.After(began) {
			// Whether it stays so is looked at closely again.
			looked = w.upSince
		}
		if err := e.pause(ctx, looked); err != nil {
			return fmt.Errorf("the new parallelism is asked for, and Flink has not changed the job yet: it runs with %d of %d subtasks: %w", job.Tasks.Total, total, err)
		}
	}
}

// rescaleWait is what a wait for a rescale remembers.
type rescaleWait struct {
	engine *Engine
	jobID  string
	total  int64

	upSince, shortSince, failingSince, checkpointed time.Time
	checkpoint                                      string
}

// look tells whether the wait is over.
func (w *rescaleWait) look(ctx context.Context, job *flink.JobSummary) (bool, error) {
	e := w.engine
	switch {
	case job == nil:
		return false, errVanished
	case job.State == flink.Finished:
		return true, nil
	case job.State == flink.Failed:
		return false, e.failureOf(ctx, w.jobID)
	case job.State == flink.Canceled:
		return false, errors.New("the job was cancelled by someone else while its parallelism changed")
	case job.State == flink.Restarting || job.State == flink.Failing:
		// Flink restarts a job to rescale it; what comes up and fails again does not end this.
		if since(&w.failingSince) > e.Timing.RestartGrace {
			return false, &restarting{cause: e.failureOf(ctx, w.jobID)}
		}
	}
	if !job.AllUp() {
		w.upSince, w.shortSince = time.Time{}, time.Time{}
		return false, nil
	}
	stable := since(&w.upSince) >= e.Timing.Stable
	if stable {
		w.failingSince = time.Time{}
	}
	if job.Tasks.Total != w.total {
		return w.short(ctx, job)
	}
	w.shortSince = time.Time{}
	return stable, nil
}

// short looks at a job that runs with another parallelism than asked for: still,
// or for lack of slots.
func (w *rescaleWait) short(ctx context.Context, job *flink.JobSummary) (bool, error) {
	e := w.engine
	free, err := e.Client.FreeSlots(ctx)
	if err != nil {
		return false, err
	}
	if free > 0 || job.Tasks.Total > w.total {
		w.shortSince = time.Time{}
		w.hurry(ctx)
		return false, nil
	}
	if since(&w.shortSince) < e.Timing.RestartGrace {
		return false, nil
	}
	e.warnf("The job runs with fewer subtasks than asked for",
		"The cluster has no free slots, and the job runs with %d of %d subtasks. It grows by itself when slots become free; "+
			"add TaskManagers, or lower parallelism.", job.Tasks.Total, w.total)
	return true, nil
}

// hurry asks for a checkpoint where the next one may be far away: Flink rescales
// a job when one is complete. Nothing depends on it.
func (w *rescaleWait) hurry(ctx context.Context) {
	if !w.checkpointed.IsZero() && time.Since(w.checkpointed) < checkpointPause {
		return
	}
	client := w.engine.Client
	if w.checkpoint != "" {
		if status, err := client.CheckpointStatus(ctx, w.jobID, w.checkpoint); err == nil && status.InProgress {
			return
		}
	}
	w.checkpointed = time.Now()
	w.checkpoint, _ = client.TriggerCheckpoint(ctx, w.jobID)
}

// since starts a clock that does not run yet, and tells how long it runs.
func since(clock *time.Time) time.Duration {
	if clock.IsZero() {
		*clock = time.Now()
	}
	return time.Since(*clock)
}

// rescaleProblem words a refusal of new requirements; the job runs unchanged.
func rescaleProblem(err error) error {
	var answer *rest.Error
	if errors.As(err, &answer) && answer.Engine {
		return problemf(ProblemParallelism, "The job still runs, unchanged. The maximum parallelism of state cannot be changed: see max_parallelism.", err,
			"Flink refused the new parallelism")
	}
	return err
}
