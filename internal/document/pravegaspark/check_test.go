// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravegaspark_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/pravegaspark"
)

const (
	refused = pravegaspark.Refused
	void    = pravegaspark.Void
	risk    = pravegaspark.Risk
)

// pack makes the text of a stream cut.
func pack(content string) string {
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	if _, err := writer.Write([]byte(content)); err != nil {
		panic(err)
	}
	if err := writer.Close(); err != nil {
		panic(err)
	}
	return base64.StdEncoding.EncodeToString(packed.Bytes())
}

// want is a finding, with words of its summary and detail.
type want struct {
	option   string
	severity pravegaspark.Severity
	words    []string
}

type written = map[string]string

// check looks at options beside a scope and a stream.
func check(t *testing.T, with written, situation pravegaspark.Situation, wanted ...want) {
	t.Helper()
	all := written{"scope": "orders", "stream": "clicks"}
	maps.Copy(all, with)
	found := pravegaspark.Check(parse(t, all), situation)
	if len(found) != len(wanted) {
		t.Errorf("%v: found %+v, want %v", with, found, wanted)
		return
	}
	for i, finding := range found {
		text := finding.Summary + ". " + finding.Detail
		if finding.Option != wanted[i].option || finding.Severity != wanted[i].severity {
			t.Errorf("%v: found %+v, want %v", with, finding, wanted[i])
		}
		for _, word := range wanted[i].words {
			if !strings.Contains(text, word) {
				t.Errorf("%v: %q does not say %q", with, text, word)
			}
		}
	}
}

func TestCheck_EachOptionHasItsLimits(t *testing.T) {
	t.Parallel()
	none := pravegaspark.Situation{}
	for _, row := range pravegaspark.Table() {
		switch row.Kind {
		case pravegaspark.Number, pravegaspark.Millis, pravegaspark.Bytes:
			if row.Min > 0 {
				outOfRange(t, row.Name, row.Min-1, row.Min)
			}
			if row.Max < 1<<63-1 {
				outOfRange(t, row.Name, row.Max+1, row.Max)
			}
		case pravegaspark.Bool:
			check(t, written{row.Name: "true"}, none)
		case pravegaspark.Text:
		}
	}
	check(t, written{"metadata": "streams"}, none, want{"metadata", refused, []string{`"streams"`, `"Streams" or "StreamInfo"`, "exactly this case"}})
	check(t, written{"metadata": "StreamInfo"}, none)
	check(t, written{"default_retention_duration_milliseconds": "0"}, none, want{"default_retention_duration_milliseconds", refused, []string{"deletes all data"}})
	check(t, written{"default_retention_size_bytes": "0 b"}, none, want{"default_retention_size_bytes", refused, []string{"deletes all data"}})
	check(t, written{"default_retention_duration_milliseconds": "25d"}, none,
		want{"default_retention_duration_milliseconds", refused, []string{"2160000000 ms", "1 to 2147483647", "32 bits", "streaming_pravega_stream"}})
	check(t, written{"default_retention_size_bytes": "2gb"}, none, want{"default_retention_size_bytes", refused, []string{"32 bits", "managed = true"}})

	if found := pravegaspark.Check(pravegaspark.Options{}, none); len(found) != 2 || found[0].Option != "scope" || found[1].Option != "stream" {
		t.Errorf("found %+v", found)
	}
}

func outOfRange(t *testing.T, option string, bad, good int64) {
	t.Helper()
	refuses := func(n int64) bool {
		found := pravegaspark.Check(parse(t, written{"scope": "a", "stream": "b", option: strconv.FormatInt(n, 10)}), pravegaspark.Situation{})
		return slices.ContainsFunc(found, func(f pravegaspark.Finding) bool { return f.Option == option && f.Severity == refused })
	}
	if !refuses(bad) || refuses(good) {
		t.Errorf("%s: %d is refused: %v, %d is refused: %v", option, bad, refuses(bad), good, refuses(good))
	}
}

func TestCheck_NamesAreThoseThatPravegaAllows(t *testing.T) {
	t.Parallel()
	for _, option := range []string{"scope", "stream"} {
		for _, good := range []string{"a", "A-1.b", "_system", strings.Repeat("x", 255)} {
			check(t, written{option: good}, pravegaspark.Situation{})
		}
		for _, bad := range []string{"", "a_b", "a b", "a/b", "ä", strings.Repeat("x", 256)} {
			check(t, written{option: bad}, pravegaspark.Situation{}, want{option, refused, nil})
		}
	}
}

// The client of Pravega 0.13.0 was given each of these.
func TestCheck_ControllerIsWhatTheClientTakes(t *testing.T) {
	t.Parallel()
	for _, good := range []string{
		"tcp://h:9090", "tls://h:9090", "ssl://h:9090", "pravega://h:9090", "pravegas://h:9090", "h:9090", "tcp://h:1,g:2", "tcp://127.0.0.1:9090,127.0.0.1:9091",
		"tcp://h:9090/", "tcp://h_1:9090", "h.example.com:9090", "tcp://h:9090/x",
	} {
		check(t, written{"controller": good}, pravegaspark.Situation{})
	}
	for bad, words := range map[string][]string{
		"http://h:9091":        {"REST", "tcp://host:9090"},
		"https://h":            {"REST"},
		"tcp://h":              {`"tcp://h"`, "protocol://host:port"},
		"TCP://h:9090":         {"lower case"},
		"tcp://[::1]:9090":     {"protocol://host:port"},
		"tcp://h:99999":        {"protocol://host:port"},
		"tcp://a:1,b:99999":    {"protocol://host:port"},
		"tcp://h:1,tcp://g:2":  {"protocol://host:port"},
		"tcp://h:1,g":          {"protocol://host:port"},
		"127.0.0.1:9090":       {"protocol://host:port"},
		"":                     {"protocol://host:port"},
		"tcp://h:9090\t":       {"protocol://host:port"},
		"tcp://ann:s3c@h:9090": {"user name", "readable in the state"},
		"ann:s3c@h:9090":       {"user name"},
	} {
		check(t, written{"controller": bad}, pravegaspark.Situation{}, want{"controller", refused, words})
	}
	for _, finding := range pravegaspark.Check(parse(t, written{"scope": "a", "stream": "b", "controller": "tcp://ann:s3c@h:9090"}), pravegaspark.Situation{}) {
		if strings.Contains(finding.Summary+finding.Detail, "s3c") {
			t.Errorf("a password is repeated: %+v", finding)
		}
	}
}

func TestCheck_StreamCuts(t *testing.T) {
	t.Parallel()
	none, streaming, batch := pravegaspark.Situation{}, pravegaspark.Situation{Mode: pravegaspark.Streaming}, pravegaspark.Situation{Mode: pravegaspark.Batch}
	cut := pack("0:orders/clicks:0:0:100")
	for _, option := range []string{"start_stream_cut", "end_stream_cut"} {
		for _, good := range []string{"unbounded", " Unbounded ", "UNBOUNDED", cut, cut + "\n", " " + cut, strings.TrimRight(cut, "=")} {
			check(t, written{option: good}, none)
			check(t, written{option: good}, batch)
		}
		check(t, written{option: realCut, "scope": "s", "stream": "t"}, none)
		check(t, written{option: realCut}, none, want{option, risk, []string{`"s/t"`, `"orders/clicks"`}})
		for bad, words := range map[string][]string{
			"":                             {"no base-64"},
			"bogus":                        {"no base-64"},
			"bm8gc3RyZWFtIGN1dA==":         {"no stream cut"},
			"H4sIAAAAAAAAAAMAAAAAAAAAAAA=": {"no stream cut"},
			realCut[:len(realCut)-12]:      {"not whole"},
		} {
			check(t, written{option: bad}, none, want{option, refused, words})
		}
	}
	// The connector's code takes neither, and gives no reason.
	for _, situation := range []pravegaspark.Situation{none, batch} {
		check(t, written{"start_stream_cut": "Earliest", "end_stream_cut": "laTest"}, situation)
		check(t, written{"end_stream_cut": "earliest"}, situation, want{"end_stream_cut", refused, []string{"exception"}})
	}
	check(t, written{"start_stream_cut": "latest"}, batch, want{"start_stream_cut", refused, []string{"exception"}})
	check(t, written{"start_stream_cut": "latest"}, none, want{"start_stream_cut", risk, []string{`mode = "streaming"`}})
	for _, good := range []string{"earliest", "latest", "unbounded", cut} {
		check(t, written{"start_stream_cut": good, "end_stream_cut": "unbounded"}, streaming)
	}
	check(t, written{"end_stream_cut": "latest"}, streaming, want{"end_stream_cut", void, []string{"streaming job", `mode = "batch"`}})
	check(t, written{"end_stream_cut": cut}, streaming, want{"end_stream_cut", void, nil})
}

func TestCheck_Combinations(t *testing.T) {
	t.Parallel()
	none := pravegaspark.Situation{}
	const (
		segments, factor  = "default_num_segments", "default_scale_factor"
		bytes, events     = "default_segment_target_rate_bytes_per_sec", "default_segment_target_rate_events_per_sec"
		duration, size    = "default_retention_duration_milliseconds", "default_retention_size_bytes"
		timeout, interval = "transaction_timeout_ms", "transaction_status_poll_interval_ms"
		consistency       = "read_after_write_consistency"
		trigger, create   = "approx_bytes_per_trigger", "allow_create_stream"
	)
	// Scaling.
	check(t, written{segments: "3"}, none)
	check(t, written{segments: "3", factor: "2", bytes: "64kb"}, none)
	check(t, written{segments: "3", factor: "2", events: "10"}, none)
	check(t, written{factor: "2", events: "10"}, none,
		want{factor, void, []string{segments, "in silence"}}, want{events, void, []string{segments}})
	check(t, written{segments: "3", factor: "2"}, none, want{factor, void, []string{"without a rate", "fixed number"}})
	check(t, written{segments: "3", bytes: "64kb"}, none, want{bytes, void, []string{factor}})
	check(t, written{segments: "3", events: "10"}, none, want{events, void, []string{factor}})
	check(t, written{segments: "3", factor: "2", bytes: "64kb", events: "10"}, none, want{bytes, refused, []string{"refuses both"}})
	check(t, written{segments: "3", factor: "2", bytes: "1500"}, none, want{bytes, void, []string{"1500 becomes 1024"}})
	// Retention.
	check(t, written{duration: "7d"}, none)
	check(t, written{duration: "7d", size: "1gb"}, none, want{duration, refused, []string{"refuses both"}})
	// Creation.
	check(t, written{create: "false", duration: "7d", segments: "1"}, none, want{segments, void, []string{create}}, want{duration, void, []string{create}})
	check(t, written{create: "false", duration: "7d"}, pravegaspark.Situation{Exists: true})
	// What is void anyway is said once, by whoever knows the stream.
	check(t, written{factor: "2", bytes: "1500"}, pravegaspark.Situation{Exists: true})
	check(t, written{factor: "2", bytes: "1500"}, pravegaspark.Situation{Managed: true})
	check(t, written{create: "true"}, pravegaspark.Situation{Managed: true}, want{create, risk, []string{"before Terraform"}})
	check(t, written{create: "false"}, pravegaspark.Situation{Managed: true})
	// Transactions.
	check(t, written{"exactly_once": "false", consistency: "true", timeout: "1 min", interval: "50 ms"}, none,
		want{consistency, void, nil}, want{timeout, void, nil}, want{interval, void, nil})
	check(t, written{"exactly_once": "false", consistency: "false"}, none)
	check(t, written{consistency: "false", interval: "50"}, none, want{interval, void, []string{consistency}})
	check(t, written{interval: "0"}, none, want{interval, risk, []string{"50 ms"}})
	check(t, written{timeout: "9999"}, none, want{timeout, refused, []string{"at least 10000"}})
	check(t, written{timeout: "10 min"}, none)
	check(t, written{timeout: "600001"}, none, want{timeout, risk, []string{"controller.transaction.lease.count.max", "600000", "120000", "controller.transaction.execution.timeBound.days"}})
	// Micro-batches.
	check(t, written{trigger: "64mb"}, pravegaspark.Situation{Mode: pravegaspark.Streaming}, want{trigger, risk, []string{"0.13.0"}})
	check(t, written{trigger: "64mb"}, pravegaspark.Situation{Mode: pravegaspark.Batch}, want{trigger, void, []string{"batch job"}})
	// Metadata.
	streaming := pravegaspark.Situation{Mode: pravegaspark.Streaming}
	check(t, written{"metadata": "Streams", "controller": "tcp://h:9090", create: "false", "allow_create_scope": "false"}, none)
	check(t, written{"metadata": "StreamInfo"}, streaming, want{"metadata", refused, []string{"batch jobs alone"}})
	check(t, written{"metadata": "StreamInfo", "start_stream_cut": "earliest", segments: "1", timeout: "1 min", trigger: "1mb"}, none,
		want{segments, void, nil}, want{"start_stream_cut", void, []string{"no effect with metadata"}}, want{timeout, void, nil}, want{trigger, void, nil})
}
