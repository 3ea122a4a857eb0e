// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle

import (
	"context"
	"errors"
	"strings"
)

// none is the program of an operation that starts nothing.
type none struct{}

func (none) Fingerprint() []string                 { return nil }
func (none) JarSHA256() string                     { return "" }
func (none) Prepare(context.Context) (bool, error) { return false, nil }
func (none) Discard(context.Context) error         { return nil }
func (none) Submit(context.Context, Submission) (string, error) {
	return "", errors.New("nothing to start")
}

// gone tells whether a disposal failed because there is nothing to dispose of.
func gone(trace string) bool {
	return strings.Contains(trace, "FileNotFoundException") || strings.Contains(trace, "Cannot find checkpoint or savepoint")
}
