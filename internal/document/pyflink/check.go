// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pyflink

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Severity is what is to become of a finding.
type Severity int

// The severities.
const (
	// Refused is what fails at the cluster, or does something else than it says.
	Refused Severity = iota
	// Doubtful is what Flink ignores or changes, or what may fail.
	Doubtful
)

// Finding is what is wrong with an option.
type Finding struct {
	// Attribute is the option's, Index the element of a list, -1 without one.
	Attribute string
	Index     int
	Severity  Severity
	Summary   string
	Detail    string
}

// Check finds what Flink would take and regret.
func Check(o Options) []Finding {
	var found findings
	found.paths(o)
	found.archives(o)
	found.requirements(o)
	found.executables(o)
	found.batches(o)
	found.levels(o)
	return found
}

type findings []Finding

func (f *findings) add(severity Severity, attribute string, index int, summary, detail string) {
	*f = append(*f, Finding{Attribute: attribute, Index: index, Severity: severity, Summary: summary, Detail: detail})
}

// element checks one path or directory of an option.
func (f *findings) element(attribute string, index int, what, value string) {
	const separators = "Flink has no way to write it otherwise. Give the file another name."
	switch {
	case value == "":
		f.add(Refused, attribute, index, "The "+what+" is empty", "Flink would take it for its own directory. Leave it out.")
	case strings.TrimSpace(value) != value:
		f.add(Refused, attribute, index, fmt.Sprintf("The %s %q begins or ends with a blank", what, value), "Flink keeps the blank and looks for a file of that name.")
	case strings.Contains(value, ","):
		f.add(Refused, attribute, index, fmt.Sprintf("The %s %q has a comma", what, value), "Flink reads two of it. "+separators)
	case strings.Contains(value, "#"):
		f.add(Refused, attribute, index, fmt.Sprintf("The %s %q has a #", what, value), "Flink reads what follows as a directory. "+separators)
	case strings.HasPrefix(value, "http://") || strings.HasPrefix(value, "https://"):
		f.add(Refused, attribute, index, fmt.Sprintf("The %s %q is a web address", what, value), "Flink has no file system for it and fails. Use a path of a file system of the cluster.")
	}
}

func (f *findings) paths(o Options) {
	for i, file := range o.Files {
		f.element("files", i, "file", file)
		if slices.Contains(o.Files[:i], file) {
			f.add(Doubtful, "files", i, fmt.Sprintf("The file %q is there twice", file), "It counts once.")
		}
		if known := slices.ContainsFunc([]string{".py", ".zip", ".whl", ".egg"}, func(ending string) bool { return strings.HasSuffix(file, ending) }); !known && path.Ext(file) != "" {
			f.add(Doubtful, "files", i, fmt.Sprintf("The file %q has an unusual ending", file),
				"Flink puts any file on the PYTHONPATH and checks nothing: Python then reads it as a directory or a zip, whatever its name. Usual are .py, .zip, .whl and .egg, and directories.")
		}
	}
}

// extracted are the endings of archives that Flink extracts, and refused those
// of formats that it would try as zip.
var (
	extracted = []string{".zip", ".jar", ".tar", ".tar.gz", ".tgz"}
	others    = []string{".tar.bz2", ".tbz2", ".tar.xz", ".txz", ".tar.zst", ".7z", ".rar", ".gz", ".bz2", ".xz"}
)

func (f *findings) archives(o Options) {
	targets := map[string]int{}
	for i, archive := range o.Archives {
		f.element("archives", i, "archive", archive.Path)
		if archive.Target != "" {
			f.element("archives", i, "target", archive.Target)
		}
		target := archive.directory()
		switch {
		case path.IsAbs(target), target == "..", strings.HasPrefix(path.Clean(target), "../"):
			f.add(Refused, "archives", i, fmt.Sprintf("The target %q is outside of the worker's directory", target), "It has to be a directory relative to that.")
		case path.Clean(target) == ".":
			f.add(Refused, "archives", i, fmt.Sprintf("The target %q is the worker's directory itself", target), "Name a directory in it.")
		}
		if first, twice := targets[path.Clean(target)]; twice {
			f.add(Refused, "archives", i, fmt.Sprintf("Archives %d and %d have the same target %q", first, i, target), "The second would overwrite files of the first. Give each a target of its own.")
		} else {
			targets[path.Clean(target)] = i
		}
		name := strings.ToLower(path.Base(archive.Path))
		has := func(ending string) bool { return strings.HasSuffix(name, ending) }
		switch {
		case slices.ContainsFunc(extracted, has):
		case slices.ContainsFunc(others, has):
			f.add(Refused, "archives", i, fmt.Sprintf("The archive %q is of a format that Flink cannot extract", archive.Path), "It would be tried as zip, and each worker would fail. Flink extracts "+strings.Join(extracted, ", ")+".")
		default:
			f.add(Doubtful, "archives", i, fmt.Sprintf("The archive %q has an unusual ending", archive.Path), "Flink tries it as zip. It knows "+strings.Join(extracted, ", ")+".")
		}
	}
}

// directory is where the archive is extracted to.
func (a Archive) directory() string {
	if a.Target != "" {
		return a.Target
	}
	return path.Base(a.Path)
}

func (f *findings) requirements(o Options) {
	if o.Requirements == nil {
		return
	}
	f.element("requirements", -1, "file", o.Requirements.File)
	if o.Requirements.CachedDir != "" {
		f.element("requirements", -1, "cached_dir", o.Requirements.CachedDir)
	}
}

// executables checks interpreters that are relative paths.
func (f *findings) executables(o Options) {
	if value := o.Plain[attributeOf(Executable)]; relative(value) && !o.Unknown["archives"] {
		first, _, _ := strings.Cut(path.Clean(value), "/")
		if !slices.ContainsFunc(o.Archives, func(a Archive) bool { return firstOf(a.directory()) == first }) {
			f.add(Refused, attributeOf(Executable), -1, fmt.Sprintf("The interpreter %q is in no archive", value),
				fmt.Sprintf("A relative path begins in the worker's directory, where only archives are, and none has the target %q. Set such a target, or an absolute path.", first))
		}
	}
	if value := o.Plain[attributeOf(ClientExecutable)]; relative(value) {
		f.add(Doubtful, attributeOf(ClientExecutable), -1, fmt.Sprintf("The interpreter %q is a relative path", value),
			"It begins in whatever directory the JobManager was started in; archives are not extracted there. Use an absolute path.")
	}
}

func firstOf(directory string) string {
	first, _, _ := strings.Cut(path.Clean(directory), "/")
	return first
}

func relative(file string) bool { return strings.Contains(file, "/") && !path.IsAbs(file) }

// batches compares the size of an Arrow batch to that of a bundle.
func (f *findings) batches(o Options) {
	number := func(key string) (int64, bool) {
		option, _ := Lookup(attributeOf(key))
		text, set := o.Plain[option.Attribute()]
		if !set {
			text = option.Default
		}
		n, err := strconv.ParseInt(text, 10, 64)
		return n, err == nil && !o.Unknown[option.Attribute()]
	}
	if _, set := o.Plain[attributeOf(ArrowBatchSize)]; !set {
		return
	}
	arrow, arrowKnown := number(ArrowBatchSize)
	bundle, bundleKnown := number(BundleSize)
	if arrowKnown && bundleKnown && arrow > bundle {
		f.add(Doubtful, attributeOf(ArrowBatchSize), -1, fmt.Sprintf("An Arrow batch of %d is larger than a bundle of %d", arrow, bundle),
			fmt.Sprintf("Flink takes %d for both. Lower this one, or raise fn_execution_bundle_size.", bundle))
	}
}

func (f *findings) levels(o Options) {
	attribute := attributeOf(LevelOverrides)
	for _, name := range slices.Sorted(maps.Keys(o.Levels)) {
		switch level := o.Levels[name]; {
		case name == "" || strings.ContainsAny(name, ":,'\" "):
			f.add(Refused, attribute, -1, fmt.Sprintf("%q is not the name of a logger", name), "Names have neither blanks, colons, commas nor quotes.")
		case !slices.Contains(levels, level):
			f.add(Refused, attribute, -1, fmt.Sprintf("The level %q of %s is not known", level, name), "Levels are "+strings.Join(levels, ", ")+".")
		}
	}
}
