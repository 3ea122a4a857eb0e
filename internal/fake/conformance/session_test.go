// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// Exchange is a named series of calls. It runs unchanged against the fake and the real engine, makes what it
// needs itself, and registers with [Session.Cleanup] whatever it must not leave behind.
type Exchange struct {
	Name string
	Do   func(ctx context.Context, s *Session)
}

// Target is an engine to talk to.
type Target struct {
	// Endpoint is the base URL without a trailing slash.
	Endpoint string
	// Real tells the real engine from the fake, for what cannot be the same: the bytes of a program, say.
	Real bool
	// Client sends the requests; nil is a client that follows no redirect.
	Client *http.Client
	// Data is what the engine's own exchanges need beside the endpoint.
	Data any
}

// Call is one request.
type Call struct {
	Method string
	// Route is the path with its variables in braces: "/jobs/{job}/config". Args fills them in order.
	Route string
	Args  []string
	Query url.Values
	// Body is sent as JSON, a string or []byte as it is.
	Body any
	// ContentType is application/json when there is a body and this is empty.
	ContentType string
	// Want is the status expected of every engine.
	Want int
	// Keep lists paths in the body whose values matter and are compared as they are ("$.state").
	Keep []string
	// Ignore lists paths in the body that are left out together with all below them. The reason for each belongs
	// beside it: something that truly differs from run to run.
	Ignore []string
}

// Response is an answer as it came.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
	// JSON is the decoded body, nil if it is none.
	JSON any
}

// Session runs one exchange against one target and records what it sees.
type Session struct {
	*Target

	// T fails the exchange.
	T            testing.TB
	observations []Observation
}

// Call sends a request, fails unless the status is the wanted one, and records the answer.
func (s *Session) Call(ctx context.Context, c Call) Response {
	s.T.Helper()
	r := s.send(ctx, c)
	if r.Status != c.Want {
		s.T.Fatalf("%s %s answered %d, want %d: %.2000s", c.Method, c.Route, r.Status, c.Want, r.Body)
	}
	s.observations = append(s.observations, observe(c, r))
	return r
}

// Aux sends a request that only sets something up or waits: it is neither recorded nor judged.
func (s *Session) Aux(ctx context.Context, c Call) Response {
	s.T.Helper()
	return s.send(ctx, c)
}

// Effect records something that was read back after a call: what the call did, in words that are the same on
// every engine.
func (s *Session) Effect(name string, value any) {
	s.observations = append(s.observations, Observation{Effect: fmt.Sprintf("%s: %v", name, value)})
}

// Until polls until done answers true and fails with what was waited for after limit.
func (s *Session) Until(ctx context.Context, limit time.Duration, what string, done func() bool) {
	s.T.Helper()
	end := time.Now().Add(limit)
	for !done() {
		if time.Now().After(end) {
			s.T.Fatalf("waited %s for %s in vain", limit, what)
		}
		select {
		case <-ctx.Done():
			s.T.Fatalf("waiting for %s: %s", what, ctx.Err())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Cleanup runs f when the exchange ends, however it ends.
func (s *Session) Cleanup(f func(ctx context.Context)) {
	s.T.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		f(ctx)
	})
}

func (s *Session) send(ctx context.Context, c Call) Response {
	s.T.Helper()
	u := s.Endpoint + expand(c.Route, c.Args)
	if len(c.Query) > 0 {
		u += "?" + c.Query.Encode()
	}
	var body io.Reader = http.NoBody
	switch b := c.Body.(type) {
	case nil:
	case string:
		body = strings.NewReader(b)
	case []byte:
		body = bytes.NewReader(b)
	default:
		enc, err := json.Marshal(b)
		if err != nil {
			s.T.Fatalf("%s %s: %s", c.Method, c.Route, err)
		}
		body = bytes.NewReader(enc)
	}
	req, err := http.NewRequestWithContext(ctx, c.Method, u, body)
	if err != nil {
		s.T.Fatalf("%s %s: %s", c.Method, c.Route, err)
	}
	switch {
	case c.ContentType != "":
		req.Header.Set("Content-Type", c.ContentType)
	case c.Body != nil:
		req.Header.Set("Content-Type", "application/json")
	}
	client := s.Client
	if client == nil {
		client = noRedirects
	}
	resp, err := client.Do(req)
	if err != nil {
		s.T.Fatalf("%s %s: %s", c.Method, c.Route, err)
	}
	defer func() { _ = resp.Body.Close() }()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		s.T.Fatalf("%s %s: %s", c.Method, c.Route, err)
	}
	r := Response{Status: resp.StatusCode, Header: resp.Header, Body: data}
	if json.Unmarshal(data, &r.JSON) != nil {
		r.JSON = nil
	}
	return r
}

var noRedirects = &http.Client{
	Timeout:       60 * time.Second,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// expand fills the variables of a route in order.
func expand(route string, args []string) string {
	var b strings.Builder
	for {
		head, rest, found := strings.Cut(route, "{")
		b.WriteString(head)
		if !found {
			return b.String()
		}
		_, route, _ = strings.Cut(rest, "}")
		if len(args) > 0 {
			b.WriteString(args[0])
			args = args[1:]
		}
	}
}

// At reads a value out of the body: At("jobs", 0, "id"). It is nil where there is none.
func (r Response) At(path ...any) any {
	v := r.JSON
	for _, p := range path {
		switch k := p.(type) {
		case string:
			m, ok := v.(map[string]any)
			if !ok {
				return nil
			}
			v = m[k]
		case int:
			l, ok := v.([]any)
			if !ok || k >= len(l) {
				return nil
			}
			v = l[k]
		}
	}
	return v
}

// Str is At for text; anything else reads as "".
func (r Response) Str(path ...any) string {
	s, ok := r.At(path...).(string)
	if !ok {
		return ""
	}
	return s
}
