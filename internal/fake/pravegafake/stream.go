// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravegafake

import (
	"net/http"
	"time"
)

func (s *Server) createStream(w http.ResponseWriter, r *http.Request, scopeName string) {
	body, ok := read(w, r)
	if !ok {
		return
	}
	c, err := readConfig(body, true)
	if isRefused(err) {
		// The JSON reader comes before everything else.
		reject(w, err)
		return
	}
	name, _ := body.text("streamName")
	if !validName(name, maxStreamName) {
		fail(w, http.StatusBadRequest)
		return
	}
	if !s.allowed(w, r, scopeResource(scopeName), change) {
		return
	}
	if err != nil {
		reject(w, err)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	sc := s.scopes[scopeName]
	switch {
	case sc == nil:
		fail(w, http.StatusNotFound)
	case sc.streams[name] != nil:
		fail(w, http.StatusConflict)
	default:
		st := &stream{config: c, next: s.numbers[scopeName+"/"+name]}
		st.create(s.now())
		sc.streams[name] = st
		answer(w, http.StatusCreated, c.shown(scopeName, name))
	}
}

func (s *Server) getStream(w http.ResponseWriter, r *http.Request, scopeName, name string) {
	if !s.allowed(w, r, streamResource(scopeName, name), look) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.stream(scopeName, name)
	if st == nil {
		fail(w, http.StatusNotFound)
		return
	}
	answer(w, http.StatusOK, st.config.shown(scopeName, name))
}

// updateStream replaces the whole configuration, and forgets any maximum.
func (s *Server) updateStream(w http.ResponseWriter, r *http.Request, scopeName, name string) {
	body, ok := read(w, r)
	if !ok {
		return
	}
	c, err := readConfig(body, false)
	if isRefused(err) {
		reject(w, err)
		return
	}
	if !s.allowed(w, r, streamResource(scopeName, name), change) {
		return
	}
	if err != nil {
		reject(w, err)
		return
	}
	s.operate(w, scopeName, name, func(st *stream) int {
		if st.sealed {
			return http.StatusInternalServerError
		}
		st.update(c, s.now())
		answer(w, http.StatusOK, c.shown(scopeName, name))
		return 0
	})
}

func (s *Server) setState(w http.ResponseWriter, r *http.Request, scopeName, name string) {
	body, ok := read(w, r)
	if !ok {
		return
	}
	if !s.allowed(w, r, streamResource(scopeName, name), change) {
		return
	}
	if state, _ := body.text("streamState"); state != "SEALED" {
		fail(w, http.StatusBadRequest)
		return
	}
	s.operate(w, scopeName, name, func(st *stream) int {
		st.sealed = true
		answer(w, http.StatusOK, map[string]any{"streamState": "SEALED"})
		return 0
	})
}

func (s *Server) deleteStream(w http.ResponseWriter, r *http.Request, scopeName, name string) {
	if !s.allowed(w, r, streamResource(scopeName, name), change) {
		return
	}
	s.operate(w, scopeName, name, func(st *stream) int {
		if !st.sealed {
			return http.StatusPreconditionFailed
		}
		s.numbers[scopeName+"/"+name] = st.next
		delete(s.scopes[scopeName].streams, name)
		return http.StatusNoContent
	})
}

// operate holds a stream for the time that an operation takes, and then lets
// do act and answer, or return the status of an empty answer. An operation on
// a stream that another one holds fails as in the engine.
func (s *Server) operate(w http.ResponseWriter, scopeName, name string, do func(*stream) int) {
	s.mu.Lock()
	st := s.stream(scopeName, name)
	if st == nil {
		s.mu.Unlock()
		fail(w, http.StatusNotFound)
		return
	}
	if st.busy {
		s.mu.Unlock()
		fail(w, http.StatusInternalServerError)
		return
	}
	st.busy = true
	s.mu.Unlock()

	time.Sleep(s.set.operation)

	s.mu.Lock()
	defer s.mu.Unlock()
	st.busy = false
	switch status := do(st); status {
	case 0:
	case http.StatusNoContent:
		w.WriteHeader(status)
	default:
		fail(w, status)
	}
}

func (s *Server) listStreams(w http.ResponseWriter, r *http.Request, scopeName string) {
	if !s.allowed(w, r, scopeResource(scopeName), look) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	sc := s.scopes[scopeName]
	if sc == nil {
		fail(w, http.StatusNotFound)
		return
	}
	query := r.URL.Query()
	filter, value := query.Get("filter_type"), query.Get("filter_value")
	list := []any{}
	if filter == "showInternalStreams" {
		for name, owner := range sc.internal(scopeName) {
			if !s.sees(r, owner) {
				continue
			}
			c := config{scaling: scaling{Type: fixed, MinSegments: 1}}
			list = append(list, c.shown(scopeName, name))
		}
	} else {
		for name, st := range sc.streams {
			if !s.sees(r, streamResource(scopeName, name)) || filter == "tag" && query.Has("filter_value") && !st.config.tags[value] {
				continue
			}
			list = append(list, st.config.shown(scopeName, name))
		}
	}
	answer(w, http.StatusOK, map[string]any{"streams": list})
}

// internal names the streams that the engine keeps beside the user's, each with
// what must be seen to see it.
func (s *scope) internal(name string) map[string]string {
	names := map[string]string{}
	for stream := range s.streams {
		names["_MARK"+stream] = streamResource(name, stream)
	}
	for group := range s.groups {
		names["_RG"+group] = groupResource(name, group)
		names["_MARK_RG"+group] = streamResource(name, "_RG"+group)
	}
	return names
}

// stream finds a stream; mu is held.
func (s *Server) stream(scopeName, name string) *stream {
	sc := s.scopes[scopeName]
	if sc == nil {
		return nil
	}
	return sc.streams[name]
}
