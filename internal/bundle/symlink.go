// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package bundle

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// maxLinks is how many links lead to one target at most, as on Linux.
const maxLinks = 40

// link does with a symbolic link what the policy says.
func (w *walk) link(ctx context.Context, at place, above []string) error {
	if w.Symlinks == SymlinksSkip {
		w.found.skipped = append(w.found.skipped, at.name)
		return nil
	}
	target, err := w.readLink(at.real)
	if err != nil {
		return readError(at.name, err)
	}
	real, info, err := w.resolve(at, target)
	asked := w.filter.takes(at.name)
	switch {
	case err != nil && !asked:
		return nil
	case err != nil:
		return err
	case info.IsDir() && w.filter.leavesOut(at.name, true), !info.IsDir() && !asked:
		return nil
	}
	if w.Symlinks != SymlinksFollow {
		return linkError(at.name, target, "is a symbolic link",
			`Replace it by what it points to, leave it out with an exclude, or set symlinks = "follow" or "skip".`)
	}
	at.real = real
	if !info.IsDir() {
		return w.file(at, info.Mode())
	}
	if err := checkName(at.name); err != nil {
		return err
	}
	if slices.Contains(above, real) {
		return linkError(at.name, target, "leads back to a directory that it lies in",
			"Following it would never end. Remove the link, or leave it out with an exclude.")
	}
	return w.directory(ctx, at, above)
}

func linkError(name, target, what, detail string) error {
	return &Error{Kind: KindLink, Path: name, Summary: fmt.Sprintf("%s -> %s %s", name, shown(target), what), Detail: detail}
}

// resolve finds what a link points to in the end: a place below the root that
// no link is part of.
func (w *walk) resolve(at place, target string) (string, fs.FileInfo, error) {
	r := &resolution{walk: w, link: at, target: target, real: "."}
	err := r.follow(path.Dir(at.real), target)
	return r.real, r.info, err
}

// resolution follows one link.
type resolution struct {
	*walk
	link   place
	target string
	// real is how far it came, and info what is there.
	real  string
	info  fs.FileInfo
	links int
}

func (r *resolution) fail(what, detail string) error {
	return linkError(r.link.name, r.target, what, detail)
}

// follow goes from a directory along the target of a link.
func (r *resolution) follow(dir, target string) error {
	if r.links++; r.links > maxLinks {
		return r.fail("is part of a circle of links", "It never arrives at a file. Remove the link, or leave it out with an exclude.")
	}
	if path.IsAbs(target) || filepath.IsAbs(target) {
		return r.fail("is an absolute path",
			"It is right on one machine at most, and another checkout has another path. Write it relative to where the link is, or leave the link out with an exclude.")
	}
	r.real = dir
	for part := range strings.SplitSeq(target, "/") {
		if err := r.step(part); err != nil {
			return err
		}
	}
	return r.stat()
}

// step goes on by one part of a path.
func (r *resolution) step(part string) error {
	switch part {
	case "", ".":
		return nil
	case "..":
		if r.real == "." {
			return r.fail("leads out of the bundle's directory",
				"What lies outside is not part of the bundle, and is not there in another checkout. Copy it into the directory, or leave the link out with an exclude.")
		}
		r.real = path.Dir(r.real)
		return nil
	}
	at := r.real
	r.real = path.Join(at, part)
	if err := r.stat(); err != nil {
		return err
	}
	if r.info.Mode()&fs.ModeSymlink == 0 {
		return nil
	}
	target, err := r.readLink(r.real)
	if err != nil {
		return readError(r.link.name, err)
	}
	return r.follow(at, target)
}

func (r *resolution) stat() error {
	info, err := r.lstat(r.real)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return r.fail("points to nothing", "There is no "+r.real+" in the directory. Remove the link, or leave it out with an exclude.")
	case err != nil:
		return readError(r.link.name, err)
	}
	r.info = info
	return nil
}
