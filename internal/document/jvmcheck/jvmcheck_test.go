// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package jvmcheck

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest/realengine"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/flinkoptions"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/flinkvalue"
)

var prepare sync.Mutex

// read asks the classes of a world, when real engines are asked for.
func read(t *testing.T, world World, calls []Call) []Answer {
	t.Helper()
	realengine.Only(t)
	// Two tests at once would compile the readers twice.
	prepare.Lock()
	jvm, err := Prepare(t.Context(), t.Output())
	prepare.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	answers, err := jvm.Read(t.Context(), world, calls)
	if err != nil {
		t.Fatal(err)
	}
	return answers
}

func TestEscaped_IsReadAsTheSame(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "a b", "tab\tline\nback\\slash", "ä\u2028\U0001f600", `\u0041`, "\x00"} {
		if got := unescaped(escaped(text)); got != text || strings.ContainsAny(escaped(text), "\t\n") {
			t.Errorf("%q is %q, then %q", text, escaped(text), got)
		}
	}
}

// spellings are some hundred of those that people, and nobody, would write.
func spellings(units []string) []string {
	random := rand.New(rand.NewPCG(7, 8))
	numbers := []string{
		"0", "1", "7", "10", "007", "90", "600", "86400", "106751", "106752", "8388607", "8388608", "9223372036854775807", "9223372036854775808", "99999999999999999999",
		"", "-1", "+1", "1.5", "1,5", "1e3", "0x1", "1_000", ".5", "١",
	}
	between := []string{"", "", " ", "  ", "\t", "\u00a0", "\n"}
	around := []string{"", "", "", " ", "\t", "\u00a0"}
	pick := func(from []string) string { return from[random.IntN(len(from))] }
	texts := map[string]bool{"": true, " ": true, "s": true, "1h30m": true, "1 h 30 min": true, "PT10S": true, "10 s s": true}
	for len(texts) < 800 {
		unit := pick(units)
		switch random.IntN(4) {
		case 0:
			unit = strings.ToUpper(unit)
		case 1:
			unit = strings.ToUpper(unit[:min(1, len(unit))]) + unit[min(1, len(unit)):]
		}
		texts[pick(around)+pick(numbers)+pick(between)+unit+pick(around)] = true
	}
	// Each unit is tried in its plain form too.
	for _, unit := range units {
		texts["3 "+unit], texts["3"+unit] = true, true
	}
	all := make([]string, 0, len(texts))
	for text := range texts {
		all = append(all, text)
	}
	slices.Sort(all)
	return all
}

func TestAcc_JVM_FlinkReadsDurationsAsTheProviderDoes(t *testing.T) {
	t.Parallel()
	texts := spellings(strings.Fields("d day days h hour hours min m minute minutes s sec secs second seconds ms milli millis millisecond milliseconds " +
		"µs micro micros microsecond microseconds ns nano nanos nanosecond nanoseconds us w week mins hrs y mo"))
	texts = append(texts, "5 ", "5", " 5", "-1", "-1 ms")
	calls := make([]Call, 0, len(texts))
	for _, text := range texts {
		calls = append(calls, Call{"FlinkDuration", []string{text}})
	}
	for _, world := range []World{Flink114, Flink120} {
		good := 0
		for i, answer := range read(t, world, calls) {
			text := texts[i]
			d, err := flinkvalue.BareDuration(text)
			unit := flinkvalue.Trim(strings.TrimLeft(flinkvalue.Trim(text), "0123456789"))
			// A unit that Flink 1.14 does not have yet.
			young := world.Name == Flink114.Name && err == nil && strings.EqualFold(unit, "m")
			switch {
			case young:
				if answer.Error == "" {
					t.Errorf("%s reads %q", world.Name, text)
				}
			case err == nil && (answer.Error != "" || answer.Fields[0] != strconv.FormatInt(d.Nanoseconds(), 10)):
				t.Errorf("%s: %q is %d ns to the provider, and %v to Flink", world.Name, text, d.Nanoseconds(), answer)
			case err != nil && answer.Error == "" && !errors.Is(err, flinkvalue.ErrRange):
				t.Errorf("%s: %q is nothing to the provider (%v), and %v to Flink", world.Name, text, err, answer)
			case err == nil:
				good++
			}
		}
		if good < 100 {
			t.Errorf("%s: only %d of %d are durations", world.Name, good, len(texts))
		}
	}
}

func TestAcc_JVM_FlinkReadsSizesOfMemoryAsTheProviderDoes(t *testing.T) {
	t.Parallel()
	texts := spellings(strings.Fields("b bytes k kb kibibytes m mb mebibytes g gb gibibytes t tb tebibytes byte mib gib p pb bit"))
	texts = append(texts, "5 ", "5", "128.000mb", "1MiB")
	calls := make([]Call, 0, len(texts))
	for _, text := range texts {
		calls = append(calls, Call{"FlinkMemory", []string{text}})
	}
	for _, world := range []World{Flink114, Flink120} {
		good := 0
		for i, answer := range read(t, world, calls) {
			size, err := flinkvalue.BareMemory(texts[i])
			switch {
			case (err == nil) != (answer.Error == ""), err == nil && answer.Fields[0] != strconv.FormatInt(size, 10):
				t.Errorf("%s: %q is %d (%v) to the provider, and %v to Flink", world.Name, texts[i], size, err, answer)
			case err == nil:
				good++
			}
		}
		if good < 100 {
			t.Errorf("%s: only %d of %d are sizes", world.Name, good, len(texts))
		}
	}
}

func TestAcc_JVM_FlinkRefusesTheOptionsThatTheProviderRefuses(t *testing.T) {
	t.Parallel()
	keys := map[flinkoptions.Type]string{"Duration": "execution.checkpointing.interval", "MemorySize": "taskmanager.memory.segment-size"}
	texts := []string{"10 s", "10 min", "PT10S", "-1", "64 mb", "1 MiB", "", "true", "1h30m", "5", "10 S", "1 gb", "128.000mb", "1.5 s"}
	var calls []Call
	for kind := range keys {
		for _, text := range texts {
			calls = append(calls, Call{"FlinkOption", []string{string(kind), text}})
		}
	}
	for i, answer := range read(t, Flink120, calls) {
		kind, text := flinkoptions.Type(calls[i].Input[0]), calls[i].Input[1]
		if valid := flinkoptions.Valid("1.20.0", keys[kind], text); valid != (answer.Error == "") {
			t.Errorf("%s %q: valid is %v, Flink says %v", kind, text, valid, answer)
		}
	}
}
