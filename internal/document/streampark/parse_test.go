// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streampark_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/streampark"
)

// Sections and points mean the same, and so does each spelling that Flink knows.
func TestParse_ReadsEachForm(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"flink: {property: {state: {backend: rocksdb, backend.incremental: true}, app: 1}}",
		"flink.property.state.backend: rocksdb\nflink.property:\n  state.backend.incremental: yes\n  app: 0b1\n",
		"flink:\n  property:\n    state.backend.type: 'rocksdb'\n    execution.checkpointing.incremental: on\n    app: !!str 1\n    nothing:\n",
		"x: &state\n  backend: rocksdb\n  backend.incremental: True\nflink.property: {state: *state, app: \" 1 \"}\n",
	} {
		got, found, err := streampark.Parse(text)
		delete(got.Extra, "x.backend")
		delete(got.Extra, "x.backend.incremental")
		if err != nil || len(found) > 0 || !maps.Equal(got.Values, map[string]string{"state_backend.backend": "rocksdb", "state_backend.incremental": "true"}) ||
			!maps.Equal(got.Extra, map[string]string{"flink.property.app": "1"}) || got.Layout != streampark.Current {
			t.Errorf("%s: %+v, %+v, %v", text, got, found, err)
		}
	}
}

// The client reads YAML 1.1 and writes what it read as Java does.
func TestParse_TakesValuesAsTheClientDoes(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		"off": "false", "'off'": "off", "Yes": "true", "0777": "511", "0": "0", "-0": "0", "+5": "5", "-07": "-7", "1:30": "90", "1_000": "1000", "0x1F": "31", "0b101": "5", "09": "09",
		"0.40": "0.4", "1.0": "1.0", "1.": "1.0", "1e3": "1000.0", ".5": "0.5", "-0.25": "-0.25", "a  ": "a", "'  a '": "a", "10 s": "10 s", "1600m": "1600m", "[a, b]": "a;b", "[a, 'b;c']": "a;'b;c'",
		"[\"it's\"]": "'it''s'", "|\n    a\n    b\n": "a\nb", ">\n    a\n    b\n": "a b", "host:8081": "host:8081", "file:///tmp/x": "file:///tmp/x", "~": "", "''": "", "[]": "",
	} {
		got, _, err := streampark.Parse("app:\n  x: " + value)
		if err != nil || got.Extra["app.x"] != want {
			t.Errorf("%s is read as %q, %v; want %q", value, got.Extra["app.x"], err, want)
		}
	}
	for value, want := range map[string]string{
		"2024-01-01": "a date", "1e10": "a number", ".inf": "a number", "0.00001": "a number", "!!binary aGk=": "tag !!binary", "!x y": "tag !x", "[[a]]": "more than single values", "{<<: {a: b}}": "merged",
	} {
		_, _, err := streampark.Parse("app:\n  x: " + value)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "line ") {
			t.Errorf("%s: %v; want %q", value, err, want)
		}
	}
	if _, found, err := streampark.Parse("flink.property.pipeline.jars: [a, b]"); err != nil || len(found) != 1 || found[0].Severity != streampark.Warned || !strings.Contains(found[0].Detail, "1.19") {
		t.Errorf("a list: %+v, %v", found, err)
	}
}

func TestParse_RefusesWhatTheClientFailsOver(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                      "empty",
		"# nothing\n":           "empty",
		"~\n":                   "empty",
		"- a\n- b\n":            "a list or a single value fails",
		"hello\n":               "a list or a single value fails",
		"a: 1\n---\nb: 2\n":     "more than one document",
		"flink:\n\toption: x\n": "no YAML",
		"a: [\n":                "no YAML",
		"a: 1\na: 2\n":          "line 2: key a is there twice",
		"a:\n  b: 1\na.b: 2\n":  "line 3: key a.b is there already",
		"on: 1\n":               "no text to YAML",
		"app: {10: 1}\n":        "no text to YAML",
		"? [a]\n: b\n":          "a key is a list",
		"flink.property.parallelism.default: 0\n":                                        "1 to 32768",
		"flink.property.parallelism.default: x\n":                                        "1 to 32768",
		"flink.property.state.backend: a\nflink.property.state.backend.type: b\n":        "under the name state.backend",
		"flink.deployment.property.x: 1\nflink.property.y: 2\n":                          "Keep one of them",
		"flink:\n  option: {target: remote}\n  deployment: {option: {detached: true}}\n": "Keep one of them",
	} {
		if d, _, err := streampark.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %+v, %v; want %q", text, d, err, want)
		}
	}
	bomb := "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 6 {
		bomb += fmt.Sprintf("k%d: &k%d {%s}\n", i, i, strings.Join([]string{"a: *" + previous(i), "b: *" + previous(i), "c: *" + previous(i), "d: *" + previous(i), "e: *" + previous(i)}, ", "))
	}
	if _, _, err := streampark.Parse(bomb); err == nil || !strings.Contains(err.Error(), "more than 10000") {
		t.Errorf("a file of many references: %v", err)
	}
}

func previous(i int) string {
	if i == 0 {
		return "a"
	}
	return fmt.Sprintf("k%d", i-1)
}

func TestParse_MovesWhatDoesNotBelongIntoOption(t *testing.T) {
	t.Parallel()
	d, found, err := streampark.Parse("flink:\n  option: {parallelism: 3, class: a.B}\n  property: {parallelism.default: 4}\n")
	if err != nil || len(found) != 2 || d.Parallelism != 4 || d.EntryClass != "a.B" || len(d.Values) > 0 {
		t.Errorf("%+v, %+v, %v", d, found, err)
	}
}

func TestParseSQL_ReadsEachID(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		sql        string
		statements map[string]string
	}{
		"sql: |\n  A;\n  B\n":                    {"A;\n  B"[:3] + "B", map[string]string{}},
		"first: A\nsecond: B\n":                  {"", map[string]string{"first": "A", "second": "B"}},
		"sql:\n  first: A\n  second: |\n    B\n": {"", map[string]string{"first": "A", "second": "B"}},
	} {
		sql, statements, err := streampark.ParseSQL(text)
		if err != nil || sql != want.sql || !maps.Equal(statements, want.statements) {
			t.Errorf("%q is read as %q, %v, %v", text, sql, statements, err)
		}
	}
	for text, want := range map[string]string{"sql:\n": "no SQL", "sql: A\nsql: B\n": "twice", "SELECT 1": "single value"} {
		if _, _, err := streampark.ParseSQL(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// random makes a document of any values, most of them of no use.
func random(r *rand.Rand) streampark.Document {
	pieces := []string{"a", "B", " ", "10", "s", "mb", "off", "true", "null", ".", "-", ":", "#", "'", `"`, `\`, "\n", "\t", "ä", "€", "😀", "{", "[", "0", "file:///x", "INSERT INTO a SELECT 1", ";", "${x}", "\x01", "!", "&", "*", "%", "@", "`", "|", ">"}
	text := func() string {
		var made strings.Builder
		for range 1 + r.IntN(5) {
			made.WriteString(pieces[r.IntN(len(pieces))])
		}
		return made.String()
	}
	d := streampark.Document{Layout: streampark.Current, Name: text(), SQL: text(), Values: map[string]string{}, Extra: map[string]string{}, Statements: map[string]string{}}
	if r.IntN(2) == 0 {
		d.Layout = streampark.Deployment
	}
	for _, row := range streampark.Table() {
		if row.Elsewhere == "" && r.IntN(4) == 0 {
			d.Values[row.Attribute] = text()
			if tried := spellings[row.Key]; r.IntN(2) == 0 {
				d.Values[row.Attribute] = tried[r.IntN(len(tried))]
			}
		}
	}
	for range r.IntN(4) {
		d.Extra[[]string{"app.", "flink.property.x.", "flink.option.y", "flink.table.z", "other."}[r.IntN(5)]+strings.Trim(text(), ". \n\t\x01")] = text()
	}
	for range r.IntN(3) {
		d.Statements[fmt.Sprintf("id%d", r.IntN(3))] = text()
	}
	d.Args, d.EntryClass = []string{"--" + text(), text()}, text()
	return d
}

// trimmed is what of a document comes back: the client drops blanks around a
// value, and values that are empty then.
func trimmed(d streampark.Document) streampark.Document {
	trim := func(s string) string { return strings.TrimFunc(s, func(r rune) bool { return r <= ' ' }) }
	all := func(texts map[string]string) map[string]string {
		kept := map[string]string{}
		for key, value := range texts {
			if value = trim(value); value != "" {
				kept[key] = value
			}
		}
		return kept
	}
	return streampark.Document{Layout: d.Layout, Name: trim(d.Name), Values: all(d.Values), Extra: all(d.Extra), Statements: all(d.Statements)}
}

func TestRender_OfAnyDocumentIsReadBack(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 17))
	for i := range 10_000 {
		d := random(r)
		for _, finding := range streampark.Check(d, streampark.Situation{FlinkVersion: []string{"", "1.14.3", "1.20.5", "2.3.0"}[i%4]}) {
			if finding.Attribute == "" || finding.Summary == "" || !strings.HasSuffix(finding.Detail, ".") || strings.Contains(finding.Summary, "\n") {
				t.Fatalf("%+v: %+v", d, finding)
			}
		}
		rendered := streampark.Render(d)
		if again := streampark.Render(d); again.Configuration != rendered.Configuration {
			t.Fatalf("%+v renders to two texts:\n%s\n%s", d, rendered.Configuration, again.Configuration)
		}
		got, _, err := streampark.Parse(rendered.Configuration)
		if err != nil {
			t.Fatalf("%v:\n%s", err, rendered.Configuration)
		}
		want := trimmed(d)
		if len(want.Values) == 0 && len(want.Extra) == 0 && want.Name == "" {
			want.Layout = streampark.Current
		}
		if got.Layout != want.Layout && !strings.Contains(rendered.Configuration, "option") && !strings.Contains(rendered.Configuration, "property") {
			got.Layout = want.Layout
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%s\nis read as %+v\nwant %+v", rendered.Configuration, got, want)
		}
	}
}

// Whatever can be read renders to something that means the same.
func FuzzParse(f *testing.F) {
	f.Add("flink:\n  property:\n    state: {backend: hashmap, backend.incremental: true}\n    x: [a, b]\n  table:\n    mode: batch\nsql: |\n  INSERT INTO a SELECT 1\napp.x: 010\n")
	f.Add("flink.deployment:\n  option: {target: application, parallelism: 2}\nsql: {first: A}\n")
	f.Add("a: &a {b: c}\nd: *a\n? e\n: !!str 1\n")
	f.Fuzz(func(t *testing.T, text string) { tries(t, text) })
}

// tries tells whether a text could be read.
func tries(t *testing.T, text string) bool {
	t.Helper()
	_, _, _ = streampark.ParseSQL(text)
	d, _, err := streampark.Parse(text)
	if err != nil {
		if strings.Contains(err.Error(), "\n") && !strings.Contains(text, "\n") {
			t.Errorf("%q: %v", text, err)
		}
		return false
	}
	_ = streampark.Check(d, streampark.Situation{})
	rendered := streampark.Render(d).Configuration
	if rendered == "" {
		return true
	}
	again, _, err := streampark.Parse(rendered)
	if err != nil {
		t.Fatalf("%q renders to %q: %v", text, rendered, err)
	}
	// These are no keys of the file here.
	again.SQL, again.EntryClass, again.Parallelism = d.SQL, d.EntryClass, d.Parallelism
	if left := streampark.Differences(d, again); len(left) > 0 && again.Layout == d.Layout {
		t.Errorf("%q renders to %q, which differs in %v", text, rendered, left)
	}
	return true
}

// Random changes of the samples are read or refused, and what is read is
// rendered to what means the same.
func TestParse_EndsWellWithAnyText(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	samples := []string{read(t, "seed/application.yml"), read(t, "seed/application.deployment.yml"), read(t, "seed/sql.yaml")}
	const signs = " :\n-#{}[]'\"09ax;.|&*!"
	readable := 0
	for range 10_000 {
		text := []byte(samples[r.IntN(len(samples))])
		for range 1 + r.IntN(4) {
			at := r.IntN(len(text))
			text[at] = signs[r.IntN(len(signs))]
		}
		if tries(t, string(text)) {
			readable++
		}
	}
	if readable < 100 {
		t.Errorf("only %d could be read", readable)
	}
}
