// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streampark

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/flinkoptions"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/flinkvalue"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/sqlscript"
)

// Layout is where the configuration file has options and properties.
type Layout string

// The layouts.
const (
	// Current is flink.option and flink.property, which StreamPark 2 reads.
	Current Layout = "2.x"
	// Deployment is flink.deployment.option and flink.deployment.property, of
	// versions before it.
	Deployment Layout = "deployment"
)

// Document is what a job is to be given. What is not set is empty.
type Document struct {
	Layout      Layout
	Name        string
	EntryClass  string
	Parallelism int64
	// Values are those of the keys of the file, by their attributes.
	Values map[string]string
	// SQL is that of the client's own main class, Statements those that another
	// main class runs by their ids.
	SQL        string
	Statements map[string]string
	// Extra are further keys of the file, in full and in the current layout.
	Extra map[string]string
	// Args are further arguments, which come first.
	Args []string
	// Variables are put in for ${name} in SQL, in extra keys and in arguments.
	// They may be secrets.
	Variables map[string]string
	// Unknown are the attributes that are not known yet, or not all of them.
	Unknown map[string]bool
}

// set tells whether an attribute has a value, known or not.
func (d Document) set(attribute string) bool {
	return d.Values[attribute] != "" || d.Unknown[attribute]
}

// flag tells whether an attribute is known to be true.
func (d Document) flag(attribute string) bool { return strings.EqualFold(d.Values[attribute], "true") }

// property is the value of a key of Flink's, typed or extra.
func (d Document) property(key string) (value string, ok bool) {
	if row, found := byKey(sectionProperty + key); found {
		value, ok = d.Values[row.Attribute]
		return value, ok
	}
	value, ok = d.Extra[propertyPrefix+key]
	return value, ok
}

// Properties are the keys of Flink's that the file sets and Flink reads.
func (d Document) Properties() map[string]string {
	properties := map[string]string{}
	for attribute, value := range d.Values {
		if row, ok := Lookup(attribute); ok && row.FlinkKey() != "" {
			properties[row.FlinkKey()] = value
		}
	}
	for key, value := range d.Extra {
		if flinkKey, ok := strings.CutPrefix(key, propertyPrefix); ok {
			properties[flinkKey] = value
		}
	}
	return properties
}

// placeholder is where a variable goes.
var placeholder = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_.-]*)\}`)

// Resolved is the document with its variables put in.
func (d Document) Resolved() Document {
	if len(d.Variables) == 0 {
		return d
	}
	put := func(text string) string {
		return placeholder.ReplaceAllStringFunc(text, func(found string) string {
			if value, ok := d.Variables[found[2:len(found)-1]]; ok {
				return value
			}
			return found
		})
	}
	all := func(texts map[string]string) map[string]string {
		replaced := maps.Clone(texts)
		for key, text := range texts {
			replaced[key] = put(text)
		}
		return replaced
	}
	d.SQL, d.Statements, d.Extra = put(d.SQL), all(d.Statements), all(d.Extra)
	d.Args = slices.Clone(d.Args)
	for i, arg := range d.Args {
		d.Args[i] = put(arg)
	}
	d.Variables = nil
	return d
}

// templates are the texts that variables are put into, by their attributes.
func (d Document) templates() map[string][]string {
	return map[string][]string{
		SQL: {d.SQL}, Statements: slices.Collect(maps.Values(d.Statements)), Extra: slices.Collect(maps.Values(d.Extra)), Args: d.Args,
	}
}

// Canonical is one spelling for all values of an option that mean the same.
func (o Option) Canonical(text string) string {
	text = flinkvalue.Trim(text)
	switch o.Kind {
	case Flag:
		return strings.ToLower(text)
	case Count:
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return strconv.FormatInt(n, 10)
		}
	case Fraction:
		if f, err := strconv.ParseFloat(text, 64); err == nil {
			return strconv.FormatFloat(f, 'g', -1, 64)
		}
	case Duration:
		if duration, err := flinkvalue.BareDuration(text); err == nil {
			return duration.String()
		}
	case Size:
		if size, err := flinkvalue.BareMemory(text); err == nil {
			return strconv.FormatInt(size, 10)
		}
	case Text:
		if len(o.Words) > 0 && !o.Exact && o.word(strings.ToLower(text)) {
			return strings.ToLower(text)
		}
	}
	return text
}

// word tells whether a text in lower case is one of the option's words.
func (o Option) word(text string) bool {
	return slices.ContainsFunc(o.Words, func(w string) bool { return strings.EqualFold(w, text) }) ||
		slices.ContainsFunc(o.Also, func(w string) bool { return strings.EqualFold(w, text) })
}

// CanonicalExtra is Canonical for a key that is no option.
func CanonicalExtra(key, value string) string {
	if flinkKey, ok := strings.CutPrefix(key, propertyPrefix); ok {
		return flinkoptions.Canonical(flinkKey, flinkvalue.Trim(value))
	}
	return flinkvalue.Trim(value)
}

// Canonical is the document in the one spelling of all that mean the same.
func (d Document) Canonical() Document {
	values := map[string]string{}
	for attribute, text := range d.Values {
		row, ok := Lookup(attribute)
		if text = row.Canonical(text); ok && text != "" {
			values[attribute] = text
		}
	}
	extra := map[string]string{}
	for key, text := range d.Extra {
		if text = CanonicalExtra(key, text); text != "" {
			extra[key] = text
		}
	}
	statements := map[string]string{}
	for id, text := range d.Statements {
		statements[id] = sqlscript.Normal(text)
	}
	d.Values, d.Extra, d.Statements, d.SQL = values, extra, statements, sqlscript.Normal(d.SQL)
	if d.Layout == "" {
		d.Layout = Current
	}
	return d
}

// Differences are the attributes, whole groups and all, in which two documents
// do not mean the same.
func Differences(before, after Document) []string {
	a, b := before.Canonical(), after.Canonical()
	found := map[string]bool{
		LayoutName: a.Layout != b.Layout, SQL: a.SQL != b.SQL, Statements: !maps.Equal(a.Statements, b.Statements),
		Extra: !maps.Equal(a.Extra, b.Extra), Args: !slices.Equal(a.Args, b.Args), EntryClass: a.EntryClass != b.EntryClass,
		Variables: !maps.Equal(a.Variables, b.Variables),
	}
	for _, row := range table {
		if group, _, nested := strings.Cut(row.Attribute, "."); nested && a.Values[row.Attribute] != b.Values[row.Attribute] {
			found[group] = true
		}
	}
	for attribute := range after.Unknown {
		group, _, _ := strings.Cut(attribute, ".")
		found[group] = true
	}
	maps.DeleteFunc(found, func(_ string, differs bool) bool { return !differs })
	return slices.Sorted(maps.Keys(found))
}
