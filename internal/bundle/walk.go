// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package bundle

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// entry is a file to read.
type entry struct {
	// path is its name in the bundle, and real where it is below the root,
	// which differs below a link that was followed.
	path, real string
}

// listing is what a walk found, sorted by path.
type listing struct {
	entries []entry
	skipped []string
}

// list names the files of a source, and reads none.
func (s Source) list(ctx context.Context, from tree) (listing, error) {
	filter, err := s.filter()
	if err != nil {
		return listing{}, err
	}
	if files, ok := from.(memory); ok {
		found := listing{entries: files.list(filter)}
		if len(found.entries) > s.maxFiles() {
			return listing{}, s.tooMany("files")
		}
		return found, nil
	}
	switch s.Symlinks {
	case "", SymlinksError, SymlinksFollow, SymlinksSkip:
	default:
		return listing{}, &Error{Kind: KindLink, Summary: fmt.Sprintf("%q is no policy for links", string(s.Symlinks)), Detail: "It is error, follow or skip."}
	}
	w := &walk{Source: s, filter: filter}
	if w.directories, err = asDirectories(from); err != nil {
		return listing{}, err
	}
	if err := w.directory(ctx, place{name: ".", real: "."}, nil); err != nil {
		return listing{}, err
	}
	// Parts are sorted one by one in a walk, which is another order: a slash
	// comes after a hyphen.
	slices.SortFunc(w.found.entries, func(a, b entry) int { return strings.Compare(a.path, b.path) })
	slices.Sort(w.found.skipped)
	return w.found, nil
}

func asDirectories(from tree) (directories, error) {
	dirs, ok := from.(directories)
	if !ok {
		return nil, fmt.Errorf("%T cannot be walked", from)
	}
	return dirs, nil
}

func (s Source) tooMany(what string) error {
	return &Error{
		Kind: KindLimit, Path: ".", Summary: fmt.Sprintf("there are more than %d %s", s.maxFiles(), what),
		Detail: "Leave out with an exclude what the job does not need, or raise the limit.",
	}
}

// place is a directory or a file: its name in the bundle, and where it is
// below the root.
type place struct{ name, real string }

func (p place) child(name string) place {
	return place{name: path.Join(p.name, name), real: path.Join(p.real, name)}
}

// walk lists a tree of directories.
type walk struct {
	Source
	directories
	filter filter
	found  listing
	// visited counts directories: links can make many of few.
	visited int
}

// directory lists one; above are the real places of those that it lies in.
func (w *walk) directory(ctx context.Context, dir place, above []string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if w.visited++; w.visited > w.maxFiles() {
		return w.tooMany("directories")
	}
	children, err := w.readDir(dir.real)
	if err != nil {
		return readError(dir.name, err)
	}
	if dir.name != "." && isEnvironment(children) {
		return nil
	}
	above = append(above, dir.real)
	slices.SortFunc(children, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	for _, child := range children {
		if err := w.child(ctx, dir.child(child.Name()), child.Type(), above); err != nil {
			return err
		}
	}
	return nil
}

func (w *walk) child(ctx context.Context, at place, mode fs.FileMode, above []string) error {
	if w.filter.leavesOut(at.name, mode.IsDir()) {
		return nil
	}
	if mode.IsDir() {
		if err := checkName(at.name); err != nil {
			return err
		}
		return w.directory(ctx, at, above)
	}
	if mode&fs.ModeSymlink != 0 {
		return w.link(ctx, at, above)
	}
	return w.file(at, mode)
}

func (w *walk) file(at place, mode fs.FileMode) error {
	if !w.filter.takes(at.name) {
		return nil
	}
	if err := checkName(at.name); err != nil {
		return err
	}
	if !mode.IsRegular() {
		return specialError(at.name, mode)
	}
	if len(w.found.entries) >= w.maxFiles() {
		return w.tooMany("files")
	}
	w.found.entries = append(w.found.entries, entry{path: at.name, real: at.real})
	return nil
}

func specialError(name string, mode fs.FileMode) error {
	kind := "neither a file nor a directory"
	switch {
	case mode&fs.ModeNamedPipe != 0:
		kind = "a FIFO"
	case mode&fs.ModeSocket != 0:
		kind = "a socket"
	case mode&fs.ModeDevice != 0:
		kind = "a device"
	}
	return &Error{
		Kind: KindSpecial, Path: name, Summary: name + " is " + kind,
		Detail: "A bundle holds files alone. Remove it, or leave it out with an exclude.",
	}
}
