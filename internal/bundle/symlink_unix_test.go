// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

//go:build unix

package bundle_test

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/bundle"
)

// withLink is a tree in which a link lies between other files.
func withLink(link, target string) files {
	return files{
		"a/first.py": "1", "a/z/last.py": "2", "data/one.csv": "3", "data/deep/two.csv": "4", "z.py": "5",
		link: "->" + target,
	}
}

var siblings = []string{"a/first.py", "a/z/last.py", "data/deep/two.csv", "data/one.csv", "z.py"}

func TestRead_C59_LinksAreFollowedBelowTheRoot(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		link, target string
		more         files
		want         []string
	}{
		{"a/m.csv", "../data/one.csv", nil, []string{"a/m.csv"}},
		{"a/m", "../data", nil, []string{"a/m/deep/two.csv", "a/m/one.csv"}},
		{"a/m", "../data/", nil, []string{"a/m/deep/two.csv", "a/m/one.csv"}},
		{"a/m", "z/../../data/deep", nil, []string{"a/m/two.csv"}},
		// Through another link, to a file in a linked directory.
		{"a/m.csv", "../d/one.csv", files{"d": "->data"}, []string{"a/m.csv", "d/deep/two.csv", "d/one.csv"}},
		// A link below a linked directory is relative to where it really is.
		{"data/deep/up.csv", "../one.csv", files{"m": "->data"}, []string{"data/deep/up.csv", "m/deep/two.csv", "m/deep/up.csv", "m/one.csv"}},
		// The same directory twice is no circle.
		{"a/m", "n", files{"a/n": "->../data/deep"}, []string{"a/m/two.csv", "a/n/two.csv"}},
	} {
		dir := write(t, t.TempDir(), withLink(test.link, test.target), false)
		write(t, dir, test.more, false)
		want := slices.Sorted(slices.Values(slices.Concat(siblings, test.want)))
		s := bundle.Source{Dir: dir, Symlinks: bundle.SymlinksFollow}
		m := read(t, s)
		if got := paths(m); !slices.Equal(got, want) {
			t.Errorf("%s -> %s: got %q, want %q", test.link, test.target, got, want)
		}
		// What is behind a link is a file like any other.
		plain := files{}
		for _, file := range m.Files {
			plain[file.Path] = contentOf(file.SHA256)
		}
		if copied := read(t, bundle.Source{Files: plain}); copied.SHA256() != m.SHA256() {
			t.Errorf("%s -> %s: another bundle than that of a copy", test.link, test.target)
		}
		pack(t, s)
	}
}

// contentOf finds the content of withLink that has a hash.
func contentOf(sum string) string {
	for i := range 9 {
		if one := strconv.Itoa(i); hashOf(one) == sum {
			return one
		}
	}
	return "another content"
}

func TestRead_C59_LinksThatLeadNowhereAreNamed(t *testing.T) {
	t.Parallel()
	outside := write(t, t.TempDir(), files{"secret": "x"}, false)
	for _, test := range []struct {
		link, target string
		more         files
		word         string
	}{
		{"a/m", "nothing", nil, "points to nothing"},
		{"a/m", "../z.py/x", nil, "points to nothing"},
		{"a/m", "../../" + filepath.Base(outside) + "/secret", nil, "leads out of"},
		{"a/m", "../..", nil, "leads out of"},
		{"a/m", "../out/secret", files{"out": "->../" + filepath.Base(outside)}, "leads out of"},
		{"a/m", filepath.Join(outside, "secret"), nil, "absolute path"},
		{"a/m", "m", nil, "circle of links"},
		{"a/m", "n", files{"a/n": "->m"}, "circle of links"},
		{"a/m", ".", nil, "leads back"},
		{"a/m", "..", nil, "leads back"},
		{"a/z/m", "../../a", nil, "leads back"},
		{"a/m", "../data/deep", files{"data/deep/back": "->../../a"}, "leads back"},
	} {
		dir := write(t, t.TempDir(), withLink(test.link, test.target), false)
		write(t, dir, test.more, false)
		s := bundle.Source{Dir: dir, Symlinks: bundle.SymlinksFollow}
		e := refused(t, s, bundle.KindLink, "->", test.word, "exclude")
		if len(test.more) == 0 && (e.Path != test.link || !strings.Contains(e.Summary, "-> "+test.target)) {
			t.Errorf("%s -> %s is not what %v names", test.link, test.target, e.Summary)
		}
		s.Symlinks = bundle.SymlinksError
		if e := refused(t, s, bundle.KindLink, "->"); len(test.more) == 0 && e.Path != test.link {
			t.Errorf("%s -> %s: the path of the error is %s", test.link, test.target, e.Path)
		}
		// Left out by a pattern, or skipped, it does no harm to what is beside it.
		s.Excludes = append(sorted(test.more), test.link)
		if got := paths(read(t, s)); !slices.Equal(got, siblings) {
			t.Errorf("%s -> %s left out: got %q", test.link, test.target, got)
		}
		s.Excludes, s.Symlinks = nil, bundle.SymlinksSkip
		m := read(t, s)
		want := slices.Sorted(slices.Values(append(sorted(test.more), test.link)))
		if !slices.Equal(paths(m), siblings) || !slices.Equal(m.Skipped, want) {
			t.Errorf("%s -> %s skipped: got %q, skipped %q", test.link, test.target, paths(m), m.Skipped)
		}
	}
}

func TestRead_C59_ALinkIsRefusedWithItsTarget(t *testing.T) {
	t.Parallel()
	for _, target := range []string{"../data", "../data/one.csv"} {
		dir := write(t, t.TempDir(), withLink("a/m", target), false)
		for _, policy := range []bundle.SymlinkPolicy{"", bundle.SymlinksError} {
			refused(t, bundle.Source{Dir: dir, Symlinks: policy}, bundle.KindLink, "a/m -> "+target+" is a symbolic link", `symlinks = "follow"`)
		}
		s := bundle.Source{Dir: dir, Includes: []string{"**/*.py"}}
		if target != "../data" {
			if got := paths(read(t, s)); !slices.Equal(got, []string{"a/first.py", "a/z/last.py", "z.py"}) {
				t.Errorf("a link that nobody asked for: got %q", got)
			}
		}
		s = bundle.Source{Dir: dir, Excludes: []string{"a/m/**", "a/m"}}
		if got := paths(read(t, s)); !slices.Equal(got, siblings) {
			t.Errorf("got %q", got)
		}
	}
	refused(t, bundle.Source{Dir: t.TempDir(), Symlinks: "keep"}, bundle.KindLink, `"keep"`, "error, follow or skip")
}

// Each level links twice to the next: 2^30 directories of 31. The last one holds
// files of the bundle, or nothing that counts.
func TestRead_C59_LinksThatMultiplyAreStopped(t *testing.T) {
	t.Parallel()
	for file, what := range map[string]string{".py": "files", ".pyc": "directories"} {
		tree := files{"d30/1" + file: "", "d30/2" + file: "", "d30/3" + file: ""}
		for i := range 30 {
			level := "d" + strconv.Itoa(i)
			tree[level+"/l"], tree[level+"/r"] = "->../d"+strconv.Itoa(i+1), "->../d"+strconv.Itoa(i+1)
		}
		s := bundle.Source{Dir: write(t, t.TempDir(), tree, false), Symlinks: bundle.SymlinksFollow, MaxFiles: 2000}
		refused(t, s, bundle.KindLimit, "more than 2000 "+what)
	}
}
