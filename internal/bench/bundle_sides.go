// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// providerWatch is the program that bench starts of itself.
const providerWatch = "provider-watch"

// peakOf is the most memory, in bytes, that a process has had. What the system
// tells of a child that ended counts its parent's in.
func peakOf(process string) (int64, error) {
	status, err := os.ReadFile("/proc/" + process + "/status")
	if err != nil {
		return 0, fmt.Errorf("memory is measured on Linux only: %w", err)
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kilobytes, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64)
			return kilobytes << 10, err
		}
	}
	return 0, nil // It has ended.
}

// archiver is a provider that makes an archive, run by Terraform's own program.
type archiver struct {
	*workspace
	memory string
	// config asks for an archive of a directory in a file.
	config func(dir, archive string) string
	// before is done once for a directory, before the first measured time.
	before map[string]bool
	// base is a plan and an apply of one small file: what Terraform and the
	// start of the provider take, which is none of the provider's work.
	base made
}

// newArchiveProvider is HashiCorp's.
func newArchiveProvider(ctx context.Context, dir, program string) (*archiver, error) {
	program, err := filepath.Abs(program)
	if err != nil {
		return nil, err
	}
	return newArchiver(ctx, dir, program, "hashicorp/archive", func(from, archive string) string {
		return fmt.Sprintf("data \"archive_file\" \"bench\" {\n  type        = \"zip\"\n  source_dir  = %q\n  output_path = %q\n}\n\n"+
			"output \"sha256\" {\n  value = data.archive_file.bench.output_sha256\n}\n", from, archive)
	})
}

// newBundleProvider is this one, before a cluster in memory that has the content
// already: the upload is not measured.
func newBundleProvider(ctx context.Context, dir, endpoint string) (*archiver, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	program := filepath.Join(dir, "terraform-provider-streaming")
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", program, ".")
	if output, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building the provider: %w\n%s", err, output)
	}
	return newArchiver(ctx, dir, program, "terraform-streaming/streaming", func(from, archive string) string {
		return fmt.Sprintf("terraform {\n  required_providers {\n    streaming = { source = \"terraform-streaming/streaming\" }\n  }\n}\n\nprovider \"streaming\" {\n  flink = { endpoint = %q }\n}\n\n"+
			"resource \"streaming_python_bundle\" \"bench\" {\n  name         = \"bench\"\n  source_dir   = %q\n  archive_path = %q\n}\n\n"+
			"output \"sha256\" {\n  value = streaming_python_bundle.bench.sha256\n}\n", endpoint, from, archive)
	})
}

func newArchiver(ctx context.Context, dir, program, source string, config func(dir, archive string) string) (*archiver, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	bin, small := filepath.Join(dir, "bin"), filepath.Join(dir, "small")
	if err := errors.Join(os.MkdirAll(bin, 0o755), os.MkdirAll(small, 0o755)); err != nil {
		return nil, err
	}
	a := &archiver{memory: filepath.Join(dir, "memory"), config: config, before: map[string]bool{}}
	// Terraform starts what is called like the provider; that watches it.
	start := fmt.Sprintf("#!/bin/sh\nexec '%s' %s '%s' '%s' \"$@\"\n", self, providerWatch, a.memory, program)
	if err := errors.Join(
		os.WriteFile(filepath.Join(bin, "terraform-provider-"+path.Base(source)), []byte(start), 0o700), //nolint:gosec // a program
		os.WriteFile(filepath.Join(small, "one.py"), nil, 0o600),
	); err != nil {
		return nil, err
	}
	if a.workspace, err = newWorkspace(dir, map[string]string{source: bin}); err != nil {
		return nil, err
	}
	// The first one reads the programs from disk.
	for range 2 {
		if a.base, err = a.once(ctx, small); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// make measures without what an archive of nothing takes. The first time is
// none of them: it uploads, or reads the files from disk.
func (a *archiver) make(ctx context.Context, dir string) (made, error) {
	if !a.before[dir] {
		if _, err := a.once(ctx, dir); err != nil {
			return made{}, err
		}
		a.before[dir] = true
	}
	m, err := a.once(ctx, dir)
	m.took -= a.base.took
	m.idle = a.base.peak
	return m, err
}

func (a *archiver) once(ctx context.Context, dir string) (made, error) {
	archive, plan := filepath.Join(a.dir, "out.zip"), filepath.Join(a.dir, "plan")
	if err := errors.Join(os.WriteFile(filepath.Join(a.dir, "main.tf"), []byte(a.config(dir, archive)), 0o600), os.RemoveAll(a.memory), os.RemoveAll(archive),
		os.RemoveAll(filepath.Join(a.dir, "terraform.tfstate"))); err != nil {
		return made{}, err
	}
	began := time.Now()
	if _, err := a.run(ctx, "plan", "-input=false", "-no-color", "-out="+plan); err != nil {
		return made{}, err
	}
	if _, err := a.run(ctx, "apply", "-input=false", "-no-color", plan); err != nil {
		return made{}, err
	}
	m := made{took: time.Since(began)}
	info, err := os.Stat(archive)
	if err != nil {
		return made{}, err
	}
	m.size = info.Size()
	seen, err := os.ReadFile(a.memory)
	if err != nil {
		return made{}, err
	}
	for line := range strings.Lines(string(seen)) {
		peak, err := strconv.ParseInt(strings.TrimSpace(line), 10, 64)
		if err != nil {
			return made{}, err
		}
		m.peak = max(m.peak, peak)
	}
	return m, nil
}

// runProviderWatch runs a provider in its own place, and notes the most memory
// that it took.
func runProviderWatch(ctx context.Context, args []string) error {
	if len(args) < 2 {
		return errors.New("a file and a program are wanted")
	}
	// Terraform ends the provider, and this process with it.
	signal.Ignore(os.Interrupt)
	command := exec.CommandContext(ctx, args[1], args[2:]...)
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	command.Cancel = func() error { return command.Process.Signal(syscall.SIGTERM) }
	if err := command.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	peak := int64(0)
	for {
		if now, err := peakOf(strconv.Itoa(command.Process.Pid)); err == nil {
			peak = max(peak, now)
		}
		select {
		case err := <-ended:
			return errors.Join(err, note(args[0], peak))
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func note(file string, peak int64) (err error) {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	_, err = fmt.Fprintln(f, peak)
	return err
}
