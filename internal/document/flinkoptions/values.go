// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkoptions

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/flinkvalue"
)

// grammar is what a version of Flink reads as a duration beside a whole number
// with a unit, or without one for milliseconds.
type grammar struct {
	// iso allows durations such as PT10M.
	iso bool
	// big allows numbers above 63 bits, as long as the seconds fit in them.
	big bool
}

var (
	isoForm = regexp.MustCompile(`^([-+]?)p(?:([-+]?[0-9]+)d)?(t(?:([-+]?[0-9]+)h)?(?:([-+]?[0-9]+)m)?(?:([-+]?[0-9]+)(?:[.,]([0-9]{0,9}))?s)?)?$`)
	maxLong = big.NewInt(1<<63 - 1)
	second  = big.NewInt(1e9)
)

// parse reads a whole number, and the factor of its unit.
func parse(text string, unit func(name string) (factor int64, ok bool)) (number, value *big.Int, ok bool) {
	text = flinkvalue.Trim(text)
	end := strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(text)
	}
	factor, known := unit(flinkvalue.Trim(text[end:]))
	number, digits := new(big.Int).SetString(text[:end], 10)
	if !known || !digits {
		return nil, nil, false
	}
	return number, new(big.Int).Mul(number, big.NewInt(factor)), true
}

// durationUnit is in nanoseconds; a number alone counts milliseconds.
func durationUnit(name string) (int64, bool) {
	if name == "" {
		return int64(time.Millisecond), true
	}
	unit, ok := flinkvalue.DurationUnit(name)
	return int64(unit), ok
}

// memoryUnit is in bytes, which a number alone counts.
func memoryUnit(name string) (int64, bool) {
	if name == "" {
		return 1, true
	}
	return flinkvalue.MemoryUnit(name)
}

// parseDuration reads a duration as Flink does, in nanoseconds.
func parseDuration(text string, g grammar) (*big.Int, bool) {
	number, value, ok := parse(text, durationUnit)
	if !ok && g.iso {
		return parseISO(text)
	}
	if !ok || !g.big && number.Cmp(maxLong) > 0 || new(big.Int).Quo(value, second).Cmp(maxLong) > 0 {
		return nil, false
	}
	return value, true
}

func parseISO(text string) (*big.Int, bool) {
	match := isoForm.FindStringSubmatch(strings.ToLower(flinkvalue.Trim(text)))
	if match == nil || match[3] == "t" {
		return nil, false
	}
	total, given := new(big.Int), false
	for i, factor := range map[int]int64{2: 24 * 3600, 4: 3600, 5: 60, 6: 1} {
		if match[i] == "" {
			continue
		}
		given = true
		n, err := strconv.ParseInt(match[i], 10, 64)
		if err != nil {
			return nil, false
		}
		total.Add(total, new(big.Int).Mul(big.NewInt(n), big.NewInt(factor)))
	}
	total.Mul(total, second)
	if match[7] != "" {
		fraction, _ := strconv.ParseInt((match[7] + "000000000")[:9], 10, 64)
		if strings.HasPrefix(match[6], "-") {
			fraction = -fraction
		}
		total.Add(total, big.NewInt(fraction))
	}
	if match[1] == "-" {
		total.Neg(total)
	}
	if !given || total.Sign() < 0 || new(big.Int).Quo(total, second).Cmp(maxLong) > 0 {
		return nil, false
	}
	return total, true
}

// parseMemory reads a size as Flink does, in bytes.
func parseMemory(text string) (int64, bool) {
	number, value, ok := parse(text, memoryUnit)
	if !ok || number.Cmp(maxLong) > 0 || value.Cmp(maxLong) > 0 {
		return 0, false
	}
	return value.Int64(), true
}
