// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package jvmcheck

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/flinkoptions"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/groot"
)

// What the golden files of Groot Stream have is what Java reads from them, and
// the options in them are some that Flink reads.
func TestAcc_JVM_GrootJobFilesAreReadAsTheyAreMeant(t *testing.T) {
	t.Parallel()
	meant := map[string][]string{
		"basic.yaml": {
			"/env/execution.buffer-timeout", "Integer 100", "/env/execution.runtime-mode", "String BATCH",
			"/env/jars", "String file:///local/jar1.jar;file:///local/jar2.jar", "/env/name", "String groot-stream-job", "/env/parallelism", "Integer 4",
			"/env/pipeline.classpaths", "String file:///opt/groot/lib1;file:///opt/groot/lib2", "/env/pipeline.jars", "String file:///opt/groot/jar1.jar;file:///opt/groot/jar2.jar",
			"/env/pipeline.object-reuse", "Boolean false", "/env/shade.identifier", "String default",
			"/sinks/out/type", "String print", "/sources/clicks/properties/topic", "String clicks", "/sources/clicks/type", "String kafka",
		},
		"names.yaml": {
			"/env/execution.buffer-timeout", "Integer 200", "/env/execution.restart.attempts", "Integer 3", "/env/execution.restart.delayBetweenAttempts", "Integer 10000",
			"/env/execution.restart.delayInterval", "Integer 1000", "/env/execution.restart.failure-rate", "Integer 3", "/env/execution.restart.failureInterval", "Integer 300000",
			"/env/execution.restart.strategy", "String fixed-delay", "/env/name", "String names", "/env/pipeline.max-parallelism", "Integer 128", "/env/pipeline.object-reuse", "Boolean true",
		},
		"flink.yaml": {
			"/env/checkpoint.note", "String a: b # c", "/env/flink.execution.buffer-timeout", "Integer 100", "/env/flink.pipeline.max-parallelism", "Integer 128",
			"/env/flink.pipeline.object-reuse", "Boolean true", "/env/flink.restart-strategy", "String failure-rate", "/env/flink.restart-strategy.failure-rate.delay", "String 1 s",
			"/env/flink.restart-strategy.failure-rate.failure-rate-interval", "String 5 min", "/env/flink.restart-strategy.failure-rate.max-failures-per-interval", "Integer 3",
			"/env/flink.restart-strategy.fixed-delay.attempts", "Integer 3", "/env/flink.restart-strategy.fixed-delay.delay", "String 10 s", "/env/name", "String 007",
			"/processing_pipelines/0/name", "String count", "/processing_pipelines/0/parallelism", "Integer 2", "/processing_pipelines/0/size", "BigInteger 12345678901234567890",
			"/processing_pipelines/0/when", "Integer 90",
		},
	}
	var checks []check
	for name, want := range meant {
		file := golden(t, "groot", name)
		checks = append(checks, check{name, Flink120, Call{"Yaml", []string{file}}, want, ""})
		inBase64 := groot.Delivery{Form: groot.Base64}.Args(file, nil)
		checks = append(checks, check{name + " in base64", Flink120, Call{"Base64Text", inBase64}, []string{file}, ""})
		document, err := groot.Parse(file)
		if err != nil {
			t.Fatal(err)
		}
		checks = append(checks, options(t, document)...)
		args := groot.Delivery{Form: groot.Inline, Argument: "--config"}.Args(file, []string{"--verbose", "true"})
		for _, world := range []World{Flink114, Flink120} {
			checks = append(checks, check{name + " as an argument", world, Call{"FlinkArgs", args}, []string{"config", file, "verbose", "true"}, ""})
		}
	}
	// What the documentation allows, and Flink does not read.
	for _, world := range []World{Flink114, Flink120} {
		checks = append(checks, check{"a buffer timeout of -1", world, Call{"FlinkOption", []string{"Duration", "-1"}}, nil, "-1"})
	}
	try(t, checks)
}

// options has Flink read each option that it would be given, under its own key.
func options(t *testing.T, document groot.Document) []check {
	t.Helper()
	given := maps.Clone(document.Flink)
	for attribute, value := range document.Env {
		if option, ok := groot.Lookup(attribute); ok && len(option.Flink) > 0 && len(value.List) == 0 {
			given[option.Flink[len(option.Flink)-1]] = value.Text
		}
	}
	read := map[string]string{"100": "100000000", "200": "200000000", "10000": "10000000000", "1000": "1000000000", "300000": "300000000000", "1 s": "1000000000", "5 min": "300000000000", "10 s": "10000000000"}
	var checks []check
	for key, value := range given {
		kind, known := flinkoptions.TypeOf("1.20.0", key)
		if !known {
			t.Errorf("Flink has no option %s", key)
		}
		want := value
		if kind == flinkoptions.Duration {
			want = read[value]
		}
		checks = append(checks, check{key, Flink120, Call{"FlinkOption", []string{string(kind), value}}, []string{want}, ""})
	}
	return checks
}

// golden is a file of an engine's package.
func golden(t *testing.T, engine, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", engine, "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(content), "\r\n", "\n")
}
