// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package dagger

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
)

// build is a value of an option.
func (o Option) build(t *testing.T, texts []string) Value {
	t.Helper()
	switch o.Kind {
	case List, Strings:
		items := make([]Value, 0, len(texts))
		for _, text := range texts {
			items = append(items, Plain(text))
		}
		return Array(items...)
	case Pairs, Prefixed, Map, Paths:
		fields := map[string]Value{}
		for _, text := range texts {
			name, value, _ := strings.Cut(text, "=")
			fields[name] = Plain(value)
		}
		return Fields(fields)
	case Object, First:
		return Fields(map[string]Value{})
	case Objects:
		return Array(Fields(map[string]Value{}))
	default:
	}
	v, err := o.Scalar(texts[0])
	if err != nil {
		t.Fatalf("%s = %q: %v", o.Key, texts[0], err)
	}
	return v
}

// document has one option alone.
func (l leaf) document(v Value) Document {
	at := l.Option
	for _, parent := range slices.Backward(l.parents) {
		fields := Fields(map[string]Value{at.Attribute: v})
		if parent.Kind == Objects {
			fields = Array(fields)
		}
		at, v = parent, fields
	}
	return Document{Namespace: GotoCompany, Values: map[string]Value{at.Attribute: v}, Extra: map[string]string{}}
}

func keysOf(t *testing.T, document Document) map[string]string {
	t.Helper()
	keys, err := document.Keys()
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// reparsed is the document that the rendered one is parsed to.
func reparsed(t *testing.T, document Document) Document {
	t.Helper()
	args, err := document.Encoded()
	if err != nil {
		t.Fatal(err)
	}
	again, ignored, err := Parse(args[1])
	if err != nil {
		t.Fatalf("%v\n%s", err, document.Rendered())
	}
	if len(ignored) > 0 {
		t.Errorf("ignored of what was rendered: %q", ignored)
	}
	return again
}

func TestEncoded_IsTheSortedArgumentsInBase64(t *testing.T) {
	t.Parallel()
	document := Document{
		Values: map[string]Value{"sql_query": Plain("-- c\nSELECT 'é' < \"a\" && 1 FROM t"), "sink_type": Plain("log"), "name": Plain("")},
		Extra:  map[string]string{"MY_KEY": "a b"},
	}
	args, err := document.Encoded()
	if err != nil || len(args) != 2 || args[0] != "--encodedArgs" {
		t.Fatalf("%v, %v", args, err)
	}
	text, err := base64.StdEncoding.DecodeString(args[1])
	if err != nil {
		t.Fatal(err)
	}
	const want = `["--FLINK_JOB_ID","","--FLINK_SQL_QUERY","\n-- c\nSELECT 'é' < \"a\" && 1 FROM t","--MY_KEY","a b","--SINK_TYPE","log"]`
	if string(text) != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	for range 20 {
		if again, _ := document.Encoded(); again[1] != args[1] {
			t.Fatal("the arguments differ from run to run")
		}
	}
	var decoded []string
	if err := json.Unmarshal(text, &decoded); err != nil {
		t.Error(err)
	}
	for i := 1; i < len(decoded); i += 2 {
		if strings.HasPrefix(decoded[i], "-") {
			t.Errorf("%q would be taken for a key", decoded[i])
		}
	}
}

func TestCompleted_AddsWhatDaggerCannotDoWithout(t *testing.T) {
	t.Parallel()
	source := func(name string) Value {
		return Fields(map[string]Value{"source_details": Fields(map[string]Value{"source_name": Plain(name)})})
	}
	document := Document{Namespace: ODPF, Values: map[string]Value{"streams": Array(
		source("KAFKA_SOURCE"), source("PARQUET_SOURCE"), Fields(nil), Fields(map[string]Value{"source_kafka_auto_offset_reset": Plain("none")}), Unknown(),
		Fields(map[string]Value{"source_details": Unknown()}),
	)}}
	completed := document.Completed()
	if got := completed.Values["function_factory_classes"]; !got.Equal(Array(Plain("io.odpf.dagger.functions.udfs.factories.FunctionFactory"))) {
		t.Errorf("FUNCTION_FACTORY_CLASSES is %v", got)
	}
	for i, want := range []string{"latest", "", "latest", "none", "", ""} {
		reset, _ := completed.Values["streams"].Items()[i].Field("source_kafka_auto_offset_reset")
		if reset.Text() != want {
			t.Errorf("stream %d: %q, want %q", i, reset.Text(), want)
		}
	}
	if _, set := document.Values["function_factory_classes"]; set || document.Values["streams"].Items()[0].fields["source_kafka_auto_offset_reset"].form != absent {
		t.Error("the document itself was changed")
	}
	if again := completed.Completed(); !Fields(again.Values).Equal(Fields(completed.Values)) {
		t.Error("completed twice is something else")
	}
}

func TestRendered_HasNoWriteOnlyValue(t *testing.T) {
	t.Parallel()
	secret := Plain("hush")
	document := func(inner *Value) Document {
		return Document{Values: map[string]Value{
			"sink_influx":     Fields(map[string]Value{"password": Hidden("1", inner)}),
			"streams":         Array(Fields(map[string]Value{"source_kafka_sasl_jaas_config": Hidden("1", inner)})),
			"schema_registry": Fields(map[string]Value{"stencil_fetch_headers": Hidden("1", inner)}),
		}}
	}
	const want = "SCHEMA_REGISTRY_STENCIL_FETCH_HEADERS=(write-only)\nSINK_INFLUX_PASSWORD=(write-only)\n" +
		`STREAMS=[{"SOURCE_KAFKA_CONSUMER_CONFIG_SASL_JAAS_CONFIG":"(write-only)"}]` + "\n"
	for _, inner := range []*Value{&secret, nil} {
		if got := document(inner).Rendered(); got != want {
			t.Errorf("got %s", got)
		}
	}
	if _, err := document(nil).Encoded(); !errors.Is(err, ErrWriteOnly) {
		t.Errorf("a write-only value that is not at hand: %v", err)
	}
	keys := keysOf(t, Document{Values: map[string]Value{"sink_influx": Fields(map[string]Value{"password": Hidden("1", &secret)})}})
	if keys["SINK_INFLUX_PASSWORD"] != "hush" {
		t.Errorf("Dagger gets %q", keys["SINK_INFLUX_PASSWORD"])
	}
	unknownYet := Unknown()
	if !Hidden("1", nil).Known() || !Hidden("1", &unknownYet).Known() || Unknown().Known() {
		t.Error("a write-only value that comes with the apply is taken for one that changes")
	}
	other := Plain("other")
	if !Hidden("1", &secret).Equal(Hidden("1", &other)) || Hidden("1", &secret).Equal(Hidden("2", &secret)) || Hidden("1", nil).Equal(Plain("1")) {
		t.Error("write-only values are not told apart by their versions alone")
	}
}

func TestFingerprint_HasNoSecretAndNoParallelism(t *testing.T) {
	t.Parallel()
	document := func(secret string, parallelism string) Document {
		inner := Plain(secret)
		return Document{
			Values: map[string]Value{
				"sink_influx": Fields(map[string]Value{"password": Plain(secret), "url": Plain("u")}), "parallelism": Plain(parallelism), "max_parallelism": Plain("64"),
				"streams":    Array(Fields(map[string]Value{"source_kafka_sasl_jaas_config": Hidden(secret, &inner), "input_schema_table": Plain("t")})),
				"sink_kafka": Fields(map[string]Value{"producer_config": Fields(map[string]Value{"SASL_JAAS_CONFIG": Plain(secret)})}),
			},
			Extra: map[string]string{"MY_TOKEN": secret, "MY_KEY": "open"},
		}
	}
	secret := func(key string) bool { return strings.HasSuffix(key, "TOKEN") }
	got := document("hush", "2").Fingerprint(secret)
	want := []string{
		"--FLINK_PARALLELISM_MAX", "64", "--MY_KEY", "open", "--MY_TOKEN", "(write-only)", "--SINK_INFLUX_PASSWORD", "(write-only)", "--SINK_INFLUX_URL", "u",
		"--SINK_KAFKA_PRODUCER_CONFIG_", "(write-only)", "--STREAMS", `[{"INPUT_SCHEMA_TABLE":"t","SOURCE_KAFKA_CONSUMER_CONFIG_SASL_JAAS_CONFIG":"(write-only)"}]`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if !slices.Equal(got, document("other", "3").Fingerprint(secret)) {
		t.Error("a secret or the parallelism makes another fingerprint")
	}
}
