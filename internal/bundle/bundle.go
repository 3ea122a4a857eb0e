// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package bundle makes a reproducible archive of Python files. What a bundle is
// is told by its manifest: the names, the executable bits and the bytes of its
// files, and nothing else of the machine that it is read on. The archive is
// made of the same files later, and held to the manifest that was planned.
package bundle

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"
)

// SymlinkPolicy says what becomes of symbolic links.
type SymlinkPolicy string

// The policies. The zero value is SymlinksError.
const (
	// SymlinksError refuses a link, with its name and its target.
	SymlinksError SymlinkPolicy = "error"
	// SymlinksFollow takes what a link points to under the link's name. The
	// target must lie below the root, and be written as a relative path.
	SymlinksFollow SymlinkPolicy = "follow"
	// SymlinksSkip leaves out the link, and nothing beside it.
	SymlinksSkip SymlinkPolicy = "skip"
)

// The limits that hold where a Source sets none. They are what a zip holds
// without its 64-bit form, which zipimport reads from Python 3.13 on only.
const (
	DefaultMaxFiles = 60_000
	DefaultMaxBytes = 4<<30 - 1
)

// Source is what a bundle is made of: a directory, or files in memory.
type Source struct {
	// Dir is the root on disk; names in the bundle are relative to it.
	Dir string
	// Files holds contents by name, and is taken where Dir is empty.
	Files map[string]string
	// Excludes are patterns of what to leave out beside DefaultExcludes, and
	// Includes of what to take; without any, everything. See CheckPattern for
	// what a pattern is. An exclude wins.
	Includes, Excludes []string
	Symlinks           SymlinkPolicy
	// MaxFiles and MaxBytes limit the number of files and the sum of their
	// sizes; zero stands for DefaultMaxFiles and DefaultMaxBytes.
	MaxFiles int
	MaxBytes int64
}

func (s Source) maxFiles() int { return cmp.Or(s.MaxFiles, DefaultMaxFiles) }

func (s Source) maxBytes() int64 { return cmp.Or(s.MaxBytes, int64(DefaultMaxBytes)) }

// File is one file of a bundle.
type File struct {
	// Path is relative to the root, with slashes.
	Path string
	// Executable tells a file of mode 0755 from one of 0644: on disk it has any
	// of the three executable bits. Windows has none of them.
	Executable bool
	// Size is in bytes.
	Size int64
	// SHA256 of the bytes, in lower-case hex.
	SHA256 string

	native native
	// real is where it was read below the root: elsewhere than Path behind a
	// link.
	real string
}

// Manifest is what a bundle consists of.
type Manifest struct {
	// Files are sorted by path.
	Files []File
	// Skipped are the links that SymlinksSkip left out, sorted. They are not
	// part of the content.
	Skipped []string
}

// manifestHeader begins what is hashed. It changes with the serialisation, for
// every bundle is another one then.
const manifestHeader = "terraform-provider-streaming bundle manifest 1\n"

// SHA256 identifies the content, in lower-case hex. It depends on names,
// executable bits and bytes alone.
func (m *Manifest) SHA256() string {
	sum := sha256.New()
	_, _ = io.WriteString(sum, manifestHeader)
	for i := range m.Files {
		file := &m.Files[i]
		mode := "0644"
		if file.Executable {
			mode = "0755"
		}
		// The length tells where a name ends, whatever it is made of.
		_, _ = fmt.Fprintf(sum, "%s %d %s %d:%s\n", mode, file.Size, file.SHA256, len(file.Path), file.Path)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// Size is the sum of the files' sizes in bytes, before compression.
func (m *Manifest) Size() int64 {
	var size int64
	for i := range m.Files {
		size += m.Files[i].Size
	}
	return size
}

// Lookup finds a file by its path.
func (m *Manifest) Lookup(path string) (File, bool) {
	at, found := slices.BinarySearchFunc(m.Files, path, func(f File, path string) int { return strings.Compare(f.Path, path) })
	if !found {
		return File{}, false
	}
	return m.Files[at], true
}

// Hashes maps each path to the SHA-256 of its file.
func (m *Manifest) Hashes() map[string]string {
	hashes := make(map[string]string, len(m.Files))
	for i := range m.Files {
		hashes[m.Files[i].Path] = m.Files[i].SHA256
	}
	return hashes
}

// Planned is all of the manifest, to hold an archive to.
func (m *Manifest) Planned() Planned { return Planned{SHA256: m.SHA256(), manifest: m} }

// Planned is what the content of an archive must be. The zero value is content
// with anything, for a source that the plan did not know.
type Planned struct {
	// SHA256 of the manifest.
	SHA256 string
	// Hashes maps each path to the SHA-256 of its file. Without it a change is
	// noticed all the same, but the file is not named.
	Hashes map[string]string

	manifest *Manifest
}

// Read lists the files of a source and hashes them, several at a time, without
// keeping their content. What is wrong with the source is an *Error.
func Read(ctx context.Context, s Source) (*Manifest, error) {
	tree, err := s.open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = tree.close() }()
	found, err := s.list(ctx, tree)
	if err != nil {
		return nil, err
	}
	return s.hash(ctx, tree, found)
}
