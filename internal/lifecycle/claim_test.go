// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// ownerless is one of two configurations without owner, which share a name
// and with it all ids.
func (b *bench) ownerless(t *testing.T) *bench {
	t.Helper()
	return b.beside(t, "", b.engine.Client.Endpoint())
}

// twoWithoutOwner are two configurations on one cluster, and the running job of
// the first.
func twoWithoutOwner(t *testing.T) (base, first, second *bench, one lifecycle.Record) {
	t.Helper()
	base = newBench(t)
	first, second = base.ownerless(t), base.ownerless(t)
	one, err := first.create(t.Context(), "plain")
	if err != nil {
		t.Fatal(err)
	}
	base.Advance(5 * time.Second)
	return base, first, second, one
}

func isOwnerProblem(err error) bool {
	problem, ok := errors.AsType[*lifecycle.Error](err)
	return ok && problem.Problem == lifecycle.ProblemOwner
}

func (b *bench) want(t *testing.T, rec lifecycle.Record, want lifecycle.State, policy lifecycle.Policy) (lifecycle.Record, error) {
	t.Helper()
	spec := b.spec("plain")
	return b.update(t.Context(), rec, lifecycle.Update{Old: spec, Spec: spec, Want: want, Policy: policy})
}

// TestUpdate_WithoutOwnerAnotherConfigurationsJobIsNotTakenOver suspends one of
// two, and lets the other one start under the next of the ids that both have.
func TestUpdate_WithoutOwnerAnotherConfigurationsJobIsNotTakenOver(t *testing.T) {
	t.Parallel()
	base, first, second, one := twoWithoutOwner(t)
	var err error
	if _, err := second.create(t.Context(), "plain"); !isOwnerProblem(err) {
		t.Fatalf("a create beside the first one's job: %v", err)
	}
	if one, err = first.want(t, one, lifecycle.StateSuspended, savepoints); err != nil {
		t.Fatal(err)
	}
	two, err := second.create(t.Context(), "plain")
	if err != nil {
		t.Fatal(err)
	}
	base.Advance(time.Minute)
	resumed, err := first.want(t, one, lifecycle.StateRunning, savepoints)
	if err != nil {
		t.Fatal(err)
	}
	if resumed.JobID == two.JobID || resumed.RestoredFrom != one.SavepointPath {
		t.Fatalf("the first one goes on as %+v; the second one has %s", resumed, two.JobID)
	}
	for _, b := range []*bench{first, second} {
		rec := map[*bench]lifecycle.Record{first: resumed, second: two}[b]
		rec, err = b.want(t, rec, lifecycle.StateRunning, savepoints)
		if err != nil || rec.JobID != map[*bench]lifecycle.Record{first: resumed, second: two}[b].JobID {
			t.Fatalf("%+v, %v", rec, err)
		}
	}
	if _, err := first.engine.Destroy(t.Context(), resumed, "counter", lifecycle.OnDestroySavepoint, savepoints); err != nil {
		t.Fatal(err)
	}
	if live := base.live(); len(live) != 1 || live[0].ID != two.JobID {
		t.Fatalf("after the first one's destroy: %+v", live)
	}
}

// TestUpdate_WithoutOwnerStateOfALaterStartNeedsConsent lets the JobManager
// forget everything, so that nothing tells whose the newer state is.
func TestUpdate_WithoutOwnerStateOfALaterStartNeedsConsent(t *testing.T) {
	t.Parallel()
	base, first, second, one := twoWithoutOwner(t)
	var err error
	if one, err = first.want(t, one, lifecycle.StateSuspended, savepoints); err != nil {
		t.Fatal(err)
	}
	if _, err := second.create(t.Context(), "plain"); err != nil {
		t.Fatal(err)
	}
	base.Advance(time.Minute)
	base.RestartJobManager()
	first.restart(t)
	first.engine.Owner = ""
	if _, err := first.want(t, one, lifecycle.StateRunning, savepoints); !isOwnerProblem(err) || len(base.live()) > 0 {
		t.Fatalf("%v; %d jobs live", err, len(base.live()))
	}
	spec := first.spec("plain")
	rec, err := first.update(t.Context(), one, lifecycle.Update{Old: spec, Spec: spec, Want: lifecycle.StateRunning, Restore: one.SavepointPath})
	if err != nil || rec.RestoredFrom != one.SavepointPath {
		t.Fatalf("with restore_from: %+v, %v", rec, err)
	}
}

// TestUpdate_WithoutOwnerAnInterruptedUpgradeIsFound cuts an upgrade after its
// start; the marker says what it continues.
func TestUpdate_WithoutOwnerAnInterruptedUpgradeIsFound(t *testing.T) {
	t.Parallel()
	base := newBench(t)
	b := base.ownerless(t)
	rec, err := b.create(t.Context(), "plain")
	if err != nil {
		t.Fatal(err)
	}
	base.Advance(5 * time.Second)
	upgrade := lifecycle.Update{Old: b.spec("plain"), Spec: b.parallel("plain", 2), Want: lifecycle.StateRunning, Restart: true}
	upgraded, err := b.update(t.Context(), rec, upgrade)
	if err != nil {
		t.Fatal(err)
	}
	again, err := b.update(t.Context(), rec, upgrade)
	if err != nil || again.JobID != upgraded.JobID || len(base.live()) != 1 {
		t.Fatalf("%+v, %v; %d jobs live", again, err, len(base.live()))
	}
}

// parallel is a spec with a restart attribute that leaves the marker readable.
func (b *bench) parallel(label string, maximum int64) lifecycle.Spec {
	spec := b.spec(label)
	spec.Configuration["table.exec.resource.default-parallelism"] = string(rune('0' + maximum))
	return spec
}

// TestCreate_AdoptingItsOwnInterruptedCreateRunsWhatIsWantedNow kills a create
// without owner, and adopts its job with another configuration.
func TestCreate_AdoptingItsOwnInterruptedCreateRunsWhatIsWantedNow(t *testing.T) {
	t.Parallel()
	base := newBench(t)
	b := base.ownerless(t)
	if _, err := b.create(t.Context(), "plain"); err != nil {
		t.Fatal(err)
	}
	base.Advance(5 * time.Second)
	spec := b.spec("plain")
	spec.Program.(*lifecycle.JarProgram).Args = []string{"--plain", "--label", "changed"}
	rec, err := b.engine.Create(t.Context(), lifecycle.Create{UID: b.uid, Spec: spec, Policy: adopting(true), Want: lifecycle.StateRunning})
	if err != nil {
		t.Fatal(err)
	}
	live := base.live()
	if len(live) != 1 || live[0].ID != rec.JobID || !slices.Contains(live[0].Args, "changed") || live[0].RestoredFrom == "" {
		t.Fatalf("%+v, recorded %s", live, rec.JobID)
	}
}
