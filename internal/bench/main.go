// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Bench measures the provider against the plainest thing that does the same
// work, on real engines of its own where it needs one: go run ./internal/bench
// upgrade. It fails when a figure is above its limit.
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

const usage = `Measures the provider.

  bench upgrade [flags]  downtime of a job's upgrade, beside a plain script's
  bench bundle [flags]   time and memory of a bundle's plan and apply, beside the archive provider's

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
	command := ""
	if len(args) > 0 {
		command, args = args[0], args[1:]
	}
	flags := flag.NewFlagSet(command, flag.ContinueOnError)
	flags.SetOutput(stderr)
	switch command {
	case "upgrade":
		return runUpgrade(ctx, flags, args, stdout, stderr)
	case "bundle":
		return runBundle(ctx, flags, args, stdout)
	case providerWatch:
		return runProviderWatch(ctx, args)
	}
	_, _ = io.WriteString(stderr, usage)
	return flag.ErrHelp
}

func runUpgrade(ctx context.Context, flags *flag.FlagSet, args []string, stdout, stderr io.Writer) error {
	var options upgradeOptions
	flags.IntVar(&options.pairs, "pairs", 15, "how many pairs of upgrades are measured, at least 7")
	flags.IntVar(&options.warmUp, "warm-up", 3, "how many pairs run before, while the engine's own code gets warm")
	flags.StringVar(&options.flinkVersion, "flink-version", "", "the Flink to measure on (the engine's default)")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if options.pairs < 7 {
		return errors.New("-pairs must be at least 7: fewer tell chance from a difference too badly")
	}
	return benchUpgrade(ctx, options, stdout, stderr)
}

func runBundle(ctx context.Context, flags *flag.FlagSet, args []string, stdout io.Writer) error {
	var options bundleOptions
	flags.StringVar(&options.archiveProvider, "archive-provider", "", "the program of HashiCorp's archive provider; without it there is nothing to compare with")
	flags.IntVar(&options.pairs, "pairs", 5, "how many times each side makes the archive, at least 3")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if options.pairs < 3 {
		return errors.New("-pairs must be at least 3")
	}
	return benchBundle(ctx, options, stdout)
}
