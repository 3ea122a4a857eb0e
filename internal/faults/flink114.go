// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package faults

import (
	"encoding/base64"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/dagger"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
)

// fakeName is how the job is called on the fake.
const fakeName = "counter"

// flink114 are options of a fake of Flink 1.14. Its savepoints take long enough
// that the next apply may find one that is still being taken, and what it shows
// is old for long enough that one may not be seen.
func flink114(retains bool) []flinkfake.Option {
	options := []flinkfake.Option{
		flinkfake.Version("1.14.3"), flinkfake.SavepointDelay(250 * time.Millisecond), flinkfake.RefreshInterval(150 * time.Millisecond),
	}
	if retains {
		options = append(options, flinkfake.Conf("execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION"))
	}
	return options
}

// labelled114 is a counting job for Flink 1.14, which takes no configuration
// with it, so that its program sets what it needs, its name among it.
func labelled114(label string) job {
	args := []string{"--label", label, "--rate", "100", "--checkpoint", "1000", "--name", fakeName}
	return job{"jar": map[string]any{"source": oldJar}, "entry_class": entryClass, "args": args, "parallelism": 1}
}

// unnamed114 is one of which the cluster shows neither a name nor an argument.
func unnamed114(label string) job {
	return labelled114(label).with(job{"args": []string{"--label", label, "--rate", "100", "--checkpoint", "1000", "--plain"}})
}

// flink114Operations are those of a job from a jar on Flink 1.14. No such job
// has a marker.
func flink114Operations() []operation {
	first, second, third := labelled114("a"), labelled114("b"), labelled114("c")
	wide := func(n int) job { return first.with(job{"parallelism": n}) }
	all := operationsOf("", "Flink 1.14: ", first, second, third)
	all = append(all,
		operation{name: "Flink 1.14: rescale", setUp: []job{first}, do: wide(2), next: nextOf(wide(2), wide(3), first)},
		operation{
			name: "Flink 1.14: upgrade from the last checkpoint", retains: true, setUp: []job{first.with(lastState)}, do: second.with(lastState),
			next: nextOf(second.with(lastState), third.with(lastState), first.with(lastState)),
		},
	)
	first, second, third = unnamed114("a"), unnamed114("b"), unnamed114("c")
	for _, op := range operationsOf("", "Flink 1.14, unnamed: ", first, second, third) {
		switch strings.TrimPrefix(op.name, "Flink 1.14, unnamed: ") {
		case "create", "create without owner", "upgrade", "destroy":
			op.unmarked = true
			all = append(all, op)
		}
	}
	return on114(all)
}

// on114 lets operations run on Flink 1.14.
func on114(all []operation) []operation {
	for i := range all {
		all[i].flink114 = true
	}
	return all
}

// daggerJob is one of Dagger's, which needs Flink 1.14.
func daggerJob(label string) job {
	stream := map[string]any{
		"input_schema_table": "data_stream", "input_schema_proto_class": "com.tests.TestMessage", "input_schema_event_timestamp_field_index": 41,
		"source_kafka_topic_names": []string{"topic"}, "source_kafka_bootstrap_servers": []string{"localhost:9092"}, "source_kafka_group_id": "group",
	}
	return job{
		"jar": map[string]any{"source": oldJar}, "parallelism": 1, "streams": []any{stream}, "sink_type": "log", "rowtime_attribute_name": "rowtime",
		"sql_query": "SELECT * FROM data_stream WHERE label <> '" + label + "'", "flink": map[string]any{"checkpoint_interval_ms": "1 s"},
		"extra_configuration": map[string]any{"label": label},
	}
}

var daggerClass = dagger.EntryClass(dagger.Raystack)

// runDagger does what Dagger's main does with its arguments: it makes them the
// global parameters of its job.
func runDagger(m *flinkfake.Main) error {
	text, err := base64.StdEncoding.DecodeString(m.Arg("--encodedArgs", ""))
	var all []string
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		return flinkfake.Throw("com.google.gson.JsonSyntaxException", err.Error())
	}
	keys := map[string]string{}
	for i := 0; i+1 < len(all); i += 2 {
		keys[strings.TrimPrefix(all[i], "--")] = all[i+1]
	}
	parallelism, err := strconv.Atoi(keys["FLINK_PARALLELISM"])
	if err != nil {
		return flinkfake.Throw("java.lang.NumberFormatException", err.Error())
	}
	interval, err := strconv.Atoi(keys["FLINK_CHECKPOINT_INTERVAL_MS"])
	if err != nil {
		return flinkfake.Throw("java.lang.NumberFormatException", err.Error())
	}
	return m.Execute(flinkfake.Graph{
		Name: keys["FLINK_JOB_ID"], Parallelism: parallelism, Rate: 100, GlobalParameters: keys, CheckpointInterval: time.Duration(interval) * time.Millisecond,
		Operators: []flinkfake.Operator{{Name: "source", UID: "source", Stateful: true, Counts: true}, {Name: "sink", UID: "sink"}},
	})
}
