// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package acctest_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What somebody built stays out of the repository: each clone would carry it for
// ever. A source archive, which has no git, was made of what is tracked.
func TestRepository_TracksNothingThatWasBuilt(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	if _, err := os.Stat(filepath.Join(root, ".git")); errors.Is(err, fs.ErrNotExist) {
		return
	}
	command := exec.CommandContext(t.Context(), "git", "ls-files", "-z")
	command.Dir = root
	listed, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	for name := range strings.SplitSeq(strings.TrimRight(string(listed), "\x00"), "\x00") {
		files++
		content, err := os.ReadFile(filepath.Join(root, name))
		if errors.Is(err, fs.ErrNotExist) {
			// Deleted, and not committed yet.
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for what, magic := range map[string]string{"an ELF": "\x7fELF", "a Mach-O": "\xcf\xfa\xed\xfe", "a Windows": "MZ"} {
			if bytes.HasPrefix(content, []byte(magic)) {
				t.Errorf("%s is %s program", name, what)
			}
		}
		if len(content) > 1<<20 {
			t.Errorf("%s has %d bytes", name, len(content))
		}
	}
	if files < 100 {
		t.Errorf("only %d files are tracked", files)
	}
}
