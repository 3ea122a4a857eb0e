// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravegafake

import (
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
)

// route finds the handler. The path is split before it is unescaped, since a
// scope may well be called "..".
func (s *Server) route(w http.ResponseWriter, r *http.Request) {
	path, found := strings.CutPrefix(r.URL.EscapedPath(), s.set.prefix)
	if !found {
		fail(w, http.StatusNotFound)
		return
	}
	if path == "/ping" {
		w.WriteHeader(http.StatusOK)
		return
	}
	parts, ok := elements(path)
	if !ok || len(parts) < 2 || parts[0] != "v1" {
		fail(w, http.StatusNotFound)
		return
	}
	if parts[1] == "health" {
		s.health(w, parts[2:])
		return
	}
	methods := s.methods(parts[1:])
	if methods == nil {
		fail(w, http.StatusNotFound)
		return
	}
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	handle := methods[method]
	switch {
	case handle == nil:
		fail(w, http.StatusMethodNotAllowed)
	case !accepts(r):
		fail(w, http.StatusNotAcceptable)
	case sends(method) && !sendsJSON(r):
		fail(w, http.StatusUnsupportedMediaType)
	default:
		handle(w, r)
	}
}

type handlers map[string]http.HandlerFunc

// methods are what the resource at a path answers to, nil where there is none.
func (s *Server) methods(parts []string) handlers {
	if parts[0] != "scopes" {
		return nil
	}
	switch len(parts) {
	case 1:
		return handlers{http.MethodGet: s.listScopes, http.MethodPost: s.createScope}
	case 2:
		return handlers{
			http.MethodGet:    func(w http.ResponseWriter, r *http.Request) { s.getScope(w, r, parts[1]) },
			http.MethodDelete: func(w http.ResponseWriter, r *http.Request) { s.deleteScope(w, r, parts[1]) },
		}
	}
	switch parts[2] {
	case "streams":
		return s.streamMethods(parts[1], parts[3:])
	case "readergroups":
		return s.groupMethods(parts[1], parts[3:])
	}
	return nil
}

func (s *Server) streamMethods(scope string, parts []string) handlers {
	if len(parts) == 0 {
		return handlers{
			http.MethodGet:  func(w http.ResponseWriter, r *http.Request) { s.listStreams(w, r, scope) },
			http.MethodPost: func(w http.ResponseWriter, r *http.Request) { s.createStream(w, r, scope) },
		}
	}
	name := parts[0]
	if len(parts) == 1 {
		return handlers{
			http.MethodGet:    func(w http.ResponseWriter, r *http.Request) { s.getStream(w, r, scope, name) },
			http.MethodPut:    func(w http.ResponseWriter, r *http.Request) { s.updateStream(w, r, scope, name) },
			http.MethodDelete: func(w http.ResponseWriter, r *http.Request) { s.deleteStream(w, r, scope, name) },
		}
	}
	switch strings.Join(parts[1:], "/") {
	case "state":
		return handlers{http.MethodPut: func(w http.ResponseWriter, r *http.Request) { s.setState(w, r, scope, name) }}
	case "scaling-events":
		return handlers{http.MethodGet: func(w http.ResponseWriter, r *http.Request) { s.scalingEvents(w, r, scope, name) }}
	}
	return nil
}

func (s *Server) groupMethods(scope string, parts []string) handlers {
	switch len(parts) {
	case 0:
		return handlers{http.MethodGet: func(w http.ResponseWriter, r *http.Request) { s.listGroups(w, r, scope) }}
	case 1:
		return handlers{
			http.MethodGet:    func(w http.ResponseWriter, r *http.Request) { s.getGroup(w, r, scope, parts[0]) },
			http.MethodDelete: func(w http.ResponseWriter, r *http.Request) { s.deleteGroup(w, r, scope, parts[0]) },
		}
	}
	return nil
}

func (s *Server) health(w http.ResponseWriter, parts []string) {
	switch strings.Join(parts, "/") {
	case "":
		answer(w, http.StatusOK, map[string]any{"name": "fake", "status": "UP", "readiness": true, "liveness": true})
	case "readiness", "liveness":
		answer(w, http.StatusOK, true)
	default:
		fail(w, http.StatusNotFound)
	}
}

func elements(escaped string) ([]string, bool) {
	var parts []string
	for part := range strings.SplitSeq(strings.Trim(escaped, "/"), "/") {
		name, err := url.PathUnescape(part)
		if err != nil {
			return nil, false
		}
		parts = append(parts, name)
	}
	return parts, true
}

func accepts(r *http.Request) bool {
	accept := r.Header.Get("Accept")
	return accept == "" || strings.Contains(accept, "*/*") || strings.Contains(accept, "application/*") || strings.Contains(accept, "json")
}

func sends(method string) bool { return method == http.MethodPost || method == http.MethodPut }

func sendsJSON(r *http.Request) bool {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && media == "application/json"
}

// fail answers with a status and nothing else.
func fail(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Length", "0")
	w.WriteHeader(status)
}

// broken answers what the engine's servlet container does after an exception:
// a page of 1031 bytes, without a reason.
func broken(w http.ResponseWriter) {
	const head, tail = "<html><head><title>Fake</title><style>/*", "*/</style></head><body><div>Request failed.</div></body></html>"
	w.Header().Set("Content-Type", "text/html; charset=ISO-8859-1")
	w.WriteHeader(http.StatusInternalServerError)
	_, _ = io.WriteString(w, head+strings.Repeat(".", 1031-len(head)-len(tail))+tail)
}

// unreadable answers what the engine's JSON reader does.
func unreadable(w http.ResponseWriter, reason string) {
	w.Header().Set("Content-Type", "text/plain")
	w.WriteHeader(http.StatusBadRequest)
	_, _ = io.WriteString(w, reason)
}

func answer(w http.ResponseWriter, status int, body any) {
	content, err := json.Marshal(body)
	if err != nil {
		broken(w)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(content)
}
