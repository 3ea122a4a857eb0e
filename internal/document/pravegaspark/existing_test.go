// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravegaspark_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/pravegaspark"
)

func TestCompare_PutsWantedBesideActual(t *testing.T) {
	t.Parallel()
	fixed := &pravegaspark.Existing{Segments: 2}
	events := &pravegaspark.Existing{Segments: 3, Rate: pravegaspark.EventRate, TargetRate: 1000, ScaleFactor: 2, RetainMinutes: new(int64(7 * 24 * 60))}
	rate := &pravegaspark.Existing{Segments: 1, Rate: pravegaspark.KiBRate, TargetRate: 64, ScaleFactor: 3, RetainMiB: new(int64(1024))}
	tests := map[string]struct {
		with     written
		existing *pravegaspark.Existing
		want     []string
	}{
		"nothing that could be void": {written{"exactly_once": "true", "start_stream_cut": "earliest"}, events, nil},
		"fixed segments": {
			written{"default_num_segments": "4", "default_scale_factor": "2", "default_segment_target_rate_events_per_sec": "10"},
			fixed,
			[]string{"default_num_segments 4 2", "default_scale_factor 2 none", "default_segment_target_rate_events_per_sec 10 none"},
		},
		"no retention": {written{"default_retention_duration_milliseconds": "7d"}, fixed, []string{"default_retention_duration_milliseconds 604800000 none"}},
		"equal": {
			written{"default_num_segments": "3", "default_scale_factor": "2", "default_segment_target_rate_events_per_sec": "1000", "default_retention_duration_milliseconds": "7d"},
			events,
			[]string{
				"default_num_segments 3 3 same", "default_retention_duration_milliseconds 604800000 604800000 same",
				"default_scale_factor 2 2 same", "default_segment_target_rate_events_per_sec 1000 1000 same",
			},
		},
		"the other rate": {written{"default_segment_target_rate_bytes_per_sec": "64kb"}, events, []string{"default_segment_target_rate_bytes_per_sec 65536 none"}},
		"bytes": {
			written{"default_segment_target_rate_bytes_per_sec": "65 kb", "default_retention_size_bytes": "512 mb"},
			rate,
			[]string{"default_retention_size_bytes 536870912 1073741824", "default_segment_target_rate_bytes_per_sec 66560 65536"},
		},
		"finer than REST shows": {
			written{"default_segment_target_rate_bytes_per_sec": "66000", "default_retention_size_bytes": "1073741825"},
			rate,
			[]string{"default_retention_size_bytes 1073741825 1073741824 same", "default_segment_target_rate_bytes_per_sec 66000 65536 same"},
		},
		"the other retention": {written{"default_retention_size_bytes": "1gb"}, events, []string{"default_retention_size_bytes 1073741824 none"}},
		"not read":            {written{"default_num_segments": "4"}, nil, []string{"default_num_segments 4 none"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, one := range pravegaspark.Compare(parse(t, test.with), test.existing) {
				actual := "none"
				if one.Actual != nil {
					actual = *one.Actual
				}
				line := fmt.Sprintf("%s %s %s", one.Option, one.Wanted, actual)
				if one.Same {
					line += " same"
				}
				got = append(got, line)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %s\nwant %s", strings.Join(got, "; "), strings.Join(test.want, "; "))
			}
		})
	}
}

func TestTable_SaysAllOfEachOption(t *testing.T) {
	t.Parallel()
	for _, row := range pravegaspark.Table() {
		if !strings.HasSuffix(row.What, ".") || row.Note != "" && !strings.HasSuffix(row.Note, ".") {
			t.Errorf("%s: not in sentences: %q, %q", row.Name, row.What, row.Note)
		}
		if (row.Batch == "") != (row.Streaming == "") {
			t.Errorf("%s: has a default in one mode alone", row.Name)
		}
		for _, text := range []string{row.Batch, row.Streaming} {
			if text == "" {
				continue
			}
			value, err := pravegaspark.Parse(row.Name, text)
			if err != nil || value.String() != text {
				t.Errorf("%s: the default %q reads as %q, %v", row.Name, text, value, err)
			}
		}
		if row.Creates() != strings.Contains(row.What, "an existing stream makes it void") {
			t.Errorf("%s: what an existing stream does is not said, or wrong", row.Name)
		}
	}
}
