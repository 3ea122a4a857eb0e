// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Engine runs real stream engines on this machine, for tests and for trying
// the provider out: go run ./internal/engine up.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := cli.Run(ctx, os.Args[1:], os.Getenv, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
