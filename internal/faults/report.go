// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package faults

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
)

// Row is one operation's line of the table.
type Row struct {
	Operation string
	// Calls is how many REST calls it makes, Cells how many cells those make.
	Calls, Cells int
	// Ran is how many of them ran, Missed how many did not get to their call.
	Ran, Missed int
	// Repeated is how many needed more than one apply, and Thrice three.
	Repeated, Thrice int
	// Unused is how many started anew and said so, Adopted how many took the
	// job over by adopt_existing.
	Unused, Adopted int
	Violations      int
}

// Report is what came of a matrix.
type Report struct {
	// Engine is what it ran on.
	Engine string
	Rows   []*Row
	// Violations are the broken invariants, by cell.
	Violations []string
	// Refusals counts the errors that an apply after the fault ended with.
	Refusals map[string]int
}

func (r *Report) row(op operation, calls int) *Row {
	for _, row := range r.Rows {
		if row.Operation == op.name {
			return row
		}
	}
	row := &Row{Operation: op.name, Calls: calls, Cells: calls * len(faults) * len(moments) * len(configurations)}
	r.Rows = append(r.Rows, row)
	return row
}

// add counts a result.
func (r *Report) add(one result) {
	row := r.row(one.cell.op, 0)
	if one.called == "" {
		row.Missed++
		return
	}
	row.Ran++
	if one.applies > 1 {
		row.Repeated++
	}
	if one.applies > 2 {
		row.Thrice++
	}
	if one.unused {
		row.Unused++
	}
	if one.adopted {
		row.Adopted++
	}
	if r.Refusals == nil {
		r.Refusals = map[string]int{}
	}
	for _, text := range one.refusals {
		r.Refusals[anonymous(text)]++
	}
	if len(one.violations) > 0 {
		row.Violations++
		for _, text := range one.violations {
			r.Violations = append(r.Violations, fmt.Sprintf("%s (%s): %s", one.cell, one.called, text))
		}
	}
}

var (
	hexWord = regexp.MustCompile(`[0-9a-f]{32}`)
	numbers = regexp.MustCompile(`127\.0\.0\.1:[0-9]+`)
)

// anonymous takes out of a text what differs from cell to cell.
func anonymous(text string) string {
	return numbers.ReplaceAllString(hexWord.ReplaceAllString(text, ":id"), ":port")
}

// Total is the sum of all rows.
func (r *Report) Total() Row {
	sum := Row{Operation: "all"}
	for _, row := range r.Rows {
		sum.Calls += row.Calls
		sum.Cells += row.Cells
		sum.Ran += row.Ran
		sum.Missed += row.Missed
		sum.Repeated += row.Repeated
		sum.Thrice += row.Thrice
		sum.Unused += row.Unused
		sum.Adopted += row.Adopted
		sum.Violations += row.Violations
	}
	return sum
}

// String is the table.
func (r *Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: operations x calls x %d faults x %d times x %d configurations\n", r.Engine, len(faults), len(moments), len(configurations))
	fmt.Fprintf(&b, "%-34s %6s %7s %7s %7s %8s %7s %7s %8s %10s\n",
		"operation", "calls", "cells", "ran", "missed", "2 times", "3 times", "unused", "adopted", "violations")
	total := r.Total()
	for _, row := range append(slices.Clone(r.Rows), &total) {
		fmt.Fprintf(&b, "%-34s %6d %7d %7d %7d %8d %7d %7d %8d %10d\n",
			row.Operation, row.Calls, row.Cells, row.Ran, row.Missed, row.Repeated, row.Thrice, row.Unused, row.Adopted, row.Violations)
	}
	return b.String()
}

// refusals lists the errors, the most frequent ones first.
func (r *Report) refusals() []string {
	keys := slices.SortedFunc(maps.Keys(r.Refusals), func(a, b string) int {
		return cmp.Or(r.Refusals[b]-r.Refusals[a], strings.Compare(a, b))
	})
	var out []string
	for _, key := range keys {
		out = append(out, fmt.Sprintf("%6d  %s", r.Refusals[key], key))
	}
	return out
}

// save keeps the report for whoever sums reports up.
func (r *Report) save(file string) error {
	content, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(content, '\n'), 0o600)
}
