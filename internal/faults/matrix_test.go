// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package faults

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"testing"
)

func TestMain(m *testing.M) {
	Serve()
	// Whole schemas are made for each apply and thrown away: a quarter of the
	// time goes into collecting them, and there is memory.
	debug.SetGCPercent(800)
	os.Exit(m.Run())
}

var shared = &Host{}

func viaProtocol(ctx context.Context, b *bench) (driver, error) {
	return newProtocol(ctx, shared, b.kind, b.settings(), b.quick())
}

// sample is how many cells the sample leaves out for each that it runs, and
// sampleOfKinds how many times as many of the further kinds of job, which share
// most of the way.
const (
	sample        = 100
	sampleOfKinds = 13
)

// progressEach is after how many cells the whole matrix says how far it is.
const progressEach = 5000

// TestFlow_Faults_EachCallOfEachOperation runs the matrix on the fake: a fixed
// sample, or with STREAMING_FAULTS=all every cell.
func TestFlow_Faults_EachCallOfEachOperation(t *testing.T) {
	oneIn := sample
	if value := os.Getenv("STREAMING_FAULTS"); value == "all" {
		oneIn = 1
	} else if value != "" {
		var err error
		if oneIn, err = strconv.Atoi(value); err != nil {
			t.Fatal(err)
		}
	}
	only := regexp.MustCompile(os.Getenv("STREAMING_FAULTS_ONLY"))
	report := &Report{Engine: "the fake"}
	m := newMatrix(viaProtocol)
	var all []cell
	for _, op := range operations {
		if !concerned(only, op) {
			continue
		}
		calls, err := m.calls(t.Context(), op)
		if err != nil {
			// Nothing was disturbed yet.
			report.Violations = append(report.Violations, err.Error())
			continue
		}
		every := oneIn
		if op.further() && oneIn > 1 {
			every *= sampleOfKinds
		}
		var chosen []cell
		for _, one := range cells(op, len(calls)) {
			if one.sampled(every) && only.MatchString(one.String()) {
				chosen = append(chosen, one)
			}
		}
		if len(chosen) > 0 {
			report.row(op, len(calls))
		}
		all = append(all, chosen...)
	}
	done := 0
	m.run(t.Context(), all, func(r result, err error) {
		if done++; oneIn == 1 && done%progressEach == 0 {
			t.Logf("%d of %d cells, %d violations", done, len(all), len(report.Violations))
		}
		if err != nil {
			t.Error(err)
			return
		}
		report.add(r)
	})
	finish(t, report, "fake")
}

// concerned tells whether a filter may choose cells of an operation.
func concerned(only *regexp.Regexp, op operation) bool {
	return slices.ContainsFunc(cells(op, 99), func(c cell) bool { return only.MatchString(c.String()) })
}

// finish fails for violations, and prints and keeps the report.
func finish(t *testing.T, report *Report, name string) {
	t.Helper()
	t.Logf("%s", report)
	for _, line := range report.refusals() {
		t.Log("refused: " + line)
	}
	for _, text := range report.Violations {
		t.Error(text)
	}
	if dir := os.Getenv("STREAMING_FAULTS_REPORT"); dir != "" {
		if err := report.save(filepath.Join(dir, name+".json")); err != nil {
			t.Error(err)
		}
	}
}
