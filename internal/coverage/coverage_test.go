// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/coverage"
)

// The lists under testdata have each key of a document, one a line.
func TestDocuments_EachKeyOfADocumentHasARow(t *testing.T) {
	t.Parallel()
	lists, err := filepath.Glob(filepath.Join("testdata", "*.keys"))
	if err != nil {
		t.Fatal(err)
	}
	if len(lists) != len(documents()) {
		t.Errorf("%d lists of keys, %d documents", len(lists), len(documents()))
	}
	for _, document := range documents() {
		content, err := os.ReadFile(filepath.Join("testdata", document.Name+".keys"))
		if err != nil {
			t.Fatal(err)
		}
		keys := strings.Fields(string(content))
		rows := map[string]coverage.Row{}
		for _, row := range document.Rows {
			if _, twice := rows[row.Key]; twice {
				t.Errorf("%s: %s has two rows", document.Name, row.Key)
			}
			rows[row.Key] = row
			if documented := slices.Contains(keys, row.Key); documented == row.Undocumented {
				t.Errorf("%s: %s is in the document: %v; its row says undocumented: %v", document.Name, row.Key, documented, row.Undocumented)
			}
		}
		for _, key := range keys {
			if _, ok := rows[key]; !ok {
				t.Errorf("%s: %s has no row", document.Name, key)
			}
		}
	}
}

// A test proves something of a key only if it is there, and in a file that
// knows the key.
func TestDocuments_EachRowNamesTestsThatExist(t *testing.T) {
	t.Parallel()
	tests := testSources(t, "..")
	for _, document := range documents() {
		for _, row := range document.Rows {
			if len(row.Tests) == 0 {
				t.Errorf("%s: no test proves %s", document.Name, row.Key)
			}
			word := regexp.MustCompile(`\b` + regexp.QuoteMeta(row.Key) + `\b`)
			for _, name := range row.Tests {
				if source, ok := tests[name]; !ok {
					t.Errorf("%s: %s names %s, which does not exist", document.Name, row.Key, name)
				} else if !word.MatchString(source) {
					t.Errorf("%s: the file of %s does not know %s", document.Name, name, row.Key)
				}
			}
		}
	}
}

// A dash says that there is nothing to say; a cell without anything says that
// something was forgotten.
func TestPage_HasNoEmptyCell(t *testing.T) {
	t.Parallel()
	rows := 0
	for _, document := range documents() {
		for _, row := range document.Rows {
			rows++
			for name, cell := range map[string]string{"key": row.Key, "attribute": row.Attribute, "renders to": row.Renders, "type": row.Type, "default": row.Default} {
				if strings.Trim(cell, " `-–") == "" {
					t.Errorf("%s: %q has nothing for %q", document.Name, row.Key, name)
				}
			}
		}
	}
	lines := 0
	for line := range strings.SplitSeq(coverage.Markdown(documents()), "\n") {
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		lines++
		cells := strings.Split(strings.ReplaceAll(strings.Trim(line, "| "), `\|`, ""), "|")
		if len(cells) != 7 {
			t.Errorf("%d cells: %s", len(cells), line)
		}
		for _, cell := range cells {
			if strings.Trim(cell, " `") == "" {
				t.Errorf("an empty cell: %s", line)
			}
		}
	}
	if lines != rows || rows < 207 {
		t.Errorf("%d lines for %d rows", lines, rows)
	}
}

func TestPage_IsWhatTheTablesSay(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "guides", "coverage.md"))
	if err != nil {
		t.Fatal(err)
	}
	if string(page) != coverage.Markdown(documents()) {
		t.Error("docs/guides/coverage.md is stale: make generate")
	}
}

// testSources are the files of all tests, by the tests' names, which may be
// those of several packages.
func testSources(t *testing.T, root string) map[string]string {
	t.Helper()
	sources := map[string]string{}
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, content, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, declared := range file.Decls {
			if test, ok := declared.(*ast.FuncDecl); ok && test.Recv == nil && strings.HasPrefix(test.Name.Name, "Test") {
				sources[test.Name.Name] += string(content)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return sources
}
