// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package dagger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/flinkvalue"
)

// form is what a value consists of.
type form int

const (
	absent form = iota
	scalar
	list
	object
	unknown
	hidden
)

// Value is the value of an option: a text in Dagger's own spelling, values in
// order, or values by attribute or by the user's own names.
type Value struct {
	form   form
	text   string
	items  []Value
	fields map[string]Value
	// inner is what a hidden value hides, nil where it is not at hand.
	inner *Value
}

// Unknown is a value that is set, but not known yet. Nothing is found wrong
// with it.
func Unknown() Value { return Value{form: unknown} }

// Hidden is a write-only value of which the version is kept alone. inner is nil
// where the value is not at hand.
func Hidden(version string, inner *Value) Value {
	return Value{form: hidden, text: version, inner: inner}
}

// Array is values in order.
func Array(items ...Value) Value { return Value{form: list, items: items} }

// Fields is values by name.
func Fields(fields map[string]Value) Value {
	if fields == nil {
		fields = map[string]Value{}
	}
	return Value{form: object, fields: fields}
}

// Plain is a text in Dagger's own spelling.
func Plain(text string) Value { return Value{form: scalar, text: text} }

// Text is that of a value that is one.
func (v Value) Text() string { return v.text }

// Items are the values of a list, Names and Field those of an object.
func (v Value) Items() []Value { return v.items }

// Names are those of the fields, sorted.
func (v Value) Names() []string { return slices.Sorted(maps.Keys(v.fields)) }

// Field is one of an object.
func (v Value) Field(name string) (Value, bool) {
	field, ok := v.fields[name]
	return field, ok
}

// Known is true when all of it is, as far as it is to be shown: a write-only
// value may come with the apply.
func (v Value) Known() bool {
	if v.form == unknown {
		return false
	}
	for _, item := range v.items {
		if !item.Known() {
			return false
		}
	}
	for _, field := range v.fields {
		if !field.Known() {
			return false
		}
	}
	return true
}

// Equal tells whether two values mean the same to Dagger. Write-only values are
// told apart by their versions alone.
func (v Value) Equal(other Value) bool {
	return v.form == other.form && v.text == other.text && slices.EqualFunc(v.items, other.items, Value.Equal) && maps.EqualFunc(v.fields, other.fields, Value.Equal)
}

// shown is the value behind a write-only one; ok is false where it is not at hand.
func (v Value) shown() (Value, bool) {
	if v.form != hidden {
		return v, v.form != unknown
	}
	if v.inner == nil {
		return Value{}, false
	}
	return *v.inner, true
}

var longSuffix = regexp.MustCompile(`^[0-9]+[lL]$`)

// Scalar reads the value of an option that is one text, as users write it, and
// returns it in Dagger's spelling.
func (o Option) Scalar(text string) (Value, error) {
	switch o.Kind {
	case Text:
		return Plain(text), nil
	case Query:
		return Plain(strings.TrimSpace(text)), nil
	case Flag:
		if text != "true" && text != "false" {
			return Value{}, fmt.Errorf("%q is neither true nor false", text)
		}
		return Plain(text), nil
	case Count:
		n, err := strconv.ParseInt(flinkvalue.Trim(text), 10, 64)
		if err != nil {
			return Value{}, notNumber(text, "whole number")
		}
		return Plain(strconv.FormatInt(n, 10)), nil
	case Millis:
		return millis(text)
	case JSONText, JSONObject:
		return o.json([]byte(text))
	default:
	}
	return Value{}, errors.New("it takes no single text")
}

func notNumber(text, what string) error {
	if longSuffix.MatchString(text) {
		return fmt.Errorf("%q ends with a letter, on which Dagger fails, although its documentation writes numbers so: leave it out", text)
	}
	return fmt.Errorf("%q is no %s", text, what)
}

func millis(text string) (Value, error) {
	if n, err := strconv.ParseInt(flinkvalue.Trim(text), 10, 64); err == nil {
		return Plain(strconv.FormatInt(n, 10)), nil
	}
	d, err := flinkvalue.Duration(text)
	if err != nil {
		return Value{}, fmt.Errorf("%w: write a number of milliseconds, or one with a unit such as \"10 s\"", notNumber(text, "duration"))
	}
	if d%time.Millisecond != 0 {
		return Value{}, fmt.Errorf("%q is not a whole number of milliseconds, and Dagger reads nothing finer", text)
	}
	return Plain(strconv.FormatInt(d.Milliseconds(), 10)), nil
}

// decode keeps numbers as they are written.
func decode(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if decoder.More() {
		return errors.New("there is more behind the JSON value")
	}
	return nil
}

// encode sorts what has names, and leaves <, > and & as they are.
func encode(content any) (string, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(content); err != nil {
		return "", err
	}
	return strings.TrimSuffix(text.String(), "\n"), nil
}
