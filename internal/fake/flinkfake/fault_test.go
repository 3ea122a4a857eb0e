// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// runWith runs a job into a fault.
func (c *client) runWith(f Fault) (status int, body string, err error) {
	c.t.Helper()
	jar := c.upload(Jar("streaming.jobs.Counter"))
	c.s.Inject(f)
	status, data, err := c.try("POST", "/jars/"+jar+"/run", map[string]any{"jobId": someID})
	return status, string(data), err
}

func TestFault_DoesWhatItsKindSays(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault  Fault
		status int
		text   string
		broken bool
		jobs   int
	}{
		"unsent":             {fault: Fault{Kind: Unsent}, broken: true},
		"lost answer":        {fault: Fault{Kind: LostAnswer}, broken: true, jobs: 1},
		"reset mid-body":     {fault: Fault{Kind: ResetMidBody}, broken: true, status: 200, jobs: 1},
		"leader election":    {fault: Fault{Kind: LeaderElection}, status: 503, text: "ongoing leader election"},
		"bad gateway":        {fault: Fault{Kind: ProxyError}, status: 502, text: "<html>"},
		"gateway time-out":   {fault: Fault{Kind: ProxyError, Status: 504, Executed: true}, status: 504, text: "<html>", jobs: 1},
		"login page":         {fault: Fault{Kind: HTMLLogin}, status: 200, text: "<!DOCTYPE html>"},
		"any status":         {fault: Fault{Kind: Status, Status: 418, Body: "tea"}, status: 418, text: "tea"},
		"executed status":    {fault: Fault{Kind: Status, Status: 500, Executed: true}, status: 500, jobs: 1},
		"delay":              {fault: Fault{Kind: Delay, Wait: time.Millisecond}, status: 200, text: someID, jobs: 1},
		"nothing but a hook": {fault: Fault{Kind: Nothing}, status: 200, text: someID, jobs: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := start(t)
			var hooked atomic.Bool
			test.fault.Method, test.fault.Path = "POST", "/run$"
			test.fault.Hook = func(*http.Request) { hooked.Store(true) }
			status, body, err := c.runWith(test.fault)
			jobs := len(c.s.Jobs())
			if (err != nil) != test.broken {
				t.Errorf("error %v, want one: %v", err, test.broken)
			}
			if status != test.status || jobs != test.jobs || !strings.Contains(body, test.text) {
				t.Errorf("status %d, %d jobs, %q; want %d, %d, %q", status, jobs, body, test.status, test.jobs, test.text)
			}
			if !hooked.Load() {
				t.Error("the hook did not run")
			}
			c.call(200, "GET", "/overview", nil)
		})
	}
}

func TestFault_HitsTheNthRequestsOnly(t *testing.T) {
	t.Parallel()
	c := start(t)
	c.s.Inject(Fault{Method: "GET", Path: "^/overview$", Nth: 2, Times: 2, Kind: LeaderElection})
	for i, want := range []int{200, 503, 503, 200} {
		status, _, err := c.try("GET", "/overview", nil)
		if err != nil || status != want {
			t.Errorf("request %d: %d, %v; want %d", i+1, status, err, want)
		}
	}
	c.s.Inject(Fault{Path: "overview", Times: -1, Kind: LeaderElection})
	for range 3 {
		c.call(503, "GET", "/overview", nil)
	}
	c.s.ClearFaults()
	c.call(200, "GET", "/overview", nil)
}

func TestRequests_AreLoggedWithTheirBodies(t *testing.T) {
	t.Parallel()
	c := start(t)
	var seen atomic.Int32
	c.s.OnRequest(func(*http.Request) { seen.Add(1) })
	c.call(200, "GET", "/jobs/overview", nil)
	c.call(404, "PATCH", "/jobs/"+someID+"?mode=cancel", map[string]any{"a": 1})
	got := c.s.Requests()
	if len(got) != 2 || got[1].Method != "PATCH" || got[1].Path != "/jobs/"+someID+"?mode=cancel" || got[1].Body != `{"a":1}` {
		t.Errorf("%+v", got)
	}
	if seen.Load() != 2 {
		t.Errorf("the hook ran %d times", seen.Load())
	}
	c.s.ForgetRequests()
	if n := len(c.s.Requests()); n != 0 {
		t.Errorf("%d requests after all were forgotten", n)
	}
}

func TestClient_ThatGivesUpGetsItsJobAllTheSame(t *testing.T) {
	t.Parallel()
	c := start(t)
	jar := c.upload(Jar("streaming.jobs.Counter"))
	impatient := &http.Client{Timeout: 30 * time.Millisecond}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.s.URL()+"/jars/"+jar+"/run",
		strings.NewReader(`{"jobId":"`+someID+`","programArgsList":["--sleep-main","100"]}`))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := impatient.Do(req)
	if err == nil {
		_ = resp.Body.Close()
		t.Fatal("it answered before main had ended")
	}
	c.until("the job", func() bool { return c.state(someID) == "RUNNING" })
}
