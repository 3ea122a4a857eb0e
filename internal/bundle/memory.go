// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package bundle

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"
)

// memory holds files by their clean names.
type memory map[string]string

// memory checks names, which nothing but a Source vouches for.
func (s Source) memory() (memory, error) {
	files := make(memory, len(s.Files))
	written := make(map[string]string, len(s.Files))
	for _, name := range slices.Sorted(maps.Keys(s.Files)) {
		if err := checkName(name); err != nil {
			return nil, err
		}
		clean := path.Clean(name)
		if other, taken := written[clean]; taken {
			return nil, &Error{
				Kind: KindName, Path: clean, Summary: fmt.Sprintf("%q and %q are the same file", other, name),
				Detail: "Leave one of them out.",
			}
		}
		written[clean], files[clean] = name, s.Files[name]
	}
	for name := range written {
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			if _, isFile := written[dir]; isFile {
				return nil, &Error{
					Kind: KindName, Path: dir, Summary: fmt.Sprintf("%q is a file, and a directory for %q", dir, name),
					Detail: "A name can be one of them only.",
				}
			}
		}
	}
	return files, nil
}

// list leaves out what a directory of these files would be without.
func (m memory) list(f filter) []entry {
	environments := map[string]bool{}
	for name := range m {
		if path.Base(name) == environmentMark {
			environments[path.Dir(name)] = true
		}
	}
	var all []entry
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if f.takes(name) && !f.leavesOut(name, false) && !m.inLeftOut(f, environments, path.Dir(name)) {
			all = append(all, entry{path: name, real: name})
		}
	}
	return all
}

func (m memory) inLeftOut(f filter, environments map[string]bool, dir string) bool {
	for ; dir != "."; dir = path.Dir(dir) {
		if environments[dir] || f.leavesOut(dir, true) {
			return true
		}
	}
	return false
}

func (m memory) open(name string) (fs.File, error) {
	content, ok := m[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &memoryFile{Reader: strings.NewReader(content), name: path.Base(name)}, nil
}

func (m memory) close() error { return nil }

// memoryFile is a file of memory, which is never executable.
type memoryFile struct {
	*strings.Reader
	name string
}

func (f *memoryFile) Stat() (fs.FileInfo, error) { return memoryInfo{f}, nil }
func (f *memoryFile) Close() error               { return nil }

type memoryInfo struct{ file *memoryFile }

func (i memoryInfo) Name() string     { return i.file.name }
func (i memoryInfo) Size() int64      { return i.file.Reader.Size() }
func (memoryInfo) Mode() fs.FileMode  { return 0o644 }
func (memoryInfo) ModTime() time.Time { return time.Time{} }
func (memoryInfo) IsDir() bool        { return false }
func (memoryInfo) Sys() any           { return nil }
