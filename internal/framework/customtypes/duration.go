// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package customtypes

import (
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr/xattr"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/flinkvalue"
)

var (
	_ basetypes.StringTypable                    = DurationType{}
	_ basetypes.StringValuableWithSemanticEquals = Duration{}
	_ xattr.ValidateableAttribute                = Duration{}
	_ basetypes.StringTypable                    = EngineDurationType{}
	_ basetypes.StringValuableWithSemanticEquals = EngineDuration{}
	_ xattr.ValidateableAttribute                = EngineDuration{}
)

type (
	// DurationType is a string that holds a duration.
	DurationType = QuantityType[time.Duration, durations]
	// Duration is a value of DurationType.
	Duration = Quantity[time.Duration, durations]
	// EngineDurationType is DurationType for an engine's own options, where a
	// number without a unit is one of milliseconds.
	EngineDurationType = QuantityType[time.Duration, engineDurations]
	// EngineDuration is a value of EngineDurationType.
	EngineDuration = Quantity[time.Duration, engineDurations]
)

type durations struct{}

func (durations) parse(text string) (time.Duration, error) { return flinkvalue.Duration(text) }
func (durations) name() string                             { return "duration" }
func (durations) howTo() string {
	return "A duration is one whole number and one unit (d, h, min, s, ms), such as \"10 s\", \"5 min\" or \"7 d\"."
}

type engineDurations struct{}

func (engineDurations) parse(text string) (time.Duration, error) {
	return flinkvalue.BareDuration(text)
}
func (engineDurations) name() string { return "duration" }
func (engineDurations) howTo() string {
	return "A duration is one whole number and one unit (d, h, min, s, ms), such as \"10 s\" or \"7 d\", or a whole number of milliseconds."
}

// NewDuration returns a known value.
func NewDuration(text string) Duration {
	return Duration{StringValue: basetypes.NewStringValue(text)}
}

// NewDurationNull returns a null value.
func NewDurationNull() Duration { return Duration{StringValue: basetypes.NewStringNull()} }
