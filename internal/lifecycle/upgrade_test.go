// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle_test

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// While an upgraded job is down, nothing is asked but whether its stop is done:
// what else an upgrade needs, it has before.
func TestUpdate_NothingIsDoneWhileTheJobIsDownThatCanBeDoneBefore(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	rec, err := running(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	// Neither the new jar nor the state probe's id is known to this process.
	if err := os.WriteFile(b.jar, flinkfake.Jar("streaming.jobs.Counter", "2"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.restart(t)
	b.ForgetRequests()
	if _, err := b.update(t.Context(), rec, lifecycle.Update{Old: b.spec("a"), Spec: b.spec("b"), Want: lifecycle.StateRunning, Restart: true}); err != nil {
		t.Fatal(err)
	}
	stopped, started := false, false
	for _, request := range b.Requests() {
		path, _, _ := strings.Cut(request.Path, "?")
		switch {
		case request.Method == http.MethodPost && strings.HasSuffix(path, "/stop"):
			stopped = true
		case !stopped:
		case request.Method == http.MethodPost && strings.HasSuffix(path, "/run"):
			started = true
		case started:
		case strings.Contains(path, "/savepoints/"), path == "/jobs/overview":
		default:
			t.Errorf("%s %s was sent between the stop and the start", request.Method, request.Path)
		}
	}
	if !started {
		t.Fatal("nothing was started")
	}
}

// What a start needs and does not have stops nothing.
func TestUpdate_ARestorePathThatIsNotThereStopsNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	rec, err := running(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	_, err = b.update(t.Context(), rec, lifecycle.Update{
		Old: b.spec("a"), Spec: b.spec("a"), Want: lifecycle.StateRunning, Restart: true, Restore: "file:///nowhere/savepoint-1",
	})
	if err == nil || !strings.Contains(err.Error(), "no savepoint or checkpoint at file:///nowhere/savepoint-1") {
		t.Fatal(err)
	}
	if live := b.live(); len(live) != 1 || live[0].ID != rec.JobID {
		t.Fatalf("%+v live", live)
	}
}
