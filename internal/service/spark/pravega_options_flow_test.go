// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package spark_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/pravega"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/pravegaspark"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/fault"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/pravegafake"
)

// created lets nothing depend on a look-up.
const created = "allow_create_scope = true\n  allow_create_stream = true"

// Each option as HCL has it, and as Spark is to be given it.
func TestFlow_SparkOptions_eachOption(t *testing.T) {
	t.Parallel()
	fake := newFake(t)
	sets := []struct {
		attributes, warned, want []string
	}{
		{
			[]string{
				created, `controller = "tls://a:9090,b:9090"`, "default_num_segments = 3", "default_scale_factor = 2", `default_segment_target_rate_bytes_per_sec = "64kb"`,
				`default_retention_duration_milliseconds = "7d"`, `transaction_timeout_ms = "2 min"`, `transaction_status_poll_interval_ms = "100 ms"`,
				"exactly_once = true", "read_after_write_consistency = true",
			},
			nil,
			[]string{
				"allow_create_scope", "true", "allow_create_stream", "true", "controller", "tls://a:9090,b:9090", "default_num_segments", "3", "default_scale_factor", "2",
				"default_segment_target_rate_bytes_per_sec", "65536", "default_retention_duration_milliseconds", "604800000", "transaction_timeout_ms", "120000",
				"transaction_status_poll_interval_ms", "100", "exactly_once", "true", "read_after_write_consistency", "true",
			},
		},
		{ // Bare numbers count milliseconds and bytes.
			[]string{
				"allow_create_scope = false", "allow_create_stream = true", "default_num_segments = 1", "default_scale_factor = 2", "default_segment_target_rate_events_per_sec = 1000",
				"default_retention_size_bytes = 1048576", "transaction_timeout_ms = 30000", `mode = "streaming"`, "approx_bytes_per_trigger = 65536",
				`start_stream_cut = "earliest"`, `end_stream_cut = "unbounded"`,
			},
			[]string{"approx_bytes_per_trigger: approx_bytes_per_trigger is ignored by released connectors"},
			[]string{
				"allow_create_scope", "false", "allow_create_stream", "true", "default_num_segments", "1", "default_scale_factor", "2", "default_segment_target_rate_events_per_sec", "1000",
				"default_retention_size_bytes", "1048576", "transaction_timeout_ms", "30000", "approx_bytes_per_trigger", "65536",
				"start_stream_cut", "earliest", "end_stream_cut", "unbounded",
			},
		},
		{
			[]string{created, `metadata = "Streams"`, `mode = "batch"`, "exactly_once = false"},
			[]string{"exactly_once: exactly_once has no effect with metadata"},
			[]string{"allow_create_scope", "true", "allow_create_stream", "true", "metadata", "Streams", "exactly_once", "false"},
		},
	}
	var warnings acctest.Warnings
	var steps []resource.TestStep
	tried := map[string]bool{"scope": true, "stream": true}
	for _, set := range sets {
		for i := 0; i < len(set.want); i += 2 {
			tried[set.want[i]] = true
		}
		steps = append(steps, apply(&warnings, config(fake.URL(), set.attributes...), set.warned, rendered(set.want...), ignored()))
	}
	for _, row := range pravegaspark.Table() {
		if !tried[row.Name] {
			t.Errorf("%s is not tried", row.Name)
		}
	}
	acctest.RunFakeWarned(t, &warnings, steps...)
}

// What the user has not set is neither rendered nor compared: the server's own
// values are no drift.
func TestFlow_SparkOptions_C48_WhatIsNotSetIsNeitherRenderedNorCompared(t *testing.T) {
	t.Parallel()
	fake := newFake(t)
	fake.AddStream("orders", "clicks", 2)
	fake.RetainTime("orders", "clicks", 7*24*time.Hour, 30*24*time.Hour)
	var warnings acctest.Warnings
	acctest.RunFakeWarned(t, &warnings,
		apply(&warnings, config(fake.URL()), nil, exists(knownvalue.Bool(true)), ignored(), rendered("allow_create_scope", "false", "allow_create_stream", "false")),
		apply(&warnings, config(fake.URL(), "default_num_segments = 2"), nil, ignored("default_num_segments", "2", "2"),
			rendered("allow_create_scope", "false", "allow_create_stream", "false", "default_num_segments", "2")),
		acctest.Noop(config(fake.URL(), "default_num_segments = 2")),
	)
}

// Jobs create nothing that Terraform owns, nor what is there already; they may
// create what nobody has made yet.
func TestFlow_SparkOptions_C78_NothingIsCreatedBesideTerraform(t *testing.T) {
	t.Parallel()
	fake := newFake(t)
	no := []string{"allow_create_scope", "false", "allow_create_stream", "false"}
	var warnings acctest.Warnings
	acctest.RunFakeWarned(t, &warnings,
		apply(&warnings, config(fake.URL()), nil, rendered(), exists(knownvalue.Bool(false))),
		apply(&warnings, config(fake.URL(), "managed = false"), nil, rendered(), exists(knownvalue.Bool(false))),
		apply(&warnings, config(fake.URL(), "managed = true"), nil, rendered(no...), exists(knownvalue.Null())),
		apply(&warnings, config(fake.URL(), "managed = true", "allow_create_scope = true"), nil, rendered("allow_create_scope", "true", "allow_create_stream", "false")),
		apply(&warnings, config(fake.URL(), "managed = true", "allow_create_stream = true"), []string{"allow_create_stream: A job may create the stream before Terraform does"},
			rendered("allow_create_scope", "false", "allow_create_stream", "true")),
		resource.TestStep{
			PreConfig: func() { fake.AddStream("orders", "clicks", 1); warnings.Take() },
			Config:    config(fake.URL()), ConfigStateChecks: []statecheck.StateCheck{rendered(no...), exists(knownvalue.Bool(true)), warnings.InState()},
		},
		apply(&warnings, config(fake.URL(), "allow_create_stream = true"), nil, rendered("allow_create_scope", "false", "allow_create_stream", "true")),
	)
}

func TestFlow_SparkOptions_managedByThisConfiguration(t *testing.T) {
	t.Parallel()
	fake := newFake(t)
	whole := acctest.Config{Pravega: fake.URL()}.String() + `
resource "streaming_pravega_scope" "test" {
  name = "orders"
}

resource "streaming_pravega_stream" "test" {
  scope = streaming_pravega_scope.test.name
  name  = "clicks"
}

data "streaming_pravega_spark_options" "test" {
  scope   = streaming_pravega_stream.test.scope
  stream  = streaming_pravega_stream.test.name
  managed = true
}
`
	acctest.RunFake(t,
		acctest.Apply(whole, rendered("allow_create_scope", "false", "allow_create_stream", "false")),
		acctest.Noop(whole),
	)
}

func TestFlow_SparkOptions_ignoredIsShownBesideWhatThereIs(t *testing.T) {
	t.Parallel()
	fake := newFake(t)
	fake.AddStream("orders", "fixed", 2)
	rate := pravega.StreamConfig{
		Scaling:   pravega.Scaling{Type: pravega.RateInKBytes, TargetRate: 64, ScaleFactor: 3, MinSegments: 2},
		Retention: &pravega.Retention{Kind: pravega.RetainTime, Amount: 24 * 60},
	}
	if _, err := clientOf(t, fake.URL()).CreateStream(t.Context(), "orders", "clicks", rate); err != nil {
		t.Fatal(err)
	}
	no := []string{"allow_create_scope", "false", "allow_create_stream", "false"}
	defaults := []string{
		"default_num_segments = 4", "default_scale_factor = 3", `default_segment_target_rate_bytes_per_sec = "1mb"`, `default_retention_duration_milliseconds = "7d"`,
	}
	differs := []string{
		"default_num_segments", "4", "2", "default_retention_duration_milliseconds", "604800000", "86400000",
		"default_scale_factor", "3", "3", "default_segment_target_rate_bytes_per_sec", "1048576", "65536",
	}
	var warnings acctest.Warnings
	acctest.RunFakeWarned(t, &warnings,
		apply(&warnings, config(fake.URL(), defaults...),
			[]string{`default_num_segments: default_num_segments is ignored. It is 4 for the stream "orders/clicks"`, "exists and has 2", "streaming_pravega_stream"},
			ignored(differs...), rendered(append(no, "default_num_segments", "4", "default_scale_factor", "3",
				"default_segment_target_rate_bytes_per_sec", "1048576", "default_retention_duration_milliseconds", "604800000")...)),
		apply(&warnings, config(fake.URL(), `default_retention_size_bytes = "1gb"`), []string{"default_retention_size_bytes is ignored", "has no retention by size"},
			ignored("default_retention_size_bytes", "1073741824", "")),
		apply(&warnings, config(fake.URL(), "default_num_segments = 2", "default_scale_factor = 3", "default_segment_target_rate_events_per_sec = 10"),
			[]string{"default_segment_target_rate_events_per_sec is ignored", "has no scaling by such a rate"},
			ignored("default_num_segments", "2", "2", "default_scale_factor", "3", "3", "default_segment_target_rate_events_per_sec", "10", "")),
		// What fits is in the list, and no reason to warn or to fail.
		apply(&warnings, config(fake.URL(), "default_num_segments = 2", `default_retention_duration_milliseconds = "1d"`, `on_ignored = "error"`), nil,
			ignored("default_num_segments", "2", "2", "default_retention_duration_milliseconds", "86400000", "86400000")),
		acctest.Fails(config(fake.URL(), append(defaults, `on_ignored = "error"`)...), "default_num_segments is ignored", "default_num_segments = 4", "exists and has 2", "on_ignored is \"error\""),
		// A stream that does not exist gets them.
		apply(&warnings, strings.Replace(config(fake.URL(), append(defaults, `on_ignored = "error"`)...), "clicks", "views", 1), nil, ignored(), exists(knownvalue.Bool(false))),
	)
}

func TestFlow_SparkOptions_managedMakesDefaultsVoid(t *testing.T) {
	t.Parallel()
	fake := newFake(t)
	var warnings acctest.Warnings
	acctest.RunFakeWarned(t, &warnings,
		apply(&warnings, config(fake.URL(), "managed = true", "default_num_segments = 4"), []string{"default_num_segments is ignored", "managed is true"},
			ignored("default_num_segments", "4", ""), exists(knownvalue.Bool(false))),
		acctest.Fails(config(fake.URL(), "managed = true", "default_num_segments = 4", `on_ignored = "error"`), "default_num_segments is ignored", "managed is true"),
		resource.TestStep{
			PreConfig: func() { fake.AddStream("orders", "clicks", 2); warnings.Take() }, Config: config(fake.URL(), "managed = true", "default_num_segments = 4"),
			ConfigStateChecks: []statecheck.StateCheck{ignored("default_num_segments", "4", "2"), warnings.InState("default_num_segments is ignored", "has 2")},
		},
	)
}

func TestFlow_SparkOptions_rejectsAtPlanWhatFailsInTheJob(t *testing.T) {
	t.Parallel()
	fake := newFake(t)
	tests := []struct {
		attributes string
		words      []string
	}{
		{`metadata = "streams"`, []string{"metadata is not a word", `"Streams" or "StreamInfo"`}},
		{"default_num_segments = 0", []string{"default_num_segments is out of range", "default_num_segments = 0", "1 to 2147483647"}},
		{`default_retention_duration_milliseconds = "30d"`, []string{"out of range", "32 bits", "streaming_pravega_stream"}},
		{"default_retention_size_bytes = 0", []string{"deletes all data"}},
		{`default_retention_duration_milliseconds = "1h30m"`, []string{"Not a duration", "number of milliseconds"}},
		{`transaction_timeout_ms = "1500 µs"`, []string{"Not a value for transaction_timeout_ms", "whole number of milliseconds"}},
		{`end_stream_cut = "earliest"`, []string{"No job can end at the earliest event", "end_stream_cut ="}},
		{"mode = \"streaming\"\n metadata = \"Streams\"", []string{"streaming job cannot read metadata"}},
		{"mode = \"batch\"\n start_stream_cut = \"latest\"", []string{"batch job cannot start at the latest event"}},
		{`start_stream_cut = "newest"`, []string{"neither a word that the connector knows nor a stream cut"}},
		{`controller = "http://pravega:9091"`, []string{"REST endpoint", "tcp://host:9090"}},
		{`mode = "micro-batch"`, []string{"mode cannot be", `"batch" or "streaming"`}},
		{`on_ignored = "fail"`, []string{"on_ignored cannot be", `"warn" or "error"`}},
		{"default_retention_size_bytes = 1\n default_retention_duration_milliseconds = 1", []string{"both a time and a size"}},
		{"default_segment_target_rate_events_per_sec = 1\n default_segment_target_rate_bytes_per_sec = \"1 kb\"\n ", []string{"Two rates are given"}},
	}
	var steps []resource.TestStep
	for _, test := range tests {
		steps = append(steps, acctest.Fails(config(fake.URL(), test.attributes), test.words...))
	}
	acctest.RunFake(t, steps...)
	if requests := fake.Requests(); len(requests) > 0 {
		t.Errorf("asked %v of what is wrong anyway", requests)
	}
}

func TestFlow_SparkOptions_warnsOfWhatTheConnectorIgnores(t *testing.T) {
	t.Parallel()
	fake := newFake(t)
	var warnings acctest.Warnings
	acctest.RunFakeWarned(t, &warnings,
		apply(&warnings, config(fake.URL(), "default_scale_factor = 2"), []string{"default_scale_factor: default_scale_factor has no effect without default_num_segments", "in silence"}),
		apply(&warnings, config(fake.URL(), "exactly_once = false", `transaction_timeout_ms = "1 min"`), []string{"transaction_timeout_ms has no effect without exactly_once"}),
		apply(&warnings, config(fake.URL(), `transaction_timeout_ms = "1 h"`), []string{"controller.transaction.lease.count.max"}),
		apply(&warnings, config(fake.URL(), `mode = "batch"`, `approx_bytes_per_trigger = "1mb"`), []string{"approx_bytes_per_trigger has no effect in a batch job"}),
		apply(&warnings, config(fake.URL(), `start_stream_cut = "latest"`), []string{"batch job cannot start at the latest event"}),
		apply(&warnings, config(fake.URL(), `mode = "streaming"`, `start_stream_cut = "latest"`), nil),
		apply(&warnings, config(fake.URL(), `mode = "streaming"`, `end_stream_cut = "latest"`), []string{"end_stream_cut has no effect in a streaming job"}),
		apply(&warnings, config(fake.URL(), "allow_create_stream = false", "default_num_segments = 1"), []string{"default_num_segments has no effect without allow_create_stream"}, ignored()),
	)
}

func TestFlow_SparkOptions_withoutAnEndpoint(t *testing.T) {
	// Not parallel: the endpoint may be in the environment.
	t.Setenv("STREAMING_PRAVEGA_ENDPOINT", "")
	var warnings acctest.Warnings
	acctest.RunFakeWarned(t, &warnings,
		apply(&warnings, config(""), []string{"No pravega endpoint is configured", "not looked up", "managed = true"}, rendered(), exists(knownvalue.Null())),
		apply(&warnings, config("", "managed = true"), nil, rendered("allow_create_scope", "false", "allow_create_stream", "false"), exists(knownvalue.Null())),
		apply(&warnings, config("", created), nil, rendered("allow_create_scope", "true", "allow_create_stream", "true")),
		apply(&warnings, config("", created, "default_num_segments = 1"), []string{"No pravega endpoint is configured", "not compared"}, ignored()),
	)
}

// An answer that is none is never taken for a stream that does not exist.
func TestFlow_SparkOptions_C40_aControllerThatDoesNotAnswerIsAnError(t *testing.T) {
	t.Parallel()
	fake := newFake(t, pravegafake.BasicAuth("ann", "s3cret"))
	down := pravegafake.New()
	down.Close()
	html := newFake(t)
	html.Inject(fault.Fault{Kind: fault.Status, Status: http.StatusInternalServerError, Method: http.MethodGet, Path: regexp.MustCompile("/streams/"), Times: 100})
	var warnings acctest.Warnings
	acctest.RunFakeWarned(t, &warnings,
		acctest.Fails(config(fake.URL()), "Cannot look up Pravega stream", "401", "managed = true"),
		acctest.Fails(strings.Replace(config(down.URL()), "endpoint =", "retry = { max_tries = 1 }\n endpoint =", 1), "Cannot look up Pravega stream", "connection refused", "cannot be told"),
		acctest.Fails(config(html.URL()), "Cannot look up Pravega stream"),
		// Nothing depends on it.
		apply(&warnings, config(down.URL(), "managed = true"), nil, rendered("allow_create_scope", "false", "allow_create_stream", "false")),
	)
}

// A password in the controller's address would be readable in the state.
func TestFlow_SparkOptions_passwordIsRefusedAndNotRepeated(t *testing.T) {
	t.Parallel()
	fake := newFake(t)
	whole := acctest.Config{Pravega: fake.URL()}.String() + "variable \"controller\" {\n  default = \"tcp://ann:s3cret@pravega:9090\"\n}\n" + block("controller = var.controller")
	acctest.RunFake(t, resource.TestStep{Config: whole, ExpectError: regexp.MustCompile(`(?s)^[^@]*A controller with a user name in it[^@]*$`)})
}

func TestFlow_SparkOptions_valuesThatAreKnownLater(t *testing.T) {
	t.Parallel()
	fake := newFake(t)
	later := acctest.Config{Pravega: fake.URL()}.String() + `
resource "terraform_data" "later" {
  input = { timeout = "1 min", segments = 0 }
}

data "streaming_pravega_spark_options" "test" {
  scope                  = "orders"
  stream                 = "clicks"
  transaction_timeout_ms = terraform_data.later.output.timeout
  default_num_segments   = terraform_data.later.output.segments + 1
  default_scale_factor   = terraform_data.later.output.segments + 2
  default_segment_target_rate_events_per_sec = terraform_data.later.output.segments + 1
}
`
	acctest.RunFake(t,
		acctest.Apply(later, rendered("transaction_timeout_ms", "60000", "default_num_segments", "1", "default_scale_factor", "2", "default_segment_target_rate_events_per_sec", "1")),
		acctest.Fails(strings.Replace(strings.Replace(later, "input =", "triggers_replace = 1\n input =", 1), "segments + 2", "segments", 1), "default_scale_factor is out of range"),
	)
}
