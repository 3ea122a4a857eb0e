// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// TestCreate_AnotherApplyAtTheSameTimeIsNotCancelled lets another apply take
// the id between the look and the submission: Flink answers that as it answers
// a program which calls execute() twice.
func TestCreate_AnotherApplyAtTheSameTimeIsNotCancelled(t *testing.T) {
	t.Parallel()
	for _, label := range []string{"plain", "a"} {
		t.Run(label, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			id := lifecycle.JobID(b.uid, 1)
			other := newBench(t)
			other.Server, other.uid = b.Server, b.uid
			other.restart(t)
			taken := false
			b.OnRequest(func(r *http.Request) {
				if taken || !strings.HasSuffix(r.URL.Path, "/run") {
					return
				}
				taken = true
				if _, err := other.create(t.Context(), label); err != nil {
					t.Error(err)
				}
			})
			_, err := b.create(t.Context(), label)
			var problem *lifecycle.Error
			if !errors.As(err, &problem) || problem.Problem != lifecycle.ProblemUnknownOutcome {
				t.Fatalf("the second create: %v", err)
			}
			if job, ok := b.Job(id); !ok || flink.JobState(job.State).Terminal() {
				t.Fatalf("the other's job is %+v", job)
			}
			// The next apply finds it, and goes on with it or restarts it.
			if _, err := b.create(t.Context(), label); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestCreate_AProgramWithTwoJobsLeavesNothingRunning(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	spec := b.spec("plain")
	spec.Program = &lifecycle.JarProgram{Client: b.engine.Client, Path: b.jar, EntryClass: "streaming.jobs.TwoExecutes"}
	_, err := b.engine.Create(t.Context(), lifecycle.Create{UID: b.uid, Spec: spec, Policy: savepoints, Want: lifecycle.StateRunning})
	var problem *lifecycle.Error
	if !errors.As(err, &problem) || problem.Problem != lifecycle.ProblemTwoJobs {
		t.Fatal(err)
	}
	for _, job := range b.Jobs() {
		if !flink.JobState(job.State).Terminal() {
			t.Errorf("%+v still runs", job)
		}
	}
	if err := b.neverTwo([]flinkfake.JobSnapshot{}); err != nil {
		t.Error(err)
	}
}

// TestCreate_AdoptionDoesNotTakeItsOwnUnknownJobAsWanted interrupts a create of
// a program that calls itself otherwise, and creates another version of it with
// adopt_existing: there is no job of the name to adopt, only the interrupted one.
func TestCreate_AdoptionDoesNotTakeItsOwnUnknownJobAsWanted(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	create := lifecycle.Create{UID: b.uid, Spec: b.spec("a"), Policy: adopting(true), Want: lifecycle.StateRunning}
	for _, label := range []string{"first", "second"} {
		create.Spec.Program = &lifecycle.JarProgram{
			Client: b.engine.Client, Path: b.jar, Args: []string{"--label", label, "--name", "its own name"},
		}
		if _, err := b.engine.Create(t.Context(), create); err != nil {
			t.Fatal(err)
		}
	}
	job, ok := b.Job(lifecycle.JobID(b.uid, 2))
	if !ok || flink.JobState(job.State).Terminal() || job.Args[1] != "second" || job.RestoredFrom == "" {
		t.Fatalf("the second version runs as %+v", job)
	}
}
