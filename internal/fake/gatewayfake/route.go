// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package gatewayfake

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// reply is an answer before it is written.
type reply struct {
	status int
	body   any
}

func ok(body any) reply { return reply{http.StatusOK, body} }

func (r reply) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.WriteHeader(r.status)
	if text, plain := r.body.(string); plain {
		_, _ = io.WriteString(w, text)
		return
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(r.body); err != nil {
		panic(err) // Every body is plain data.
	}
}

// call is a request below a version of the API.
type call struct {
	version string
	vars    []string
	body    []byte
	format  string
}

type route struct {
	method  string
	pattern *regexp.Regexp
	handler func(*Server, *call) reply
}

func on(method, template string, handler func(*Server, *call) reply) route {
	pattern := regexp.MustCompile(`:[a-z]+`).ReplaceAllString(template, `([^/]+)`)
	return route{method, regexp.MustCompile("^" + pattern + "$"), handler}
}

var routes = []route{
	on("GET", "/info", (*Server).info),
	on("GET", "/api_versions", (*Server).versions),
	on("POST", "/sessions", (*Server).openSession),
	on("GET", "/sessions/:session", (*Server).getSession),
	on("DELETE", "/sessions/:session", (*Server).closeSession),
	on("POST", "/sessions/:session/heartbeat", (*Server).heartbeat),
	on("POST", "/sessions/:session/statements", (*Server).submit),
	on("GET", "/sessions/:session/operations/:operation/status", (*Server).status),
	on("GET", "/sessions/:session/operations/:operation/result/:token", (*Server).result),
	on("POST", "/sessions/:session/operations/:operation/cancel", (*Server).cancel),
	on("DELETE", "/sessions/:session/operations/:operation/close", (*Server).closeOperation),
}

var versioned = regexp.MustCompile(`^/(v\d+)(/.*)$`)

// route finds the handler of a request. Without a version in its path it is one
// of the newest.
func (s *Server) route(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // The client went away while it sent.
	}
	c := &call{version: strings.ToLower(s.set.api[len(s.set.api)-1]), body: body, format: r.URL.Query().Get("rowFormat")}
	path := r.URL.Path
	if match := versioned.FindStringSubmatch(path); match != nil {
		c.version, path = match[1], match[2]
	}
	notFound := reply{http.StatusNotFound, map[string]any{"errors": []string{"Not found: " + r.URL.RequestURI()}}}
	if !slices.Contains(s.set.api, strings.ToUpper(c.version)) {
		notFound.write(w)
		return
	}
	for _, route := range routes {
		match := route.pattern.FindStringSubmatch(path)
		if match == nil || route.method != r.Method {
			continue
		}
		c.vars = match[1:]
		s.handle(route, c).write(w)
		return
	}
	notFound.write(w)
}

func (s *Server) handle(route route, c *call) reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgetIdle()
	names := []string{"session_handle", "operation_handle"}
	for i, value := range c.vars[:min(len(c.vars), len(names))] {
		if !handle.MatchString(value) {
			return badParameter("path", names[i], value)
		}
	}
	return route.handler(s, c)
}

var handle = regexp.MustCompile(`^[0-9a-fA-F]{1,8}(-[0-9a-fA-F]{1,4}){3}-[0-9a-fA-F]{1,12}$`)

func (s *Server) info(*call) reply {
	return ok(map[string]any{"productName": "Apache Flink", "version": s.set.version})
}

func (s *Server) versions(*call) reply { return ok(map[string]any{"versions": s.set.api}) }

func (s *Server) openSession(c *call) reply {
	var request struct {
		Properties map[string]string `json:"properties"`
	}
	if len(c.body) > 0 {
		if err := json.Unmarshal(c.body, &request); err != nil {
			return badBody("OpenSessionRequestBody", err)
		}
	}
	one := newSession(s.now())
	maps.Copy(one.given, request.Properties)
	maps.Copy(one.properties, request.Properties)
	s.sessions[one.id] = one
	return ok(map[string]any{"sessionHandle": one.id})
}

func (s *Server) getSession(c *call) reply {
	one := s.session(c)
	if one == nil {
		return restError("Failed to getSessionConfig.", noSession(c.vars[0]))
	}
	all := maps.Clone(s.set.conf)
	maps.Copy(all, one.properties)
	return ok(map[string]any{"properties": all})
}

func (s *Server) closeSession(c *call) reply {
	if s.session(c) == nil {
		return restError("Failed to closeSession.", noSession(c.vars[0]))
	}
	delete(s.sessions, c.vars[0])
	return ok(map[string]any{"status": "CLOSED"})
}

func (s *Server) heartbeat(c *call) reply {
	if s.session(c) == nil {
		return restError("Failed to getSessionConfig.", noSession(c.vars[0]))
	}
	return ok(map[string]any{})
}

// session finds the session of a call, which counts as a sign of its life.
func (s *Server) session(c *call) *session {
	one := s.sessions[c.vars[0]]
	if one != nil {
		one.asked = s.now()
	}
	return one
}
