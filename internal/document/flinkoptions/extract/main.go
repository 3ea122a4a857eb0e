// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Command extract writes the tables of Flink's options, and what Flink makes
// of values, from the classes of Flink's own distributions. Without arguments
// it does so for every version that internal/engine can install, else for the
// named ones. It needs a JDK.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/flinkoptions"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/install"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/javabuild"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := write(ctx, filepath.Join("internal", "document", "flinkoptions"), os.Args[1:])
	stop()
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func write(ctx context.Context, dir string, versions []string) error {
	if len(versions) == 0 {
		versions = flinkoptions.Versions()
	}
	cacheDir, err := install.DefaultDir()
	if err != nil {
		return err
	}
	for _, version := range versions {
		found, err := extract(ctx, install.Cache{Dir: cacheDir, Log: os.Stdout}, version)
		if err != nil {
			return err
		}
		for name, content := range map[string][]byte{"tables": found.options, "testdata": found.values} {
			if err := javabuild.WriteFile(filepath.Join(dir, name, version+".tsv"), content); err != nil {
				return err
			}
		}
	}
	return nil
}
