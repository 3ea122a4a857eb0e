// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package bundle_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/bundle"
)

// The archive is put on Python's path as Flink does it: the ending is that of
// an uploaded jar.
func TestWrite_C62_PythonImportsOutOfTheArchive(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("there is no python3, which make test asks for")
	}
	tree := files{
		"udfs.py":                 "from geo.near import near\n",
		"geo/__init__.py":         "",
		"geo/near.py":             "def near():\n    return 'near'\n",
		"geo/straße/__init__.py":  "name = 'straße'\n",
		"namespace/deep/inner.py": "value = 7\n",
		"large.py":                "text = '''" + noiseText(700_000) + "'''\n",
		"geo/tables/one.csv":      "1,2\n",
	}
	dir := write(t, t.TempDir(), tree, false)
	content, _ := pack(t, bundle.Source{Dir: dir})
	jar := filepath.Join(t.TempDir(), "bundle-0123.jar")
	must(t, os.WriteFile(jar, content, 0o600))
	program := fmt.Sprintf(`
import sys
sys.path.insert(0, %q)
import udfs, large, geo.straße, namespace.deep.inner, pkgutil, zipfile
assert udfs.near() == 'near'
assert geo.straße.name == 'straße'
assert namespace.deep.inner.value == 7
assert len(large.text) == 700000
assert pkgutil.get_data('geo', 'tables/one.csv') == b'1,2\n'
assert udfs.__file__.startswith(%q), udfs.__file__
assert zipfile.ZipFile(%q).testzip() is None
`, jar, jar, jar)
	// -I: nothing of this machine's environment, and no current directory.
	if output, err := exec.CommandContext(t.Context(), "python3", "-I", "-c", program).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, output)
	}
}

// noiseText can be part of a string of Python.
func noiseText(size int) string {
	text := ""
	for len(text) < size {
		text += fmt.Sprintf("%x", noise(size/2))
	}
	return text[:size]
}
