// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streampark_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/goldentest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/streampark"
)

func read(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// spellings are some values for each key of the document that is one of the file.
var spellings = map[string][]string{
	"option.target":                 {"remote", "yarn-per-job"},
	"option.detached":               {"true", "false"},
	"option.allowNonRestoredState":  {"true", "FALSE"},
	"option.shutdownOnAttachedExit": {"true"},
	"option.jobmanager":             {"yarn-cluster", "host:8081"},

	"property.yarn.application.queue":                              {"prod"},
	"property.taskmanager.numberOfTaskSlots":                       {"4"},
	"property.jobmanager.memory.flink.size":                        {"1 gb", "1073741824"},
	"property.jobmanager.memory.heap.size":                         {"512mb"},
	"property.jobmanager.memory.jvm-metaspace.size":                {"256 mb"},
	"property.jobmanager.memory.jvm-overhead.min":                  {"192m"},
	"property.jobmanager.memory.jvm-overhead.max":                  {"1g"},
	"property.jobmanager.memory.jvm-overhead.fraction":             {"0.1", "0"},
	"property.jobmanager.memory.off-heap.size":                     {"128 mb"},
	"property.jobmanager.memory.process.size":                      {"1600m"},
	"property.jobmanager.memory.enable-jvm-direct-memory-limit":    {"true"},
	"property.taskmanager.memory.flink.size":                       {"1280m"},
	"property.taskmanager.memory.framework.heap.size":              {"128 mb"},
	"property.taskmanager.memory.framework.off-heap.size":          {"128 mb"},
	"property.taskmanager.memory.managed.size":                     {"0", "512 mb"},
	"property.taskmanager.memory.process.size":                     {"1728m"},
	"property.taskmanager.memory.task.heap.size":                   {"384m"},
	"property.taskmanager.memory.task.off-heap.size":               {"0"},
	"property.taskmanager.memory.jvm-metaspace.size":               {"256m"},
	"property.taskmanager.memory.jvm-overhead.max":                 {"1g"},
	"property.taskmanager.memory.jvm-overhead.min":                 {"192m"},
	"property.taskmanager.memory.managed.fraction":                 {"0.4"},
	"property.pipeline.auto-watermark-interval":                    {"200ms", "0", "1 s"},
	"property.execution.checkpointing.mode":                        {"EXACTLY_ONCE", "at_least_once"},
	"property.execution.checkpointing.interval":                    {"30s", "5 m", "10"},
	"property.execution.checkpointing.timeout":                     {"10min"},
	"property.execution.checkpointing.unaligned":                   {"false", "true"},
	"property.state.backend":                                       {"hashmap", "rocksdb", "com.example.Factory"},
	"property.state.backend.incremental":                           {"true"},
	"property.state.checkpoint-storage":                            {"filesystem", "jobmanager"},
	"property.state.savepoints.dir":                                {"s3://bucket/savepoints"},
	"property.state.checkpoints.dir":                               {"s3://bucket/checkpoints"},
	"property.restart-strategy":                                    {"fixed-delay", "failure-rate", "none", "off"},
	"property.restart-strategy.fixed-delay.attempts":               {"3", "0"},
	"property.restart-strategy.fixed-delay.delay":                  {"5000", "3 s"},
	"property.restart-strategy.failure-rate.failure-rate-interval": {"5 min"},
	"property.restart-strategy.failure-rate.delay":                 {"2 s"},

	"property.execution.checkpointing.externalized-checkpoint-retention": {"RETAIN_ON_CANCELLATION", "DELETE_ON_CANCELLATION"},
	"property.restart-strategy.failure-rate.max-failures-per-interval":   {"10"},

	"table.planner":  {"blink", "any"},
	"table.mode":     {"streaming", "batch"},
	"table.catalog":  {"default_catalog"},
	"table.database": {"default_database"},
}

// counter is a document that has what each needs.
func counter() streampark.Document {
	return streampark.Document{Name: "counter", Values: map[string]string{}, SQL: "INSERT INTO a SELECT * FROM b"}
}

func with(attribute, value string) streampark.Document {
	d := counter()
	d.Values[attribute] = value
	return d
}

func TestRender_EachOption(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for _, row := range streampark.Table() {
		if row.Elsewhere != "" {
			continue
		}
		if len(spellings[row.Key]) == 0 {
			t.Errorf("%s is not tried", row.Key)
		}
		for _, value := range spellings[row.Key] {
			d := with(row.Attribute, value)
			fmt.Fprintf(&all, "# %s = %s\n%s", row.Attribute, value, streampark.Render(d).Configuration)
			d.Layout = streampark.Deployment
			if text := streampark.Render(d).Configuration; strings.HasPrefix(row.Key, "table.") != strings.Contains(text, "\n  table:") || !strings.HasPrefix(text, "flink:\n  deployment:\n") {
				t.Errorf("%s in the old layout:\n%s", row.Key, text)
			}
			for _, finding := range streampark.Check(with(row.Attribute, value), streampark.Situation{}) {
				if finding.Severity == streampark.Refused {
					t.Errorf("%s = %q: %+v", row.Attribute, value, finding)
				}
			}
		}
	}
	goldentest.Check(t, "each_option.yml", []byte(all.String()))
}

func TestParse_ReadsEachOptionBack(t *testing.T) {
	t.Parallel()
	for _, layout := range []streampark.Layout{streampark.Current, streampark.Deployment} {
		for key, values := range spellings {
			for _, value := range values {
				i := slices.IndexFunc(streampark.Table(), func(o streampark.Option) bool { return o.Key == key })
				if i < 0 {
					t.Fatalf("%s has no row", key)
				}
				d := with(streampark.Table()[i].Attribute, value)
				d.Layout = layout
				got, found, err := streampark.Parse(streampark.Render(d).Configuration)
				if err != nil || len(found) > 0 || got.Layout != layout || got.Name != d.Name || !maps.Equal(got.Values, d.Values) || len(got.Extra) > 0 {
					t.Errorf("%s = %q comes back as %+v, %+v, %v", key, value, got, found, err)
				}
			}
		}
	}
}

// What is no key of the file: property.pipeline.name, property.parallelism.default,
// property.$internal.application.main, option.parallelism, option.class, sql.
func TestRender_PutsTheRestWhereItCounts(t *testing.T) {
	t.Parallel()
	d := counter()
	d.Parallelism, d.EntryClass, d.Args = 4, "com.example.Main", []string{"--from", "now"}
	arguments := streampark.Render(d).Arguments()
	if len(arguments) != 8 || arguments[0] != "--from" || arguments[1] != "now" || arguments[2] != "--conf" || arguments[4] != "--sql" || arguments[6] != "--app.name" {
		t.Fatalf("arguments are %v", arguments)
	}
	for at, want := range map[int]string{3: "flink:\n  property:\n    pipeline.name: counter\n", 5: d.SQL, 7: "counter"} {
		if got, err := streampark.Unpack(arguments[at]); err != nil || got != want {
			t.Errorf("%s is %q, %v; want %q", arguments[at-1], got, err, want)
		}
	}
	if !strings.HasPrefix(arguments[3], "yaml://") || strings.HasPrefix(arguments[5], "yaml://") {
		t.Errorf("arguments are %v", arguments)
	}
	d.SQL = ""
	if arguments := streampark.Render(d).Arguments(); slices.Contains(arguments, "--sql") || !slices.Contains(arguments, "--app.name") {
		t.Errorf("arguments without SQL are %v", arguments)
	}
}

func TestRender_SamplesOfTheDocument(t *testing.T) {
	t.Parallel()
	d, found, err := streampark.Parse(read(t, "seed/application.yml"))
	if err != nil || len(found) > 0 || d.Layout != streampark.Deployment {
		t.Fatalf("%+v, %+v, %v", d, found, err)
	}
	if d.SQL, d.Statements, err = streampark.ParseSQL(read(t, "seed/sql.yaml")); err != nil || len(d.Statements) > 0 {
		t.Fatalf("%+v, %v", d, err)
	}
	if d.Name != "StreamPark QuickStart App" || d.EntryClass != "org.apache.streampark.flink.quickstart.QuickStartApp" || d.Parallelism != 2 {
		t.Errorf("read %+v", d)
	}
	goldentest.Check(t, "seed/application.deployment.yml", []byte(streampark.Render(d).Configuration))

	d.Layout, d.EntryClass = streampark.Current, ""
	for _, attribute := range []string{
		"option.target", "property.taskmanager_number_of_task_slots", "memory.taskmanager.managed_fraction", "state_backend.incremental", "state_backend.savepoints_dir",
	} {
		if _, ok := d.Values[attribute]; !ok {
			t.Errorf("%s is not in the sample", attribute)
		}
		delete(d.Values, attribute)
	}
	goldentest.Check(t, "seed/rendered.txt", []byte(streampark.Render(d).Text()))
	for _, finding := range streampark.Check(d, streampark.Situation{FlinkVersion: "1.20.5"}) {
		// The directory is the document's.
		if finding.Attribute != "state_backend.checkpoints_dir" {
			t.Errorf("found %+v", finding)
		}
	}
}

// Whatever a value is, YAML of each version reads it as the text that it is.
func TestRender_QuotesWhatYAMLWouldTakeForSomethingElse(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		"off": `"off"`, "No": `"No"`, "y": `"y"`, "null": `"null"`, "~": `"~"`, "true": "true", "TRUE": `"TRUE"`, "10": "10", "010": `"010"`, "1:30": `"1:30"`, "1_000": `"1_000"`,
		"0.40": `"0.40"`, "1e3": `"1e3"`, "0x1f": `"0x1f"`, "2024-01-01": `"2024-01-01"`, "a: b": `"a: b"`, "a #b": `"a #b"`, "user#123": `"user#123"`, "'x'": `"'x'"`, `"\`: `"\"\\"`,
		"a\nb\tc": `"a\nb\tc"`, "ä€😀": `"\xe4\u20ac\U0001f600"`, "[a, b]": `"[a, b]"`, "x": "x", "fixed-delay": "fixed-delay", "- a": `"- a"`, "&a": `"&a"`, "a\x00\x7f\u0085": `"a\x00\x7f\x85"`,
	} {
		d := counter()
		d.Extra = map[string]string{"app.x": value}
		text := streampark.Render(d).Configuration
		if !strings.HasPrefix(text, "app:\n  x: "+want+"\n") {
			t.Errorf("%q is written as\n%s", value, text)
		}
		again, _, err := streampark.Parse(text)
		if err != nil || again.Extra["app.x"] != value {
			t.Errorf("%q is read as %q, %v", value, again.Extra["app.x"], err)
		}
	}
}

// The client fails over a key that is no text.
func TestRender_KeysAreTexts(t *testing.T) {
	t.Parallel()
	d := counter()
	d.Extra = map[string]string{"app.10": "a", "app.true": "b", "app.on": "c", "app.1a": " d ", "app.e": "  "}
	if text := streampark.Render(d).Configuration; !strings.HasPrefix(text, "app:\n  \"10\": a\n  \"1a\": d\n  \"on\": c\n  \"true\": b\nflink:\n") {
		t.Errorf("got %s", text)
	}
}

func TestRender_VariablesStayOutOfWhatIsShown(t *testing.T) {
	t.Parallel()
	d := counter()
	d.SQL = "CREATE TABLE b (x INT) WITH ('password' = '${db.password}', 'other' = '${kept}'); INSERT INTO a SELECT * FROM b"
	d.Extra = map[string]string{"app.secret": "${db.password}"}
	d.Args, d.Variables = []string{"--key", "${db.password}"}, map[string]string{"db.password": "hunter2"}
	shown := streampark.Render(d)
	if text := shown.Text() + strings.Join(shown.Fingerprint(), ""); strings.Contains(text, "hunter2") || strings.Count(text, "${db.password}") != 6 {
		t.Errorf("shown is %s", text)
	}
	sent := streampark.Render(d.Resolved())
	if !strings.Contains(sent.SQL, "'password' = 'hunter2', 'other' = '${kept}'") || !strings.Contains(sent.Configuration, "secret: hunter2") || sent.Args[1] != "hunter2" || d.Args[1] != "${db.password}" {
		t.Errorf("sent is %+v", sent)
	}
}

func TestUnpack_ReadsWhatOthersPacked(t *testing.T) {
	t.Parallel()
	// Deflated with level 9 by Python's zlib.
	for argument, want := range map[string]string{
		"eNrz9At2DQpR8PQL8VdIBAAaKQOx": "INSERT INTO a", "yaml://eNrLSM3JyQcABiwCFQ==": "hello",
	} {
		if got, err := streampark.Unpack(argument); err != nil || got != want {
			t.Errorf("%s is %q, %v", argument, got, err)
		}
	}
	for argument, want := range map[string]string{"@@": "base-64", "aGVsbG8=": "deflated", "eNrLSM3J": "whole"} {
		if _, err := streampark.Unpack(argument); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", argument, err)
		}
	}
	for _, text := range []string{"", "hello", strings.Repeat("ä\n", 10_000)} {
		arguments := streampark.Render(streampark.Document{Name: text}).Arguments()
		if got, err := streampark.Unpack(arguments[len(arguments)-1]); err != nil || got != text {
			t.Errorf("%q comes back as %q, %v", text, got, err)
		}
	}
}
