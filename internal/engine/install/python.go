// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package install

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// PythonVersion is the minor release of a Python 3: 11 for Python 3.11.
type PythonVersion int

// String is the version as Python's programs are named: "3.11".
func (v PythonVersion) String() string { return "3." + strconv.Itoa(int(v)) }

// PythonRange names the first and the last release that a package works with.
type PythonRange struct{ First, Last PythonVersion }

// String is the range for a sentence.
func (r PythonRange) String() string { return r.First.String() + " to " + r.Last.String() }

// Python is an interpreter that can make virtual environments.
type Python struct {
	Path    string
	Version PythonVersion
}

// FindPython finds an interpreter of a release in the range: python3 itself if
// it fits, else the newest of those that PATH has under their own names.
func FindPython(ctx context.Context, fits PythonRange) (Python, error) {
	names := []string{"python3"}
	for v := fits.Last; v >= fits.First; v-- {
		names = append(names, "python"+v.String())
	}
	var seen []string
	for _, name := range names {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		version, problem := inspectPython(ctx, path)
		switch {
		case problem != "":
			seen = append(seen, fmt.Sprintf("%s %s", path, problem))
		case version < fits.First || version > fits.Last:
			seen = append(seen, fmt.Sprintf("%s is Python %s", path, version))
		default:
			return Python{Path: path, Version: version}, nil
		}
	}
	found := "PATH has no python3"
	if len(seen) > 0 {
		found = strings.Join(seen, ", ")
	}
	return Python{}, fmt.Errorf("needed is Python %s with venv and pip, but %s: install it (Debian: apt-get install python3 python3-venv python3-pip; "+
		"macOS: brew install python@%s) and put python3 or python%s on PATH", fits, found, fits.Last, fits.Last)
}

// inspectPython returns the release of an interpreter, or what it lacks.
func inspectPython(ctx context.Context, path string) (version PythonVersion, problem string) {
	const script = "import sys\nprint(*sys.version_info[:2])\nimport venv, ensurepip"
	out, err := exec.CommandContext(ctx, path, "-c", script).Output()
	var major, minor int
	if _, scanErr := fmt.Sscan(string(out), &major, &minor); scanErr != nil {
		return 0, "does not run"
	}
	if major != 3 {
		return 0, fmt.Sprintf("is Python %d", major)
	}
	if err != nil {
		return PythonVersion(minor), "has no venv module"
	}
	return PythonVersion(minor), ""
}

// requirements prints what a package depends on, without the packages named
// behind it.
const requirements = `
import re, sys
from importlib.metadata import requires
for line in requires(sys.argv[1]) or ():
    if "extra ==" not in line and re.match("[A-Za-z0-9._-]+", line).group().lower() not in sys.argv[2:]:
        print(line)
`

// VirtualEnvironment makes a virtual environment in dir and installs one
// package of exactly one version into it, from the package index that pip is
// set up for, with all it depends on except the packages in without.
func (p Python) VirtualEnvironment(ctx context.Context, dir, name, version string, without ...string) error {
	if err := run(ctx, dir, p.Path, "-m", "venv", dir); err != nil {
		return err
	}
	python := VirtualPython(dir)
	pip := []string{"-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-cache-dir"}
	if err := run(ctx, dir, python, append(pip, "--no-deps", name+"=="+version)...); err != nil {
		return err
	}
	needed, err := exec.CommandContext(ctx, python, append([]string{"-c", requirements, name}, without...)...).Output()
	if err != nil {
		return fmt.Errorf("what %s depends on is unknown: %w", name, err)
	}
	var all []string
	for line := range strings.Lines(string(needed)) {
		all = append(all, strings.TrimSpace(line))
	}
	return run(ctx, dir, python, append(pip, all...)...)
}

// VirtualPython is the interpreter of a virtual environment.
func VirtualPython(dir string) string { return filepath.Join(dir, "bin", "python") }

// RunPython runs a short program of one expression or statement, to see
// whether an environment works.
func RunPython(ctx context.Context, python, program string) error {
	return run(ctx, filepath.Dir(python), python, "-c", program)
}
