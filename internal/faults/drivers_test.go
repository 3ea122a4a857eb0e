// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package faults

import (
	"context"
	"fmt"
	"slices"
	"testing"
)

// both are the drivers that must come to the same.
func both(survives bool) map[string]begin {
	return map[string]begin{
		"protocol": func(ctx context.Context, b *bench) (driver, error) {
			p, err := newProtocol(ctx, shared, b.kind, b.settings(), b.quick())
			if err == nil {
				p.survives = survives
			}
			return p, err
		},
		"terraform": func(_ context.Context, b *bench) (driver, error) {
			t, err := newTerraform(b)
			if err == nil {
				t.survives = survives
			}
			return t, err
		},
	}
}

// trace is what a driver came to in one cell, in words that do not depend on
// ids.
type trace struct {
	called    string
	disturbed string
	settled   string
}

func (t *trial) place(rec record, ok bool) string {
	if !ok {
		return "no state"
	}
	savepoint := "no savepoint"
	if rec.SavepointPath != "" {
		savepoint = "a savepoint"
	}
	return fmt.Sprintf("generation %d, %s, %s, restored %t, tainted %t", t.generation(rec.JobID), rec.State, savepoint, rec.RestoredFrom != "", rec.Tainted)
}

// TestFlow_Faults_TheDriverDoesWhatTerraformDoes runs the same cells through
// Terraform's own program and through the driver of the matrix: what each has
// in state after the disturbed apply, and after the next one, must be the same.
func TestFlow_Faults_TheDriverDoesWhatTerraformDoes(t *testing.T) {
	t.Parallel()
	m := newMatrix(nil)
	for _, one := range comparedCells(t, m) {
		for _, survives := range []bool{false, true} {
			if survives && !one.fault.kills {
				continue
			}
			t.Run(fmt.Sprintf("%s, Terraform survives %t", one, survives), func(t *testing.T) {
				t.Parallel()
				traces := map[string]trace{}
				for name, start := range both(survives) {
					traces[name] = follow(t, m, one, start)
				}
				if traces["protocol"] != traces["terraform"] {
					t.Errorf("they differ:\nprotocol  %+v\nterraform %+v", traces["protocol"], traces["terraform"])
				}
			})
		}
	}
}

// comparedCells takes calls of each operation and each end of an apply: one
// that was killed, one with an answer that is an error, one that goes through.
func comparedCells(t *testing.T, m *matrix) []cell {
	t.Helper()
	m.start = viaProtocol
	var all []cell
	for i, op := range operations {
		if op.flink114 && !slices.Contains(compared114, op.name) {
			continue
		}
		calls, err := m.calls(t.Context(), op)
		if err != nil {
			t.Fatal(err)
		}
		// After its last act an operation only looks, and how often and at what
		// depends on how fast the job is; before its first third it only reads.
		last := lastAct(calls)
		for j, f := range faults {
			if (i+j)%4 != 0 {
				continue
			}
			if op.flink114 {
				// There each process asks for the version, so that numbers differ.
				acting := slices.DeleteFunc(slices.Clone(calls), func(call string) bool { return !acts(call) })
				all = append(all, cell{op: op, on: acting[(3*i+5*j)%len(acting)], fault: f, with: same})
				continue
			}
			// By its name: how often a job is looked at before depends on the machine.
			all = append(all, cell{op: op, on: calls[last-1-(3*i+5*j)%(1+last*2/3)], fault: f, with: same})
		}
	}
	return all
}

// compared114 are the operations on Flink 1.14 that show what is new to the
// driver there: the lists of objects of a Dagger job, and the JobManager's answers.
var compared114 = []string{"Flink 1.14: suspend", "Dagger: create", "Dagger: upgrade"}

func follow(t *testing.T, m *matrix, one cell, start begin) trace {
	t.Helper()
	on := *m
	on.start = start
	b, err := on.bench(t.Context(), one.op)
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	run := &trial{bench: b, result: result{cell: one}}
	hit, err := run.disturb(t.Context())
	if err != nil || !hit {
		return trace{called: fmt.Sprintf("%v", err)}
	}
	found := trace{called: run.called}
	rec, ok := b.driver.recorded()
	found.disturbed = run.place(rec, ok)
	if _, ok := run.settle(t.Context(), one.op.next[same][0]); !ok {
		t.Errorf("not settled: %v", run.violations)
	}
	rec, ok = b.driver.recorded()
	found.settled = run.place(rec, ok)
	return found
}
