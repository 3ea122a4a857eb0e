// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package dagger

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// switched checks that a processor is on and has something to do.
func (c *checker) switched(root node, attribute string) {
	group := root.inner(attribute)
	if group.v.form != object {
		return
	}
	content := ""
	for _, o := range group.options {
		if o.In != "" && group.set(o.Attribute) {
			content = o.Attribute
			break
		}
	}
	switch {
	case content != "" && group.off(atEnable):
		group.warn(content, attribute+" has no effect", fmt.Sprintf("It is not enabled. Set %s.enable = true.", attribute))
	case content == "" && group.on(atEnable):
		group.refuse(atEnable, attribute+" is enabled and has nothing to do", "Dagger fails on a configuration that is not there. Add one, or remove enable.")
	}
}

func (c *checker) preprocessor(root node) {
	c.switched(root, atPre)
	tables := map[string]bool{}
	unknownTable := root.v.fields[atStreams].form == unknown
	for _, stream := range root.each(atStreams) {
		table, known := stream.text(atTable)
		tables[table] = true
		unknownTable = unknownTable || !known
	}
	for _, table := range root.inner(atPre).each("table_transformers") {
		name, known := table.text("table_name")
		if known && name != "" && !unknownTable && !tables[name] {
			table.warn("table_name", fmt.Sprintf("No stream has the table %q", name), "Dagger passes over its transformers without a word.")
		}
		c.transformers(table)
	}
}

func (c *checker) transformers(parent node) {
	for _, transformer := range parent.each(atTransformers) {
		if class, known := transformer.text("transformation_class"); known && class != "" && !c.faulty(transformer.at("transformation_class")) {
			c.class(transformer.at("transformation_class"), class, "")
		}
		text, known := transformer.text(atArguments)
		var arguments map[string]any
		if !known || decode([]byte(text), &arguments) != nil {
			continue
		}
		if _, there := arguments["table_name"]; there {
			transformer.refuse(atArguments, "An argument has the name table_name", "Dagger keeps that name for itself, and fails on it.")
		}
	}
}

// patterns are the options of external sources that Java formats, each with its
// variables. An endpoint is no pattern without variables.
var patterns = []struct {
	pattern, variables string
	plain              bool
}{
	{"request_pattern", "request_variables", false},
	{"header_pattern", "header_variables", false},
	{"endpoint_pattern", "endpoint_variables", false},
	{"query_pattern", "query_variables", false},
	{"endpoint", "endpoint_variables", true},
}

func (c *checker) postprocessor(root node) {
	c.switched(root, atPost)
	group := root.inner(atPost)
	external := group.inner("external_source")
	for _, kind := range external.options {
		for _, source := range external.each(kind.Attribute) {
			c.external(source, kind.Attribute)
		}
	}
	for _, internal := range group.each("internal_source") {
		c.internal(internal)
	}
	c.transformers(group)
}

func (c *checker) external(source node, kind string) {
	if v := source.v.fields[atMapping]; v.form == object && len(v.fields) == 0 {
		source.refuse(atMapping, atMapping+" is empty", "To Dagger that is as if it were missing, and the job fails.")
	}
	if verb, known := source.text("verb"); known && verb != "" {
		switch strings.ToLower(verb) {
		case "get", "post", "put":
		default:
			source.refuse("verb", fmt.Sprintf("%q is no verb that Dagger knows", verb), "Dagger takes get, post and put, and fails on another with the first row.")
		}
	}
	for _, one := range patterns {
		if _, there := named(source.options, one.pattern); !there || one.plain && (kind == "grpc" || !source.given(one.variables)) {
			continue
		}
		if _, there := named(source.options, one.variables); there {
			source.pattern(one.pattern, one.variables)
		}
	}
}

// conversion is one of Java's format, or a percent sign that begins none.
var conversion = regexp.MustCompile(`%(?:(\d+)\$)?[-#+ 0,(<]*\d*(?:\.\d+)?(?:[tT][A-Za-z]|[bBhHsScCdoxXeEfgGaAn%])|%`)

// placeholders counts the variables that a pattern takes. ok is false for a
// percent sign that Java cannot read.
func placeholders(pattern string) (count int, ok bool) {
	for _, match := range conversion.FindAllStringSubmatch(pattern, -1) {
		switch last := match[0][len(match[0])-1]; {
		case match[0] == "%":
			return 0, false
		case last == '%' || last == 'n':
		case match[1] != "":
			index, _ := strconv.Atoi(match[1])
			count = max(count, index)
		default:
			count++
		}
	}
	return count, true
}

// pattern compares a pattern to its variables.
func (n node) pattern(pattern, variables string) {
	text, known := n.text(pattern)
	if !known || text == "" || n.v.fields[variables].form == unknown {
		return
	}
	count, ok := placeholders(text)
	if !ok {
		n.refuse(pattern, pattern+" has a percent sign that stands for nothing", "Java formats it, and fails with the first row. Write %% for a percent sign, and %s for a variable.")
		return
	}
	names := 0
	if list, _ := n.text(variables); strings.TrimSpace(list) != "" {
		names = len(strings.Split(list, ","))
	}
	if names != count {
		n.refuse(variables, fmt.Sprintf("%s has %d, and %s has places for %d", variables, names, pattern, count), "The job fails with the first row, or leaves variables out. Each %s is one variable.")
	}
}

func (c *checker) internal(source node) {
	if source.word("type", "") != "function" {
		return
	}
	value, known := source.text("value")
	if !known || value == "" {
		return
	}
	switch value {
	case "CURRENT_TIMESTAMP":
	case "JSON_PAYLOAD":
		config := source.v.fields["internal_processor_config"]
		if class, there := config.fields["schema_proto_class"]; config.form != unknown && !there || class.form == scalar && class.text == "" {
			source.refuse("internal_processor_config", "JSON_PAYLOAD needs schema_proto_class", "Set internal_processor_config = { schema_proto_class = \"com.example.Message\" }.")
		}
	default:
		source.refuse("value", fmt.Sprintf("%q is no function that Dagger has", value), "It has CURRENT_TIMESTAMP and JSON_PAYLOAD, and fails on another with the first row.")
	}
}
