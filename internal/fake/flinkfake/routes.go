// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

const jsonType = "application/json; charset=UTF-8"

// reply is an answer before it is written.
type reply struct {
	status int
	// body is sent as JSON unless text is set.
	body any
	text string
	kind string
}

func ok(body any) reply { return reply{status: http.StatusOK, body: body} }

func accepted(body any) reply { return reply{status: http.StatusAccepted, body: body} }

// refuse is an error body of one text without a stack.
func refuse(status int, format string, args ...any) reply {
	return reply{status: status, body: map[string]any{"errors": []string{fmt.Sprintf(format, args...)}}}
}

// restError is an error body of one stack, as for anything that a handler refused.
func restError(status int, t *throwable) reply { return refuse(status, "%s", t.stack()) }

// badParameter is the 400 for something in the path or the query that cannot be read.
func badParameter(where, name, value string) *reply {
	text := "Cannot resolve " + where + " parameter (" + name + ") from value \"" + value + "\"."
	a := restError(http.StatusBadRequest, throw(classRest, "Bad request, could not parse parameters: %s", text).
		by(throw(classBadRequest, "%s", text)))
	return &a
}

// internal is a 500: the stack is in the second text.
func internal(t *throwable) reply {
	return reply{status: http.StatusInternalServerError, body: map[string]any{"errors": []string{
		"Internal server error.",
		"<Exception on server side:\n" + t.stack() + "\n\nEnd of exception on server side>",
	}}}
}

func (a reply) bytes() []byte {
	if a.text != "" {
		return []byte(a.text)
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(a.body); err != nil {
		panic(err) // Every body is plain data.
	}
	return []byte(strings.TrimSuffix(b.String(), "\n"))
}

func (a reply) write(w http.ResponseWriter) {
	if a.kind == "" {
		a.kind = jsonType
	}
	w.Header().Set("Content-Type", a.kind)
	if a.status != http.StatusMovedPermanently {
		w.Header()["Date"] = nil // Flink sends none.
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(a.bytes())
}

// halfOf is the head and half the body of the answer as they go over the wire.
func (a reply) halfOf() []byte {
	body := a.bytes()
	head := fmt.Sprintf("HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n",
		a.status, http.StatusText(a.status), jsonType, len(body))
	return append([]byte(head), body[:len(body)/2]...)
}

// call is a request that found its route.
type call struct {
	vars  []string
	query url.Values
	body  []byte
	req   *http.Request
}

type route struct {
	method  string
	pattern *regexp.Regexp
	// bare handlers lock for themselves: they run a main method, which may take its time.
	bare    bool
	jars    bool
	handler func(*Server, *call) reply
}

func on(method, template string, h func(*Server, *call) reply) route {
	pattern := regexp.MustCompile(`:[a-z]+`).ReplaceAllString(template, `([^/]+)`)
	return route{
		method: method, pattern: regexp.MustCompile("^" + pattern + "$"), handler: h,
		jars: strings.HasPrefix(template, "/jars"),
	}
}

func (r route) unlocked() route {
	r.bare = true
	return r
}

// routes lists what the JobManager answers to, of any version; see serves.
var routes = []route{
	on("GET", "/config", (*Server).getConfig),
	on("GET", "/overview", (*Server).getOverview),
	on("GET", "/jobmanager/config", (*Server).getClusterConfig),
	on("GET", "/jobmanager/log", (*Server).getLog),
	on("GET", "/taskmanagers", (*Server).getTaskManagers),
	on("POST", "/jars/upload", (*Server).uploadJar),
	on("GET", "/jars", (*Server).listJars),
	on("DELETE", "/jars/:jarid", (*Server).deleteJar),
	on("POST", "/jars/:jarid/run", (*Server).runJar).unlocked(),
	on("POST", "/jars/:jarid/run-application", (*Server).runApplication).unlocked(),
	on("GET", "/jars/:jarid/plan", (*Server).planJar).unlocked(),
	on("POST", "/jars/:jarid/plan", (*Server).planJar).unlocked(),
	on("GET", "/jobs", (*Server).listJobs),
	on("GET", "/jobs/overview", (*Server).jobsOverview),
	on("GET", "/jobs/:jobid", (*Server).getJob),
	on("PATCH", "/jobs/:jobid", (*Server).cancelJob),
	on("GET", "/jobs/:jobid/status", (*Server).getJobStatus),
	on("GET", "/jobs/:jobid/config", (*Server).getJobConfig),
	on("GET", "/jobs/:jobid/jobmanager/config", (*Server).getJobClusterConfig),
	on("GET", "/jobs/:jobid/metrics", (*Server).getJobMetrics),
	on("GET", "/jobs/:jobid/exceptions", (*Server).getExceptions),
	on("GET", "/jobs/:jobid/execution-result", (*Server).getExecutionResult),
	on("GET", "/jobs/:jobid/checkpoints", (*Server).getCheckpoints),
	on("POST", "/jobs/:jobid/checkpoints", (*Server).triggerCheckpoint),
	on("GET", "/jobs/:jobid/checkpoints/config", (*Server).getCheckpointConfig),
	on("GET", "/jobs/:jobid/checkpoints/:triggerid", (*Server).checkpointStatus),
	on("POST", "/jobs/:jobid/savepoints", (*Server).triggerSavepoint),
	on("GET", "/jobs/:jobid/savepoints/:triggerid", (*Server).savepointStatus),
	on("POST", "/jobs/:jobid/stop", (*Server).stopJob),
	on("GET", "/jobs/:jobid/resource-requirements", (*Server).getRequirements),
	on("PUT", "/jobs/:jobid/resource-requirements", (*Server).putRequirements),
	on("PATCH", "/jobs/:jobid/rescaling", (*Server).rescale),
	on("POST", "/savepoint-disposal", (*Server).disposeSavepoint),
	on("GET", "/savepoint-disposal/:triggerid", (*Server).disposalStatus),
	on("GET", "/applications/overview", (*Server).applicationsOverview),
	on("GET", "/applications/:appid", (*Server).getApplication),
	on("GET", "/applications/:appid/exceptions", (*Server).applicationExceptions),
	on("POST", "/applications/:appid/cancel", (*Server).cancelApplication),
}

// handle finds the route and answers.
func (s *Server) handle(r *http.Request, body []byte) reply {
	path := r.URL.Path
	if rest, ok := strings.CutPrefix(path, "/v1/"); ok {
		path = "/" + rest
	}
	for _, rt := range routes {
		m := rt.pattern.FindStringSubmatch(path)
		if m == nil || rt.method != r.Method || !s.serves(rt, path) {
			continue
		}
		c := &call{vars: m[1:], query: r.URL.Query(), body: body, req: r}
		if rt.bare {
			return rt.handler(s, c)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.advance()
		return rt.handler(s, c)
	}
	if s.noWebSubmit && r.Method == http.MethodPost && path == "/jars/upload" && s.version.atLeast(1, 15) {
		return refuse(http.StatusBadRequest, "POST request not allowed")
	}
	if r.Method == http.MethodGet {
		return refuse(http.StatusNotFound, "Unable to load requested file %s.", path)
	}
	return refuse(http.StatusNotFound, "Not found: %s", path)
}

// serves tells whether the cluster has the route at all.
func (s *Server) serves(rt route, path string) bool {
	if rt.jars && s.noWebSubmit {
		return false
	}
	if strings.HasPrefix(path, "/applications") || strings.HasSuffix(path, "/run-application") {
		return s.version.applications()
	}
	if strings.HasSuffix(path, "/status") || strings.HasSuffix(rt.pattern.String(), "/jobmanager/config$") && strings.HasPrefix(path, "/jobs/") {
		return !s.version.strict()
	}
	if strings.HasSuffix(path, "/resource-requirements") {
		return s.version.atLeast(1, 18)
	}
	if strings.HasSuffix(path, "/checkpoints") && rt.method == http.MethodPost {
		return s.version.atLeast(1, 17)
	}
	return true
}
