// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Command changetables puts the tables of what a change of each attribute does
// into a page of the docs, at the place that the page marks.
package main

import (
	"flag"
	"fmt"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/changes"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/dagger"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/groot"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/jobkind"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/pravega"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/python"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/streampark"
)

// place is the line of the page that the tables stand for.
const place = "<!-- tables -->\n"

func main() {
	log.SetFlags(0)
	page := flag.String("page", filepath.Join("docs", "guides", "what-happens-on-each-change.md"), "file to fill")
	flag.Parse()
	if err := fill(*page); err != nil {
		log.Fatalf("changetables: %v", err)
	}
}

func fill(page string) error {
	content, err := os.ReadFile(filepath.Clean(page))
	if err != nil {
		return fmt.Errorf("read the page: %w", err)
	}
	if strings.Count(string(content), place) != 1 {
		return fmt.Errorf("%s has no line, or several, that is %q", page, strings.TrimSpace(place))
	}
	return os.WriteFile(page, []byte(strings.Replace(string(content), place, markdown(), 1)), 0o600)
}

// tables are those of all types of resources.
func tables() map[string]changes.Table {
	all := map[string]changes.Table{groot.JobType: groot.Changes()}
	for _, some := range []map[string]changes.Table{flink.Changes(), pravega.Changes(), python.Changes(), dagger.Changes(), streampark.Changes()} {
		maps.Copy(all, some)
	}
	return all
}

// markdown has what all jobs share once, and below it each type's own.
func markdown() string {
	shared := jobkind.Changes()
	var out strings.Builder
	out.WriteString("### Every job\n" + section(shared))
	all := tables()
	for _, kind := range slices.Sorted(maps.Keys(all)) {
		table := all[kind]
		title := "### `" + kind + "`\n"
		if _, isJob := table.Row("restart_trigger"); isJob {
			table.Rows = slices.DeleteFunc(slices.Clone(table.Rows), func(row changes.Row) bool {
				_, everywhere := shared.Row(row.Attribute)
				return everywhere
			})
			title += "\nBeside what is in [every job](#every-job):\n"
		}
		out.WriteString("\n" + title + section(table))
	}
	return out.String()
}

// section is a table without the heading that it has on the page of a type.
func section(table changes.Table) string {
	return "\n" + strings.TrimLeft(strings.Replace(table.Markdown(), changes.Heading, "", 1), "\n")
}
