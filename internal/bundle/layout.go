// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package bundle

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

const packageMark = "__init__.py"

// aside are what lies beside the code of a project, and is not imported by it.
var aside = map[string]bool{
	"setup.py": true, "conftest.py": true, "noxfile.py": true, "tasks.py": true, "tests": true, "test": true, "docs": true, "doc": true,
	"examples": true, "scripts": true, "tools": true, "benchmarks": true,
}

// shadowed are modules of Python itself that programs like to call their own
// files after, and that much of Python does not work without.
var shadowed = map[string]bool{
	"abc": true, "ast": true, "calendar": true, "code": true, "collections": true, "copy": true, "dataclasses": true, "datetime": true,
	"decimal": true, "email": true, "enum": true, "functools": true, "http": true, "importlib": true, "inspect": true, "io": true,
	"json": true, "keyword": true, "logging": true, "math": true, "numbers": true, "operator": true, "os": true, "pickle": true,
	"platform": true, "queue": true, "random": true, "re": true, "secrets": true, "select": true, "signal": true, "site": true,
	"socket": true, "statistics": true, "string": true, "struct": true, "subprocess": true, "tempfile": true, "threading": true,
	"time": true, "token": true, "tokenize": true, "types": true, "typing": true, "uuid": true, "warnings": true, "weakref": true,
	"pyflink": true,
}

// layout checks what can be imported at the root of the bundle.
func (c *checks) layout() {
	top := map[string]bool{}
	regular := map[string]bool{}
	code := 0
	for _, file := range c.Files {
		if !strings.HasSuffix(file.Path, ".py") {
			continue
		}
		code++
		first, rest, below := strings.Cut(file.Path, "/")
		top[first] = top[first] || below
		if rest == packageMark {
			regular[first] = true
		}
	}
	if code == 0 {
		if len(c.Files) > 0 {
			c.add(Risk, "", "No file of the bundle ends in .py", "Nothing in it can be imported. Check source_dir, includes and excludes.")
		}
		return
	}
	if _, there := c.Lookup(packageMark); there {
		c.add(Risk, packageMark, "The root of the bundle is itself a package",
			"The root is on Python's path, so that what lies in it is imported without the package's name, and \"from . import\" fails. Make its parent the root, or remove "+packageMark+" if nothing imports it by name.")
	}
	c.shadows(top, regular)
	c.tooDeep(top, regular)
}

// shadows finds modules and packages; a directory that is no package gives way
// to a module of its name.
func (c *checks) shadows(top, regular map[string]bool) {
	for _, name := range slices.Sorted(maps.Keys(top)) {
		module := strings.TrimSuffix(name, ".py")
		if isDirectory := top[name]; shadowed[module] && (!isDirectory || regular[name]) {
			c.add(Risk, name, fmt.Sprintf("%s takes the place of Python's own module %s", name, module),
				"The bundle comes before it on Python's path, for all that the worker imports. Give it another name, or put it into a package.")
		}
	}
}

// tooDeep finds the one directory that should have been the root: it is no
// package itself, it holds all code, and packages are in it.
func (c *checks) tooDeep(top map[string]bool, regular map[string]bool) {
	var candidates []string
	for name, isDirectory := range top {
		if aside[name] {
			continue
		}
		if !isDirectory || regular[name] {
			return
		}
		candidates = append(candidates, name)
	}
	if len(candidates) != 1 {
		return
	}
	dir := candidates[0]
	inside := ""
	for _, file := range c.Files {
		rest, below := strings.CutPrefix(file.Path, dir+"/")
		if !below || !strings.HasSuffix(rest, ".py") {
			continue
		}
		first, more, isPackage := strings.Cut(rest, "/")
		if !isPackage || more == packageMark {
			inside = strings.TrimSuffix(first, ".py")
			break
		}
	}
	if inside == "" {
		return
	}
	c.add(Risk, dir, fmt.Sprintf("All code of the bundle lies in %s, which is no package", dir),
		fmt.Sprintf("It is imported as %s.%s. If the program says %s, the bundle begins one level too high: make %s the root.", dir, inside, inside, dir))
}

// Duplicate is a name that several Python files have.
type Duplicate struct {
	// Base is the name without directories.
	Base string
	// Paths are sorted.
	Paths []string
}

// Duplicates lists the Python files of a manifest that have their name in
// common with one in another directory, sorted by name. __init__.py and
// __main__.py are no such names.
func Duplicates(m *Manifest) []Duplicate {
	byBase := map[string][]string{}
	for _, file := range m.Files {
		base := path.Base(file.Path)
		if strings.HasSuffix(base, ".py") && base != packageMark && base != "__main__.py" {
			byBase[base] = append(byBase[base], file.Path)
		}
	}
	var all []Duplicate
	for _, base := range slices.Sorted(maps.Keys(byBase)) {
		if len(byBase[base]) > 1 {
			all = append(all, Duplicate{Base: base, Paths: byBase[base]})
		}
	}
	return all
}
