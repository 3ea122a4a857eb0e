// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package bundle

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"math"
	"strings"
	"unicode/utf8"
)

// Archive is what was written.
type Archive struct {
	// SHA256 of the archive, in lower-case hex. The same files give the same
	// archive for as long as the compressor is the same one; a bundle is told
	// by its manifest, never by this.
	SHA256 string
	// Size of the archive in bytes.
	Size int64
	// Manifest of what is in it.
	Manifest *Manifest
}

// Write reads the source once more, and writes it as a zip: names sorted and
// relative to the root, the time 1980-01-01, modes 0644 and 0755, an entry for
// each directory, and nothing else of the machine. It keeps a few pieces of
// files in memory, whatever their size, and compresses several at a time.
//
// The content is held to the plan. When it differs the error is a
// *ChangedError, and what was written before is not a whole archive. What is
// wrong with the source is an *Error; other errors are those of w.
func (s Source) Write(ctx context.Context, w io.Writer, planned Planned) (Archive, error) {
	tree, err := s.open()
	if err != nil {
		return Archive{}, err
	}
	defer func() { _ = tree.close() }()
	return s.write(ctx, tree, w, planned)
}

func (s Source) write(ctx context.Context, from tree, w io.Writer, planned Planned) (Archive, error) {
	found, err := s.list(ctx, from)
	if err != nil {
		return Archive{}, err
	}
	plan := planned.byFile()
	if changed := plan.names(found.entries); changed != nil {
		return Archive{}, changed
	}
	out := newArchiver(w, plan)
	if err := pack(ctx, from, found.entries, newBudget(s.maxBytes()), out.add); err != nil {
		return Archive{}, err
	}
	out.manifest.Skipped = found.skipped
	if err := planned.Compare(&out.manifest); err != nil {
		return Archive{}, err
	}
	return out.finish()
}

// archiver writes the entries of a zip in order.
type archiver struct {
	plan     plan
	counted  *counted
	zip      *zip.Writer
	manifest Manifest
	// header and data are of the file that is being written.
	header *zip.FileHeader
	data   io.Writer
	last   string
}

func newArchiver(w io.Writer, plan plan) *archiver {
	counted := &counted{w: w, sum: sha256.New()}
	return &archiver{plan: plan, counted: counted, zip: zip.NewWriter(counted)}
}

const (
	// firstDay is 1980-01-01, the first that a zip can tell.
	firstDay = 1<<5 | 1
	// version20 is enough to unpack anything but an entry of 4 GiB.
	version20, version45 = 20, 45
	madeOnUnix           = 3 << 8
	// The flags: sizes follow the data, and the name is UTF-8.
	flagSizesFollow, flagUTF8 = 1 << 3, 1 << 11
	typeFile, typeDirectory   = 0o100000, 0o040000
)

func newHeader(name string, mode uint32) *zip.FileHeader {
	header := &zip.FileHeader{
		Name: name, Method: zip.Store, CreatorVersion: madeOnUnix | version20, ReaderVersion: version20,
		ModifiedDate:  firstDay, //nolint:staticcheck // Modified would add the time once more, as an extra field
		ExternalAttrs: mode << 16,
	}
	if strings.ContainsFunc(name, func(r rune) bool { return r >= utf8.RuneSelf }) {
		header.Flags = flagUTF8
	}
	return header
}

// add writes one piece of a file.
func (a *archiver) add(p *piece) error {
	if p.first {
		if err := a.begin(p); err != nil {
			return err
		}
	}
	if _, err := a.data.Write(p.packed()); err != nil {
		return err
	}
	if !p.first || !p.last {
		a.header.CompressedSize64 += uint64(len(p.packed()))
	}
	if !p.last {
		return nil
	}
	if !p.first {
		a.sizes(p)
	}
	a.manifest.Files = append(a.manifest.Files, p.file)
	if what := a.plan.compare(p.file); what != "" {
		return a.plan.changed(map[string]Change{p.file.Path: what})
	}
	return nil
}

// begin writes the header of a file, and of the directories that it is the
// first in: without an entry of its own a directory that has no __init__.py is
// no package for zipimport before Python 3.13.
func (a *archiver) begin(p *piece) error {
	name := p.path
	for i, c := range []byte(name) {
		if c == '/' && !strings.HasPrefix(a.last, name[:i+1]) {
			if _, err := a.zip.CreateRaw(newHeader(name[:i+1], typeDirectory|0o755)); err != nil {
				return err
			}
		}
	}
	a.last = name
	mode := uint32(0o644)
	if p.executable {
		mode = 0o755
	}
	a.header = newHeader(name, typeFile|mode)
	if !p.stored() {
		a.header.Method = zip.Deflate
	}
	if p.last {
		a.header.CRC32, a.header.UncompressedSize64, a.header.CompressedSize64 = p.crc, uint64(p.file.Size), uint64(len(p.packed()))
	} else {
		a.header.Flags |= flagSizesFollow
	}
	var err error
	a.data, err = a.zip.CreateRaw(a.header)
	return err
}

// sizes completes the header of a file of several pieces, which is written
// behind it, and in the directory at the end.
func (a *archiver) sizes(p *piece) {
	h := a.header
	h.CRC32, h.UncompressedSize64 = p.crc, uint64(p.file.Size)
	h.CompressedSize = uint32(min(h.CompressedSize64, math.MaxUint32))     //nolint:staticcheck // what is written behind the data
	h.UncompressedSize = uint32(min(h.UncompressedSize64, math.MaxUint32)) //nolint:staticcheck // what is written behind the data
	if max(h.CompressedSize64, h.UncompressedSize64) >= math.MaxUint32 {
		h.ReaderVersion = version45
	}
}

func (a *archiver) finish() (Archive, error) {
	if err := a.zip.Close(); err != nil {
		return Archive{}, err
	}
	return Archive{SHA256: hex.EncodeToString(a.counted.sum.Sum(nil)), Size: a.counted.size, Manifest: &a.manifest}, nil
}

// counted learns the size and the hash of what is written.
type counted struct {
	w    io.Writer
	sum  hash.Hash
	size int64
}

func (c *counted) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	_, _ = c.sum.Write(p[:n])
	c.size += int64(n)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	return n, err
}
