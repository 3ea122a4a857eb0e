// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package bundle

import (
	"io/fs"
	"path"
	"slices"
	"strings"
)

// defaultNames are left out wherever they are, and all below them.
var defaultNames = map[string]string{
	"__pycache__":                  "byte code, which differs from machine to machine",
	".git":                         "version control",
	".hg":                          "version control",
	".svn":                         "version control",
	".venv":                        "a virtual environment",
	".tox":                         "environments of tox",
	".nox":                         "environments of nox",
	".mypy_cache":                  "a cache of mypy",
	".pytest_cache":                "a cache of pytest",
	".ruff_cache":                  "a cache of ruff",
	".ipynb_checkpoints":           "copies that Jupyter makes",
	".idea":                        "settings of an editor",
	".vscode":                      "settings of an editor",
	".DS_Store":                    "written by the macOS Finder",
	"Thumbs.db":                    "written by the Windows Explorer",
	".terraform":                   "providers and modules of Terraform",
	".terraform.lock.hcl":          "Terraform's lock file",
	".terraform.tfstate.lock.info": "the lock on Terraform's state",
}

// defaultShapes are left out wherever they are.
var defaultShapes = []struct{ pattern, why string }{
	{"*.pyc", "byte code, which differs from machine to machine"},
	{"*.pyo", "byte code, which differs from machine to machine"},
	{"*.tfstate", "Terraform's state, which changes with each apply and holds secrets"},
	{"*.tfstate.*", "Terraform's state, which changes with each apply and holds secrets"},
	{"*~", "a copy that an editor keeps"},
	{".*.sw[a-p]", "what an editor keeps of an open file"},
	{".#*", "an editor's lock on an open file"},
}

// environmentMark lies at the root of each virtual environment, whatever the
// name of its directory.
const environmentMark = "pyvenv.cfg"

// Exclude is something that is left out of each bundle.
type Exclude struct {
	// Pattern as in Source.Excludes.
	Pattern string
	Reason  string
}

// DefaultExcludes is what is left out of each bundle, sorted by pattern. Beside
// it, each directory that holds a file "pyvenv.cfg" is a virtual environment,
// and left out, unless it is the root.
func DefaultExcludes() []Exclude {
	all := make([]Exclude, 0, len(defaultNames)+len(defaultShapes))
	for name, why := range defaultNames {
		all = append(all, Exclude{Pattern: "**/" + name, Reason: why})
	}
	for _, shape := range defaultShapes {
		all = append(all, Exclude{Pattern: "**/" + shape.pattern, Reason: shape.why})
	}
	slices.SortFunc(all, func(a, b Exclude) int { return strings.Compare(a.Pattern, b.Pattern) })
	return all
}

func excludedByDefault(name string) bool {
	if _, is := defaultNames[name]; is {
		return true
	}
	for _, shape := range defaultShapes {
		if fits, _ := path.Match(shape.pattern, name); fits {
			return true
		}
	}
	return false
}

// isEnvironment tells a virtual environment by what is in a directory.
func isEnvironment(children []fs.DirEntry) bool {
	return slices.ContainsFunc(children, func(child fs.DirEntry) bool {
		return child.Name() == environmentMark && !child.IsDir()
	})
}

// filter is what a source takes and leaves out.
type filter struct{ includes, excludes []glob }

func (s Source) filter() (filter, error) {
	var f filter
	for _, pattern := range s.Includes {
		parsed, err := compile(pattern)
		if err != nil {
			return f, err
		}
		f.includes = append(f.includes, parsed)
	}
	for _, pattern := range s.Excludes {
		parsed, err := compile(pattern)
		if err != nil {
			return f, err
		}
		f.excludes = append(f.excludes, parsed)
	}
	return f, nil
}

func matchAny(globs []glob, parts []string, dir bool) bool {
	return slices.ContainsFunc(globs, func(g glob) bool { return g.match(parts, dir) })
}

// leavesOut is about a file or a directory of whose parents none is left out.
func (f filter) leavesOut(name string, dir bool) bool {
	if excludedByDefault(path.Base(name)) {
		return true
	}
	return len(f.excludes) > 0 && matchAny(f.excludes, strings.Split(name, "/"), dir)
}

// takes tells whether a file is asked for.
func (f filter) takes(name string) bool {
	return len(f.includes) == 0 || matchAny(f.includes, strings.Split(name, "/"), false)
}
