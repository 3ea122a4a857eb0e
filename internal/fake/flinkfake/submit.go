// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"
)

// submit registers the job that main built. What fails before the job has a master leaves nothing; what fails in the
// master leaves a FAILED job under its id.
func (s *Server) submit(r *run, app *application, g Graph) (*job, *throwable) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.advance()
	if r.epoch != s.epoch {
		return nil, throw(classFlink, "The JobManager has been restarted.")
	}
	j, bad := s.newJob(r, g)
	if bad != nil {
		return nil, bad
	}
	if bad := s.claimID(j); bad != nil {
		return nil, notExecuted(j.name, bad)
	}
	s.jobs = append(s.jobs, j)
	if app = s.appOf(j, app); app != nil {
		j.appID = app.id
	}
	cause, late := s.initialise(j, r)
	if late && s.adaptive && cause != nil {
		// The adaptive scheduler makes the graph, and restores it, when it has slots: long after the answer.
		if cause.class == classRuntime && cause.cause != nil {
			cause = cause.cause
		}
		j.doomed, cause = cause.wrapped(classCompletion).wrapped(classCompletion), nil
	}
	if cause != nil {
		s.failInit(j, cause)
		init := throw(classInit, "Could not start the JobMaster.").by(cause.wrapped(classCompletion))
		return nil, notExecuted(j.name, init.wrapped(classRuntime))
	}
	j.deploy(s.now())
	if s.adaptive && j.slots < j.needs() && j.phase == phaseDeploying {
		// The adaptive scheduler waits for the slots it wants before it makes do with those there are.
		j.phase, j.until, j.slots = phaseWaiting, s.now().Add(adaptiveStabilize), 0
		delete(j.timestamps, "RUNNING")
		j.setState("CREATED", s.now())
	}
	return j, nil
}

// newJob puts configuration, request and code together; its errors are main's own.
func (s *Server) newJob(r *run, g Graph) (*job, *throwable) {
	all := conf(s.conf).merged(r.conf)
	j := &job{
		server: s, id: r.jobID, jarID: r.jar.id, jarSHA: r.jar.sha256, entryClass: r.class, args: r.args,
		flinkConf: maps.Clone(r.conf), graph: g, created: s.now(), timestamps: map[string]time.Time{},
		allowDropped: r.restore.allow, name: g.Name,
	}
	if j.id == "" {
		j.id = s.randomHex(32)
	}
	if j.name == "" {
		j.name = all.first("pipeline.name")
	}
	if j.name == "" {
		j.name = "Flink Streaming Job"
	}
	var bad *throwable
	if j.checkpoints, bad = s.checkpointSettings(r.conf, g); bad != nil {
		return nil, bad
	}
	if dir := s.jobCheckpointDir(r.conf); dir != "" && !strings.Contains(dir, ":") && !s.version.atLeast(2, 0) {
		return nil, throw(classArgument, noScheme)
	}
	if j.parallelism, bad = all.integer(1, "parallelism.default"); bad != nil {
		return nil, bad
	}
	if bad := badParallelism(j.parallelism); bad != nil {
		return nil, bad
	}
	if g.Parallelism > 0 {
		j.parallelism = g.Parallelism
	}
	if j.maxParallelism, bad = all.integer(-1, "pipeline.max-parallelism"); bad != nil {
		return nil, bad
	}
	j.maxParallelismSet = j.maxParallelism > 0
	j.userConf = g.GlobalParameters
	if text := all.first("pipeline.global-job-parameters"); text != "" {
		params, bad := parseMap(text, s.version.atLeast(1, 19) && !s.flinkConfYAML)
		if bad != nil {
			return nil, badValue(text, "pipeline.global-job-parameters").by(bad)
		}
		if j.userConf == nil {
			j.userConf = params
		}
	}
	j.buildVertices()
	return j, nil
}

// badParallelism is what the program's environment says to a number that is none; -1 is the default.
func badParallelism(n int) *throwable {
	switch {
	case n == 0:
		return throw(classArgument, "Parallelism must be at least one, or ExecutionConfig.PARALLELISM_DEFAULT (use system default).")
	case n < -1:
		return throw(classArgument, "The parallelism of an operator must be at least 1, or ExecutionConfig.PARALLELISM_DEFAULT (use system default).")
	}
	return nil
}

// chain is between the names of the operators of a vertex.
const chain = " -> "

// buildVertices chains operators; the id of a vertex comes from its first operator, as Flink's does.
func (j *job) buildVertices() {
	for _, o := range j.graph.Operators {
		if o.Chained && len(j.vertices) > 0 {
			v := &j.vertices[len(j.vertices)-1]
			v.name += chain + o.Name
			continue
		}
		p := j.parallelism
		if o.Parallelism > 0 {
			p = o.Parallelism
		}
		j.vertices = append(j.vertices, vertex{
			id: operatorID(o.UID), name: o.Name, parallelism: p, lower: 1, upper: p, maxParallelism: j.effectiveMax(p),
		})
	}
}

// effectiveMax is the maximum that Flink derives when none is set: one and a half times the parallelism, as a power
// of two, within 128 and 32768.
func (j *job) effectiveMax(parallelism int) int {
	if j.maxParallelismSet {
		return j.maxParallelism
	}
	n := 128
	for n < parallelism+parallelism/2 && n < 1<<15 {
		n *= 2
	}
	return n
}

func operatorID(uid string) string {
	sum := md5.Sum([]byte(uid))
	return hex.EncodeToString(sum[:])
}

// claimID refuses an id that was ever used since the start; 1.14 only one whose job still runs.
func (s *Server) claimID(j *job) *throwable {
	old := s.job(j.id)
	if s.version.strict() {
		if old != nil && !terminal(old.state) {
			return throw(classDupJob, "Job has already been submitted.")
		}
		if old != nil {
			s.remember(old)
		}
		s.jobs = slices.DeleteFunc(s.jobs, func(o *job) bool { return o == old })
		return nil
	}
	if s.used[j.id] && s.version.applications() {
		return throw(classDupApp, "Application has already been submitted.")
	}
	if s.used[j.id] {
		return throw(classDupJob, "Job has already been submitted.")
	}
	s.used[j.id] = true
	return nil
}

// notExecuted is what execute() throws in main.
func notExecuted(name string, cause *throwable) *throwable {
	return throw(classFlink, "Failed to execute job '%s'.", name).by(cause)
}

// initialise does what the job's master does before the job runs.
//
// The second answer tells whether it went wrong in the making of the execution graph.
func (s *Server) initialise(j *job, r *run) (cause *throwable, late bool) {
	all := conf(s.conf).merged(r.conf)
	if j.restart, cause = parseRestart(all, j.checkpoints.interval > 0, s.version); cause != nil {
		return cause, false
	}
	if j.maxParallelismSet && j.parallelism > j.maxParallelism {
		cause = throw(classJob, "Vertex %s's parallelism (%d) is higher than the max parallelism (%d). Please lower the parallelism or increase the max parallelism.",
			j.vertices[len(j.vertices)-1].name, j.parallelism, j.maxParallelism).wrapped(classRuntime)
		return cause, true
	}
	if j.checkpoints.interval > 0 {
		if cause = s.openCheckpointDir(j, s.jobCheckpointDir(r.conf)); cause != nil {
			return cause, true
		}
	}
	if r.restore.path != "" {
		cause = s.restoreJob(j, r.restore)
	}
	return cause, true
}

const noScheme = "The scheme (hdfs://, file://, etc) is null. Please specify the file system scheme explicitly in the URI."

func (s *Server) openCheckpointDir(j *job, dir string) *throwable {
	if dir == "" {
		return nil
	}
	if !strings.Contains(dir, ":") {
		return throw(classExecution, "Could not instantiate configured checkpoint storage").
			by(throw(classConfig, "Invalid configuration for the state backend")).
			by(throw(classArgument, noScheme)).
			wrapped(classRuntime)
	}
	p, bad := s.fs.resolve(dir)
	if bad != nil {
		return throw(classFlinkRT, "Failed to create checkpoint storage at checkpoint coordinator side.").by(bad)
	}
	if !s.fs.writable(p) {
		return throw(classFlinkRT, "Failed to create checkpoint storage at checkpoint coordinator side.").
			by(throw(classIO, "Failed to create directory for shared state: %s/%s/shared", uri(p), j.id))
	}
	j.checkpoints.dir = p
	s.fs.mkdir(path.Join(p, j.id, "shared"), s.now())
	s.fs.mkdir(path.Join(p, j.id, "taskowned"), s.now())
	return nil
}

// restoreJob loads a savepoint or a checkpoint, if the job can take its state.
func (s *Server) restoreJob(j *job, r restoreSettings) *throwable {
	p, bad := s.fs.resolve(r.path)
	if bad != nil {
		return throw(classIO, "Cannot access file system for checkpoint/savepoint path '%s'.", r.path).
			by(bad.innermost()).wrapped(classRuntime)
	}
	if !s.fs.exists(p) {
		return throw(classNoFile, "Cannot find checkpoint or savepoint file/directory '%s' on file system 'file'.", r.path).wrapped(classRuntime)
	}
	state, dir := s.fs.snapshotAt(p)
	if state == nil {
		return throw(classNoFile, "Cannot find meta data file '_metadata' in directory '%s'. Please try to load the checkpoint/savepoint directly from the metadata file instead of the directory.", r.path).wrapped(classRuntime)
	}
	if bad := fits(j, r.path, state); bad != nil {
		return bad
	}
	now := s.now()
	c := &j.checkpoints
	c.id, c.restored = state.id, 1
	c.originProgress = progressFor(j, state)
	j.base, j.frozen = c.originProgress, c.originProgress
	c.origin = &restore{id: state.id, path: dir, at: now, savepoint: r.claim != "CLAIM"}
	if r.claim == "CLAIM" {
		c.claimed = dir
	}
	j.restoredFrom = r.path
	j.misfit = misfitOf(j, state)
	return nil
}

// misfitOf is what tasks throw whose state has another form than what they are given. The master does not see it.
func misfitOf(j *job, state *snapshot) *throwable {
	for _, old := range state.operators {
		for _, o := range j.graph.Operators {
			if o.UID != old.UID || o.Form == old.Form {
				continue
			}
			migration := throw("org.apache.flink.util.StateMigrationException",
				"The new key serializer (%s) must be compatible with the previous key serializer (%s).", o.Form, old.Form)
			building := throw("org.apache.flink.runtime.state.BackendBuildingException", "Failed when trying to restore heap backend").by(migration)
			return throw("java.lang.Exception", "Exception while creating StreamOperatorStateContext.").
				by(throw(classFlink, "Could not restore keyed state backend for %s_(1/1) from any of the 1 provided restore options.", operatorID(o.UID)).by(building))
		}
	}
	return nil
}

// fits tells whether the job can take the state: each operator in it must be in the job, or may be dropped.
func fits(j *job, from string, state *snapshot) *throwable {
	for _, o := range state.operators {
		if !j.hasUID(o.UID) && !j.allowDropped {
			return throw(classState, "Failed to rollback to checkpoint/savepoint %s. Cannot map checkpoint/savepoint state for operator %s to the new program, because the operator is not available in the new program. If you want to allow to skip this, you can set the --allowNonRestoredState option on the CLI.",
				from, operatorID(o.UID))
		}
	}
	if len(state.operators) > 0 && (j.maxParallelismSet || j.parallelism > state.maxParallelism) && j.maxParallelism != state.maxParallelism {
		return throw(classState, "Failed to rollback to checkpoint/savepoint Checkpoint Metadata. Max parallelism mismatch between checkpoint/savepoint state and new program. Cannot map operator %s with max parallelism %d to new program with max parallelism %d. This indicates that the program has been changed in a non-compatible way after the checkpoint/savepoint.",
			operatorID(state.operators[0].UID), state.maxParallelism, j.vertices[0].maxParallelism)
	}
	// A maximum that nobody set is that of the state.
	for i := range j.vertices {
		j.vertices[i].maxParallelism = state.maxParallelism
	}
	return nil
}

// progressFor is what of the state the job can use.
func progressFor(j *job, state *snapshot) int64 {
	marked := slices.ContainsFunc(state.operators, func(o Operator) bool { return o.Counts })
	for _, o := range state.operators {
		if (o.Counts || !marked) && j.hasUID(o.UID) {
			return state.progress
		}
	}
	return 0
}

func (j *job) hasUID(uid string) bool {
	return slices.ContainsFunc(j.graph.Operators, func(o Operator) bool { return o.UID == uid })
}

// failInit leaves what Flink leaves: a FAILED job without vertices.
func (s *Server) failInit(j *job, cause *throwable) {
	j.initFailed = true
	j.vertices = nil
	j.failures = []failure{{at: s.now(), cause: throw(classInit, "Could not start the JobMaster.").by(cause.wrapped(classCompletion))}}
	j.setState("INITIALIZING", s.now())
	j.setState("FAILED", s.now())
}

// SubmitJob starts a job as something other than a jar does: an SQL gateway, say. It is subject to every rule of a
// submission through REST.
func (s *Server) SubmitJob(g Graph, configuration map[string]string) (string, error) {
	s.mu.Lock()
	r := &run{jar: &jar{}, conf: maps.Clone(configuration), epoch: s.epoch}
	if r.conf == nil {
		r.conf = map[string]string{}
	}
	all := conf(s.conf).merged(r.conf)
	r.restore = restoreSettings{
		path: all.first(keyRestorePath...), claim: all.first(keyClaimMode...), allow: all.boolean(keyIgnoreState...),
	}
	if r.restore.claim == "" {
		r.restore.claim = "NO_CLAIM"
	}
	if id := r.conf["$internal.pipeline.job-id"]; id != "" {
		parsed, bad := parseID(id)
		if bad != nil {
			s.mu.Unlock()
			return "", throw(classArgument, badJobID, id).by(bad)
		}
		r.jobID = parsed
	}
	s.mu.Unlock()
	j, bad := s.submit(r, nil, g)
	if bad != nil {
		return "", fmt.Errorf("submit: %w", bad)
	}
	return j.id, nil
}

// Causes lists the exceptions of an error that SubmitJob returned, each as Java prints it, the outermost first.
func Causes(err error) []string {
	var t *throwable
	if !errors.As(err, &t) {
		return []string{err.Error()}
	}
	var out []string
	for ; t != nil; t = t.cause {
		out = append(out, t.String())
	}
	return out
}
