// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package fault

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// bed is a server that counts what reaches it.
type bed struct {
	Injector

	url     string
	reached atomic.Int64
}

func newBed(t *testing.T) *bed {
	t.Helper()
	b := &bed{}
	server := httptest.NewServer(b.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.reached.Add(1)
		_, _ = io.Copy(w, r.Body)
	})))
	t.Cleanup(server.Close)
	b.url = server.URL
	return b
}

// post sends a body and returns the status, 0 when no answer came, and the answer.
func (b *bed) post(ctx context.Context, t *testing.T, path string) (int, string) {
	t.Helper()
	// A connection of its own: net/http sends again what fails on a reused one.
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, b.url+path, strings.NewReader("body"))
	if err != nil {
		t.Fatal(err)
	}
	response, err := client.Do(request)
	if err != nil {
		return 0, ""
	}
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, ""
	}
	return response.StatusCode, string(content)
}

func TestInjector_eachKind(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fault   Fault
		status  int
		body    string
		reached int64
	}{
		{Fault{Kind: Unsent}, 0, "", 0},
		{Fault{Kind: LostAnswer}, 0, "", 1},
		{Fault{Kind: ProxyError}, 502, "<html><body><h1>502 Bad Gateway</h1></body></html>", 0},
		{Fault{Kind: ProxyError, Status: 504, Body: "slow"}, 504, "slow", 0},
		{Fault{Kind: ProxyErrorApplied, Status: 503}, 503, "<html><body><h1>503 Service Unavailable</h1></body></html>", 1},
		{Fault{Kind: Status, Status: 403}, 403, "", 0},
		{Fault{Kind: EmptyFailureApplied}, 500, "", 1},
		{Fault{Kind: Delay, Wait: time.Millisecond}, 200, "body", 1},
	} {
		t.Run(string(c.fault.Kind), func(t *testing.T) {
			t.Parallel()
			b := newBed(t)
			b.Inject(c.fault)
			if status, body := b.post(t.Context(), t, "/a"); status != c.status || body != c.body || b.reached.Load() != c.reached {
				t.Errorf("got %d %q, the engine was reached %d times", status, body, b.reached.Load())
			}
			// Once is all.
			if status, body := b.post(t.Context(), t, "/a"); status != 200 || body != "body" {
				t.Errorf("the next one got %d %q", status, body)
			}
			log := b.Requests()
			if len(log) != 2 || log[0].Fault != c.fault.Kind || log[0].Status != c.status || log[1].Fault != "" || string(log[1].Body) != "body" {
				t.Errorf("log: %v", log)
			}
		})
	}
}

func TestInjector_matchesMethodPathAndTurn(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	b.Inject(Fault{Kind: Status, Status: 418, Method: http.MethodPost, Path: regexp.MustCompile(`/b$`), Nth: 2, Times: 2})
	b.Inject(Fault{Kind: Status, Status: 419, Method: http.MethodGet, Times: -1})
	var got []int
	for _, path := range []string{"/a", "/b", "/a", "/b", "/b", "/b"} {
		status, _ := b.post(t.Context(), t, path)
		got = append(got, status)
	}
	for i, want := range []int{200, 200, 200, 418, 418, 200} {
		if got[i] != want {
			t.Errorf("statuses %v", got)
			break
		}
	}
	b.Inject(Fault{Kind: Status, Status: 420, Times: -1})
	b.Clear()
	b.Forget()
	if status, _ := b.post(t.Context(), t, "/a"); status != 200 || len(b.Requests()) != 1 {
		t.Errorf("after Clear: %d, log %v", status, b.Requests())
	}
}
