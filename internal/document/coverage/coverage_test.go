// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package coverage_test

import (
	"strings"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/coverage"
)

func TestMarkdown_HasARowForEachKey(t *testing.T) {
	t.Parallel()
	page := coverage.Markdown([]coverage.Document{
		{Title: "One", About: "First.", Rows: []coverage.Row{
			{Key: "a.b", Attribute: "a", Renders: "x|y", Type: "string", Default: "none", Differs: "two\nlines", Tests: []string{"TestA", "TestB"}},
			{Key: "c", Undocumented: true, Attribute: "c", Renders: "r", Type: "t", Default: "none", Tests: []string{"TestC"}},
		}},
		{Title: "Two", About: "Second."},
	})
	for _, line := range []string{
		"\n## One\n\nFirst.\n\n| key |",
		"\n| `a.b` | `a` | x\\|y | string | none | two lines | `TestA`, `TestB` |\n",
		"\n| `c` \\* | `c` | r | t | none | – | `TestC` |\n",
		"\n## Two\n\nSecond.\n",
	} {
		if !strings.Contains(page, line) {
			t.Errorf("%q is not in the page:\n%s", line, page)
		}
	}
	if !strings.HasPrefix(page, "---\n") || strings.Contains(page, "\n\n\n") {
		t.Errorf("not well-formed:\n%s", page)
	}
}
