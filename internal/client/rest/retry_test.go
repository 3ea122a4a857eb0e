// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package rest_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
)

const leaderElection = `{"errors":["Service temporarily unavailable due to an ongoing leader election. Please refresh."]}`

// answers is a server that gives one answer after the other, then 200 {} for ever.
type answers struct {
	mu    sync.Mutex
	list  []func(http.ResponseWriter, *http.Request)
	count int
}

func (a *answers) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	a.count++
	var answer func(http.ResponseWriter, *http.Request)
	if len(a.list) > 0 {
		answer, a.list = a.list[0], a.list[1:]
	}
	a.mu.Unlock()
	if answer == nil {
		answer = status(http.StatusOK, "application/json", "{}")
	}
	answer(w, r)
}

func (a *answers) requests() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.count
}

func status(code int, contentType, body string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(code)
		_, _ = w.Write([]byte(body))
	}
}

// hangUp closes the connection without any answer.
func hangUp(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

func times[T any](n int, one T) []T {
	var all []T
	for range n {
		all = append(all, one)
	}
	return all
}

// fast is a retry policy that a test can wait for.
var fast = rest.Retry{MinWait: time.Millisecond, MaxWait: 4 * time.Millisecond}

func newClient(t *testing.T, config rest.Config) *rest.Client {
	t.Helper()
	if config.Retry == (rest.Retry{}) {
		config.Retry = fast
	}
	client, err := rest.New(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

func TestRetry_C39_RepeatsOnlyWhatWasSurelyNotExecuted(t *testing.T) {
	t.Parallel()
	html := status(http.StatusServiceUnavailable, "text/html", "<html>nginx</html>")
	tests := map[string]struct {
		method   string
		answers  []func(http.ResponseWriter, *http.Request)
		requests int
		status   int // of the error; 0 for success, -1 for a lost answer
	}{
		"GET after 503 three times":           {http.MethodGet, times(3, html), 4, 0},
		"GET after 502":                       {http.MethodGet, times(1, status(502, "text/html", "<html>")), 2, 0},
		"GET after 504":                       {http.MethodGet, times(1, status(504, "", "")), 2, 0},
		"GET after 429":                       {http.MethodGet, times(1, status(429, "", "")), 2, 0},
		"GET while 503 stays":                 {http.MethodGet, times(9, html), 5, 503},
		"GET after a lost answer":             {http.MethodGet, times(1, hangUp), 2, 0},
		"GET, 500 is final":                   {http.MethodGet, times(1, status(500, "application/json", `{"errors":["x"]}`)), 1, 500},
		"GET, 404 is final":                   {http.MethodGet, times(1, status(404, "", "")), 1, 404},
		"GET, 401 is final":                   {http.MethodGet, times(1, status(401, "text/html", "<html>")), 1, 401},
		"POST after Flink's leader election":  {http.MethodPost, times(3, status(503, "application/json", leaderElection)), 4, 0},
		"POST, a proxy's 502 is final":        {http.MethodPost, times(1, status(502, "text/html", "<html>")), 1, 502},
		"POST, a proxy's 503 is final":        {http.MethodPost, times(1, html), 1, 503},
		"POST, a proxy's 504 is final":        {http.MethodPost, times(1, status(504, "text/html", "")), 1, 504},
		"POST, a bare 503 is final":           {http.MethodPost, times(1, status(503, "", "ongoing leader election")), 1, 503},
		"POST, Flink's other 503 is final":    {http.MethodPost, times(1, status(503, "application/json", `{"errors":["Rescaling is temporarily disabled."]}`)), 1, 503},
		"POST, 429 is final":                  {http.MethodPost, times(1, status(429, "", "")), 1, 429},
		"POST, a lost answer is final":        {http.MethodPost, times(1, hangUp), 1, -1},
		"PATCH, a lost answer is final":       {http.MethodPatch, times(1, hangUp), 1, -1},
		"DELETE, a proxy's 502 is final":      {http.MethodDelete, times(1, status(502, "", "")), 1, 502},
		"PUT after Flink's leader election":   {http.MethodPut, times(1, status(503, "application/json", leaderElection)), 2, 0},
		"POST while the leader election goes": {http.MethodPost, times(9, status(503, "application/json", leaderElection)), 5, 503},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			handler := &answers{list: test.answers}
			server := httptest.NewServer(handler)
			defer server.Close()
			client := newClient(t, rest.Config{Endpoint: server.URL})

			_, err := client.Do(t.Context(), rest.Request{Method: test.method, Path: []string{"jobs"}})
			if got := handler.requests(); got != test.requests {
				t.Errorf("%d requests, want %d", got, test.requests)
			}
			switch {
			case test.status == 0 && err != nil:
				t.Errorf("unexpected error: %v", err)
			case test.status > 0 && rest.StatusOf(err) != test.status:
				t.Errorf("got %v, want status %d", err, test.status)
			case test.status < 0:
				transport, ok := errors.AsType[*rest.TransportError](err)
				if !ok || transport.NotSent || !rest.OutcomeUnknown(err) {
					t.Errorf("got %v, want an error whose outcome is unknown", err)
				}
			}
		})
	}
}

func TestRetry_RepeatsAPostThatFoundNoListener(t *testing.T) {
	t.Parallel()
	var config net.ListenConfig
	listener, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	handler := &answers{}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	t.Cleanup(func() { _ = server.Close() })
	// The server comes up after the first tries have been refused.
	timer := time.AfterFunc(150*time.Millisecond, func() {
		if late, err := config.Listen(context.Background(), "tcp", address); err == nil {
			_ = server.Serve(late)
		}
	})
	t.Cleanup(func() { timer.Stop() })

	client := newClient(t, rest.Config{
		Endpoint: "http://" + address,
		Retry:    rest.Retry{MaxTries: 200, MinWait: 20 * time.Millisecond, MaxWait: 20 * time.Millisecond},
	})
	if _, err := client.Do(t.Context(), rest.Request{Method: http.MethodPost, Path: []string{"jobs"}, Body: map[string]any{}}); err != nil {
		t.Fatal(err)
	}
	if got := handler.requests(); got != 1 {
		t.Errorf("%d requests reached the server, want 1", got)
	}
}

func TestRetry_ARefusedConnectionWasNotSent(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.NotFoundHandler())
	endpoint := server.URL
	server.Close()
	client := newClient(t, rest.Config{Endpoint: endpoint, Retry: rest.Retry{MaxTries: 2, MinWait: time.Millisecond}})
	_, err := client.Do(t.Context(), rest.Request{Method: http.MethodPost, Path: []string{"jobs"}})
	transport, ok := errors.AsType[*rest.TransportError](err)
	if !ok || !transport.NotSent || rest.OutcomeUnknown(err) {
		t.Errorf("got %v, want an error that says nothing was sent", err)
	}
}

func TestRetry_EndsWithTheContext(t *testing.T) {
	t.Parallel()
	handler := &answers{list: times(1000, status(503, "text/html", "<html>"))}
	server := httptest.NewServer(handler)
	defer server.Close()
	client := newClient(t, rest.Config{Endpoint: server.URL, Retry: rest.Retry{MaxTries: 1000, MinWait: time.Hour, MaxWait: time.Hour}})
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := client.Do(ctx, rest.Request{Method: http.MethodGet, Path: []string{"jobs"}})
	if rest.StatusOf(err) != 503 || handler.requests() != 1 {
		t.Errorf("got %v after %d requests, want the 503 of the only one", err, handler.requests())
	}
}

func TestRequestTimeout_LimitsOneTryOnly(t *testing.T) {
	t.Parallel()
	slow := func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-time.After(10 * time.Second):
		}
	}
	handler := &answers{list: times(2, slow)}
	server := httptest.NewServer(handler)
	defer server.Close()
	client := newClient(t, rest.Config{Endpoint: server.URL, RequestTimeout: 100 * time.Millisecond})
	if err := client.Get(t.Context(), nil, "jobs"); err != nil {
		t.Fatalf("two slow answers, then a fast one: %v", err)
	}
	if got := handler.requests(); got != 3 {
		t.Errorf("%d requests, want 3", got)
	}
}

func TestRequestTimeout_OfAPostLeavesTheOutcomeUnknown(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	handler := &answers{list: times(3, func(http.ResponseWriter, *http.Request) { <-release })}
	server := httptest.NewServer(handler)
	defer server.Close()
	defer close(release)
	client := newClient(t, rest.Config{Endpoint: server.URL, RequestTimeout: 50 * time.Millisecond})
	_, err := client.Do(t.Context(), rest.Request{Method: http.MethodPost, Path: []string{"jobs"}})
	if !rest.OutcomeUnknown(err) || !errors.Is(err, context.DeadlineExceeded) || handler.requests() != 1 {
		t.Errorf("got %v after %d requests", err, handler.requests())
	}
}

func TestNoTimeout_LeavesTheLimitToTheContext(t *testing.T) {
	t.Parallel()
	slow := func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(300 * time.Millisecond)
		status(200, "application/json", `{"jobid":"a"}`)(w, r)
	}
	server := httptest.NewServer(&answers{list: times(1, slow)})
	defer server.Close()
	client := newClient(t, rest.Config{Endpoint: server.URL, RequestTimeout: 50 * time.Millisecond})
	var out struct {
		JobID string `json:"jobid"`
	}
	_, err := client.Do(t.Context(), rest.Request{Method: http.MethodPost, Path: []string{"run"}, Timeout: rest.NoTimeout, Out: &out})
	if err != nil || out.JobID != "a" {
		t.Errorf("got %q, %v", out.JobID, err)
	}
}

func TestOutcomeUnknown_OfErrorsThatAreNone(t *testing.T) {
	t.Parallel()
	for _, err := range []error{nil, errors.New("x"), context.Canceled} {
		if rest.OutcomeUnknown(err) || rest.StatusOf(err) != 0 {
			t.Errorf("%v is taken for an answer", err)
		}
	}
}

func TestLog_HoldsNoQueryNoHeaderNoBody(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(&answers{})
	defer server.Close()
	var mu sync.Mutex
	var logged []string
	client := newClient(t, rest.Config{
		Endpoint:  server.URL,
		BasicAuth: &rest.BasicAuth{Username: "user-secret", Password: "password-secret"},
		Headers:   map[string]string{"X-Key": "header-secret"},
		Log: func(_ context.Context, message string, fields map[string]any) {
			mu.Lock()
			defer mu.Unlock()
			for name, value := range fields {
				message += " " + name + "=" + toText(value)
			}
			logged = append(logged, message)
		},
	})
	_, err := client.Do(t.Context(), rest.Request{
		Method: http.MethodPost, Path: []string{"jars", "a.jar", "run"},
		Query: map[string][]string{"programArg": {"query-secret"}}, Body: map[string]string{"args": "body-secret"},
	})
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(logged, "\n")
	if len(logged) != 1 || !strings.Contains(all, "/jars/a.jar/run") {
		t.Errorf("logged %q", all)
	}
	if strings.Contains(all, "secret") {
		t.Errorf("a secret was logged: %s", all)
	}
}
