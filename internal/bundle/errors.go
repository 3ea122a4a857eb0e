// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package bundle

import "fmt"

// Kind says which part of a source an Error is about.
type Kind string

// The kinds of errors.
const (
	// KindRoot: the directory is not there, or is none.
	KindRoot Kind = "root"
	// KindLink: a symbolic link that the policy or the link's target forbids.
	KindLink Kind = "link"
	// KindSpecial: neither a file, nor a directory, nor a link.
	KindSpecial Kind = "special file"
	// KindName: a name that cannot be one in an archive.
	KindName Kind = "name"
	// KindLimit: more files or bytes than allowed.
	KindLimit Kind = "limit"
	// KindPattern: an include or exclude that is no pattern.
	KindPattern Kind = "pattern"
	// KindRead: a file that disappeared, or cannot be read.
	KindRead Kind = "read"
)

// Error is what is wrong with a source.
type Error struct {
	Kind Kind
	// Path is relative to the root; of KindRoot it is the absolute path that
	// was tried, and of KindPattern the pattern.
	Path string
	// Summary is one line; Detail says why, and what to do.
	Summary, Detail string
	// Err is what the system said, or nil.
	Err error
}

func (e *Error) Error() string {
	if e.Detail == "" {
		return e.Summary
	}
	return e.Summary + ": " + e.Detail
}

// Unwrap returns what the system said.
func (e *Error) Unwrap() error { return e.Err }

// ChangedError means that a source has another content than was planned.
type ChangedError struct {
	// Path is the first file that differs, empty where that cannot be told.
	Path string
	// What happened to it.
	What Change
	// Others is how many more files are known to differ.
	Others int
	// Want and Got are the planned and the actual SHA-256 of the manifest; Got
	// is empty where the rest was not read any more.
	Want, Got string
}

// Change is what happened to a file since the plan.
type Change string

// The changes.
const (
	// Changed: other bytes.
	Changed Change = "changed"
	// Missing: it is not there any more.
	Missing Change = "missing"
	// New: it was not there.
	New Change = "new"
	// ModeChanged: its executable bit is another one. Hashes alone do not tell
	// of which file.
	ModeChanged Change = "mode changed"
	// Unnamed: the content is another one, and which file it is cannot be told.
	Unnamed Change = "content changed"
)

func (e *ChangedError) Error() string {
	switch {
	case e.Path == "" && e.What == ModeChanged:
		return fmt.Sprintf("a file has another executable bit than at the plan (sha256 %s instead of %s)", e.Got, e.Want)
	case e.Path == "":
		return fmt.Sprintf("the content changed since the plan (sha256 %s instead of %s)", e.Got, e.Want)
	}
	said := map[Change]string{
		Changed: "changed since the plan", Missing: "was there at the plan, and is missing now", New: "was not there at the plan",
		ModeChanged: "has another executable bit than at the plan",
	}[e.What]
	switch e.Others {
	case 0:
		return fmt.Sprintf("%s %s", e.Path, said)
	case 1:
		return fmt.Sprintf("%s %s, and one more file differs", e.Path, said)
	default:
		return fmt.Sprintf("%s %s, and %d more files differ", e.Path, said, e.Others)
	}
}
