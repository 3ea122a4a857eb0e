// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package bundle

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// faulty is a tree in which one file goes wrong between the walk and the end.
type faulty struct {
	fstest.MapFS
	name string
	// open and read are what goes wrong, and shut the closing.
	opening, reading, closing error
}

func (f faulty) readDir(name string) ([]fs.DirEntry, error) { return f.ReadDir(name) }
func (f faulty) readLink(name string) (string, error)       { return f.ReadLink(name) }
func (f faulty) lstat(name string) (fs.FileInfo, error)     { return f.Lstat(name) }
func (f faulty) close() error                               { return nil }

func (f faulty) open(name string) (fs.File, error) {
	if name == f.name && f.opening != nil {
		return nil, &fs.PathError{Op: "openat", Path: name, Err: f.opening}
	}
	file, err := f.Open(name)
	if err != nil || name != f.name {
		return file, err
	}
	return faultyFile{file, f}, nil
}

type faultyFile struct {
	fs.File
	faulty
}

func (f faultyFile) Read(p []byte) (int, error) {
	if f.reading != nil {
		return 0, &fs.PathError{Op: "read", Path: f.name, Err: f.reading}
	}
	return f.File.Read(p)
}

func (f faultyFile) Stat() (fs.FileInfo, error) { return f.File.Stat() }
func (f faultyFile) Close() error               { return errors.Join(f.File.Close(), f.closing) }

func TestRead_C66_AFileThatGoesWrongIsNamed(t *testing.T) {
	t.Parallel()
	tree := fstest.MapFS{"a.py": {}, "pkg/b.py": {Data: []byte("x")}, "pkg/c.py": {}, "z.py": {}}
	for _, test := range []struct {
		tree faulty
		want string
	}{
		{faulty{MapFS: tree, name: "pkg/b.py", opening: fs.ErrNotExist}, "pkg/b.py disappeared while it was read"},
		{faulty{MapFS: tree, name: "pkg/b.py", opening: fs.ErrPermission}, "pkg/b.py cannot be read: permission denied"},
		{faulty{MapFS: tree, name: "pkg/b.py", reading: errors.New("input/output error")}, "pkg/b.py cannot be read: input/output error"},
		{faulty{MapFS: tree, name: "pkg/b.py", closing: errors.New("stale file handle")}, "pkg/b.py cannot be read: stale file handle"},
	} {
		found, err := Source{}.list(t.Context(), test.tree)
		if err != nil {
			t.Fatal(err)
		}
		_, readErr := Source{}.hash(t.Context(), test.tree, found)
		_, writeErr := Source{}.write(t.Context(), test.tree, io.Discard, Planned{})
		for _, err := range []error{readErr, writeErr} {
			e, ok := errors.AsType[*Error](err)
			if !ok || e.Kind != KindRead || e.Path != "pkg/b.py" || !strings.HasPrefix(strings.ReplaceAll(err.Error(), "file does not exist", ""), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		}
	}
}

func TestRead_C66_ADirectoryThatCannotBeReadIsNamed(t *testing.T) {
	t.Parallel()
	tree := faulty{MapFS: fstest.MapFS{"a.py": {}, "pkg/b.py": {}}}
	_, err := Source{}.list(t.Context(), closedDirectory{tree, "pkg"})
	if e, ok := errors.AsType[*Error](err); !ok || e.Path != "pkg" || e.Kind != KindRead {
		t.Errorf("%v", err)
	}
}

type closedDirectory struct {
	faulty
	closed string
}

func (c closedDirectory) readDir(name string) ([]fs.DirEntry, error) {
	if name == c.closed {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return c.faulty.readDir(name)
}

// A file that became a directory, or a FIFO, after the walk.
func TestRead_C66_AFileThatBecameSomethingElseIsRefused(t *testing.T) {
	t.Parallel()
	tree := faulty{MapFS: fstest.MapFS{"a/b.py": {}}}
	_, err := Source{}.hash(t.Context(), tree, listing{entries: []entry{{path: "a", real: "a"}}})
	if e, ok := errors.AsType[*Error](err); !ok || e.Kind != KindSpecial || e.Path != "a" {
		t.Errorf("%v", err)
	}
}

// Of several errors the one of the first file is told, whoever is faster.
func TestRead_TheFirstErrorIsTold(t *testing.T) {
	t.Parallel()
	h := &hashing{}
	first, second := errors.New("first"), errors.New("second")
	for _, order := range [][]error{{first, second}, {second, first}, {context.Canceled, second, first}, {first, context.Canceled}} {
		h.err = nil
		for _, err := range order {
			h.fail(slices.Index([]error{context.Canceled, first, second}, err), err)
		}
		if !errors.Is(h.err, first) {
			t.Errorf("%v of %v", h.err, order)
		}
	}
}

// many is a tree of any names, whose files are read from one pattern.
type many struct {
	size int64
	// read is called now and then while a file is read.
	read func()
}

func (m many) close() error { return nil }

func (m many) open(name string) (fs.File, error) {
	return &manyFile{memoryFile: memoryFile{Reader: strings.NewReader(name), name: path.Base(name)}, many: m, left: m.size}, nil
}

type manyFile struct {
	memoryFile
	many
	left int64
}

func (f *manyFile) Close() error { return nil }

func (f *manyFile) Read(p []byte) (int, error) {
	if f.left == 0 {
		return 0, io.EOF
	}
	if f.read != nil && f.left%(1<<20) == 0 {
		f.read()
	}
	n := min(int64(len(p)), f.left)
	for i := range p[:n] {
		p[i] = byte(i % 251)
	}
	f.left -= n
	return int(n), nil
}

func names(count int) []entry {
	all := make([]entry, 0, count)
	for i := range count {
		name := fmt.Sprintf("package_%03d/module_%05d.py", i/100, i)
		all = append(all, entry{path: name, real: name})
	}
	return all
}

func TestWrite_C66_SixtyThousandFiles(t *testing.T) {
	t.Parallel()
	const count = 60_000
	var out bytes.Buffer
	entries := names(count)
	archiver := newArchiver(&out, plan{})
	if err := pack(t.Context(), many{size: 100}, entries, newBudget(DefaultMaxBytes), archiver.add); err != nil {
		t.Fatal(err)
	}
	if _, err := archiver.finish(); err != nil {
		t.Fatal(err)
	}
	reader, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if len(reader.File) != count+count/100 || len(archiver.manifest.Files) != count {
		t.Errorf("%d entries, %d files in the manifest", len(reader.File), len(archiver.manifest.Files))
	}
}

// It runs beside no other test, for it looks at the memory of the process.
func TestWrite_C66_MemoryDoesNotGrowWithTheFile(t *testing.T) {
	const size, limit = 256 << 20, 32 << 20
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	before, peak := stats.HeapInuse, uint64(0)
	tree := many{size: size, read: func() {
		runtime.ReadMemStats(&stats)
		peak = max(peak, stats.HeapInuse)
	}}
	archiver := newArchiver(io.Discard, plan{})
	if err := pack(t.Context(), tree, names(1), newBudget(DefaultMaxBytes), archiver.add); err != nil {
		t.Fatal(err)
	}
	if archiver.manifest.Size() != size || peak == 0 {
		t.Errorf("read %d bytes, saw %d", archiver.manifest.Size(), peak)
	}
	if peak > before+limit {
		t.Errorf("%d bytes above what there was before, at most %d", peak-before, limit)
	}
	t.Logf("%.1f MiB above what there was before", (float64(peak)-float64(before))/(1<<20))
}

// hugeSize needs the 64-bit form of a zip.
const hugeSize = 5 << 30

// Of a file of 5 GiB all pieces but the first and the last are the same, so
// that one need be compressed only. The archive can be read to its end.
func TestWrite_C66_AnEntryAboveFourGiBHasTheLargeForm(t *testing.T) {
	t.Parallel()
	zeros := make([]byte, pieceSize)
	crc := uint32(0)
	for range hugeSize / pieceSize {
		crc = crc32.Update(crc, crc32.IEEETable, zeros)
	}
	var c compressor
	first, middle := &piece{path: "huge.bin", first: true, raw: zeros}, &piece{path: "huge.bin", raw: zeros, before: zeros[:window]}
	last := &piece{
		path: "huge.bin", last: true, before: zeros[:window], crc: crc,
		file: File{Path: "huge.bin", Size: hugeSize, SHA256: "of no interest"},
	}
	for _, p := range []*piece{first, middle, last} {
		if err := c.deflate(p); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	archiver := newArchiver(&out, plan{})
	pieces := slices.Concat([]*piece{first}, slices.Repeat([]*piece{middle}, hugeSize/pieceSize-1), []*piece{last})
	next := &piece{path: "next.py", first: true, last: true, raw: []byte("x"), file: File{Path: "next.py", Size: 1}, crc: crc32.ChecksumIEEE([]byte("x"))}
	next.deflated.WriteString("longer")
	for _, p := range append(pieces, next) {
		if err := archiver.add(p); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := archiver.finish(); err != nil {
		t.Fatal(err)
	}
	reader, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	huge := reader.File[0]
	if huge.UncompressedSize64 != hugeSize || huge.ReaderVersion != version45 || huge.CRC32 != crc {
		t.Errorf("%+v", huge.FileHeader)
	}
	opened, err := reader.File[1].Open()
	if err != nil {
		t.Fatal(err)
	}
	if content, err := io.ReadAll(opened); err != nil || string(content) != "x" {
		t.Errorf("%q, %v", content, err)
	}
}
