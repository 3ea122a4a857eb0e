// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package changes says what a change of each attribute of a resource does. The
// descriptions in the schema, the table in the docs and the tests that compare
// a plan with what the server saw are all made of one table.
package changes

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
)

// Class is what a change of an attribute does, in the words of the docs.
type Class string

// The classes.
const (
	// None changes the state alone.
	None Class = "none"
	// Ignored is no diff at all.
	Ignored Class = "no change"
	// InPlace changes the object on the server.
	InPlace Class = "update in place"
	// Rescale changes how many parts something runs in, while it runs.
	Rescale Class = "rescale"
	// Restart stops a job and starts it from its own newest state.
	Restart Class = "restart with state"
	// Restore stops a job and starts it from a state that the user names.
	Restore Class = "restart from `restore_from`"
	// Suspend stops a job, or starts it again from its state.
	Suspend Class = "suspend or resume"
	// Replace deletes the object and makes another one.
	Replace Class = "replace"
	// Nested is an object whose attributes have classes of their own.
	Nested Class = "as its attributes"
	// Computed cannot be set.
	Computed Class = "computed"
)

// Row is one attribute.
type Row struct {
	// Attribute is a path such as upgrade.mode.
	Attribute string
	Class     Class
	// Note follows the effect of the class, as a sentence without its stop.
	Note string
	// Respelled means that an equal value in another spelling is no change.
	Respelled bool
	// After are the classes whose apply gives a computed attribute a value that
	// its plan does not know; it is known with all others.
	After []Class
}

// Table is what changes of one type of resource do.
type Table struct {
	// Effects are in brackets behind the name of a class.
	Effects map[Class]string
	Rows    []Row
}

// Row finds the row of an attribute.
func (t Table) Row(attribute string) (Row, bool) {
	i := slices.IndexFunc(t.Rows, func(row Row) bool { return row.Attribute == attribute })
	if i < 0 {
		return Row{}, false
	}
	return t.Rows[i], true
}

// Settable are the rows that a configuration can change one by one.
func (t Table) Settable() []Row {
	return slices.DeleteFunc(slices.Clone(t.Rows), func(row Row) bool { return row.Class == Computed || row.Class == Nested })
}

// Unknown are the computed attributes that a plan of a class does not know.
func (t Table) Unknown(class Class) []string {
	var unknown []string
	for _, row := range t.Rows {
		if slices.Contains(row.After, class) {
			unknown = append(unknown, row.Attribute)
		}
	}
	return unknown
}

// sentence is the end of an attribute's description.
func (t Table) sentence(row Row) string {
	if row.Class == Computed || row.Class == Nested {
		return ""
	}
	text := " Change class: **" + string(row.Class) + "**"
	var more []string
	for _, part := range []string{row.Note, t.Effects[row.Class]} {
		if part != "" {
			more = append(more, part)
		}
	}
	if row.Respelled {
		more = append(more, "another spelling of the same value is no change")
	}
	if len(more) > 0 {
		text += " (" + strings.Join(more, "; ") + ")"
	}
	return text + "."
}

// Heading begins the part of a resource's description that the docs put below
// its examples.
const Heading = "## What a change does"

// Markdown is that part: a line for each class.
func (t Table) Markdown() string {
	attributes := map[Class][]string{}
	var classes []Class
	var respelled []string
	for _, row := range t.Settable() {
		if len(attributes[row.Class]) == 0 {
			classes = append(classes, row.Class)
		}
		text := quoted(row.Attribute)
		if row.Respelled {
			respelled = append(respelled, text)
		}
		if row.Note != "" {
			text += " (" + row.Note + ")"
		}
		attributes[row.Class] = append(attributes[row.Class], text)
	}
	var out strings.Builder
	out.WriteString("\n\n" + Heading + "\n\nChange class | Attributes | Computed values that are known after the apply\n--- | --- | ---\n")
	for _, class := range classes {
		name := "**" + string(class) + "**"
		if effect := t.Effects[class]; effect != "" {
			name += ": " + effect
		}
		unknown := t.Unknown(class)
		for i := range unknown {
			unknown[i] = quoted(unknown[i])
		}
		if len(unknown) == 0 {
			unknown = []string{"none"}
		}
		fmt.Fprintf(&out, "%s | %s | %s\n", name, strings.Join(attributes[class], ", "), strings.Join(unknown, ", "))
	}
	if len(respelled) > 0 {
		fmt.Fprintf(&out, "\nAnother spelling of the same value, alone, is no change: %s.\n", strings.Join(respelled, ", "))
	}
	return out.String()
}

func quoted(attribute string) string { return "`" + attribute + "`" }

// Describe adds to each description what a change does.
func (t Table) Describe(s schema.Schema) schema.Schema {
	s.Attributes = t.describe(s.Attributes, "")
	s.MarkdownDescription += t.Markdown()
	return s
}

func (t Table) describe(attributes map[string]schema.Attribute, prefix string) map[string]schema.Attribute {
	described := make(map[string]schema.Attribute, len(attributes))
	for name, attribute := range attributes {
		row, _ := t.Row(prefix + name)
		text := t.sentence(row)
		switch a := attribute.(type) {
		case schema.StringAttribute:
			a.MarkdownDescription += text
			attribute = a
		case schema.Int64Attribute:
			a.MarkdownDescription += text
			attribute = a
		case schema.NumberAttribute:
			a.MarkdownDescription += text
			attribute = a
		case schema.BoolAttribute:
			a.MarkdownDescription += text
			attribute = a
		case schema.ListAttribute:
			a.MarkdownDescription += text
			attribute = a
		case schema.MapAttribute:
			a.MarkdownDescription += text
			attribute = a
		case schema.SetAttribute:
			a.MarkdownDescription += text
			attribute = a
		case schema.ListNestedAttribute:
			// What is in a list has no class of its own.
			a.MarkdownDescription += text
			attribute = a
		case schema.SingleNestedAttribute:
			a.MarkdownDescription += text
			a.Attributes = t.describe(a.Attributes, prefix+name+".")
			attribute = a
		}
		described[name] = attribute
	}
	return described
}

// Check tells how a table and a schema differ: an attribute without a row, a
// row without an attribute, one that is said to be computed and can be set or
// the reverse, and a description that does not say the class.
func (t Table) Check(s schema.Schema) []string {
	var problems []string
	found := map[string]bool{}
	t.check(s.Attributes, "", found, &problems)
	seen := map[string]bool{}
	for _, row := range t.Rows {
		if !found[row.Attribute] {
			problems = append(problems, row.Attribute+" has a row and is no attribute")
		}
		if seen[row.Attribute] {
			problems = append(problems, row.Attribute+" has two rows")
		}
		seen[row.Attribute] = true
	}
	return problems
}

func (t Table) check(attributes map[string]schema.Attribute, prefix string, found map[string]bool, problems *[]string) {
	for _, name := range slices.Sorted(maps.Keys(attributes)) {
		at, attribute := prefix+name, attributes[name]
		found[at] = true
		row, ok := t.Row(at)
		settable := attribute.IsRequired() || attribute.IsOptional()
		switch nested, isNested := attribute.(schema.SingleNestedAttribute); {
		case !ok:
			*problems = append(*problems, at+" has no row")
		case settable == (row.Class == Computed):
			*problems = append(*problems, fmt.Sprintf("%s has the class %q", at, row.Class))
		case settable && isNested != (row.Class == Nested):
			*problems = append(*problems, fmt.Sprintf("%s has the class %q", at, row.Class))
		case !strings.HasSuffix(attribute.GetMarkdownDescription(), t.sentence(row)):
			*problems = append(*problems, at+" does not say what a change does")
		case isNested:
			t.check(nested.Attributes, at+".", found, problems)
		}
	}
}
