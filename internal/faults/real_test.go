// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package faults

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest/realengine"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/local"
)

func viaTerraform(_ context.Context, b *bench) (driver, error) { return newTerraform(b) }

// realOuting is a matrix on a cluster that runs.
func realOuting(t *testing.T, state *local.State) *outing {
	t.Helper()
	c, err := newReal(t.Context(), state)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.close)
	jar, err := os.ReadFile(state.JobsJar)
	if err != nil {
		t.Fatal(err)
	}
	return &outing{cluster: c, jar: jar, start: viaTerraform}
}

// TestAcc_Faults_KilledAndCutAppliesOnRealFlink runs cells of the matrix on real
// Flink, through Terraform's own program and with a real SIGKILL: some of them,
// or with STREAMING_FAULTS=all each kill of create and upgrade, and some of each
// operation at each time and with each configuration.
func TestAcc_Faults_KilledAndCutAppliesOnRealFlink(t *testing.T) {
	report := &Report{Engine: "real Flink"}
	var o *outing
	var cells []cell
	if os.Getenv("STREAMING_FAULTS") == "all" {
		o = wholeOuting(t)
		cells = wholeCells(t, o, report)
	} else {
		state, err := local.Load(realengine.Variable(t, "STREAMING_ENGINE_DIR"))
		if err != nil {
			t.Fatal(err)
		}
		o = realOuting(t, state)
		cells = fewCells(t, report)
	}
	report.Engine += " " + o.cluster.Flink.Version
	o.run(t.Context(), cells, 3, func(r result, err error) {
		if err != nil {
			t.Error(err)
			return
		}
		t.Logf("%s (%s): %d applies, %d violations", r.cell, r.called, r.applies, len(r.violations))
		if r.called == "" && !r.cell.looks {
			t.Errorf("%s: the call was not made", r.cell)
		}
		report.add(r)
	})
	finish(t, report, "real")
}

// fewCells are what each change is tested with.
func fewCells(t *testing.T, report *Report) []cell {
	t.Helper()
	var cells []cell
	for _, one := range []struct{ op, on, fault string }{
		{"create", "POST /jars/:jar/run", "killed after the call"},
		{"create without owner", "POST /jars/:jar/run", "killed after the call"},
		{"upgrade", "POST /jobs/:id/stop", "killed after the call"},
		{"upgrade", "POST /jars/:jar/run", "reset mid-body"},
	} {
		op, err := find(one.op)
		if err != nil {
			t.Fatal(err)
		}
		report.row(op, 1)
		for _, f := range faults {
			if f.name == one.fault {
				cells = append(cells, cell{op: op, on: one.on, fault: f})
			}
		}
	}
	return cells
}

// The whole of it forgets quickly what has ended.
const (
	triggersLast = 15 * time.Second
	jobsLast     = 45 * time.Second
)

// wholeOuting starts a Flink of its own.
func wholeOuting(t *testing.T) *outing {
	t.Helper()
	realengine.Only(t)
	state, err := local.Up(t.Context(), local.Config{
		Dir: filepath.Join(t.TempDir(), "engine"), FlinkVersion: os.Getenv("STREAMING_ENGINE_FLINK_VERSION"),
		FlinkConf: map[string]string{
			"rest.async.store-duration": triggersLast.String(), "jobstore.expiration-time": "45",
		},
		Slots: 16, Only: local.EngineFlink, AutoPorts: true,
	}, t.Output())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := local.Down(context.Background(), state.Dir, t.Output()); err != nil {
			t.Error(err)
		}
	})
	o := realOuting(t, state)
	o.triggers, o.jobs = triggersLast+3*time.Second, jobsLast+5*time.Second
	return o
}

// spreadOver is how many cells of each operation run beside the kills.
const spreadOver = 2

func wholeCells(t *testing.T, o *outing, report *Report) []cell {
	t.Helper()
	only := regexp.MustCompile(os.Getenv("STREAMING_FAULTS_ONLY"))
	var cells []cell
	onFake := newMatrix(viaProtocol)
	// The first job on a cluster has the state probe uploaded as well.
	if _, err := o.calls(t.Context(), operations[0]); err != nil {
		t.Fatal(err)
	}
	for i, op := range operations {
		if op.adaptive || op.flink114 || op.kind != "" {
			// Its scheduler is the cluster's; other kinds run on the fake.
			continue
		}
		var chosen []cell
		calls, err := onFake.calls(t.Context(), op)
		if op.name == "create" || op.name == "upgrade" {
			if calls, err = o.calls(t.Context(), op); err == nil {
				chosen = kills(op, calls)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range append(chosen, spread(i, op, lastAct(calls), spreadOver)...) {
			if only.MatchString(one.String()) {
				report.row(op, len(calls))
				cells = append(cells, one)
			}
		}
	}
	return cells
}
