// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravegaspark

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/flinkvalue"
)

// Kind is the type of an option.
type Kind string

// The kinds of options.
const (
	Text   Kind = "string"
	Bool   Kind = "boolean"
	Number Kind = "whole number"
	// Millis is a duration that the connector wants as a number of milliseconds.
	Millis Kind = "duration"
	// Bytes is a size that the connector wants as a number of bytes.
	Bytes Kind = "size"
)

// Value is the value of one option.
type Value struct {
	text    string
	number  int64
	truth   bool
	kind    Kind
	unknown bool
}

// Unknown is a value that is set, but not known yet. Nothing is found wrong
// with it.
func Unknown() Value { return Value{unknown: true} }

// String is the value as the connector reads it.
func (v Value) String() string {
	switch v.kind {
	case Bool:
		return strconv.FormatBool(v.truth)
	case Number, Millis, Bytes:
		return strconv.FormatInt(v.number, 10)
	default:
		return v.text
	}
}

// Parse reads the value of an option as users write it: a duration or a size
// with a unit, or as a bare number of milliseconds or bytes. Whether it is
// within the option's limits is said by Check.
func Parse(option, text string) (Value, error) {
	row, ok := Lookup(option)
	if !ok {
		return Value{}, fmt.Errorf("%q is no option of the Pravega Spark connector", option)
	}
	v := Value{kind: row.Kind, text: text}
	switch row.Kind {
	case Text:
	case Bool:
		// As the connector does: it fails on other words that Go knows.
		switch strings.ToLower(text) {
		case "true":
			v.truth = true
		case "false":
		default:
			return Value{}, fmt.Errorf("%s = %q is neither true nor false", option, text)
		}
	case Number:
		number, err := strconv.ParseInt(flinkvalue.Trim(text), 10, 64)
		if err != nil {
			return Value{}, fmt.Errorf("%s = %q is no whole number", option, text)
		}
		v.number = number
	case Millis:
		d, err := flinkvalue.BareDuration(text)
		if err != nil {
			return Value{}, fmt.Errorf("%s = %q is no duration: %w", option, text, err)
		}
		if d%time.Millisecond != 0 {
			return Value{}, fmt.Errorf("%s = %q is not a whole number of milliseconds, and the connector reads nothing finer", option, text)
		}
		v.number = d.Milliseconds()
	case Bytes:
		size, err := flinkvalue.BareMemory(text)
		if err != nil {
			return Value{}, fmt.Errorf("%s = %q is no size: %w", option, text, err)
		}
		v.number = size
	}
	return v, nil
}

// Options are those that are set, by name.
type Options map[string]Value

// Render is what Spark's option(key, value) is to be given. What is not set is
// left out: the connector's own default holds.
func (o Options) Render() map[string]string {
	rendered := make(map[string]string, len(o))
	for name, value := range o {
		if !value.unknown {
			rendered[name] = value.String()
		}
	}
	return rendered
}

// Set tells whether an option is set, be it to something unknown.
func (o Options) Set(option string) bool {
	_, ok := o[option]
	return ok
}

// known is the value of an option that is set and known.
func (o Options) known(option string) (Value, bool) {
	v, ok := o[option]
	return v, ok && !v.unknown
}

// is tells whether a boolean option is known to be set to this.
func (o Options) is(option string, truth bool) bool {
	v, ok := o.known(option)
	return ok && v.kind == Bool && v.truth == truth
}
