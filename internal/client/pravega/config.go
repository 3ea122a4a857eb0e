// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega

import (
	"slices"
)

// ScalingType says how a stream's number of segments is decided.
type ScalingType string

// The scaling types that Pravega knows.
const (
	Fixed        ScalingType = "FIXED_NUM_SEGMENTS"
	RateInKBytes ScalingType = "BY_RATE_IN_KBYTES_PER_SEC"
	RateInEvents ScalingType = "BY_RATE_IN_EVENTS_PER_SEC"
)

// Scaling is a stream's scaling policy. TargetRate and ScaleFactor belong to
// the rate types.
type Scaling struct {
	Type        ScalingType `json:"type"`
	TargetRate  int64       `json:"targetRate,omitempty"`
	ScaleFactor int64       `json:"scaleFactor,omitempty"`
	MinSegments int64       `json:"minSegments"`
}

// RetentionKind says what limits the data that a stream keeps.
type RetentionKind string

// The retention kinds that Pravega knows.
const (
	RetainTime RetentionKind = "LIMITED_DAYS"
	RetainSize RetentionKind = "LIMITED_SIZE_MB"
)

const minutesPerDay = 24 * 60

// Retention is how much data a stream keeps at least, as one quantity.
type Retention struct {
	Kind RetentionKind
	// Amount is in minutes or in MiB, whatever Kind says.
	Amount int64
	// Inexact is true when what was read is known to be finer than REST can
	// show: the engine's value lies between Amount and Amount+1. Nothing that
	// could be sent equals it.
	Inexact bool
}

// StreamConfig is all that can be configured of a stream.
type StreamConfig struct {
	Scaling Scaling
	// Retention is nil when data is kept for ever.
	Retention *Retention
	// Tags is a set, in order when read.
	Tags []string
	// AggregationTimeout is in milliseconds.
	AggregationTimeout int64
	// RolloverSize is in bytes; 0 is the server's default.
	RolloverSize int64
}

// Stream is a stream and its configuration.
type Stream struct {
	Scope, Name string
	StreamConfig
}

// Equal tells whether both are the same to the controller.
func (c StreamConfig) Equal(o StreamConfig) bool {
	return c.Scaling == o.Scaling && c.Retention.Equal(o.Retention) && SameTags(c.Tags, o.Tags) &&
		c.AggregationTimeout == o.AggregationTimeout && c.RolloverSize == o.RolloverSize
}

// SameTags tells whether both hold the same tags, in any order.
func SameTags(a, b []string) bool { return slices.Equal(set(a), set(b)) }

// Equal tells whether both are the same to the controller. One that is inexact
// equals nothing.
func (r *Retention) Equal(o *Retention) bool {
	if r == nil || o == nil {
		return r == o
	}
	return *r == *o && !r.Inexact
}

// set is the tags in order, each once.
func set(tags []string) []string {
	sorted := slices.Clone(tags)
	slices.Sort(sorted)
	return slices.Compact(sorted)
}

// wireStream is what the controller sends. It calls the tags otherwise than it
// wants to have them called.
type wireStream struct {
	Scope        string         `json:"scopeName"`
	Name         string         `json:"streamName"`
	Scaling      Scaling        `json:"scalingPolicy"`
	Retention    *wireRetention `json:"retentionPolicy"`
	Tags         []string       `json:"tags"`
	Aggregation  int64          `json:"timestampAggregationTimeout"`
	RolloverSize int64          `json:"rolloverSizeBytes"`
}

// wireConfig is what the controller is sent: always everything, since an
// update clears what is left out.
type wireConfig struct {
	Name         string         `json:"streamName,omitempty"`
	Scaling      Scaling        `json:"scalingPolicy"`
	Retention    *wireRetention `json:"retentionPolicy,omitempty"`
	Tags         []string       `json:"streamTags"`
	Aggregation  int64          `json:"timestampAggregationTimeout"`
	RolloverSize int64          `json:"rolloverSizeBytes"`
}

// wireRetention has a number of days or MiB in Value. A Span counts only beside
// a Value of 0, and then needs all of its parts.
type wireRetention struct {
	Type  RetentionKind `json:"type"`
	Value int64         `json:"value"`
	Span  *wireSpan     `json:"timeBasedRetention,omitempty"`
}

type wireSpan struct {
	Days    int64 `json:"days"`
	Hours   int64 `json:"hours"`
	Minutes int64 `json:"minutes"`
}

func (w wireStream) stream() Stream {
	return Stream{Scope: w.Scope, Name: w.Name, StreamConfig: StreamConfig{
		Scaling: w.Scaling, Retention: w.Retention.retention(), Tags: set(w.Tags),
		AggregationTimeout: w.Aggregation, RolloverSize: w.RolloverSize,
	}}
}

func (w *wireRetention) retention() *Retention {
	if w == nil {
		return nil
	}
	r := &Retention{Kind: w.Type, Amount: w.Value}
	if w.Type == RetainTime {
		r.Amount = w.Value * minutesPerDay
		if w.Span != nil {
			r.Amount = w.Span.Days*minutesPerDay + w.Span.Hours*60 + w.Span.Minutes
			// Whole days come with their number as the value. Without it there
			// are seconds that the span does not show.
			r.Inexact = w.Value == 0 && r.Amount%minutesPerDay == 0
		}
	}
	// The engine keeps milliseconds and bytes and rounds them down to show them.
	r.Inexact = r.Inexact || r.Amount < 1
	return r
}

func (c StreamConfig) wire() wireConfig {
	w := wireConfig{
		Scaling: c.Scaling, Tags: set(c.Tags), Aggregation: c.AggregationTimeout, RolloverSize: c.RolloverSize,
	}
	if w.Tags == nil {
		w.Tags = []string{}
	}
	if r := c.Retention; r != nil {
		w.Retention = &wireRetention{Type: r.Kind, Value: r.Amount}
		if r.Kind == RetainTime {
			w.Retention.Value = 0
			if r.Amount%minutesPerDay == 0 {
				w.Retention.Value = r.Amount / minutesPerDay
			}
			w.Retention.Span = &wireSpan{
				Days: r.Amount / minutesPerDay, Hours: r.Amount % minutesPerDay / 60, Minutes: r.Amount % 60,
			}
		}
	}
	return w
}
