// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A change of a table without a new page would leave the page wrong.
func TestPage_HasTheTablesOfTheCode(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile(filepath.Join("..", "..", "docs", "guides", "what-happens-on-each-change.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(string(content), "\n"+markdown()) {
		t.Error("the tables differ: make generate")
	}
}

func TestMarkdown_HasEachAttributeOfEachType(t *testing.T) {
	t.Parallel()
	page := markdown()
	all := tables()
	if len(all) < 11 {
		t.Errorf("only %d types", len(all))
	}
	for kind, table := range all {
		_, own, found := strings.Cut(page, "### `"+kind+"`\n")
		if !found {
			t.Errorf("%s is not on the page", kind)
			continue
		}
		own, _, _ = strings.Cut(own, "\n### ")
		shared, _, _ := strings.Cut(page, "\n### `")
		for _, row := range table.Settable() {
			name := "`" + row.Attribute + "`"
			if !strings.Contains(own, name) && !(strings.Contains(own, "every job") && strings.Contains(shared, name)) {
				t.Errorf("%s of %s is not on the page", name, kind)
			}
		}
	}
}
