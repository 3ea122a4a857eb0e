// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pyflink

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/flinkvalue"
)

// Archive is a file that workers extract.
type Archive struct {
	Path string
	// Target is the directory to extract to, empty for the name of the file.
	Target string
}

// Requirement is what workers install with pip.
type Requirement struct {
	File string
	// CachedDir has the packages, empty to fetch them from an index.
	CachedDir string
}

// Options are those that are set. A value that is not known yet is in Unknown
// alone.
type Options struct {
	Files        []string
	Archives     []Archive
	Requirements *Requirement
	// Levels are those of single loggers.
	Levels map[string]string
	// Plain are the others, by their attributes, as Parse made them.
	Plain map[string]string
	// Unknown are the attributes that are not known, or not all.
	Unknown map[string]bool
}

// Parse reads the value of an option that is no collection, and returns it as
// Flink is to be given it.
func Parse(attribute, text string) (string, error) {
	option, ok := Lookup(attribute)
	if !ok {
		return "", errors.New("there is no such option")
	}
	switch option.Kind {
	case Flag:
		if text != "true" && text != "false" {
			return "", fmt.Errorf("%q is neither true nor false", text)
		}
		return text, nil
	case Count:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return "", fmt.Errorf("%q is not a whole number", text)
		}
		return option.within(n)
	case Millis:
		d, err := flinkvalue.Duration(text)
		if err != nil {
			return "", fmt.Errorf("%q is not a duration, one number and one unit, such as \"1 s\" or \"500 ms\"", text)
		}
		if d.Nanoseconds()%1e6 != 0 {
			return "", fmt.Errorf("%q is not whole milliseconds, which Flink counts", text)
		}
		return option.within(d.Milliseconds())
	case Text:
		if len(option.Words) > 0 && !slices.Contains(option.Words, text) {
			return "", fmt.Errorf("%q is none of %s", text, strings.Join(option.Words, ", "))
		}
		return text, nil
	case Paths, Archives, Requirements, Levels:
	}
	return "", errors.New("it takes no single value")
}

func (o Option) within(n int64) (string, error) {
	if n < o.Min || n > o.Max {
		return "", fmt.Errorf("%d is not within the limits: %s", n, o.Limits())
	}
	return strconv.FormatInt(n, 10), nil
}

// Limits says which values are allowed; empty for any.
func (o Option) Limits() string {
	switch {
	case len(o.Words) > 0:
		return "`" + strings.Join(o.Words, "`, `") + "`"
	case o.Kind == Millis:
		return fmt.Sprintf("at least %d ms", o.Min)
	case o.Max > 0:
		return fmt.Sprintf("%d to %d", o.Min, o.Max)
	}
	return ""
}

// Render is what Flink is given. bundle are the paths of the files of a
// bundle, which come first.
func (o Options) Render(bundle Bundle) map[string]string {
	rendered := map[string]string{}
	for attribute, value := range o.Plain {
		if option, ok := Lookup(attribute); ok {
			rendered[option.Key] = value
		}
	}
	files := o.Files
	if bundle.Archive != "" {
		files = slices.Concat([]string{bundle.Archive}, files)
	}
	if len(files) > 0 {
		rendered[Files] = strings.Join(files, ",")
	}
	if len(o.Archives) > 0 {
		rendered[ArchivesKey] = joined(o.Archives)
	}
	requirement := o.Requirements
	if requirement == nil && bundle.Requirements != "" {
		requirement = &Requirement{File: bundle.Requirements}
	}
	if requirement != nil {
		rendered[RequirementsKey] = withTarget(requirement.File, requirement.CachedDir)
	}
	if len(o.Levels) > 0 {
		entries := make([]string, 0, len(o.Levels))
		for _, name := range slices.Sorted(maps.Keys(o.Levels)) {
			entries = append(entries, name+":"+o.Levels[name])
		}
		rendered[LevelOverrides] = strings.Join(entries, ",")
	}
	return rendered
}

// Bundle is where the files of a bundle are on the JobManager.
type Bundle struct {
	// Archive is empty without a bundle, Requirements without such a file in it.
	Archive, Requirements string
}

func joined(archives []Archive) string {
	entries := make([]string, 0, len(archives))
	for _, archive := range archives {
		entries = append(entries, withTarget(archive.Path, archive.Target))
	}
	return strings.Join(entries, ",")
}

func withTarget(path, target string) string {
	if target == "" {
		return path
	}
	return path + "#" + target
}
