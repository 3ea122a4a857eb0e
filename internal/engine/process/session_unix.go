// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

//go:build unix

package process

import "syscall"

// ownSession makes a started process the leader of a session and of a process
// group of its own.
func ownSession() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true}
}
