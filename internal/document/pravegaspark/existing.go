// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravegaspark

import (
	"strconv"
)

// Rate is what a stream scales by.
type Rate string

// The rates.
const (
	NoRate    Rate = ""
	KiBRate   Rate = "KiB"
	EventRate Rate = "events"
)

// Existing is how a stream that exists is configured, as far as Pravega's REST
// API shows it.
type Existing struct {
	// Segments is their fixed number, or the least one with a rate.
	Segments int64
	// Rate is what TargetRate counts per second.
	Rate                    Rate
	TargetRate, ScaleFactor int64
	// RetainMinutes and RetainMiB are what is kept at least, rounded down; nil
	// when it is not limited so.
	RetainMinutes, RetainMiB *int64
}

// Ignored is an option that a stream makes void.
type Ignored struct {
	Option, Wanted string
	// Actual is what the stream has, in the option's own unit; nil when it has
	// no such limit, or was not read.
	Actual *string
	// Same is true when the stream is known to be what the option asks for.
	Same bool
}

const (
	millisPerMinute = 60_000
	mib             = 1 << 20
)

// Compare lists the options that the stream makes void. Without a stream that
// could be read, existing is nil.
func Compare(options Options, existing *Existing) []Ignored {
	var ignored []Ignored
	for _, row := range table {
		wanted, known := options.known(row.Name)
		if !row.Creates() || !known {
			continue
		}
		one := Ignored{Option: row.Name, Wanted: wanted.String()}
		if existing != nil {
			actual, unit := existing.actual(row.Name)
			if actual != nil {
				text := strconv.FormatInt(*actual*unit, 10)
				// What is finer than REST shows cannot be told apart.
				one.Actual, one.Same = &text, wanted.number/unit == *actual
			}
		}
		ignored = append(ignored, one)
	}
	return ignored
}

// actual is the stream's value for an option, in a unit of this size.
func (e *Existing) actual(option string) (value *int64, unit int64) {
	when := func(condition bool, value int64) *int64 {
		if !condition {
			return nil
		}
		return &value
	}
	switch option {
	case NumSegments:
		return &e.Segments, 1
	case ScaleFactor:
		return when(e.Rate != NoRate, e.ScaleFactor), 1
	case BytesRate:
		return when(e.Rate == KiBRate, e.TargetRate), kib
	case EventsRate:
		return when(e.Rate == EventRate, e.TargetRate), 1
	case RetentionTime:
		return e.RetainMinutes, millisPerMinute
	case RetentionSize:
		return e.RetainMiB, mib
	}
	return nil, 1
}
