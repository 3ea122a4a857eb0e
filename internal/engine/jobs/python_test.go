// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package jobs

import (
	"archive/zip"
	"bytes"
	"testing"
)

func TestTheArchiveOfThePythonProgramsHoldsTheirModules(t *testing.T) {
	t.Parallel()
	files, err := Python()
	if err != nil {
		t.Fatal(err)
	}
	archive, err := PythonArchive(files)
	if err != nil {
		t.Fatal(err)
	}
	reader, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	for _, module := range []string{PythonCounter, PythonWords} {
		file, err := reader.Open(module + ".py")
		if err != nil {
			t.Errorf("module %s: %v", module, err)
			continue
		}
		_ = file.Close()
	}
}
