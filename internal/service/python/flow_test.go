// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package python_test

import (
	"archive/zip"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	fwresource "github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/bundle"
	client "github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/changes"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/python"
)

const (
	address    = "streaming_python_bundle.test"
	jobAddress = "streaming_flink_job.test"
	uploads    = "/fake/flink-web-upload/"
)

// world is one fake cluster and a directory with files.
type world struct {
	*flinkfake.Server
	dir string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	fake := flinkfake.New()
	t.Cleanup(fake.Close)
	return &world{Server: fake, dir: t.TempDir()}
}

// write makes a file below the world's directory.
func (w *world) write(t *testing.T, name, content string) {
	t.Helper()
	file := filepath.Join(w.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// path is that of a file or directory of the world.
func (w *world) path(name string) string { return filepath.ToSlash(filepath.Join(w.dir, name)) }

// bundle is a provider block and a bundle with these attributes.
func (w *world) bundle(attributes ...string) string {
	return acctest.Config{Owner: "team-a", Flink: w.URL()}.String() +
		fmt.Sprintf("resource \"streaming_python_bundle\" \"test\" {\n  name = \"udfs\"\n  %s\n}\n", strings.Join(attributes, "\n  "))
}

// withJob adds a job that runs on the bundle.
func (w *world) withJob(t *testing.T, bundle string, attributes ...string) string {
	t.Helper()
	jar := filepath.Join(w.dir, "app.jar")
	if err := os.WriteFile(jar, flinkfake.Jar("streaming.jobs.Counter"), 0o600); err != nil {
		t.Fatal(err)
	}
	return bundle + fmt.Sprintf("resource \"streaming_flink_job\" \"test\" {\n  name = \"counter\"\n  on_destroy = \"cancel\"\n  jar = { source = %q }\n"+
		"  bundle = { id = streaming_python_bundle.test.id, sha256 = streaming_python_bundle.test.sha256 }\n  %s\n}\n", filepath.ToSlash(jar), strings.Join(attributes, "\n  "))
}

// dirOf is a source_dir.
func (w *world) dirOf(name string) string { return fmt.Sprintf("source_dir = %q", w.path(name)) }

// hash is the content hash of files.
func hash(t *testing.T, files map[string]string) string {
	t.Helper()
	manifest, err := bundle.Read(t.Context(), bundle.Source{Files: files})
	if err != nil {
		t.Fatal(err)
	}
	return manifest.SHA256()
}

// names are those of the uploads that are bundles.
func (w *world) names() []string {
	var names []string
	for _, jar := range w.Jars() {
		if strings.HasPrefix(jar.Name, "udfs-") {
			names = append(names, jar.Name)
		}
	}
	slices.Sort(names)
	return names
}

func (w *world) holds(want ...string) func() error {
	return func() error {
		if got := w.names(); !slices.Equal(got, want) {
			return fmt.Errorf("the cluster has %q instead of %q", got, want)
		}
		return nil
	}
}

// lose deletes uploads behind the provider's back.
func (w *world) lose(t *testing.T, names []string) {
	t.Helper()
	transport, err := rest.New(rest.Config{Endpoint: w.URL()})
	if err != nil {
		t.Fatal(err)
	}
	for _, jar := range w.Jars() {
		if slices.Contains(names, jar.Name) {
			if err := client.New(transport).DeleteJar(t.Context(), jar.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func checks(all ...statecheck.StateCheck) []statecheck.StateCheck { return all }

// noopAfter does something, after which a plan is empty.
func noopAfter(config string, do func()) resource.TestStep {
	step := acctest.Noop(config)
	step.PreConfig = do
	return step
}

func nameOf(sha string) string { return "udfs-" + sha[:32] + ".jar" }

// live returns the one job that has not ended.
func (w *world) live() (flinkfake.JobSnapshot, error) {
	live := w.Live()
	if len(live) != 1 {
		return flinkfake.JobSnapshot{}, fmt.Errorf("%d live jobs instead of one", len(live))
	}
	return live[0], nil
}

func TestFlow_PythonBundle_ContentIsCreatedKeptChangedAndImported(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first, second := map[string]string{"a.py": "x = 1\n", "pkg/__init__.py": ""}, map[string]string{"a.py": "x = 2\n", "pkg/__init__.py": ""}
	for name, content := range first {
		w.write(t, "udfs/"+name, content)
	}
	config := w.bundle(w.dirOf("udfs"))
	shas := [2]string{hash(t, first), hash(t, second)}
	acctest.RunFake(t,
		resource.TestStep{
			Config: config,
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectKnownValue(address, acctest.At("sha256"), knownvalue.StringExact(shas[0])),
				plancheck.ExpectUnknownValue(address, acctest.At("id")),
			}},
			ConfigStateChecks: checks(
				acctest.Is(address, "file_count", knownvalue.Int64Exact(2)), acctest.Is(address, "size", knownvalue.Int64Exact(6)),
				acctest.Is(address, "manifest", knownvalue.MapSizeExact(2)), acctest.Is(address, "archive_sha256", knownvalue.NotNull()),
				acctest.Is(address, "archive_size", knownvalue.NotNull()), acctest.Outside(w.holds(nameOf(shas[0]))),
			),
		},
		acctest.Noop(config),
		resource.TestStep{
			PreConfig: func() { w.write(t, "udfs/a.py", second["a.py"]) }, Config: config,
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
				plancheck.ExpectKnownValue(address, acctest.At("sha256"), knownvalue.StringExact(shas[1])),
			}},
			// No job runs on the earlier one.
			ConfigStateChecks: checks(acctest.Outside(w.holds(nameOf(shas[1])))),
		},
		resource.TestStep{
			ResourceName: address, ImportState: true, ImportStateVerify: true,
			// Only the upload is on the cluster.
			ImportStateVerifyIgnore: []string{"name", "source_dir", "symlinks", "sha256", "archive_sha256", "archive_size", "size", "file_count", "manifest"},
		},
	)
	if left := w.names(); len(left) > 0 {
		t.Errorf("the destroy left %q", left)
	}
}

func TestFlow_PythonBundle_WhatIsNoContentIsNoChange(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(t, "udfs/a.py", "x = 1\n")
	w.write(t, "udfs/tests/a_test.py", "assert True\n")
	config := w.bundle(w.dirOf("udfs"), `excludes = ["tests"]`)
	acctest.RunFake(t,
		acctest.Apply(config),
		noopAfter(config, func() { w.write(t, "udfs/tests/a_test.py", "# another comment\n") }),
		noopAfter(config, func() { w.write(t, "udfs/__pycache__/a.cpython-311.pyc", "compiled") }),
		noopAfter(config, func() {
			when := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
			if err := os.Chtimes(filepath.Join(w.dir, "udfs", "a.py"), when, when); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(filepath.Join(w.dir, "udfs", "a.py"), 0o644); err != nil {
				t.Fatal(err)
			}
		}),
	)
}

func TestFlow_PythonBundle_C58_AnotherCheckoutIsNoDiff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(t, "one/udfs/a.py", "x = 1\n")
	w.write(t, "two/udfs/a.py", "x = 1\n")
	acctest.RunFake(t,
		acctest.Apply(w.bundle(w.dirOf("one/udfs"))),
		acctest.Noop(w.bundle(w.dirOf("two/udfs"))),
	)
}

func TestFlow_PythonBundle_ALostUploadComesBackAndRestartsNoJob(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	files := `files = { "a.py" = "x = 1", "requirements.txt" = "six==1.17.0" }`
	config := w.withJob(t, w.bundle(files, `requirements_file = "requirements.txt"`))
	sha := hash(t, map[string]string{"a.py": "x = 1", "requirements.txt": "six==1.17.0"})
	requirements := "udfs-" + sha[:32] + "-requirements.jar"
	var job string
	steps := []resource.TestStep{acctest.Apply(config, acctest.Outside(w.holds(requirements, nameOf(sha))), acctest.Outside(func() error {
		live, err := w.live()
		job = live.ID
		return err
	}))}
	// All uploads at once, then each alone.
	for _, lost := range [][]string{{requirements, nameOf(sha)}, {requirements}, {nameOf(sha)}} {
		step := acctest.Change(config, address, plancheck.ResourceActionCreate, acctest.Outside(w.holds(requirements, nameOf(sha))), acctest.Outside(func() error {
			live, err := w.live()
			if err == nil && live.ID != job {
				err = fmt.Errorf("job %s was restarted as %s", job, live.ID)
			}
			return err
		}))
		step.PreConfig = func() { w.lose(t, lost) }
		step.ConfigPlanChecks.PreApply = append(step.ConfigPlanChecks.PreApply, plancheck.ExpectResourceAction(jobAddress, plancheck.ResourceActionNoop))
		steps = append(steps, step)
	}
	acctest.RunFake(t, steps...)
}

func TestFlow_PythonBundle_ANewContentRestartsItsJobAndTheEarlierOneGoes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	config := func(code string) string { return w.withJob(t, w.bundle(fmt.Sprintf(`files = { "a.py" = %q }`, code))) }
	sent := func(code string) func() error {
		return func() error {
			live, err := w.live()
			if err != nil {
				return err
			}
			sha := hash(t, map[string]string{"a.py": code})
			if got := live.FlinkConfiguration["python.files"]; !strings.HasPrefix(got, uploads) || !strings.HasSuffix(got, nameOf(sha)) {
				return fmt.Errorf("the job has python.files = %q", got)
			}
			return w.holds(nameOf(sha))()
		}
	}
	acctest.RunFake(t,
		acctest.Apply(config("x = 1"), acctest.Outside(sent("x = 1"))),
		acctest.Noop(config("x = 1")),
		acctest.Change(config("x = 2"), jobAddress, plancheck.ResourceActionUpdate,
			acctest.Is(jobAddress, "deployment.change", knownvalue.StringExact("stop with savepoint, start from it (bundle)")), acctest.Outside(sent("x = 2"))),
	)
}

func TestFlow_PythonBundle_ADestroyLeavesWhatAJobRunsOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	files := `files = { "a.py" = "x = 1" }`
	var warnings acctest.Warnings
	acctest.RunFakeWarned(t, &warnings,
		acctest.Apply(strings.Replace(w.withJob(t, w.bundle(files)), `on_destroy = "cancel"`, `on_destroy = "detach"`, 1)),
		acctest.Apply(acctest.Config{Owner: "team-a", Flink: w.URL()}.String(), warnings.InState(`Python bundle "udfs" stays on the cluster`, "runs on it"),
			acctest.Outside(w.holds(nameOf(hash(t, map[string]string{"a.py": "x = 1"}))))),
	)
}

func TestFlow_PythonBundle_C50_AContentThatTheApplyMakesIsKnownAfterIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	config := func(code string) string {
		return w.withJob(t, w.bundle(`files = { "a.py" = terraform_data.code.output }`)) + fmt.Sprintf("resource \"terraform_data\" \"code\" {\n  input = %q\n}\n", code)
	}
	acctest.RunFake(t,
		resource.TestStep{
			Config:            config("x = 1"),
			ConfigPlanChecks:  resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectUnknownValue(address, acctest.At("sha256"))}},
			ConfigStateChecks: checks(acctest.Is(address, "sha256", knownvalue.StringExact(hash(t, map[string]string{"a.py": "x = 1"})))),
		},
		acctest.Noop(config("x = 1")),
		acctest.Change(config("x = 2"), jobAddress, plancheck.ResourceActionUpdate, acctest.Is(address, "sha256", knownvalue.StringExact(hash(t, map[string]string{"a.py": "x = 2"}))),
			acctest.Is(jobAddress, "restored_from", knownvalue.NotNull()), acctest.Outside(w.holds(nameOf(hash(t, map[string]string{"a.py": "x = 2"}))))),
		acctest.Noop(config("x = 2")),
	)
}

func TestFlow_PythonBundle_WhatWouldFailAJobFailsThePlan(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(t, "native/f.so", "\x7fELF\x02\x01\x01"+strings.Repeat("\x00", 11)+"\xb7\x00"+strings.Repeat("\x00", 44))
	w.write(t, "native/a.py", "")
	for name, test := range map[string]struct {
		attributes []string
		want       []string
	}{
		"no directory":        {[]string{w.dirOf("nowhere")}, []string{"is not there", "HCP Terraform"}},
		"no requirements":     {[]string{`files = { "a.py" = "" }`, `requirements_file = "r.txt"`}, []string{"r.txt is not in the bundle"}},
		"another machine":     {[]string{w.dirOf("native"), `target_platform = "linux_x86_64"`}, []string{"f.so"}},
		"no platform":         {[]string{w.dirOf("native"), `target_platform = "amd64"`}, []string{"Not a platform", "x86_64"}},
		"no pattern":          {[]string{w.dirOf("native"), `excludes = ["[a"]`}, []string{"Not a pattern"}},
		"too many files":      {[]string{`files = { "a.py" = "", "b.py" = "" }`, "max_files = 1"}, []string{"cannot be made", "max_files"}},
		"a name that is none": {[]string{`files = { "../a.py" = "" }`}, []string{"cannot be made", "a.py"}},
		"both":                {[]string{`files = { "a.py" = "" }`, w.dirOf("native")}, []string{"source_dir", "files"}},
		"neither":             {[]string{}, []string{"source_dir", "files"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			acctest.RunFake(t, acctest.Fails(w.bundle(test.attributes...), test.want...))
		})
	}
}

func TestFlow_PythonBundle_TheArchiveIsLeftWhereItWasAskedFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	file := filepath.Join(w.dir, "out", "udfs.zip")
	config := func(more string) string { return w.bundle(`files = { "a.py" = "x = 1" }`, more) }
	acctest.RunFake(t,
		acctest.Apply(config("")),
		acctest.Change(config(fmt.Sprintf("archive_path = %q", filepath.ToSlash(file))), address, plancheck.ResourceActionUpdate, acctest.Outside(func() error {
			archive, err := zip.OpenReader(file)
			if err != nil {
				return err
			}
			defer func() { _ = archive.Close() }()
			if len(archive.File) != 1 || archive.File[0].Name != "a.py" {
				return fmt.Errorf("the archive has %d files", len(archive.File))
			}
			return nil
		})),
		// Nothing reads it.
		noopAfter(config(fmt.Sprintf("archive_path = %q", filepath.ToSlash(file))), func() {
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
		}),
	)
}

// bundleCases are the attributes that the tests of this file change.
var bundleCases = []string{"name", "source_dir", "files", "includes", "excludes", "symlinks", "requirements_file", "target_platform", "archive_path", "max_files", "max_size"}

func TestFlow_PythonBundle_EachAttributeDoesWhatItsPlanSays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	table := python.Changes()[python.BundleType]
	base := `files = { "a.py" = "x = 1", "b.py" = "", "r.txt" = "six==1.17.0" }`
	steps := []resource.TestStep{acctest.Apply(w.bundle(base))}
	// Each value, what of it is unknown at plan, and back.
	for _, c := range []struct{ attribute, after string }{
		{"includes", base + "\n  includes = [\"a.py\", \"r.txt\"]"},
		{"excludes", base + "\n  excludes = [\"b.py\"]"},
		{"requirements_file", base + "\n  requirements_file = \"r.txt\""},
		{"files", `files = { "a.py" = "x = 2" }`},
		{"symlinks", base + "\n  symlinks = \"skip\""},
		{"target_platform", base + "\n  target_platform = \"any\""},
		{"max_files", base + "\n  max_files = 10"},
		{"max_size", base + "\n  max_size = \"1mb\""},
	} {
		row, _ := table.Row(c.attribute)
		for _, config := range []string{c.after, base} {
			step := acctest.Change(w.bundle(config), address, plancheck.ResourceActionUpdate)
			if uploads := row.Class == changes.InPlace && c.attribute != "symlinks"; uploads {
				step.ConfigPlanChecks.PreApply = append(step.ConfigPlanChecks.PreApply, plancheck.ExpectUnknownValue(address, acctest.At("id")))
			} else {
				step.ConfigPlanChecks.PreApply = append(step.ConfigPlanChecks.PreApply, plancheck.ExpectKnownValue(address, acctest.At("id"), knownvalue.NotNull()))
			}
			steps = append(steps, step)
		}
	}
	renamed := strings.Replace(w.bundle(base), `name = "udfs"`, `name = "other"`, 1)
	named := acctest.Change(renamed, address, plancheck.ResourceActionUpdate)
	named.ConfigPlanChecks.PreApply = append(named.ConfigPlanChecks.PreApply, plancheck.ExpectKnownValue(address, acctest.At("id"), knownvalue.NotNull()))
	steps = append(steps, named, acctest.Apply(w.bundle(base, `max_size = "1mb"`)), acctest.Noop(w.bundle(base, `max_size = "1024 kb"`)))
	acctest.RunFake(t, steps...)
}

func TestChanges_EachAttributeOfABundleHasARowAndACase(t *testing.T) {
	t.Parallel()
	table := python.Changes()[python.BundleType]
	var resp fwresource.SchemaResponse
	python.NewBundleResource().Schema(t.Context(), fwresource.SchemaRequest{}, &resp)
	for _, problem := range table.Check(resp.Schema) {
		t.Error(problem)
	}
	for _, row := range table.Settable() {
		if !slices.Contains(bundleCases, row.Attribute) {
			t.Errorf("no case changes %s", row.Attribute)
		}
	}
}
