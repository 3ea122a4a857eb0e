// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package jobs builds the jar of Flink jobs that tests and examples run.
package jobs

import (
	"context"
	"embed"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/flinkengine"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/install"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/javabuild"
)

// The entry classes of the jar.
const (
	Counter     = "streaming.jobs.Counter"
	FailingMain = "streaming.jobs.FailingMain"
	NoExecute   = "streaming.jobs.NoExecute"
	TwoExecutes = "streaming.jobs.TwoExecutes"
)

//go:embed src flink-1.14 flink-1.20
var embedded embed.FS

// sources are the programs, and what they need of the given Flink: its API of
// functions, sources and sinks is another one before and after 1.15.
func sources(flink flinkengine.Home) ([]fs.FS, error) {
	own := "flink-1.20"
	if flink.Earlier() {
		own = "flink-1.14"
	}
	var all []fs.FS
	for _, dir := range []string{"src", own} {
		sub, err := fs.Sub(embedded, dir)
		if err != nil {
			return nil, err
		}
		all = append(all, sub)
	}
	return all, nil
}

// Jar returns the path of the jar for the given Flink, built if it is not in
// the cache yet.
func Jar(ctx context.Context, cache install.Cache, jdk javabuild.JDK, flink flinkengine.Home) (string, error) {
	sources, err := sources(flink)
	if err != nil {
		return "", err
	}
	key, err := javabuild.Key(sources...)
	if err != nil {
		return "", err
	}
	const name = "streaming-jobs.jar"
	dir, err := cache.Once(ctx, strings.Join([]string{"jobs", flink.Version, key}, "-"),
		func(ctx context.Context, dir string) error {
			jar, err := javabuild.Build{
				Sources: sources, Classpath: append(flink.Libraries(), flink.Bundled()...), Bundle: flink.Bundled(),
				Release: 11, MainClass: Counter,
			}.Jar(ctx, jdk)
			if err != nil {
				return err
			}
			return javabuild.WriteFile(filepath.Join(dir, name), jar)
		})
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, name), nil
}
