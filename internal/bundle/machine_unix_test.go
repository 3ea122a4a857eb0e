// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

//go:build unix

package bundle_test

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/bundle"
)

// checkouts are the same files as different machines have them.
func checkouts(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{
		"another path":      write(t, filepath.Join(t.TempDir(), "a", "longer", "path with spaces"), project, false),
		"the other order":   write(t, t.TempDir(), project, true),
		"umask 077":         masked(t, 0o077),
		"umask 002":         masked(t, 0o002),
		"umask 022":         masked(t, 0o022),
		"another time":      aged(t),
		"behind a link":     linked(t),
		"hard links":        hardLinked(t),
		"a trailing slash":  write(t, t.TempDir(), project, false) + "/",
		"empty directories": write(t, t.TempDir(), project, false),
	}
	must(t, os.MkdirAll(filepath.Join(all["empty directories"], "geo", "nothing", "here"), 0o755))
	if memory, err := os.MkdirTemp("/dev/shm", "bundle-"); err == nil { //nolint:usetesting // another file system
		t.Cleanup(func() { _ = os.RemoveAll(memory) })
		all["in memory"] = write(t, memory, project, false)
	}
	return all
}

// masked has the modes that a checkout with a umask has. The umask itself is
// that of the whole process.
func masked(t *testing.T, mask os.FileMode) string {
	t.Helper()
	dir := write(t, t.TempDir(), project, false)
	for name := range project {
		path := filepath.Join(dir, name)
		mode := os.FileMode(0o666)
		if name == "bin/convert" {
			mode = 0o777
		}
		must(t, os.Chmod(path, mode&^mask))
		must(t, os.Chmod(filepath.Dir(path), 0o777&^mask))
	}
	return dir
}

func aged(t *testing.T) string {
	t.Helper()
	dir := write(t, t.TempDir(), project, false)
	for i, name := range sorted(project) {
		at := time.Date(1971+i*20, 2, 3, 4, 5, 6, 7, time.UTC)
		must(t, os.Chtimes(filepath.Join(dir, name), at, at))
	}
	return dir
}

func linked(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "link")
	must(t, os.Symlink(write(t, t.TempDir(), project, false), dir))
	return dir
}

func hardLinked(t *testing.T) string {
	t.Helper()
	from, dir := write(t, t.TempDir(), project, false), t.TempDir()
	for name := range project {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		must(t, os.Link(filepath.Join(from, name), filepath.Join(dir, name)))
	}
	return dir
}

func TestWrite_C56_EachMachineMakesTheSameBundle(t *testing.T) {
	t.Parallel()
	want, _ := pack(t, bundle.Source{Dir: write(t, t.TempDir(), project, false)})
	for name, dir := range checkouts(t) {
		got, archive := pack(t, bundle.Source{Dir: dir})
		if archive.Manifest.SHA256() != projectSHA256 {
			t.Errorf("%s: the manifest's hash is %s", name, archive.Manifest.SHA256())
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: another archive", name)
		}
	}
}

func TestWrite_C58_NoPathOfTheMachineIsInTheArchive(t *testing.T) {
	t.Parallel()
	dir := write(t, t.TempDir(), project, false)
	content, _ := pack(t, bundle.Source{Dir: dir})
	for _, part := range []string{dir, filepath.Base(t.TempDir()), filepath.Base(filepath.Dir(dir))} {
		if strings.Contains(string(content), part) {
			t.Errorf("the archive holds %s", part)
		}
	}
}

func TestRead_C66_SpecialFilesAreRefusedByName(t *testing.T) {
	t.Parallel()
	dir := write(t, t.TempDir(), files{"a.py": "", "pkg/b.py": "", "fifo": "->pkg/pipe"}, false)
	must(t, syscall.Mkfifo(filepath.Join(dir, "pkg", "pipe"), 0o644))
	s := bundle.Source{Dir: dir, Excludes: []string{"fifo"}}
	refused(t, s, bundle.KindSpecial, "pkg/pipe is a FIFO", "exclude")
	refused(t, bundle.Source{Dir: dir, Symlinks: bundle.SymlinksFollow, Excludes: []string{"pkg/pipe"}}, bundle.KindSpecial, "fifo is a FIFO")
	s.Excludes = append(s.Excludes, "**/pipe")
	if got := paths(read(t, s)); !slices.Equal(got, []string{"a.py", "pkg/b.py"}) {
		t.Errorf("got %q", got)
	}
	short, err := os.MkdirTemp("", "b") //nolint:usetesting // the path of a socket has to be short
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(short) })
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "unix", filepath.Join(short, "s"))
	must(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	refused(t, bundle.Source{Dir: short}, bundle.KindSpecial, "s is a socket")
}

func TestRead_NamesOfAnotherEncodingAreRefused(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"caf\xe9.py", "caf\xe9/mod.py", `dir\mod.py`} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Logf("this file system has no such names: %v", err)
			continue
		}
		refused(t, bundle.Source{Dir: dir}, bundle.KindName, "cannot be a name in a bundle")
	}
}
