// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package bundle

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

func TestPattern_FitsWholePaths(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		pattern   string
		fits, not []string
	}{
		{"a.py", []string{"a.py"}, []string{"b/a.py", "xa.py", "a.pyc"}},
		{"*.py", []string{"a.py", ".py"}, []string{"b/a.py", "a.pyc"}},
		{"**/*.py", []string{"a.py", "b/a.py", "b/c/a.py"}, []string{"a.pyc", "b/a"}},
		{"b/**/a.py", []string{"b/a.py", "b/c/a.py", "b/c/d/a.py"}, []string{"a.py", "c/b/a.py"}},
		{"tests", []string{"tests", "tests/a", "tests/b/c"}, []string{"tests2", "x/tests"}},
		{"tests/", []string{"tests/a", "tests/b/c", "tests (directory)"}, []string{"tests", "x/tests/a"}},
		{"tests/**", []string{"tests/a", "tests/b/c", "tests (directory)"}, []string{"tests", "testsa"}},
		{"./tests//", []string{"tests/a"}, []string{"tests"}},
		{"**/tests/**", []string{"tests/a", "x/y/tests/a"}, []string{"tests", "x/tests"}},
		{"tests/**/*", []string{"tests/a", "tests/b/c"}, []string{"tests"}},
		{"**", []string{"a", "a/b"}, nil},
		{"**/**", []string{"a", "a/b"}, nil},
		{"a**", []string{"a", "ab", "ab/c"}, []string{"b"}},
		{"?.py", []string{"a.py", "é.py"}, []string{"ab.py", ".py"}},
		{"[a-c].py", []string{"b.py"}, []string{"d.py", "-.py"}},
		{"[!a-c].py", []string{"d.py", "!.py"}, []string{"b.py"}},
		{"[^a-c].py", []string{"d.py"}, []string{"b.py"}},
		{`\[!a].py`, []string{"[!a].py"}, []string{"b.py"}},
		{`\*.py`, []string{"*.py"}, []string{"a.py"}},
		{"*.{py,txt}", []string{"a.py", "a.txt"}, []string{"a.md", "a.{py,txt}"}},
		{"{a,b/{c,d}}/*.py", []string{"a/x.py", "b/c/x.py", "b/d/x.py"}, []string{"b/x.py", "c/x.py"}},
		{"{tests/,docs}", []string{"tests/a", "docs", "docs/a"}, []string{"tests"}},
		{"a{,b}", []string{"a", "ab"}, []string{"abb"}},
		{`\{a,b\}`, []string{"{a,b}"}, []string{"a"}},
		{"[{]a", []string{"{a"}, []string{"[{]a"}},
		{"a,b", []string{"a,b"}, []string{"a", "b"}},
		{"ä/*", []string{"ä/ö"}, []string{"a/ö"}},
	} {
		parsed, err := compile(test.pattern)
		if err != nil {
			t.Errorf("%s: %v", test.pattern, err)
			continue
		}
		for i, name := range append(test.fits, test.not...) {
			plain, dir := strings.CutSuffix(name, " (directory)")
			if parsed.match(strings.Split(plain, "/"), dir) != (i < len(test.fits)) {
				t.Errorf("%s fits %s: %t", test.pattern, name, i >= len(test.fits))
			}
		}
	}
}

func TestPattern_WhatIsNoneIsNamed(t *testing.T) {
	t.Parallel()
	for pattern, word := range map[string]string{
		"": "names nothing", "/": "absolute", "/a": "absolute", "..": "out of the root", "a/../b": "out of the root", "./.": "names nothing",
		"[a": "bracket", "a/[]": "bracket", "[a-": "bracket", `a\`: "bracket", "{a": "brace", "a}": "brace", "{a,{b}": "brace",
		"{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}": "more than 256", "{a,../b}": "out of the root",
		strings.Repeat("{a,b}", 1000): "more than 256",
	} {
		err := CheckPattern(pattern)
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Kind != KindPattern || e.Path != pattern || !strings.Contains(e.Summary, fmt.Sprintf("%q", pattern)) || !strings.Contains(e.Detail, word) {
			t.Errorf("%q: %v", pattern, err)
		}
	}
}

// simple is what a pattern without braces means, as a regular expression.
func simple(pattern string) string {
	within := strings.HasSuffix(pattern, "/")
	var parts []string
	for part := range strings.SplitSeq(pattern, "/") {
		if part != "" && part != "." && (part != "**" || len(parts) == 0 || parts[len(parts)-1] != "**") {
			parts = append(parts, part)
		}
	}
	if len(parts) > 1 && parts[len(parts)-1] == "**" {
		parts, within = parts[:len(parts)-1], true
	}
	expression := "^"
	for i, part := range parts {
		last := i == len(parts)-1
		switch {
		case part == "**" && last:
			expression += "[^/]+"
		case part == "**":
			expression += "(?:[^/]+/)*"
		default:
			part = strings.ReplaceAll(strings.ReplaceAll(regexp.QuoteMeta(part), `\*`, "[^/]*"), `\?`, "[^/]")
			expression += part
			if !last {
				expression += "/"
			}
		}
	}
	if within {
		return "(?s)" + expression + "/.*$"
	}
	return "(?s)" + expression + "(?:/.*)?$"
}

func FuzzGlob(f *testing.F) {
	for _, seed := range [][2]string{
		{"tests/**", "tests/a/b"}, {"**/*.py", "a/b.py"}, {"[!a]?/{b,c}", "bb/c"}, {`\*`, "*"}, {"a/**/b/", "a/b/c"}, {"{{,},}", "x"}, {"**/a/**/b", "a/a/b/b"},
	} {
		f.Add(seed[0], seed[1])
	}
	plain := regexp.MustCompile(`^[a-c/*?.]*$`)
	f.Fuzz(func(t *testing.T, pattern, name string) {
		parsed, err := compile(pattern)
		if err != nil {
			if e, ok := errors.AsType[*Error](err); !ok || e.Path != pattern {
				t.Errorf("%v", err)
			}
			return
		}
		parts := strings.Split(name, "/")
		got := parsed.match(parts, false)
		// What is in a directory that fits, fits.
		if got && !parsed.match(append(parts, "x"), false) || parsed.match(parts, true) && !parsed.match(append(parts, "x"), false) {
			t.Errorf("%q fits %q and not what is in it", pattern, name)
		}
		if !plain.MatchString(pattern) || nameProblem(name) != "" || name != strings.Join(parts, "/") || strings.Contains("/"+name, "//") {
			return
		}
		if want := regexp.MustCompile(simple(pattern)).MatchString(name); got != want {
			t.Errorf("%q fits %q: %t, and by %s %t", pattern, name, got, simple(pattern), want)
		}
	})
}
