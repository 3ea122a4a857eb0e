// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

//go:build unix

package bundle

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// What was a file during the walk is something else when it is opened.
func TestRead_C66_WhatTookThePlaceOfAFileIsRefused(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(outside, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		put  func(path string) error
		kind Kind
	}{
		"a FIFO that nobody writes to": {func(path string) error { return syscall.Mkfifo(path, 0o644) }, KindSpecial},
		"a directory":                  {func(path string) error { return os.Mkdir(path, 0o755) }, KindSpecial},
		"a link out of the root":       {func(path string) error { return os.Symlink(outside, path) }, KindRead},
		"nothing":                      {func(string) error { return nil }, KindRead},
	} {
		s := Source{Dir: t.TempDir()}
		if err := test.put(filepath.Join(s.Dir, "a.py")); err != nil {
			t.Fatal(err)
		}
		tree, err := s.open()
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.hash(t.Context(), tree, listing{entries: []entry{{path: "a.py", real: "a.py"}}})
		if e, ok := errors.AsType[*Error](err); !ok || e.Kind != test.kind || e.Path != "a.py" {
			t.Errorf("%s: %v", name, err)
		}
		if err := tree.close(); err != nil {
			t.Error(err)
		}
	}
}
