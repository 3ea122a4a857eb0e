// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"time"
)

// phase is where a job is in its life; the state that Flink shows follows from it.
type phase int

const (
	// phaseWaiting is an adaptive job that has no slot yet.
	phaseWaiting phase = iota
	// phaseScheduling is a job that asks for more slots than there are.
	phaseScheduling
	// phaseDeploying is a job that says RUNNING while its tasks do not run yet.
	phaseDeploying
	phaseRunning
	// phaseStopping is a job whose stop has completed but that still says RUNNING.
	phaseStopping
	phaseRestarting
	phaseCancelling
	phaseTerminal
)

// Times that are not options, as measured on the real engine.
const (
	adaptiveStabilize = 10 * time.Second
	adaptiveWait      = 5 * time.Minute
)

type job struct {
	server *Server

	id, appID, name   string
	jarID, jarSHA     string
	entryClass        string
	args              []string
	flinkConf         map[string]string
	userConf          map[string]string
	graph             Graph
	vertices          []vertex
	parallelism       int
	maxParallelism    int
	maxParallelismSet bool
	restart           restartStrategy
	checkpoints       checkpointing
	restoredFrom      string
	allowDropped      bool

	phase      phase
	until      time.Time
	state      string
	timestamps map[string]time.Time
	created    time.Time
	ended      time.Time
	// since and base give the progress: base records at since, and rate per second after that.
	since      time.Time
	base       int64
	frozen     int64
	slots      int
	restarts   int
	failures   []failure
	initFailed bool
	// noGraph is a job of the adaptive scheduler that failed while its graph was made.
	noGraph bool
	// doomed is what that will fail with.
	doomed *throwable
	// misfit is what it fails with whenever its tasks start.
	misfit *throwable
	// viewed is set in a frozen copy: the time that it shows.
	viewed time.Time
}

// vertex is a chain of operators with a parallelism of its own.
type vertex struct {
	id, name       string
	parallelism    int
	lower, upper   int
	maxParallelism int
}

type failure struct {
	at    time.Time
	cause *throwable
	task  string
	// onTask is a failure of a task that ran somewhere; one that found no slot ran nowhere.
	onTask bool
}

func terminal(state string) bool {
	return state == "FINISHED" || state == "CANCELED" || state == "FAILED"
}

func (j *job) setState(state string, at time.Time) {
	j.state = state
	j.timestamps[state] = at
	if terminal(state) {
		j.ended = at
		j.phase = phaseTerminal
		j.slots = 0
	}
}

// progressAt is the number of records counted at a time within the running phase.
func (j *job) progressAt(t time.Time) int64 {
	if j.phase != phaseRunning || t.Before(j.since) {
		return j.frozen
	}
	p := j.base + int64(j.graph.Rate*t.Sub(j.since).Seconds())
	if j.graph.Count > 0 {
		p = min(p, max(j.graph.Count, j.base))
	}
	return p
}

// reaches is when the progress reaches n while running, if ever.
func (j *job) reaches(n int64) (time.Time, bool) {
	if n <= 0 {
		return time.Time{}, false
	}
	if j.base >= n {
		return j.since, true
	}
	if j.graph.Rate <= 0 {
		return time.Time{}, false
	}
	return j.since.Add(time.Duration(float64(n-j.base) / j.graph.Rate * float64(time.Second))), true
}

// advance moves the job on to now, one event after the other.
func (j *job) advance(now time.Time) {
	for j.step(now) {
		continue
	}
}

// step handles the next event that is due, and tells whether there was one.
func (j *job) step(now time.Time) bool {
	if j.phase == phaseTerminal {
		return false
	}
	if j.phase == phaseRunning {
		return j.stepRunning(now)
	}
	if j.until.After(now) {
		return false
	}
	at := j.until
	switch j.phase {
	case phaseWaiting:
		return j.stepWaiting(now)
	case phaseScheduling:
		j.fail(throw(classNoResource, "Could not acquire the minimum required resources."), at)
	case phaseDeploying:
		if j.misfit != nil {
			j.fail(j.misfit, at)
			break
		}
		j.phase, j.since = phaseRunning, at
		j.checkpoints.next = at.Add(j.checkpoints.interval)
	case phaseRestarting:
		j.deploy(at)
	case phaseStopping:
		j.finish(at)
	case phaseCancelling:
		j.setState("CANCELED", at)
		j.discardCheckpoints(at)
	case phaseRunning, phaseTerminal:
		return false
	}
	return true
}

// stepWaiting gives an adaptive job the slots there are, or fails it when there are none for too long.
func (j *job) stepWaiting(now time.Time) bool {
	if j.server.freeSlots() > 0 {
		j.deploy(j.until)
		return true
	}
	if now.Sub(j.created) < adaptiveWait {
		return false
	}
	j.fail(throw(classNoResource, "Could not acquire the minimum required resources."), j.created.Add(adaptiveWait))
	return true
}

func (j *job) stepRunning(now time.Time) bool {
	failAt, fails := j.reaches(j.graph.FailAt)
	fails = fails && j.base < j.graph.FailAt
	endAt, ends := j.reaches(j.graph.Count)
	if ends && (!fails || endAt.Before(failAt)) && !endAt.After(now) {
		j.tick(endAt)
		j.frozen = j.graph.Count
		j.finish(endAt)
		return true
	}
	if fails && !failAt.After(now) {
		j.tick(failAt)
		j.fail(throw(classState, "failed at record %d, as asked", j.graph.FailAt), failAt)
		return true
	}
	j.tick(now)
	return false
}

// deploy takes slots and starts the tasks from the newest state.
func (j *job) deploy(at time.Time) {
	need := j.needs()
	free := j.server.freeSlots()
	if free < need && !j.server.adaptive {
		j.phase, j.until = phaseScheduling, at.Add(j.server.slotTimeout)
		j.setState("RUNNING", at)
		return
	}
	if j.doomed != nil && free > 0 {
		j.noGraph = true
		j.failures = append(j.failures, failure{at: at, cause: j.doomed})
		j.setState("FAILED", at)
		return
	}
	if free == 0 {
		j.phase, j.until = phaseWaiting, at
		j.setState("CREATED", at)
		return
	}
	j.slots = min(need, free)
	j.phase, j.until = phaseDeploying, at.Add(j.server.startDelay)
	j.setState("RUNNING", at)
}

// needs is the number of slots asked for: the widest vertex, since all share slots.
func (j *job) needs() int {
	n := 1
	for _, v := range j.vertices {
		n = max(n, v.upper)
	}
	return n
}

// fail handles a failure of the running job: another try if the strategy has one, else the end.
func (j *job) fail(cause *throwable, at time.Time) {
	if j.phase == phaseRunning {
		j.frozen = j.progressAt(at)
	}
	delay, again := j.restart.next(j.restarts)
	if !again && !j.server.adaptive {
		cause = throw(classJob, "Recovery is suppressed by %s", j.restart.text()).by(cause)
	}
	task := fmt.Sprintf("%s (1/%d) - execution #%d", j.vertices[len(j.vertices)-1].name, j.parallelism, j.restarts)
	j.failures = append(j.failures, failure{at: at, cause: cause, task: task, onTask: j.phase == phaseRunning})
	j.slots = 0
	if !again {
		j.setState("FAILED", at)
		j.discardCheckpoints(at)
		return
	}
	j.restarts++
	j.base = j.checkpoints.newest()
	j.frozen = j.base
	j.phase, j.until = phaseRestarting, at.Add(delay)
	j.setState("RESTARTING", at)
}

func (j *job) finish(at time.Time) {
	j.setState("FINISHED", at)
	j.discardCheckpoints(at)
}

// cancel asks the job to end; a terminal one stays as it is.
func (j *job) cancel(now time.Time) {
	switch j.phase {
	case phaseTerminal, phaseCancelling:
		return
	case phaseRunning:
		j.frozen = j.progressAt(now)
	case phaseWaiting, phaseScheduling, phaseDeploying, phaseStopping, phaseRestarting:
	}
	j.phase, j.until = phaseCancelling, now.Add(j.server.stopDelay)
	j.setState("CANCELLING", now)
}

// vertexState is what each vertex shows.
func (j *job) vertexState(now time.Time) string {
	if !j.viewed.IsZero() {
		now = j.viewed
	}
	switch j.phase {
	case phaseWaiting:
		return "CREATED"
	case phaseScheduling:
		return "SCHEDULED"
	case phaseDeploying:
		left := j.until.Sub(now)
		switch {
		case left > j.server.startDelay*2/3:
			return "SCHEDULED"
		case left > j.server.startDelay/3:
			return "DEPLOYING"
		}
		return "INITIALIZING"
	case phaseRunning, phaseStopping:
		return "RUNNING"
	case phaseRestarting:
		return "CANCELED"
	case phaseCancelling:
		return "CANCELING"
	case phaseTerminal:
	}
	return j.state
}

// frozenAt is a copy of the job that time does not change any more.
func (j *job) frozenAt(now time.Time) *job {
	c := *j
	c.viewed = now
	c.timestamps = maps.Clone(j.timestamps)
	c.vertices = slices.Clone(j.vertices)
	c.failures = slices.Clone(j.failures)
	c.checkpoints.underway = slices.Clone(j.checkpoints.underway)
	return &c
}

// running tells whether all tasks run, so that a savepoint can be taken.
func (j *job) running() bool { return j.phase == phaseRunning }

// checkpointRoot is the job's own directory for checkpoints, "" if they stay in memory.
func (j *job) checkpointRoot() string {
	if j.checkpoints.dir == "" {
		return ""
	}
	return path.Join(j.checkpoints.dir, j.id)
}
