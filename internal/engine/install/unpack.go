// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package install

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Unpack writes the files of a .whl, .zip or .tar.gz archive to the places
// that place names for them. A file for which it returns "" is left out.
func Unpack(ctx context.Context, archive string, place func(name string) string) error {
	switch {
	case strings.HasSuffix(archive, ".whl"), strings.HasSuffix(archive, ".zip"):
		return unzip(ctx, archive, place)
	case strings.HasSuffix(archive, ".tar.gz"):
		return untar(ctx, archive, place)
	default:
		return fmt.Errorf("%s is neither a .whl, a .zip nor a .tar.gz", archive)
	}
}

func unzip(ctx context.Context, archive string, place func(string) string) error {
	reader, err := zip.OpenReader(archive)
	if err != nil {
		return err
	}
	defer func() { _ = reader.Close() }()
	for _, file := range reader.File {
		target := place(file.Name)
		if target == "" || strings.HasSuffix(file.Name, "/") {
			continue
		}
		content, err := file.Open()
		if err != nil {
			return err
		}
		err = write(ctx, target, content)
		_ = content.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

func untar(ctx context.Context, archive string, place func(string) string) error {
	file, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	plain, err := gzip.NewReader(file)
	if err != nil {
		return err
	}
	reader := tar.NewReader(plain)
	for {
		header, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		target := place(header.Name)
		if target == "" || header.Typeflag != tar.TypeReg {
			continue
		}
		if err := write(ctx, target, reader); err != nil {
			return err
		}
	}
}

func write(ctx context.Context, target string, content io.Reader) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	file, err := os.Create(target)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, content)
	return errors.Join(err, file.Close())
}
