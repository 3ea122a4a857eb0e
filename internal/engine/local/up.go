// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/install"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/javabuild"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/process"
)

// stopGrace is how long a process may take to end by itself.
const stopGrace = 15 * time.Second

// up is one call of Up.
type up struct {
	config Config
	cache  install.Cache
	jdk    javabuild.JDK
	state  *State
	log    io.Writer

	mu    sync.Mutex
	begun []*process.Process
}

// Up installs and starts what config asks for and waits until it can be used.
// What runs already is left as it is. If anything fails, or ctx ends, what
// this call began is stopped again.
func Up(ctx context.Context, config Config, log io.Writer) (*State, error) {
	config, err := config.complete()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(config.Dir, 0o755); err != nil {
		return nil, err
	}
	log = &lockedWriter{out: log}
	unlock, err := lockDir(ctx, config.Dir, log)
	if err != nil {
		return nil, err
	}
	defer unlock()

	u := &up{config: config, cache: install.Cache{Dir: config.CacheDir, Log: log}, log: log}
	if u.state, err = Load(config.Dir); errors.Is(err, ErrNotRunning) {
		u.state, err = &State{Version: stateVersion, Dir: config.Dir}, nil
	}
	if err != nil {
		return nil, err
	}
	if u.jdk, err = javabuild.FindJDK(ctx); err != nil {
		return nil, err
	}
	missing, err := u.missing(ctx)
	if err != nil {
		return nil, err
	}
	if err := u.start(ctx, missing); err != nil {
		u.undo(ctx)
		return nil, err
	}
	return u.state, nil
}

// missing returns the engines that are to be started, and stops what is left
// of those that run only in part.
func (u *up) missing(ctx context.Context) (map[string]bool, error) {
	missing := map[string]bool{}
	if u.config.wants(EngineFlink) {
		if flink := u.state.Flink; flink.running(ctx) {
			if flink.Version != u.config.FlinkVersion {
				return nil, fmt.Errorf("Flink %s runs in %s: take it down first, or use another -dir for Flink %s", flink.Version, u.config.Dir, u.config.FlinkVersion)
			}
			if u.config.Python && flink.Python == "" {
				return nil, fmt.Errorf("the Flink in %s runs without Python: take it down first, or use another -dir for -python", u.config.Dir)
			}
			u.say("Flink %s runs already at %s", flink.Version, flink.Endpoint)
		} else {
			missing[EngineFlink] = true
			if err := stopAll(ctx, flink.processes()); err != nil {
				return nil, err
			}
		}
	}
	if u.config.wants(EnginePravega) {
		if pravega := u.state.Pravega; pravega.running(ctx) {
			u.say("Pravega %s runs already at %s", pravega.Version, pravega.Endpoint)
		} else {
			missing[EnginePravega] = true
			if err := stopAll(ctx, pravega.processes()); err != nil {
				return nil, err
			}
		}
	}
	return missing, nil
}

// start starts the missing engines side by side.
func (u *up) start(ctx context.Context, missing map[string]bool) error {
	if len(missing) == 0 {
		return nil
	}
	var err error
	if u.config, err = u.config.withPorts(ctx); err != nil {
		return err
	}
	if err := u.config.checkPorts(ctx, missing); err != nil {
		return err
	}
	if err := u.state.update(func() { u.state.JDK = u.jdk }); err != nil {
		return err
	}
	var starts []func(context.Context) error
	if missing[EngineFlink] {
		starts = append(starts, u.startFlink)
	}
	if missing[EnginePravega] {
		starts = append(starts, u.startPravega)
	}
	return together(ctx, starts...)
}

// begin starts one process and records it before anything waits for it, so
// that it can be stopped whatever happens next.
func (u *up) begin(spec process.Spec, slot **process.Process) error {
	// Old output must not be taken for that of this run.
	for _, file := range []string{spec.OutFile, spec.LogFile} {
		if file == "" {
			continue
		}
		if err := os.Remove(file); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	started, err := process.Start(spec)
	if err != nil {
		return err
	}
	u.mu.Lock()
	u.begun = append(u.begun, started)
	u.mu.Unlock()
	return u.state.update(func() { *slot = started })
}

// undo stops what this call began, even if ctx has ended.
func (u *up) undo(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*stopGrace)
	defer cancel()
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.begun) == 0 {
		return
	}
	u.say("stopping what was started")
	if err := stopAll(ctx, u.begun); err != nil {
		u.say("%v", err)
	}
}

func (u *up) say(format string, args ...any) {
	_, _ = fmt.Fprintf(u.log, format+"\n", args...)
}

// together runs all functions side by side; the first error ends the others'
// context and is returned.
func together(ctx context.Context, all ...func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var group sync.WaitGroup
	for _, one := range all {
		group.Go(func() {
			if err := one(ctx); err != nil {
				cancel(err)
			}
		})
	}
	group.Wait()
	return context.Cause(ctx)
}

func lockDir(ctx context.Context, dir string, log io.Writer) (func(), error) {
	return install.Lock(ctx, filepath.Join(dir, "lock"), func() {
		_, _ = fmt.Fprintf(log, "waiting for another program that uses %s\n", dir)
	})
}

// lockedWriter lets engines that start side by side write whole lines.
type lockedWriter struct {
	mu  sync.Mutex
	out io.Writer
}

func (w *lockedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.Write(p)
}
