// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink

import (
	"strings"
	"testing"
)

// The lines are of a real JobManager, of Flink 2.3.0 and of its usual layout.
func TestLastPython_IsWhatTheLastProgramWrote(t *testing.T) {
	t.Parallel()
	const crash = `2026-11-30 15:49:39,155 INFO  PythonDriver - --------------------------- Python Process Started --------------------------
2026-11-30 15:49:39,744 INFO  PythonDriver - Traceback (most recent call last):
2026-11-30 15:49:39,749 INFO  PythonDriver -   File "<frozen runpy>", line 198, in _run_module_as_main
2026-11-30 15:49:39,800 INFO  Other - something in between
2026-11-30 15:49:39,750 INFO  PythonDriver - ValueError: the program was asked to crash
2026-11-30 15:49:39,902 INFO  PythonDriver - --------------------------- Python Process Exited ---------------------------
2026-11-30 15:49:39,903 ERROR PythonDriver - Run python process failed
java.lang.RuntimeException: Python process exits with code: 1
`
	const usual = `2026-11-30 15:50:12,300 INFO  org.apache.flink.client.python.PythonDriver                   [] - --------------------------- Python Process Started --------------------------
2026-11-30 15:50:12,404 INFO  org.apache.flink.client.python.PythonDriver                   [] - Traceback (most recent call last):
2026-11-30 15:50:12,409 INFO  org.apache.flink.client.python.PythonDriver                   [] - py4j.protocol.Py4JJavaError: An error occurred while calling o8.execute.
2026-11-30 15:50:12,410 INFO  org.apache.flink.client.python.PythonDriver                   [] - Caused by: org.apache.flink.runtime.client.DuplicateApplicationSubmissionException: Application has already been submitted.
`
	const well = `2026-11-30 15:51:12,300 INFO  PythonDriver - --------------------------- Python Process Started --------------------------
2026-11-30 15:51:12,404 INFO  PythonDriver - hello
`
	// A module that is not there has no traceback.
	const missing = `2026-11-30 19:05:20,356 INFO  PythonDriver - --------------------------- Python Process Started --------------------------
2026-11-30 19:05:20,433 INFO  PythonDriver - /opt/venv/bin/python: No module named enrich_jobb
2026-11-30 19:05:20,452 INFO  PythonDriver - --------------------------- Python Process Exited ---------------------------
2026-11-30 19:05:20,453 ERROR PythonDriver - Run python process failed
java.lang.RuntimeException: Python process exits with code: 1
`
	for name, test := range map[string][2]string{
		"none":              {"2026-11-30 15:49:15,402 WARN  Other - x\n", ""},
		"a crash":           {crash, "Traceback (most recent call last):\n  File \"<frozen runpy>\", line 198, in _run_module_as_main\nValueError: the program was asked to crash"},
		"another layout":    {crash + usual, "Traceback (most recent call last):\npy4j.protocol.Py4JJavaError: An error occurred while calling o8.execute.\nCaused by: org.apache.flink.runtime.client.DuplicateApplicationSubmissionException: Application has already been submitted."},
		"a program after":   {crash + well, "hello"},
		"no traceback":      {crash + missing, "/opt/venv/bin/python: No module named enrich_jobb"},
		"cut in the middle": {crash[strings.Index(crash, "ValueError")-60:], ""},
	} {
		if got := lastPython(test[0]); got != test[1] {
			t.Errorf("%s: %q", name, got)
		}
	}
}
