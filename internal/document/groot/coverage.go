// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package groot

import (
	"fmt"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/coverage"
)

// proofs are tests of what is special about some options.
var proofs = map[string][]string{
	NameKey:            {"TestCheck_FindsWhatTheEngineWouldTake"},
	ParallelismKey:     {"TestCheck_FindsWhatTheEngineWouldTake"},
	BufferTimeoutKey:   {"TestParseValue_ReadsAndRefuses", "TestCheck_FindsWhatTheEngineWouldTake"},
	RuntimeModeKey:     {"TestCheck_FindsWhatTheEngineWouldTake"},
	ShadeKey:           {"TestCheck_FindsWhatTheEngineWouldTake"},
	ObjectReuseKey:     {"TestCheck_FindsWhatTheEngineWouldTake"},
	JarsKey:            {"TestCheck_FindsWhatTheEngineWouldTake"},
	PipelineJarsKey:    {"TestCheck_FindsWhatTheEngineWouldTake"},
	ClasspathsKey:      {"TestCheck_FindsWhatTheEngineWouldTake"},
	MaxParallelismKey:  {"TestCheck_FindsWhatTheEngineWouldTake"},
	StrategyKey:        {"TestCheck_FindsWhatTheEngineWouldTake"},
	AttemptsKey:        {"TestCheck_FindsWhatTheEngineWouldTake"},
	DelayKey:           {"TestParseValue_ReadsAndRefuses"},
	FailureRateKey:     {"TestParseValue_ReadsAndRefuses"},
	FailureIntervalKey: {"TestParseValue_ReadsAndRefuses"},
	FailureDelayKey:    {"TestParseValue_ReadsAndRefuses"},
}

// types are the kinds in the words of the page.
var types = map[Kind]string{Text: "string", Flag: "boolean", Count: "number", Millis: "duration", Locations: "list of URLs"}

// renders says how a value of a kind is written.
var renders = map[Kind]string{
	Text: "as it is", Flag: "`true` or `false`", Count: "in digits", Millis: "as a plain number of milliseconds", Locations: "with `;` between",
}

// everyKey are tests that try each key.
var everyKey = []string{"TestRender_WritesEachOptionUnderItsKey", "TestFlow_GrootJob_EachOptionReachesTheProgram"}

// Coverage is Groot Stream's part of the page of all options.
func Coverage() coverage.Document {
	document := coverage.Document{
		Name:  "groot",
		Title: "Groot Stream's env block",
		About: "Attributes of `streaming_groot_job`, rendered to the block `env` of the job file. What is not set is not rendered. " +
			"Keys that begin with `flink.` are Flink's options, and win over the names that Groot Stream has for them.",
	}
	for _, option := range table {
		limits := ""
		if text := option.Limits(); text != "" {
			limits = ", " + text
		}
		document.Rows = append(document.Rows, coverage.Row{
			Key: option.Key, Attribute: option.place(), Renders: "`env." + option.Key + "`, " + renders[option.Kind],
			Type: types[option.Kind] + limits, Default: option.defaults(), Differs: option.Note,
			Tests: append(append([]string{}, everyKey...), proofs[option.Key]...),
		})
	}
	for _, option := range table {
		if option.Documented {
			key := FlinkPrefix + option.Flink[0]
			document.Rows = append(document.Rows, coverage.Row{
				Key: key, Attribute: "env.flink", Renders: "`env." + key + "`, as it is",
				Type: types[option.Kind], Default: option.defaults(),
				Differs: fmt.Sprintf("`%s` is Groot Stream's name for it.", option.Key),
				Tests:   []string{"TestParse_KeepsFlinksNames"},
			})
		}
	}
	document.Rows = append(document.Rows, coverage.Row{
		Key: FlinkPrefix, Attribute: "env.flink", Renders: "`env.flink.<key>`, as it is", Type: "map of Flink's keys", Default: "none",
		Differs: "Durations, sizes of memory, numbers and booleans are checked as Flink reads them.",
		Tests:   append([]string{"TestCheck_FindsWhatTheEngineWouldTake", "TestParse_KeepsFlinksNames"}, everyKey...),
	})
	return document
}

// place is where users set the option.
func (o Option) place() string {
	if o.OfResource != "" {
		return o.OfResource
	}
	return EnvName + "." + o.Attribute()
}

func (o Option) defaults() string {
	switch {
	case o.Default != "":
		return "`" + o.Default + "`"
	case o.Flinks != "":
		return "none; Flink's: `" + o.Flinks + "`"
	}
	return "none"
}
