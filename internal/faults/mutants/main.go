// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Command mutants shows that the fault matrix can fail: it puts five mistakes
// into the provider, one at a time and in a copy, and runs the part of the
// matrix on the fake that has to notice. It fails when one survives, when one
// cannot be put in any more, and when the provider without them is red there.
// With arguments it puts in only the mistakes of those names.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/faults"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	healthy, err := build(ctx, filepath.Join(dir, "healthy"), nil)
	if err != nil {
		return err
	}
	fmt.Printf("%-28s %-10s %6s %11s  %s\n", "mistake", "matrix", "cells", "violations", "for example")
	var failures []error
	for i, m := range mutants {
		if len(os.Args) > 1 && !slices.Contains(os.Args[1:], m.name) {
			continue
		}
		fmt.Printf("%-28s ", "none, for the next one")
		if err := show(ctx, healthy, m, false); err != nil {
			failures = append(failures, fmt.Errorf("without %q: %w", m.name, err))
		}
		fmt.Printf("%-28s ", m.name)
		binary, err := build(ctx, filepath.Join(dir, fmt.Sprint(i)), m.edits)
		if err == nil {
			err = show(ctx, binary, m, true)
		} else {
			fmt.Println("cannot be put in")
		}
		if err != nil {
			failures = append(failures, fmt.Errorf("%q: %w", m.name, err))
		}
	}
	return errors.Join(failures...)
}

// build compiles the matrix with some edits, in copies that lie over the
// files.
func build(ctx context.Context, dir string, edits []edit) (string, error) {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return "", err
	}
	edited, err := apply(".", edits)
	if err != nil {
		return "", err
	}
	copies := map[string]string{}
	for file, content := range edited {
		path, err := filepath.Abs(file)
		if err != nil {
			return "", err
		}
		copies[path] = filepath.Join(dir, fmt.Sprintf("%d.go", len(copies)))
		if err := os.WriteFile(copies[path], []byte(content), 0o600); err != nil {
			return "", err
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": copies})
	if err != nil {
		return "", err
	}
	file, binary := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "matrix")
	if err := os.WriteFile(file, overlay, 0o600); err != nil {
		return "", err
	}
	command := exec.CommandContext(ctx, "go", "test", "-c", "-overlay", file, "-o", binary, "./internal/faults")
	if output, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("it does not compile: %w\n%s", err, output)
	}
	return binary, nil
}

// apply makes edits and returns the contents that files come to have.
func apply(root string, edits []edit) (map[string]string, error) {
	edited := map[string]string{}
	for _, e := range edits {
		content, again := edited[e.file]
		if !again {
			read, err := os.ReadFile(filepath.Join(root, e.file))
			if err != nil {
				return nil, err
			}
			content = string(read)
		}
		if n := strings.Count(content, e.old); n != 1 {
			return nil, fmt.Errorf("%s has %d times instead of once: %s", e.file, n, e.old)
		}
		edited[e.file] = strings.Replace(content, e.old, e.new, 1)
	}
	return edited, nil
}

// show runs a part of the matrix and tells whether it is as red as it should be.
func show(ctx context.Context, binary string, m mutant, red bool) error {
	dir, err := os.MkdirTemp(filepath.Dir(binary), "report")
	if err != nil {
		return err
	}
	command := exec.CommandContext(ctx, binary, "-test.run", "^TestFlow_Faults_EachCallOfEachOperation$", "-test.timeout", "20m")
	command.Dir = filepath.Join("internal", "faults")
	command.Env = append(os.Environ(), "STREAMING_FAULTS="+m.oneIn, "STREAMING_FAULTS_ONLY="+m.only, "STREAMING_FAULTS_REPORT="+dir)
	output, runErr := command.CombinedOutput()
	var report faults.Report
	content, err := os.ReadFile(filepath.Join(dir, "fake.json"))
	if err == nil {
		err = json.Unmarshal(content, &report)
	}
	if err != nil {
		fmt.Println("no report")
		return fmt.Errorf("the matrix made no report: %w\n%s", err, output)
	}
	cells := 0
	for _, row := range report.Rows {
		cells += row.Ran
	}
	word, example := "green", ""
	if runErr != nil {
		word = "red"
	}
	if len(report.Violations) > 0 {
		example = report.Violations[0]
	}
	fmt.Printf("%-10s %6d %11d  %.160s\n", word, cells, len(report.Violations), example)
	switch {
	case !red && runErr != nil:
		return fmt.Errorf("the matrix is red: %w\n%s", runErr, output)
	case !red && cells == 0:
		return errors.New("no cell ran")
	case red && runErr == nil:
		return errors.New("it survived: the matrix did not notice")
	case red && len(report.Violations) == 0:
		return fmt.Errorf("the matrix is red, but for no violation\n%s", output)
	}
	return nil
}
