// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package stateprobe

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestJarHoldsTheEntryClassForJava8(t *testing.T) {
	t.Parallel()
	reader, err := zip.NewReader(bytes.NewReader(Jar()), int64(len(Jar())))
	if err != nil {
		t.Fatal(err)
	}
	class, err := reader.Open(strings.ReplaceAll(EntryClass, ".", "/") + ".class")
	if err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(class)
	if err != nil {
		t.Fatal(err)
	}
	if version := binary.BigEndian.Uint16(raw[6:8]); version != 52 {
		t.Fatalf("class file version %d, want 52", version)
	}
}

func TestFileNameNamesTheContent(t *testing.T) {
	t.Parallel()
	if name := FileName(); !regexp.MustCompile(`^terraform-streaming-probe-[0-9a-f]{16}\.jar$`).MatchString(name) {
		t.Fatalf("file name %q", name)
	}
}

func TestArgsAskEveryQuestionInOrder(t *testing.T) {
	t.Parallel()
	got := Args(1500*time.Millisecond, Exists("s3://b/p"), Newest("file:///a b"), List(""), Copy("1_a.jar", "a.zip"))
	want := []string{"v1", "1500", "exists", "s3://b/p", "newest", "file:///a b", "list", "", "copy", "1_a.jar/a.zip"}
	if !slices.Equal(got, want) {
		t.Fatalf("args %q, want %q", got, want)
	}
}

func TestParseReadsEveryKindOfResult(t *testing.T) {
	t.Parallel()
	got, err := Parse(`{"v":1,"results":[{"exists":true,"dir":true},` +
		`{"exists":true,"empty":false,"path":"file:/c/chk-7","kind":"checkpoint","modified":1000,"incomplete":2},` +
		`{"exists":false,"empty":true,"path":null,"incomplete":0},` +
		`{"exists":true,"children":[{"name":"\u00e9\"","dir":true,"modified":0,"complete":true}]},` +
		`{"error":"java.io.IOException: no"},{"error":"timed out"}]}`)
	if err != nil {
		t.Fatal(err)
	}
	want := []Result{
		{Exists: true, Dir: true},
		{Exists: true, Path: "file:/c/chk-7", Kind: Checkpoint, Modified: time.Unix(1, 0).UTC(), Incomplete: 2},
		{Empty: true},
		{Exists: true, Children: []Child{{Name: "é\"", Dir: true, Complete: true}}},
		{Failure: "java.io.IOException: no"},
		{Failure: "timed out"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("results\n%+v, want\n%+v", got, want)
	}
	if got[0].Err() != nil || got[4].Err() == nil || !errors.Is(got[5].Err(), ErrTimedOut) {
		t.Fatalf("errors %v, %v, %v", got[0].Err(), got[4].Err(), got[5].Err())
	}
}

func TestParseRefusesWhatIsNotAnAnswer(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"another job's name": "Flink Streaming Job",
		"another version":    `{"v":2,"results":[]}`,
		"a refusal":          `{"v":1,"error":"the arguments are wrong"}`,
		"a cut answer":       `{"v":1,"results":[{"exists":`,
	} {
		if results, err := Parse(text); err == nil {
			t.Errorf("%s was read as %+v", name, results)
		}
	}
}
