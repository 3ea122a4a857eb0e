// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

//go:build unix

package process

import (
	"os"
	"strconv"
	"syscall"
)

// ownSession makes a started process the leader of a session and of a process
// group of its own.
func ownSession() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true}
}

// keepDescriptors keeps what this program inherited from its own caller, be it
// a pipe or a locked file, from being held open by the processes it starts for
// as long as those run.
func keepDescriptors() error {
	entries, err := os.ReadDir("/dev/fd")
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if fd, err := strconv.Atoi(entry.Name()); err == nil && fd > 2 {
			syscall.CloseOnExec(fd)
		}
	}
	return nil
}

func halt(pid int) error { return signal(pid, syscall.SIGSTOP) }
