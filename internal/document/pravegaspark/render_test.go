// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravegaspark_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/goldentest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/pravegaspark"
)

func parse(t *testing.T, written map[string]string) pravegaspark.Options {
	t.Helper()
	options := pravegaspark.Options{}
	for name, text := range written {
		value, err := pravegaspark.Parse(name, text)
		if err != nil {
			t.Fatal(err)
		}
		options[name] = value
	}
	return options
}

// spellings are some for each option.
var spellings = map[string][]string{
	"allow_create_scope":                         {"true", "false"},
	"allow_create_stream":                        {"true", "false"},
	"controller":                                 {"tcp://pravega.example.com:9090", "tls://a:9090,b:9090"},
	"default_num_segments":                       {"1", "2147483647"},
	"default_retention_duration_milliseconds":    {"7d", "604800000", "1 ms", "2147483647"},
	"default_retention_size_bytes":               {"1gb", "64 mb", "2147483647", "1 b"},
	"default_scale_factor":                       {"2"},
	"default_segment_target_rate_bytes_per_sec":  {"1 mb", "1024", "64kb"},
	"default_segment_target_rate_events_per_sec": {"1000"},
	"end_stream_cut":                             {"latest", "unbounded", realCut},
	"exactly_once":                               {"TRUE", "False"},
	"metadata":                                   {"Streams", "StreamInfo"},
	"read_after_write_consistency":               {"true", "false"},
	"scope":                                      {"orders"},
	"start_stream_cut":                           {"earliest", "latest", "unbounded", realCut},
	"stream":                                     {"clicks"},
	"transaction_timeout_ms":                     {"2 min", "30000", "10 s"},
	"transaction_status_poll_interval_ms":        {"50", "1 s"},
	"approx_bytes_per_trigger":                   {"64mb", "1048576", "9223372036854775807"},
}

// realCut is a place in s/t, as the client of Pravega 0.13.0 printed it.
const realCut = "H4sIAAAAAAAA/zOwKtYvsTIAQkMDAwApbMR5DQAAAA=="

func TestRender_EachOption(t *testing.T) {
	t.Parallel()
	var rendered bytes.Buffer
	for _, row := range pravegaspark.Table() {
		if len(spellings[row.Name]) == 0 {
			t.Errorf("%s is not tried", row.Name)
		}
		for _, text := range spellings[row.Name] {
			options := parse(t, map[string]string{row.Name: text})
			got := options.Render()
			if len(got) != 1 {
				t.Errorf("%s = %q renders to %v", row.Name, text, got)
			}
			fmt.Fprintf(&rendered, "%s\t%s\t%s\n", row.Name, text, got[row.Name])
			for _, finding := range pravegaspark.Check(parse(t, map[string]string{"scope": "orders", "stream": "clicks", row.Name: text}), pravegaspark.Situation{}) {
				if finding.Severity == pravegaspark.Refused {
					t.Errorf("%s = %q: %+v", row.Name, text, finding)
				}
			}
		}
	}
	goldentest.Check(t, "each_option.tsv", rendered.Bytes())
}

func TestRender_WholeSets(t *testing.T) {
	t.Parallel()
	sets := map[string]map[string]string{
		"least": {"scope": "orders", "stream": "clicks"},
		"read": {
			"scope": "orders", "stream": "clicks", "controller": "tcp://pravega.example.com:9090", "start_stream_cut": "earliest",
			"end_stream_cut": "unbounded", "approx_bytes_per_trigger": "64mb", "allow_create_scope": "false", "allow_create_stream": "false",
		},
		"write": {
			"scope": "orders", "stream": "clicks", "controller": "tls://pravega.example.com:9090", "exactly_once": "true",
			"read_after_write_consistency": "true", "transaction_timeout_ms": "10 min", "transaction_status_poll_interval_ms": "50 ms",
			"default_num_segments": "3", "default_scale_factor": "2", "default_segment_target_rate_bytes_per_sec": "64kb",
			"default_retention_duration_milliseconds": "7d",
		},
	}
	for name, written := range sets {
		content, err := json.MarshalIndent(parse(t, written).Render(), "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		goldentest.Check(t, name+".json", append(content, '\n'))
	}
}

// What is not known yet renders to nothing, never to an empty text.
func TestRender_LeavesOutWhatIsNotKnown(t *testing.T) {
	t.Parallel()
	options := parse(t, map[string]string{"scope": "orders"})
	options["stream"] = pravegaspark.Unknown()
	if got := options.Render(); !maps.Equal(got, map[string]string{"scope": "orders"}) {
		t.Errorf("got %v", got)
	}
	if found := pravegaspark.Check(options, pravegaspark.Situation{}); len(found) > 0 {
		t.Errorf("found %+v", found)
	}
}

func TestParse_RefusesWhatIsOfNoUse(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ option, text, want string }{
		{"allow_create_scope", "yes", "neither true nor false"},
		{"exactly_once", "1", "neither true nor false"},
		{"exactly_once", " true", "neither true nor false"},
		{"default_num_segments", "two", "no whole number"},
		{"default_num_segments", "1.5", "no whole number"},
		{"default_retention_duration_milliseconds", "a week", "no duration"},
		{"default_retention_duration_milliseconds", "1h30m", "no duration"},
		{"transaction_timeout_ms", "1500 µs", "milliseconds"},
		{"transaction_timeout_ms", "-1", "no duration"},
		{"default_retention_size_bytes", "1.5gb", "no size"},
		{"approx_bytes_per_trigger", "all", "no size"},
		{"aprox_bytes_per_trigger", "1", "no option"},
	} {
		if value, err := pravegaspark.Parse(test.option, test.text); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s = %q: got %q, %v; want an error with %q", test.option, test.text, value, err, test.want)
		}
	}
}

// Whatever is accepted renders to something that is accepted again, and means
// the same.
func FuzzParse(f *testing.F) {
	names := slices.Sorted(maps.Keys(spellings))
	for i, name := range names {
		for _, text := range spellings[name] {
			f.Add(i, text)
		}
	}
	f.Fuzz(func(t *testing.T, i int, text string) {
		name := names[uint(i)%uint(len(names))]
		value, err := pravegaspark.Parse(name, text)
		if err != nil {
			return
		}
		again, err := pravegaspark.Parse(name, value.String())
		if err != nil || again.String() != value.String() {
			t.Errorf("%s = %q renders to %q, which reads as %q, %v", name, text, value, again, err)
		}
		for _, finding := range pravegaspark.Check(pravegaspark.Options{name: value}, pravegaspark.Situation{}) {
			if finding.Option == "" || finding.Summary == "" || !strings.HasSuffix(finding.Detail, ".") {
				t.Errorf("%s = %q: %+v", name, text, finding)
			}
		}
	})
}
