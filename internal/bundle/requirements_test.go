// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package bundle_test

import (
	"strings"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/bundle"
)

func TestCheck_C64_ARequirementsFileHasToBeThere(t *testing.T) {
	t.Parallel()
	tree := files{"a.py": "", "deps/requirements.txt": "numpy==1.26.4\n"}
	for name, words := range map[string][]string{
		"requirements.txt": {"requirements.txt is not in the bundle", "includes or excludes"}, "deps": {"deps is a directory"},
		"../requirements.txt": {"cannot be the requirements file"}, "/etc/requirements.txt": {"cannot be the requirements file"}, "a.py/x": {"not in the bundle"},
	} {
		check(t, name, tree, bundle.CheckOptions{Requirements: name}, want{bundle.Refused, name, words})
	}
	for _, name := range []string{"deps/requirements.txt", "./deps/requirements.txt"} {
		check(t, name, tree, bundle.CheckOptions{Requirements: name})
	}
}

func TestCheck_C64_RequirementsThatPipCannotKeepAreSaid(t *testing.T) {
	t.Parallel()
	const file = "requirements.txt"
	risk := func(words ...string) []want { return []want{{bundle.Risk, file, words}} }
	for content, wanted := range map[string][]want{
		"":                             nil,
		"# a comment\n\n  # another\n": nil,
		"numpy==1.26.4\r\npandas == 2.2.0 # why\r\n":                      nil,
		"\xef\xbb\xbfnumpy==1.26.4\n":                                     nil,
		"numpy[all]==1.26.4 ; python_version < '3.12'\n":                  nil,
		"numpy===1.26.4\n":                                                nil,
		"numpy==1.26.4 \\\n    --hash=sha256:00 \\\n    --hash=sha256:01": nil,
		"numpy==1.26.4 \\\r\n    --hash=sha256:00\r\n":                    nil,
		"--index-url https://index.example.com/simple\nnumpy==1\n":        nil,
		"geo @ https://example.com/geo-1.0-py3-none-any.whl\n":            nil,
		"https://example.com/geo-1.0-py3-none-any.whl#sha256=00\n":        nil,
		"-e git+https://example.com/geo.git@v1#egg=geo\n":                 nil,
		"\xff\xfen\x00": nil,
		"numpy\npandas>=2\nsix==1.*\nscipy~=1.11\nattrs==1\n":      risk("does not name one version", "line 1 (numpy), line 2 (pandas>=2), line 3 (six==1.*), line 4 (scipy~=1.11)"),
		"-r more.txt\n--requirement=x.txt\n-c c.txt\nnumpy==1\n":   risk("names another file", "line 1 (-r more.txt), line 2 (--requirement=x.txt), line 3 (-c c.txt)"),
		"-e .\n--editable ./geo\n.\n../geo\n/opt/geo\nfile:///x\n": risk("of this machine", "line 1 (-e .)", "line 5 (/opt/geo) and 1 more"),
		"geo @ file:///opt/geo.whl\n":                              risk("of this machine"),
		"--index-url https://user:secret@index.example.com/\n":     risk("holds a password", "line 1"),
		"# one\nnumpy # two\n":                                     risk("line 2 (numpy)"),
	} {
		check(t, content, files{"a.py": "", file: content}, bundle.CheckOptions{Requirements: file}, wanted...)
	}
}

func TestCheck_C64_APasswordIsNotRepeated(t *testing.T) {
	t.Parallel()
	s := bundle.Source{Files: files{"a.py": "", "r.txt": "-r https://user:secret@example.com/r.txt\ngit+https://user:secret@example.com/geo\ngeo @ file://secret@host/x"}}
	found, err := bundle.Check(t.Context(), s, read(t, s), bundle.CheckOptions{Requirements: "r.txt"})
	must(t, err)
	if len(found) == 0 {
		t.Error("nothing is found")
	}
	for _, problem := range found {
		if text := problem.Summary + problem.Detail; strings.Contains(text, "secret") {
			t.Errorf("%q", text)
		}
	}
}
