// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package jvmcheck

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/dagger"
)

// Dagger reads its arguments with Gson and Flink's ParameterTool, and the JSON
// in them with Gson.
func TestAcc_JVM_DaggerArgumentsAreReadAsTheyAreMeant(t *testing.T) {
	t.Parallel()
	texts := map[string]string{
		"documented": golden(t, "dagger", "documented.properties"), "parquet": golden(t, "dagger", "parquet.properties"),
		"a comment":  `{"FLINK_SQL_QUERY":"-- first\nSELECT 'é' AS \"a\", 1 < 2 && 3 FROM t /* 'x' */","FLINK_JOB_ID":"","MY_NUMBER":"-1.5"}`,
		"passwords":  `{"STREAMS":[{"SOURCE_KAFKA_CONSUMER_CONFIG_SASL_JAAS_CONFIG":"a.B required username=\"u\" password=\"\\\"%<>&'=:, é\";"}],"SINK_INFLUX_PASSWORD":"p= w\"'\\"}`,
		"processors": `{"PROCESSOR_POSTPROCESSOR_ENABLE":true,"PROCESSOR_POSTPROCESSOR_CONFIG":{"external_source":{"grpc":[{"service_port":8000,"fail_on_errors":true,"capacity":5,"output_mapping":{"a":{"path":"$.b"}}}]},"transformers":[{"transformation_class":"a.B","transformation_arguments":{"b":[1.50,null],"a":{}}}]}}`,
	}
	var checks []check
	for name, text := range texts {
		document, _, err := dagger.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		document.Namespace = dagger.Raystack
		document = document.Completed()
		keys, err := document.Keys()
		if err != nil {
			t.Fatal(err)
		}
		encoded, err := document.Encoded()
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			value := keys[key]
			if key == "FLINK_SQL_QUERY" && strings.HasPrefix(value, "-") {
				value = "\n" + value
			}
			want = append(want, key, value)
			kind := map[string]string{"STREAMS": "[]", "PYTHON_UDF_CONFIG": "{}", "PROCESSOR_PREPROCESSOR_CONFIG": "{}", "PROCESSOR_POSTPROCESSOR_CONFIG": "{}"}[key]
			if kind == "" {
				continue
			}
			// Gson writes signs of HTML and a null in an object otherwise.
			same := strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`, "=", `\u003d`, "'", `\u0027`).Replace(value)
			checks = append(checks, check{name + ": " + key, Flink114, Call{"GsonText", []string{kind, value}}, []string{same}, ""})
		}
		checks = append(checks, check{name, Flink114, Call{"EncodedArgs", encoded[1:]}, want, ""})
	}
	// The documentation's own sample of Python is an array.
	checks = append(checks, check{"an array", Flink114, Call{"GsonText", []string{"{}", `[{"PYTHON_FILES":"/path/to/files.py"}]`}}, nil, "Not a JSON Object"})
	try(t, checks)
}
