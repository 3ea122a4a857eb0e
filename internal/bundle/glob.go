// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package bundle

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// maxAlternatives is how many patterns the braces of one may stand for.
const maxAlternatives = 256

// CheckPattern tells what is wrong with a pattern of Includes or Excludes, as
// an *Error that names it.
//
// A pattern is held against the whole path from the root, as Terraform's
// fileset does: "*.md" is about the root's own files, "**/*.md" about those of
// all directories. "*" stands for any characters but a slash, "?" for one,
// "[a-z]" and "[!a-z]" for one of a class, "{a,b}" for one of a list, and "**",
// as a whole part between slashes, for any number of directories, none
// included. A backslash takes a character as it is. A pattern that fits a
// directory is about everything below it, so "tests", "tests/" and "tests/**"
// leave out the same files.
func CheckPattern(pattern string) error {
	_, err := compile(pattern)
	return err
}

// glob is a compiled pattern: all that its braces stand for.
type glob []alternative

// alternative is a pattern without braces.
type alternative struct {
	// parts are what lies between the slashes.
	parts []string
	// within is about what lies in a directory, and not about a file.
	within bool
}

const anyDirs = "**"

func compile(pattern string) (glob, error) {
	wrong := func(why string) error {
		return &Error{Kind: KindPattern, Path: pattern, Summary: fmt.Sprintf("%q is no pattern", pattern), Detail: why}
	}
	alternatives, why := braces(pattern)
	if why != "" {
		return nil, wrong(why)
	}
	var all glob
	for _, one := range alternatives {
		parsed, why := split(one)
		if why != "" {
			return nil, wrong(why)
		}
		all = append(all, parsed)
	}
	return all, nil
}

// split returns the parts of a pattern without braces, or why it is none.
func split(pattern string) (a alternative, why string) {
	if strings.HasPrefix(pattern, "/") {
		return a, "It is an absolute path. Patterns are relative to the root of the bundle."
	}
	a.within = strings.HasSuffix(pattern, "/")
	for part := range strings.SplitSeq(pattern, "/") {
		switch {
		case part == "" || part == ".":
			continue
		case part == "..":
			return a, "It leads out of the root of the bundle, and nothing there is part of it."
		case part == anyDirs && len(a.parts) > 0 && a.parts[len(a.parts)-1] == anyDirs:
			continue
		}
		part = negations(part)
		if _, err := path.Match(part, ""); err != nil {
			return a, fmt.Sprintf("%q has a bracket or a backslash without its other half.", part)
		}
		a.parts = append(a.parts, part)
	}
	last := len(a.parts) - 1
	if last < 0 {
		return a, "It names nothing."
	}
	if last > 0 && a.parts[last] == anyDirs {
		a.parts, a.within = a.parts[:last], true
	}
	return a, ""
}

// negations writes "[!" as Go does.
func negations(part string) string {
	written := []byte(part)
	class := false
	for i := 0; i < len(written); i++ {
		switch c := written[i]; {
		case c == '\\':
			i++
		case class:
			class = c != ']'
		case c == '[':
			class = true
			if i+1 < len(written) && written[i+1] == '!' {
				written[i+1] = '^'
			}
		}
	}
	return string(written)
}

// braces writes out the lists of a pattern.
func braces(pattern string) (alternatives []string, why string) {
	open, closing, commas := list(pattern)
	switch {
	case open < 0 && closing < 0:
		return []string{pattern}, ""
	case open < 0 || closing < 0:
		return nil, "It has a brace without its other half; a backslash before it takes it as it is."
	}
	start := open + 1
	for _, end := range append(commas, closing) {
		rest, why := braces(pattern[:open] + pattern[start:end] + pattern[closing+1:])
		if why != "" {
			return nil, why
		}
		alternatives = append(alternatives, rest...)
		if len(alternatives) > maxAlternatives {
			return nil, fmt.Sprintf("Its braces stand for more than %d patterns.", maxAlternatives)
		}
		start = end + 1
	}
	return alternatives, ""
}

// list finds the first list of a pattern: its braces, -1 where one is not
// there, and its own commas.
func list(pattern string) (open, closing int, commas []int) {
	open, closing = -1, -1
	depth, class := 0, false
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case class:
			class = c != ']'
		case c == '[':
			class = true
		case c == '{':
			if depth++; depth == 1 {
				open = i
			}
		case c == ',' && depth == 1:
			commas = append(commas, i)
		case c == '}':
			if depth--; depth <= 0 {
				return open, i, commas
			}
		}
	}
	return open, closing, commas
}

// match tells whether the path of a file or of a directory fits, or that of a
// directory that it lies in.
func (g glob) match(parts []string, dir bool) bool {
	return slices.ContainsFunc(g, func(a alternative) bool { return a.match(parts, dir) })
}

// match keeps, while it walks down the path, all places in the pattern at
// which it can be.
func (a alternative) match(parts []string, dir bool) bool {
	end := len(a.parts)
	at := make([]bool, end+1)
	at[0] = true
	for depth := 0; ; depth++ {
		for i, part := range a.parts {
			at[i+1] = at[i+1] || at[i] && part == anyDirs
		}
		last := depth == len(parts)
		if depth > 0 && at[end] && (!a.within || !last || dir) {
			return true
		}
		if last {
			return false
		}
		next := make([]bool, end+1)
		for i, part := range a.parts {
			if !at[i] {
				continue
			}
			if part == anyDirs {
				next[i] = true
			} else if fits, _ := path.Match(part, parts[depth]); fits {
				next[i+1] = true
			}
		}
		at = next
	}
}
