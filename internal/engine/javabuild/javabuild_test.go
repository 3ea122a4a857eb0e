// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package javabuild

import (
	"archive/zip"
	"bytes"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestVersionIsReadFromOldAndNewJava(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"openjdk version \"17.0.15\" 2025-04-15\n": 17,
		"java version \"1.8.0_392\"\n":             8,
		"openjdk version \"21\" 2023-09-19\n":      21,
	} {
		if got, err := parseVersion(text); err != nil || got != want {
			t.Errorf("parseVersion(%q) = %d, %v, want %d", text, got, err, want)
		}
	}
	if _, err := parseVersion("no java here"); err == nil {
		t.Error("no error for a text without a version")
	}
}

func TestMissingJavaSaysWhatToInstall(t *testing.T) {
	t.Setenv("JAVA_HOME", filepath.Join(t.TempDir(), "nowhere"))
	_, err := FindJDK(t.Context())
	if err == nil || !strings.Contains(err.Error(), "install a JDK 17") {
		t.Fatalf("error %v", err)
	}
}

func TestPackIsSortedAndTheSameEachTime(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{"b/B.class": []byte("b"), "a/A.class": []byte("a")}
	first, err := Pack(files, "a.A")
	if err != nil {
		t.Fatal(err)
	}
	second, err := Pack(files, "a.A")
	if err != nil || !bytes.Equal(first, second) {
		t.Fatalf("two jars of the same files differ (%v)", err)
	}
	reader, err := zip.NewReader(bytes.NewReader(first), int64(len(first)))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, file := range reader.File {
		names = append(names, file.Name)
	}
	if want := []string{"META-INF/MANIFEST.MF", "a/A.class", "b/B.class"}; !slices.Equal(names, want) {
		t.Fatalf("entries %v, want %v", names, want)
	}
	manifest, err := reader.File[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(manifest)
	if err != nil || string(raw) != "Manifest-Version: 1.0\r\nMain-Class: a.A\r\n\r\n" {
		t.Fatalf("manifest %q, error %v", raw, err)
	}
}

func TestKeyChangesWithNameAndContent(t *testing.T) {
	t.Parallel()
	keys := map[string]bool{}
	for _, sources := range []fstest.MapFS{
		{"A.java": {Data: []byte("class A {}")}},
		{"A.java": {Data: []byte("class A { }")}},
		{"B.java": {Data: []byte("class A {}")}},
	} {
		key, err := Key(sources)
		if err != nil {
			t.Fatal(err)
		}
		keys[key] = true
	}
	if len(keys) != 3 {
		t.Fatalf("keys %v", keys)
	}
}
