// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"net/http"
	"slices"
)

// application is what version 2.3 puts around the jobs of one main method.
type application struct {
	id      string
	name    string
	state   string
	jobs    []string
	failure *throwable
	created int64
	ended   int64
	cancel  bool
	// detached applications came by run-application: their state follows main and its jobs.
	detached bool
	mainDone bool
}

// newApplication registers the application of a submission; older versions have none.
func (s *Server) newApplication(r *run) *application {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.version.applications() {
		return nil
	}
	a := &application{id: s.randomHex(32), name: r.class, state: "RUNNING", created: s.now().UnixMilli()}
	s.apps = append(s.apps, a)
	return a
}

// dropApplication forgets one that came to nothing, as a failed synchronous run does.
func (s *Server) dropApplication(a *application) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a == nil || len(a.jobs) > 0 {
		return
	}
	s.apps = slices.DeleteFunc(s.apps, func(o *application) bool { return o == a })
}

// runApplication answers at once and runs main on its own.
func (s *Server) runApplication(c *call) reply {
	r, refused := s.prepare(c, "JarRunApplicationRequestBody")
	if refused != nil {
		return *refused
	}
	if bad := s.checkConf(r); bad != nil {
		return *bad
	}
	app := s.newApplication(r)
	app.detached = true
	go func() {
		_, err := s.main(r, app)
		s.mu.Lock()
		defer s.mu.Unlock()
		app.mainDone = true
		if err != nil {
			app.state, app.ended = "FAILED", s.now().UnixMilli()
			app.failure = mainError(err)
		}
	}()
	return accepted(map[string]any{"applicationid": app.id})
}

// appState follows the jobs of an application. One whose job failed before it ran says RUNNING for ever.
func (s *Server) appState(a *application) string {
	if a.state == "FAILED" || a.detached && !a.mainDone {
		return a.state
	}
	if len(a.jobs) == 0 {
		if a.mainDone {
			return "FINISHED"
		}
		return a.state
	}
	state := "FINISHED"
	for _, id := range a.jobs {
		j := s.job(id)
		switch {
		case j == nil:
		case j.initFailed || !terminal(j.state):
			return "RUNNING"
		case j.state != "FINISHED":
			state = j.state
		}
	}
	return state
}

func (s *Server) applicationsOverview(*call) reply {
	list := []any{}
	for _, a := range s.apps {
		list = append(list, map[string]any{
			"id": a.id, "name": a.name, "status": s.appState(a), "start-time": a.created, "end-time": s.appEnd(a),
			"duration": s.now().UnixMilli() - a.created, "jobs": map[string]any{},
		})
	}
	return ok(map[string]any{"applications": list})
}

func (s *Server) appEnd(a *application) int64 {
	if a.ended > 0 || !terminal(s.appState(a)) {
		return max(a.ended, 0)
	}
	return s.now().UnixMilli()
}

func (s *Server) application(c *call) (*application, *reply) {
	id, valid := parseID(c.vars[0])
	if !valid {
		a := refuse(http.StatusBadRequest, "Cannot resolve path parameter (applicationid) from value \"%s\".", c.vars[0])
		return nil, &a
	}
	for _, a := range s.apps {
		if a.id == id {
			return a, nil
		}
	}
	a := internal(throw(classNoApp, "Could not find Flink application (%s)", id).wrapped(classCompletion))
	return nil, &a
}

func (s *Server) getApplication(c *call) reply {
	a, refused := s.application(c)
	if refused != nil {
		return *refused
	}
	jobs := []any{}
	for _, id := range a.jobs {
		if j := s.job(id); j != nil {
			jobs = append(jobs, s.jobSummary(j))
		}
	}
	return ok(map[string]any{
		"id": a.id, "name": a.name, "type": "PACKAGED_PROGRAM", "status": s.appState(a), "start-time": a.created,
		"end-time": s.appEnd(a), "duration": s.now().UnixMilli() - a.created, "timestamps": map[string]any{},
		"jobs": jobs,
	})
}

func (s *Server) applicationExceptions(c *call) reply {
	a, refused := s.application(c)
	if refused != nil {
		return *refused
	}
	entries := []any{}
	if a.failure != nil {
		entries = append(entries, map[string]any{
			"exceptionName": a.failure.class, "stacktrace": a.failure.stack(), "timestamp": a.ended, "jobId": nil,
		})
	}
	return ok(map[string]any{"exceptionHistory": map[string]any{"entries": entries, "truncated": false}})
}

func (s *Server) cancelApplication(c *call) reply {
	a, refused := s.application(c)
	if refused != nil {
		return *refused
	}
	for _, id := range a.jobs {
		if j := s.job(id); j != nil {
			j.cancel(s.now())
		}
	}
	return accepted(map[string]any{})
}
