// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// problemOf is the kind of problem that an error tells of.
func problemOf(err error) lifecycle.Problem {
	if problem, ok := errors.AsType[*lifecycle.Error](err); ok {
		return problem.Problem
	}
	return lifecycle.ProblemOther
}

// TestStrict_AdoptionFindsAJobWithoutANameByItsID is of a create without owner
// that was interrupted, and whose program names no job.
func TestStrict_AdoptionFindsAJobWithoutANameByItsID(t *testing.T) {
	t.Parallel()
	b := newStrictBench(t)
	create := func(label string, adopt bool) (lifecycle.Record, error) {
		b.restart(t)
		b.engine.Owner = ""
		program := &lifecycle.JarProgram{Client: b.engine.Client, Path: b.jar, Args: []string{"--label", label, "--plain", "--checkpoint", "1000"}}
		policy := savepoints
		policy.Adopt = adopt
		return b.engine.Create(t.Context(), lifecycle.Create{
			UID: b.uid, Spec: lifecycle.Spec{Name: "counter", Program: program}, Policy: policy, Want: lifecycle.StateRunning,
		})
	}
	if _, err := create("a", false); err != nil {
		t.Fatal(err)
	}
	if _, err := create("b", false); problemOf(err) != lifecycle.ProblemOwner {
		t.Fatalf("without adoption: %v", err)
	}
	rec, err := create("b", true)
	if err != nil {
		t.Fatal(err)
	}
	if rec.Generation != 2 || rec.RestoredFrom == "" {
		t.Errorf("%+v", rec)
	}
	if err := b.invariants(operation{name: "create", label: "b"}, rec); err != nil {
		t.Error(err)
	}
}

// TestStrict_AnotherApplyAtTheSameTimeIsNotCancelled is of two applies that
// begin at once, with another name in the program's arguments: on 1.14 a job
// that is refused is never the second one of the same program.
func TestStrict_AnotherApplyAtTheSameTimeIsNotCancelled(t *testing.T) {
	t.Parallel()
	b := newStrictBench(t)
	other := newStrictBench(t)
	other.Server, other.uid = b.Server, b.uid
	other.restart(t)
	taken := false
	b.OnRequest(func(r *http.Request) {
		if taken || !strings.HasSuffix(r.URL.Path, "/run") {
			return
		}
		taken = true
		program := &lifecycle.JarProgram{Client: other.engine.Client, Path: other.jar, Args: []string{"--name", "another"}}
		if _, err := other.engine.Create(t.Context(), lifecycle.Create{
			UID: b.uid, Spec: lifecycle.Spec{Name: "counter", Program: program}, Policy: savepoints, Want: lifecycle.StateRunning,
		}); err != nil {
			t.Error(err)
		}
	})
	if _, err := b.create(t.Context(), "a"); problemOf(err) != lifecycle.ProblemUnknownOutcome {
		t.Fatalf("the second create: %v", err)
	}
	if job, ok := b.Job(lifecycle.JobID(b.uid, 1)); !ok || flink.JobState(job.State).Terminal() {
		t.Errorf("the other's job is %+v", job)
	}
}

// TestStrict_ASavepointThatTheJobWentOnAfterIsNotItsNewestState is of a job that
// dies with its JobManager when it is to be stopped, and has an earlier
// savepoint where its stop would put one.
func TestStrict_ASavepointThatTheJobWentOnAfterIsNotItsNewestState(t *testing.T) {
	t.Parallel()
	b := newStrictBench(t)
	rec, err := running(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	if rec, err = b.engine.Refresh(t.Context(), rec, "counter", true); err != nil {
		t.Fatal(err)
	}
	target := "file:/fake/savepoints/" + b.uid + "/1"
	if _, err := b.engine.Client.Savepoint(t.Context(), rec.JobID, flink.SavepointRequest{TargetDirectory: target}); err != nil {
		t.Fatal(err)
	}
	b.Advance(time.Second)
	b.Advance(5 * time.Second)
	restarted := false
	b.OnRequest(func(r *http.Request) {
		if !restarted && r.URL.Path == "/config" {
			restarted = true
			b.RestartJobManager()
		}
	})
	change := func() lifecycle.Update {
		return lifecycle.Update{Old: b.spec("a"), Spec: b.spec("b"), Want: lifecycle.StateRunning, Restart: true, Policy: savepoints}
	}
	rec, err = b.engine.Update(t.Context(), rec, change())
	if problemOf(err) != lifecycle.ProblemUnknownOutcome || !restarted {
		t.Fatalf("%+v, %v", rec, err)
	}
	b.restart(t)
	if rec, err = b.update(t.Context(), rec, change()); err != nil {
		t.Fatal(err)
	}
	if err := b.invariants(operation{name: "upgrade", label: "b"}, rec); err != nil {
		t.Error(err)
	}
}
