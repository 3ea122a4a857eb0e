// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Command sum adds up the reports of a fault matrix in a directory. It fails
// when an invariant was violated, and when one of the engines has no report.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/faults"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: sum DIRECTORY")
		os.Exit(2)
	}
	if err := sum(os.Args[1], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func sum(dir string, out io.Writer) error {
	var failures []error
	ran, violations := 0, 0
	for _, name := range []string{"fake.json", "real.json"} {
		var report faults.Report
		content, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil {
			err = json.Unmarshal(content, &report)
		}
		if err != nil {
			failures = append(failures, err)
			continue
		}
		_, _ = fmt.Fprintf(out, "%s\n", &report)
		total := report.Total()
		_, _ = fmt.Fprintf(out, "%d cells ran on %s, with %d violations\n\n", total.Ran, report.Engine, len(report.Violations))
		ran, violations = ran+total.Ran, violations+len(report.Violations)
	}
	_, _ = fmt.Fprintf(out, "%d cells ran, with %d violations of the invariants\n", ran, violations)
	if violations > 0 {
		failures = append(failures, errors.New("the invariants do not hold"))
	}
	return errors.Join(failures...)
}
