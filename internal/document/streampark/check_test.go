// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streampark_test

import (
	"strings"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/streampark"
)

const (
	refused = streampark.Refused
	warned  = streampark.Warned
)

// want is a finding, with words of its summary and detail.
type want struct {
	severity  streampark.Severity
	attribute string
	words     []string
}

func check(t *testing.T, d streampark.Document, wanted ...want) {
	t.Helper()
	checkOn(t, "1.20.5", d, wanted...)
}

func checkOn(t *testing.T, version string, d streampark.Document, wanted ...want) {
	t.Helper()
	found := streampark.Check(d, streampark.Situation{FlinkVersion: version})
	if len(found) != len(wanted) {
		t.Errorf("%+v: found %+v, want %+v", d, found, wanted)
		return
	}
	for i, finding := range found {
		at := finding.Attribute
		if finding.Key != "" {
			at += "[" + finding.Key + "]"
		}
		if at != wanted[i].attribute || finding.Severity != wanted[i].severity {
			t.Errorf("%+v: found %+v, want %+v", d, finding, wanted[i])
		}
		for _, word := range wanted[i].words {
			if text := finding.Summary + ". " + finding.Detail; !strings.Contains(text, word) {
				t.Errorf("%+v: %q does not say %q", d, text, word)
			}
		}
	}
}

// values makes a document of attributes and values by turns.
func values(pairs ...string) streampark.Document {
	d := counter()
	for i := 0; i < len(pairs); i += 2 {
		d.Values[pairs[i]] = pairs[i+1]
	}
	return d
}

func TestCheck_TheLeastHasNothingWrong(t *testing.T) {
	t.Parallel()
	check(t, counter())
	d := counter()
	d.Name = ""
	check(t, d, want{refused, "name", []string{"already running", "nobody knows of"}})
	d.Unknown = map[string]bool{"name": true}
	check(t, d)
	d = counter()
	d.Layout = streampark.Deployment
	check(t, d, want{warned, "layout", []string{"ignores without a word", "flink.deployment"}})
	d.Layout = "3.x"
	check(t, d, want{refused, "layout", []string{`"3.x" is no layout`}})
}

// It is about option.allowNonRestoredState, option.detached, option.jobmanager, option.shutdownOnAttachedExit,
// option.target, property.pipeline.auto-watermark-interval, property.taskmanager.numberOfTaskSlots,
// property.yarn.application.queue.
func TestCheck_WarnsOfWhatTheClientIgnores(t *testing.T) {
	t.Parallel()
	for attribute, words := range map[string][]string{
		"option.detached":                           {"false", "always detached"},
		"option.allow_non_restored_state":           {"true", "upgrade.allow_non_restored_state"},
		"option.shutdown_on_attached_exit":          {"true", "on_destroy"},
		"option.jobmanager":                         {"yarn-cluster", "flink.endpoint"},
		"option.target":                             {"application", "flink.endpoint"},
		"property.yarn_application_queue":           {"prod", "session cluster"},
		"state_backend.savepoints_dir":              {"s3://b/s", "upgrade.savepoint_directory"},
		"property.taskmanager_number_of_task_slots": {"4", "session cluster"},
	} {
		check(t, values(attribute, words[0]), want{warned, attribute, append([]string{"has no effect"}, words[1:]...)})
	}
	// What comes out the same is no matter.
	check(t, values("option.detached", "True", "option.allow_non_restored_state", "false", "option.shutdown_on_attached_exit", "false", "option.target", "remote"))
	check(t, values("option.target", "moon"), want{refused, "option.target", []string{`"moon"`, `"yarn-per-job"`}})
	check(t, values("option.target", "Application"), want{refused, "option.target", nil})
	check(t, values("option.detached", "yes"), want{refused, "option.detached", []string{"true and false"}})
	check(t, values("option.jobmanager", " "), want{warned, "option.jobmanager", []string{"drops it"}})
}

// Units are as the document has them, and as the cluster's version knows them.
func TestCheck_Units(t *testing.T) {
	t.Parallel()
	for _, good := range []string{"5000", "3 s", "3s", "3 m", "3 min", "3 h", "3 d", "200ms", " 1 MINUTE "} {
		check(t, values("restart_strategy.strategy", "fixed-delay", "restart_strategy.fixed_delay.delay", good))
	}
	for _, bad := range []string{"1h30m", "1.5s", "-1 s", "soon", "PT5S", "5 weeks", "s"} {
		check(t, values("checkpoint.interval", bad), want{refused, "checkpoint.interval", []string{"Flink cannot read", bad}})
	}
	check(t, values("checkpoint.interval", "9"), want{refused, "checkpoint.interval", []string{"at least 10 ms"}})
	check(t, values("checkpoint.timeout", "9 ms"), want{refused, "checkpoint.timeout", []string{"at least 10 ms"}})
	checkOn(t, "1.14.3", values("checkpoint.interval", "5 m"), want{refused, "checkpoint.interval", []string{"Flink 1.14.3 does not know the unit", `"min"`}})
	checkOn(t, "1.14.3", values("checkpoint.interval", "5 min"))
	checkOn(t, "1.15.0", values("checkpoint.interval", "5 m"))
	checkOn(t, "", values("checkpoint.interval", "5 m"))
	for _, bad := range []string{"128.000mb", "1MiB", "-1", "big", "99999999999 gb"} {
		check(t, values("memory.taskmanager.managed_size", bad), want{refused, "memory.taskmanager.managed_size", []string{"Flink cannot read"}}, want{warned, "memory.taskmanager", nil})
	}
}

// It is about property.execution.checkpointing.externalized-checkpoint-retention,
// property.execution.checkpointing.interval, property.execution.checkpointing.mode,
// property.execution.checkpointing.timeout, property.execution.checkpointing.unaligned.
func TestCheck_Checkpoints(t *testing.T) {
	t.Parallel()
	check(t, values("checkpoint.interval", "30s", "checkpoint.timeout", "10min", "checkpoint.mode", "exactly_once", "checkpoint.unaligned", "true", "checkpoint.externalized_checkpoint_retention", "RETAIN_ON_CANCELLATION"))
	check(t, values("checkpoint.mode", "AT_MOST_ONCE"), want{refused, "checkpoint.mode", []string{`"EXACTLY_ONCE"`}})
	check(t, values("checkpoint.mode", "exactly-once"), want{refused, "checkpoint.mode", nil})
	check(t, values("checkpoint.mode", "At_Least_Once", "checkpoint.unaligned", "true"), want{refused, "checkpoint.unaligned", []string{"EXACTLY_ONCE"}})
	for _, kept := range []string{"DELETE_ON_CANCELLATION", "no_externalized_checkpoints"} {
		check(t, values("checkpoint.externalized_checkpoint_retention", kept), want{warned, "checkpoint.externalized_checkpoint_retention", []string{"last_state", "RETAIN_ON_CANCELLATION"}})
	}
	d := values("checkpoint.unaligned", "true")
	d.Extra = map[string]string{"flink.property.execution.checkpointing.max-concurrent-checkpoints": "2"}
	check(t, d, want{refused, "checkpoint.unaligned", []string{"one at a time", "max-concurrent-checkpoints"}})
	d.Extra = map[string]string{"flink.property.execution.checkpointing.max-concurrent-checkpoints": "1"}
	check(t, d)
	check(t, values("checkpoint.interval", "30s", "table.mode", "batch"), want{warned, "checkpoint.interval", []string{"batch"}})
}

// It is about property.state.backend, property.state.backend.incremental, property.state.checkpoint-storage,
// property.state.checkpoints.dir, property.state.savepoints.dir.
func TestCheck_StateBackends(t *testing.T) {
	t.Parallel()
	check(t, values("state_backend.backend", "RocksDB", "state_backend.incremental", "true", "state_backend.checkpoint_storage", "filesystem", "state_backend.checkpoints_dir", "s3://b/c"))
	check(t, values("state_backend.backend", "com.example.Factory", "state_backend.incremental", "true"))
	check(t, values("state_backend.incremental", "true"))
	check(t, values("state_backend.backend", "disk"), want{refused, "state_backend.backend", []string{`"hashmap"`, "stays in Flink's list as failed"}})
	check(t, values("state_backend.backend", "filesystem"), want{warned, "state_backend.backend", []string{"hashmap"}})
	check(t, values("state_backend.backend", "hashmap", "state_backend.incremental", "true"), want{warned, "state_backend.incremental", []string{"rocksdb"}})
	check(t, values("state_backend.checkpoint_storage", "jobmanager"), want{warned, "state_backend.checkpoint_storage", []string{"lost with the JobManager"}})
	check(t, values("state_backend.checkpoint_storage", "cloud"), want{refused, "state_backend.checkpoint_storage", nil})
	check(t, values("state_backend.checkpoints_dir", "file:///tmp/chkdir"), want{warned, "state_backend.checkpoints_dir", []string{"shared volume"}})
}

// It is about property.restart-strategy, property.restart-strategy.failure-rate.delay,
// property.restart-strategy.failure-rate.failure-rate-interval,
// property.restart-strategy.failure-rate.max-failures-per-interval, property.restart-strategy.fixed-delay.attempts,
// property.restart-strategy.fixed-delay.delay.
func TestCheck_RestartStrategies(t *testing.T) {
	t.Parallel()
	fixed := []string{"restart_strategy.fixed_delay.attempts", "5", "restart_strategy.fixed_delay.delay", "3 s"}
	rate := []string{
		"restart_strategy.failure_rate.max_failures_per_interval", "10", "restart_strategy.failure_rate.failure_rate_interval", "5 min", "restart_strategy.failure_rate.delay", "2 s",
	}
	use := func(strategy string, more ...string) streampark.Document {
		return values(append([]string{"restart_strategy.strategy", strategy}, more...)...)
	}
	for _, word := range []string{"fixed-delay", "FixedDelay"} {
		check(t, use(word, fixed...))
	}
	for _, word := range []string{"failure-rate", "failurerate"} {
		check(t, use(word, rate...))
	}
	for _, word := range []string{"none", "off", "disable", "exponential-delay"} {
		check(t, use(word))
		check(t, use(word, fixed...), want{warned, "restart_strategy.fixed_delay", []string{"has no effect", word}})
	}
	check(t, use("failure-rate", fixed...), want{warned, "restart_strategy.fixed_delay", nil})
	check(t, use("fixed-delay", rate...), want{warned, "restart_strategy.failure_rate", nil})
	check(t, values(fixed...), want{warned, "restart_strategy.fixed_delay", []string{`restart_strategy.strategy = "fixed-delay"`}})
	check(t, use("sometimes"), want{refused, "restart_strategy.strategy", []string{`"fixed-delay"`, "stays in Flink's list as failed"}})
	check(t, use("fixed-delay", "restart_strategy.fixed_delay.attempts", "-1"), want{refused, "restart_strategy.fixed_delay.attempts", []string{"at least 0"}})
	check(t, use("failure-rate", "restart_strategy.failure_rate.max_failures_per_interval", "0"), want{refused, "restart_strategy.failure_rate.max_failures_per_interval", []string{"at least 1"}})
	check(t, use("failure-rate", "restart_strategy.failure_rate.failure_rate_interval", "0 s"), want{refused, "restart_strategy.failure_rate.failure_rate_interval", []string{"at least 1 ms"}})
}

// It is about table.catalog, table.database, table.mode, table.planner.
func TestCheck_TableOptions(t *testing.T) {
	t.Parallel()
	check(t, values("table.planner", "blink", "table.mode", "Batch", "table.catalog", "default_catalog", "table.database", "default_database"))
	check(t, values("table.planner", "any"))
	check(t, values("table.planner", "old"), want{refused, "table.planner", []string{"always blink"}})
	check(t, values("table.mode", "bogus"), want{refused, "table.mode", []string{`"streaming"`}})
	check(t, values("table.catalog", "mycat"), want{refused, "table.catalog", []string{"default_catalog", "USE CATALOG mycat;"}})
	check(t, values("table.database", "mydb"), want{refused, "table.database", []string{"default_database", "USE mydb;"}})
}

// The parts of a process are divided as Flink 1.20 does it.
//
// It is about property.jobmanager.memory.enable-jvm-direct-memory-limit, property.jobmanager.memory.flink.size,
// property.jobmanager.memory.heap.size, property.jobmanager.memory.jvm-metaspace.size,
// property.jobmanager.memory.jvm-overhead.fraction, property.jobmanager.memory.jvm-overhead.max,
// property.jobmanager.memory.jvm-overhead.min, property.jobmanager.memory.off-heap.size,
// property.jobmanager.memory.process.size, property.taskmanager.memory.flink.size,
// property.taskmanager.memory.framework.heap.size, property.taskmanager.memory.framework.off-heap.size,
// property.taskmanager.memory.jvm-metaspace.size, property.taskmanager.memory.jvm-overhead.max,
// property.taskmanager.memory.jvm-overhead.min, property.taskmanager.memory.managed.fraction,
// property.taskmanager.memory.managed.size, property.taskmanager.memory.process.size,
// property.taskmanager.memory.task.heap.size, property.taskmanager.memory.task.off-heap.size.
func TestCheck_MemoryAddsUpAsForFlink(t *testing.T) {
	t.Parallel()
	const jm, tm = "memory.jobmanager.", "memory.taskmanager."
	for _, test := range []struct {
		parts []string
		want  string // words of the conflict; "" for none
		more  string // words of a warning beside that of no effect
	}{
		{[]string{jm + "process_size", "1600m"}, "", ""},
		{[]string{jm + "process_size", "400m"}, "A metaspace of 256 mb and an overhead of the JVM of 192 mb are more than process_size", ""},
		{[]string{jm + "process_size", "576m"}, "off_heap_size is 128 mb, and 128 mb is all", ""},
		{[]string{jm + "process_size", "577m"}, "", ""},
		{[]string{jm + "flink_size", "128m"}, "off_heap_size is 128 mb", ""},
		{[]string{jm + "flink_size", "1g", jm + "heap_size", "896m", jm + "off_heap_size", "128m"}, "", ""},
		{[]string{jm + "flink_size", "1g", jm + "heap_size", "896m", jm + "off_heap_size", "64m"}, "together, and flink_size is 1024 mb", ""},
		{[]string{jm + "flink_size", "1g", jm + "heap_size", "2g"}, "heap_size is 2048 mb, and flink_size is 1024 mb", ""},
		{[]string{jm + "flink_size", "1g", jm + "heap_size", "512m"}, "", ""},
		{[]string{jm + "flink_size", "1g", jm + "process_size", "1472m"}, "", "two totals"},
		{[]string{jm + "flink_size", "1g", jm + "process_size", "1471m"}, "leaves 191 mb for the overhead", ""},
		{[]string{jm + "flink_size", "1g", jm + "process_size", "8g"}, "allowed is 192 mb to 1024 mb", ""},
		{[]string{jm + "flink_size", "2g", jm + "process_size", "1g"}, "for the overhead", ""},
		{[]string{jm + "jvm_overhead_min", "2g"}, "jvm_overhead_min is 2048 mb and jvm_overhead_max 1024 mb", ""},
		{[]string{jm + "heap_size", "64m"}, "", "128 mb at the least"},
		{[]string{jm + "heap_size", "1g", jm + "process_size", "1536m"}, "leaves 128 mb", ""},

		{[]string{tm + "process_size", "1728m"}, "", ""},
		{[]string{tm + "process_size", "512m"}, "of 64 mb beside", ""},
		{[]string{tm + "flink_size", "1280m"}, "", ""},
		{[]string{tm + "flink_size", "1280m", tm + "managed_size", "0"}, "", ""},
		{[]string{tm + "flink_size", "1280m", tm + "managed_size", "1g"}, "of 1280 mb beside", ""},
		{[]string{tm + "flink_size", "1280m", tm + "task_heap_size", "384m", tm + "managed_size", "512m"}, "", ""},
		{[]string{tm + "flink_size", "1280m", tm + "task_heap_size", "500m", tm + "managed_size", "512m"}, "12 mb is left for the network; the least is 64 mb", ""},
		{[]string{tm + "flink_size", "1280m", tm + "task_heap_size", "1g", tm + "managed_size", "512m"}, "together, of 1280 mb", ""},
		{[]string{tm + "task_heap_size", "384m", tm + "managed_size", "512m"}, "", ""},
		{[]string{tm + "task_heap_size", "384m", tm + "managed_size", "512m", tm + "process_size", "1g"}, "for the overhead", ""},
		{[]string{tm + "task_heap_size", "384m", tm + "managed_size", "512m", tm + "process_size", "1728m"}, "", ""},
		{[]string{tm + "managed_fraction", "0.9", tm + "flink_size", "1280m"}, "together", ""},
		{[]string{tm + "managed_fraction", "0.4"}, "", ""},
	} {
		group := strings.Join(strings.Split(test.parts[0], ".")[:2], ".")
		wanted := []want{{warned, group, []string{"has no effect"}}}
		if test.want != "" {
			wanted = append(wanted, want{refused, group, []string{test.want, "does not start"}})
		}
		if test.more != "" {
			at := group
			if strings.Contains(test.more, "least") {
				at += ".heap_size"
			}
			wanted = append(wanted, want{warned, at, []string{test.more}})
		}
		check(t, values(test.parts...), wanted...)
	}
	for _, bad := range []string{"1", "-0.1", "half", "NaN"} {
		check(t, values(tm+"managed_fraction", bad), want{refused, tm + "managed_fraction", []string{"from 0 to below 1"}}, want{warned, "memory.taskmanager", nil})
	}
	d := values(tm+"flink_size", "1280m", tm+"managed_size", "1g")
	d.Unknown = map[string]bool{tm + "framework_heap_size": true}
	check(t, d, want{warned, "memory.taskmanager", nil})
}
