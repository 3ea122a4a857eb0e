// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravegaspark

import (
	"fmt"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/coverage"
)

// proofs are tests of what is special about some options.
var proofs = map[string][]string{
	Controller:        {"TestCheck_ControllerIsWhatTheClientTakes"},
	Scope:             {"TestCheck_NamesAreThoseThatPravegaAllows"},
	Stream:            {"TestCheck_NamesAreThoseThatPravegaAllows"},
	AllowCreateScope:  {"TestFlow_SparkOptions_C78_NothingIsCreatedBesideTerraform"},
	AllowCreateStream: {"TestFlow_SparkOptions_C78_NothingIsCreatedBesideTerraform"},
	NumSegments:       {"TestCompare_PutsWantedBesideActual"},
	ScaleFactor:       {"TestCheck_Combinations", "TestCompare_PutsWantedBesideActual"},
	BytesRate:         {"TestCheck_Combinations", "TestCompare_PutsWantedBesideActual"},
	EventsRate:        {"TestCheck_Combinations", "TestCompare_PutsWantedBesideActual"},
	RetentionTime:     {"TestCheck_Combinations", "TestCompare_PutsWantedBesideActual"},
	RetentionSize:     {"TestCheck_Combinations", "TestCompare_PutsWantedBesideActual"},
	StartStreamCut:    {"TestCheck_StreamCuts"},
	EndStreamCut:      {"TestCheck_StreamCuts"},
	ExactlyOnce:       {"TestCheck_Combinations"},
	ReadAfterWrite:    {"TestCheck_Combinations"},
	TransactionTime:   {"TestCheck_Combinations"},
	PollInterval:      {"TestCheck_Combinations"},
	Metadata:          {"TestCheck_Combinations"},
	BytesPerTrigger:   {"TestCheck_Combinations"},
}

// Coverage is the connector's part of the page of all options.
func Coverage() coverage.Document {
	document := coverage.Document{
		Name:  "pravega-spark",
		Title: "Pravega Spark connector",
		About: "Attributes of `data.streaming_pravega_spark_options`, and keys of the object that `provider::streaming::pravega_spark_options` takes. " +
			"Keys of the map `options`, which Spark's `option(key, value)` takes. Defaults are the connector's: what is not set is not rendered, except that `allow_create_scope` and `allow_create_stream` are `false` for a stream that exists or is managed.",
	}
	for _, row := range table {
		tests := []string{"TestRender_EachOption", "TestFlow_SparkOptions_eachOption"}
		if row.Limits() != "" {
			tests = append(tests, "TestCheck_EachOptionHasItsLimits")
		}
		document.Rows = append(document.Rows, coverage.Row{
			Key: row.Name, Undocumented: row.Undocumented, Attribute: row.Name,
			Renders: fmt.Sprintf("`%s`, %s", row.Name, rendersAs[row.Kind]),
			Type:    string(row.Kind) + row.Limits(), Default: row.Defaults(), Differs: row.Note,
			Tests: append(tests, proofs[row.Name]...),
		})
	}
	return document
}

var rendersAs = map[Kind]string{
	Text: "as it is", Bool: "`true` or `false`", Number: "in digits", Millis: "as a number of milliseconds", Bytes: "as a number of bytes",
}
