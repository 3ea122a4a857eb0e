// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// blind is a probe that can look nowhere.
type blind struct{}

func (blind) Exists(context.Context, string) (bool, error) {
	return false, errors.New("no file system")
}

func (blind) Newest(context.Context, string) (string, time.Time, bool, error) {
	return "", time.Time{}, false, errors.New("no file system")
}

// lose lets a refresh see a job, runs it on if its state can be looked for, and
// restarts its JobManager. It returns what a refresh after that records.
func (b *bench) lose(t *testing.T, rec lifecycle.Record, blinded bool) lifecycle.Record {
	t.Helper()
	rec, err := b.engine.Refresh(t.Context(), rec, "counter", true)
	if err != nil {
		t.Fatal(err)
	}
	if blinded {
		b.engine.Probe = blind{}
	} else {
		b.Advance(5 * time.Second)
	}
	b.RestartJobManager()
	rec, err = b.engine.Refresh(t.Context(), rec, "counter", true)
	if err != nil || rec.State != lifecycle.StateLost {
		t.Fatalf("%+v, %v", rec, err)
	}
	return rec
}

func (b *bench) again(t *testing.T, rec lifecycle.Record, restore string) (lifecycle.Record, error) {
	t.Helper()
	return b.engine.Update(t.Context(), rec, lifecycle.Update{
		Old: b.spec("a"), Spec: b.spec("a"), Policy: savepoints, Want: lifecycle.StateRunning, Restore: restore,
	})
}

// hint is a record whose newest checkpoint is what a refresh saw.
func (b *bench) hint(t *testing.T) lifecycle.Record {
	t.Helper()
	rec, err := running(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(80 * time.Millisecond) // the cache of the fake
	return rec
}

func TestOrigin_ALostJobGoesOnFromTheNewestCheckpointOnDisk(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	rec := b.lose(t, b.hint(t), false)
	if rec.Origin.Source != lifecycle.SourceDisk || rec.Origin.Path != rec.LastCheckpoint || !rec.Origin.Searched {
		t.Fatalf("%+v", rec)
	}
	started, err := b.again(t, rec, "")
	if err != nil || started.RestoredFrom != rec.Origin.Path || started.Origin != (lifecycle.Origin{}) {
		t.Fatalf("%+v, %v", started, err)
	}
}

func TestOrigin_IsLookedForWhereTheJobItselfWroteItsCheckpoints(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	spec := b.spec("a")
	spec.Configuration["execution.checkpointing.dir"] = "file:///fake/elsewhere"
	rec, err := b.engine.Create(t.Context(), lifecycle.Create{UID: b.uid, Spec: spec, Policy: savepoints, Want: lifecycle.StateRunning})
	if err != nil {
		t.Fatal(err)
	}
	rec.CheckpointDirectories = lifecycle.CheckpointDirectories(spec.Configuration)
	rec.LastCheckpoint = ""
	b.Advance(5 * time.Second)
	b.RestartJobManager()
	lost, err := b.engine.Refresh(t.Context(), rec, "counter", true)
	if err != nil || lost.Origin.Source != lifecycle.SourceDisk || !strings.Contains(lost.Origin.Path, "/elsewhere/"+rec.JobID+"/chk-") {
		t.Fatalf("%+v, %v", lost, err)
	}
	// The id of the lost job is used, as its directory shows: an earlier record
	// must not lead to it again.
	fresh, err := b.engine.Create(t.Context(), lifecycle.Create{UID: b.uid, Spec: spec, Policy: savepoints, Want: lifecycle.StateRunning})
	if err != nil || fresh.JobID == rec.JobID {
		t.Fatalf("%+v, %v", fresh, err)
	}
}

func TestOrigin_OlderStateThanWasSeenNeedsConsent(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	rec, err := b.update(t.Context(), b.hint(t), lifecycle.Update{
		Old: b.spec("a"), Spec: b.spec("b"), Want: lifecycle.StateRunning, Restart: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	b.Advance(5 * time.Second)
	time.Sleep(80 * time.Millisecond)
	rec = b.lose(t, rec, false)
	seen := rec.LastCheckpoint
	b.RemoveFiles(seen[:strings.LastIndex(seen, "/")])
	_, err = b.again(t, rec, "")
	var problem *lifecycle.Error
	if !errors.As(err, &problem) || problem.Problem != lifecycle.ProblemRestore || !strings.Contains(err.Error(), seen+" of the lost job "+rec.JobID+" is gone") {
		t.Fatalf("%v", err)
	}
	if jobs := b.Jobs(); len(jobs) > 0 {
		t.Fatalf("started: %+v", jobs)
	}
	started, err := b.again(t, rec, rec.RestoredFrom)
	if err != nil || started.RestoredFrom != rec.RestoredFrom {
		t.Fatalf("%+v, %v", started, err)
	}
}

func TestOrigin_WhereTheProbeCannotLookTheHintIsTaken(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	rec := b.lose(t, b.hint(t), true)
	if rec.Origin.Source != lifecycle.SourceHint || rec.Origin.Searched || rec.LastCheckpointAt.IsZero() {
		t.Fatalf("%+v", rec)
	}
	var said []string
	b.engine.Warn = func(summary, detail string) { said = append(said, summary+": "+detail) }
	started, err := b.again(t, rec, "")
	if err != nil || started.RestoredFrom != rec.LastCheckpoint {
		t.Fatalf("%+v, %v", started, err)
	}
	if !strings.Contains(strings.Join(said, "\n"), rec.LastCheckpointAt.UTC().Format(time.RFC3339)) {
		t.Errorf("the age of the hint is not said: %q", said)
	}
}

func TestOrigin_WhereNothingCanBeKnownTheJobIsNotStarted(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	rec := b.hint(t)
	rec = b.lose(t, rec, true)
	rec.LastCheckpoint = ""
	_, err := b.again(t, rec, "")
	var problem *lifecycle.Error
	if !errors.As(err, &problem) || problem.Problem != lifecycle.ProblemRestore || len(b.Jobs()) > 0 {
		t.Fatalf("%v, %+v", err, b.Jobs())
	}
}

// A job that had no checkpoint yet goes back to where it was started from, and
// not to a savepoint that it was never started from.
func TestOrigin_WithoutACheckpointIsWhereTheJobWasStartedFrom(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	rec := b.hint(t)
	spec := b.spec("a")
	spec.Configuration = nil
	first, err := b.update(t.Context(), rec, lifecycle.Update{Old: b.spec("a"), Spec: spec, Want: lifecycle.StateSuspended})
	if err != nil {
		t.Fatal(err)
	}
	older := first.SavepointPath
	second, err := b.update(t.Context(), first, lifecycle.Update{Old: b.spec("a"), Spec: spec, Want: lifecycle.StateRunning})
	if err != nil {
		t.Fatal(err)
	}
	third, err := b.update(t.Context(), second, lifecycle.Update{Old: spec, Spec: spec, Want: lifecycle.StateRunning, Restart: true, Restore: older})
	if err != nil || third.RestoredFrom != older || third.SavepointPath == older {
		t.Fatalf("%+v, %v", third, err)
	}
	b.RestartJobManager()
	lost, err := b.engine.Refresh(t.Context(), third, "counter", true)
	if err != nil || lost.Origin != (lifecycle.Origin{Path: older, Source: lifecycle.SourceRecord, Searched: true}) {
		t.Fatalf("%+v, %v", lost, err)
	}
}

func TestRefresh_AFailedJobTellsWhyAndWhereItsStateIs(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	spec := b.spec("a")
	spec.Program = &lifecycle.JarProgram{Client: b.engine.Client, Path: b.jar, Args: []string{"--rate", "100", "--fail-at", "1000"}}
	spec.Configuration["restart-strategy.type"] = "none"
	rec, err := b.engine.Create(t.Context(), lifecycle.Create{UID: b.uid, Spec: spec, Policy: savepoints, Want: lifecycle.StateRunning})
	if err != nil {
		t.Fatal(err)
	}
	b.Advance(time.Minute)
	rec, err = b.engine.Refresh(t.Context(), rec, "counter", true)
	if err != nil || rec.State != lifecycle.StateFailed || rec.Failure == "" || strings.Contains(rec.Failure, "\n") {
		t.Fatalf("%+v, %v", rec, err)
	}
	if rec.Origin.Source != lifecycle.SourceFlink || !lifecycle.IsCheckpoint(rec.Origin.Path) {
		t.Fatalf("%+v", rec.Origin)
	}
}
