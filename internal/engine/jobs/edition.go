// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package jobs

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
)

const (
	editionFile  = "edition.txt"
	counterClass = "streaming/jobs/Counter.class"
)

// Edition is a jar with the same classes and another content: what a new
// version of a program is to a cluster.
func Edition(jar []byte, text string) ([]byte, error) {
	return edition(jar, text, func(_ string, content []byte) []byte { return content })
}

// Misfit is an edition whose Counter keeps its state under another operator id,
// unless one is asked for: state of the others does not fit it, so that it does
// not start from their savepoints.
func Misfit(jar []byte, text string) ([]byte, error) {
	// A class keeps each string as a tag, its length in two bytes, and its text.
	const tag = "\x01\x00\x07"
	found := false
	changed, err := edition(jar, text, func(name string, content []byte) []byte {
		if name != counterClass {
			return content
		}
		found = bytes.Contains(content, []byte(tag+"counter"))
		return bytes.ReplaceAll(content, []byte(tag+"counter"), []byte(tag+"tallier"))
	})
	if err == nil && !found {
		err = fmt.Errorf("%s does not name its operator", counterClass)
	}
	return changed, err
}

// edition copies a jar's entries through change, and adds one of its own.
func edition(jar []byte, text string, change func(name string, content []byte) []byte) ([]byte, error) {
	reader, err := zip.NewReader(bytes.NewReader(jar), int64(len(jar)))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	writer := zip.NewWriter(&out)
	for _, entry := range reader.File {
		if entry.Name == editionFile {
			continue
		}
		content, err := contentOf(entry)
		if err != nil {
			return nil, err
		}
		if err := add(writer, entry.Name, change(entry.Name, content)); err != nil {
			return nil, err
		}
	}
	if err := errors.Join(add(writer, editionFile, []byte(text)), writer.Close()); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func contentOf(entry *zip.File) (content []byte, err error) {
	reader, err := entry.Open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	return io.ReadAll(reader)
}

func add(writer *zip.Writer, name string, content []byte) error {
	entry, err := writer.Create(name)
	if err == nil {
		_, err = entry.Write(content)
	}
	return err
}
