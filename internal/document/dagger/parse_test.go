// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package dagger

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/goldentest"
)

func mustParse(t *testing.T, text string) (Document, []string) {
	t.Helper()
	document, ignored, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return document, ignored
}

func sample(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func TestParse_SamplesOfTheDocumentation(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"documented", "parquet"} {
		document, ignored := mustParse(t, sample(t, name+".properties"))
		if len(ignored) > 0 || len(document.Extra) > 0 {
			t.Errorf("%s: ignored %q, extra %v", name, ignored, document.Extra)
		}
		if document.Namespace == "" {
			document.Namespace = Raystack
		}
		completed := document.Completed()
		var got bytes.Buffer
		got.WriteString(completed.Rendered())
		for _, finding := range Check(completed) {
			fmt.Fprintf(&got, "# %s %s: %s\n", finding.Severity, finding.Path, finding.Summary)
			if finding.Severity == Refused {
				t.Errorf("%s: %+v", name, finding)
			}
		}
		goldentest.Check(t, name+".rendered", got.Bytes())
		if again := reparsed(t, completed); !Fields(again.Values).Equal(Fields(completed.Values)) {
			t.Errorf("%s is parsed back to something else", name)
		}
	}
}

// As they are, these samples do not work.
func TestParse_SamplesAsTheyAreDocumented(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`PYTHON_UDF_CONFIG = [   {      "PYTHON_FILES": "/path/to/files.py" }]`:                                                     "PYTHON_UDF_CONFIG: it has to be a JSON object",
		`STREAMS = [ { "SOURCE_PARQUET_FILE_DATE_RANGE":"a,b"   "SOURCE_PARQUET_READ_ORDER_STRATEGY": "EARLIEST_TIME_URL_FIRST" }]`: "STREAMS: line 1, column 46: it is not valid JSON",
		`PROCESSOR_LONGBOW_ASYNC_TIMEOUT=15000L`:                                                                                    `PROCESSOR_LONGBOW_ASYNC_TIMEOUT: "15000L" ends with a letter`,
		`STREAMS={"INPUT_SCHEMA_TABLE":"t"}`:                                                                                        "STREAMS: it has to be a JSON array",
		`STREAMS=[{"SOURCE_DETAILS":[]}]`:                                                                                           "STREAMS: [0]: SOURCE_DETAILS: it has 0 elements, and Dagger takes exactly one",
		`STREAMS=[{},]`:                                                                                                             "STREAMS: line 1, column 5: it is not valid JSON",
		`FLINK_PARALLELISM=two`:                                                                                                     `FLINK_PARALLELISM: "two" is no whole number`,
		`FLINK_CHECKPOINT_INTERVAL_MS=30 s`:                                                                                         "FLINK_CHECKPOINT_INTERVAL_MS",
		`["--SINK_TYPE","log","FLINK_JOB_ID"]`:                                                                                      "argument 2 is no key",
		`["--FLINK_SQL_QUERY","-- c\nSELECT 1"]`:                                                                                    "FLINK_SQL_QUERY has no value: one that begins with - is taken for the next key",
		`["--SINK_TYPE"]`:                                                                                                           "SINK_TYPE has no value",
		`["--encodedArgs","eyJ9"]`:                                                                                                  "is no base 64",
		`[1]`:                                                                                                                       "it is no JSON array of texts",
		`{"STREAMS": [}`:                                                                                                            "line 1, column 12: it is not valid JSON",
		`{} {}`:                                                                                                                     "there is more behind",
		`A=\u12`:                                                                                                                    `\u wants four hex digits`,
		`=a`:                                                                                                                        "line 1 has no key",
		" \n":                                                                                                                       "there is nothing in it",
		"A=\xff":                                                                                                                    "it is not UTF-8",
	} {
		if _, _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func TestParse_AllFormsAreTheSame(t *testing.T) {
	t.Parallel()
	want := map[string]string{"SINK_TYPE": "log", "FLINK_SQL_QUERY": "SELECT 'a=b: é' FROM t", "MY_KEY": "a\tb", "STREAMS": `[{"INPUT_SCHEMA_TABLE":"t"}]`, "FLINK_PARALLELISM": "2"}
	properties := "! a comment\nSINK_TYPE : log\r\nFLINK_SQL_QUERY = SELECT 'a=b: \\u00e9' \\\n   FROM t\n\n MY_KEY a\\tb\nSTREAMS=[{\"INPUT_SCHEMA_TABLE\":\"t\"}]\nFLINK_PARALLELISM=1\nFLINK_PARALLELISM=2"
	args := `["--SINK_TYPE","log","-FLINK_SQL_QUERY","SELECT 'a=b: é' FROM t","--MY_KEY","a\tb","--STREAMS","[{\"INPUT_SCHEMA_TABLE\":\"t\"}]","--FLINK_PARALLELISM","2"]`
	document, _ := mustParse(t, args)
	encoded, err := document.Encoded()
	if err != nil {
		t.Fatal(err)
	}
	half := len(encoded[1]) / 2
	for name, text := range map[string]string{
		"properties": properties, "arguments": args, "object": `{"SINK_TYPE":"log","FLINK_SQL_QUERY":"SELECT 'a=b: é' FROM t","MY_KEY":"a\tb","STREAMS":[{"INPUT_SCHEMA_TABLE":"t"}],"FLINK_PARALLELISM":2,"SINK_KAFKA_TOPIC":null}`,
		"base 64": encoded[1][:half] + "\r\n" + encoded[1][half:], "encoded arguments": `["--X","y","--encodedArgs","` + encoded[1] + `"]`, "with a mark": "\ufeff" + properties,
	} {
		document, ignored := mustParse(t, text)
		if got := keysOf(t, document); !maps.Equal(got, want) || len(ignored) > 0 {
			t.Errorf("%s: %v, ignored %q", name, got, ignored)
		}
	}
}

func TestParse_SaysWhatDaggerIgnores(t *testing.T) {
	t.Parallel()
	document, ignored := mustParse(t, `{"SQL_QUERY":"SELECT 1","PYTHON_UDF_ENABLE":10000,"SCHEMA_REGISTRY_STENCIL_FETCH_HEADERS":"a:b,c:d:e","PYTHON_UDF_CONFIG":{"python_files":"a.py"},
		"STREAMS":[{"SOURCE_KAFKA_CONFIG_GROUP_ID":"g","SOURCE_KAFKA_CONSUMER_CONFIG_MAX_POLL_RECORDS":"1"}],
		"PROCESSOR_POSTPROCESSOR_CONFIG":{"externalSource":{},"external_source":{"http":[{"metric_id":"m","VERB":"get"}]}}}`)
	want := []string{
		`PROCESSOR_POSTPROCESSOR_CONFIG.externalSource: Dagger does not read it`,
		`PROCESSOR_POSTPROCESSOR_CONFIG.external_source.http[0].VERB: Dagger does not read it, but verb`,
		`PROCESSOR_POSTPROCESSOR_CONFIG.external_source.http[0].metric_id: Dagger does not read it`,
		`PYTHON_UDF_CONFIG.python_files: Dagger does not read it`,
		`PYTHON_UDF_ENABLE = "10000" is false to Dagger`,
		`SCHEMA_REGISTRY_STENCIL_FETCH_HEADERS: an entry that is not one name, one colon and one value is dropped by Dagger`,
		`SQL_QUERY: Dagger does not read it, but FLINK_SQL_QUERY`,
		`STREAMS[0].SOURCE_KAFKA_CONFIG_GROUP_ID: Dagger does not read it, but SOURCE_KAFKA_CONSUMER_CONFIG_GROUP_ID`,
		`STREAMS[0].SOURCE_KAFKA_CONSUMER_CONFIG_MAX_POLL_RECORDS: Dagger does not read it`,
	}
	slices.Sort(ignored)
	if !slices.Equal(ignored, want) {
		t.Errorf("got  %q\nwant %q", ignored, want)
	}
	if len(document.Extra) > 0 {
		t.Errorf("extra: %v", document.Extra)
	}
	if enable, _ := document.Values["python_udf"].Field("enable"); enable.Text() != "false" {
		t.Errorf("PYTHON_UDF_ENABLE = 10000 is %q", enable.Text())
	}
	if document, _ := mustParse(t, "FUNCTION_FACTORY_CLASSES=a.B,com.gotocompany.dagger.functions.udfs.factories.FunctionFactory"); document.Namespace != GotoCompany {
		t.Errorf("the namespace is %q", document.Namespace)
	}
}

func TestValue_SpellingsMeanTheSame(t *testing.T) {
	t.Parallel()
	for _, one := range []struct{ attribute, a, b string }{
		{"watermark_delay_ms", "10 s", "10000"}, {"watermark_delay_ms", "1 d", "86400000 ms"}, {"checkpoint_max_concurrent", "1", "01"},
	} {
		group, _ := named(table, "flink")
		o, _ := named(group.Options, one.attribute)
		a, errA := o.Scalar(one.a)
		b, errB := o.Scalar(one.b)
		if errA != nil || errB != nil || !a.Equal(b) {
			t.Errorf("%s: %q is %v, %q is %v", one.attribute, one.a, a, one.b, b)
		}
	}
	query := Option{Kind: Query}
	if a, _ := query.Scalar("\n SELECT 1 \n"); a.Text() != "SELECT 1" {
		t.Errorf("a query is %q", a.Text())
	}
	// C44: neither blanks nor the order of keys are a difference, but the columns of a schema have an order.
	arguments, schema := Option{Kind: JSONObject}, Option{Kind: JSONText}
	same := func(o Option, a, b string) bool {
		one, errA := o.Scalar(a)
		other, errB := o.Scalar(b)
		return errA == nil && errB == nil && one.Equal(other)
	}
	if !same(arguments, `{"b": 1.0, "a": {"d":1,"c":"<"}}`, `{"a":{"c":"<","d":1.00},"b":1}`) || same(arguments, `{"a":1}`, `{"a":2}`) || same(arguments, `{"a":1.01}`, `{"a":1}`) ||
		same(arguments, `{"a":12345678901234567890}`, `{"a":12345678901234567891}`) {
		t.Error("arguments are told apart by their spelling")
	}
	if !same(schema, `{"b": 1, "a": 2}`, `{"b":1,"a":2}`) || same(schema, `{"b":1,"a":2}`, `{"a":2,"b":1}`) {
		t.Error("schemas are told apart by blanks, or not by their order")
	}
	topics, _ := named(streamOptions, "source_kafka_topic_names")
	if !topics.Texts(Plain("a|b")).Equal(topics.Texts(Plain("a"), Plain("b"))) || topics.Texts(Plain("(a|b)")).Equal(topics.Texts(Plain("a"), Plain("b"))) {
		t.Error("topics are told apart by their spelling")
	}
	for _, o := range []Option{{Kind: Millis}, {Kind: Count}, {Kind: Flag}, {Kind: JSONText}, {Kind: JSONObject}, {Kind: List}} {
		for _, text := range []string{"15000L", "1h30m", "[1", ""} {
			if v, err := o.Scalar(text); err == nil {
				t.Errorf("kind %d takes %q as %v", o.Kind, text, v)
			}
		}
	}
}

// C44: what is no JSON, or has a key twice, is said with its place.
func TestValue_JSONFaultsHaveAPlace(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{\n  \"ä\": 1,\n  \"b\": x\n}":                 "line 3, column 8: it is not valid JSON",
		`{"ää": 1,, "b": 2}`:                            "line 1, column 10: it is not valid JSON",
		"{\n\"a\": {\"b\": [1, {\"c\": 1, \"c\": 2}]}}": `line 2, column 27: the key "c" is there twice`,
		`{"a": 1, "a": 1}`:                              `the key "a" is there twice`,
		`{"a": 1} {}`:                                   "line 1, column 10: it is not valid JSON",
		`{"a": `:                                        "it is not valid JSON",
		``:                                              "it is not valid JSON",
	} {
		for _, o := range []Option{{Kind: JSONText}, {Kind: JSONObject}} {
			if v, err := o.Scalar(text); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q is %v, %v; want %q", text, v, err, want)
			}
		}
	}
}

// Neither a finding nor an error is a place for a secret.
func TestCheck_NoFindingHasASecret(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	const secret = "hu5h:,-no-one"
	var hide func(options []Option, fields map[string]Value)
	hide = func(options []Option, fields map[string]Value) {
		for _, o := range options {
			v, set := fields[o.Attribute]
			switch {
			case !set:
			case o.Secret && v.form == object:
				fields[o.Attribute] = Fields(map[string]Value{"N": Plain(secret)})
			case o.Secret:
				inner := Plain("-" + secret)
				fields[o.Attribute] = Hidden("1", &inner)
			case v.form == object:
				hide(o.Options, v.fields)
			}
			for _, item := range v.items {
				hide(o.Options, item.fields)
			}
		}
	}
	for range 3000 {
		document := Document{Namespace: GotoCompany, Values: randomFields(r, table, true)}
		hide(table, document.Values)
		for _, finding := range Check(document) {
			if strings.Contains(finding.Summary+finding.Detail+finding.Path.String(), "hu5h") {
				t.Fatalf("%+v", finding)
			}
		}
	}
	for _, text := range []string{
		`{"STREAMS":[{"SOURCE_KAFKA_CONSUMER_CONFIG_SASL_JAAS_CONFIG":["hu5h"]}]}`, `STREAMS=[{"SOURCE_KAFKA_CONSUMER_CONFIG_SASL_JAAS_CONFIG":"hu5h" x}]`,
		`SCHEMA_REGISTRY_STENCIL_FETCH_HEADERS=hu5h`, `{"PROCESSOR_POSTPROCESSOR_CONFIG":{"external_source":{"pg":[{"password":"hu5h","port":"x"}]}}}`,
	} {
		_, ignored, err := Parse(text)
		if strings.Contains(fmt.Sprint(ignored, err), "hu5h") {
			t.Errorf("%v, %q", err, ignored)
		}
	}
}

// What is not known yet is not wrong.
func TestCheck_UnknownIsTakenToBeRight(t *testing.T) {
	t.Parallel()
	for _, l := range leaves(nil, table) {
		document := l.document(Unknown())
		for _, finding := range Check(document) {
			if finding.Severity == Refused && finding.Path.String() == l.place() {
				t.Errorf("%s: %+v", l.place(), finding)
			}
		}
		if Fields(document.Values).Known() {
			t.Errorf("%s is taken for known", l.place())
		}
	}
	all := map[string]Value{}
	for _, o := range table {
		all[o.Attribute] = Unknown()
	}
	if findings := Check(Document{Namespace: GotoCompany, Values: all}); len(findings) > 0 {
		t.Errorf("%+v", findings)
	}
}

func FuzzParse(f *testing.F) {
	// Short ones: a long one is made shorter first, for a minute.
	f.Add("STREAMS = [ { \"INPUT_SCHEMA_TABLE\": \"t\", \"SOURCE_KAFKA_TOPIC_NAMES\": \"a|b\" } ]\nFLINK_SQL_QUERY=-- c\\n\\u00e9 \\\n  SELECT 1\n# x\n")
	f.Add(`["--encodedArgs","WyItLVNJTktfVFlQRSIsImxvZyJd"]`)
	f.Add(`{"STREAMS":[{"SOURCE_DETAILS":[{"SOURCE_NAME":"KAFKA_SOURCE"}]}],"PYTHON_UDF_CONFIG":"{}"}`)
	f.Fuzz(func(t *testing.T, text string) { tries(t, text) })
}

// tries tells whether a text could be read. What could renders to arguments
// that are read as the same.
func tries(t *testing.T, text string) bool {
	t.Helper()
	document, _, err := Parse(text)
	if err != nil {
		return false
	}
	Check(document)
	args, err := document.Args()
	if err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "--") }) || slices.Contains(args, "--") || slices.Contains(args, EncodedArgs) {
		return true // Not what Dagger can be given, and Check says so.
	}
	encoded, err := document.Encoded()
	if err != nil {
		t.Fatal(err)
	}
	again, _, err := Parse(encoded[1])
	if err != nil {
		if slices.ContainsFunc(Check(document), func(f Finding) bool { return f.Severity == Refused }) {
			return true
		}
		t.Fatalf("%v\n%q", err, args)
	}
	if args2, _ := again.Args(); !slices.Equal(args, args2) {
		t.Fatalf("%q\nis parsed back to\n%q", args, args2)
	}
	return true
}

// Random changes of the samples are read or refused, and what is read is
// rendered to what means the same.
func TestParse_EndsWellWithAnyText(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 6))
	samples := []string{sample(t, "documented.properties"), sample(t, "parquet.properties")}
	const signs = " :\n-#{}[]'\"09aXL;.,\\="
	readable := 0
	for range 10_000 {
		text := []byte(samples[random.IntN(len(samples))])
		for range 1 + random.IntN(4) {
			at := random.IntN(len(text))
			text[at] = signs[random.IntN(len(signs))]
		}
		if tries(t, string(text)) {
			readable++
		}
	}
	if readable < 100 {
		t.Errorf("only %d could be read", readable)
	}
}
