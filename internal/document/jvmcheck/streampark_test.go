// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package jvmcheck

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/flinkoptions"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/streampark"
)

// StreamPark unpacks what it is given with DeflaterUtils, and makes flat keys of
// the file with PropertiesUtils.
func TestAcc_JVM_StreamParkReadsItsArgumentsAsTheyAreMeant(t *testing.T) {
	t.Parallel()
	sample, _, err := streampark.Parse(golden(t, "streampark", "seed/application.yml"))
	if err != nil {
		t.Fatal(err)
	}
	if sample.SQL, _, err = streampark.ParseSQL(golden(t, "streampark", "seed/sql.yaml")); err != nil {
		t.Fatal(err)
	}
	var checks []check
	for name, layout := range map[string]streampark.Layout{"as documented": streampark.Deployment, "as StreamPark 2 reads it": streampark.Current} {
		d := sample
		d.Layout = layout
		rendered := streampark.Render(d)
		arguments := rendered.Arguments()
		for at, text := range map[string]string{"--conf": rendered.Configuration, "--sql": rendered.SQL, "--app.name": rendered.Name} {
			packed := strings.TrimPrefix(arguments[slices.Index(arguments, at)+1], "yaml://")
			checks = append(checks, check{name + ", " + at, StreamPark, Call{"StreamParkInflate", []string{packed}}, []string{text}, ""})
		}
	}
	// The sample, key by key.
	d := sample
	d.Layout = streampark.Current
	checks = append(checks, check{"keys", StreamPark, Call{"StreamParkYaml", []string{streampark.Render(d).Configuration}}, []string{
		"flink.option.target", "application",
		"flink.property.execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION",
		"flink.property.execution.checkpointing.interval", "30s",
		"flink.property.execution.checkpointing.mode", "EXACTLY_ONCE",
		"flink.property.execution.checkpointing.timeout", "10min",
		"flink.property.execution.checkpointing.unaligned", "false",
		"flink.property.pipeline.auto-watermark-interval", "200ms",
		"flink.property.pipeline.name", "StreamPark QuickStart App",
		"flink.property.restart-strategy", "fixed-delay",
		"flink.property.restart-strategy.fixed-delay.attempts", "3",
		"flink.property.restart-strategy.fixed-delay.delay", "5000",
		"flink.property.state.backend", "hashmap",
		"flink.property.state.backend.incremental", "true",
		"flink.property.state.checkpoint-storage", "filesystem",
		"flink.property.state.checkpoints.dir", "file:///tmp/chkdir",
		"flink.property.state.savepoints.dir", "file:///tmp/chkdir",
		"flink.property.taskmanager.memory.managed.fraction", "0.4", "flink.property.taskmanager.numberOfTaskSlots", "1",
		"flink.table.mode", "streaming", "flink.table.planner", "blink",
	}, ""})
	checks = append(checks, corrected(t)...)
	// What YAML takes for something else than the text that it is.
	awkward := map[string]string{
		"app.yes": "yes", "app.octal": "010", "app.sexagesimal": "1:30", "app.null": "null", "app.hash": "a #b", "app.colon": "a: b",
		"app.quote": `it's "so"`, "app.brace": "{a}", "app.letters": "Grüße, 世界", "app.lines": "one\n two\n\nthree", "app.float": "1e3", "app.minus": "- a",
	}
	d = streampark.Document{Name: "awkward", Extra: awkward}
	want := []string{}
	for key, value := range awkward {
		want = append(want, key+"\x00"+value)
	}
	want = append(want, "flink.property.pipeline.name\x00awkward")
	slices.Sort(want)
	checks = append(checks, check{"awkward values", StreamPark, Call{"StreamParkYaml", []string{streampark.Render(d).Configuration}}, strings.Split(strings.Join(want, "\x00"), "\x00"), ""})
	try(t, checks)
}

// corrected has the sample with its corrections: StreamPark reads each key of
// it, and Flink each value that StreamPark gives to it.
func corrected(t *testing.T) []check {
	t.Helper()
	_, conf, _ := strings.Cut(golden(t, "streampark", "seed/rendered.txt"), "# --conf\n")
	conf, _, _ = strings.Cut(conf, "# --sql\n")
	d, _, err := streampark.Parse(conf)
	if err != nil {
		t.Fatal(err)
	}
	flat := map[string]string{"flink.property.pipeline.name": d.Name, "flink.table.mode": d.Values["table.mode"], "flink.table.planner": d.Values["table.planner"]}
	var checks []check
	durations := map[string]string{"30s": "30000000000", "10min": "600000000000", "200ms": "200000000", "5000": "5000000000"}
	for key, value := range d.Properties() {
		flat["flink.property."+key] = value
		kind, known := flinkoptions.TypeOf("1.20.0", key)
		if !known {
			t.Errorf("Flink has no option %s", key)
		}
		want := value
		if kind == flinkoptions.Duration {
			want = durations[value]
		}
		checks = append(checks, check{key, Flink120, Call{"FlinkOption", []string{string(kind), value}}, []string{want}, ""})
	}
	want := []string{}
	for _, key := range slices.Sorted(maps.Keys(flat)) {
		want = append(want, key, flat[key])
	}
	if len(want) != 2*15 {
		t.Errorf("the sample has %d keys", len(want)/2)
	}
	return append(checks, check{"the corrected sample", StreamPark, Call{"StreamParkYaml", []string{conf}}, want, ""})
}
