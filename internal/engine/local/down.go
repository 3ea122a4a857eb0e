// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/flinkengine"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/pravegaengine"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/process"
)

// Down stops everything that Up started in the directory, and nothing else.
// It is no error if nothing runs.
func Down(ctx context.Context, dir string, log io.Writer) error {
	config, err := Config{Dir: dir}.complete()
	if err != nil {
		return err
	}
	if _, err := os.Stat(config.Dir); errors.Is(err, os.ErrNotExist) {
		_, err = fmt.Fprintf(log, "nothing runs in %s\n", config.Dir)
		return err
	}
	unlock, err := lockDir(ctx, config.Dir, log)
	if err != nil {
		return err
	}
	defer unlock()
	state, err := Load(config.Dir)
	if errors.Is(err, ErrNotRunning) {
		_, err = fmt.Fprintf(log, "nothing runs in %s\n", config.Dir)
		return err
	}
	if err != nil {
		return err
	}
	all := state.Processes()
	if err := stopAll(ctx, all); err != nil {
		return err
	}
	for _, p := range all {
		_, _ = fmt.Fprintf(log, "%s (pid %d) is stopped\n", p.Name, p.PID)
	}
	return os.Remove(statePath(config.Dir))
}

// stopAll stops the processes side by side.
func stopAll(ctx context.Context, all []*process.Process) error {
	var stops []func(context.Context) error
	for _, p := range all {
		stops = append(stops, func(ctx context.Context) error { return p.Stop(ctx, stopGrace) })
	}
	return together(ctx, stops...)
}

// Status writes one line for each process. It returns an error if one is down
// or does not answer.
func Status(ctx context.Context, dir string, out io.Writer) error {
	state, err := Load(dir)
	if err != nil {
		return err
	}
	var down []string
	line := func(p *process.Process, endpoint string, ready func(context.Context) error) {
		text := "ready"
		if !p.Alive() {
			text = "down"
		} else if err := ready(ctx); err != nil {
			text = "does not answer: " + err.Error()
		}
		if text != "ready" {
			down = append(down, p.Name)
		}
		_, _ = fmt.Fprintf(out, "%-12s pid %-8d %-26s %s\n", p.Name, p.PID, endpoint, text)
	}
	if f := state.Flink; f != nil {
		jobManager := func(ctx context.Context) error { return flinkengine.JobManagerReady(ctx, f.Endpoint) }
		taskManager := func(ctx context.Context) error { return flinkengine.TaskManagerReady(ctx, f.Endpoint, nil) }
		gateway := func(ctx context.Context) error { return flinkengine.GatewayReady(ctx, f.GatewayEndpoint) }
		checks := map[string]func(context.Context) error{
			flinkengine.JobManager: jobManager, flinkengine.TaskManager: taskManager, flinkengine.Gateway: gateway,
		}
		endpoints := map[string]string{flinkengine.JobManager: f.Endpoint, flinkengine.Gateway: f.GatewayEndpoint}
		for _, p := range f.processes() {
			line(p, endpoints[p.Name], checks[p.Name])
		}
	}
	if p := state.Pravega; p != nil && p.Process != nil {
		line(p.Process, p.Endpoint, p.ready)
	}
	switch {
	case len(down) > 0:
		return fmt.Errorf("not ready: %s", strings.Join(down, ", "))
	case len(state.Processes()) == 0:
		return fmt.Errorf("%s: %w", state.Dir, ErrNotRunning)
	}
	return nil
}

// Environment writes shell lines that export where the engines are.
func Environment(state *State, out io.Writer) error {
	values := [][2]string{{process.OwnerVariable, state.Dir}}
	if f := state.Flink; f != nil {
		values = append(values,
			[2]string{"STREAMING_FLINK_ENDPOINT", f.Endpoint},
			[2]string{"STREAMING_SQL_GATEWAY_ENDPOINT", f.GatewayEndpoint},
			[2]string{"STREAMING_JOBS_JAR", state.JobsJar},
			[2]string{"STREAMING_FLINK_PYTHON_JAR", f.PythonJar},
			[2]string{"STREAMING_FLINK_PYTHON", f.Python})
	}
	if p := state.Pravega; p != nil {
		values = append(values,
			[2]string{"STREAMING_PRAVEGA_ENDPOINT", p.Endpoint},
			[2]string{"STREAMING_PRAVEGA_CONTROLLER_URI", p.ControllerURI},
			[2]string{"STREAMING_PRAVEGA_CA_FILE", p.CAFile})
		if admin := p.User(pravegaengine.UserAdmin); admin != nil {
			values = append(values, [2]string{"STREAMING_PRAVEGA_USERNAME", admin.Name}, [2]string{"STREAMING_PRAVEGA_PASSWORD", admin.Password})
		}
	}
	for _, v := range values {
		if v[1] == "" {
			continue
		}
		if _, err := fmt.Fprintf(out, "export %s=%s\n", v[0], quote(v[1])); err != nil {
			return err
		}
	}
	return nil
}

// quote makes a shell word of a value that may hold spaces.
func quote(value string) string {
	if strings.ContainsAny(value, " \t\n\"'$`\\&|;<>()*?[]~#!") {
		return "'" + strings.ReplaceAll(value, "'", `'\''`) + "'"
	}
	return value
}
