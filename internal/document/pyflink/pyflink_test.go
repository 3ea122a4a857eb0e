// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pyflink_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/pyflink"
)

// plain has a good value of each option that is a single value, and what Flink
// is given for it.
var plain = map[string][3]string{
	"client_executable":                     {"/venv/bin/python", "python.client.executable", "/venv/bin/python"},
	"executable":                            {"venv/bin/python", "python.executable", "venv/bin/python"},
	"fn_execution_arrow_batch_size":         {"500", "python.fn-execution.arrow.batch.size", "500"},
	"fn_execution_bundle_size":              {"500", "python.fn-execution.bundle.size", "500"},
	"fn_execution_bundle_time":              {"2 s", "python.fn-execution.bundle.time", "2000"},
	"fn_execution_memory_managed":           {"false", "python.fn-execution.memory.managed", "false"},
	"map_state_iterate_response_batch_size": {"10", "python.map-state.iterate-response-batch-size", "10"},
	"map_state_read_cache_size":             {"11", "python.map-state.read-cache-size", "11"},
	"map_state_write_cache_size":            {"12", "python.map-state.write-cache-size", "12"},
	"metric_enabled":                        {"false", "python.metric.enabled", "false"},
	"state_cache_size":                      {"2147483647", "python.state.cache-size", "2147483647"},
	"execution_mode":                        {"thread", "python.execution-mode", "thread"},
	"logging_default_level":                 {"WARN", "python.logging.default.level", "WARN"},
	"operator_chaining_enabled":             {"true", "python.operator-chaining.enabled", "true"},
	"profile_enabled":                       {"true", "python.profile.enabled", "true"},
	"pythonpath":                            {"/a:/b", "python.pythonpath", "/a:/b"},
	"systemenv_enabled":                     {"false", "python.systemenv.enabled", "false"},
}

func TestRender_GivesFlinkEachOptionUnderItsKey(t *testing.T) {
	t.Parallel()
	options := pyflink.Options{
		Files:        []string{"/lib/a.py", "hdfs:///lib/b.zip"},
		Archives:     []pyflink.Archive{{Path: "/lib/venv.tgz", Target: "venv"}, {Path: "/lib/data.zip"}},
		Requirements: &pyflink.Requirement{File: "/lib/requirements.txt", CachedDir: "/lib/wheels"},
		Levels:       map[string]string{"py4j": "ERROR", "a.b": "DEBUG"},
		Plain:        map[string]string{},
	}
	want := map[string]string{
		"python.files":                   "/lib/a.py,hdfs:///lib/b.zip",
		"python.archives":                "/lib/venv.tgz#venv,/lib/data.zip",
		"python.requirements":            "/lib/requirements.txt#/lib/wheels",
		"python.logging.level.overrides": "a.b:DEBUG,py4j:ERROR",
	}
	for attribute, one := range plain {
		value, err := pyflink.Parse(attribute, one[0])
		if err != nil {
			t.Error(err)
		}
		options.Plain[attribute] = value
		want[one[1]] = one[2]
	}
	got := options.Render(pyflink.Bundle{})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if found := pyflink.Check(options); len(found) > 0 {
		t.Errorf("good options are not: %+v", found)
	}
	for _, option := range pyflink.Table() {
		if _, ok := got[option.Key]; !ok {
			t.Errorf("%s is not tried", option.Key)
		}
	}
}

func TestRender_PutsTheFilesOfABundleFirst(t *testing.T) {
	t.Parallel()
	bundle := pyflink.Bundle{Archive: "/up/1_udfs.jar", Requirements: "/up/2_requirements.jar"}
	got := pyflink.Options{Files: []string{"/lib/a.py"}}.Render(bundle)
	if diff := cmp.Diff(map[string]string{"python.files": "/up/1_udfs.jar,/lib/a.py", "python.requirements": "/up/2_requirements.jar"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	own := pyflink.Options{Requirements: &pyflink.Requirement{File: "/lib/r.txt"}}.Render(bundle)
	if own["python.requirements"] != "/lib/r.txt" {
		t.Errorf("the job's own requirements do not win: %v", own)
	}
	if nothing := (pyflink.Options{}).Render(pyflink.Bundle{}); len(nothing) != 0 {
		t.Errorf("nothing renders to %v", nothing)
	}
}

func TestParse_RefusesWhatFlinkWouldTakeForSomethingElse(t *testing.T) {
	t.Parallel()
	for attribute, values := range map[string][]string{
		"fn_execution_bundle_size":      {"0", "-1", "2147483648", "1k", "", "1.5"},
		"fn_execution_arrow_batch_size": {"0"},
		"fn_execution_bundle_time":      {"0 s", "1000", "1h30m", "100 us", ""},
		"state_cache_size":              {"0"},
		"metric_enabled":                {"TRUE", "yes", ""},
		"execution_mode":                {"threads", "Process", ""},
		"logging_default_level":         {"WARNING"},
		"files":                         {"a.py"},
		"no_such_option":                {"1"},
	} {
		for _, value := range values {
			if got, err := pyflink.Parse(attribute, value); err == nil {
				t.Errorf("%s = %q is taken as %q", attribute, value, got)
			}
		}
	}
}

func TestCheck_FindsWhatFlinkTakesWithoutAWord(t *testing.T) {
	t.Parallel()
	venv := []pyflink.Archive{{Path: "/lib/venv.zip", Target: "venv"}}
	set := func(pairs ...string) map[string]string {
		values := map[string]string{}
		for pair := range slices.Chunk(pairs, 2) {
			values[pair[0]] = pair[1]
		}
		return values
	}
	for name, test := range map[string]struct {
		options pyflink.Options
		// want is the attribute, the severity and a part of the summary; empty for no finding.
		attribute, part string
		severity        pyflink.Severity
	}{
		"a comma in a file":            {options: pyflink.Options{Files: []string{"/a,b.py"}}, attribute: "files", part: "comma"},
		"a # in a file":                {options: pyflink.Options{Files: []string{"/a#b.py"}}, attribute: "files", part: "has a #"},
		"a blank before a file":        {options: pyflink.Options{Files: []string{" b.py"}}, attribute: "files", part: "blank"},
		"an empty file":                {options: pyflink.Options{Files: []string{""}}, attribute: "files", part: "empty"},
		"a file on the web":            {options: pyflink.Options{Files: []string{"https://host/a.py"}}, attribute: "files", part: "web address"},
		"a file twice":                 {options: pyflink.Options{Files: []string{"/a.py", "/a.py"}}, attribute: "files", part: "twice", severity: pyflink.Doubtful},
		"a file of another kind":       {options: pyflink.Options{Files: []string{"/a.txt"}}, attribute: "files", part: "unusual", severity: pyflink.Doubtful},
		"a directory of files":         {options: pyflink.Options{Files: []string{"/lib/python"}}},
		"a comma in an archive":        {options: pyflink.Options{Archives: []pyflink.Archive{{Path: "/a,b.zip"}}}, attribute: "archives", part: "comma"},
		"a # in a target":              {options: pyflink.Options{Archives: []pyflink.Archive{{Path: "/a.zip", Target: "a#b"}}}, attribute: "archives", part: "has a #"},
		"one target twice":             {options: pyflink.Options{Archives: []pyflink.Archive{{Path: "/a.zip", Target: "x"}, {Path: "/b.zip", Target: "./x"}}}, attribute: "archives", part: "same target"},
		"one name twice":               {options: pyflink.Options{Archives: []pyflink.Archive{{Path: "/1/a.zip"}, {Path: "/2/a.zip"}}}, attribute: "archives", part: "same target"},
		"a target outside":             {options: pyflink.Options{Archives: []pyflink.Archive{{Path: "/a.zip", Target: "x/../../y"}}}, attribute: "archives", part: "outside"},
		"an absolute target":           {options: pyflink.Options{Archives: []pyflink.Archive{{Path: "/a.zip", Target: "/x"}}}, attribute: "archives", part: "outside"},
		"the directory itself":         {options: pyflink.Options{Archives: []pyflink.Archive{{Path: "/a.zip", Target: "."}}}, attribute: "archives", part: "itself"},
		"a format Flink has not":       {options: pyflink.Options{Archives: []pyflink.Archive{{Path: "/a.tar.XZ"}}}, attribute: "archives", part: "cannot extract"},
		"an archive without ending":    {options: pyflink.Options{Archives: []pyflink.Archive{{Path: "/a"}}}, attribute: "archives", part: "unusual", severity: pyflink.Doubtful},
		"capitals in an ending":        {options: pyflink.Options{Archives: []pyflink.Archive{{Path: "/a.TGZ"}}}},
		"a comma in requirements":      {options: pyflink.Options{Requirements: &pyflink.Requirement{File: "/a,b.txt"}}, attribute: "requirements", part: "comma"},
		"a # in a cached directory":    {options: pyflink.Options{Requirements: &pyflink.Requirement{File: "/a.txt", CachedDir: "/a#b"}}, attribute: "requirements", part: "has a #"},
		"an interpreter in no archive": {options: pyflink.Options{Archives: venv, Plain: set("executable", "env/bin/python")}, attribute: "executable", part: "in no archive"},
		"one in an archive":            {options: pyflink.Options{Archives: venv, Plain: set("executable", "./venv/bin/python")}},
		"one in an unnamed archive":    {options: pyflink.Options{Archives: []pyflink.Archive{{Path: "/v.zip"}}, Plain: set("executable", "v.zip/bin/python")}},
		"one on the PATH":              {options: pyflink.Options{Plain: set("executable", "python3.11")}},
		"one that may be in one":       {options: pyflink.Options{Plain: set("executable", "venv/bin/python"), Unknown: map[string]bool{"archives": true}}},
		"a client's relative one":      {options: pyflink.Options{Archives: venv, Plain: set("client_executable", "venv/bin/python")}, attribute: "client_executable", part: "relative", severity: pyflink.Doubtful},
		"a batch above a bundle":       {options: pyflink.Options{Plain: set("fn_execution_arrow_batch_size", "200", "fn_execution_bundle_size", "100")}, attribute: "fn_execution_arrow_batch_size", part: "larger", severity: pyflink.Doubtful},
		"one above the default":        {options: pyflink.Options{Plain: set("fn_execution_arrow_batch_size", "1001")}, attribute: "fn_execution_arrow_batch_size", part: "1000", severity: pyflink.Doubtful},
		"one of an unknown bundle":     {options: pyflink.Options{Plain: set("fn_execution_arrow_batch_size", "1001"), Unknown: map[string]bool{"fn_execution_bundle_size": true}}},
		"a small bundle alone":         {options: pyflink.Options{Plain: set("fn_execution_bundle_size", "10")}},
		"a level that is none":         {options: pyflink.Options{Levels: map[string]string{"a": "warning"}}, attribute: "logging_level_overrides", part: "not known"},
		"a logger that is none":        {options: pyflink.Options{Levels: map[string]string{"a:b": "WARN"}}, attribute: "logging_level_overrides", part: "name of a logger"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := pyflink.Check(test.options)
			if test.part == "" {
				if len(found) > 0 {
					t.Errorf("found %+v", found)
				}
				return
			}
			if len(found) != 1 || found[0].Attribute != test.attribute || found[0].Severity != test.severity || !strings.Contains(found[0].Summary, test.part) || found[0].Detail == "" {
				t.Errorf("found %+v", found)
			}
		})
	}
}

func TestTable_HasEachAttributeOnce(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, option := range pyflink.Table() {
		if seen[option.Attribute()] || option.What == "" {
			t.Errorf("%s: twice, or without a word", option.Key)
		}
		seen[option.Attribute()] = true
		if found, ok := pyflink.Lookup(option.Attribute()); !ok || found.Key != option.Key {
			t.Errorf("%s is not found by %s", option.Key, option.Attribute())
		}
	}
	if names := slices.Sorted(maps.Keys(seen)); len(names) != 21 {
		t.Errorf("%d options: %v", len(names), names)
	}
}
