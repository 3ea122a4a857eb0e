// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package rest_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
)

// recorded reads the joined messages of an answer that a real Flink 2.3.0 gave.
func recorded(t testing.TB, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", "traces", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Errors []string `json:"errors"`
	}
	if err := json.Unmarshal(content, &answer); err != nil {
		t.Fatal(err)
	}
	return strings.Join(answer.Errors, "\n")
}

func TestRootCause_OfWhatRealFlinkAnswered(t *testing.T) {
	t.Parallel()
	wanted := map[string]string{
		"failing_main":         "main failed on purpose",
		"main_without_execute": "The program plan could not be fetched - the program aborted pre-maturely. The root cause may be that the main method doesn't call `env.execute()` or `env.executeAsync()`.",
		"malformed_job_id":     `Cannot parse JobID from "xx". The expected format is [0-9a-fA-F]{32}, e.g. fd72014d4c864993a2e5a9287b4a9c5d: NumberFormatException: For input string: "xx" under radix 16`,
		"parallelism_zero":     "Parallelism must be at least one, or ExecutionConfig.PARALLELISM_DEFAULT (use system default).",
		"unknown_entry_class":  "The program's entry point class 'streaming.jobs.Nope' was not found in the jar file.",
		"unknown_jar":          "Jar file /var/flink/upload/flink-web-upload/nope.jar does not exist",
		"unknown_job":          "FlinkJobNotFoundException: Could not find Flink job (00000000000000000000000000000001)",
		"unknown_job_status":   "FlinkJobNotFoundException: Could not find Flink job (00000000000000000000000000000001)",
		"unknown_route":        "Unable to load requested file /nope.",
		"unparsable_configuration": "Could not parse value 'abc' for key 'execution.checkpointing.interval': " +
			"NumberFormatException: text does not start with a number, and is not a valid ISO-8601 duration format: abc",
	}
	files, err := filepath.Glob(filepath.Join("testdata", "traces", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != len(wanted) {
		t.Errorf("%d recorded answers, but %d expectations", len(files), len(wanted))
	}
	for name, want := range wanted {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := rest.RootCause(recorded(t, name)).String(); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func TestRootCause_OfOtherTexts(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ trace, class, message string }{
		"empty":                          {"", "", ""},
		"only the frame of Flink":        {"Internal server error.", "", "Internal server error."},
		"plain text":                     {"session does not exist", "", "session does not exist"},
		"one exception":                  {"java.io.IOException: disk full\n\tat a.B.c(B.java:1)", "IOException", "disk full"},
		"exception without message":      {"java.io.IOException\n\tat a.B.c(B.java:1)", "IOException", ""},
		"nested in one line":             {"java.util.concurrent.CompletionException: org.apache.flink.runtime.JobException: Recovery is suppressed", "JobException", "Recovery is suppressed"},
		"inner class":                    {"a.b.Outer$InnerException: broken", "InnerException", "broken"},
		"innermost wins":                 {"a.AException: outer\n\tat x\nCaused by: b.BException: middle\n\t... 2 more\nCaused by: c.CException: inner\n\t... 3 more", "CException", "inner"},
		"plain wrapper without message":  {"a.AException: outer\nCaused by: java.lang.RuntimeException", "AException", "outer"},
		"telling class without message":  {"a.AException: outer\nCaused by: java.lang.OutOfMemoryError", "OutOfMemoryError", ""},
		"detail needs its context":       {"a.AException: cannot start\nCaused by: java.lang.NullPointerException", "AException", "cannot start: NullPointerException"},
		"detail said already":            {"a.AException: no class x.Y here\nCaused by: java.lang.ClassNotFoundException: x.Y", "AException", "no class x.Y here"},
		"detail alone":                   {"java.lang.NullPointerException: it is null", "NullPointerException", "it is null"},
		"class name as the message":      {"java.lang.ClassNotFoundException: com.example.Job", "ClassNotFoundException", "com.example.Job"},
		"a word with dots is no class":   {"com.example.thing is not there", "", "com.example.thing is not there"},
		"several lines become one":       {"a.AException: first\n  second\n\tat a.B.c(B.java:1)", "AException", "first second"},
		"what the program printed":       {"a.AException: first\n\nSystem.out: secret", "AException", "first"},
		"caused by inside of a message":  {"a.AException: this was Caused by: nobody", "AException", "this was Caused by: nobody"},
		"server side brackets":           {"Internal server error.\n<Exception on server side:\na.AException: x\n\tat y\n\nEnd of exception on server side>", "AException", "x"},
		"server side without any frames": {"Internal server error.\n<Exception on server side:\na.AException: x\nEnd of exception on server side>", "AException", "x"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := rest.RootCause(test.trace)
			if got.Class != test.class || got.Message != test.message {
				t.Errorf("got %q, %q; want %q, %q", got.Class, got.Message, test.class, test.message)
			}
		})
	}
}

func TestRootCause_IsCutAt500Characters(t *testing.T) {
	t.Parallel()
	got := rest.RootCause("a.AException: " + strings.Repeat("ü", 2000)).Message
	if utf8.RuneCountInString(got) != 500 || !strings.HasSuffix(got, "…") || !utf8.ValidString(got) {
		t.Errorf("%d characters, ending in %q", utf8.RuneCountInString(got), got[len(got)-6:])
	}
}

func TestHasClass_MatchesWholeNamesOnly(t *testing.T) {
	t.Parallel()
	trace := recorded(t, "unknown_job_status")
	for simple, want := range map[string]bool{
		"FlinkJobNotFoundException": true,
		"JobNotFoundException":      false,
		"FlinkJobNotFound":          false,
		"":                          false,
	} {
		if got := rest.HasClass(trace, simple); got != want {
			t.Errorf("HasClass(%q) = %v", simple, got)
		}
	}
}

func FuzzRootCause(f *testing.F) {
	for _, name := range []string{"failing_main", "main_without_execute", "malformed_job_id", "unknown_jar", "unparsable_configuration"} {
		f.Add(recorded(f, name))
	}
	f.Add("a.AException: x\nCaused by: b.BException\nCaused by: java.lang.NullPointerException")
	f.Fuzz(func(t *testing.T, trace string) {
		cause := rest.RootCause(trace)
		text := cause.String()
		if strings.ContainsAny(text, "\n\r\t") || strings.TrimSpace(text) != text {
			t.Errorf("not one clean line: %q", text)
		}
		if utf8.RuneCountInString(cause.Message) > 500 {
			t.Errorf("%d characters", utf8.RuneCountInString(cause.Message))
		}
		if cause.Class != "" && !rest.HasClass(trace, cause.Class) {
			t.Errorf("class %q is not in the trace", cause.Class)
		}
	})
}
