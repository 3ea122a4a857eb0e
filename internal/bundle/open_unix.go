// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

//go:build unix

package bundle

import (
	"os"
	"syscall"
)

// openFlags let a FIFO that took the place of a file be opened, and refused.
const openFlags = os.O_RDONLY | syscall.O_NONBLOCK
