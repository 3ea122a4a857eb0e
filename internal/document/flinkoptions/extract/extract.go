// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"archive/zip"
	"bytes"
	"context"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/flinkengine"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/install"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/javabuild"
)

//go:embed src values.txt
var sources embed.FS

// tables are what a version's classes say.
type tables struct {
	// options are the declared ones: key, type, default, replaced by.
	options []byte
	// values are the lines of values.txt with their meaning as a duration, in
	// nanoseconds, and as memory, in bytes.
	values []byte
}

func extract(ctx context.Context, cache install.Cache, version string) (tables, error) {
	jdk, err := javabuild.FindJDK(ctx)
	if err != nil {
		return tables{}, err
	}
	home, err := flinkengine.Install(ctx, cache, version)
	if err != nil {
		return tables{}, err
	}
	work, err := os.MkdirTemp("", "streaming-options-")
	if err != nil {
		return tables{}, err
	}
	defer func() { _ = os.RemoveAll(work) }()
	jars, err := jarsOf(home, work)
	if err != nil {
		return tables{}, err
	}
	src, err := fs.Sub(sources, "src")
	if err != nil {
		return tables{}, err
	}
	program, err := javabuild.Build{Sources: []fs.FS{src}, Classpath: append(home.Libraries(), jars...), Release: 11}.Jar(ctx, jdk)
	if err != nil {
		return tables{}, err
	}
	programJar := filepath.Join(work, "extract.jar")
	if err := javabuild.WriteFile(programJar, program); err != nil {
		return tables{}, err
	}
	values, err := sources.ReadFile("values.txt")
	if err != nil {
		return tables{}, err
	}
	// Some defaults are of the machine; these stand for them.
	java := []string{
		"-Djava.io.tmpdir=/tmp", "-Duser.timezone=UTC", "-Duser.home=/home/flink", "-Duser.name=flink",
		"-cp", strings.Join(append(slices.Concat(home.Libraries(), jars), programJar), string(os.PathListSeparator)),
	}
	var found tables
	if found.options, err = run(ctx, jdk, nil, slices.Concat(java, []string{"streaming.options.ExtractOptions"}, jars)); err != nil {
		return tables{}, err
	}
	found.values, err = run(ctx, jdk, values, append(java, "streaming.options.ParseValues"))
	return found, err
}

// jarsOf lists Flink's own jars, the planner that its loader hides included.
func jarsOf(home flinkengine.Home, work string) ([]string, error) {
	var jars []string
	for _, folder := range []string{"lib", "opt"} {
		found, err := filepath.Glob(filepath.Join(home.Dir, folder, "flink-*.jar"))
		if err != nil {
			return nil, err
		}
		jars = append(jars, found...)
	}
	slices.Sort(jars)
	loader := filepath.Join(home.Dir, "lib", "flink-table-planner-loader-"+home.Version+".jar")
	reader, err := zip.OpenReader(loader)
	if err != nil {
		return nil, err
	}
	defer func() { _ = reader.Close() }()
	planner, err := reader.Open("flink-table-planner.jar")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", loader, err)
	}
	defer func() { _ = planner.Close() }()
	file, err := os.Create(filepath.Join(work, "flink-table-planner.jar"))
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(file, planner); err != nil {
		_ = file.Close()
		return nil, err
	}
	return append(jars, file.Name()), file.Close()
}

func run(ctx context.Context, jdk javabuild.JDK, input []byte, args []string) ([]byte, error) {
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, jdk.Java, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(input), &out, &errs
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("java: %w\n%s", err, errs.String())
	}
	return out.Bytes(), nil
}
