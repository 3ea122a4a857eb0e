// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package bundle

import (
	"fmt"
	"path"
	"strings"
	"unicode/utf8"
)

// checkName refuses what is no name in an archive, or another one on another
// machine.
func checkName(name string) error {
	why := nameProblem(name)
	if why == "" {
		return nil
	}
	return &Error{Kind: KindName, Path: name, Summary: fmt.Sprintf("%q cannot be a name in a bundle", shown(name)), Detail: why}
}

// nameProblem says why something is no name, empty for nothing.
func nameProblem(name string) string {
	switch {
	case name == "" || path.Clean(name) == ".":
		return "It names no file."
	case !utf8.ValidString(name):
		return "It is not valid UTF-8, which the names in an archive are. Rename it, or leave it out with an exclude."
	case strings.ContainsRune(name, 0):
		return "It has a NUL byte."
	case strings.Contains(name, `\`):
		return "It has a backslash, which is a part of the name on one system and parts names on another. Write slashes between the parts."
	case strings.HasPrefix(name, "/") || len(name) > 1 && name[1] == ':':
		return "It is an absolute path. Names are relative to the root of the bundle."
	case strings.HasSuffix(name, "/"):
		return "It ends like a directory. A directory is there as soon as a file is in it."
	case climbs(name):
		return `It has a part "..", and could leave the directory that the archive is unpacked in.`
	case len(name) > maxName:
		return fmt.Sprintf("It is %d bytes long; an archive holds names of at most %d.", len(name), maxName)
	}
	return ""
}

// maxName is what a zip holds, less the slash of a directory.
const maxName = 1<<16 - 2

func climbs(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." {
			return true
		}
	}
	return false
}

// shown keeps a line of an error short.
func shown(name string) string {
	const enough = 200
	if len(name) <= enough {
		return name
	}
	return name[:enough] + "..."
}
