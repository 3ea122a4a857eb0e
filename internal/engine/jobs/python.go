// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package jobs

import (
	"archive/zip"
	"bytes"
	"embed"
	"io/fs"
	"path"
)

// The modules of the Python programs. PythonWords is what PythonCounter says,
// and has the function add_one for SQL: the part that tests edit.
const (
	PythonCounter = "counter_job"
	PythonWords   = "counter_words"
)

//go:embed python/*.py
var programs embed.FS

// Python returns the files of the Python programs, by name.
func Python() (map[string][]byte, error) {
	const root = "python"
	entries, err := fs.ReadDir(programs, root)
	if err != nil {
		return nil, err
	}
	files := make(map[string][]byte, len(entries))
	for _, entry := range entries {
		content, err := programs.ReadFile(path.Join(root, entry.Name()))
		if err != nil {
			return nil, err
		}
		files[entry.Name()] = content
	}
	return files, nil
}

// PythonArchive makes a zip archive of files, which Flink takes for a Python
// path whatever it is called.
func PythonArchive(files map[string][]byte) ([]byte, error) {
	var out bytes.Buffer
	writer := zip.NewWriter(&out)
	for name, content := range files {
		if err := add(writer, name, content); err != nil {
			return nil, err
		}
	}
	if err := writer.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
