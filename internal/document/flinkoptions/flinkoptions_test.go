// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkoptions

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestTables_AreSortedAndEachKeyHasAType(t *testing.T) {
	t.Parallel()
	if got := Versions(); !slices.Equal(got, []string{"1.20.5", "2.3.0"}) {
		t.Errorf("versions %v", got)
	}
	for _, version := range Versions() {
		content, err := files.ReadFile("tables/" + version + ".tsv")
		if err != nil {
			t.Fatal(err)
		}
		var keys []string
		for line := range strings.Lines(string(content)) {
			fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			if len(fields) != 4 || fields[0] == "" || fields[1] == "" {
				t.Errorf("%s: line %q", version, line)
			}
			keys = append(keys, fields[0])
		}
		if !slices.IsSorted(keys) || len(slices.Compact(keys)) != len(keys) {
			t.Errorf("%s: the keys are not sorted, or not each once", version)
		}
		if len(keys) < 1000 {
			t.Errorf("%s: only %d keys", version, len(keys))
		}
	}
}

// The testdata says what Flink's own classes make of each value.
func TestValues_AreReadAsFlinkReadsThem(t *testing.T) {
	t.Parallel()
	for _, version := range Versions() {
		content, err := os.ReadFile(filepath.Join("testdata", version+".tsv"))
		if err != nil {
			t.Fatal(err)
		}
		lines := 0
		for line := range strings.Lines(string(content)) {
			lines++
			fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			value := unescape(t, fields[0])
			duration, memory := "-", "-"
			if n, ok := parseDuration(value, grammars[version]); ok {
				duration = n.String()
			}
			if n, ok := parseMemory(value); ok {
				memory = strconv.FormatInt(n, 10)
			}
			if duration != fields[1] || memory != fields[2] {
				t.Errorf("%s: %q is %s ns and %s bytes, to Flink %s and %s", version, fields[0], duration, memory, fields[1], fields[2])
			}
			if valid := Valid(version, "execution.checkpointing.interval", value); valid != (fields[1] != "-") {
				t.Errorf("%s: %q as a duration: %v", version, fields[0], valid)
			}
			if valid := Valid(version, "taskmanager.memory.process.size", value); valid != (fields[2] != "-") {
				t.Errorf("%s: %q as memory: %v", version, fields[0], valid)
			}
		}
		if lines < 100 {
			t.Errorf("%s: only %d values", version, lines)
		}
	}
}

func unescape(t *testing.T, line string) string {
	t.Helper()
	text, err := strconv.Unquote(`"` + line + `"`)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestTypeOf_AnswersForTheVersionsThatMayBeMeant(t *testing.T) {
	t.Parallel()
	tests := []struct {
		version, key string
		want         Type
	}{
		{"2.3.0", "execution.checkpointing.interval", Duration},
		{"2.3.1", "execution.checkpointing.interval", Duration},
		{"1.20.5", "execution.checkpointing.interval", Duration},
		{"", "execution.checkpointing.interval", Duration},
		{"2.1.0", "execution.checkpointing.interval", Duration},
		{"9.0", "execution.checkpointing.interval", Duration},
		{"1.15.2", "execution.checkpointing.interval", Duration},
		{"1.20.5", "restart-strategy.fixed-delay.delay", Duration},
		{"2.3.0", "state.backend.incremental", "Boolean"},
		{"2.3.0", "parallelism.default", "Integer"},
		{"2.3.0", "taskmanager.memory.process.size", MemorySize},
		{"1.20.5", "taskmanager.registration.max-backoff", Duration},
		{"2.3.0", "taskmanager.registration.max-backoff", ""},
		{"2.3.0", "my.own.key", ""},
		{"2.3.0", "timeout", ""},
	}
	for _, test := range tests {
		if got, ok := TypeOf(test.version, test.key); got != test.want || ok != (test.want != "") {
			t.Errorf("%s in %q: %s, %v", test.key, test.version, got, ok)
		}
	}
}

func TestSame_ComparesDurationsAndMemoryByValueAndAllElseAsText(t *testing.T) {
	t.Parallel()
	const interval, size = "execution.checkpointing.interval", "state.backend.rocksdb.memory.fixed-per-slot"
	tests := []struct {
		key, a, b string
		want      bool
	}{
		{interval, "10 min", "600 s", true},
		{interval, "10 min", "600000", true},
		{interval, "10 min", "PT10M", true},
		{interval, "10 min", "10 MIN", true},
		{interval, "10 min", "601 s", false},
		{interval, "10 min", "ten minutes", false},
		{interval, "never", "never", true},
		{size, "1 gb", "1024m", true},
		{size, "1 gb", "1000m", false},
		{"execution.checkpointing.unaligned.enabled", "true", "TRUE", false},
		{"parallelism.default", "1", "01", false},
		{"my.own.timeout", "10 min", "600 s", false},
		{"pipeline.name", "10 min", "600 s", false},
	}
	for _, test := range tests {
		for _, version := range append(Versions(), "") {
			if got := Same(version, test.key, test.a, test.b); got != test.want {
				t.Errorf("%s in %q: %q and %q: %v", test.key, version, test.a, test.b, got)
			}
		}
		if got := Canonical(test.key, test.a) == Canonical(test.key, test.b); got != test.want {
			t.Errorf("%s: %q and %q have one canonical form: %v", test.key, test.a, test.b, got)
		}
	}
}

func TestRemoved_IsOnlyWhatAKnownVersionGaveUp(t *testing.T) {
	t.Parallel()
	tests := []struct {
		version, key string
		want         bool
	}{
		{"2.3.0", "pipeline.auto-type-registration", true},
		{"1.20.5", "pipeline.auto-type-registration", false},
		{"2.1.0", "pipeline.auto-type-registration", false},
		{"", "pipeline.auto-type-registration", false},
		{"2.3.0", "state.checkpoints.dir", false},
		{"2.3.0", "my.own.key", false},
		{"2.3.0", "execution.checkpointing.interval", false},
	}
	for _, test := range tests {
		if since, got := Removed(test.version, test.key); got != test.want || got && since != "1.20.5" {
			t.Errorf("%s in %q: %v, %q", test.key, test.version, got, since)
		}
	}
}

func TestOfCluster_IsWhatOnlyTheClustersOwnProcessesRead(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]bool{
		"jobmanager.scheduler":                        true,
		"taskmanager.numberOfTaskSlots":               true,
		"taskmanager.memory.process.size":             true,
		"rest.bind-port":                              true,
		"high-availability.type":                      true,
		"rest.of.my.own":                              false,
		"web.crawler.depth":                           false,
		"execution.checkpointing.interval":            false,
		"parallelism.default":                         false,
		"pipeline.max-parallelism":                    false,
		"taskmanager.memory.managed.consumer-weights": false,
		"table.exec.state.ttl":                        false,
	} {
		for _, version := range append(Versions(), "") {
			if got := OfCluster(version, key); got != want {
				t.Errorf("%s in %q: %v", key, version, got)
			}
		}
	}
	for _, key := range append(slices.Clone(processKeys), processPrefixes...) {
		if !slices.ContainsFunc(tables(), func(t *table) bool {
			for declared := range t.options {
				if declared == key || strings.HasSuffix(key, ".") && strings.HasPrefix(declared, key) {
					return true
				}
			}
			return false
		}) {
			t.Errorf("no version of Flink declares %s", key)
		}
	}
}
