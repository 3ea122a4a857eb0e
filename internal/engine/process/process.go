// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package process starts long-lived processes that outlive their starter and
// stops exactly those again: by pid and start time, never by name.
package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// OwnerVariable is set in the environment of every process started here, and
// so in that of the processes which those start. It is how workers that lost
// their parent are told from strangers.
const OwnerVariable = "STREAMING_ENGINE_DIR"

// Spec says how a process is started. It holds everything that is needed to
// start the same process again.
type Spec struct {
	Name    string            `json:"name"`
	Path    string            `json:"path"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env,omitempty"`
	Dir     string            `json:"dir"`
	Owner   string            `json:"owner"`
	OutFile string            `json:"out_file"`
	LogFile string            `json:"log_file,omitempty"`
}

// Process is a started process as it is recorded in the state file. The start
// time guards against a pid that was given to somebody else meanwhile.
type Process struct {
	Spec
	PID   int    `json:"pid"`
	Start string `json:"start"`

	// exited is closed when a process that this program started has ended; it
	// is nil for one read from the state file.
	exited chan struct{}
}

// Start starts the process in a session of its own, with its output appended
// to spec.OutFile, so that it survives the end of the calling program and a
// Ctrl-C in its terminal.
func Start(spec Spec) (*Process, error) {
	if err := os.MkdirAll(filepath.Dir(spec.OutFile), 0o755); err != nil {
		return nil, err
	}
	out, err := os.OpenFile(spec.OutFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	defer func() { _ = out.Close() }()

	// The process must not end with the context of whoever starts it.
	cmd := exec.CommandContext(context.Background(), spec.Path, spec.Args...)
	cmd.Dir = spec.Dir
	cmd.Stdout, cmd.Stderr = out, out
	cmd.Env = os.Environ()
	for _, key := range sortedKeys(spec.Env) {
		cmd.Env = append(cmd.Env, key+"="+spec.Env[key])
	}
	cmd.Env = append(cmd.Env, OwnerVariable+"="+spec.Owner)
	cmd.SysProcAttr = ownSession()
	if err := keepDescriptors(); err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%s could not be started: %w", spec.Name, err)
	}

	p := &Process{Spec: spec, PID: cmd.Process.Pid, exited: make(chan struct{})}
	info, err := lookUp(p.PID)
	if err == nil {
		p.Start = info.start
	}
	go func() {
		// Waiting reaps the process; how it ended is in its log.
		_ = cmd.Wait()
		close(p.exited)
	}()
	return p, nil
}

// Alive reports whether this very process still runs.
func (p *Process) Alive() bool {
	if p == nil || p.PID <= 0 {
		return false
	}
	if p.exited != nil {
		select {
		case <-p.exited:
			return false
		default:
		}
	}
	info, err := lookUp(p.PID)
	return err == nil && !info.zombie && info.start == p.Start
}

// Kill ends the process at once (SIGKILL) and waits until it is gone.
func (p *Process) Kill(ctx context.Context) error {
	if !p.Alive() {
		return nil
	}
	if err := signal(p.PID, syscall.SIGKILL); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("%s (pid %d) could not be killed: %w", p.Name, p.PID, err)
	}
	return p.wait(ctx, 30*time.Second)
}

// Halt makes the process stand still, as one does that its machine gives no
// time: it answers nothing and ends nothing until it is killed.
func (p *Process) Halt() error {
	if !p.Alive() {
		return fmt.Errorf("%s (pid %d) does not run", p.Name, p.PID)
	}
	return halt(p.PID)
}

// Stop asks the process to end, kills it when it has not done so after grace,
// and then ends the workers it left behind. A process that does not run is
// stopped already.
func (p *Process) Stop(ctx context.Context, grace time.Duration) error {
	members := p.members()
	if p.Alive() {
		if err := signal(p.PID, syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
			return fmt.Errorf("%s (pid %d) could not be stopped: %w", p.Name, p.PID, err)
		}
		if err := p.wait(ctx, grace); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err := p.Kill(ctx); err != nil {
				return err
			}
		}
	}
	return p.killOrphans(members)
}

// Orphans returns the pids of processes that this one started and that still
// run although it has ended itself.
func (p *Process) Orphans() []int {
	if p.Alive() {
		return nil
	}
	var pids []int
	for _, m := range p.members() {
		pids = append(pids, m.pid)
	}
	return pids
}

// wait returns when the process has ended, or with an error after limit.
func (p *Process) wait(ctx context.Context, limit time.Duration) error {
	deadline := time.Now().Add(limit)
	for p.Alive() {
		if time.Now().After(deadline) {
			return fmt.Errorf("%s (pid %d) still runs after %s", p.Name, p.PID, limit)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
	return nil
}

// members lists the processes of this one's group that carry its owner mark,
// without itself. The group number alone would not do: it may belong to a
// stranger by now.
func (p *Process) members() []info {
	all, err := processes()
	if err != nil {
		return nil
	}
	alive := p.Alive()
	var found []info
	for _, i := range all {
		if i.group != p.PID || i.pid == p.PID || i.zombie {
			continue
		}
		if alive || ownerOf(i.pid) == p.Owner {
			found = append(found, i)
		}
	}
	return found
}

// killOrphans ends those of the members that are still the same processes.
func (p *Process) killOrphans(members []info) error {
	members = append(members, p.members()...)
	for _, m := range members {
		now, err := lookUp(m.pid)
		if err != nil || now.zombie || now.start != m.start {
			continue
		}
		if err := signal(m.pid, syscall.SIGKILL); err != nil && !errors.Is(err, os.ErrProcessDone) {
			return fmt.Errorf("a worker of %s (pid %d) could not be stopped: %w", p.Name, m.pid, err)
		}
	}
	return nil
}

// info is what the operating system tells of a process.
type info struct {
	pid    int
	group  int
	start  string
	zombie bool
}

func signal(pid int, sig syscall.Signal) error {
	found, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	return found.Signal(sig)
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
