// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package dagger

import (
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/coverage"
)

// leaf is an option with what it is in.
type leaf struct {
	Option

	// parents begin with the option of the table.
	parents []Option
}

// leaves are all options but groups, in the order of the table.
func leaves(parents, options []Option) []leaf {
	var all []leaf
	for _, o := range options {
		if o.Kind != Group {
			all = append(all, leaf{o, parents})
		}
		all = append(all, leaves(append(slices.Clone(parents), o), o.Options)...)
	}
	return all
}

// attribute is the path of the option's attribute.
func (l leaf) attribute() string {
	var path strings.Builder
	for _, parent := range l.parents {
		path.WriteString(parent.Attribute)
		if parent.Kind == Objects {
			path.WriteString("[]")
		}
		path.WriteByte('.')
	}
	return path.String() + l.Attribute
}

// container is the key whose JSON value the option is in, empty for a key of
// its own.
func (l leaf) container() string {
	for _, parent := range append(slices.Clone(l.parents), l.Option) {
		switch {
		case parent.In != "":
			return parent.In
		case parent.Kind != Group && parent.Attribute != l.Attribute:
			return parent.Key
		}
	}
	return ""
}

// key is the option's name on the page: what processors have is named with
// what it is in.
func (l leaf) key() string {
	container := l.container()
	if container != preConfig && container != postConfig {
		return l.Key
	}
	names := []string{}
	for _, parent := range l.parents[1:] {
		names = append(names, parent.Key)
	}
	prefix := ""
	if container == preConfig {
		prefix = "preprocessor."
	}
	return prefix + strings.Join(append(names, l.Key), ".")
}

// rendersAs says how a value is written.
var rendersAs = map[Kind]string{
	Text: "as it is", Query: "as it is, behind a line break if it begins with `-`", Flag: "`true` or `false`", Count: "in digits",
	Millis: "as a number of milliseconds", List: "with separators between", Strings: "a JSON array", Pairs: "`name:value,name:value`",
	Prefixed: "each a key of its own", Map: "a JSON object", Paths: "a JSON object of objects with `path`", JSONText: "JSON, without blanks",
	JSONObject: "a JSON object", Object: "a JSON object", First: "a JSON array of one object", Objects: "a JSON array of objects",
}

var typeNames = map[Kind]string{
	Text: "string", Query: "SQL", Flag: "boolean", Count: "whole number", Millis: "duration", List: "list of strings", Strings: "list of strings",
	Pairs: "map of strings", Prefixed: "map of strings", Map: "map of strings", Paths: "map of strings", JSONText: "JSON", JSONObject: "JSON",
	Object: "object", First: "object", Objects: "list of objects",
}

func (l leaf) rows() []coverage.Row {
	renders := fmt.Sprintf("`%s`, %s", l.Key, rendersAs[l.Kind])
	if container := l.container(); container != "" {
		renders = fmt.Sprintf("`%s` in `%s`, %s", l.Key, container, rendersAs[l.Kind])
	}
	kind := typeNames[l.Kind]
	if limits := l.Limits(); limits != "" {
		kind += ", " + limits
	}
	if l.Secret {
		kind += ", sensitive"
	}
	differs := l.Note
	if l.Only != "" {
		differs = strings.TrimSpace("Of the namespace `" + l.Only + "` alone. " + differs)
	}
	row := coverage.Row{
		Key: l.key(), Undocumented: l.Undocumented, Attribute: l.attribute(), Renders: renders, Type: kind, Default: l.defaults(), Differs: differs,
		Tests: append([]string{"TestRender_EachOption", "TestDocument_RandomOnesAreParsedBack"}, l.proofs()...),
	}
	if l.Documented == "" {
		return []coverage.Row{row}
	}
	documented := row
	documented.Key = l.Documented
	return []coverage.Row{documented, row}
}

func (o Option) defaults() string {
	switch {
	case strings.HasPrefix(o.Default, "`"):
		return o.Default
	case o.Default != "":
		return "`" + o.Default + "`"
	case o.Required:
		return "none: required"
	}
	return "none"
}

// proofs are tests of what is special about an option.
func (l leaf) proofs() []string {
	var tests []string
	if l.Limits() != "" {
		tests = append(tests, "TestCheck_EachOptionHasItsLimits")
	}
	if l.Required {
		tests = append(tests, "TestCheck_EachRequiredOptionIsMissed")
	}
	if l.Only != "" || l.Unread != "" {
		tests = append(tests, "TestCheck_OptionsWithoutAnEffect")
	}
	return tests
}

// configs are keys whose value is a JSON object of options that have rows.
var configs = []coverage.Row{
	{Key: preConfig, Attribute: atPre, Differs: "Keys are in lower case with underscores; others are ignored."},
	{Key: postConfig, Attribute: atPost, Differs: "Keys are in lower case with underscores; others are ignored."},
	{Key: pythonConfig, Attribute: atPython, Differs: "The documentation's sample is an array, on which the job fails."},
}

// Coverage is Dagger's part of the page of all options.
func Coverage() coverage.Document {
	document := coverage.Document{
		Name:  "dagger",
		Title: "Dagger",
		About: "Attributes of `streaming_dagger_job`, and keys of the object that `provider::streaming::dagger_configuration` returns. " +
			"They are rendered to Dagger's arguments, sorted, which it gets in one, `--encodedArgs`. Defaults are Dagger's: what is not set is not rendered, except where the note says so. " +
			"Secrets have a twin with `_wo` at the end of the name that is write-only.",
	}
	for _, l := range leaves(nil, table) {
		document.Rows = append(document.Rows, l.rows()...)
	}
	for _, row := range configs {
		row.Renders, row.Type, row.Default = fmt.Sprintf("`%s`, a JSON object", row.Key), "object", "none"
		row.Tests = []string{"TestRender_EachOption", "TestDocument_RandomOnesAreParsedBack"}
		document.Rows = append(document.Rows, row)
	}
	return document
}
