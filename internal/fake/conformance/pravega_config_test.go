// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http"
	"slices"
	"strings"
)

func pravegaConfigExchanges() []Exchange {
	return []Exchange{
		{"config: scaling policies", func(ctx context.Context, s *Session) {
			const rate = "BY_RATE_IN_EVENTS_PER_SEC"
			tryConfigs(ctx, s, "scalingPolicy", []configCase{
				{fixed(1), 201},
				{object{"type": "FIXED_NUM_SEGMENTS", "minSegments": 1, "targetRate": 5, "scaleFactor": 2}, 201},
				{fixed("2"), 201},
				{fixed(1.9), 201},
				{fixed(0), 500},
				{fixed(-1), 500},
				{fixed(nil), 500},
				{fixed(int64(1) << 31), 400},
				{fixed("abc"), 400},
				{fixed([]int{1}), 400},
				{nil, 500},
				{object{}, 500},
				{"x", 400},
				{object{"type": "fixed_num_segments", "minSegments": 1}, 500},
				{object{"type": "NONE", "minSegments": 1}, 500},
				{object{"minSegments": 1}, 500},
				{object{"targetRate": 1, "scaleFactor": 1, "minSegments": 1}, 201},
				{object{"type": rate, "targetRate": 1<<31 - 1, "scaleFactor": 1, "minSegments": 1}, 201},
				{object{"type": rate, "targetRate": 0, "scaleFactor": 1, "minSegments": 1}, 500},
				{object{"type": rate, "targetRate": 1, "scaleFactor": 0, "minSegments": 1}, 500},
				{object{"type": rate, "targetRate": 1, "scaleFactor": 1, "minSegments": 0}, 500},
				{object{"type": rate, "targetRate": 1, "scaleFactor": 1}, 500},
				{object{"type": rate, "scaleFactor": 1, "minSegments": 1}, 500},
			})
		}},
		{"config: retention by time", func(ctx context.Context, s *Session) {
			days := func(value any, span any) object {
				return object{"type": "LIMITED_DAYS", "value": value, "timeBasedRetention": span}
			}
			span := func(d, h, m any) object { return object{"days": d, "hours": h, "minutes": m} }
			tryConfigs(ctx, s, "retentionPolicy", []configCase{
				{nil, 201},
				{object{"type": "LIMITED_DAYS", "value": 7}, 201},
				{object{"type": "LIMITED_DAYS", "value": int64(106751991167)}, 201},
				{object{"type": "LIMITED_DAYS", "value": int64(106751991168)}, 500},
				{object{"type": "LIMITED_DAYS", "value": 0}, 201},
				{object{"type": "LIMITED_DAYS", "value": -1}, 201},
				{days(5, span(1, 2, 3)), 201},
				{days(0, span(1, 2, 3)), 201},
				{days(0, span(0, 25, 0)), 201},
				{days(0, span(0, 0, 90)), 201},
				{days(0, span(0, 24, 0)), 201},
				{days(0, span(0, 0, 1440)), 201},
				{days(0, span(0, -1, 0)), 201},
				{days(0, object{"days": 1, "hours": 1}), 500},
				{days(nil, span(1, 2, 3)), 500},
				{object{"type": "LIMITED_DAYS"}, 500},
				{object{"value": 1}, 500},
				{object{"type": "LIMITED_HOURS", "value": 1}, 500},
				{object{"type": "LIMITED_DAYS", "value": 2, "maxValue": 4}, 201},
				{object{"type": "LIMITED_DAYS", "value": 2, "maxValue": 1}, 201},
			})
		}},
		{"config: retention by size", func(ctx context.Context, s *Session) {
			size := func(value any) object { return object{"type": "LIMITED_SIZE_MB", "value": value} }
			tryConfigs(ctx, s, "retentionPolicy", []configCase{
				{size(1), 201},
				{size(int64(1)<<43 - 1), 201},
				{size(int64(1) << 43), 201},
				{size(int64(1) << 50), 201},
				{size(0), 201},
				{size(-1), 201},
				{size(nil), 500},
				{size("x"), 400},
				{object{"type": "LIMITED_SIZE_MB", "value": 2, "maxValue": 5}, 201},
			})
		}},
		{"config: tags", func(ctx context.Context, s *Session) {
			many := make([]string, 0, 128)
			for i := range 128 {
				many = append(many, fmt.Sprintf("tag-%03d", i))
			}
			// Never an empty tag: the engine takes it, cannot store its index of tags from then on, and stops
			// answering within a minute ("Read header with invalid data. KeyLength=0").
			tryConfigs(ctx, s, "streamTags", []configCase{
				{nil, 201},
				{[]string{}, 201},
				{[]string{"b", "a", "b"}, 201},
				{[]string{"ä", "日本"}, 201},
				{many[:127], 201},
				{many, 500},
				{[]string{strings.Repeat("x", 255)}, 201},
				{[]string{strings.Repeat("x", 256)}, 500},
				{[]string{strings.Repeat("ä", 255)}, 201},
				{[]string{strings.Repeat("😀", 127)}, 201},
				{[]string{strings.Repeat("😀", 128)}, 500},
				{[]any{nil}, 500},
				{[]any{1, true}, 201},
				{"x", 400},
			})
			// The name that answers use is ignored.
			tryConfigs(ctx, s, "tags", []configCase{{[]string{"a"}, 201}})
		}},
		{"config: timeout and rollover", func(ctx context.Context, s *Session) {
			tryConfigs(ctx, s, "timestampAggregationTimeout", []configCase{{0, 201}, {5000, 201}, {int64(math.MaxInt64), 201}, {-1, 201}, {nil, 201}, {"x", 400}})
			tryConfigs(ctx, s, "rolloverSizeBytes", []configCase{{0, 201}, {1 << 20, 201}, {int64(math.MaxInt64), 201}, {-1, 500}, {nil, 201}, {"x", 400}})
		}},
		{"config: an update replaces everything", func(ctx context.Context, s *Session) {
			scope := newScope(ctx, s)
			full := object{
				"scalingPolicy": fixed(1), "retentionPolicy": object{"type": "LIMITED_DAYS", "value": 2}, "streamTags": []string{"a"},
				"timestampAggregationTimeout": 5, "rolloverSizeBytes": 6,
			}
			newStream(ctx, s, scope, "a", full)
			update := func(name string, body object, want int) {
				r := pravegaCall(ctx, s, Call{Method: http.MethodPut, Route: routeStream, Args: []string{scope, "a"}, Body: body, Want: want})
				if want == 200 {
					s.Effect(name+" answers", configOf(r))
				}
				s.Effect(name, configOf(s.Aux(ctx, Call{Method: http.MethodGet, Route: routeStream, Args: []string{scope, "a"}})))
			}
			update("without a policy", object{"streamTags": []string{"b"}}, 500)
			update("with a bad policy", object{"scalingPolicy": fixed(0)}, 500)
			update("with the policy alone", object{"scalingPolicy": fixed(1)}, 200)
			update("with everything", full, 200)
			update("with tags under the name that answers use", object{"scalingPolicy": fixed(1), "tags": []string{"a"}}, 200)
			update("with another name", object{"scalingPolicy": fixed(1), "streamName": "b", "scopeName": "c"}, 200)
			update("with a type error", object{"scalingPolicy": fixed("x")}, 400)
			update("with retention by size", object{"scalingPolicy": fixed(1), "retentionPolicy": object{"type": "LIMITED_SIZE_MB", "value": 3, "maxValue": 9}}, 200)
			update("with retention in minutes", object{"scalingPolicy": fixed(1), "retentionPolicy": object{
				"type": "LIMITED_DAYS", "value": 0, "timeBasedRetention": object{"days": 0, "hours": 0, "minutes": 1501},
			}}, 200)
		}},
	}
}

// configCase is a value of one key of a stream's configuration, and what a create with it answers.
type configCase struct {
	value any
	want  int
}

// tryConfigs creates a stream with each of the values, and records what comes back.
func tryConfigs(ctx context.Context, s *Session, key string, cases []configCase) {
	scope := newScope(ctx, s)
	for i, c := range cases {
		name := fmt.Sprintf("s%d", i)
		body := object{"streamName": name, "scalingPolicy": fixed(1)}
		body[key] = c.value
		r := pravegaCall(ctx, s, Call{Method: http.MethodPost, Route: routeStreams, Args: []string{scope}, Body: body, Want: c.want})
		if c.want != http.StatusCreated {
			continue
		}
		read := s.Aux(ctx, Call{Method: http.MethodGet, Route: routeStream, Args: []string{scope, name}})
		s.Effect(fmt.Sprintf("%s %d", key, i), configOf(read))
		if a, b := configOf(r), configOf(read); a != b {
			s.T.Errorf("the answer to the create is not what a read gives:\n%s\n%s", a, b)
		}
	}
}

// configOf is a stream's configuration in one line: names left out, tags in order.
func configOf(r Response) string {
	body, ok := r.JSON.(map[string]any)
	if !ok {
		return fmt.Sprintf("%d %s", r.Status, r.Body)
	}
	body = maps.Clone(body)
	delete(body, "scopeName")
	delete(body, "streamName")
	if list, ok := body["tags"].([]any); ok {
		tags := make([]string, 0, len(list))
		for _, tag := range list {
			tags = append(tags, fmt.Sprint(tag))
		}
		slices.Sort(tags)
		if len(tags) > 5 {
			tags = []string{fmt.Sprintf("%d from %s to %s", len(tags), tags[0], tags[len(tags)-1])}
		}
		body["tags"] = tags
	}
	text, err := json.Marshal(body)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
