// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestFreeze_EachThawedClusterGoesOnByItselfFromTheSameMoment(t *testing.T) {
	t.Parallel()
	c := start(t)
	id := c.run(map[string]any{"jobId": someID, "programArgsList": []string{"--plain", "--rate", "100"}, "flinkConfiguration": map[string]any{interval: "1 s"}})
	c.running(id)
	c.s.Advance(3 * time.Second)
	frozen := c.s.Freeze()
	was, _ := c.s.Job(id)
	c.s.Advance(time.Hour)

	stopped, restarted, untouched := frozen.Thaw(), frozen.Thaw(), frozen.Thaw()
	if r := ask(t, stopped, "PATCH", "/jobs/"+id); r.Code != http.StatusAccepted {
		t.Fatalf("%d %s", r.Code, r.Body)
	}
	stopped.Advance(time.Minute)
	restarted.Advance(10 * time.Second)
	restarted.RestartJobManager()

	if j, known := stopped.Job(id); !known || j.State != "CANCELED" {
		t.Errorf("stopped: %+v", j)
	}
	if _, known := restarted.Job(id); known || len(restarted.History()) != 1 || restarted.History()[0].Progress < was.Progress+1000 {
		t.Errorf("restarted: %+v", restarted.History())
	}
	j, known := untouched.Job(id)
	if !known || j.State != "RUNNING" || j.Progress-was.Progress > 300 || len(untouched.Files(was.LatestCheckpoint)) == 0 {
		t.Errorf("untouched: %+v, before %+v", j, was)
	}
	if now, _ := c.s.Job(id); now.State != "RUNNING" || now.Progress < was.Progress+300_000 {
		t.Errorf("the first one: %+v", now)
	}
}

func TestFreeze_WhatACacheHeldIsHeldAsLongAfterwards(t *testing.T) {
	t.Parallel()
	c := start(t, RefreshInterval(10*time.Minute))
	id := c.run(map[string]any{"jobId": someID})
	c.running(id)
	canceled := func(s *Server) bool {
		return strings.Contains(ask(t, s, "GET", "/jobs/"+id).Body.String(), `"state":"CANCELED"`)
	}
	canceled(c.s)
	thawed := c.s.Freeze().Thaw()
	ask(t, thawed, "PATCH", "/jobs/"+id)
	thawed.Advance(time.Minute)
	if canceled(thawed) {
		t.Error("what was seen before the copy was made is forgotten")
	}
	thawed.Advance(10 * time.Minute)
	if !canceled(thawed) {
		t.Error("what was seen is held for ever")
	}
}

func ask(t *testing.T, s *Server, method, path string) *httptest.ResponseRecorder {
	t.Helper()
	recorder := httptest.NewRecorder()
	s.ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), method, path, nil))
	return recorder
}
