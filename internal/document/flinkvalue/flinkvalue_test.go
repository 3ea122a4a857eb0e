// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkvalue_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/flinkvalue"
)

func TestDuration_ReadsFlinksGrammar(t *testing.T) {
	t.Parallel()
	day := 24 * time.Hour
	for text, want := range map[string]time.Duration{
		"10 s": 10 * time.Second, "10s": 10 * time.Second, "  10   s\t": 10 * time.Second, "10 S": 10 * time.Second,
		"1 sec": time.Second, "2 secs": 2 * time.Second, "1 second": time.Second, "2 seconds": 2 * time.Second,
		"1min": time.Minute, "1 m": time.Minute, "1 minute": time.Minute, "5 Minutes": 5 * time.Minute,
		"3 h": 3 * time.Hour, "1 hour": time.Hour, "2 hours": 2 * time.Hour,
		"7d": 7 * day, "1 day": day, "2 days": 2 * day,
		"5ms": 5 * time.Millisecond, "5 milli": 5 * time.Millisecond, "5 millis": 5 * time.Millisecond,
		"5 millisecond": 5 * time.Millisecond, "5 milliseconds": 5 * time.Millisecond,
		"5µs": 5 * time.Microsecond, "5 micro": 5 * time.Microsecond, "5 micros": 5 * time.Microsecond,
		"5 microsecond": 5 * time.Microsecond, "5 microseconds": 5 * time.Microsecond,
		"5ns": 5, "5 nano": 5, "5 nanos": 5, "5 nanosecond": 5, "5 nanoseconds": 5,
		"0 s": 0, "007 s": 7 * time.Second,
		"9223372036854775807 ns": math.MaxInt64, "106751 d": 106751 * day,
	} {
		if got, err := flinkvalue.Duration(text); err != nil || got != want {
			t.Errorf("%q: got %s, %v; want %s", text, got, err, want)
		}
	}
}

func TestDuration_RefusesEverythingElse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]error{
		"": flinkvalue.ErrNoNumber, "s": flinkvalue.ErrNoNumber, "-5 s": flinkvalue.ErrNoNumber, "+5 s": flinkvalue.ErrNoNumber,
		".5 s": flinkvalue.ErrNoNumber, "PT10S": flinkvalue.ErrNoNumber, "５ s": flinkvalue.ErrNoNumber,
		"10": flinkvalue.ErrNoUnit, "10 ": flinkvalue.ErrNoUnit,
		"1.5 h": flinkvalue.ErrUnit, "1h30m": flinkvalue.ErrUnit, "10 weeks": flinkvalue.ErrUnit, "1 h 30 min": flinkvalue.ErrUnit,
		"1e3 s": flinkvalue.ErrUnit, "10 mins": flinkvalue.ErrUnit, "1_000 s": flinkvalue.ErrUnit, "10\u00a0s": flinkvalue.ErrUnit,
		"9223372036854775808 ns": flinkvalue.ErrRange, "106752 d": flinkvalue.ErrRange, "99999999999999999999 s": flinkvalue.ErrRange,
	} {
		if got, err := flinkvalue.Duration(text); !errors.Is(err, want) || got != 0 {
			t.Errorf("%q: got %s, %v; want %v", text, got, err, want)
		}
	}
}

func TestMemory_ReadsFlinksGrammar(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"1b": 1, "3 bytes": 3,
		"1k": 1 << 10, "1 kb": 1 << 10, "1 kibibytes": 1 << 10,
		"1m": 1 << 20, "64mb": 64 << 20, "64 MB": 64 << 20, "1 mebibytes": 1 << 20,
		"1g": 1 << 30, "10 gb": 10 << 30, "1 gibibytes": 1 << 30,
		"1t": 1 << 40, "2tb": 2 << 40, "1 tebibytes": 1 << 40,
		"0 b": 0, " 5   kb ": 5 << 10, "9223372036854775807 b": math.MaxInt64, "8388607 tb": 8388607 << 40,
	} {
		if got, err := flinkvalue.Memory(text); err != nil || got != want {
			t.Errorf("%q: got %d, %v; want %d", text, got, err, want)
		}
	}
}

func TestMemory_RefusesEverythingElse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]error{
		"": flinkvalue.ErrNoNumber, "mb": flinkvalue.ErrNoNumber, "-1 mb": flinkvalue.ErrNoNumber,
		"64": flinkvalue.ErrNoUnit, "64 mib": flinkvalue.ErrUnit, "1.5 gb": flinkvalue.ErrUnit, "1 pb": flinkvalue.ErrUnit,
		"1 byte": flinkvalue.ErrUnit, "1mb2": flinkvalue.ErrUnit, "8388608 tb": flinkvalue.ErrRange, "9223372036854775808 b": flinkvalue.ErrRange,
	} {
		if got, err := flinkvalue.Memory(text); !errors.Is(err, want) || got != 0 {
			t.Errorf("%q: got %d, %v; want %v", text, got, err, want)
		}
	}
}

func TestBare_TakesANumberWithoutAUnit(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{"1500": 1500 * time.Millisecond, "0": 0, "2 min": 2 * time.Minute, "9223372036854": 9223372036854 * time.Millisecond} {
		if got, err := flinkvalue.BareDuration(text); err != nil || got != want {
			t.Errorf("%q: got %s, %v", text, got, err)
		}
	}
	for text, want := range map[string]int64{"1500": 1500, "0": 0, "2kb": 2048, "9223372036854775807": 9223372036854775807} {
		if got, err := flinkvalue.BareMemory(text); err != nil || got != want {
			t.Errorf("%q: got %d, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "-1", "1.5", "x", "1 fortnight", "9223372036855", "9223372036854775808"} {
		if got, err := flinkvalue.BareDuration(text); err == nil {
			t.Errorf("%q is the duration %s", text, got)
		}
	}
	for _, text := range []string{"", "-1", "1.5", "x", "1 pint", "9223372036854775808"} {
		if got, err := flinkvalue.BareMemory(text); err == nil {
			t.Errorf("%q is the size %d", text, got)
		}
	}
}

func TestErrors_SayHowToWriteIt(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"10": `"10 s"`, "10 weeks": "d, h, min, s, ms", "106752 d": "292 years"} {
		if _, err := flinkvalue.Duration(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v does not say %s", text, err, want)
		}
	}
}

func FuzzDuration(f *testing.F) {
	for _, seed := range []string{"10 s", "1min", "7d", "1h30m", "1.5 h", "µs", "9223372036854775807 ns", "106752 d", "5 \u00b5s"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		value, err := flinkvalue.Duration(text)
		if err != nil {
			if value != 0 {
				t.Errorf("%q: a value, %s, beside %v", text, value, err)
			}
			return
		}
		if value < 0 {
			t.Fatalf("%q: negative, %s", text, value)
		}
		again, err := flinkvalue.Duration(strconv.FormatInt(value.Nanoseconds(), 10) + " ns")
		if err != nil || again != value {
			t.Errorf("%q is %s, but its nanoseconds are %s, %v", text, value, again, err)
		}
		padded, err := flinkvalue.Duration("  " + strings.ToUpper(text) + "\t")
		if strings.ToLower(strings.ToUpper(text)) == text && (err != nil || padded != value) {
			t.Errorf("%q is %s, but in capitals with space around it %s, %v", text, value, padded, err)
		}
	})
}

func FuzzMemory(f *testing.F) {
	for _, seed := range []string{"64mb", "10 gb", "1.5 gb", "8388608 tb", "9223372036854775807 b", "5 kibibytes"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		value, err := flinkvalue.Memory(text)
		if err != nil {
			if value != 0 {
				t.Errorf("%q: a value, %d, beside %v", text, value, err)
			}
			return
		}
		if value < 0 {
			t.Fatalf("%q: negative, %d", text, value)
		}
		again, err := flinkvalue.Memory(strconv.FormatInt(value, 10) + "b")
		if err != nil || again != value {
			t.Errorf("%q is %d, but in bytes %d, %v", text, value, again, err)
		}
	})
}

func TestText_IsTheShortestThatMeansTheSame(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"0 s": "0 ms", "90 s": "90 s", "120 s": "2 min", "24 h": "1 d", "36 h": "36 h", "1500 ms": "1500 ms", "1000 ms": "1 s",
		"1500 µs": "1500 µs", "1000000 ns": "1 ms", "1001 ns": "1001 ns", "106751 d": "106751 d",
	} {
		d, err := flinkvalue.Duration(text)
		if got := flinkvalue.DurationText(d); err != nil || got != want {
			t.Errorf("%s is %q instead of %q, %v", text, got, want, err)
		}
	}
	for text, want := range map[string]string{
		"0 mb": "0 b", "64 mb": "64 mb", "1024 mb": "1 gb", "1536 mb": "1536 mb", "1023 b": "1023 b", "4096 b": "4 kb", "2048 gb": "2 tb", "8388607 tb": "8388607 tb",
	} {
		bytes, err := flinkvalue.Memory(text)
		if got := flinkvalue.MemoryText(bytes); err != nil || got != want {
			t.Errorf("%s is %q instead of %q, %v", text, got, want, err)
		}
	}
}

func TestText_IsReadAsWhatItWasMadeOf(t *testing.T) {
	t.Parallel()
	units := []int64{1, 1000, 1024, 60, 3600, 1 << 20, int64(time.Millisecond), int64(time.Hour), 1 << 40}
	for range 10_000 {
		number := rand.Int64N(1<<20) * units[rand.IntN(len(units))]
		if d, err := flinkvalue.Duration(flinkvalue.DurationText(time.Duration(number))); err != nil || int64(d) != number {
			t.Fatalf("%d ns became %d, %v", number, d, err)
		}
		if bytes, err := flinkvalue.Memory(flinkvalue.MemoryText(number)); err != nil || bytes != number {
			t.Fatalf("%d bytes became %d, %v", number, bytes, err)
		}
	}
}
