// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"net/http"
	"time"
)

// application is what version 2.3 puts around jobs: one for each job of a run, one for the whole main method of
// a run-application.
type application struct {
	id, name string
	jobs     []string
	created  time.Time
	// detached applications came by run-application: they live as long as main and its jobs.
	detached bool
	mainDone bool
	failure  *throwable
	// ended is when the application was first seen to have ended.
	ended time.Time
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
	app := &application{id: s.randomHex(32), name: r.class, detached: true}
	s.mu.Lock()
	app.created = s.now()
	s.apps = append(s.apps, app)
	s.mu.Unlock()
	go func() {
		_, err := s.main(r, app)
		s.mu.Lock()
		defer s.mu.Unlock()
		app.mainDone = true
		if err != nil {
			app.failure = throw(classAppExecution, "Could not execute application.").by(mainError(err))
		}
	}()
	return accepted(map[string]any{"applicationid": app.id})
}

const classAppExecution = "org.apache.flink.client.deployment.application.ApplicationExecutionException"

// appOf is the application that a new job belongs to: the one of its main, else one of its own under the job's id.
func (s *Server) appOf(j *job, app *application) *application {
	if !s.version.applications() {
		return nil
	}
	if app == nil {
		app = &application{
			id: j.id, name: "SingleJobApplication(" + j.name + ")", created: s.now(), mainDone: true,
		}
		s.apps = append(s.apps, app)
	}
	app.jobs = append(app.jobs, j.id)
	return app
}

// appState follows the jobs of an application. One whose job failed before it ran says RUNNING for ever.
func (s *Server) appState(a *application) string {
	if a.failure != nil {
		return "FAILED"
	}
	if !a.mainDone {
		return "RUNNING"
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

// crashes tells whether a cancel of the application brings the JobManager down, as it does when its job failed
// before it ran.
func (s *Server) crashes(a *application) bool {
	for _, id := range a.jobs {
		if j := s.job(id); j != nil && j.initFailed {
			return true
		}
	}
	return false
}

// appTimes is the part of a view that tells of time.
func (s *Server) appTimes(a *application) map[string]any {
	state, now := s.appState(a), s.now()
	if terminal(state) && a.ended.IsZero() {
		a.ended = now
	}
	end := now
	if !a.ended.IsZero() {
		end = a.ended
	}
	return map[string]any{
		"id": a.id, "name": a.name, "status": state, "start-time": millis(a.created), "end-time": millis(a.ended),
		"duration": end.Sub(a.created).Milliseconds(),
	}
}

func (s *Server) applicationsOverview(*call) reply {
	list := []any{}
	for _, a := range s.apps {
		v := s.appTimes(a)
		counts := map[string]int{}
		for _, id := range a.jobs {
			if j := s.job(id); j != nil {
				counts[j.state]++
			}
		}
		v["jobs"] = counts
		list = append(list, v)
	}
	return ok(map[string]any{"applications": list})
}

func (s *Server) application(c *call) (*application, *reply) {
	id, bad := parseID(c.vars[0])
	if bad != nil {
		return nil, badParameter("path", "applicationid", c.vars[0])
	}
	for _, a := range s.apps {
		if a.id == id {
			return a, nil
		}
	}
	a := internal(throw(classNoApp, "Could not find Flink application (%s)", id))
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
	v := s.appTimes(a)
	timestamps := map[string]any{}
	for _, state := range []string{"CREATED", "RUNNING", "FAILING", "FAILED", "CANCELING", "CANCELED", "FINISHED"} {
		timestamps[state] = 0
	}
	timestamps["CREATED"], timestamps["RUNNING"] = millis(a.created), millis(a.created)
	if !a.ended.IsZero() {
		timestamps[s.appState(a)] = millis(a.ended)
	}
	v["timestamps"], v["jobs"] = timestamps, jobs
	return ok(v)
}

func (s *Server) applicationExceptions(c *call) reply {
	a, refused := s.application(c)
	if refused != nil {
		return *refused
	}
	entries := []any{}
	if a.failure != nil {
		entries = append(entries, map[string]any{
			"exceptionName": a.failure.class, "stacktrace": a.failure.stack(), "timestamp": millis(a.ended),
		})
	}
	return ok(map[string]any{"exceptionHistory": map[string]any{"entries": entries}})
}

// cancelApplication cancels every job of an application that has not ended.
func (s *Server) cancelApplication(c *call) reply {
	a, refused := s.application(c)
	if refused != nil && refused.status == http.StatusBadRequest {
		return *refused
	}
	if refused != nil || terminal(s.appState(a)) {
		id, _ := parseID(c.vars[0])
		return restError(http.StatusNotFound, throw(classRest, "Application could not be found.").
			by(throw(classNoApp, "Could not find Flink application (%s)", id)))
	}
	if s.crashes(a) {
		s.forget(false)
		return accepted(map[string]any{})
	}
	for _, id := range a.jobs {
		if j := s.job(id); j != nil {
			j.cancel(s.now())
		}
	}
	return accepted(map[string]any{})
}
