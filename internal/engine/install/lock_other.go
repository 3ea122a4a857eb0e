// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

//go:build !unix

package install

import (
	"context"
	"errors"
)

// Lock is not supported here: engines run on Linux and macOS only.
func Lock(context.Context, string, func()) (func(), error) {
	return nil, errors.New("engines can be started on Linux and macOS only")
}
