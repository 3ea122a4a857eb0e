// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"net/http"
	"strconv"
	"time"
)

// jobID reads the id in the path.
func (s *Server) jobID(c *call) (string, *reply) {
	id, bad := parseID(c.vars[0])
	if bad != nil {
		return "", badParameter("path", "jobid", c.vars[0])
	}
	return id, nil
}

// lookUp finds the job in the path or answers that there is none.
func (s *Server) lookUp(c *call) (*job, *reply) {
	id, refused := s.jobID(c)
	if refused != nil {
		return nil, refused
	}
	j := s.job(id)
	if j == nil {
		a := restError(http.StatusNotFound, throw(classNotFound, "Job %s not found", id).
			by(throw(classNoJob, "Could not find Flink job (%s)", id)))
		return nil, &a
	}
	return j, nil
}

// lookUpOr500 is for the routes that answer an unknown job with 500.
func (s *Server) lookUpOr500(c *call) (*job, *reply) {
	id, refused := s.jobID(c)
	if refused != nil {
		return nil, refused
	}
	j := s.job(id)
	if j == nil {
		a := internal(throw(classNoJob, "Could not find Flink job (%s)", id))
		return nil, &a
	}
	return j, nil
}

// cached is a job as it was seen a moment ago.
type cached struct {
	job *job
	at  time.Time
}

// seen finds the job in the path as a cache has it: for the refresh interval, a job stays what it was when somebody
// first looked, and so do its tasks. That there is no such job is not cached.
func (s *Server) seen(c *call, cache map[string]cached) (*job, *reply) {
	id, refused := s.jobID(c)
	if refused != nil {
		return nil, refused
	}
	now := s.now()
	if old, kept := cache[id]; kept && now.Sub(old.at) < s.refresh {
		return old.job, nil
	}
	delete(cache, id)
	j, refused := s.lookUp(c)
	if refused != nil {
		return nil, refused
	}
	cache[id] = cached{job: j.frozenAt(now), at: now}
	return cache[id].job, nil
}

func (s *Server) listJobs(*call) reply {
	list := []any{}
	for _, j := range s.jobs {
		list = append(list, map[string]any{"id": j.id, "status": j.state})
	}
	return ok(map[string]any{"jobs": list})
}

func (s *Server) jobsOverview(*call) reply {
	list := []any{}
	for _, j := range s.jobs {
		list = append(list, s.jobSummary(j))
	}
	return ok(map[string]any{"jobs": list})
}

func (s *Server) jobSummary(j *job) map[string]any {
	now := s.now()
	tasks := taskCounts()
	total := 0
	for _, v := range j.vertices {
		n := j.liveParallelism(v)
		state := j.vertexState(now)
		tasks[lower(state)] += n
		total += n
	}
	out := map[string]any{
		"jid": j.id, "name": j.name, "start-time": millis(j.created), "end-time": millis(j.ended),
		"duration": j.duration(now), "state": j.state, "last-modification": millis(j.lastChange()),
		"tasks": withTotal(tasks, total),
	}
	if s.version.applications() {
		out["jobType"], out["schedulerType"], out["pending-operators"] = j.jobType(), j.schedulerType(), 0
	}
	return out
}

func withTotal(tasks map[string]int, total int) map[string]any {
	out := map[string]any{"total": total}
	for k, v := range tasks {
		out[k] = v
	}
	return out
}

func taskCounts() map[string]int {
	m := map[string]int{}
	for _, s := range vertexStates {
		m[lower(s)] = 0
	}
	return m
}

func (s *Server) getJob(c *call) reply {
	j, refused := s.seen(c, s.graphs)
	if refused != nil {
		return *refused
	}
	now := s.now()
	timestamps := map[string]any{}
	for _, state := range jobStates {
		timestamps[state] = max(0, millis(j.timestamps[state]))
	}
	timestamps["INITIALIZING"] = millis(j.created)
	counts := map[string]any{}
	for _, state := range vertexStates {
		counts[state] = 0
	}
	vertices := []any{}
	for _, v := range j.vertices {
		vertices = append(vertices, j.vertexView(v, now))
	}
	if len(j.vertices) > 0 {
		counts[j.vertexState(now)] = len(j.vertices)
	}
	out := map[string]any{
		"jid": j.id, "name": j.name, "isStoppable": false, "state": j.state, "start-time": millis(j.created),
		"end-time": millis(j.ended), "duration": j.duration(now), "maxParallelism": j.maxParallelism,
		"now": now.UnixMilli(), "timestamps": timestamps, "vertices": vertices, "status-counts": counts,
		"plan": j.planOrEmpty(),
	}
	if s.version.atLeast(1, 20) {
		out["job-type"] = j.jobType()
	}
	if !s.version.atLeast(2, 0) && j.initFailed {
		out["plan"] = map[string]any{}
	}
	if s.version.applications() {
		out["schedulerType"], out["pending-operators"] = j.schedulerType(), 0
		out["application-id"] = j.appID
		if j.planless() {
			out["application-id"] = nil
		}
	}
	return ok(out)
}

func (j *job) vertexView(v vertex, now time.Time) map[string]any {
	n := j.liveParallelism(v)
	state := j.vertexState(now)
	tasks := map[string]any{}
	for _, s := range vertexStates {
		tasks[s] = 0
	}
	tasks[state] = n
	metrics := map[string]any{}
	for _, m := range []string{"read-bytes", "write-bytes", "read-records", "write-records"} {
		metrics[m], metrics[m+"-complete"] = 0, false
	}
	metrics["accumulated-backpressured-time"], metrics["accumulated-idle-time"] = 0, 0
	metrics["accumulated-busy-time"] = 0.0
	view := map[string]any{
		"id": v.id, "slotSharingGroupId": operatorID("slots"), "name": v.name, "maxParallelism": v.maxParallelism,
		"parallelism": n, "status": state, "start-time": millis(j.created), "end-time": millis(j.ended),
		"duration": j.duration(now), "tasks": tasks, "metrics": metrics,
	}
	if j.server.version.strict() {
		delete(view, "slotSharingGroupId")
		for _, m := range []string{"backpressured", "idle", "busy"} {
			delete(metrics, "accumulated-"+m+"-time")
		}
	}
	return view
}

func (s *Server) getJobStatus(c *call) reply {
	j, refused := s.lookUpOr500(c)
	if refused != nil {
		return *refused
	}
	return ok(map[string]any{"status": j.state})
}

func (s *Server) getJobConfig(c *call) reply {
	j, refused := s.seen(c, s.graphs)
	if refused != nil {
		return *refused
	}
	user := map[string]any{}
	for k, v := range j.userConf {
		user[k] = v
		if secretKey(k) {
			user[k] = "******"
		}
	}
	config := map[string]any{
		"restart-strategy": j.restart.human(s.version), "job-parallelism": j.parallelism,
		"object-reuse-mode": conf(s.conf).merged(j.flinkConf).boolean("pipeline.object-reuse"), "user-config": user,
	}
	if !s.version.atLeast(2, 0) {
		config["execution-mode"] = "PIPELINED"
	}
	return ok(map[string]any{"jid": j.id, "name": j.name, "execution-config": config})
}

func (s *Server) getExceptions(c *call) reply {
	j, refused := s.seen(c, s.graphs)
	if refused != nil {
		return *refused
	}
	limit := 20
	if q := c.query.Get("maxExceptions"); q != "" {
		n, err := strconv.Atoi(q)
		if err != nil {
			return *badParameter("query", "maxExceptions", q)
		}
		limit = n
	}
	entries := []any{}
	for i := len(j.failures) - 1; i >= 0 && len(entries) < limit && !j.noGraph; i-- {
		entries = append(entries, j.failureView(j.failures[i]))
	}
	out := map[string]any{"exceptionHistory": map[string]any{
		"entries": entries, "truncated": len(j.failures) > limit,
	}}
	if !s.version.atLeast(2, 0) {
		j.oldExceptions(out)
	}
	return ok(out)
}

// oldExceptions adds what showed failures before there was a history.
func (j *job) oldExceptions(out map[string]any) {
	out["root-exception"], out["timestamp"], out["truncated"] = nil, nil, false
	all := []any{}
	if n := len(j.failures); n > 0 {
		last := j.failures[n-1]
		out["root-exception"], out["timestamp"] = last.cause.stack(), last.at.UnixMilli()
		if last.task != "" {
			where, manager := fakeLocation, fakeTaskManager
			if !last.onTask {
				where, manager = "(unassigned)", "(unassigned)"
			}
			one := map[string]any{
				"exception": last.cause.innermostCause().stack(), "task": last.task, "location": where, "endpoint": where,
				"timestamp": last.at.UnixMilli(), "taskManagerId": manager,
			}
			if j.server.version.strict() {
				delete(one, "endpoint")
				delete(one, "taskManagerId")
			}
			all = append(all, one)
		}
	}
	out["all-exceptions"] = all
}

func (j *job) failureView(f failure) map[string]any {
	v := j.exceptionView(f.cause, f.at)
	v["concurrentExceptions"] = []any{}
	if f.cause.class == classJob && f.cause.cause != nil {
		// The failure that ended the job is the job's own; that of the task stands beside it.
		task := j.exceptionView(f.cause.cause, f.at)
		j.addTask(task, f)
		v["concurrentExceptions"] = []any{task}
	} else {
		j.addTask(v, f)
	}
	return v
}

const (
	fakeLocation    = "127.0.0.1:40000"
	fakeTaskManager = "127.0.0.1:40000-000000"
)

// addTask names the task that failed, and where it ran if it ran anywhere.
func (j *job) addTask(v map[string]any, f failure) {
	if f.task == "" || j.server.adaptive {
		return // The adaptive scheduler tells the failure alone.
	}
	v["taskName"] = f.task
	if !f.onTask {
		return
	}
	if !j.server.version.strict() {
		v["endpoint"], v["taskManagerId"] = fakeLocation, fakeTaskManager
	}
	if !j.server.version.atLeast(2, 0) {
		v["location"] = fakeLocation
	}
}

func (j *job) exceptionView(t *throwable, at time.Time) map[string]any {
	view := exceptionView(t, at)
	if j.server.version.strict() {
		delete(view, "failureLabels")
	}
	return view
}

func exceptionView(t *throwable, at time.Time) map[string]any {
	return map[string]any{
		"exceptionName": t.class, "stacktrace": t.stack(), "timestamp": at.UnixMilli(), "failureLabels": map[string]any{},
	}
}

func (s *Server) getExecutionResult(c *call) reply {
	id, refused := s.jobID(c)
	if refused != nil {
		return *refused
	}
	j := s.job(id)
	if j == nil {
		cause := throw(classNoJob, "Could not find Flink job (%s)", id)
		return restError(http.StatusNotFound, throw(classRest, "%s", cause).by(cause.wrapped(classCompletion)))
	}
	if !terminal(j.state) {
		return ok(map[string]any{"status": map[string]any{"id": "IN_PROGRESS"}})
	}
	outcome := map[string]string{"FINISHED": "SUCCEEDED", "CANCELED": "CANCELED", "FAILED": "FAILED"}[j.state]
	result := map[string]any{
		"id": j.id, "application-status": outcome, "accumulator-results": map[string]any{},
		"net-runtime": j.duration(s.now()),
	}
	if s.version.applications() {
		result["name"] = j.name
		result["start-time"], result["end-time"] = millis(j.created), millis(j.ended)
		if !j.planless() {
			result["application-id"] = j.appID
		}
	}
	if n := len(j.failures); n > 0 && j.state == "FAILED" {
		result["failure-cause"] = failureCause(j.failures[n-1].cause)
	}
	return ok(map[string]any{"status": map[string]any{"id": "COMPLETED"}, "job-execution-result": result})
}

// cancelJob is PATCH with a mode; to cancel twice is fine, to cancel what has ended otherwise is not.
func (s *Server) cancelJob(c *call) reply {
	id, refused := s.jobID(c)
	if refused != nil {
		return *refused
	}
	switch mode := c.query.Get("mode"); mode {
	case "", "cancel":
	case "stop":
		return restError(http.StatusPermanentRedirect, throw(classRest,
			"The termination mode \"stop\" has been removed. For an ungraceful shutdown, please use \"cancel\" instead. For a graceful shutdown, please use \"jobs/:jobId/stop\" instead."))
	default:
		return *badParameter("query", "mode", mode)
	}
	j := s.job(id)
	if j == nil || s.version.strict() && terminal(j.state) {
		return restError(http.StatusNotFound, throw(classRest, "Job could not be found.").
			by(throw(classNoJob, "Could not find Flink job (%s)", id)))
	}
	if j.state == "FINISHED" || j.state == "FAILED" {
		return restError(http.StatusConflict, throw(classRest,
			"Job cancellation failed because the job has already reached another terminal state (%s).", j.state))
	}
	j.cancel(s.now())
	return accepted(map[string]any{})
}

func (s *Server) rescale(*call) reply {
	return restError(http.StatusServiceUnavailable, throw(classRest, "Rescaling is temporarily disabled. See FLINK-12312."))
}
