// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package download

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"os"
)

func tlsConfig(roots *x509.CertPool) *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots}
}

// create makes the temporary file, and takes its name away at once where an
// open file needs none.
func create() (*File, error) {
	file, err := os.CreateTemp("", "terraform-streaming-*")
	if err != nil {
		return nil, fmt.Errorf("make a temporary file (TMPDIR says where): %w", err)
	}
	return &File{file: file, removed: os.Remove(file.Name()) == nil}, nil
}

// diskError tells a full disk from a broken connection.
type diskError struct{ err error }

func (e *diskError) Error() string { return "write the temporary file: " + e.err.Error() }
func (e *diskError) Unwrap() error { return e.err }

type diskWriter struct{ file *os.File }

func (w diskWriter) Write(p []byte) (int, error) {
	n, err := w.file.Write(p)
	if err != nil {
		return n, &diskError{err}
	}
	return n, nil
}

// watched reports each arrival.
type watched struct {
	reader io.Reader
	moved  func()
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.reader.Read(p)
	if n > 0 {
		w.moved()
	}
	return n, err
}

// beginning keeps the first bytes, by which a page is known.
type beginning struct{ content []byte }

func (b *beginning) Write(p []byte) (int, error) {
	const enough = 64
	if missing := enough - len(b.content); missing > 0 {
		b.content = append(b.content, p[:min(missing, len(p))]...)
	}
	return len(p), nil
}

func (b *beginning) page() bool { return bytes.HasPrefix(bytes.TrimSpace(b.content), []byte("<")) }
