// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package bundle

import (
	"maps"
	"slices"
)

// plan is a Planned by file.
type plan struct {
	Planned
	// files is nil where only the hash of all of them is known.
	files map[string]plannedFile
}

type plannedFile struct {
	sha256 string
	// mode is known from a manifest only.
	modeKnown, executable bool
}

func (p Planned) byFile() plan {
	all := plan{Planned: p}
	switch {
	case p.SHA256 == "":
	case p.manifest != nil:
		all.files = make(map[string]plannedFile, len(p.manifest.Files))
		for _, file := range p.manifest.Files {
			all.files[file.Path] = plannedFile{sha256: file.SHA256, modeKnown: true, executable: file.Executable}
		}
	case p.Hashes != nil:
		all.files = make(map[string]plannedFile, len(p.Hashes))
		for path, sum := range p.Hashes {
			all.files[path] = plannedFile{sha256: sum}
		}
	}
	return all
}

// names tells, before anything is read, which files came and went.
func (p plan) names(entries []entry) *ChangedError {
	if p.files == nil {
		return nil
	}
	changes := map[string]Change{}
	there := make(map[string]bool, len(entries))
	for _, e := range entries {
		there[e.path] = true
		if _, known := p.files[e.path]; !known {
			changes[e.path] = New
		}
	}
	for path := range p.files {
		if !there[path] {
			changes[path] = Missing
		}
	}
	return p.changed(changes)
}

func (p plan) changed(changes map[string]Change) *ChangedError {
	if len(changes) == 0 {
		return nil
	}
	first := slices.Min(slices.Collect(maps.Keys(changes)))
	return &ChangedError{Path: first, What: changes[first], Others: len(changes) - 1, Want: p.SHA256}
}

// compare tells what happened to a file that was read, empty for nothing.
func (p plan) compare(file File) Change {
	planned, known := p.files[file.Path]
	switch {
	case p.files == nil:
		return ""
	case !known:
		return New
	case planned.sha256 != file.SHA256:
		return Changed
	case planned.modeKnown && planned.executable != file.Executable:
		return ModeChanged
	}
	return ""
}

// Compare holds the content of a manifest to the plan. It returns nil or a
// *ChangedError. The zero Planned is content with anything.
func (p Planned) Compare(m *Manifest) error {
	if p.SHA256 == "" {
		return nil
	}
	got := m.SHA256()
	if got == p.SHA256 {
		return nil
	}
	all := p.byFile()
	changes := map[string]Change{}
	there := make(map[string]bool, len(m.Files))
	for _, file := range m.Files {
		there[file.Path] = true
		if what := all.compare(file); what != "" {
			changes[file.Path] = what
		}
	}
	for path := range all.files {
		if !there[path] {
			changes[path] = Missing
		}
	}
	if changed := all.changed(changes); changed != nil {
		changed.Got = got
		return changed
	}
	unnamed := &ChangedError{What: Unnamed, Want: p.SHA256, Got: got}
	if all.files != nil {
		// Names and bytes are the same, so that nothing else is left.
		unnamed.What = ModeChanged
	}
	return unnamed
}
