// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Bench measures the provider against the plainest thing that does the same
// work, on real engines of its own: go run ./internal/bench upgrade. It fails
// when a figure is above its limit.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

const usage = `Measures the provider on real engines of its own.

  bench upgrade [flags]  downtime of a job's upgrade, beside a plain script's

"bench upgrade -h" lists the flags.
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	switch {
	case err == nil:
	case errors.Is(err, flag.ErrHelp):
		os.Exit(2)
	default:
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if len(args) == 0 || args[0] != "upgrade" {
		_, _ = io.WriteString(stderr, usage)
		return flag.ErrHelp
	}
	var options upgradeOptions
	flags := flag.NewFlagSet("upgrade", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&options.pairs, "pairs", 15, "how many pairs of upgrades are measured, at least 7")
	flags.IntVar(&options.warmUp, "warm-up", 3, "how many pairs run before, while the engine's own code gets warm")
	flags.StringVar(&options.flinkVersion, "flink-version", "", "the Flink to measure on (the engine's default)")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	if options.pairs < 7 {
		return errors.New("-pairs must be at least 7: fewer tell chance from a difference too badly")
	}
	return benchUpgrade(ctx, options, stdout, stderr)
}
