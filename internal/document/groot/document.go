// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package groot

import (
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/yamltree"
)

// Document is a job file.
type Document struct {
	// Name is the job's.
	Name string
	// Env are the options that are set, by their attributes, as ParseValue made them.
	Env map[string]Value
	// Flink are Flink's options, by its own keys.
	Flink map[string]string
	// Extra are keys of the env block that no attribute stands for.
	Extra map[string]string
	// Sections is everything beside the env block: a map, or nothing.
	Sections yamltree.Node
	// Secrets and WriteOnly go over all that, the second hidden in what is shown.
	Secrets, WriteOnly yamltree.Node
	// Unknown are the attributes that are not known, or not all: those of the env
	// object by their own names, others by that of the resource.
	Unknown map[string]bool
}

// hidden stands for what only the engine is to see.
const hidden = "(write-only)"

// Render is the job file.
func (d Document) Render() string {
	return yamltree.Write(yamltree.Over(d.shown(), asMap(d.WriteOnly)))
}

// Shown is the job file as it may be shown: what is write-only is hidden.
func (d Document) Shown() string {
	return yamltree.Write(yamltree.Over(d.shown(), yamltree.Masked(asMap(d.WriteOnly), hidden)))
}

// Meaning is one text for all documents that the engine reads alike, without
// what is write-only.
func (d Document) Meaning() string {
	return yamltree.Canonical(yamltree.Over(d.shown(), yamltree.Masked(asMap(d.WriteOnly), hidden)))
}

// Public is the job file without any secret: secret tells of Flink's options
// and other keys of the env block which those are.
func (d Document) Public(secret func(key string) bool) string {
	bare := d
	bare.Secrets, bare.WriteOnly = yamltree.Masked(asMap(d.Secrets), hidden), yamltree.Masked(asMap(d.WriteOnly), hidden)
	bare.Flink, bare.Extra = maps.Clone(d.Flink), maps.Clone(d.Extra)
	for _, entries := range []map[string]string{bare.Flink, bare.Extra} {
		for key := range entries {
			if secret(key) {
				entries[key] = hidden
			}
		}
	}
	return yamltree.Canonical(yamltree.Over(bare.shown(), bare.WriteOnly))
}

func asMap(node yamltree.Node) yamltree.Node {
	if node.Kind != yamltree.Map {
		return yamltree.Object(nil)
	}
	return node
}

func (d Document) shown() yamltree.Node {
	file := yamltree.Over(asMap(d.Sections), yamltree.Object(map[string]yamltree.Node{envKey: d.env()}))
	return yamltree.Over(file, asMap(d.Secrets))
}

func (d Document) env() yamltree.Node {
	env := map[string]yamltree.Node{}
	for key, value := range d.Extra {
		env[key] = natural(value)
	}
	for key, value := range d.Flink {
		env[FlinkPrefix+key] = natural(value)
	}
	if d.Name != "" {
		env[NameKey] = yamltree.Text(d.Name)
	}
	for attribute, value := range d.Env {
		if option, ok := Lookup(attribute); ok {
			env[option.Key] = option.node(value)
		}
	}
	return yamltree.Object(env)
}

// whole is a number that all engines read alike.
var whole = regexp.MustCompile(`^(0|-?[1-9][0-9]*)$`)

// natural is a value of which only the text is known, as people write it: an
// engine that casts what it reads expects a number without quotes.
func natural(text string) yamltree.Node {
	if text == "true" || text == "false" || whole.MatchString(text) {
		return yamltree.Plain(text)
	}
	return yamltree.Text(text)
}

func (o Option) node(value Value) yamltree.Node {
	switch o.Kind {
	case Flag, Count, Millis:
		return yamltree.Plain(value.Text)
	case Locations:
		return yamltree.Text(strings.Join(value.List, ";"))
	case Text:
	}
	return yamltree.Text(value.Text)
}

// Error is about one key of a file that is read.
type Error struct {
	Key string
	Err error
}

// Error names the key.
func (e *Error) Error() string { return e.Key + ": " + e.Err.Error() }

// Unwrap is the error without the key.
func (e *Error) Unwrap() error { return e.Err }

// Parse reads a job file that is there. Keys of the env block may be nested, and
// a list of locations may be a list.
func Parse(text string) (Document, error) {
	file, err := yamltree.ParseMap(text)
	if err != nil {
		return Document{}, err
	}
	d := Document{Env: map[string]Value{}, Flink: map[string]string{}, Extra: map[string]string{}, Sections: yamltree.Object(nil)}
	for key, value := range file.Entries {
		if key != (yamltree.Key{Text: envKey}) {
			d.Sections.Entries[key] = value
		}
	}
	env, ok := file.Get(envKey)
	if !ok {
		return d, nil
	}
	if env.Kind != yamltree.Map {
		return Document{}, &Error{Key: envKey, Err: errors.New("it is no map of keys and values")}
	}
	flat := map[string]yamltree.Node{}
	if err := flatten(flat, "", env); err != nil {
		return Document{}, err
	}
	for _, key := range slices.Sorted(maps.Keys(flat)) {
		if err := take(&d, key, flat[key]); err != nil {
			return Document{}, &Error{Key: envKey + "." + key, Err: err}
		}
	}
	return d, nil
}

// flatten joins the keys of maps in maps with dots.
func flatten(flat map[string]yamltree.Node, prefix string, node yamltree.Node) error {
	for _, key := range node.Keys() {
		name, value := prefix+key.Text, node.Entries[key]
		if value.Kind == yamltree.Map && len(value.Entries) > 0 {
			if err := flatten(flat, name+".", value); err != nil {
				return err
			}
			continue
		}
		if _, twice := flat[name]; twice {
			return &Error{Key: envKey + "." + name, Err: errors.New("it is there twice, nested and not")}
		}
		flat[name] = value
	}
	return nil
}

// take puts one key of the env block where it belongs.
func take(d *Document, key string, node yamltree.Node) error {
	option, modelled := lookupKey(key)
	if modelled && option.Kind == Locations {
		list, err := listOf(node)
		d.Env[option.Attribute()] = Value{List: list}
		return err
	}
	if node.Kind != yamltree.Scalar {
		return errors.New("it is no single value")
	}
	if node.Plain && node.Text == "null" {
		// Nothing is set by it.
		return nil
	}
	switch name, isFlink := strings.CutPrefix(key, FlinkPrefix); {
	case key == NameKey:
		d.Name = node.Text
	case modelled:
		text, err := option.parse(spelled(option, node.Text))
		if err != nil {
			return err
		}
		d.Env[option.Attribute()] = Value{Text: text}
	case isFlink:
		d.Flink[name] = node.Text
	default:
		d.Extra[key] = node.Text
	}
	return nil
}

// spelled is how an attribute spells what a file may spell otherwise.
func spelled(option Option, text string) string {
	text = strings.TrimSpace(text)
	switch {
	case option.Kind == Flag:
		return strings.ToLower(text)
	case len(option.Words) > 0:
		for _, word := range option.Words {
			if strings.EqualFold(word, text) {
				return word
			}
		}
	}
	return text
}

func listOf(node yamltree.Node) ([]string, error) {
	var list []string
	switch node.Kind {
	case yamltree.List:
		for _, item := range node.Items {
			if item.Kind != yamltree.Scalar {
				return nil, errors.New("one of the list is no single value")
			}
			list = append(list, item.Text)
		}
	case yamltree.Scalar:
		if node.Plain && node.Text == "null" {
			return nil, nil
		}
		for item := range strings.SplitSeq(node.Text, ";") {
			if item = strings.TrimSpace(item); item != "" {
				list = append(list, item)
			}
		}
	case yamltree.Map:
		return nil, errors.New("it is no list")
	}
	return list, nil
}

// Written is the text of the sections, empty without one.
func (d Document) Written() string {
	if len(asMap(d.Sections).Entries) == 0 {
		return ""
	}
	return yamltree.Write(d.Sections)
}
