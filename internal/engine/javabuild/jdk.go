// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package javabuild finds a JDK and turns Java sources into jars whose bytes
// depend on nothing but their content.
package javabuild

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

// MinimumVersion is the oldest Java that the engines are run on.
const MinimumVersion = 17

// JDK is an installed Java with its compiler.
type JDK struct {
	Version int
	Java    string
	Javac   string
}

// FindJDK looks for java and javac under JAVA_HOME, then on PATH.
func FindJDK(ctx context.Context) (JDK, error) {
	java, err := findTool("java")
	if err != nil {
		return JDK{}, fmt.Errorf("Java %d was not found: install a JDK %[1]d (javac) and put it on PATH or set JAVA_HOME", MinimumVersion)
	}
	out, err := exec.CommandContext(ctx, java, "-version").CombinedOutput()
	if err != nil {
		return JDK{}, fmt.Errorf("%s -version: %w\n%s", java, err, out)
	}
	version, err := parseVersion(string(out))
	if err != nil {
		return JDK{}, fmt.Errorf("%s: %w", java, err)
	}
	if version < MinimumVersion {
		return JDK{}, fmt.Errorf("%s is Java %d, at least %d is needed: put a newer JDK on PATH or set JAVA_HOME", java, version, MinimumVersion)
	}
	javac, err := findTool("javac")
	if err != nil {
		return JDK{}, fmt.Errorf("javac was not found, %s seems to belong to a JRE: install a JDK %d and put it on PATH or set JAVA_HOME", java, MinimumVersion)
	}
	return JDK{Version: version, Java: java, Javac: javac}, nil
}

func findTool(name string) (string, error) {
	if home := os.Getenv("JAVA_HOME"); home != "" {
		path := filepath.Join(home, "bin", name)
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			return path, nil
		}
		return "", errors.New(name + " is not under JAVA_HOME")
	}
	return exec.LookPath(name)
}

var versionPattern = regexp.MustCompile(`version "(\d+)(?:\.(\d+))?`)

// parseVersion reads the output of java -version. Java 8 calls itself 1.8.
func parseVersion(text string) (int, error) {
	m := versionPattern.FindStringSubmatch(text)
	if m == nil {
		return 0, fmt.Errorf("its version could not be read from %q", text)
	}
	if m[1] == "1" && m[2] != "" {
		return strconv.Atoi(m[2])
	}
	return strconv.Atoi(m[1])
}
