// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// keeper is a program that is told of its bundle by its own arguments.
type keeper struct{ *lifecycle.JarProgram }

func (keeper) KeepsBundle() {}

func TestNotKept_NamesOnlyWhatIsAskedFor(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spec   lifecycle.Spec
		policy lifecycle.Policy
		want   string
	}{
		"nothing":             {},
		"parallelism":         {spec: lifecycle.Spec{Name: "a", Parallelism: 3}},
		"an empty map":        {spec: lifecycle.Spec{Configuration: map[string]string{}}},
		"the one format":      {policy: lifecycle.Policy{Format: flink.Canonical, Drain: true, AllowNonRestored: true, Mode: lifecycle.ModeLastState}},
		"a configuration":     {spec: lifecycle.Spec{Configuration: map[string]string{"a": "b"}}, want: "configuration"},
		"another parallelism": {spec: lifecycle.Spec{MaxParallelism: 3}, want: "max_parallelism"},
		"a bundle":            {spec: lifecycle.Spec{Bundle: lifecycle.Bundle{ID: "b.jar"}}, want: "bundle"},
		"a bundle in args":    {spec: lifecycle.Spec{Bundle: lifecycle.Bundle{ID: "b.jar"}, Program: keeper{&lifecycle.JarProgram{}}}},
		"another format":      {policy: lifecycle.Policy{Format: "NATIVE"}, want: "upgrade.savepoint_format"},
	} {
		var got []string
		for _, unkept := range lifecycle.NotKept("1.14.3", c.spec, c.policy) {
			got = append(got, strings.Join(unkept.Attribute, "."))
			if unkept.Advice == "" || !strings.Contains(unkept.Summary, "1.14.3") {
				t.Errorf("%s: %+v", name, unkept)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestStrict_AGenerationWhoseSavepointDirectoryIsThereIsNotUsedAgain is of an
// identity that was used before, by a job that took no checkpoints: Flink has
// forgotten it, and its savepoint would be taken for that of the next stop.
func TestStrict_AGenerationWhoseSavepointDirectoryIsThereIsNotUsedAgain(t *testing.T) {
	t.Parallel()
	b := newStrictBench(t)
	spec := func() lifecycle.Spec {
		return lifecycle.Spec{Name: "counter", Program: &lifecycle.JarProgram{Client: b.engine.Client, Path: b.jar, Args: []string{"--name", "counter", "--rate", "100"}}}
	}
	create := func() lifecycle.Record {
		t.Helper()
		rec, err := b.engine.Create(t.Context(), lifecycle.Create{UID: b.uid, Spec: spec(), Policy: savepoints, Want: lifecycle.StateRunning})
		if err != nil {
			t.Fatal(err)
		}
		return rec
	}
	first := create()
	if _, err := b.engine.Destroy(t.Context(), first, "counter", lifecycle.OnDestroySavepoint, savepoints); err != nil {
		t.Fatal(err)
	}
	b.RestartJobManager()
	b.restart(t)
	second := create()
	if second.Generation != 2 || second.JobID == first.JobID {
		t.Errorf("generation %d, job %s after %s", second.Generation, second.JobID, first.JobID)
	}
	if jobs := b.Jobs(); len(jobs) != 1 || jobs[0].RestoredFrom != "" {
		t.Errorf("%+v", jobs)
	}
}

// TestStrict_AStopThatNeedsLongIsWaitedFor is of a stop that an apply sent which
// was killed then: the next one sends none, and goes on from its savepoint.
func TestStrict_AStopThatNeedsLongIsWaitedFor(t *testing.T) {
	t.Parallel()
	b := newStrictBench(t, flinkfake.SavepointDelay(300*time.Millisecond))
	rec, err := running(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	target := "file:/fake/savepoints/" + b.uid + "/1"
	if _, err := b.engine.Client.Stop(t.Context(), rec.JobID, flink.StopRequest{TargetDirectory: target}); err != nil {
		t.Fatal(err)
	}
	b.restart(t)
	b.ForgetRequests()
	fresh, err := b.update(t.Context(), rec, lifecycle.Update{Old: b.spec("a"), Spec: b.spec("b"), Want: lifecycle.StateRunning, Restart: true})
	if err != nil {
		t.Fatal(err)
	}
	if fresh.Generation != 2 || !strings.HasPrefix(fresh.RestoredFrom, target+"/") {
		t.Errorf("generation %d, restored from %s", fresh.Generation, fresh.RestoredFrom)
	}
	for _, request := range b.Requests() {
		if strings.HasSuffix(request.Path, "/stop") {
			t.Error("a second stop was sent")
		}
	}
	if err := b.invariants(operation{name: "upgrade", label: "b"}, fresh); err != nil {
		t.Error(err)
	}
}

// TestStrict_AProgramThatShowsItsArgumentsShowsTheMarker is of what an
// interrupted create began: it is gone on with where it tells that it is what is
// wanted, and started again where it tells that it is not.
func TestStrict_AProgramThatShowsItsArgumentsShowsTheMarker(t *testing.T) {
	t.Parallel()
	for label, want := range map[string]int64{"a": 1, "b": 2} {
		b := newStrictBench(t)
		spec := func(label string) lifecycle.Spec {
			spec := b.spec(label)
			program, ok := spec.Program.(*lifecycle.JarProgram)
			if !ok {
				t.Fatalf("%T", spec.Program)
			}
			program.Show = func(args []string, marker []lifecycle.Entry) ([]string, error) {
				for _, entry := range marker {
					args = append(slices.Clip(args), "--"+entry.Key, entry.Value)
				}
				return args, nil
			}
			return spec
		}
		var rec lifecycle.Record
		for _, next := range []string{"a", label} {
			// With no record, the second finds what the first began.
			b.restart(t)
			var err error
			rec, err = b.engine.Create(t.Context(), lifecycle.Create{UID: b.uid, Spec: spec(next), Policy: savepoints, Want: lifecycle.StateRunning})
			if err != nil {
				t.Fatal(err)
			}
		}
		if rec.Generation != want {
			t.Errorf("generation %d with label %s", rec.Generation, label)
		}
	}
}

// TestStrict_AStopIsSeenThatCameAfterWhatFlinkShows is of a refresh right after
// an apply that was killed when it had sent a stop: the JobManager still shows
// what it saw before that.
func TestStrict_AStopIsSeenThatCameAfterWhatFlinkShows(t *testing.T) {
	t.Parallel()
	b := newStrictBench(t, flinkfake.RefreshInterval(500*time.Millisecond), flinkfake.SavepointDelay(time.Hour))
	rec, err := running(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	if fresh, err := b.engine.Refresh(t.Context(), rec, "counter", true); err != nil || fresh.State != lifecycle.StateRunning {
		t.Fatalf("%s before the stop, %v", fresh.State, err)
	}
	target := "file:/fake/savepoints/" + b.uid + "/1"
	for _, look := range []func() error{
		func() error { _, err := b.engine.Client.Checkpoints(t.Context(), rec.JobID); return err },
		func() error {
			_, err := b.engine.Client.Stop(t.Context(), rec.JobID, flink.StopRequest{TargetDirectory: target})
			return err
		},
	} {
		if err := look(); err != nil {
			t.Fatal(err)
		}
	}
	b.restart(t)
	fresh, err := b.engine.Refresh(t.Context(), rec, "counter", true)
	if err != nil || fresh.State != lifecycle.StateInterrupted {
		t.Errorf("%s while it stops, %v", fresh.State, err)
	}
}
