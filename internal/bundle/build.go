// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package bundle

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// Built is an archive in a temporary file, which no one else has a name for
// where the system allows that: a killed process leaves nothing behind.
type Built struct {
	Archive

	file    *os.File
	removed bool
}

// Build writes the archive of a source into a temporary file, so that its size
// is known, and its content held to the plan, before anything is sent. Errors
// are those of Source.Write. The caller closes it.
func Build(ctx context.Context, s Source, planned Planned) (_ *Built, err error) {
	file, err := os.CreateTemp("", "terraform-streaming-*")
	if err != nil {
		return nil, fmt.Errorf("make a temporary file (TMPDIR says where): %w", err)
	}
	b := &Built{file: file, removed: os.Remove(file.Name()) == nil}
	defer func() {
		if err != nil {
			err = errors.Join(err, b.Close())
		}
	}()
	if b.Archive, err = s.Write(ctx, file, planned); err != nil {
		return nil, err
	}
	return b, nil
}

// Open returns a reader from the beginning. Several may be open at a time.
func (b *Built) Open() (io.ReadCloser, error) {
	return io.NopCloser(io.NewSectionReader(b.file, 0, b.Size)), nil
}

// Close removes the file.
func (b *Built) Close() error {
	err := b.file.Close()
	if !b.removed {
		err = errors.Join(err, os.Remove(b.file.Name()))
	}
	return err
}
