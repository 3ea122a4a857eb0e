// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
)

func TestAction_EachCallTakesAnotherSavepoint(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	job := w.start(t, "orders")
	p := w.protocol(t)
	complete := regexp.MustCompile("^Savepoint of job " + job + ": (file:/+fake/elsewhere/.+)$")
	paths := map[string]bool{}
	for range 2 {
		said, problems := p.Invoke(t, "streaming_flink_savepoint", map[string]any{"job_id": job, "directory": "file:///fake/elsewhere", "format_type": "CANONICAL", "timeout": "1 min"})
		if len(problems) > 0 || len(said) < 2 || said[0] != "Taking a savepoint of job "+job {
			t.Fatalf("%q, %s", said, texts(problems))
		}
		match := complete.FindStringSubmatch(said[len(said)-1])
		if match == nil {
			t.Fatalf("%q", said)
		}
		paths[match[1]] = true
	}
	if len(paths) != 2 || len(w.Live()) != 1 {
		t.Errorf("%d savepoints, %d jobs that run", len(paths), len(w.Live()))
	}
}

func TestAction_SaysWhyThereIsNoSavepoint(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ended := w.start(t, "ended")
	w.end(t, ended)
	p := w.protocol(t)
	for name, test := range map[string]struct {
		config map[string]any
		want   string
	}{
		"no id":             {map[string]any{"job_id": "orders"}, "32 lower-case hex digits"},
		"a relative path":   {map[string]any{"job_id": ended, "directory": "savepoints"}, "must be an absolute path"},
		"an unknown format": {map[string]any{"job_id": ended, "format_type": "native"}, "NATIVE"},
		"no duration":       {map[string]any{"job_id": ended, "timeout": "1h30m"}, "1h30m"},
		"an ended job":      {map[string]any{"job_id": ended, "directory": "file:///fake/elsewhere"}, "Cannot take a savepoint of job " + ended},
		"an unknown job":    {map[string]any{"job_id": strings.Repeat("0", 32), "directory": "file:///fake/elsewhere"}, "Cannot take a savepoint of job 000"},
	} {
		_, problems := p.Invoke(t, "streaming_flink_savepoint", test.config)
		if len(problems) != 1 || !strings.Contains(problems[0].Summary+problems[0].Detail, test.want) {
			t.Errorf("%s: %s", name, texts(problems))
		}
	}
	if _, problems := acctest.NewProtocol(t, nil).Invoke(t, "streaming_flink_savepoint", map[string]any{"job_id": ended}); len(problems) != 1 || !strings.Contains(problems[0].Detail, "STREAMING_FLINK_ENDPOINT") {
		t.Errorf("without an endpoint: %+v", problems)
	}
}
