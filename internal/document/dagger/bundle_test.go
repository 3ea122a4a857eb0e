// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package dagger

import "testing"

func TestDocument_ABundleComesAfterOtherPythonFiles(t *testing.T) {
	t.Parallel()
	python := func(fields map[string]Value) Document {
		return Document{Values: map[string]Value{atPython: Fields(fields)}}
	}
	enabled := map[string]Value{"enable": Plain("true")}
	own := map[string]Value{"enable": Plain("true"), "files": Array(Plain("/a.py"), Plain("/b.zip")), "requirements": Plain("/r.txt")}
	for name, test := range map[string]struct {
		document Document
		want     string
	}{
		"alone":           {python(enabled), `{"PYTHON_FILES":"/up/x.zip","PYTHON_REQUIREMENTS":"/up/r.jar"}`},
		"with others":     {python(own), `{"PYTHON_FILES":"/a.py,/b.zip,/up/x.zip","PYTHON_REQUIREMENTS":"/r.txt"}`},
		"with no options": {Document{}, `{"PYTHON_FILES":"/up/x.zip","PYTHON_REQUIREMENTS":"/up/r.jar"}`},
	} {
		before, err := test.document.Keys()
		if err != nil {
			t.Fatal(err)
		}
		keys, err := test.document.WithBundle("/up/x.zip", "/up/r.jar").Keys()
		if err != nil || keys[pythonConfig] != test.want {
			t.Errorf("%s: %s (%v), want %s", name, keys[pythonConfig], err, test.want)
		}
		if after, _ := test.document.Keys(); after[pythonConfig] != before[pythonConfig] {
			t.Errorf("%s: the document itself has changed to %s", name, after[pythonConfig])
		}
	}
	if got := python(map[string]Value{"files": Unknown()}).WithBundle("/x.zip", ""); got.Values[atPython].Known() {
		t.Errorf("what is not known became %v", got.Values[atPython])
	}
	if keys, err := python(enabled).WithBundle("/x.zip", "").Keys(); err != nil || keys[pythonConfig] != `{"PYTHON_FILES":"/x.zip"}` {
		t.Errorf("without requirements: %v, %v", keys, err)
	}
}
