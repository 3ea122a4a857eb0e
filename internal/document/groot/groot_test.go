// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package groot_test

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/groot"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/yamltree"
)

// values has a good value of each option of the env object, and what the job
// file has for it.
var values = map[string][3]string{
	"parallelism":                              {"4", "parallelism", "4"},
	"execution_buffer_timeout":                 {"200 ms", "execution.buffer-timeout", "200"},
	"execution_runtime_mode":                   {"BATCH", "execution.runtime-mode", "BATCH"},
	"shade_identifier":                         {"default", "shade.identifier", "default"},
	"pipeline_object_reuse":                    {"true", "pipeline.object-reuse", "true"},
	"pipeline_max_parallelism":                 {"128", "pipeline.max-parallelism", "128"},
	"execution_restart_strategy":               {"fixed-delay", "execution.restart.strategy", "fixed-delay"},
	"execution_restart_attempts":               {"3", "execution.restart.attempts", "3"},
	"execution_restart_delay_between_attempts": {"10 s", "execution.restart.delayBetweenAttempts", "10000"},
	"execution_restart_failure_rate":           {"3", "execution.restart.failure-rate", "3"},
	"execution_restart_failure_interval":       {"5 min", "execution.restart.failureInterval", "300000"},
	"execution_restart_delay_interval":         {"1000", "execution.restart.delayInterval", "1000"},
}

// lists are options that are lists of locations.
var lists = map[string]string{"jars": "jars", "pipeline_jars": "pipeline.jars", "pipeline_classpaths": "pipeline.classpaths"}

func parsed(t *testing.T, text string) yamltree.Node {
	t.Helper()
	node, err := yamltree.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return node
}

// flinksNames are those that the documentation has for options of Flink's.
var flinksNames = []string{
	"flink.execution.buffer-timeout", "flink.object-reuse", "flink.pipeline.max-parallelism", "flink.restart-strategy",
	"flink.restart-strategy.fixed-delay.attempts", "flink.restart-strategy.fixed-delay.delay",
	"flink.restart-strategy.failure-rate.max-failures-per-interval", "flink.restart-strategy.failure-rate.failure-rate-interval", "flink.restart-strategy.failure-rate.delay",
}

func TestParse_KeepsFlinksNames(t *testing.T) {
	t.Parallel()
	for _, name := range flinksNames {
		document, err := groot.Parse("env:\n  name: a\n  " + name + ": 5 x\n")
		if want := "env:\n  " + name + ": \"5 x\"\n  name: a\n"; err != nil || document.Render() != want {
			t.Errorf("%v: got\n%s", err, document.Render())
		}
		if document.Flink[strings.TrimPrefix(name, "flink.")] != "5 x" {
			t.Errorf("%s is in %+v", name, document)
		}
	}
}

func TestPublic_HasNoSecret(t *testing.T) {
	t.Parallel()
	document := groot.Document{
		Name: "a", Flink: map[string]string{"s3.secret-key": "hush", "a.b": "seen"}, Extra: map[string]string{"own.secret": "hush"},
		Sections: parsed(t, "s: {user: seen}\n"), Secrets: parsed(t, "s: {p: hush}\n"), WriteOnly: parsed(t, "s: {q: hush}\n"),
	}
	public := document.Public(func(key string) bool { return strings.Contains(key, "secret") })
	if strings.Contains(public, "hush") || strings.Count(public, "seen") != 2 || strings.Count(document.Render(), "hush") != 4 {
		t.Errorf("got\n%s\nof\n%s", public, document.Render())
	}
}

func TestRender_WritesEachOptionUnderItsKey(t *testing.T) {
	t.Parallel()
	document := groot.Document{
		Name: "all", Env: map[string]groot.Value{},
		Flink: map[string]string{"taskmanager.network.memory.max": "1 gb", "pipeline.auto-watermark-interval": "200"}, Extra: map[string]string{"own.key": "x y", "own.flag": "true"},
		Sections: parsed(t, "sources: {a: {type: b}}\n"),
	}
	want := map[string]string{
		"name": "all", "flink.taskmanager.network.memory.max": `"1 gb"`, "flink.pipeline.auto-watermark-interval": "200", "own.key": `"x y"`, "own.flag": "true",
	}
	for attribute, one := range values {
		text, err := groot.ParseValue(attribute, one[0])
		if err != nil {
			t.Error(err)
		}
		document.Env[attribute] = groot.Value{Text: text}
		want[one[1]] = one[2]
	}
	for attribute, key := range lists {
		document.Env[attribute] = groot.Value{List: []string{"file:///a.jar", "file:///b.jar"}}
		want[key] = `"file:///a.jar;file:///b.jar"`
	}
	var lines strings.Builder
	lines.WriteString("env:\n")
	for _, option := range groot.Table() {
		if _, tried := want[option.Key]; !tried {
			t.Errorf("%s is not tried", option.Key)
		}
	}
	keys := make([]string, 0, len(want))
	for key := range want {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		lines.WriteString("  " + key + ": " + want[key] + "\n")
	}
	lines.WriteString("sources:\n  a:\n    type: b\n")
	if diff := cmp.Diff(lines.String(), document.Render()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// corrections are what the samples of the documentation need to mean what they
// are there for, as testdata/corrections.tsv lists them: the sample, what it
// has, what it has to have, and why. Everything else is as it is given.
func corrections(t *testing.T) map[string][][2]string {
	t.Helper()
	all := map[string][][2]string{}
	for line := range strings.Lines(read(t, "corrections.tsv")) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) != 4 || slices.Contains(fields, "") {
			t.Fatalf("%q is no correction", line)
		}
		all[fields[0]] = append(all[fields[0]], [2]string{fields[1], fields[2]})
	}
	return all
}

func TestParse_TakesTheSamplesApart(t *testing.T) {
	t.Parallel()
	corrected := corrections(t)
	for _, name := range []string{"basic", "names", "flink"} {
		given := read(t, name+".given.yaml")
		for _, correction := range corrected[name] {
			if !strings.Contains(given, correction[0]) {
				t.Errorf("%s: there is no %s to correct", name, correction[0])
			}
			given = strings.ReplaceAll(given, correction[0], correction[1])
		}
		document, err := groot.Parse(given)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := read(t, name+".yaml")
		if diff := cmp.Diff(want, document.Render()); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
		for _, finding := range groot.Check(document, groot.Around{}) {
			if finding.Severity == groot.Refused {
				t.Errorf("%s: %+v", name, finding)
			}
		}
		again, err := groot.Parse(want)
		if diff := cmp.Diff(document, again); err != nil || diff != "" {
			t.Errorf("%s: %v: -before +after:\n%s", name, err, diff)
		}
	}
	document, err := groot.Parse(read(t, "names.given.yaml"))
	if got := document.Env["execution_restart_delay_between_attempts"]; err != nil || got.Text != "10000" {
		t.Errorf("%v, %v", got, err)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func TestParse_SaysWhichKeyCannotBeRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"env: [1]\n":                             "env: it is no map",
		"env: {parallelism: many}\n":             `env.parallelism: "many" is not a whole number`,
		"env: {parallelism: 0}\n":                "env.parallelism: 0 is not within the limits: 1 to 32768",
		"env: {execution.runtime-mode: MIXED}\n": "none of STREAMING, BATCH",
		"env: {flink.a: [1]}\n":                  "env.flink.a: it is no single value",
		"env: {jars: {}}\n":                      "env.jars: it is no list",
		"env: {a: {b: 1}, a.b: 2}\n":             "env.a.b: it is there twice",
		"- env\n":                                "no map",
		"env: {name: a\n":                        "line",
		"env: {execution.buffer-timeout: -2}\n":  "env.execution.buffer-timeout",
		"env: {pipeline.object-reuse: maybe}\n":  "neither true nor false",
		"env: {jars: [[x]]}\n":                   "env.jars",
		"env: {name: a, name: b}\n":              "twice",
	} {
		if _, err := groot.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestParse_TakesListsAndLeavesOutWhatIsNothing(t *testing.T) {
	t.Parallel()
	document, err := groot.Parse("env:\n  jars: [file:///a.jar, file:///b.jar]\n  pipeline.jars: ' file:///c.jar ; '\n  parallelism: null\n  flink.x: ~\nsinks: {}\n")
	if err != nil {
		t.Fatal(err)
	}
	want := "env:\n  jars: \"file:///a.jar;file:///b.jar\"\n  pipeline.jars: \"file:///c.jar\"\nsinks: {}\n"
	if got := document.Render(); got != want {
		t.Errorf("got\n%s", got)
	}
	if got := document.Written(); got != "sinks: {}\n" {
		t.Errorf("sections are %q", got)
	}
	alone, err := groot.Parse("env: {name: a}\n")
	if err != nil || alone.Written() != "" {
		t.Errorf("%q, %v", alone.Written(), err)
	}
}

func TestParseValue_ReadsAndRefuses(t *testing.T) {
	t.Parallel()
	for attribute, all := range map[string]map[string]string{
		"execution_buffer_timeout":                 {"-1": "-1", "-1 ms": "-1", "0": "0", "1 s": "1000", "-2": "", "1 us": "", "often": "", "": ""},
		"execution_restart_delay_between_attempts": {"10000": "10000", "10 s": "10000", "1h30m": "", "-1": "", "PT1S": ""},
		"execution_restart_failure_interval":       {"0": "", "1 d": "86400000"},
		"execution_restart_delay_interval":         {"0 s": "0"},
		"execution_restart_failure_rate":           {"0": "", "1": "1", "2147483648": "", "1k": ""},
		"execution_restart_attempts":               {"0": "0", "-1": ""},
		"pipeline_max_parallelism":                 {"32768": "32768", "32769": ""},
		"pipeline_object_reuse":                    {"yes": "", "TRUE": ""},
		"execution_restart_strategy":               {"off": "off", "sometimes": ""},
		"jars":                                     {"file:///a.jar": ""},
		"name":                                     {"x": ""},
		"no_such_option":                           {"1": ""},
	} {
		for text, want := range all {
			if got, err := groot.ParseValue(attribute, text); got != want || (err == nil) != (want != "") {
				t.Errorf("%s = %q: got %q, %v; want %q", attribute, text, got, err, want)
			}
		}
	}
}

func TestShown_HidesWhatIsWriteOnly(t *testing.T) {
	t.Parallel()
	document := groot.Document{
		Name: "a", Sections: parsed(t, "sources: {k: {user: u}}\n"),
		Secrets: parsed(t, "sources: {k: {token: seen}}\n"), WriteOnly: parsed(t, "sources: {k: {password: hush, list: [hush]}}\n"),
	}
	want := "env:\n  name: a\nsources:\n  k:\n    list:\n      - hush\n    password: hush\n    token: seen\n    user: u\n"
	if got := document.Render(); got != want {
		t.Errorf("got\n%s", got)
	}
	shown := document.Shown()
	if strings.Contains(shown, "hush") || strings.Contains(document.Meaning(), "hush") || strings.Count(shown, "(write-only)") != 2 || !strings.Contains(shown, "token: seen") {
		t.Errorf("got\n%s", shown)
	}
}

func TestMeaning_IsTheSameForAnotherSpelling(t *testing.T) {
	t.Parallel()
	meaning := func(sections string) string {
		return groot.Document{Name: "a", Sections: parsed(t, sections)}.Meaning()
	}
	if meaning("b: 1\na: x\n") != meaning(`{"a": "x", "b": 1.0}`) {
		t.Error("keys in another order, JSON and 1.0 are a change")
	}
	if meaning("a: 1\n") == meaning("a: '1'\n") {
		t.Error("a number is the same as a text")
	}
}

func TestDelivery_IsTheArgumentsOfTheProgram(t *testing.T) {
	t.Parallel()
	file := "env:\n  name: \"ä\"\n"
	for _, test := range []struct {
		delivery groot.Delivery
		want     []string
	}{
		{groot.Delivery{Form: groot.Inline, Argument: "--config"}, []string{"-v", "--config", file}},
		{groot.Delivery{Form: groot.Base64}, []string{"-v", base64.StdEncoding.EncodeToString([]byte(file))}},
		{groot.Delivery{Form: groot.Path, Argument: "-c", Path: "/opt/job.yaml"}, []string{"-v", "-c", "/opt/job.yaml"}},
	} {
		if diff := cmp.Diff(test.want, test.delivery.Args(file, []string{"-v"})); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}

func TestCoverage_HasARowForEachDocumentedKey(t *testing.T) {
	t.Parallel()
	rows := map[string]bool{}
	for _, row := range groot.Coverage().Rows {
		if rows[row.Key] || row.Attribute == "" || row.Renders == "" || row.Type == "" || row.Default == "" || len(row.Tests) == 0 {
			t.Errorf("twice, or something is missing: %+v", row)
		}
		rows[row.Key] = true
	}
	keys := strings.Fields(read(t, filepath.Join("..", "..", "..", "coverage", "testdata", "groot.keys")))
	for _, key := range keys {
		if !rows[key] {
			t.Errorf("%s has no row", key)
		}
	}
	if len(rows) != len(keys) {
		t.Errorf("%d rows, %d keys", len(rows), len(keys))
	}
}

func TestTable_HasEachAttributeOnce(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, option := range groot.Table() {
		if seen[option.Attribute()] || option.What == "" {
			t.Errorf("%s: twice, or without a word", option.Key)
		}
		seen[option.Attribute()] = true
		if found, ok := groot.Lookup(option.Attribute()); ok != (option.OfResource == "") || ok && found.Key != option.Key {
			t.Errorf("%s is not found by %s", option.Key, option.Attribute())
		}
	}
}
