// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package bundle

// The systems of a Platform.
const (
	Linux   = "linux"
	MacOS   = "macosx"
	Windows = "win"
)

// Platform is what native code is made for.
type Platform struct {
	// System is Linux, MacOS or Windows, and empty for any.
	System string
	// Machine as wheels name it, for example x86_64 or aarch64.
	Machine string
}
