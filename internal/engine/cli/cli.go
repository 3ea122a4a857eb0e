// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package cli is the command line of the engine program.
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/flinkengine"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/install"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/javabuild"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/jobs"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/local"
)

const usage = `Runs Flink, its SQL gateway and Pravega on this machine.

  engine up [flags]      install what is missing, start, wait until it is ready
  engine down [flags]    stop what up started in -dir
  engine status [flags]  one line for each process; fails if one is not ready
  engine env [flags]     shell lines that export where the engines are
  engine jobs -out FILE  write the jar of test jobs

Each flag has a variable: -flink-port is STREAMING_ENGINE_FLINK_PORT, -dir is
STREAMING_ENGINE_DIR, and so on. "engine up -h" lists the flags.

Everything listens on 127.0.0.1, except Pravega's controller (-pravega-port and
-pravega-controller-port), which always listens on all interfaces.
`

// Run executes one command and returns the exit code of the program.
func Run(ctx context.Context, args []string, getenv func(string) string, stdout, stderr io.Writer) int {
	err := run(ctx, args, getenv, stdout, stderr)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, flag.ErrHelp):
		return 2
	case ctx.Err() != nil:
		_, _ = fmt.Fprintln(stderr, "interrupted")
		return 130
	default:
		_, _ = fmt.Fprintln(stderr, "error:", err)
		return 1
	}
}

func run(ctx context.Context, args []string, getenv func(string) string, stdout, stderr io.Writer) error {
	if len(args) == 0 {
		_, _ = io.WriteString(stderr, usage)
		return flag.ErrHelp
	}
	commands := map[string]func(context.Context, options, io.Writer) error{
		"up":     up,
		"down":   func(ctx context.Context, o options, out io.Writer) error { return local.Down(ctx, o.config.Dir, out) },
		"status": func(ctx context.Context, o options, out io.Writer) error { return local.Status(ctx, o.config.Dir, out) },
		"env":    env,
		"jobs":   writeJobs,
	}
	command, ok := commands[args[0]]
	if !ok {
		_, _ = io.WriteString(stderr, usage)
		if args[0] == "-h" || args[0] == "-help" || args[0] == "--help" || args[0] == "help" {
			return flag.ErrHelp
		}
		return fmt.Errorf("unknown command %q", args[0])
	}
	parsed, err := parse(args[0], args[1:], getenv, stderr)
	if err != nil {
		return err
	}
	return command(ctx, parsed, stdout)
}

func up(ctx context.Context, o options, out io.Writer) error {
	state, err := local.Up(ctx, o.config, out)
	if err != nil {
		return err
	}
	return local.Environment(state, out)
}

func env(_ context.Context, o options, out io.Writer) error {
	state, err := local.Load(o.config.Dir)
	if err != nil {
		return err
	}
	return local.Environment(state, out)
}

// writeJobs builds the jar without starting anything.
func writeJobs(ctx context.Context, o options, out io.Writer) error {
	if o.out == "" {
		return errors.New("jobs needs -out FILE")
	}
	dir, err := install.DefaultDir()
	if err != nil {
		return err
	}
	cache := install.Cache{Dir: dir, Log: out}
	jdk, err := javabuild.FindJDK(ctx)
	if err != nil {
		return err
	}
	home, err := flinkengine.Install(ctx, cache, o.config.FlinkVersion)
	if err != nil {
		return err
	}
	jar, err := jobs.Jar(ctx, cache, jdk, home)
	if err != nil {
		return err
	}
	content, err := os.ReadFile(jar)
	if err != nil {
		return err
	}
	if err := javabuild.WriteFile(o.out, content); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s written\n", o.out)
	return err
}
