// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package jobs

import (
	"archive/zip"
	"bytes"
	"errors"
)

// Edition is a jar with the same classes and another content: what a new
// version of a program is to a cluster.
func Edition(jar []byte, text string) ([]byte, error) {
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
		if err := writer.Copy(entry); err != nil {
			return nil, err
		}
	}
	added, err := writer.Create(editionFile)
	if err == nil {
		_, err = added.Write([]byte(text))
	}
	if err := errors.Join(err, writer.Close()); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

const editionFile = "edition.txt"
