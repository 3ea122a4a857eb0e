// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package bundle

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// tree is where the files of a source are. Names are relative, with slashes.
type tree interface {
	// open never follows a link out of the root, and does not wait for a FIFO.
	open(name string) (fs.File, error)
	close() error
}

// directories is a tree that has to be walked; "." is its root.
type directories interface {
	tree
	// readDir lists a directory, in any order.
	readDir(name string) ([]fs.DirEntry, error)
	readLink(name string) (string, error)
	// lstat is about a link itself.
	lstat(name string) (fs.FileInfo, error)
}

func (s Source) open() (tree, error) {
	if s.Dir == "" {
		return s.memory()
	}
	root, err := os.OpenRoot(s.Dir)
	if err != nil {
		return nil, rootError(s.Dir, err)
	}
	return disk{root}, nil
}

// rootError says where the directory was looked for: on another machine, or in
// another working directory, a relative path is another one.
func rootError(dir string, err error) error {
	tried, absErr := filepath.Abs(dir)
	if absErr != nil {
		tried = dir
	}
	e := &Error{Kind: KindRoot, Path: tried, Summary: "the directory " + tried + " cannot be read", Err: err, Detail: systemSays(err)}
	info, statErr := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.Summary = "the directory " + tried + " is not there"
		e.Detail = "Build it before Terraform runs, or correct the path. A run in HCP Terraform has only what was uploaded with the configuration: " +
			"what lies outside of the working directory's upload, or is listed in .terraformignore, does not exist there."
	case statErr == nil && !info.IsDir():
		e.Summary = tried + " is not a directory"
		e.Detail = "Name the directory that holds the files."
	}
	return e
}

// systemSays is what the system said, without the path, which is said already.
func systemSays(err error) string {
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		return pathErr.Err.Error()
	}
	return err.Error()
}

// readError is about a file that was listed and cannot be read.
func readError(name string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	e := &Error{Kind: KindRead, Path: name, Summary: fmt.Sprintf("%s cannot be read", name), Err: err, Detail: systemSays(err)}
	if errors.Is(err, fs.ErrNotExist) {
		e.Summary = name + " disappeared while it was read"
		e.Detail = "Something else writes to the directory. Let it end first, or leave the file out with an exclude."
	}
	return e
}

// disk is a directory. What is opened below it cannot lie outside, even if
// somebody puts a link there meanwhile.
type disk struct{ root *os.Root }

func (d disk) readDir(name string) (children []fs.DirEntry, err error) {
	dir, err := d.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	return dir.ReadDir(-1)
}

func (d disk) readLink(name string) (string, error) {
	target, err := d.root.Readlink(name)
	return filepath.ToSlash(target), err
}

func (d disk) lstat(name string) (fs.FileInfo, error) { return d.root.Lstat(name) }

func (d disk) open(name string) (fs.File, error) { return d.root.OpenFile(name, openFlags, 0) }

func (d disk) close() error { return d.root.Close() }
