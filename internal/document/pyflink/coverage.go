// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pyflink

import (
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/coverage"
)

// proofs are tests of what is special about some options.
var proofs = map[string][]string{
	Files:            {"TestCheck_FindsWhatFlinkTakesWithoutAWord", "TestFlow_FlinkJob_ABundleComesBeforeOtherFiles"},
	ArchivesKey:      {"TestCheck_FindsWhatFlinkTakesWithoutAWord"},
	RequirementsKey:  {"TestCheck_FindsWhatFlinkTakesWithoutAWord", "TestFlow_FlinkJob_ABundleComesBeforeOtherFiles"},
	Executable:       {"TestCheck_FindsWhatFlinkTakesWithoutAWord"},
	ClientExecutable: {"TestCheck_FindsWhatFlinkTakesWithoutAWord"},
	ArrowBatchSize:   {"TestCheck_FindsWhatFlinkTakesWithoutAWord", "TestFlow_FlinkJob_AnArrowBatchAboveTheBundleWarns"},
	BundleSize:       {"TestParse_RefusesWhatFlinkWouldTakeForSomethingElse"},
}

// types are the kinds in the words of the page.
var types = map[Kind]string{
	Text: "string", Flag: "boolean", Count: "number", Millis: "duration", Paths: "list of paths",
	Archives: "list of `{ path, target }`", Requirements: "`{ file, cached_dir }`", Levels: "map of strings",
}

// renders says how a value of a kind is written.
var renders = map[Kind]string{
	Text: "as it is", Flag: "`true` or `false`", Count: "in digits", Millis: "as a plain number of milliseconds",
	Paths: "with commas between, those of `bundle` first", Archives: "as `path#target`, with commas between",
	Requirements: "as `file#cached_dir`", Levels: "as `name:level`, with commas between",
}

// Coverage is the part of Flink's Python options of the page of all options.
func Coverage() coverage.Document {
	document := coverage.Document{
		Name:  "python",
		Title: "Flink's Python options",
		About: "Attributes of the object `python` of every job, and keys of the object that `provider::streaming::python_options` takes. Defaults are Flink's, of 1.20 and 2.3: what is not set is not rendered.",
	}
	for _, option := range table {
		limits := ""
		if text := option.Limits(); text != "" {
			limits = ", " + text
		}
		fallback := "none"
		if option.Default != "" {
			fallback = "`" + option.Default + "`"
		}
		document.Rows = append(document.Rows, coverage.Row{
			Key: option.Key, Undocumented: option.Newer, Attribute: "python." + option.Attribute(),
			Renders: "`" + option.Key + "`, " + renders[option.Kind], Type: types[option.Kind] + limits, Default: fallback, Differs: option.Note,
			Tests: append([]string{"TestRender_GivesFlinkEachOptionUnderItsKey", "TestFlow_FlinkJob_EachPythonOptionRestartsTheJobAndReachesFlink"}, proofs[option.Key]...),
		})
	}
	return document
}
