// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package flinkvalue parses the spellings of durations and memory sizes that
// Flink's configuration uses: one number and one unit.
package flinkvalue

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Errors of the two parsers, to be told apart by a caller that wants a unit.
var (
	ErrNoNumber = errors.New("no number at the start")
	ErrNoUnit   = errors.New("no unit")
	ErrUnit     = errors.New("unknown unit")
	ErrRange    = errors.New("too large")
)

// durationUnits are those of Flink's TimeUtils; it compares them in lower case.
var durationUnits = map[string]time.Duration{}

// memoryUnits are those of Flink's MemorySize, all powers of 1024.
var memoryUnits = map[string]int64{
	"b": 1, "bytes": 1,
	"k": 1 << 10, "kb": 1 << 10, "kibibytes": 1 << 10,
	"m": 1 << 20, "mb": 1 << 20, "mebibytes": 1 << 20,
	"g": 1 << 30, "gb": 1 << 30, "gibibytes": 1 << 30,
	"t": 1 << 40, "tb": 1 << 40, "tebibytes": 1 << 40,
}

func init() {
	for labels, unit := range map[string]time.Duration{
		"d day days":                               24 * time.Hour,
		"h hour hours":                             time.Hour,
		"min m minute minutes":                     time.Minute,
		"s sec secs second seconds":                time.Second,
		"ms milli millis millisecond milliseconds": time.Millisecond,
		"µs micro micros microsecond microseconds": time.Microsecond,
		"ns nano nanos nanosecond nanoseconds":     time.Nanosecond,
	} {
		for label := range strings.FieldsSeq(labels) {
			durationUnits[label] = unit
		}
	}
}

// DurationUnit is the length of a unit by one of Flink's names for it.
func DurationUnit(name string) (time.Duration, bool) {
	unit, ok := durationUnits[strings.ToLower(name)]
	return unit, ok
}

// MemoryUnit is the bytes of a unit by one of Flink's names for it.
func MemoryUnit(name string) (int64, bool) {
	unit, ok := memoryUnits[strings.ToLower(name)]
	return unit, ok
}

// Duration parses a duration with a unit, such as "10 s", "1min" or "7d".
func Duration(text string) (time.Duration, error) {
	number, unit, err := split(text)
	if err != nil {
		return 0, err
	}
	if unit == "" {
		return 0, fmt.Errorf("%w: write it like \"10 s\", \"5 min\" or \"7 d\"", ErrNoUnit)
	}
	factor, ok := DurationUnit(unit)
	if !ok {
		return 0, fmt.Errorf("%w %q: use one of d, h, min, s, ms, µs, ns", ErrUnit, unit)
	}
	if number > math.MaxInt64/int64(factor) {
		return 0, fmt.Errorf("%w: at most 292 years", ErrRange)
	}
	return time.Duration(number) * factor, nil
}

// Memory parses a size with a unit, such as "64mb" or "10 gb", in bytes.
func Memory(text string) (int64, error) {
	number, unit, err := split(text)
	if err != nil {
		return 0, err
	}
	if unit == "" {
		return 0, fmt.Errorf("%w: write it like \"64mb\" or \"10 gb\"", ErrNoUnit)
	}
	factor, ok := MemoryUnit(unit)
	if !ok {
		return 0, fmt.Errorf("%w %q: use one of b, kb, mb, gb, tb (powers of 1024)", ErrUnit, unit)
	}
	if number > math.MaxInt64/factor {
		return 0, fmt.Errorf("%w: at most 2^63-1 bytes", ErrRange)
	}
	return number * factor, nil
}

// BareDuration is Duration, and takes a number without a unit for milliseconds.
func BareDuration(text string) (time.Duration, error) {
	number, unit, err := split(text)
	if err != nil || unit != "" {
		return Duration(text)
	}
	if number > math.MaxInt64/int64(time.Millisecond) {
		return 0, fmt.Errorf("%w: at most 292 years", ErrRange)
	}
	return time.Duration(number) * time.Millisecond, nil
}

// BareMemory is Memory, and takes a number without a unit for bytes.
func BareMemory(text string) (int64, error) {
	number, unit, err := split(text)
	if err != nil || unit != "" {
		return Memory(text)
	}
	return number, nil
}

func split(text string) (int64, string, error) {
	text = Trim(text)
	end := 0
	for end < len(text) && text[end] >= '0' && text[end] <= '9' {
		end++
	}
	if end == 0 {
		return 0, "", fmt.Errorf("%w: one whole number and one unit are wanted", ErrNoNumber)
	}
	number, err := strconv.ParseInt(text[:end], 10, 64)
	if err != nil {
		return 0, "", fmt.Errorf("%w: the number does not fit in 63 bits", ErrRange)
	}
	return number, Trim(text[end:]), nil
}

// Trim does what Java's does: a no-break space, which text from a web page
// brings along, is no space to Flink.
func Trim(text string) string {
	return strings.TrimFunc(text, func(r rune) bool { return r <= ' ' })
}

// DurationText spells a duration that is not negative, in the largest unit of
// which it is a whole number.
func DurationText(d time.Duration) string {
	for _, unit := range []struct {
		name string
		long time.Duration
	}{{"d", 24 * time.Hour}, {"h", time.Hour}, {"min", time.Minute}, {"s", time.Second}, {"ms", time.Millisecond}, {"µs", time.Microsecond}} {
		if d%unit.long == 0 && (d > 0 || unit.name == "ms") {
			return fmt.Sprintf("%d %s", d/unit.long, unit.name)
		}
	}
	return fmt.Sprintf("%d ns", d)
}

// MemoryText spells a number of bytes that is not negative, in the largest unit
// of which it is a whole number.
func MemoryText(bytes int64) string {
	for _, unit := range []struct {
		name  string
		large int64
	}{{"tb", 1 << 40}, {"gb", 1 << 30}, {"mb", 1 << 20}, {"kb", 1 << 10}} {
		if bytes > 0 && bytes%unit.large == 0 {
			return fmt.Sprintf("%d %s", bytes/unit.large, unit.name)
		}
	}
	return fmt.Sprintf("%d b", bytes)
}
