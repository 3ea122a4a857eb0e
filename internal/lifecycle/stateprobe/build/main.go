// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Build compiles the state probe and writes the jar that the provider embeds:
// go run ./internal/lifecycle/stateprobe/build. It needs a JDK 17; other
// compilers may write other bytes.
package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/flinkengine"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/install"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/javabuild"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := build(ctx, filepath.Join("internal", "lifecycle", "stateprobe"))
	stop()
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func build(ctx context.Context, dir string) error {
	cacheDir, err := install.DefaultDir()
	if err != nil {
		return err
	}
	jdk, err := javabuild.FindJDK(ctx)
	if err != nil {
		return err
	}
	flink, err := flinkengine.Install(ctx, install.Cache{Dir: cacheDir, Log: os.Stdout}, flinkengine.DefaultVersion)
	if err != nil {
		return err
	}
	jar, err := javabuild.Build{
		Sources: []fs.FS{os.DirFS(filepath.Join(dir, "src"))}, Classpath: flink.Libraries(),
		Release: 8, MainClass: "streaming.probe.StateProbe",
	}.Jar(ctx, jdk)
	if err != nil {
		return err
	}
	return javabuild.WriteFile(filepath.Join(dir, "stateprobe.jar"), jar)
}
