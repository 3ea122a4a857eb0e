// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package groot

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/flinkvalue"
)

// Value is the value of an option: a list of locations, or what ParseValue made.
type Value struct {
	Text string
	List []string
}

// full is the buffer timeout that flushes full buffers alone.
const full = "-1"

// ParseValue reads the value of an option of the env object that is no list, and
// returns it as it is written in the job file.
func ParseValue(attribute, text string) (string, error) {
	option, ok := Lookup(attribute)
	if !ok {
		return "", errors.New("there is no such option")
	}
	return option.parse(text)
}

func (o Option) parse(text string) (string, error) {
	switch o.Kind {
	case Flag:
		if text != "true" && text != "false" {
			return "", fmt.Errorf("%q is neither true nor false", text)
		}
		return text, nil
	case Count:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return "", fmt.Errorf("%q is not a whole number", text)
		}
		return o.within(n)
	case Millis:
		return o.millis(text)
	case Text:
		if len(o.Words) > 0 && !slices.Contains(o.Words, text) {
			return "", fmt.Errorf("%q is none of %s", text, strings.Join(o.Words, ", "))
		}
		return text, nil
	case Locations:
	}
	return "", errors.New("it takes a list")
}

func (o Option) millis(text string) (string, error) {
	if o.Min < 0 && slices.Contains([]string{full, full + " ms", full + "ms"}, flinkvalue.Trim(text)) {
		return full, nil
	}
	d, err := flinkvalue.BareDuration(text)
	if err != nil {
		return "", fmt.Errorf("%q is not a duration: %w", text, err)
	}
	if d%time.Millisecond != 0 {
		return "", fmt.Errorf("%q is not whole milliseconds, and nothing finer is read", text)
	}
	return o.within(d.Milliseconds())
}

func (o Option) within(n int64) (string, error) {
	if n < o.Min || n > o.Max {
		return "", fmt.Errorf("%d is not within the limits: %s", n, strings.ReplaceAll(o.Limits(), "`", ""))
	}
	return strconv.FormatInt(n, 10), nil
}

// Limits says which values are allowed; empty for any.
func (o Option) Limits() string {
	switch {
	case len(o.Words) > 0:
		return "`" + strings.Join(o.Words, "`, `") + "`"
	case o.Kind == Millis && o.Min < 0:
		return "at least 0 ms, or `-1`"
	case o.Kind == Millis:
		return fmt.Sprintf("at least %d ms", o.Min)
	case o.Kind == Count && o.Max == math.MaxInt32:
		return fmt.Sprintf("at least %d", o.Min)
	case o.Kind == Count:
		return fmt.Sprintf("%d to %d", o.Min, o.Max)
	}
	return ""
}
