// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/changes"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/jobkind"
)

const (
	pythonAddress = "streaming_flink_python_job.test"
	bundleAddress = "streaming_python_bundle.udfs"
	pythonDriver  = "org.apache.flink.client.python.PythonDriver"
)

// pythonJobCases are the attributes of a Python job's own, each of which a test
// in this file changes; the others are those of every job.
var pythonJobCases = []string{"jar.id", "jar.source", "jar.url", "jar.sha256", "module", "file", "args"}

// sharedAttributes are those that every kind of job has. What they do is code
// that all kinds share, and is tried on the jar kind.
func sharedAttributes() []string {
	var shared []string
	for _, row := range jobkind.Changes().Settable() {
		shared = append(shared, row.Attribute)
	}
	return shared
}

// driver writes a jar with PyFlink's launcher under this name.
func (w *world) driver(t *testing.T, name string, extra ...string) string {
	t.Helper()
	file := filepath.Join(w.dir, name)
	if err := os.WriteFile(file, flinkfake.Jar(pythonDriver, extra...), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// pythonConfig is a bundle with a program of this text, and a job that runs it.
func (w *world) pythonConfig(text string, attributes ...string) string {
	bundle := fmt.Sprintf("resource \"streaming_python_bundle\" \"udfs\" {\n  name  = \"udfs\"\n  files = { \"enrich_job.py\" = %q, \"jobs/other.py\" = \"\" }\n}\n", text)
	return w.provider() + bundle + resourceBlock("streaming_flink_python_job", append([]string{
		`name = "enrich"`, cancel, "bundle = { id = " + bundleAddress + ".id, sha256 = " + bundleAddress + ".sha256 }",
	}, attributes...)...)
}

const enrich = `module = "enrich_job"`

// ran checks how the launcher was called by the one job that lives.
func (w *world) ran(args ...string) func() error {
	return func() error {
		job, err := w.only()
		if err != nil {
			return err
		}
		if !slices.Equal(job.Args, args) || job.EntryClass != pythonDriver {
			return fmt.Errorf("the launcher %s was called with %q instead of %q", job.EntryClass, job.Args, args)
		}
		return nil
	}
}

func TestFlow_FlinkPythonJob_IsCreatedUpgradedWithStateAndImported(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	jar := source(w.driver(t, "flink-python.jar"))
	args := `args = ["--name", "enrich", "-py", ""]`
	first := w.pythonConfig("# 1", enrich, jar, args)
	acctest.RunFake(t,
		acctest.Apply(first, acctest.Is(pythonAddress, "status", knownvalue.StringExact("RUNNING")),
			// What follows the dashes is the program's, whatever it is called.
			acctest.Outside(w.ran("-pym", "enrich_job", "--", "--name", "enrich", "-py", ""))),
		acctest.Noop(first),
		acctest.Change(w.pythonConfig("# 2", enrich, jar, args), pythonAddress, plancheck.ResourceActionUpdate,
			acctest.Is(pythonAddress, "deployment.change", knownvalue.StringExact("stop with savepoint, start from it (bundle)")),
			acctest.Is(pythonAddress, "restored_from", knownvalue.NotNull())),
		resource.TestStep{
			ResourceName: pythonAddress, ImportState: true, ImportStateId: "name:enrich", ImportStateVerify: true,
			// Flink cannot tell what a job was started with.
			ImportStateVerifyIgnore: []string{
				"id", "jar", "module", "args", "bundle", "upgrade", "on_destroy", "on_finished", "adopt_existing", "cluster_moved",
				"savepoint_path", "last_checkpoint_path", "deployment", "started_at",
			},
		},
	)
}

func TestFlow_FlinkPythonJob_EachAttributeOfItsOwnDoesWhatThePlanSays(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		attribute string
		// before and after are the attributes of the job; reason is why it restarts, empty for no restart.
		before, after func(w *world, t *testing.T) string
		reason        string
	}{
		{"module", one(enrich), one(`module = "jobs.other"`), "module"},
		{"file", one(enrich), one(`file = "jobs/other.py"`), "module"},
		{"file", one(enrich), one(`file = "enrich_job.py"`), ""},
		{"args", one(enrich), one(enrich + "\n  args = [\"--name\", \"x\"]"), "args"},
		{
			"jar.sha256", func(w *world, t *testing.T) string { return enrich + "\n  " + source(w.driver(t, "flink-python.jar")) },
			func(w *world, t *testing.T) string { return enrich + "\n  " + source(w.driver(t, "other.jar", "2")) }, "jar",
		},
		{
			"jar.source", func(w *world, t *testing.T) string { return enrich + "\n  " + source(w.driver(t, "flink-python.jar")) },
			func(w *world, t *testing.T) string { return enrich + "\n  " + source(w.driver(t, "copied.jar")) }, "",
		},
	} {
		t.Run(test.attribute+" "+test.reason, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.upload(t, "flink-python-2.3.0.jar", flinkfake.Jar(pythonDriver))
			checked := acctest.Is(pythonAddress, "deployment.generation", knownvalue.Int64Exact(1))
			if test.reason != "" {
				checked = acctest.Is(pythonAddress, "deployment.change", knownvalue.StringExact("stop with savepoint, start from it ("+test.reason+")"))
			}
			acctest.RunFake(t,
				acctest.Apply(w.pythonConfig("", test.before(w, t))),
				acctest.Change(w.pythonConfig("", test.after(w, t)), pythonAddress, plancheck.ResourceActionUpdate, checked),
			)
		})
	}
}

// one is the same attribute in each world.
func one(attribute string) func(*world, *testing.T) string {
	return func(*world, *testing.T) string { return attribute }
}

func TestFlow_FlinkPythonJob_FindsTheClustersOwnFlinkPython(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	acctest.RunFake(t,
		acctest.Fails(w.pythonConfig("", enrich), "flink-python-2.3.0.jar", "opt", "python_jar"),
		resource.TestStep{
			PreConfig: func() {
				w.upload(t, "flink-python-1.20.5.jar", flinkfake.Jar(counter))
				w.upload(t, "flink-python-2.3.0.jar", flinkfake.Jar(pythonDriver))
			},
			Config: w.pythonConfig("", enrich), ConfigStateChecks: []statecheck.StateCheck{acctest.Outside(w.ran("-pym", "enrich_job", "--"))},
		},
		acctest.Noop(w.pythonConfig("", enrich)),
	)
}

// TestFlow_FlinkPythonJob_UploadsFlinkPythonOnceForAllJobs takes the file from
// the provider configuration.
func TestFlow_FlinkPythonJob_UploadsFlinkPythonOnceForAllJobs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	file := w.driver(t, "flink-python-2.3.0.jar")
	config := func(names ...string) string {
		text := strings.Replace(w.pythonConfig("", enrich), "endpoint = ", fmt.Sprintf("python_jar = %q\n    endpoint = ", filepath.ToSlash(file)), 1)
		for _, name := range names {
			text += strings.ReplaceAll(resourceBlock("streaming_flink_python_job", fmt.Sprintf("name = %q", name), cancel, enrich,
				"bundle = { id = "+bundleAddress+".id, sha256 = "+bundleAddress+".sha256 }"), `"test"`, fmt.Sprintf("%q", name))
		}
		return text
	}
	uploads := func() error {
		count := 0
		for _, jar := range w.Jars() {
			if strings.HasPrefix(jar.Name, "flink-python") {
				count++
			}
		}
		if count != 1 {
			return fmt.Errorf("%d uploads of flink-python", count)
		}
		return nil
	}
	acctest.RunFake(t,
		acctest.Apply(config("a", "b"), acctest.Outside(uploads)),
		acctest.Noop(config("a", "b")),
		// A job that goes leaves it to the others.
		acctest.Apply(config("b"), acctest.Outside(uploads)),
		acctest.Noop(config("b")),
	)
}

// TestFlow_FlinkPythonJob_TheJarThatItWasFoundInStays destroys the resource of
// flink-python while a job runs that found it by its name.
func TestFlow_FlinkPythonJob_TheJarThatItWasFoundInStays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	jar := resourceBlock("streaming_flink_jar", fmt.Sprintf("source = %q", filepath.ToSlash(w.driver(t, "flink-python-2.3.0.jar"))))
	var warnings acctest.Warnings
	acctest.RunFakeWarned(t, &warnings,
		acctest.Apply(w.provider()+jar),
		acctest.Apply(w.pythonConfig("", enrich)+jar),
		acctest.Apply(w.pythonConfig("", enrich), warnings.InState("stays on the cluster", "runs from it")),
		acctest.Noop(w.pythonConfig("", enrich)),
	)
}

// TestFlow_FlinkPythonJob_AModuleThatIsNotThereIsNamed is about a program that
// ends before Python could make a traceback of it.
func TestFlow_FlinkPythonJob_AModuleThatIsNotThereIsNamed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	jar := source(w.driver(t, "flink-python.jar"))
	acctest.RunFake(t,
		acctest.Fails(w.pythonConfig("", strings.ReplaceAll(enrich, "enrich_job", "enrich_jobb"), jar), `module = "enrich_jobb"`, "The Python program failed", "No module named enrich_jobb", "Nothing was started"),
		acctest.Fails(w.pythonConfig("", enrich, jar, `args = ["--count", "many"]`), "error: ", "many"),
		acctest.Apply(w.pythonConfig("", enrich, jar)),
	)
}

func TestFlow_FlinkPythonJob_AProgramThatDoesNotStartLeavesTheOldOneRunning(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	jar := source(w.driver(t, "flink-python.jar"))
	acctest.RunFake(t,
		acctest.Apply(w.pythonConfig("", enrich, jar)),
		acctest.Fails(w.pythonConfig("", enrich, jar, `args = ["--crash"]`), "the old one runs again from the savepoint", "ValueError: the program was asked to crash"),
		acctest.Apply(w.pythonConfig("", enrich, jar), acctest.Outside(w.ran("-pym", "enrich_job", "--"))),
	)
}

// TestFlow_FlinkPythonJob_TwoExecutesLeaveNothingRunning is about a program with
// several jobs, of which Flink tells nothing but an exit code.
func TestFlow_FlinkPythonJob_TwoExecutesLeaveNothingRunning(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	acctest.RunFake(t, acctest.Fails(w.pythonConfig("", enrich, source(w.driver(t, "flink-python.jar")), `args = ["--twice"]`), "failed after it had submitted its job, which was cancelled", "execute() more than once"))
	if jobs := w.Live(); len(jobs) > 0 {
		t.Errorf("these run: %+v", jobs)
	}
}

// TestFlow_FlinkPythonJob_AnIDThatFlinkRemembersIsNotUsedAgain is about a job
// that was destroyed and expired: only the log of the JobManager tells that its
// id is refused.
func TestFlow_FlinkPythonJob_AnIDThatFlinkRemembersIsNotUsedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	jar := source(w.driver(t, "flink-python.jar"))
	config := w.pythonConfig("", enrich, jar)
	acctest.RunFake(t,
		acctest.Apply(config),
		acctest.Apply(w.provider()),
		resource.TestStep{
			PreConfig: func() { w.Advance(2 * time.Hour) }, Config: config,
			ConfigStateChecks: []statecheck.StateCheck{acctest.Is(pythonAddress, "deployment.generation", knownvalue.Int64Exact(2))},
		},
		acctest.Noop(config),
	)
}

func TestFlow_FlinkPythonJob_ATypoInModuleOrFileFailsThePlan(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, test := range map[string]struct {
		attributes string
		want       []string
	}{
		"a file as module": {`module = "enrich_job.py"`, []string{"set file, or leave out .py"}},
		"a path as module": {`module = "jobs/enrich"`, []string{"name of a module"}},
		"no Python file":   {`file = "enrich.txt"`, []string{".py file"}},
		"outside":          {`file = "../enrich.py"`, []string{".py file"}},
		"both":             {enrich + "\n  file = \"enrich_job.py\"", []string{"module", "file"}},
		"neither":          {"", []string{"module"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			acctest.RunFake(t, acctest.Fails(w.pythonConfig("", test.attributes), test.want...))
		})
	}
}

func TestChanges_OfAPythonJobAreThoseOfEveryJobAndItsOwn(t *testing.T) {
	t.Parallel()
	table := flink.Changes()[flink.PythonJobType]
	for _, attribute := range append(sharedAttributes(), pythonJobCases...) {
		if row, ok := table.Row(attribute); !ok || row.Class == changes.Computed {
			t.Errorf("%s has no row, or cannot be set", attribute)
		}
	}
}
