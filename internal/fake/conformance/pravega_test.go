// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package conformance

import (
	"context"
	"crypto/rand"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest/realengine"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/pravegafake"
)

const pravegaEngine = "pravega-0.13"

// minPravegaOutcomes is how many distinct pairs of route and outcome the exchanges cover at least.
const minPravegaOutcomes = 50

func pravegaExchanges() []Exchange {
	return slices.Concat(pravegaScopeExchanges(), pravegaStreamExchanges(), pravegaConfigExchanges(), pravegaSegmentExchanges())
}

// TestConformance_PravegaFake compares the fake with what the real engine answered when it was recorded.
func TestConformance_PravegaFake(t *testing.T) {
	fake := pravegafake.New()
	t.Cleanup(fake.Close)
	exchanges := pravegaExchanges()
	got := runAll(t, &Target{Endpoint: fake.URL()}, exchanges)
	compare(t, exchanges, load(t, pravegaEngine), got)
	if n := len(outcomes(got)); n < minPravegaOutcomes {
		t.Errorf("%d distinct pairs of route and outcome, want at least %d", n, minPravegaOutcomes)
	}
	if left := fake.Scopes(); len(left) != 0 {
		t.Errorf("the exchanges leave scopes behind: %v", left)
	}
}

// TestAcc_Conformance_Pravega asks the real engine.
func TestAcc_Conformance_Pravega(t *testing.T) {
	endpoint := strings.TrimSuffix(realengine.Variable(t, "STREAMING_PRAVEGA_ENDPOINT"), "/")
	exchanges := pravegaExchanges()
	var realRecording, fakeRecording recording
	t.Run("real", func(t *testing.T) {
		realRecording = runAll(t, &Target{Endpoint: endpoint, Real: true}, exchanges)
	})
	if *update && !t.Failed() {
		save(t, pravegaEngine, realRecording)
	}
	compare(t, exchanges, load(t, pravegaEngine), realRecording)
	fake := pravegafake.New()
	t.Cleanup(fake.Close)
	t.Run("fake", func(t *testing.T) {
		fakeRecording = runAll(t, &Target{Endpoint: fake.URL()}, exchanges)
	})
	compare(t, exchanges, realRecording, fakeRecording)
	t.Logf("%d distinct pairs of route and outcome", len(outcomes(realRecording)))
}

const (
	routeScopes  = "/v1/scopes"
	routeScope   = "/v1/scopes/{scope}"
	routeStreams = "/v1/scopes/{scope}/streams"
	routeStream  = "/v1/scopes/{scope}/streams/{stream}"
	routeState   = "/v1/scopes/{scope}/streams/{stream}/state"
	routeEvents  = "/v1/scopes/{scope}/streams/{stream}/scaling-events"
	routeGroups  = "/v1/scopes/{scope}/readergroups"
	routeGroup   = "/v1/scopes/{scope}/readergroups/{group}"
)

// object is a JSON body.
type object = map[string]any

// pravegaCall is Session.Call with a body that is no JSON reduced to what matters: whether there is one, and which.
func pravegaCall(ctx context.Context, s *Session, c Call) Response {
	s.T.Helper()
	r := s.send(ctx, c)
	if r.Status != c.Want {
		s.T.Fatalf("%s %s answered %d, want %d: %.2000s", c.Method, c.Route, r.Status, c.Want, r.Body)
	}
	o := observe(c, r)
	switch media, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";"); {
	case r.JSON != nil || o.Text == "":
	case media == "text/html" && strings.Contains(string(r.Body), "Request failed."):
		o.Text = "a page that says: Request failed."
	default:
		// The words are the JSON library's.
		o.Text = "some " + media
	}
	s.observations = append(s.observations, o)
	return r
}

// newScope makes a scope of a name that nobody else has, and removes it with all in it when the exchange ends.
func newScope(ctx context.Context, s *Session) string {
	s.T.Helper()
	name := "conformance-" + strings.ToLower(rand.Text())
	r := s.Aux(ctx, Call{Method: http.MethodPost, Route: routeScopes, Body: object{"scopeName": name}})
	if r.Status != http.StatusCreated {
		s.T.Fatalf("cannot make a scope: %d %s", r.Status, r.Body)
	}
	s.Cleanup(func(ctx context.Context) { removeScope(ctx, s, name) })
	return name
}

func removeScope(ctx context.Context, s *Session, name string) {
	s.T.Helper()
	r := s.Aux(ctx, Call{Method: http.MethodGet, Route: routeStreams, Args: []string{name}})
	streams, _ := r.At("streams").([]any)
	var group sync.WaitGroup
	slots := make(chan struct{}, 8)
	for i := range streams {
		group.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			args := []string{name, r.Str("streams", i, "streamName")}
			s.Aux(ctx, Call{Method: http.MethodPut, Route: routeState, Args: args, Body: object{"streamState": "SEALED"}})
			s.Aux(ctx, Call{Method: http.MethodDelete, Route: routeStream, Args: args})
		})
	}
	group.Wait()
	if r := s.Aux(ctx, Call{Method: http.MethodDelete, Route: routeScope, Args: []string{name}}); r.Status != http.StatusNoContent && r.Status != http.StatusNotFound {
		s.T.Errorf("scope %s is left behind: %d", name, r.Status)
	}
}

func fixed(segments any) object { return object{"type": "FIXED_NUM_SEGMENTS", "minSegments": segments} }

// newStream makes a stream with further keys of the body in a scope.
func newStream(ctx context.Context, s *Session, scope, name string, more object) {
	s.T.Helper()
	body := object{"streamName": name, "scalingPolicy": fixed(1)}
	maps.Copy(body, more)
	r := s.Aux(ctx, Call{Method: http.MethodPost, Route: routeStreams, Args: []string{scope}, Body: body})
	if r.Status != http.StatusCreated {
		s.T.Fatalf("cannot make a stream: %d %s", r.Status, r.Body)
	}
}

// segmentsOf counts the open segments of a stream.
func segmentsOf(ctx context.Context, s *Session, scope, name string) int {
	s.T.Helper()
	r := s.Aux(ctx, Call{
		Method: http.MethodGet, Route: routeEvents, Args: []string{scope, name},
		Query: url.Values{"from": {"0"}, "to": {"9999999999999"}},
	})
	events, ok := r.JSON.([]any)
	if !ok || len(events) == 0 {
		return 0
	}
	segments, _ := r.At(len(events)-1, "segments").([]any)
	return len(segments)
}
