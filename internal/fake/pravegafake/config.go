// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravegafake

import (
	"errors"
	"math"
	"unicode/utf16"
)

// config is a stream's configuration as the engine stores it, finer than REST shows it.
type config struct {
	scaling   scaling
	retention *retention
	tags      map[string]bool
	// aggregation is in milliseconds, rollover in bytes.
	aggregation, rollover int64
}

type scaling struct {
	Type        string `json:"type"`
	TargetRate  int64  `json:"targetRate,omitempty"`
	ScaleFactor int64  `json:"scaleFactor,omitempty"`
	MinSegments int64  `json:"minSegments"`
}

const (
	fixed       = "FIXED_NUM_SEGMENTS"
	byKBytes    = "BY_RATE_IN_KBYTES_PER_SEC"
	byEvents    = "BY_RATE_IN_EVENTS_PER_SEC"
	limitedDays = "LIMITED_DAYS"
	limitedSize = "LIMITED_SIZE_MB"
)

const (
	maxTags, maxTag = 127, 255
	milliPerMinute  = 60 * 1000
	milliPerDay     = 24 * 60 * milliPerMinute
	mebibyte        = 1 << 20
)

// readConfig reads what a create and an update have in common. Only a create
// keeps a maximum.
func readConfig(o object, create bool) (config, error) {
	aggregation, _, errAggregation := o.integer("timestampAggregationTimeout", 64)
	rollover, _, errRollover := o.integer("rolloverSizeBytes", 64)
	tags, errTags := o.texts("streamTags")
	kept, errRetention := readRetention(o, create)
	scale, errScaling := readScaling(o)
	// The whole body is read as JSON before any of it is judged.
	if err := readFirst(errAggregation, errRollover, errTags, errRetention, errScaling); err != nil {
		return config{}, err
	}
	c := config{scaling: scale, retention: kept, tags: map[string]bool{}, aggregation: aggregation, rollover: rollover}
	for _, tag := range tags {
		if len(utf16.Encode([]rune(tag))) > maxTag {
			return config{}, errBroken
		}
		c.tags[tag] = true
	}
	if len(tags) > maxTags || rollover < 0 {
		return config{}, errBroken
	}
	return c, nil
}

// readFirst returns the JSON reader's objection if there is one, else any error.
func readFirst(errs ...error) error {
	for _, err := range errs {
		if isRefused(err) {
			return err
		}
	}
	return errors.Join(errs...)
}

func readScaling(o object) (scaling, error) {
	policy, err := o.object("scalingPolicy")
	if err != nil {
		return scaling{}, err
	}
	var numbers [3]int64
	var have [3]bool
	for i, key := range []string{"targetRate", "scaleFactor", "minSegments"} {
		if numbers[i], have[i], err = policy.integer(key, 32); err != nil {
			return scaling{}, err
		}
	}
	kind, ok := policy.text("type")
	if !ok {
		kind = byKBytes
	}
	s := scaling{Type: kind, TargetRate: numbers[0], ScaleFactor: numbers[1], MinSegments: numbers[2]}
	switch {
	case policy == nil, numbers[2] < 1:
		return scaling{}, errBroken
	case kind == fixed:
		s.TargetRate, s.ScaleFactor = 0, 0
	case kind != byKBytes && kind != byEvents, numbers[0] < 1, numbers[1] < 1:
		return scaling{}, errBroken
	}
	return s, nil
}

// retention is a policy in milliseconds or bytes.
type retention struct {
	size       bool
	param, max int64
}

func readRetention(o object, create bool) (*retention, error) {
	policy, err := o.object("retentionPolicy")
	if err != nil || policy == nil {
		return nil, err
	}
	value, have, err := policy.integer("value", 64)
	if err != nil {
		return nil, err
	}
	span, spanErr := readSpan(policy, "timeBasedRetention")
	limit, haveLimit, err := policy.integer("maxValue", 64)
	if err != nil {
		return nil, err
	}
	kind, _ := policy.text("type")
	r := &retention{size: kind == limitedSize, max: math.MaxInt64}
	switch {
	case kind != limitedDays && kind != limitedSize, !have:
		return nil, errBroken
	case r.size:
		// Multiplied without a check, as in the engine: 2^43 wraps.
		r.param = value * mebibyte
		if create && haveLimit {
			r.max = limit * mebibyte
		}
		return r, nil
	case value != 0:
		span, spanErr = &value, nil
		if value > math.MaxInt64/milliPerDay || value < math.MinInt64/milliPerDay {
			return nil, errBroken
		}
		*span *= milliPerDay
	}
	if spanErr != nil {
		return nil, spanErr
	}
	if span != nil {
		r.param = *span
	}
	if create && haveLimit {
		r.max = limit * milliPerDay
	}
	return r, nil
}

// readSpan reads days, hours and minutes, all of which the engine wants.
func readSpan(policy object, key string) (*int64, error) {
	span, err := policy.object(key)
	if err != nil || span == nil {
		return nil, err
	}
	var total int64
	for unit, factor := range map[string]int64{"days": 24 * 60, "hours": 60, "minutes": 1} {
		n, have, err := span.integer(unit, 64)
		if err != nil {
			return nil, err
		}
		if !have {
			return nil, errBroken
		}
		total += n * factor
	}
	total *= milliPerMinute
	return &total, nil
}

// shown is a policy as REST shows it: rounded down to minutes or MiB, a maximum never.
func (r *retention) shown() map[string]any {
	if r == nil {
		return nil
	}
	if r.size {
		return map[string]any{"type": limitedSize, "value": r.param / mebibyte}
	}
	days := r.param / milliPerDay
	hours := r.param/(60*milliPerMinute) - days*24
	minutes := r.param/milliPerMinute - days*24*60 - max(hours, 0)*60
	value := int64(0)
	if r.param == days*milliPerDay {
		value = days
	}
	return map[string]any{
		"type": limitedDays, "value": value,
		"timeBasedRetention": map[string]any{"days": days, "hours": hours, "minutes": minutes},
	}
}

// shown is the configuration as each answer has it. Tags come in any order.
func (c config) shown(scope, name string) map[string]any {
	tags := []string{}
	for tag := range c.tags {
		tags = append(tags, tag)
	}
	m := map[string]any{
		"scopeName": scope, "streamName": name, "scalingPolicy": c.scaling, "tags": tags,
		"timestampAggregationTimeout": c.aggregation, "rolloverSizeBytes": c.rollover,
	}
	if c.retention != nil {
		m["retentionPolicy"] = c.retention.shown()
	}
	return m
}
