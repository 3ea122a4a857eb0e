// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package conformance

import (
	"context"
	"net/http"
	"strings"
)

func pravegaScopeExchanges() []Exchange {
	return []Exchange{
		{"scope: create, read, delete", func(ctx context.Context, s *Session) {
			name := newScope(ctx, s)
			removeScope(ctx, s, name)
			pravegaCall(ctx, s, Call{Method: http.MethodGet, Route: routeScope, Args: []string{name}, Want: 404})
			pravegaCall(ctx, s, Call{Method: http.MethodPost, Route: routeScopes, Body: object{"scopeName": name, "unknown": 1}, Want: 201})
			pravegaCall(ctx, s, Call{Method: http.MethodPost, Route: routeScopes, Body: object{"scopeName": name}, Want: 409})
			pravegaCall(ctx, s, Call{Method: http.MethodGet, Route: routeScope, Args: []string{name}, Want: 200})
			pravegaCall(ctx, s, Call{Method: http.MethodGet, Route: routeScope, Args: []string{strings.ToUpper(name)}, Want: 404})
			pravegaCall(ctx, s, Call{Method: http.MethodHead, Route: routeScope, Args: []string{name}, Want: 200})
			pravegaCall(ctx, s, Call{Method: http.MethodHead, Route: routeScope, Args: []string{name + "x"}, Want: 404})
			pravegaCall(ctx, s, Call{Method: http.MethodDelete, Route: routeScope, Args: []string{name}, Want: 204})
			pravegaCall(ctx, s, Call{Method: http.MethodDelete, Route: routeScope, Args: []string{name}, Want: 404})
		}},
		{"scope: names", func(ctx context.Context, s *Session) {
			for _, bad := range []any{"", "_x", "_system", "a_b", "a b", "a/b", "ä", strings.Repeat("a", 256), nil} {
				pravegaCall(ctx, s, Call{Method: http.MethodPost, Route: routeScopes, Body: object{"scopeName": bad}, Want: 400})
			}
			pravegaCall(ctx, s, Call{Method: http.MethodPost, Route: routeScopes, Body: object{}, Want: 400})
			long := newScope(ctx, s)
			long += strings.Repeat("Z.-", 100)[:255-len(long)]
			s.Cleanup(func(ctx context.Context) { removeScope(ctx, s, long) })
			pravegaCall(ctx, s, Call{Method: http.MethodPost, Route: routeScopes, Body: object{"scopeName": long}, Want: 201})
			pravegaCall(ctx, s, Call{Method: http.MethodGet, Route: routeScope, Args: []string{long}, Want: 200})
		}},
		{"scope: bodies", func(ctx context.Context, s *Session) {
			for _, broken := range []string{"", "null"} {
				pravegaCall(ctx, s, Call{Method: http.MethodPost, Route: routeScopes, Body: broken, Want: 500})
			}
			for _, refused := range []string{"{", "[]", `"x"`, "5"} {
				pravegaCall(ctx, s, Call{Method: http.MethodPost, Route: routeScopes, Body: refused, Want: 400})
			}
			pravegaCall(ctx, s, Call{Method: http.MethodPost, Route: routeScopes, Body: "{}", ContentType: "text/plain", Want: 415})
			pravegaCall(ctx, s, Call{Method: http.MethodPost, Route: routeScopes, Body: "{}", ContentType: "application/json; charset=utf-8", Want: 400})
		}},
		{"scope: methods and paths", func(ctx context.Context, s *Session) {
			name := newScope(ctx, s)
			pravegaCall(ctx, s, Call{Method: http.MethodPut, Route: routeScope, Args: []string{name}, Body: object{}, Want: 405})
			pravegaCall(ctx, s, Call{Method: http.MethodPatch, Route: routeScope, Args: []string{name}, Body: object{}, Want: 405})
			pravegaCall(ctx, s, Call{Method: http.MethodDelete, Route: routeScopes, Want: 405})
			pravegaCall(ctx, s, Call{Method: http.MethodGet, Route: "/v1/nothing", Want: 404})
			pravegaCall(ctx, s, Call{Method: http.MethodGet, Route: "/v1/scopes/{scope}/keyvaluetables", Args: []string{name}, Want: 404})
			pravegaCall(ctx, s, Call{Method: http.MethodGet, Route: "/ping", Want: 200})
			pravegaCall(ctx, s, Call{Method: http.MethodGet, Route: "/v1/health/readiness", Want: 200})
		}},
		{"scope: list", func(ctx context.Context, s *Session) {
			name := newScope(ctx, s)
			r := pravegaCall(ctx, s, Call{Method: http.MethodGet, Route: routeScopes, Want: 200})
			s.Effect("has the new one", strings.Contains(string(r.Body), `"`+name+`"`))
			s.Effect("has the engine's own", strings.Contains(string(r.Body), `"_system"`))
		}},
		{"scope: one that is not empty", func(ctx context.Context, s *Session) {
			name := newScope(ctx, s)
			newStream(ctx, s, name, "a", nil)
			pravegaCall(ctx, s, Call{Method: http.MethodDelete, Route: routeScope, Args: []string{name}, Want: 412})
			s.Aux(ctx, Call{Method: http.MethodPut, Route: routeState, Args: []string{name, "a"}, Body: object{"streamState": "SEALED"}})
			pravegaCall(ctx, s, Call{Method: http.MethodDelete, Route: routeScope, Args: []string{name}, Want: 412})
			pravegaCall(ctx, s, Call{Method: http.MethodDelete, Route: routeScope, Args: []string{"_system"}, Want: 412})
		}},
		{"reader groups", func(ctx context.Context, s *Session) {
			name := newScope(ctx, s)
			// Without a group the key is missing.
			pravegaCall(ctx, s, Call{Method: http.MethodGet, Route: routeGroups, Args: []string{name}, Want: 200})
			pravegaCall(ctx, s, Call{Method: http.MethodGet, Route: routeGroups, Args: []string{name + "x"}, Want: 404})
			pravegaCall(ctx, s, Call{Method: http.MethodPost, Route: routeGroups, Args: []string{name}, Body: object{"readerGroupName": "g"}, Want: 405})
			pravegaCall(ctx, s, Call{Method: http.MethodGet, Route: routeGroup, Args: []string{name, "g"}, Want: 404})
			pravegaCall(ctx, s, Call{Method: http.MethodDelete, Route: routeGroup, Args: []string{name, "g"}, Want: 404})
			// The engine's own are the ones that are there without a client.
			pravegaCall(ctx, s, Call{Method: http.MethodGet, Route: routeGroups, Args: []string{"_system"}, Keep: []string{"$.readerGroups[].readerGroupName"}, Want: 200})
			pravegaCall(ctx, s, Call{
				Method: http.MethodGet, Route: routeGroup, Args: []string{"_system", "scaleGroup"},
				Keep: []string{"$.readerGroupName", "$.streamList[]"}, Want: 200,
			})
		}},
	}
}
