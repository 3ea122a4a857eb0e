// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package bundle

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Severity says what a problem means.
type Severity string

// The severities.
const (
	// Refused: the job would fail.
	Refused Severity = "refused"
	// Risk: whether it works depends on what the files do not tell.
	Risk Severity = "risk"
)

// Problem is something that is wrong with the content of a bundle.
type Problem struct {
	Severity Severity
	// Path is the file or the directory, the first one where there are several;
	// empty for the bundle as a whole.
	Path string
	// Summary is one line; Detail says why, and what to do.
	Summary, Detail string
}

// CheckOptions is what is known beside the content.
type CheckOptions struct {
	// TargetPlatform is where the job runs, as ParsePlatform reads it. Where it
	// is empty or "any", native code is not held against it.
	TargetPlatform string
	// Requirements is the path of the requirements file in the bundle, or empty.
	Requirements string
}

// Check finds what would let a job fail later, sorted by path. It needs the
// manifest as Read returned it, and reads no file but the requirements. The
// error is that of reading them, or of an unknown platform.
func Check(ctx context.Context, s Source, m *Manifest, o CheckOptions) ([]Problem, error) {
	target, err := ParsePlatform(o.TargetPlatform)
	if err != nil {
		return nil, err
	}
	c := &checks{Manifest: m}
	if len(m.Files) == 0 {
		c.add(Refused, "", "The bundle is empty", "No file is left after includes and excludes.")
	}
	c.layout()
	c.names()
	c.zipimport()
	if target.System != "" {
		c.modules(target, o.TargetPlatform)
		c.wheels(target, o.TargetPlatform)
		c.otherCode(target, o.TargetPlatform)
	}
	if o.Requirements != "" {
		if err := c.requirements(ctx, s, o.Requirements); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(c.problems, func(a, b Problem) int { return strings.Compare(a.Path, b.Path) })
	return c.problems, nil
}

// checks collects problems.
type checks struct {
	*Manifest
	problems []Problem
}

func (c *checks) add(severity Severity, path, summary, detail string) {
	c.problems = append(c.problems, Problem{Severity: severity, Path: path, Summary: summary, Detail: detail})
}

// listed names the first of many.
func listed(paths []string) string {
	const enough = 5
	if len(paths) <= enough {
		return strings.Join(paths, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(paths[:enough], ", "), len(paths)-enough)
}

// names finds files that are one on a system that does not tell upper from
// lower case. Where the job runs on Linux they are two.
func (c *checks) names() {
	first := make(map[string]string, len(c.Files))
	for _, file := range c.Files {
		folded := strings.ToLower(file.Path)
		if other, taken := first[folded]; taken {
			c.add(Risk, file.Path, fmt.Sprintf("%s and %s differ in upper and lower case alone", other, file.Path),
				"Linux tells them apart; a checkout on macOS or Windows has one of them only, and makes another bundle.")
			continue
		}
		first[folded] = file.Path
	}
}

// maxZipEntries and maxZipBytes are what a zip holds without its 64-bit form.
const (
	maxZipEntries = 1<<16 - 2
	maxZipBytes   = 1<<32 - 1
)

// zipimport finds what Python does not take out of an archive on its path.
func (c *checks) zipimport() {
	var modules, wheels []string
	directories := map[string]bool{}
	for _, file := range c.Files {
		switch {
		case isModule(file.Path):
			modules = append(modules, file.Path)
		case strings.HasSuffix(file.Path, ".whl"):
			wheels = append(wheels, file.Path)
		}
		for dir := path.Dir(file.Path); dir != "." && !directories[dir]; dir = path.Dir(dir) {
			directories[dir] = true
		}
	}
	if len(modules) > 0 {
		c.add(Risk, modules[0], "A native module in the bundle cannot be imported",
			"Python imports none out of an archive on its path, which is how the cluster gets the bundle. Name the package in a requirements file, or install it where the job runs. Found: "+listed(modules)+".")
	}
	if len(wheels) > 0 {
		c.add(Risk, wheels[0], "A wheel in the bundle is not on Python's path",
			"Python does not look into an archive within an archive. Unpack it into the bundle if it is pure Python, else name it in a requirements file. Found: "+listed(wheels)+".")
	}
	if entries := len(c.Files) + len(directories); entries > maxZipEntries || c.Size() > maxZipBytes {
		c.add(Risk, "", "The archive needs the 64-bit form of zip",
			fmt.Sprintf("It has %d entries and %d bytes before compression. Python imports from such an archive from 3.13 on.", entries, c.Size()))
	}
}

// isModule tells a native module of Python by its name.
func isModule(name string) bool {
	return strings.HasSuffix(name, ".so") || strings.HasSuffix(name, ".pyd")
}
