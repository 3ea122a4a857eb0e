// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega

import (
	"encoding/json"
	"math"
	"testing"
)

func TestRetention_readAsOneQuantity(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		wire string
		want *Retention
	}{
		"none":                 {`null`, nil},
		"days":                 {`{"type":"LIMITED_DAYS","value":7,"timeBasedRetention":{"days":7,"hours":0,"minutes":0}}`, &Retention{RetainTime, 7 * 1440, false}},
		"days alone":           {`{"type":"LIMITED_DAYS","value":7}`, &Retention{RetainTime, 7 * 1440, false}},
		"parts":                {`{"type":"LIMITED_DAYS","value":0,"timeBasedRetention":{"days":1,"hours":2,"minutes":3}}`, &Retention{RetainTime, 1440 + 123, false}},
		"a day and seconds":    {`{"type":"LIMITED_DAYS","value":0,"timeBasedRetention":{"days":1,"hours":0,"minutes":0}}`, &Retention{RetainTime, 1440, true}},
		"seconds":              {`{"type":"LIMITED_DAYS","value":0,"timeBasedRetention":{"days":0,"hours":0,"minutes":0}}`, &Retention{RetainTime, 0, true}},
		"negative":             {`{"type":"LIMITED_DAYS","value":-1,"timeBasedRetention":{"days":-1,"hours":0,"minutes":0}}`, &Retention{RetainTime, -1440, true}},
		"size":                 {`{"type":"LIMITED_SIZE_MB","value":10240}`, &Retention{RetainSize, 10240, false}},
		"less than a mebibyte": {`{"type":"LIMITED_SIZE_MB","value":0}`, &Retention{RetainSize, 0, true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var w *wireRetention
			if err := json.Unmarshal([]byte(c.wire), &w); err != nil {
				t.Fatal(err)
			}
			got := w.retention()
			if (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestRetention_isSentWithAllParts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		retention *Retention
		want      string
	}{
		{nil, ``},
		{&Retention{Kind: RetainTime, Amount: 1440}, `{"type":"LIMITED_DAYS","value":1,"timeBasedRetention":{"days":1,"hours":0,"minutes":0}}`},
		{&Retention{Kind: RetainTime, Amount: 1441}, `{"type":"LIMITED_DAYS","value":0,"timeBasedRetention":{"days":1,"hours":0,"minutes":1}}`},
		{&Retention{Kind: RetainTime, Amount: 90}, `{"type":"LIMITED_DAYS","value":0,"timeBasedRetention":{"days":0,"hours":1,"minutes":30}}`},
		{&Retention{Kind: RetainSize, Amount: 5}, `{"type":"LIMITED_SIZE_MB","value":5}`},
	} {
		w := StreamConfig{Retention: c.retention}.wire()
		content, err := json.Marshal(w.Retention)
		if err != nil {
			t.Fatal(err)
		}
		if c.want == "" {
			c.want = "null"
		}
		if string(content) != c.want {
			t.Errorf("%+v is sent as %s, want %s", c.retention, content, c.want)
		}
		// What was sent reads back as the same.
		if back := w.Retention.retention(); c.retention != nil && !c.retention.Equal(back) {
			t.Errorf("%+v reads back as %+v", c.retention, back)
		}
	}
}

func FuzzRetention_roundTrip(f *testing.F) {
	f.Add(int64(1), true)
	f.Add(int64(1440), true)
	f.Add(int64(math.MaxInt32), false)
	f.Fuzz(func(t *testing.T, amount int64, byTime bool) {
		if amount < 1 {
			t.Skip("refused before it gets here")
		}
		r := &Retention{Kind: RetainSize, Amount: amount}
		if byTime {
			r.Kind = RetainTime
		}
		if back := (StreamConfig{Retention: r}).wire().Retention.retention(); !r.Equal(back) {
			t.Errorf("%+v reads back as %+v", r, back)
		}
	})
}

func TestStreamConfig_Equal(t *testing.T) {
	t.Parallel()
	base := StreamConfig{
		Scaling: Scaling{Type: Fixed, MinSegments: 2}, Retention: &Retention{Kind: RetainTime, Amount: 60},
		Tags: []string{"a", "b"}, AggregationTimeout: 5, RolloverSize: 6,
	}
	same := base
	same.Tags, same.Retention = []string{"b", "a", "b"}, &Retention{Kind: RetainTime, Amount: 60}
	if !base.Equal(same) {
		t.Error("order and repetition of tags make a difference")
	}
	for name, change := range map[string]func(*StreamConfig){
		"scaling":     func(c *StreamConfig) { c.Scaling.MinSegments = 3 },
		"retention":   func(c *StreamConfig) { c.Retention = &Retention{Kind: RetainTime, Amount: 61} },
		"kind":        func(c *StreamConfig) { c.Retention = &Retention{Kind: RetainSize, Amount: 60} },
		"inexact":     func(c *StreamConfig) { c.Retention = &Retention{Kind: RetainTime, Amount: 60, Inexact: true} },
		"none":        func(c *StreamConfig) { c.Retention = nil },
		"tags":        func(c *StreamConfig) { c.Tags = []string{"a"} },
		"aggregation": func(c *StreamConfig) { c.AggregationTimeout = 0 },
		"rollover":    func(c *StreamConfig) { c.RolloverSize = 0 },
	} {
		other := same
		change(&other)
		if base.Equal(other) {
			t.Errorf("another %s makes no difference", name)
		}
	}
	inexact := Retention{Kind: RetainSize, Inexact: true}
	if same := inexact; inexact.Equal(&same) {
		t.Error("what is not known exactly equals itself")
	}
}
