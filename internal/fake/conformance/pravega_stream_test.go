// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package conformance

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"sort"
	"strings"
	"time"
)

func pravegaStreamExchanges() []Exchange {
	return []Exchange{
		{"stream: create, read, seal, delete, create again", func(ctx context.Context, s *Session) {
			scope := newScope(ctx, s)
			body := object{"streamName": "a", "scalingPolicy": fixed(2)}
			args := []string{scope, "a"}
			keep := []string{
				"$.streamName", "$.scalingPolicy.type", "$.scalingPolicy.minSegments", "$.tags", "$.timestampAggregationTimeout", "$.rolloverSizeBytes",
			}
			pravegaCall(ctx, s, Call{Method: http.MethodGet, Route: routeStream, Args: args, Want: 404})
			pravegaCall(ctx, s, Call{Method: http.MethodPost, Route: routeStreams, Args: []string{scope}, Body: body, Keep: keep, Want: 201})
			pravegaCall(ctx, s, Call{Method: http.MethodPost, Route: routeStreams, Args: []string{scope}, Body: body, Want: 409})
			pravegaCall(ctx, s, Call{Method: http.MethodGet, Route: routeStream, Args: args, Keep: keep, Want: 200})
			pravegaCall(ctx, s, Call{Method: http.MethodGet, Route: routeStream, Args: []string{scope, "A"}, Want: 404})
			pravegaCall(ctx, s, Call{Method: http.MethodDelete, Route: routeStream, Args: args, Want: 412})
			seal := Call{Method: http.MethodPut, Route: routeState, Args: args, Body: object{"streamState": "SEALED"}, Keep: []string{"$.streamState"}, Want: 200}
			pravegaCall(ctx, s, seal)
			pravegaCall(ctx, s, seal)
			pravegaCall(ctx, s, Call{Method: http.MethodGet, Route: routeStream, Args: args, Keep: keep, Want: 200})
			pravegaCall(ctx, s, Call{Method: http.MethodPut, Route: routeStream, Args: args, Body: object{"scalingPolicy": fixed(3)}, Want: 500})
			s.Effect("segments when sealed", segmentsOf(ctx, s, scope, "a"))
			pravegaCall(ctx, s, Call{Method: http.MethodDelete, Route: routeStream, Args: args, Want: 204})
			pravegaCall(ctx, s, Call{Method: http.MethodDelete, Route: routeStream, Args: args, Want: 404})
			pravegaCall(ctx, s, Call{Method: http.MethodPost, Route: routeStreams, Args: []string{scope}, Body: body, Keep: keep, Want: 201})
		}},
		{"stream: what is not there", func(ctx context.Context, s *Session) {
			scope := newScope(ctx, s)
			for _, args := range [][]string{{scope, "none"}, {scope + "x", "none"}} {
				pravegaCall(ctx, s, Call{Method: http.MethodPut, Route: routeStream, Args: args, Body: object{"scalingPolicy": fixed(1)}, Want: 404})
				pravegaCall(ctx, s, Call{Method: http.MethodPut, Route: routeState, Args: args, Body: object{"streamState": "SEALED"}, Want: 404})
				pravegaCall(ctx, s, Call{Method: http.MethodDelete, Route: routeStream, Args: args, Want: 404})
			}
			pravegaCall(ctx, s, Call{Method: http.MethodGet, Route: routeStreams, Args: []string{scope + "x"}, Want: 404})
			pravegaCall(ctx, s, Call{Method: http.MethodPost, Route: routeStreams, Args: []string{scope + "x"}, Body: object{"streamName": "a", "scalingPolicy": fixed(1)}, Want: 404})
		}},
		{"stream: names", func(ctx context.Context, s *Session) {
			scope := newScope(ctx, s)
			create := func(name any, want int) {
				pravegaCall(ctx, s, Call{Method: http.MethodPost, Route: routeStreams, Args: []string{scope}, Body: object{"streamName": name, "scalingPolicy": fixed(1)}, Want: want})
			}
			for _, bad := range []any{"", nil, "_x", "a_b", "a b", "ü", strings.Repeat("a", 251)} {
				create(bad, 400)
			}
			for _, good := range []any{"UPPER", "a.b-c", "-", 42} {
				create(good, 201)
			}
			r := s.Aux(ctx, Call{Method: http.MethodGet, Route: routeStreams, Args: []string{scope}})
			list, _ := r.At("streams").([]any)
			names := make([]string, 0, len(list))
			for i := range list {
				names = append(names, r.Str("streams", i, "streamName"))
			}
			sort.Strings(names)
			s.Effect("streams", names)
		}},
		{"stream: bodies", func(ctx context.Context, s *Session) {
			scope := newScope(ctx, s)
			newStream(ctx, s, scope, "there", nil)
			for _, c := range []Call{
				{Method: http.MethodPost, Route: routeStreams, Args: []string{scope}},
				{Method: http.MethodPut, Route: routeStream, Args: []string{scope, "there"}},
				{Method: http.MethodPut, Route: routeState, Args: []string{scope, "there"}},
			} {
				for _, body := range []string{"", "null"} {
					c.Body, c.Want = body, 500
					pravegaCall(ctx, s, c)
				}
				c.Body, c.Want = "{", 400
				pravegaCall(ctx, s, c)
				c.Body, c.ContentType, c.Want = "{}", "text/plain", 415
				pravegaCall(ctx, s, c)
			}
			for _, state := range []any{"sealed", "OPEN", "", nil} {
				pravegaCall(ctx, s, Call{Method: http.MethodPut, Route: routeState, Args: []string{scope, "there"}, Body: object{"streamState": state}, Want: 400})
			}
			pravegaCall(ctx, s, Call{Method: http.MethodGet, Route: routeState, Args: []string{scope, "there"}, Want: 405})
			pravegaCall(ctx, s, Call{Method: http.MethodPost, Route: routeStream, Args: []string{scope, "there"}, Body: object{}, Want: 405})
		}},
		{"stream: list and filters", func(ctx context.Context, s *Session) {
			scope := newScope(ctx, s)
			list := func(query url.Values) {
				r := pravegaCall(ctx, s, Call{Method: http.MethodGet, Route: routeStreams, Args: []string{scope}, Query: query, Ignore: []string{"$.streams[].tags"}, Want: 200})
				streams, _ := r.At("streams").([]any)
				names := make([]string, 0, len(streams))
				for i := range streams {
					names = append(names, r.Str("streams", i, "streamName"))
				}
				sort.Strings(names)
				s.Effect("with "+query.Encode(), names)
			}
			list(nil)
			newStream(ctx, s, scope, "one", object{"streamTags": []string{"a", "b"}})
			newStream(ctx, s, scope, "two", object{"streamTags": []string{"a"}})
			list(nil)
			list(url.Values{"filter_type": {"tag"}, "filter_value": {"a"}})
			list(url.Values{"filter_type": {"tag"}, "filter_value": {"b"}})
			list(url.Values{"filter_type": {"tag"}, "filter_value": {"A"}})
			list(url.Values{"filter_type": {"tag"}})
			list(url.Values{"filter_type": {"showInternalStreams"}})
			list(url.Values{"filter_type": {"unknown"}})
			list(url.Values{"showInternalStreams": {"true"}})
		}},
	}
}

func pravegaSegmentExchanges() []Exchange {
	policy := func(kind string, rate, factor, minimum int) object {
		return object{"type": kind, "targetRate": rate, "scaleFactor": factor, "minSegments": minimum}
	}
	const events, kbytes = "BY_RATE_IN_EVENTS_PER_SEC", "BY_RATE_IN_KBYTES_PER_SEC"
	return []Exchange{
		{"segments follow the policy", func(ctx context.Context, s *Session) {
			scope := newScope(ctx, s)
			newStream(ctx, s, scope, "a", object{"scalingPolicy": fixed(2)})
			for _, step := range []struct {
				name   string
				policy object
			}{
				{"fixed 2 to 4", fixed(4)},
				{"fixed 4 to 3", fixed(3)},
				{"fixed 3 to rate from 3", policy(events, 10, 2, 3)},
				{"minimum raised to 5", policy(events, 10, 2, 5)},
				{"minimum lowered to 1", policy(events, 10, 2, 1)},
				{"another rate", policy(kbytes, 20, 3, 1)},
				{"rate to fixed 2", fixed(2)},
				{"the same again", fixed(2)},
			} {
				pravegaCall(ctx, s, Call{
					Method: http.MethodPut, Route: routeStream, Args: []string{scope, "a"}, Body: object{"scalingPolicy": step.policy},
					Keep: []string{"$.scalingPolicy.type", "$.scalingPolicy.targetRate", "$.scalingPolicy.scaleFactor", "$.scalingPolicy.minSegments"}, Want: 200,
				})
				s.Effect("segments after "+step.name, segmentsOf(ctx, s, scope, "a"))
			}
			pravegaCall(ctx, s, Call{
				Method: http.MethodGet, Route: routeEvents, Args: []string{scope, "a"}, Query: url.Values{"from": {"0"}, "to": {"9999999999999"}}, Want: 200,
				Keep: []string{"$", "$[].segments[].number", "$[].segments[].epoch", "$[].segments[].keyStart", "$[].splits", "$[].merges"},
			})
		}},
		{"scaling events of a range", func(ctx context.Context, s *Session) {
			scope := newScope(ctx, s)
			newStream(ctx, s, scope, "a", object{"scalingPolicy": fixed(2)})
			s.Aux(ctx, Call{Method: http.MethodPut, Route: routeStream, Args: []string{scope, "a"}, Body: object{"scalingPolicy": fixed(3)}})
			later := time.Now().Add(time.Minute).UnixMilli()
			get := func(stream string, query url.Values, want int) {
				pravegaCall(ctx, s, Call{
					Method: http.MethodGet, Route: routeEvents, Args: []string{scope, stream}, Query: query, Want: want,
					Keep: []string{"$", "$[].segments[].number", "$[].splits", "$[].merges"},
				})
			}
			text := func(n int64) string { return fmt.Sprint(n) }
			get("a", url.Values{"from": {"0"}, "to": {text(later)}}, 200)
			get("a", url.Values{"from": {text(later)}, "to": {text(later + 1)}}, 200)
			get("a", url.Values{"from": {"5"}, "to": {"5"}}, 200)
			get("a", url.Values{"from": {"5"}, "to": {"4"}}, 400)
			get("a", url.Values{"from": {"-5"}, "to": {"4"}}, 400)
			get("a", url.Values{"from": {"5"}}, 400)
			get("a", nil, 400)
			get("a", url.Values{"from": {"x"}, "to": {"4"}}, 404)
			get("none", url.Values{"from": {"0"}, "to": {text(later)}}, 404)
		}},
	}
}
