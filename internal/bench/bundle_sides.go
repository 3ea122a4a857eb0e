// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/bundle"
)

// The programs that bench starts of itself.
const (
	bundleOnce    = "bundle-once"
	providerWatch = "provider-watch"
)

// throughPackage makes the bundle in another process, whose memory is its own.
func throughPackage(ctx context.Context, dir string) (made, error) {
	self, err := os.Executable()
	if err != nil {
		return made{}, err
	}
	command := exec.CommandContext(ctx, self, bundleOnce, dir)
	var problems bytes.Buffer
	command.Stderr = &problems
	output, err := command.Output()
	if err != nil {
		return made{}, fmt.Errorf("%w\n%s", err, problems.Bytes())
	}
	var told onceResult
	if err := json.Unmarshal(output, &told); err != nil {
		return made{}, err
	}
	return made{took: time.Duration(told.Nanoseconds), idle: told.Idle, peak: told.Peak, size: told.Size}, nil
}

type onceResult struct{ Nanoseconds, Idle, Peak, Size int64 }

// runBundleOnce does in this process what a provider does in a plan and an
// apply: it hashes for the plan, for the plan that the apply makes again, and
// builds.
func runBundleOnce(ctx context.Context, args []string, stdout io.Writer) error {
	if len(args) != 1 {
		return errors.New("one directory is wanted")
	}
	source := bundle.Source{Dir: args[0]}
	idle, err := peakOf("self")
	if err != nil {
		return err
	}
	began := time.Now()
	planned, err := bundle.Read(ctx, source)
	if err != nil {
		return err
	}
	again, err := bundle.Read(ctx, source)
	if err != nil {
		return err
	}
	if planned.SHA256() != again.SHA256() {
		return errors.New("the tree changed")
	}
	// The plan of a tree of this size holds the hash alone.
	built, err := bundle.Build(ctx, source, bundle.Planned{SHA256: planned.SHA256()})
	if err != nil {
		return err
	}
	result := onceResult{Nanoseconds: time.Since(began).Nanoseconds(), Idle: idle, Size: built.Size}
	if result.Peak, err = peakOf("self"); err != nil {
		return err
	}
	return errors.Join(built.Close(), json.NewEncoder(stdout).Encode(result))
}

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

// archiveProvider is HashiCorp's, run by Terraform's own program.
type archiveProvider struct {
	*workspace
	memory string
	// base is a plan and an apply of one small file: what Terraform and the
	// start of the provider take, which is none of the provider's work.
	base made
}

func newArchiveProvider(ctx context.Context, dir, program string) (*archiveProvider, error) {
	program, err := filepath.Abs(program)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	bin, small := filepath.Join(dir, "bin"), filepath.Join(dir, "small")
	if err := errors.Join(os.MkdirAll(bin, 0o755), os.MkdirAll(small, 0o755)); err != nil {
		return nil, err
	}
	p := &archiveProvider{memory: filepath.Join(dir, "memory")}
	// Terraform starts what is called like the provider; that watches it.
	start := fmt.Sprintf("#!/bin/sh\nexec '%s' %s '%s' '%s' \"$@\"\n", self, providerWatch, p.memory, program)
	if err := errors.Join(
		os.WriteFile(filepath.Join(bin, "terraform-provider-archive"), []byte(start), 0o700), //nolint:gosec // a program
		os.WriteFile(filepath.Join(small, "one.py"), nil, 0o600),
	); err != nil {
		return nil, err
	}
	if p.workspace, err = newWorkspace(dir, map[string]string{"hashicorp/archive": bin}); err != nil {
		return nil, err
	}
	// The first one reads the programs from disk.
	for range 2 {
		if p.base, err = p.once(ctx, small); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// make measures without what an archive of nothing takes.
func (p *archiveProvider) make(ctx context.Context, dir string) (made, error) {
	m, err := p.once(ctx, dir)
	m.took -= p.base.took
	m.idle = p.base.peak
	return m, err
}

func (p *archiveProvider) once(ctx context.Context, dir string) (made, error) {
	archive, plan := filepath.Join(p.dir, "out.zip"), filepath.Join(p.dir, "plan")
	config := fmt.Sprintf("data \"archive_file\" \"bench\" {\n  type        = \"zip\"\n  source_dir  = %q\n  output_path = %q\n}\n\n"+
		"output \"sha256\" {\n  value = data.archive_file.bench.output_sha256\n}\n", dir, archive)
	if err := errors.Join(os.WriteFile(filepath.Join(p.dir, "main.tf"), []byte(config), 0o600), os.RemoveAll(p.memory), os.RemoveAll(archive),
		os.RemoveAll(filepath.Join(p.dir, "terraform.tfstate"))); err != nil {
		return made{}, err
	}
	began := time.Now()
	if _, err := p.run(ctx, "plan", "-input=false", "-no-color", "-out="+plan); err != nil {
		return made{}, err
	}
	if _, err := p.run(ctx, "apply", "-input=false", "-no-color", plan); err != nil {
		return made{}, err
	}
	m := made{took: time.Since(began)}
	info, err := os.Stat(archive)
	if err != nil {
		return made{}, err
	}
	m.size = info.Size()
	seen, err := os.ReadFile(p.memory)
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
