// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
)

// pythonCase is a value of one option, and what Flink is given for it.
type pythonCase struct{ value, key, rendered string }

// pythonCases are the attributes of python, by their paths. A value that
// another one has to fit is given with it.
func pythonCases() map[string]pythonCase {
	return map[string]pythonCase{
		"python.files":                                 {`files = ["/lib/a.py", "/lib/b.zip"]`, "python.files", "/lib/a.py,/lib/b.zip"},
		"python.archives":                              {`archives = [{ path = "/lib/venv.tgz", target = "venv" }, { path = "/lib/data.zip" }]`, "python.archives", "/lib/venv.tgz#venv,/lib/data.zip"},
		"python.requirements.file":                     {`requirements = { file = "/lib/requirements.txt" }`, "python.requirements", "/lib/requirements.txt"},
		"python.requirements.cached_dir":               {`requirements = { file = "/lib/requirements.txt", cached_dir = "/lib/wheels" }`, "python.requirements", "/lib/requirements.txt#/lib/wheels"},
		"python.executable":                            {`executable = "/venv/bin/python"`, "python.executable", "/venv/bin/python"},
		"python.client_executable":                     {`client_executable = "/venv/bin/python3"`, "python.client.executable", "/venv/bin/python3"},
		"python.fn_execution_bundle_size":              {`fn_execution_bundle_size = 500`, "python.fn-execution.bundle.size", "500"},
		"python.fn_execution_bundle_time":              {`fn_execution_bundle_time = "2 s"`, "python.fn-execution.bundle.time", "2000"},
		"python.fn_execution_arrow_batch_size":         {`fn_execution_arrow_batch_size = 200`, "python.fn-execution.arrow.batch.size", "200"},
		"python.fn_execution_memory_managed":           {`fn_execution_memory_managed = false`, "python.fn-execution.memory.managed", "false"},
		"python.map_state_iterate_response_batch_size": {`map_state_iterate_response_batch_size = 10`, "python.map-state.iterate-response-batch-size", "10"},
		"python.map_state_read_cache_size":             {`map_state_read_cache_size = 11`, "python.map-state.read-cache-size", "11"},
		"python.map_state_write_cache_size":            {`map_state_write_cache_size = 12`, "python.map-state.write-cache-size", "12"},
		"python.metric_enabled":                        {`metric_enabled = false`, "python.metric.enabled", "false"},
		"python.state_cache_size":                      {`state_cache_size = 13`, "python.state.cache-size", "13"},
		"python.execution_mode":                        {`execution_mode = "thread"`, "python.execution-mode", "thread"},
		"python.logging_default_level":                 {`logging_default_level = "WARN"`, "python.logging.default.level", "WARN"},
		"python.logging_level_overrides":               {`logging_level_overrides = { "py4j" = "ERROR", "a.b" = "DEBUG" }`, "python.logging.level.overrides", "a.b:DEBUG,py4j:ERROR"},
		"python.operator_chaining_enabled":             {`operator_chaining_enabled = false`, "python.operator-chaining.enabled", "false"},
		"python.profile_enabled":                       {`profile_enabled = true`, "python.profile.enabled", "true"},
		"python.pythonpath":                            {`pythonpath = "/a:/b"`, "python.pythonpath", "/a:/b"},
		"python.systemenv_enabled":                     {`systemenv_enabled = false`, "python.systemenv.enabled", "false"},
	}
}

func pythonOf(cases []pythonCase) string {
	values := make([]string, 0, len(cases))
	for _, c := range cases {
		values = append(values, c.value)
	}
	return "python = {\n    " + strings.Join(values, "\n    ") + "\n  }"
}

// TestFlow_FlinkJob_EachPythonOptionRestartsTheJobAndReachesFlink sets one
// option after the other on one job.
func TestFlow_FlinkJob_EachPythonOptionRestartsTheJobAndReachesFlink(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	jar := source(w.jar(t, "app.jar"))
	steps := []resource.TestStep{acctest.Apply(w.job(named, jar, cancel))}
	for _, attribute := range slices.Sorted(maps.Keys(pythonCases())) {
		c := pythonCases()[attribute]
		config := w.job(named, jar, cancel, pythonOf([]pythonCase{c}))
		steps = append(steps, acctest.Change(config, jobAddress, plancheck.ResourceActionUpdate,
			acctest.Is(jobAddress, "deployment.change", knownvalue.StringExact("stop with savepoint, start from it (python)")),
			acctest.Outside(func() error {
				job, err := w.only()
				if err != nil {
					return err
				}
				return equal(job.FlinkConfiguration[c.key], c.rendered)
			})))
	}
	acctest.RunFake(t, steps...)
}

func TestFlow_FlinkJob_PythonOptionsAreKeptInSpelling(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	jar := source(w.jar(t, "app.jar"))
	acctest.RunFake(t,
		acctest.Apply(w.job(named, jar, cancel, `python = { fn_execution_bundle_time = "2 s" }`)),
		acctest.Noop(w.job(named, jar, cancel, `python = { fn_execution_bundle_time = "2000ms" }`)),
		// An object without a value is as none.
		acctest.Change(w.job(named, jar, cancel, `python = {}`), jobAddress, plancheck.ResourceActionUpdate),
		acctest.Change(w.job(named, jar, cancel), jobAddress, plancheck.ResourceActionUpdate,
			acctest.Is(jobAddress, "deployment.generation", knownvalue.Int64Exact(2))),
	)
}

func TestFlow_FlinkJob_BadPythonOptionsFailThePlan(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	jar := source(w.jar(t, "app.jar"))
	for name, test := range map[string]struct {
		python string
		want   []string
	}{
		"a comma":           {`files = ["/lib/a,b.py"]`, []string{"python.files", "has a comma"}},
		"a # in a target":   {`archives = [{ path = "/a.zip", target = "x#y" }]`, []string{"has a #"}},
		"no such archive":   {`executable = "venv/bin/python"`, []string{"in no archive", "target"}},
		"zero":              {`fn_execution_bundle_size = 0`, []string{"python.fn_execution_bundle_size", "1 to 2147483647"}},
		"another word":      {`execution_mode = "threads"`, []string{"process", "thread"}},
		"a bare number":     {`fn_execution_bundle_time = "1000"`, []string{"python.fn_execution_bundle_time", "unit"}},
		"set twice":         {"files = [\"/a.py\"]\n  }\n  configuration = {\n    \"python.files\" = \"/b.py\"", []string{"set twice"}},
		"a level that none": {`logging_level_overrides = { a = "LOUD" }`, []string{"not known"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			acctest.RunFake(t, acctest.Fails(w.job(named, jar, cancel, "python = {\n    "+test.python+"\n  }"), test.want...))
		})
	}
}

func TestFlow_FlinkJob_AnArrowBatchAboveTheBundleWarns(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var warnings acctest.Warnings
	acctest.RunFakeWarned(t, &warnings,
		acctest.Apply(w.job(named, source(w.jar(t, "app.jar")), cancel, `python = {
    fn_execution_arrow_batch_size = 300
    fn_execution_bundle_size      = 200
  }`), warnings.InState("python.fn_execution_arrow_batch_size", "An Arrow batch of 300 is larger than a bundle of 200")))
}

func TestFlow_FlinkJob_ABundleComesBeforeOtherFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.upload(t, "udfs-"+strings.Repeat("1", 32)+".jar", []byte("zip"))
	requirements := w.upload(t, "udfs-"+strings.Repeat("1", 32)+"-requirements.jar", []byte("six"))
	bundle := `bundle = { id = "` + id + `", sha256 = "` + strings.Repeat("1", 64) + `" }`
	const uploads = "/fake/flink-web-upload/"
	seen := func(files string) resource.TestStep {
		return acctest.Noop(w.job(named, source(w.jar(t, "app.jar")), cancel, bundle, files))
	}
	sent := func(files, want string) resource.TestStep {
		return acctest.Apply(w.job(named, source(w.jar(t, "app.jar")), cancel, bundle, files), acctest.Outside(func() error {
			job, err := w.only()
			if err != nil {
				return err
			}
			if err := equal(job.FlinkConfiguration["python.files"], want); err != nil {
				return err
			}
			return equal(job.FlinkConfiguration["python.requirements"], uploads+requirements)
		}))
	}
	acctest.RunFake(t,
		sent("", uploads+id),
		sent(`python = { files = ["/lib/a.py"] }`, uploads+id+",/lib/a.py"),
		seen(`python = { files = ["/lib/a.py"] }`),
		sent(`configuration = { "python.files" = "/lib/b.py" }`, uploads+id+",/lib/b.py"),
	)
}

func TestFlow_FlinkJob_ABundleThatIsGoneStopsNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	jar := source(w.jar(t, "app.jar"))
	acctest.RunFake(t,
		acctest.Apply(w.job(named, jar, cancel)),
		acctest.Fails(w.job(named, jar, cancel, `bundle = { id = "x_udfs.jar", sha256 = "`+strings.Repeat("1", 64)+`" }`), "The cluster has no bundle x_udfs.jar", "uploaded again"),
		acctest.Noop(w.job(named, jar, cancel)),
	)
}
