// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

//go:build unix

package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// pythons puts programs on PATH, and nothing else, that answer as the given
// releases of Python do: "3 11", or "3 11 bare" for one without venv.
func pythons(t *testing.T, releases map[string]string) {
	t.Helper()
	dir := t.TempDir()
	for name, release := range releases {
		release, bare := strings.CutSuffix(release, " bare")
		script := "#!/bin/sh\necho " + release + "\n"
		if bare {
			script += "exit 1\n"
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700); err != nil { //nolint:gosec // a program
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir)
}

func TestThePythonThatFitsIsFound(t *testing.T) {
	for name, test := range map[string]struct {
		releases map[string]string
		want     string
	}{
		"python3 itself":      {map[string]string{"python3": "3 11", "python3.12": "3 12"}, "python3"},
		"a newer python3":     {map[string]string{"python3": "3 13", "python3.10": "3 10", "python3.12": "3 12"}, "python3.12"},
		"a python3 with none": {map[string]string{"python3": "3 11 bare", "python3.9": "3 9"}, "python3.9"},
	} {
		t.Run(name, func(t *testing.T) {
			pythons(t, test.releases)
			found, err := FindPython(t.Context(), PythonRange{First: 9, Last: 12})
			if err != nil || filepath.Base(found.Path) != test.want {
				t.Fatalf("found %+v, error %v, want %s", found, err, test.want)
			}
		})
	}
}

func TestAMachineWithoutAFittingPythonIsToldWhatToInstall(t *testing.T) {
	for name, test := range map[string]struct {
		releases map[string]string
		want     string
	}{
		"none":     {nil, "PATH has no python3"},
		"too new":  {map[string]string{"python3": "3 13"}, "python3 is Python 3.13"},
		"no venv":  {map[string]string{"python3": "3 11 bare"}, "python3 has no venv module"},
		"Python 2": {map[string]string{"python3": "2 7"}, "python3 is Python 2"},
		"broken":   {map[string]string{"python3": ""}, "python3 does not run"},
	} {
		t.Run(name, func(t *testing.T) {
			pythons(t, test.releases)
			_, err := FindPython(t.Context(), PythonRange{First: 9, Last: 12})
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "Python 3.9 to 3.12 with venv and pip") {
				t.Fatalf("error %v, want one with %q", err, test.want)
			}
		})
	}
}
