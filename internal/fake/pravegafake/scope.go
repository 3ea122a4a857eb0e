// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravegafake

import (
	"net/http"
	"regexp"
)

var userName = regexp.MustCompile(`^[A-Za-z0-9.\-]+$`)

const maxScopeName, maxStreamName = 255, 250

func validName(name string, limit int) bool { return userName.MatchString(name) && len(name) <= limit }

func (s *Server) listScopes(w http.ResponseWriter, r *http.Request) {
	if !s.allowed(w, r, allScopes, look) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	body := map[string]any{}
	var list []any
	for name := range s.scopes {
		if s.sees(r, scopeResource(name)) {
			list = append(list, map[string]any{"scopeName": name})
		}
	}
	if list != nil {
		body["scopes"] = list
	}
	answer(w, http.StatusOK, body)
}

func (s *Server) createScope(w http.ResponseWriter, r *http.Request) {
	body, ok := read(w, r)
	if !ok {
		return
	}
	name, _ := body.text("scopeName")
	if !validName(name, maxScopeName) {
		fail(w, http.StatusBadRequest)
		return
	}
	if !s.allowed(w, r, allScopes, change) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.scopes[name] != nil {
		fail(w, http.StatusConflict)
		return
	}
	s.scopes[name] = newScope()
	answer(w, http.StatusCreated, map[string]any{"scopeName": name})
}

func (s *Server) getScope(w http.ResponseWriter, r *http.Request, name string) {
	if !s.allowed(w, r, scopeResource(name), look) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.scopes[name] == nil {
		fail(w, http.StatusNotFound)
		return
	}
	answer(w, http.StatusOK, map[string]any{"scopeName": name})
}

func (s *Server) deleteScope(w http.ResponseWriter, r *http.Request, name string) {
	if !s.allowed(w, r, allScopes, change) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	sc := s.scopes[name]
	switch {
	case sc == nil:
		fail(w, http.StatusNotFound)
	case name == systemScope || !sc.empty():
		fail(w, http.StatusPreconditionFailed)
	default:
		delete(s.scopes, name)
		w.WriteHeader(http.StatusNoContent)
	}
}

func (s *Server) listGroups(w http.ResponseWriter, r *http.Request, name string) {
	if !s.allowed(w, r, scopeResource(name), look) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	sc := s.scopes[name]
	if sc == nil {
		fail(w, http.StatusNotFound)
		return
	}
	// Without a group the key is missing, not empty.
	body := map[string]any{}
	var list []any
	for group := range sc.groups {
		list = append(list, map[string]any{"readerGroupName": group})
	}
	if list != nil {
		body["readerGroups"] = list
	}
	answer(w, http.StatusOK, body)
}

func (s *Server) getGroup(w http.ResponseWriter, r *http.Request, name, groupName string) {
	if !s.allowed(w, r, groupResource(name, groupName), look) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	g, ok := s.group(name, groupName)
	if !ok {
		fail(w, http.StatusNotFound)
		return
	}
	answer(w, http.StatusOK, map[string]any{
		"scopeName": name, "readerGroupName": groupName, "streamList": g.streams, "onlineReaderIds": g.readers,
	})
}

func (s *Server) deleteGroup(w http.ResponseWriter, r *http.Request, name, groupName string) {
	if !s.allowed(w, r, groupResource(name, groupName), change) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.group(name, groupName); !ok {
		fail(w, http.StatusNotFound)
		return
	}
	delete(s.scopes[name].groups, groupName)
	w.WriteHeader(http.StatusNoContent)
}

// group finds a reader group; mu is held.
func (s *Server) group(name, groupName string) (group, bool) {
	sc := s.scopes[name]
	if sc == nil {
		return group{}, false
	}
	g, ok := sc.groups[groupName]
	return g, ok
}
