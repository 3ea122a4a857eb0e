// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package bundle_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/bundle"
)

// unpacked is a file of an archive.
type unpacked struct {
	content    string
	executable bool
}

// maxUnpacked keeps a small archive from becoming a large content.
const maxUnpacked = 4 << 20

// unpack reads an archive as strictly as the least lenient reader: it takes
// nothing from outside of the root, nothing twice, and nothing that tells of
// the machine. Directories have an entry before what lies in them.
func unpack(archive []byte) (map[string]unpacked, error) {
	reader, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return nil, err
	}
	all, there, last := map[string]unpacked{}, map[string]bool{".": true}, ""
	for _, entry := range reader.File {
		name, isDirectory := strings.CutSuffix(entry.Name, "/")
		switch {
		case name == "" || name == "." || path.IsAbs(name) || name != path.Clean(name) || name == ".." || strings.HasPrefix(name, "../"), strings.ContainsAny(name, "\\\x00"), !utf8.ValidString(name):
			return nil, fmt.Errorf("%q is no name below the root", entry.Name)
		case there[name]:
			return nil, fmt.Errorf("%q is there twice", entry.Name)
		case !there[path.Dir(name)]:
			return nil, fmt.Errorf("%q comes before its directory", entry.Name)
		case entry.Name <= last:
			return nil, fmt.Errorf("%q comes after %q", entry.Name, last)
		case len(entry.Extra) > 0 || entry.Comment != "" || entry.Modified.Format(time.DateTime) != "1980-01-01 00:00:00":
			return nil, fmt.Errorf("%q has extra %x, comment %q, time %s", entry.Name, entry.Extra, entry.Comment, entry.Modified)
		}
		last, there[name] = entry.Name, isDirectory
		if isDirectory {
			if entry.Mode().String() != "drwxr-xr-x" || entry.UncompressedSize64 > 0 {
				return nil, fmt.Errorf("%q is %s with %d bytes", entry.Name, entry.Mode(), entry.UncompressedSize64)
			}
			continue
		}
		if all[name], err = unpackFile(entry); err != nil {
			return nil, fmt.Errorf("%q: %w", entry.Name, err)
		}
	}
	return all, nil
}

func unpackFile(entry *zip.File) (unpacked, error) {
	mode := entry.Mode().String()
	if mode != "-rw-r--r--" && mode != "-rwxr-xr-x" {
		return unpacked{}, fmt.Errorf("the mode is %s", mode)
	}
	if entry.UncompressedSize64 > maxUnpacked {
		return unpacked{}, errors.New("too large for a test")
	}
	r, err := entry.Open()
	if err != nil {
		return unpacked{}, err
	}
	content, err := io.ReadAll(io.LimitReader(r, maxUnpacked))
	return unpacked{content: string(content), executable: mode == "-rwxr-xr-x"}, errors.Join(err, r.Close())
}

func TestWrite_TheArchiveHoldsTheFilesAndNothingElse(t *testing.T) {
	t.Parallel()
	// Of each size where files are cut into pieces, and of content that can be
	// compressed and that cannot.
	const piece = 512 << 10
	tree := files{}
	maps.Copy(tree, project)
	for _, size := range []int{1, 100, piece - 1, piece, piece + 1, 2 * piece, 3*piece + 12345} {
		tree[fmt.Sprintf("text/%d.txt", size)] = strings.Repeat("the same line again\n", size/20+1)[:size]
		tree[fmt.Sprintf("noise/%d.bin", size)] = noise(size)
	}
	content, archive := pack(t, bundle.Source{Dir: write(t, t.TempDir(), tree, false)})
	if archive.Size != int64(len(content)) || archive.SHA256 != hashOf(string(content)) {
		t.Errorf("size %d and hash %s of %d bytes", archive.Size, archive.SHA256, len(content))
	}
	got, err := unpack(content)
	must(t, err)
	if len(got) != len(tree) {
		t.Errorf("%d files instead of %d", len(got), len(tree))
	}
	for name, want := range tree {
		if got[name].content != want || got[name].executable != (name == "bin/convert") {
			t.Errorf("%s: %d bytes instead of %d, executable %t", name, len(got[name].content), len(want), got[name].executable)
		}
	}
}

// noise is the same each time, and cannot be compressed.
func noise(size int) string {
	content := make([]byte, 0, size+sha256.Size)
	for sum := sha256.Sum256(nil); len(content) < size; sum = sha256.Sum256(sum[:]) {
		content = append(content, sum[:]...)
	}
	return string(content[:size])
}

// goldenArchive is the SHA-256 of the archive of project and a file of several
// pieces, as goldenCompressor makes it on any machine and with any Go. A new
// version of the compressor may change it. That is no harm: bundles are told by
// their manifest, no job restarts, and only archive_sha256 shows it. Write down
// the new hash and version, and say so in the change log.
const (
	goldenArchive    = "a46f51022c91328b20bd754859ad1cfcf9784449ccdc72e5dc278b1089ba6e66"
	goldenCompressor = "github.com/klauspost/compress v1.20.4"
)

func TestWrite_C56_TheArchiveIsTheOneThatWasWrittenDown(t *testing.T) {
	t.Parallel()
	tree := files{"several/pieces.txt": goldenText()}
	maps.Copy(tree, project)
	_, archive := pack(t, bundle.Source{Dir: write(t, t.TempDir(), tree, false)})
	if archive.SHA256 != goldenArchive {
		t.Errorf("the archive's hash is %s with %s; %s made %s", archive.SHA256, runtime.Version(), goldenCompressor, goldenArchive)
	}
}

func goldenText() string {
	var b strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&b, "line %d of %x\n", i, uint64(i)*2654435761)
	}
	return b.String()
}

// deaf fails after some bytes.
type deaf struct{ left int }

var errDeaf = errors.New("the pipe is broken")

func (d *deaf) Write(p []byte) (int, error) {
	if d.left -= len(p); d.left < 0 {
		return 0, errDeaf
	}
	return len(p), nil
}

func TestWrite_C66_NoErrorOfTheWriterIsLost(t *testing.T) {
	t.Parallel()
	s := bundle.Source{Files: files{"a.py": noise(5000), "b.py": noise(600_000)}}
	content, _ := pack(t, s)
	// The very last byte belongs to the directory, which is written at the end.
	for _, left := range []int{0, 10, 4000, 300_000, len(content) - 200, len(content) - 1} {
		if _, err := s.Write(t.Context(), &deaf{left: left}, bundle.Planned{}); !errors.Is(err, errDeaf) {
			t.Errorf("after %d bytes: %v", left, err)
		}
	}
	if _, err := s.Write(t.Context(), &deaf{left: len(content)}, bundle.Planned{}); err != nil {
		t.Error(err)
	}
}

func TestBuild_TheArchiveCanBeReadTwice(t *testing.T) {
	t.Parallel()
	s := bundle.Source{Dir: write(t, t.TempDir(), project, false)}
	want, _ := pack(t, s)
	built, err := bundle.Build(t.Context(), s, read(t, s).Planned())
	must(t, err)
	for range 2 {
		r, err := built.Open()
		must(t, err)
		got, err := io.ReadAll(r)
		must(t, err)
		must(t, r.Close())
		if !bytes.Equal(got, want) {
			t.Error("another archive than that of Write")
		}
	}
	must(t, built.Close())
	if r, err := built.Open(); err == nil {
		if _, err := io.ReadAll(r); err == nil {
			t.Error("it can be read after it was closed")
		}
	}
}

func FuzzArchiveReader(f *testing.F) {
	// Small ones: the fuzzer spends its time on making inputs smaller.
	for _, tree := range []files{{"geo/a": "11111111"}, {"a": "1"}, {}} {
		var out bytes.Buffer
		if _, err := (bundle.Source{Files: tree}).Write(f.Context(), &out, bundle.Planned{}); err != nil {
			f.Fatal(err)
		}
		f.Add(out.Bytes())
		f.Add(bytes.ReplaceAll(out.Bytes(), []byte("a"), []byte("/")))
		f.Add(bytes.ReplaceAll(out.Bytes(), []byte("geo"), []byte("../")))
	}
	f.Fuzz(func(t *testing.T, archive []byte) {
		got, err := unpack(archive)
		if err != nil {
			return
		}
		for name := range got {
			if !fs.ValidPath(name) || strings.Contains(name, `\`) {
				t.Errorf("the reader takes %q", name)
			}
			for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
				if _, isFile := got[dir]; isFile {
					t.Errorf("the reader takes %q below the file %q", name, dir)
				}
			}
		}
	})
}
