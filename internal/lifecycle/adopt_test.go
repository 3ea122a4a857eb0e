// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle_test

import (
	"testing"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// TestCreate_AnAdoptedJobGetsTheParallelismThatIsWanted takes over the job of
// an interrupted create, whose configuration asks for another one by now.
func TestCreate_AnAdoptedJobGetsTheParallelismThatIsWanted(t *testing.T) {
	t.Parallel()
	for scheduler, generation := range map[string]int64{"Default": 2, "Adaptive": 1} {
		t.Run(scheduler, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, flinkfake.Scheduler(scheduler), flinkfake.Slots(4))
			spec := b.spec("plain")
			spec.Parallelism = 2
			create := lifecycle.Create{UID: b.uid, Spec: spec, Policy: adopting(true), Want: lifecycle.StateRunning}
			if _, err := b.engine.Create(t.Context(), create); err != nil {
				t.Fatal(err)
			}
			b.Advance(5 * time.Second)
			before := b.live()[0].Progress
			b.restart(t)
			create.Spec = b.spec("plain")
			create.Spec.Parallelism = 3
			rec, err := b.engine.Create(t.Context(), create)
			if err != nil {
				t.Fatal(err)
			}
			live := b.live()
			if len(live) != 1 || live[0].ID != rec.JobID || rec.Generation != generation || live[0].Progress < before {
				t.Fatalf("record %+v; live %+v", rec, live)
			}
			job, err := b.engine.Client.Summary(t.Context(), rec.JobID)
			// The source has one subtask, whatever the parallelism.
			if err != nil || job.Tasks.Total != 1+3 {
				t.Errorf("%v; %+v", err, job)
			}
		})
	}
}

// TestUpdate_AMovedJobGetsTheParallelismThatIsWanted loses a job and takes over
// the one that another provider's identity started under its name.
func TestUpdate_AMovedJobGetsTheParallelismThatIsWanted(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	rec, err := b.create(t.Context(), "plain")
	if err != nil {
		t.Fatal(err)
	}
	b.Advance(5 * time.Second)
	b.RestartJobManager()
	b.restart(t)
	other := b.beside(t, "team", "http://flink.internal:8081")
	if _, err := other.create(t.Context(), "plain"); err != nil {
		t.Fatal(err)
	}
	spec := b.spec("plain")
	spec.Parallelism = 2
	rec, err = b.update(t.Context(), rec, lifecycle.Update{Old: b.spec("plain"), Spec: spec, Want: lifecycle.StateRunning, Policy: adopting(true)})
	if err != nil {
		t.Fatal(err)
	}
	if live := b.live(); len(live) != 1 || live[0].ID != rec.JobID || live[0].Parallelism != 2 {
		t.Errorf("record %+v; live %+v", rec, live)
	}
}
