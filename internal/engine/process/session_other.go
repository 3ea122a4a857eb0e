// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

//go:build !unix

package process

import (
	"errors"
	"syscall"
)

func ownSession() *syscall.SysProcAttr { return nil }

func keepDescriptors() error { return nil }

func halt(int) error { return errors.ErrUnsupported }
