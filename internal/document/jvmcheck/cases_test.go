// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package jvmcheck

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// check is something that an engine's classes are to read.
type check struct {
	name  string
	world World
	call  Call
	want  []string
	// fails is a part of the error instead.
	fails string
}

// try asks for all of them, one JVM for each world.
func try(t *testing.T, checks []check) {
	t.Helper()
	worlds := map[string]World{}
	byWorld := map[string][]check{}
	for _, one := range checks {
		worlds[one.world.Name] = one.world
		byWorld[one.world.Name] = append(byWorld[one.world.Name], one)
	}
	for name, ones := range byWorld {
		calls := make([]Call, 0, len(ones))
		for _, one := range ones {
			calls = append(calls, one.call)
		}
		for i, answer := range read(t, worlds[name], calls) {
			one := ones[i]
			switch {
			case one.fails != "":
				if !strings.Contains(answer.Error, one.fails) {
					t.Errorf("%s, %s: %+v, want an error with %q", one.name, name, answer, one.fails)
				}
			case answer.Error != "":
				t.Errorf("%s, %s: %s", one.name, name, answer.Error)
			default:
				if diff := cmp.Diff(one.want, answer.Fields); diff != "" {
					t.Errorf("%s, %s: -want +got:\n%s", one.name, name, diff)
				}
			}
		}
	}
}

// texts are what documents may have in them.
func texts() map[string]string {
	return map[string]string{
		"a word":          "a",
		"SQL":             "SELECT a, 'it''s \"x\" ${y} \\n' FROM t -- end\nWHERE b < 1 && c > 2;\n",
		"other alphabets": "żółć 数据 \U0001f600\t\u2028",
		"much":            strings.Repeat("INSERT INTO sink SELECT 'ä', count(*) FROM source;\n", 4000),
	}
}

// deflated is a text as StreamPark's client gives it to a job.
func deflated(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	writer, err := zlib.NewWriterLevel(&out, zlib.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	_, err = writer.Write([]byte(text))
	if err != nil || writer.Close() != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(out.Bytes())
}

func TestAcc_JVM_StreamParkInflatesWhatGoDeflates(t *testing.T) {
	t.Parallel()
	var checks []check
	for name, text := range texts() {
		checks = append(checks, check{name, StreamPark, Call{"StreamParkInflate", []string{deflated(t, text)}}, []string{text}, ""})
	}
	try(t, checks)
}

func TestAcc_JVM_GoInflatesWhatStreamParkDeflates(t *testing.T) {
	t.Parallel()
	var calls []Call
	for _, text := range texts() {
		calls = append(calls, Call{"StreamParkDeflate", []string{text}})
	}
	for i, answer := range read(t, StreamPark, calls) {
		raw, err := base64.StdEncoding.DecodeString(strings.Join(answer.Fields, ""))
		if err != nil {
			t.Fatalf("%+v: %v", answer, err)
		}
		reader, err := zlib.NewReader(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(reader)
		if err != nil || string(text) != calls[i].Input[0] {
			t.Errorf("%q, %v", text, err)
		}
	}
}

// encoded is an array of arguments as Dagger takes it.
func encoded(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(args); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(out.Bytes())
}

func TestAcc_JVM_GsonAndParameterToolReadArguments(t *testing.T) {
	t.Parallel()
	streams := `[{"SOURCE_KAFKA_TOPIC_NAMES":"a|b","SASL":"x username=\"u\" password=\"p&<>\";"}]`
	var checks []check
	for _, world := range []World{Flink114, Flink120} {
		for name, text := range texts() {
			checks = append(checks, check{
				name, world,
				Call{"EncodedArgs", []string{encoded(t, "--FLINK_SQL_QUERY", text, "--STREAMS", streams, "--EMPTY", "")}},
				[]string{"EMPTY", "", "FLINK_SQL_QUERY", text, "STREAMS", streams},
				"",
			})
		}
		checks = append(checks,
			check{"a line before a comment", world, Call{"EncodedArgs", []string{encoded(t, "--Q", "\n-- c\nSELECT 1", "--N", "-5")}}, []string{"N", "-5", "Q", "\n-- c\nSELECT 1"}, ""},
			check{"a comment first is taken for a key", world, Call{"FlinkArgs", []string{"--Q", "-- c", "--R", "1"}}, []string{" c", "__NO_VALUE_KEY", "Q", "__NO_VALUE_KEY", "R", "1"}, ""},
			check{"a text without a key", world, Call{"FlinkArgs", []string{"Q", "1"}}, nil, "Error parsing arguments"},
			check{"an object is no array", world, Call{"EncodedArgs", []string{base64.StdEncoding.EncodeToString([]byte(`{"a":"b"}`))}}, nil, "BEGIN_ARRAY"},
			check{"a comma too many is an element", world, Call{"GsonText", []string{"[]", `[{"a":1},]`}}, []string{`[{"a":1},null]`}, ""},
			check{"large numbers stay", world, Call{"GsonText", []string{"{}", `{"n":123456789012345678901234567890,"d":1.10}`}}, []string{`{"n":123456789012345678901234567890,"d":1.10}`}, ""},
		)
	}
	try(t, checks)
}

func TestAcc_JVM_StreamParkFlattensYaml(t *testing.T) {
	t.Parallel()
	try(t, []check{
		{
			"maps", StreamPark,
			Call{"StreamParkYaml", []string{"flink:\n  property:\n    pipeline.name: a b\n  option:\n    parallelism: 2\nempty:\n"}},
			[]string{"empty", "", "flink.option.parallelism", "2", "flink.property.pipeline.name", "a b"},
			"",
		},
		{"a text", StreamPark, Call{"StreamParkYaml", []string{"just text"}}, nil, "cannot be cast"},
		{"a list", StreamPark, Call{"StreamParkYaml", []string{"a: [1, 2]\n"}}, []string{"a", "[1, 2]"}, ""},
	})
}

func TestAcc_JVM_JavaKnowsTheProtocolsThatTheProviderAllows(t *testing.T) {
	t.Parallel()
	var checks []check
	for url, want := range map[string][]string{
		"file:///opt/a.jar": {"file", "", "/opt/a.jar"}, "file://local/jar1.jar": {"file", "local", "/jar1.jar"},
		"http://h/a.jar": {"http", "h", "/a.jar"}, "https://h/a.jar": {"https", "h", "/a.jar"}, "ftp://h/a.jar": {"ftp", "h", "/a.jar"},
		"jar:file:///a.jar!/b.jar": {"jar", "", "file:///a.jar!/b.jar"},
	} {
		checks = append(checks, check{url, Flink120, Call{"JavaUrl", []string{url}}, want, ""})
	}
	for url, fails := range map[string]string{"s3://b/a.jar": "unknown protocol", "hdfs:///a.jar": "unknown protocol", "/opt/a.jar": "no protocol"} {
		checks = append(checks, check{url, Flink120, Call{"JavaUrl", []string{url}}, nil, fails})
	}
	try(t, checks)
}
