// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package yamltree reads YAML and JSON of which an engine is to decide what a
// scalar means, and writes it again as YAML, sorted and always the same.
//
// Engines read YAML 1.1, where yes is true, 017 is fifteen and 1:30 is ninety;
// others read YAML 1.2, where these are a text and two other numbers. So a
// scalar without quotes that may be more than text stays as it was written.
package yamltree

import (
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strings"
)

// Kind is what a node is.
type Kind int

// The kinds.
const (
	// Scalar is a text, or what an engine makes of one.
	Scalar Kind = iota
	// Map has entries.
	Map
	// List has items.
	List
)

// Node is a value. The zero Node is an empty text.
type Node struct {
	Kind Kind
	// Text is a scalar's.
	Text string
	// Plain scalars have no quotes, and an engine may read a number, a truth or
	// nothing from them. All others are text.
	Plain bool
	// Entries are a map's.
	Entries map[Key]Node
	Items   []Node
}

// Key is the key of an entry, which may be no text either.
type Key struct {
	Text  string
	Plain bool
}

// Text is a scalar that is text, whatever it looks like.
func Text(text string) Node { return Node{Text: text} }

// Plain is a scalar for the engine to read. It must be a number or a truth.
func Plain(text string) Node { return Node{Text: text, Plain: true} }

// Object is a map with keys that are text.
func Object(entries map[string]Node) Node {
	node := Node{Kind: Map, Entries: make(map[Key]Node, len(entries))}
	for key, value := range entries {
		node.Entries[Key{Text: key}] = value
	}
	return node
}

// Get finds an entry of a map by a key that is text.
func (n Node) Get(key string) (Node, bool) {
	value, ok := n.Entries[Key{Text: key}]
	return value, ok
}

// Keys are those of a map, sorted.
func (n Node) Keys() []Key { return slices.SortedFunc(maps.Keys(n.Entries), compareKeys) }

func compareKeys(a, b Key) int {
	if order := strings.Compare(a.Text, b.Text); order != 0 || a.Plain == b.Plain {
		return order
	}
	if a.Plain {
		return -1
	}
	return 1
}

// null is what all spellings of nothing become.
const null = "null"

var (
	// words are those that readers of YAML 1.1 or 1.2 take for more than text.
	words = []string{"yes", "no", "on", "off", "true", "false", null, "", "~", "=", "<<"}
	// value is written as numbers, dates, .inf and .nan are.
	value = regexp.MustCompile(`^[-+]?(\.?[0-9]|\.[A-Za-z])([0-9A-Za-z_+.: -]*[0-9A-Za-z_.:])?$`)
	// decimal is a number to both.
	decimal = regexp.MustCompile(`^[-+]?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]{1,3})?$`)
)

// maybeMore tells whether a scalar without quotes may be more than text. What
// no reader takes for a value is text, since it may be more where it is written:
// --- begins a document, and a colon at the end makes a key.
func maybeMore(text string) bool {
	return slices.Contains(words, strings.ToLower(text)) || value.MatchString(text) && !strings.Contains(text+" ", ": ")
}

// scalar is one that stands in a text without quotes.
func scalar(text string) Node {
	if strings.Contains(text, "\n") || !maybeMore(text) {
		return Text(text)
	}
	if text == "" || text == "~" || strings.EqualFold(text, null) {
		text = null
	}
	return Plain(text)
}

// Over puts the entries of a map over those of another, and into the maps among
// these. Whatever else is there twice is taken from over.
func Over(under, over Node) Node {
	if under.Kind != Map || over.Kind != Map {
		return over
	}
	merged := Node{Kind: Map, Entries: maps.Clone(under.Entries)}
	if merged.Entries == nil {
		merged.Entries = map[Key]Node{}
	}
	for key, value := range over.Entries {
		if below, ok := merged.Entries[key]; ok {
			value = Over(below, value)
		}
		merged.Entries[key] = value
	}
	return merged
}

// Masked has the same text in place of each scalar.
func Masked(node Node, text string) Node {
	switch node.Kind {
	case Map:
		masked := Node{Kind: Map, Entries: make(map[Key]Node, len(node.Entries))}
		for key, value := range node.Entries {
			masked.Entries[key] = Masked(value, text)
		}
		return masked
	case List:
		masked := Node{Kind: List}
		for _, item := range node.Items {
			masked.Items = append(masked.Items, Masked(item, text))
		}
		return masked
	case Scalar:
	}
	return Text(text)
}

// Same tells whether two nodes mean the same to any engine: 1 and 1.0 do.
func Same(a, b Node) bool { return Canonical(a) == Canonical(b) }

// Canonical is one text for all nodes that mean the same.
func Canonical(node Node) string {
	var out writer
	out.canonical = true
	out.document(node)
	return out.String()
}

// meaning is one spelling for all that both versions of YAML read alike.
func meaning(text string) string {
	switch lower := strings.ToLower(text); {
	case lower == "true" || lower == "false":
		return lower
	case decimal.MatchString(text):
		if number, ok := new(big.Rat).SetString(text); ok {
			return number.RatString()
		}
	}
	return text
}
