// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package yamltree

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Write writes a node as YAML that all versions read alike: maps sorted by their
// keys, one value a line, texts in double quotes unless they are plain words.
func Write(node Node) string {
	var out writer
	out.document(node)
	return out.String()
}

type writer struct {
	strings.Builder

	canonical bool
}

func (w *writer) document(node Node) {
	if w.inline(node) {
		w.WriteString(w.one(node) + "\n")
		return
	}
	w.block(node, "", false)
}

// inline tells whether a node takes no line of its own.
func (w *writer) inline(node Node) bool {
	return node.Kind == Scalar || len(node.Entries) == 0 && len(node.Items) == 0
}

// one writes a node that is inline.
func (w *writer) one(node Node) string {
	switch node.Kind {
	case Map:
		return "{}"
	case List:
		return "[]"
	case Scalar:
	}
	return w.scalar(node.Text, node.Plain)
}

func (w *writer) scalar(text string, plain bool) string {
	switch {
	case plain && w.canonical:
		return meaning(text)
	case plain:
		return text
	}
	return Quoted(text)
}

// block writes a map or a list. The first line is indented already when it
// stands behind the dash of a list.
func (w *writer) block(node Node, indent string, indented bool) {
	lead := func() {
		if !indented {
			w.WriteString(indent)
		}
		indented = false
	}
	for _, key := range node.Keys() {
		lead()
		w.WriteString(w.scalar(key.Text, key.Plain) + ":")
		value := node.Entries[key]
		if w.inline(value) {
			w.WriteString(" " + w.one(value) + "\n")
			continue
		}
		w.WriteByte('\n')
		w.block(value, indent+"  ", false)
	}
	for _, item := range node.Items {
		lead()
		w.WriteString("- ")
		if w.inline(item) {
			w.WriteString(w.one(item) + "\n")
			continue
		}
		w.block(item, indent+"  ", true)
	}
}

var word = regexp.MustCompile(`^[A-Za-z_/][A-Za-z0-9_./-]*$`)

// Quoted is a text as a scalar of YAML.
func Quoted(text string) string {
	// YAML 1.1 names y and n too, which its readers leave alone.
	if word.MatchString(text) && !slices.Contains(append([]string{"y", "n"}, words...), strings.ToLower(text)) {
		return text
	}
	var out strings.Builder
	out.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			out.WriteString(`\` + string(r))
		case r == '\n':
			out.WriteString(`\n`)
		case r == '\t':
			out.WriteString(`\t`)
		case r < 0x100 && unicode.IsControl(r):
			_, _ = fmt.Fprintf(&out, `\x%02x`, r)
		case r > 0xffff:
			_, _ = fmt.Fprintf(&out, `\U%08x`, r)
		case !unicode.IsPrint(r):
			_, _ = fmt.Fprintf(&out, `\u%04x`, r)
		default:
			out.WriteRune(r)
		}
	}
	out.WriteByte('"')
	return out.String()
}
