// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"path"
	"slices"
	"time"
)

// triggerKey names an operation. Stops and savepoints share their ids, checkpoints and disposals have their own.
type triggerKey struct {
	jobID, id string
	family    string
}

const (
	savepointFamily  = "savepoint"
	checkpointFamily = "checkpoint"
	disposalFamily   = "disposal"
)

type triggerKind int

const (
	savepointTrigger triggerKind = iota
	stopTrigger
	checkpointTrigger
	disposalTrigger
)

// trigger is an operation that goes on after its request was answered.
type trigger struct {
	key      triggerKey
	kind     triggerKind
	target   string
	cancel   bool
	due      time.Time
	done     bool
	location string
	// dir is the savepoint's own directory, where that is made before its files are.
	dir     string
	number  int64
	failure *throwable
}

// classNoOperation is what 1.14 says of a trigger that it does not know.
const classNoOperation = "org.apache.flink.runtime.rest.handler.async.UnknownOperationKeyException"

var (
	formats       = field{kind: enumField, values: []string{"CANONICAL", "NATIVE"}}
	savepointSpec = bodySpec{class: "SavepointTriggerRequestBody", fields: map[string]field{
		"target-directory": {kind: textField}, "cancel-job": {kind: boolField}, "formatType": formats, "triggerId": {kind: triggerIDField},
	}}
	stopSpec = bodySpec{class: "StopWithSavepointRequestBody", fields: map[string]field{
		"targetDirectory": {kind: textField}, "drain": {kind: boolField}, "formatType": formats, "triggerId": {kind: triggerIDField},
	}}
	checkpointSpec = bodySpec{class: "CheckpointTriggerRequestBody", fields: map[string]field{
		"checkpointType": {kind: enumField, values: []string{"CONFIGURED", "FULL", "INCREMENTAL"}}, "triggerId": {kind: triggerIDField},
	}}
	disposalSpec = bodySpec{class: "SavepointDisposalRequest", fields: map[string]field{"savepoint-path": {kind: textField}}}
)

// withoutIDs is the request before clients could choose an id or a format.
func (s *Server) withoutIDs(spec bodySpec) bodySpec {
	if !s.version.strict() {
		return spec
	}
	f := maps.Clone(spec.fields)
	delete(f, "triggerId")
	delete(f, "formatType")
	return bodySpec{class: spec.class, fields: f}
}

func (s *Server) triggerSavepoint(c *call) reply {
	return s.trigger(c, savepointSpec, savepointTrigger, "target-directory")
}

func (s *Server) stopJob(c *call) reply {
	return s.trigger(c, stopSpec, stopTrigger, "targetDirectory")
}

func (s *Server) triggerCheckpoint(c *call) reply {
	return s.trigger(c, checkpointSpec, checkpointTrigger, "")
}

// trigger starts an operation, or answers with the one that already has the id.
func (s *Server) trigger(c *call, spec bodySpec, kind triggerKind, targetField string) reply {
	jobID, refused := s.jobID(c)
	if refused != nil {
		return *refused
	}
	body, refused := s.decode(c, s.withoutIDs(spec))
	if refused != nil {
		return *refused
	}
	t := &trigger{
		key:    triggerKey{jobID: jobID, id: typed[string](body, "triggerId"), family: savepointFamily},
		kind:   kind,
		cancel: typed[bool](body, "cancel-job"),
	}
	if kind == checkpointTrigger {
		t.key.family = checkpointFamily
	} else {
		t.target = typed[string](body, targetField)
		if t.target == "" {
			t.target = conf(s.conf).first(keySavepointDir...)
		}
		if t.target == "" {
			return restError(http.StatusBadRequest, throw(classRest,
				"Config key [%s] is not set. Property [target-directory] must be provided.", keySavepointDir[s.oldKeys()]))
		}
	}
	if t.key.id == "" {
		t.key.id = s.randomHex(32)
	}
	if s.triggers[t.key] == nil {
		s.start(t)
	}
	return accepted(map[string]any{"request-id": t.key.id})
}

// start begins the operation. What is wrong from the start fails at once, the rest when it is due.
func (s *Server) start(t *trigger) {
	s.triggers[t.key] = t
	t.due = s.now().Add(s.savepointDelay)
	if t.failure = s.cannotTrigger(t); t.failure != nil {
		t.done, t.due = true, s.now()
		return
	}
	if t.kind == checkpointTrigger {
		return
	}
	if s.version.strict() && t.kind == stopTrigger {
		s.disturb(t)
	}
	if t.done {
		return
	}
	if bad := s.noRoom(t); bad != nil {
		t.done, t.due = true, s.now()
		s.failForRoom(t, bad)
		return
	}
	s.job(t.key.jobID).checkpoints.begin(t, s.now())
	s.makeRoom(t)
}

// noRoom is why a savepoint's directory cannot be made. Flink makes it before it asks any task for its state, so that
// one that cannot be made is never waited for.
func (s *Server) noRoom(t *trigger) *throwable {
	target, bad := s.fs.resolve(t.target)
	if bad == nil && !s.fs.writable(target) {
		bad = throw(classIO, "Failed to create savepoint directory at %s", t.target)
	}
	return bad
}

func (s *Server) failForRoom(t *trigger, bad *throwable) {
	s.job(t.key.jobID).failSavepoint(t.due, bad.String())
	t.failure = throw(classCheckpoint, "An Exception occurred while triggering the checkpoint. IO-problem detected.").
		by(bad).wrapped(classCompletion)
}

// makeRoom makes a savepoint's directory as soon as it begins.
func (s *Server) makeRoom(t *trigger) {
	target, _ := s.fs.resolve(t.target)
	t.dir = s.savepointDirectory(target, t.key.jobID)
	s.fs.mkdir(t.dir, s.now())
}

func (s *Server) savepointDirectory(target, jobID string) string {
	return path.Join(target, fmt.Sprintf("savepoint-%s-%s", jobID[:6], s.randomHex(12)))
}

// clearRoom takes away the directory of one that came to nothing. Those above it stay.
func (s *Server) clearRoom(t *trigger) {
	if t.dir != "" {
		s.fs.remove(t.dir)
	}
}

// disturb is what a stop does to savepoints that are being taken, in 1.14: they come to nothing, and where one of
// them is that of a stop, the source fails as soon as it sees the second.
func (s *Server) disturb(t *trigger) {
	j := s.job(t.key.jobID)
	for _, other := range s.triggers {
		if other == t || other.done || other.key.jobID != t.key.jobID || other.key.family != savepointFamily {
			continue
		}
		other.done, other.due = true, s.now()
		other.failure = throw(classCheckpoint, "Checkpoint Coordinator is suspending.").wrapped(classCompletion)
		j.checkpoints.end(other)
		s.clearRoom(other)
		j.failSavepoint(s.now(), other.failure.String())
		if other.kind != stopTrigger {
			continue
		}
		cause := throw(classState, "at most one stop-with-savepoint checkpoint at a time is allowed")
		t.done, t.due = true, s.now()
		t.failure = throw(classCheckpoint, "Task name with subtask : %s (1/1)#0 Failure reason: Task has failed.", j.vertices[0].name).by(cause).wrapped(classCompletion)
		j.fail(cause, s.now())
	}
}

func (s *Server) cannotTrigger(t *trigger) *throwable {
	j := s.job(t.key.jobID)
	switch {
	case (j == nil || j.phase == phaseTerminal) && s.version.strict():
		return throw(classNoJob, "Could not find Flink job (%s)", t.key.jobID)
	case j == nil:
		return throw(classNoJob, "Could not find Flink job (%s)", t.key.jobID).wrapped(classCompletion)
	case j.phase == phaseTerminal:
		return throw(classNoJob, "Could not find Flink job (%s)", t.key.jobID).wrapped(classCompletion)
	case j.phase == phaseWaiting:
		return throw(classCheckpoint, "The Flink job is currently not executing. Failure reason: Trigger checkpoint failure.").wrapped(classCompletion)
	case !j.running():
		return throw(classCheckpoint, "Checkpoint triggering task %s (1/1) of job %s is not being executed at the moment. Aborting checkpoint. Failure reason: Not all required tasks are currently running.",
			j.vertices[0].name, j.id).wrapped(classCompletion)
	}
	return nil
}

// complete ends an operation at the time it was due.
func (s *Server) complete(t *trigger) {
	t.done = true
	if t.kind == disposalTrigger {
		s.completeDisposal(t)
		return
	}
	j := s.job(t.key.jobID)
	if j != nil {
		j.checkpoints.end(t)
	}
	if j == nil || !j.running() {
		t.failure = throw(classCheckpoint, "Checkpoint Coordinator is suspending.").wrapped(classCompletion)
		s.clearRoom(t)
		return
	}
	j.tick(t.due)
	if t.kind == checkpointTrigger {
		t.number = j.takeCheckpoint(t.due)
		return
	}
	// It may be write-protected since.
	if bad := s.noRoom(t); bad != nil {
		s.failForRoom(t, bad)
		return
	}
	j.takeSavepoint(t.dir, t.due, t.kind == stopTrigger)
	t.location = uri(t.dir)
	switch {
	case t.kind == stopTrigger:
		j.frozen = j.progressAt(t.due)
		j.phase, j.until = phaseStopping, t.due.Add(s.stopDelay)
	case t.cancel:
		j.cancel(t.due)
	}
}

// status answers a poll.
func (s *Server) status(key triggerKey, missing *throwable, operation func(*trigger) map[string]any) reply {
	t := s.triggers[key]
	if t == nil {
		return restError(http.StatusNotFound, missing)
	}
	if !t.done {
		return ok(map[string]any{"status": map[string]any{"id": "IN_PROGRESS"}, "operation": nil})
	}
	op := operation(t)
	switch {
	case t.failure != nil && t.kind == checkpointTrigger:
		op = map[string]any{"failureCause": failureCause(t.failure)}
	case t.failure != nil:
		op = map[string]any{"failure-cause": failureCause(t.failure)}
	}
	return ok(map[string]any{"status": map[string]any{"id": "COMPLETED"}, "operation": op})
}

func failureCause(t *throwable) map[string]any {
	return map[string]any{
		"class": t.class, "stack-trace": t.stack(),
		"serialized-throwable": base64.StdEncoding.EncodeToString([]byte(t.String())),
	}
}

func (s *Server) savepointStatus(c *call) reply {
	key, refused := s.triggerKey(c, savepointFamily)
	if refused != nil {
		return *refused
	}
	missing := throw(classRest, "There is no savepoint operation with triggerId=%s for job %s.", key.id, key.jobID)
	if s.version.strict() {
		missing = throw(classNotFound, "Operation not found under key: org.apache.flink.runtime.rest.handler.job.AsynchronousJobOperationKey@1f3c5a7e").
			by(throw(classNoOperation, "No ongoing operation for org.apache.flink.runtime.rest.handler.job.AsynchronousJobOperationKey@1f3c5a7e"))
	}
	return s.status(key, missing, func(t *trigger) map[string]any {
		return map[string]any{"location": t.location}
	})
}

func (s *Server) checkpointStatus(c *call) reply {
	key, refused := s.triggerKey(c, checkpointFamily)
	if refused != nil {
		return *refused
	}
	return s.status(key, throw(classRest, "There is no checkpoint operation with triggerId=%s for job %s.", key.id, key.jobID), func(t *trigger) map[string]any {
		return map[string]any{"checkpointId": t.number}
	})
}

func (s *Server) triggerKey(c *call, family string) (triggerKey, *reply) {
	jobID, refused := s.jobID(c)
	if refused != nil {
		return triggerKey{}, refused
	}
	id, bad := parseID(c.vars[1])
	if bad != nil {
		return triggerKey{}, badParameter("path", "triggerid", c.vars[1])
	}
	return triggerKey{jobID: jobID, id: id, family: family}, nil
}

func (s *Server) disposeSavepoint(c *call) reply {
	body, refused := s.decode(c, disposalSpec)
	if refused != nil {
		return *refused
	}
	p := typed[string](body, "savepoint-path")
	if p == "" {
		return restError(http.StatusBadRequest, throw(classRest, "Field savepoint-path must not be omitted or be null."))
	}
	t := &trigger{key: triggerKey{id: s.randomHex(32), family: disposalFamily}, kind: disposalTrigger, target: p}
	t.due = s.now().Add(s.savepointDelay)
	s.triggers[t.key] = t
	return ok(map[string]any{"request-id": t.key.id})
}

func (s *Server) completeDisposal(t *trigger) {
	fail := func(cause *throwable) {
		t.failure = throw(classFlink, "Could not dispose savepoint %s", t.target).by(cause)
	}
	p, bad := s.fs.resolve(t.target)
	if bad != nil {
		fail(throw(classIO, "Cannot access file system for checkpoint/savepoint path '%s'.", t.target).by(bad.innermost()))
		return
	}
	state, dir := s.fs.snapshotAt(p)
	if state == nil {
		fail(throw(classNoFile, "Cannot find checkpoint or savepoint file/directory '%s' on file system 'file'.", t.target))
		return
	}
	s.fs.remove(dir)
}

func (s *Server) disposalStatus(c *call) reply {
	key := triggerKey{id: c.vars[0], family: disposalFamily}
	missing := throw(classNotFound, "Operation not found under key: org.apache.flink.runtime.rest.handler.async.OperationKey@1f")
	if s.version.strict() {
		missing = missing.by(throw(classNoOperation, "No ongoing operation for org.apache.flink.runtime.rest.handler.async.OperationKey@1f"))
	}
	return s.status(key, missing, func(*trigger) map[string]any {
		return map[string]any{}
	})
}

// Trigger is a stop, a savepoint or a checkpoint that the cluster still remembers.
type Trigger struct {
	JobID, ID string
	Done      bool
	Location  string
	Failure   string
}

// Triggers lists the operations on jobs, in the order in which they are or were due.
func (s *Server) Triggers() []Trigger {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.advance()
	all := slices.SortedFunc(maps.Values(s.triggers), func(a, b *trigger) int { return a.due.Compare(b.due) })
	out := []Trigger{}
	for _, t := range all {
		if t.kind == disposalTrigger {
			continue
		}
		v := Trigger{JobID: t.key.jobID, ID: t.key.id, Done: t.done, Location: t.location}
		if t.failure != nil {
			v.Failure = t.failure.String()
		}
		out = append(out, v)
	}
	return out
}
