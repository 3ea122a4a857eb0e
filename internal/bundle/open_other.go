// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

//go:build !unix

package bundle

import "os"

const openFlags = os.O_RDONLY
