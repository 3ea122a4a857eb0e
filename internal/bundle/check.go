// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package bundle

import "context"

// Severity says what a problem means.
type Severity string

// The severities.
const (
	// Refused: the job would fail.
	Refused Severity = "refused"
	// Risk: whether it works depends on what the files do not tell.
	Risk Severity = "risk"
)

// Problem is something that is wrong with the content of a bundle.
type Problem struct {
	Severity Severity
	// Path is the file or the directory, empty for the bundle as a whole.
	Path string
	// Summary is one line; Detail says why, and what to do.
	Summary, Detail string
}

// CheckOptions is what is known beside the content.
type CheckOptions struct {
	// TargetPlatform is where the job runs, as ParsePlatform reads it. Where it
	// is empty or "any", native code is not held against it.
	TargetPlatform string
	// Requirements is the path of the requirements file in the bundle, or empty.
	Requirements string
}

// Check finds what would let a job fail later, sorted by path. It needs the
// manifest as Read returned it, and reads no file but that of the requirements.
func Check(_ context.Context, _ Source, _ *Manifest, _ CheckOptions) ([]Problem, error) {
	return nil, nil
}
