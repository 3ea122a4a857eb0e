// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package bundle_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/bundle"
)

type files = map[string]string

// write makes files below a directory, in the order of their names or the
// other way round. A content that begins with "#!" becomes executable, and one
// with "->" a link.
func write(t *testing.T, dir string, tree files, backwards bool) string {
	t.Helper()
	names := sorted(tree)
	if backwards {
		slices.Reverse(names)
	}
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		if target, link := strings.CutPrefix(tree[name], "->"); link {
			must(t, os.Symlink(target, path))
			continue
		}
		mode := os.FileMode(0o644)
		if strings.HasPrefix(tree[name], "#!") {
			mode = 0o755
		}
		must(t, os.WriteFile(path, []byte(tree[name]), mode))
	}
	return dir
}

func sorted(tree files) []string {
	names := make([]string, 0, len(tree))
	for name := range tree {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, s bundle.Source) *bundle.Manifest {
	t.Helper()
	m, err := bundle.Read(t.Context(), s)
	must(t, err)
	return m
}

// pack returns the archive of a source.
func pack(t *testing.T, s bundle.Source) ([]byte, bundle.Archive) {
	t.Helper()
	var out bytes.Buffer
	archive, err := s.Write(t.Context(), &out, read(t, s).Planned())
	must(t, err)
	return out.Bytes(), archive
}

func paths(m *bundle.Manifest) []string {
	all := make([]string, 0, len(m.Files))
	for _, file := range m.Files {
		all = append(all, file.Path)
	}
	return all
}

// refused reads a source that is wrong, and looks at what is said about it.
func refused(t *testing.T, s bundle.Source, kind bundle.Kind, words ...string) bundle.Error {
	t.Helper()
	_, err := bundle.Read(t.Context(), s)
	e, ok := errors.AsType[*bundle.Error](err)
	if !ok || e.Kind != kind {
		t.Fatalf("got %v, want an error of kind %s", err, kind)
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%q does not say %q", err, word)
		}
	}
	return *e
}

func hashOf(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

var project = files{
	"udfs.py":              "from geo import near\r\n",
	"geo/__init__.py":      "from .near import near\n",
	"geo/near.py":          "def near(a, b):\n    return abs(a - b) < 1\n",
	"geo-data/cities.csv":  "name,lat\nZürich,47.4\n",
	"geo/data/ångström.md": "unit\n",
	"bin/convert":          "#!/bin/sh\nexit 0\n",
	"empty":                "",
}

// projectSHA256 is of the manifest of project. It changes only if the
// serialisation does, which restarts every job that uses a bundle.
const projectSHA256 = "f937d88f04043ed19b32caee90ab143ce7192fcc324e4f0302b92a6495060b86"

func TestRead_TheManifestIsTheSameForEver(t *testing.T) {
	t.Parallel()
	m := read(t, bundle.Source{Dir: write(t, t.TempDir(), project, false)})
	if got := m.SHA256(); got != projectSHA256 {
		t.Errorf("the manifest's hash is %s instead of %s", got, projectSHA256)
	}
	// A hyphen sorts before a slash.
	want := []string{"bin/convert", "empty", "geo-data/cities.csv", "geo/__init__.py", "geo/data/ångström.md", "geo/near.py", "udfs.py"}
	if got := paths(m); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	size := 0
	for _, file := range m.Files {
		content := project[file.Path]
		size += len(content)
		if file.Size != int64(len(content)) || file.SHA256 != hashOf(content) || file.Executable != (file.Path == "bin/convert") {
			t.Errorf("%+v", file)
		}
		if found, ok := m.Lookup(file.Path); !ok || found.SHA256 != file.SHA256 || m.Hashes()[file.Path] != file.SHA256 {
			t.Errorf("%s is not found", file.Path)
		}
	}
	if m.Size() != int64(size) || len(m.Hashes()) != len(project) {
		t.Errorf("size %d, %d hashes", m.Size(), len(m.Hashes()))
	}
	if _, ok := m.Lookup("geo"); ok {
		t.Error("a directory is found as a file")
	}
}

func TestRead_FilesInMemoryAreTheSameBundle(t *testing.T) {
	t.Parallel()
	plain := files{}
	for name, content := range project {
		if name != "bin/convert" { // A file in memory is not executable.
			plain[name] = content
		}
	}
	disk, diskArchive := pack(t, bundle.Source{Dir: write(t, t.TempDir(), plain, false)})
	memory, memoryArchive := pack(t, bundle.Source{Files: plain})
	if !bytes.Equal(disk, memory) || diskArchive.Manifest.SHA256() != memoryArchive.Manifest.SHA256() {
		t.Error("the same files make another bundle in memory")
	}
}

func TestRead_WhatIsContentMakesAnotherBundle(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(dir string) error{
		"one byte": func(dir string) error { return os.WriteFile(filepath.Join(dir, "geo/near.py"), []byte("\n"), 0o600) },
		"line endings": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "udfs.py"), []byte("from geo import near\n"), 0o600)
		},
		"an executable bit":   func(dir string) error { return os.Chmod(filepath.Join(dir, "udfs.py"), 0o654) },
		"no executable bit":   func(dir string) error { return os.Chmod(filepath.Join(dir, "bin/convert"), 0o644) },
		"another name":        func(dir string) error { return os.Rename(filepath.Join(dir, "udfs.py"), filepath.Join(dir, "UDFs.py")) },
		"another directory":   func(dir string) error { return os.Rename(filepath.Join(dir, "empty"), filepath.Join(dir, "geo/empty")) },
		"one file more":       func(dir string) error { return os.WriteFile(filepath.Join(dir, "geo/empty"), nil, 0o600) },
		"one empty file less": func(dir string) error { return os.Remove(filepath.Join(dir, "empty")) },
	} {
		dir := write(t, t.TempDir(), project, false)
		must(t, change(dir))
		if read(t, bundle.Source{Dir: dir}).SHA256() == projectSHA256 {
			t.Errorf("%s makes no other bundle", name)
		}
	}
}

func TestManifest_NamesCannotBeTakenForOneAnother(t *testing.T) {
	t.Parallel()
	line := "0644 1 " + hashOf("x") + " 1:"
	one := bundle.Manifest{Files: []bundle.File{{Path: "a\n" + line + "b", Size: 1, SHA256: hashOf("x")}}}
	two := bundle.Manifest{Files: []bundle.File{{Path: "a", Size: 1, SHA256: hashOf("x")}, {Path: "b", Size: 1, SHA256: hashOf("x")}}}
	if one.SHA256() == two.SHA256() {
		t.Error("one file has the manifest of two")
	}
}

func TestRead_DefaultExcludesAreLeftOutEverywhere(t *testing.T) {
	t.Parallel()
	tree := files{
		"app.py": "", "pkg/mod.py": "", "venv/lib.py": "a package that is called venv", "envs/pyvenv.cfg.md": "",
		"pkg/.gitignore": "", "notes.swp": "", "pkg/git": "",
	}
	want := sorted(tree)
	for _, left := range []string{
		"__pycache__/app.cpython-311.pyc", "pkg/__pycache__/x", "pkg/mod.pyc", "old.pyo", ".git/HEAD", "pkg/.git", ".hg/x", "pkg/.svn/x",
		".venv/bin/python", ".tox/a", ".nox/a", ".mypy_cache/a", ".pytest_cache/a", ".ruff_cache/a", "pkg/.ipynb_checkpoints/a", ".idea/a",
		".vscode/a", "pkg/.DS_Store", "Thumbs.db", ".terraform/providers/x", ".terraform.lock.hcl", "terraform.tfstate",
		"terraform.tfstate.backup", ".terraform.tfstate.lock.info", "app.py~", "pkg/.mod.py.swp", "env/pyvenv.cfg", "env/lib/deep/x.py",
	} {
		tree[left] = "left out"
	}
	disk := read(t, bundle.Source{Dir: write(t, t.TempDir(), tree, false)})
	memory := read(t, bundle.Source{Files: tree})
	if got := paths(disk); !slices.Equal(got, want) || !slices.Equal(paths(memory), want) {
		t.Errorf("on disk %q, in memory %q, want %q", got, paths(memory), want)
	}
	// The root is what was asked for, whatever is in it.
	tree = files{"pyvenv.cfg": "", "app.py": ""}
	for _, s := range []bundle.Source{{Dir: write(t, t.TempDir(), tree, false)}, {Files: tree}} {
		if got := paths(read(t, s)); !slices.Equal(got, sorted(tree)) {
			t.Errorf("got %q, want %q", got, sorted(tree))
		}
	}
	for _, exclude := range bundle.DefaultExcludes() {
		if bundle.CheckPattern(exclude.Pattern) != nil || exclude.Reason == "" {
			t.Errorf("%+v", exclude)
		}
	}
}

func TestRead_ExcludesWinOverIncludes(t *testing.T) {
	t.Parallel()
	tree := files{"a.py": "", "b.txt": "", "pkg/c.py": "", "pkg/d.txt": "", "tests/e.py": "", "pkg/tests/f.py": ""}
	for _, test := range []struct {
		includes, excludes, want []string
	}{
		{nil, []string{"tests/**"}, []string{"a.py", "b.txt", "pkg/c.py", "pkg/d.txt", "pkg/tests/f.py"}},
		{nil, []string{"**/tests"}, []string{"a.py", "b.txt", "pkg/c.py", "pkg/d.txt"}},
		{[]string{"**/*.py"}, []string{"**/tests/"}, []string{"a.py", "pkg/c.py"}},
		{[]string{"pkg"}, []string{"**/*.txt"}, []string{"pkg/c.py", "pkg/tests/f.py"}},
		{[]string{"*.{py,txt}"}, nil, []string{"a.py", "b.txt"}},
		{[]string{"nothing"}, nil, []string{}},
	} {
		for _, s := range []bundle.Source{{Dir: write(t, t.TempDir(), tree, false)}, {Files: tree}} {
			s.Includes, s.Excludes = test.includes, test.excludes
			if got := paths(read(t, s)); !slices.Equal(got, test.want) {
				t.Errorf("includes %q, excludes %q: got %q, want %q", test.includes, test.excludes, got, test.want)
			}
		}
	}
	refused(t, bundle.Source{Files: tree, Excludes: []string{"tests/[a"}}, bundle.KindPattern, `"tests/[a"`)
	refused(t, bundle.Source{Files: tree, Includes: []string{"../x"}}, bundle.KindPattern, `"../x"`, "out of the root")
}

func TestRead_NamesThatAreNoneAreRefused(t *testing.T) {
	t.Parallel()
	for name, word := range map[string]string{
		"": "no file", ".": "no file", "a\x00b": "NUL", `a\b`: "backslash", "/etc/x": "absolute", "C:/x": "absolute", "a/../b": "..",
		"../a": "..", "a/": "directory", "a\xffb": "UTF-8", strings.Repeat("a", 70_000): "70000 bytes",
	} {
		e := refused(t, bundle.Source{Files: files{name: ""}}, bundle.KindName, word)
		if len(e.Error()) > 500 {
			t.Errorf("an error of %d bytes", len(e.Error()))
		}
	}
	refused(t, bundle.Source{Files: files{"a/b": "1", "a/./b": "2"}}, bundle.KindName, `"a/./b" and "a/b"`)
	refused(t, bundle.Source{Files: files{"a": "1", "a/b/c": "2"}}, bundle.KindName, `"a" is a file, and a directory for "a/b/c"`)
	if got := paths(read(t, bundle.Source{Files: files{"./a//b": ""}})); !slices.Equal(got, []string{"a/b"}) {
		t.Errorf("got %q", got)
	}
}

func TestRead_C66_LimitsAreHeld(t *testing.T) {
	t.Parallel()
	tree := files{"a": strings.Repeat("x", 60), "b": strings.Repeat("y", 60), "c/d": ""}
	for _, s := range []bundle.Source{{Dir: write(t, t.TempDir(), tree, false)}, {Files: tree}} {
		s.MaxFiles, s.MaxBytes = 3, 120
		if m := read(t, s); len(m.Files) != 3 {
			t.Errorf("%+v", m)
		}
		s.MaxFiles = 2
		refused(t, s, bundle.KindLimit, "more than 2 files")
		s.MaxFiles, s.MaxBytes = 3, 119
		refused(t, s, bundle.KindLimit, "more than 119 bytes")
	}
}

func TestRead_C56c_AMissingDirectorySaysWhereItWasLookedFor(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	e := refused(t, bundle.Source{Dir: filepath.Join(dir, "../udfs")}, bundle.KindRoot, "is not there", "HCP Terraform", ".terraformignore", "working directory")
	if want := filepath.Join(filepath.Dir(dir), "udfs"); e.Path != want || !strings.Contains(e.Summary, want) {
		t.Errorf("%+v does not say %s", e, want)
	}
	relative := refused(t, bundle.Source{Dir: "../not-there"}, bundle.KindRoot)
	if !filepath.IsAbs(relative.Path) || !strings.HasSuffix(relative.Path, "not-there") {
		t.Errorf("%+v", relative)
	}
	file := filepath.Join(dir, "file")
	must(t, os.WriteFile(file, nil, 0o600))
	refused(t, bundle.Source{Dir: file}, bundle.KindRoot, "not a directory")
}
