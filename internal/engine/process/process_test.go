// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

//go:build unix

package process

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func startShell(t *testing.T, script string) *Process {
	t.Helper()
	dir := t.TempDir()
	p, err := Start(Spec{
		Name: "dummy", Path: "/bin/sh", Args: []string{"-c", script}, Dir: dir, Owner: dir,
		OutFile: filepath.Join(dir, "log", "dummy.out"), Env: map[string]string{"GREETING": "hello"},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Stop(context.Background(), time.Second); err != nil {
			t.Error(err)
		}
	})
	return p
}

// reload turns a process into what another program reads from the state file.
func reload(t *testing.T, p *Process) *Process {
	t.Helper()
	raw, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var read Process
	if err := json.Unmarshal(raw, &read); err != nil {
		t.Fatal(err)
	}
	return &read
}

func TestStopEndsAProcessReadFromTheState(t *testing.T) {
	t.Parallel()
	p := startShell(t, "echo $GREETING; exec sleep 60")
	read := reload(t, p)
	if !read.Alive() {
		t.Fatal("a started process is not alive")
	}
	if err := read.Stop(t.Context(), 5*time.Second); err != nil {
		t.Fatal(err)
	}
	if p.Alive() || read.Alive() {
		t.Fatal("the process is alive after Stop")
	}
	if err := read.Stop(t.Context(), time.Second); err != nil {
		t.Fatalf("a second Stop failed: %v", err)
	}
}

func TestStopKillsAProcessThatIgnoresTerm(t *testing.T) {
	t.Parallel()
	p := startShell(t, "trap '' TERM; echo ready; while :; do sleep 1; done")
	waitForLine(t, p.OutFile, "ready")
	if err := p.Stop(t.Context(), 200*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	if p.Alive() {
		t.Fatal("the process is alive after Stop")
	}
}

func TestStopLeavesAForeignProcessWithTheSamePidAlone(t *testing.T) {
	t.Parallel()
	stranger := exec.CommandContext(t.Context(), "sleep", "60")
	if err := stranger.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = stranger.Process.Kill()
		_ = stranger.Wait()
	}()
	recorded := &Process{Spec: Spec{Name: "old", Owner: t.TempDir()}, PID: stranger.Process.Pid, Start: "1"}
	if recorded.Alive() {
		t.Fatal("another start time counts as the same process")
	}
	if err := recorded.Stop(t.Context(), time.Second); err != nil {
		t.Fatal(err)
	}
	if err := recorded.Kill(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := stranger.Process.Signal(syscall.Signal(0)); err != nil {
		t.Fatalf("the stranger was ended: %v", err)
	}
}

func TestStopEndsWorkersThatLostTheirParent(t *testing.T) {
	t.Parallel()
	p := startShell(t, "sleep 60 & echo worker=$!; exec sleep 60")
	line := waitForLine(t, p.OutFile, "worker=")
	pid, err := strconv.Atoi(strings.TrimPrefix(line, "worker="))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Kill(t.Context()); err != nil {
		t.Fatal(err)
	}
	read := reload(t, p)
	if got := read.Orphans(); len(got) != 1 || got[0] != pid {
		t.Fatalf("orphans = %v, want [%d]", got, pid)
	}
	if err := read.Stop(t.Context(), time.Second); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(5 * time.Second)
	for len(read.Orphans()) > 0 {
		if time.Now().After(deadline) {
			t.Fatalf("worker %d still runs", pid)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func TestAStartedProcessInheritsNoOpenFile(t *testing.T) {
	t.Parallel()
	file, err := os.Create(filepath.Join(t.TempDir(), "lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	// Inherited from a shell, a descriptor does not close itself in children.
	inherited, err := syscall.Dup(int(file.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Close(inherited) }()
	p := startShell(t, "(: >&"+strconv.Itoa(inherited)+") 2>/dev/null && echo open || echo closed; exec sleep 60")
	if got := waitForLine(t, p.OutFile, ""); got != "closed" {
		t.Fatalf("descriptor %d is %s in the process", inherited, got)
	}
}

func waitForLine(t *testing.T, file, prefix string) string {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for time.Now().Before(deadline) {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(raw)) {
			if strings.HasPrefix(line, prefix) && strings.HasSuffix(line, "\n") {
				return strings.TrimSpace(line)
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("no line %q in %s", prefix, file)
	return ""
}

func TestHaltedProcessDoesNothingAndCanBeKilled(t *testing.T) {
	t.Parallel()
	p := startShell(t, "while true; do echo line; sleep 0.02; done")
	waitForLine(t, p.OutFile, "line")
	if err := p.Halt(); err != nil {
		t.Fatal(err)
	}
	size := func() int64 {
		info, err := os.Stat(p.OutFile)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	// What was being written when it was halted.
	time.Sleep(100 * time.Millisecond)
	before := size()
	time.Sleep(200 * time.Millisecond)
	if after := size(); after != before || !p.Alive() {
		t.Errorf("wrote %d bytes while it stood still; alive: %v", after-before, p.Alive())
	}
	if err := p.Kill(t.Context()); err != nil || p.Alive() {
		t.Fatalf("alive: %v, %v", p.Alive(), err)
	}
	if err := p.Halt(); err == nil {
		t.Error("a process that has ended was halted")
	}
}
