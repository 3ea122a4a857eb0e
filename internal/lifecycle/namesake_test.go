// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// beside is another configuration on the same cluster.
func (b *bench) beside(t *testing.T, owner, endpoint string) *bench {
	t.Helper()
	other := &bench{Server: b.Server, jar: b.jar}
	other.restart(t)
	other.engine.Owner = owner
	other.uid = lifecycle.UID(owner, endpoint, "streaming_flink_job", "counter")
	return other
}

// foreignGraph is a job that was started by other means.
var foreignGraph = flinkfake.Graph{Name: "counter", Rate: 1, Operators: []flinkfake.Operator{{Name: "source", UID: "source"}}}

func adopting(adopt bool) lifecycle.Policy {
	policy := savepoints
	policy.Adopt = adopt
	return policy
}

// live are the jobs that have not ended.
func (b *bench) live() []flinkfake.JobSnapshot {
	var jobs []flinkfake.JobSnapshot
	for _, job := range b.Jobs() {
		if !flink.JobState(job.State).Terminal() {
			jobs = append(jobs, job)
		}
	}
	return jobs
}

// warnings collects what the user is told.
func (b *bench) warnings() *strings.Builder {
	var said strings.Builder
	b.engine.Warn = func(summary, detail string) { said.WriteString(summary + ": " + detail + "\n") }
	return &said
}

func TestCreate_BesideAnotherOwnersJobOfTheSameName(t *testing.T) {
	t.Parallel()
	ours := newBench(t)
	theirs := ours.beside(t, "other", ours.engine.Client.Endpoint())
	if _, err := theirs.create(t.Context(), "plain"); err != nil {
		t.Fatal(err)
	}
	said := ours.warnings()
	if _, err := ours.create(t.Context(), "plain"); err != nil {
		t.Fatal(err)
	}
	if len(ours.live()) != 2 || said.Len() > 0 {
		t.Fatalf("%d jobs live; said: %s", len(ours.live()), said)
	}
}

func TestCreate_BesideAnUnmarkedJobOfTheSameNameSaysSo(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	foreign, err := b.SubmitJob(foreignGraph, nil)
	if err != nil {
		t.Fatal(err)
	}
	said := b.warnings()
	if _, err := b.create(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	if len(b.live()) != 2 || !strings.Contains(said.String(), foreign) || !strings.Contains(said.String(), "adopt_existing") {
		t.Fatalf("%d jobs live; said: %s", len(b.live()), said)
	}
}

// TestCreate_TheSameJobUnderAnotherEndpointIsNotRunTwice creates a job whose
// owner and name already run, with an identity from another address of the
// same cluster.
func TestCreate_TheSameJobUnderAnotherEndpointIsNotRunTwice(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	first := b.beside(t, "team", "http://flink.internal:8081")
	if _, err := first.create(t.Context(), "plain"); err != nil {
		t.Fatal(err)
	}
	_, err := b.create(t.Context(), "plain")
	var problem *lifecycle.Error
	if !errors.As(err, &problem) || problem.Problem != lifecycle.ProblemOwner || len(b.live()) != 1 {
		t.Fatalf("%v; %d jobs live", err, len(b.live()))
	}
}

// TestUpdate_C02_AJobThatMovedUnderAnotherIDIsTakenOverOnRequest loses a job,
// and starts one of its name by other means.
func TestUpdate_C02_AJobThatMovedUnderAnotherIDIsTakenOverOnRequest(t *testing.T) {
	t.Parallel()
	for _, adopt := range []bool{false, true} {
		b := newBench(t)
		rec, err := b.create(t.Context(), "plain")
		if err != nil {
			t.Fatal(err)
		}
		b.Advance(5 * time.Second)
		b.RestartJobManager()
		b.restart(t)
		moved, err := b.SubmitJob(foreignGraph, nil)
		if err != nil {
			t.Fatal(err)
		}
		said := b.warnings()
		rec, err = b.update(t.Context(), rec, lifecycle.Update{
			Old: b.spec("plain"), Spec: b.spec("plain"), Want: lifecycle.StateRunning, Policy: adopting(adopt),
		})
		switch {
		case err != nil:
			t.Fatal(err)
		case adopt && (rec.JobID != moved || len(b.live()) != 1):
			t.Errorf("taken over: %+v; %d jobs live", rec, len(b.live()))
		case !adopt && (rec.JobID == moved || !strings.Contains(said.String(), moved)):
			t.Errorf("not taken over: %+v; said: %s", rec, said)
		}
		if !adopt {
			continue
		}
		// The generations go on above those that were used.
		rec, err = b.update(t.Context(), rec, lifecycle.Update{
			Old: b.spec("plain"), Spec: b.spec("b"), Want: lifecycle.StateRunning, Restart: true, Policy: lifecycle.Policy{Mode: lifecycle.ModeStateless},
		})
		if err != nil || rec.Generation != 2 || len(b.live()) != 1 {
			t.Errorf("%+v, %v; %d jobs live", rec, err, len(b.live()))
		}
	}
}

func TestUpdate_C02_TwoJobsOfTheNameAreNotChosenFrom(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	rec, err := b.create(t.Context(), "plain")
	if err != nil {
		t.Fatal(err)
	}
	b.RestartJobManager()
	b.restart(t)
	ids := make([]string, 2)
	for i := range ids {
		if ids[i], err = b.SubmitJob(foreignGraph, nil); err != nil {
			t.Fatal(err)
		}
	}
	_, err = b.update(t.Context(), rec, lifecycle.Update{Old: b.spec("plain"), Spec: b.spec("plain"), Want: lifecycle.StateRunning, Policy: adopting(true)})
	if err == nil || !strings.Contains(err.Error(), ids[0]) || !strings.Contains(err.Error(), ids[1]) || len(b.live()) != 2 {
		t.Fatalf("%v; %d jobs live", err, len(b.live()))
	}
}

func TestCreate_TwoExecutesInOneEnvironmentLeaveNothingRunning(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	spec := b.spec("plain")
	spec.Program = &lifecycle.JarProgram{
		Client: b.engine.Client, Path: b.jar, EntryClass: "streaming.jobs.TwoExecutes", Args: []string{"--one-environment"},
	}
	_, err := b.engine.Create(t.Context(), lifecycle.Create{UID: b.uid, Spec: spec, Policy: savepoints, Want: lifecycle.StateRunning})
	var problem *lifecycle.Error
	if !errors.As(err, &problem) || problem.Problem != lifecycle.ProblemTwoJobs || len(b.live()) > 0 {
		t.Fatalf("%v; %d jobs live", err, len(b.live()))
	}
}
