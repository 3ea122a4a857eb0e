// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// run is a request to run or plan a jar, body and query put together.
type run struct {
	jar     *jar
	class   string
	args    []string
	conf    map[string]string
	jobID   string
	restore restoreSettings
	epoch   int
}

// restoreSettings is what a job starts from.
type restoreSettings struct {
	path  string
	claim string
	allow bool
}

func (s *Server) runSpec(class string) bodySpec {
	f := map[string]field{
		"entryClass": {kind: textField}, "programArgsList": {kind: textList}, "parallelism": {kind: intField},
		"jobId": {kind: jobIDField}, "allowNonRestoredState": {kind: boolField}, "savepointPath": {kind: textField},
	}
	if !s.version.atLeast(2, 0) {
		f["programArgs"] = field{kind: textField}
	}
	if !s.version.strict() {
		modes := []string{"CLAIM", "NO_CLAIM", "LEGACY"}
		f["flinkConfiguration"] = field{kind: textMap}
		f["restoreMode"] = field{kind: enumField, values: modes}
		f["claimMode"] = field{kind: enumField, values: modes}
	}
	return bodySpec{class: class, fields: f}
}

// readRun puts a request together. What the body says wins over the query.
func (s *Server) readRun(c *call, class string) (*run, *reply) {
	body, refused := s.decode(c, s.runSpec(class))
	if refused != nil {
		return nil, refused
	}
	if _, null := body["flinkConfiguration"].(nullValue); null {
		a := internal(throw(classNPE, "Value must not be null."))
		return nil, &a
	}
	r := &run{epoch: s.epoch, jobID: typed[string](body, "jobId"), conf: map[string]string{}}
	maps.Copy(r.conf, typed[map[string]string](body, "flinkConfiguration"))
	if refused := s.readArgs(r, body, c); refused != nil {
		return nil, refused
	}
	if refused := readParallelism(r, body, c); refused != nil {
		return nil, refused
	}
	r.restore = s.readRestore(r, body, c)
	if id := r.conf["$internal.pipeline.job-id"]; r.jobID == "" && id != "" {
		r.jobID, _ = parseID(id)
	}
	r.jar = s.jarByID(c.vars[0])
	if r.jar == nil {
		a := s.missingJar(c)
		return nil, &a
	}
	asked := typed[string](body, "entryClass")
	if asked == "" {
		asked = c.query.Get("entry-class")
	}
	r.class, refused = s.entryClass(c, r.jar, asked)
	return r, refused
}

func (s *Server) readArgs(r *run, body map[string]any, c *call) *reply {
	text := typed[string](body, "programArgs")
	r.args = typed[[]string](body, "programArgsList")
	if text != "" && len(r.args) > 0 {
		a := restError(http.StatusBadRequest, throw(classRest,
			"Confusing request: programArgs and programArgsList are specified, please, use only programArgsList"))
		return &a
	}
	if text != "" {
		r.args = tokenise(text)
	}
	if len(r.args) == 0 {
		for _, q := range c.query["programArg"] {
			r.args = append(r.args, strings.Split(q, ",")...)
		}
	}
	return nil
}

// tokenise splits the old programArgs: at blanks outside of quotes, and the quotes go.
func tokenise(s string) []string {
	var out []string
	var item strings.Builder
	var quote rune
	started := false
	for _, c := range s {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote, started = c, true
		case quote == 0 && (c == ' ' || c == '\t' || c == '\n'):
			if started {
				out = append(out, item.String())
				item.Reset()
				started = false
			}
		default:
			item.WriteRune(c)
			started = true
		}
	}
	if started {
		out = append(out, item.String())
	}
	return out
}

func readParallelism(r *run, body map[string]any, c *call) *reply {
	n, set := body["parallelism"].(int)
	if q := c.query.Get("parallelism"); !set && q != "" {
		v, err := strconv.Atoi(q)
		if err != nil {
			return badParameter("query", "parallelism", q)
		}
		n, set = v, true
	}
	if set && n != -1 {
		r.conf["parallelism.default"] = strconv.Itoa(n)
	}
	return nil
}

// readRestore takes the savepoint of the request, else that of the configuration.
func (s *Server) readRestore(r *run, body map[string]any, c *call) restoreSettings {
	all := conf(s.conf).merged(r.conf)
	out := restoreSettings{
		path: all.first(keyRestorePath...), claim: all.first(keyClaimMode...), allow: all.boolean(keyIgnoreState...),
	}
	asked := typed[string](body, "savepointPath")
	if asked == "" {
		asked = c.query.Get("savepointPath")
	}
	if asked != "" {
		out.path = asked
		out.claim = typed[string](body, "claimMode")
		if out.claim == "" {
			out.claim = typed[string](body, "restoreMode")
		}
		out.allow = typed[bool](body, "allowNonRestoredState") || c.query.Get("allowNonRestoredState") == "true"
	}
	if out.claim == "" {
		out.claim = "NO_CLAIM"
	}
	return out
}

// runJar runs main and answers when it has ended: that is how long the request takes.
func (s *Server) runJar(c *call) reply {
	r, refused := s.prepare(c, "JarRunRequestBody")
	if refused != nil {
		return *refused
	}
	if bad := s.checkConf(r); bad != nil {
		return *bad
	}
	jobs, err := s.main(r, nil)
	if err != nil {
		return s.failedRun(err)
	}
	if len(jobs) == 0 {
		return restError(http.StatusBadRequest, throw(classRest, "No jobs included in application."))
	}
	out := map[string]any{"jobid": jobs[0].id}
	if s.version.applications() {
		out["applicationId"] = jobs[0].appID
	}
	return ok(out)
}

func (s *Server) prepare(c *call, class string) (*run, *reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.advance()
	return s.readRun(c, class)
}

// checkConf refuses what fails before main begins.
func (s *Server) checkConf(r *run) *reply {
	if _, bad := conf(r.conf).integer(1, "parallelism.default"); bad != nil {
		a := internal(bad)
		return &a
	}
	return nil
}

// main runs the program. Everything that a real main could throw comes back as an exception.
func (s *Server) main(r *run, app *application) ([]*job, error) {
	s.mu.Lock()
	program, err := s.program(r.class)
	all := conf(s.conf).merged(r.conf)
	s.mu.Unlock()
	if err != nil {
		return nil, throw(classInvocation, "The main method caused an error: %s", err).by(throw(classState, "%s", err))
	}
	var jobs []*job
	m := &Main{Args: slices.Clone(r.args), Conf: all, server: s}
	m.execute = func(g Graph) error {
		if len(jobs) > 0 && r.jobID != "" && !s.version.applications() {
			return nil // Older versions take the second execute for the first, which has been submitted.
		}
		j, bad := s.submit(r, app, g)
		if j != nil {
			jobs = append(jobs, j)
		}
		if bad != nil {
			return bad
		}
		return nil
	}
	if err := program(m); err != nil {
		return jobs, mainError(err)
	}
	return jobs, nil
}

// mainError is what a failing main looks like from outside.
func mainError(err error) *throwable {
	var t *throwable
	if !errors.As(err, &t) {
		t = throw(classRuntime, "%s", err)
	}
	if t.class == classAbort {
		return t // The one exception that the client passes on as it is.
	}
	return throw(classInvocation, "The main method caused an error: %s", t.message).by(t)
}

// failedRun is the 400 around whatever main ended with.
func (s *Server) failedRun(err error) reply {
	var t *throwable
	if !errors.As(err, &t) {
		t = throw(classRuntime, "%s", err)
	}
	inner := t
	if t.class != classAbort {
		inner = throw(classFlinkRT, "Could not execute application.").by(t)
	}
	return restError(http.StatusBadRequest,
		throw(classRest, "Could not execute application.").by(inner.wrapped(classCompletion)))
}
