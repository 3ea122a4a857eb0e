// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package install puts software into a cache once: under a lock, and in one
// rename, so that an interrupted install is never taken for a whole one.
package install

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Cache is the directory that everything is installed into.
type Cache struct {
	Dir string
	Log io.Writer
}

// DefaultDir returns the cache directory used when none is given.
func DefaultDir() (string, error) {
	// Not os.UserCacheDir: the place is documented, and the same everywhere.
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("the home directory is unknown, set HOME: %w", err)
	}
	return filepath.Join(home, ".cache", "terraform-provider-streaming", "engine"), nil
}

// Once returns the directory key of the cache, made by fill if it is not there
// yet. What fill leaves in the directory it is given becomes the content.
func (c Cache) Once(ctx context.Context, key string, fill func(ctx context.Context, dir string) error) (string, error) {
	final := filepath.Join(c.Dir, key)
	if exists(final) {
		return final, nil
	}
	if err := os.MkdirAll(c.Dir, 0o755); err != nil {
		return "", err
	}
	unlock, err := Lock(ctx, filepath.Join(c.Dir, "lock."+key), func() {
		_, _ = fmt.Fprintf(c.Log, "waiting for another install of %s\n", key)
	})
	if err != nil {
		return "", err
	}
	defer unlock()
	if exists(final) {
		return final, nil
	}
	// Left behind by an install that was interrupted; the lock is ours now.
	if err := removeMatches(filepath.Join(c.Dir, "."+key+".partial-*")); err != nil {
		return "", err
	}
	partial, err := os.MkdirTemp(c.Dir, "."+key+".partial-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(partial) }()
	if err := fill(ctx, partial); err != nil {
		return "", err
	}
	if err := os.Chmod(partial, 0o755); err != nil {
		return "", err
	}
	return final, os.Rename(partial, final)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func removeMatches(pattern string) error {
	matches, err := filepath.Glob(pattern)
	if err != nil {
		return err
	}
	for _, match := range matches {
		if err := os.RemoveAll(match); err != nil {
			return err
		}
	}
	return nil
}

// PipDownload downloads one package of exactly one version, without what it
// depends on, into dir. pip checks its checksum against the index.
func PipDownload(ctx context.Context, dir, requirement string) error {
	python, err := findPython(ctx)
	if err != nil {
		return err
	}
	return run(ctx, dir, python, "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
		"--no-cache-dir", "--no-deps", "--dest", dir, requirement)
}

func findPython(ctx context.Context) (string, error) {
	for _, name := range []string{"python3", "python"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		if exec.CommandContext(ctx, path, "-m", "pip", "--version").Run() == nil {
			return path, nil
		}
	}
	return "", errors.New("Python 3 with pip was not found: install python3 and python3-pip, and put python3 on PATH")
}

// MavenCopy copies one artifact (group:artifact:version) into dir.
func MavenCopy(ctx context.Context, dir, artifact string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return maven(ctx, dir, dependencyPlugin+":copy", "-Dartifact="+artifact,
		"-DoutputDirectory="+dir, "-Dmdep.useBaseVersion=true")
}

// MavenClosure copies what the given project file depends on at run time into
// dir.
func MavenClosure(ctx context.Context, dir, pom string) error {
	return maven(ctx, filepath.Dir(pom), "--file", pom, dependencyPlugin+":copy-dependencies",
		"-DoutputDirectory="+dir, "-DincludeScope=runtime")
}

const dependencyPlugin = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1"

// maven fails on a wrong checksum (-C), which it only warns of by default.
func maven(ctx context.Context, dir string, args ...string) error {
	path, err := exec.LookPath("mvn")
	if err != nil {
		return errors.New("Maven was not found: install it and put mvn on PATH")
	}
	return run(ctx, dir, path, append([]string{"--quiet", "--batch-mode", "-C"}, args...)...)
}

func run(ctx context.Context, dir, path string, args ...string) error {
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = dir
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("%s %s: %w\n%s", filepath.Base(path), strings.Join(args, " "), err, lastLines(out.String(), 15))
	}
	return nil
}

func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
