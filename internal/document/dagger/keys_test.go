// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package dagger

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	heading = regexp.MustCompile(`(?m)^([A-Z][A-Z0-9_]+)#$`)
	member  = regexp.MustCompile(`"([A-Z][A-Z0-9_]+)":`)
)

// documentedKeys are those that a document of Dagger has as headings, in its
// samples, and in its text where it names a key that has no heading.
func documentedKeys(document string) []string {
	keys := []string{}
	for _, match := range slices.Concat(heading.FindAllStringSubmatch(document, -1), member.FindAllStringSubmatch(document, -1)) {
		keys = append(keys, match[1])
	}
	if strings.Contains(document, "FLINK_SQL_QUERY") {
		keys = append(keys, "FLINK_SQL_QUERY")
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// STREAMING_SEEDS names a folder with the documents, where there is one.
func TestKeys_AreThoseOfTheDocument(t *testing.T) {
	t.Parallel()
	if got := documentedKeys("STREAMS#\n text FLINK_SQL_QUERY\nA_B#\n {\"SOURCE_NAME\": \"X\", \"SOURCE_NAME\": 1}"); !slices.Equal(got, []string{"A_B", "FLINK_SQL_QUERY", "SOURCE_NAME", "STREAMS"}) {
		t.Fatalf("keys of a document are not found: %q", got)
	}
	content, err := os.ReadFile(filepath.Join("..", "..", "coverage", "testdata", "dagger.keys"))
	if err != nil {
		t.Fatal(err)
	}
	listed := strings.Fields(string(content))
	if !slices.IsSorted(listed) || len(listed) < 95 {
		t.Errorf("%d keys, sorted: %v", len(listed), slices.IsSorted(listed))
	}
	files, err := filepath.Glob(filepath.Join(os.Getenv("STREAMING_SEEDS"), "000_*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		document, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got := documentedKeys(string(document)); !slices.Equal(got, listed) {
			t.Errorf("%s has\n%q\nand listed are\n%q", file, got, listed)
		}
	}
}
