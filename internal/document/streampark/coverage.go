// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streampark

import (
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/coverage"
)

// proofs are tests of what is special about some groups and options.
var proofs = map[string][]string{
	"option":           {"TestCheck_WarnsOfWhatTheClientIgnores"},
	"property":         {"TestCheck_WarnsOfWhatTheClientIgnores"},
	"memory":           {"TestCheck_MemoryAddsUpAsForFlink"},
	"checkpoint":       {"TestCheck_Checkpoints"},
	"state_backend":    {"TestCheck_StateBackends"},
	"restart_strategy": {"TestCheck_RestartStrategies"},
	"table":            {"TestCheck_TableOptions"},
	SQL:                {"TestCheck_RefusesSQLThatStreamParkDoesNotRun"},
}

// elsewhere proves what is no key of the file.
var elsewhere = []string{"TestRender_PutsTheRestWhereItCounts"}

// Coverage is StreamPark's part of the page of all options.
func Coverage() coverage.Document {
	document := coverage.Document{
		Name:  "streampark",
		Title: "StreamPark",
		About: "Attributes of `streaming_streampark_job`. Keys are those of `application.yml` behind `flink.` (or `flink.deployment.`, with `layout = \"deployment\"`), and of `sql.yaml`. Defaults are Flink's, or the client's: what is not set is not rendered.",
	}
	for _, row := range table {
		group, _, _ := strings.Cut(row.Attribute, ".")
		kind := string(row.Kind)
		if limits := row.Limits(); limits != "" {
			kind += ", " + limits
		}
		fallback := "none"
		switch {
		case strings.Contains(row.Default, "that of"), strings.Contains(row.Default, ","):
			fallback = row.Default
		case row.Default != "":
			fallback = "`" + row.Default + "`"
		}
		renders := "`flink." + row.Key + "`"
		tests := []string{"TestRender_EachOption", "TestParse_ReadsEachOptionBack"}
		if row.Elsewhere != "" {
			renders, tests = row.Elsewhere, elsewhere
		}
		document.Rows = append(document.Rows, coverage.Row{
			Key: row.Key, Undocumented: row.Undocumented, Attribute: row.Attribute, Renders: renders, Type: kind, Default: fallback,
			Differs: row.Note, Tests: append(append([]string(nil), tests...), proofs[group]...),
		})
	}
	return document
}
