// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravegafake

import (
	"net/http"
	"regexp"
	"strings"
)

// access is what a request needs on a resource: to see it, or to change it.
type access int

const (
	look access = iota + 1
	change
)

// The names by which the engine knows what it protects.
const allScopes = "prn::/"

func scopeResource(scope string) string { return "prn::/scope:" + scope }

func streamResource(scope, name string) string { return scopeResource(scope) + "/stream:" + name }

func groupResource(scope, name string) string { return scopeResource(scope) + "/reader-group:" + name }

// grant gives access to the resources that a pattern matches.
type grant struct {
	pattern *regexp.Regexp
	access  access
}

type user struct {
	password string
	grants   []grant
}

// User lets a user in, with rights as the engine's file of accounts has them:
// "prn::/scope:a,READ_UPDATE;prn::/scope:a/*,READ". A later user does not
// replace an earlier one of another name.
func User(name, password, rights string) Option {
	return func(s *settings) {
		u := user{password: password}
		for entry := range strings.SplitSeq(rights, ";") {
			resource, right, found := strings.Cut(entry, ",")
			if !found {
				continue
			}
			given := look
			if right == "READ_UPDATE" {
				given = change
			}
			pattern := "^" + strings.ReplaceAll(regexp.QuoteMeta(resource), `\*`, ".*") + "$"
			u.grants = append(u.grants, grant{regexp.MustCompile(pattern), given})
		}
		if s.users == nil {
			s.users = map[string]user{}
		}
		s.users[name] = u
	}
}

// BasicAuth lets this user in, who may do everything.
func BasicAuth(username, password string) Option {
	return User(username, password, "prn::*,READ_UPDATE")
}

// allowed checks the credentials, then the rights, and answers 401 or 403
// itself. Whether the thing exists comes later, so that who may not see it gets
// 403 either way. Handlers call it after the name was checked, which is the
// engine's order.
func (s *Server) allowed(w http.ResponseWriter, r *http.Request, resource string, need access) bool {
	if s.set.users == nil {
		return true
	}
	name, password, ok := r.BasicAuth()
	u, known := s.set.users[name]
	if !ok || !known || u.password != password {
		fail(w, http.StatusUnauthorized)
		return false
	}
	if !u.may(resource, need) {
		fail(w, http.StatusForbidden)
		return false
	}
	return true
}

// sees tells whether the user of a request, which was let in, may see a thing
// in a list. The engine leaves out what is not to be seen.
func (s *Server) sees(r *http.Request, resource string) bool {
	if s.set.users == nil {
		return true
	}
	name, _, _ := r.BasicAuth()
	return s.set.users[name].may(resource, look)
}

// may goes by the first entry that matches, as the engine does.
func (u user) may(resource string, need access) bool {
	for _, g := range u.grants {
		if g.pattern.MatchString(resource) {
			return g.access >= need
		}
	}
	return false
}
