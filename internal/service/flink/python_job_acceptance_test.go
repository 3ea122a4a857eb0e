// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"archive/zip"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/jobs"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/local"
)

// udfs lays the Python programs of the tests out as a user's directory.
func (c *cluster) udfs(t *testing.T) string {
	t.Helper()
	programs, err := jobs.Python()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(c.dir, "udfs")
	if err := os.MkdirAll(filepath.Join(dir, "tests"), 0o700); err != nil {
		t.Fatal(err)
	}
	programs["tests/counter_test.py"] = []byte("# what the counter must say\n")
	for name, content := range programs {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// edit replaces a text in a file of the bundle.
func edit(t *testing.T, file, before, after string) {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(content), before) {
		t.Fatalf("%s has no %q", file, before)
	}
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(string(content), before, after)), 0o600); err != nil {
		t.Fatal(err)
	}
}

// bundled is a bundle of the directory.
func (c *cluster) bundled(dir string) string {
	return c.owned() + fmt.Sprintf("resource \"streaming_python_bundle\" \"udfs\" {\n  name       = \"udfs\"\n  source_dir = %q\n  excludes   = [\"tests\"]\n}\n", filepath.ToSlash(dir))
}

var saidLine = regexp.MustCompile(`COUNT label=(\S+) edition=(\w+) key=\d+ value=(\d+) count=(\d+)`)

// said are the values that a Python counter of this label printed in an
// edition. Each line has to count every number once.
func (c *cluster) said(t *testing.T, label, edition string) (values []int64) {
	t.Helper()
	content, err := os.ReadFile(c.Flink.TaskManagerOut)
	if err != nil {
		t.Fatal(err)
	}
	for _, match := range saidLine.FindAllStringSubmatch(string(content), -1) {
		if match[1] != label || match[2] != edition {
			continue
		}
		value, _ := strconv.ParseInt(match[3], 10, 64)
		count, _ := strconv.ParseInt(match[4], 10, 64)
		if count != value/5+1 {
			t.Errorf("%s counts otherwise than each number once", match[0])
		}
		values = append(values, value)
	}
	return values
}

// TestAcc_FlinkPythonJob_ABundleIsUpgradedWithItsStateAndComesBack is the life
// of a Python job, of which a program in Python keeps the state.
func TestAcc_FlinkPythonJob_ABundleIsUpgradedWithItsStateAndComesBack(t *testing.T) {
	t.Parallel()
	c := ownEngine(t, local.Config{Python: true})
	dir := c.udfs(t)
	label := "life"
	config := c.bundled(dir) + fmt.Sprintf(`resource "streaming_flink_python_job" "test" {
  name          = "python counter"
  jar           = { source = %q }
  bundle        = { id = streaming_python_bundle.udfs.id, sha256 = streaming_python_bundle.udfs.sha256 }
  file          = "counter_job.py"
  args          = ["--label", %q]
  configuration = { "execution.checkpointing.interval" = "1 s" }
  on_destroy    = "cancel"
}
`, c.Flink.PythonJar, label)
	speaks := func(edition string) func() error {
		return func() error {
			eventually(t, "a record of the "+edition+" edition", func() bool { return len(c.said(t, label, edition)) > 0 })
			return nil
		}
	}
	// goesOn checks that an edition began with the number after the last one of the edition before.
	goesOn := func(before, after string) func() error {
		return func() error {
			_ = speaks(after)()
			was, is := c.said(t, label, before), c.said(t, label, after)
			if last, next := was[len(was)-1], is[0]; next != last+1 {
				return fmt.Errorf("the %s edition ended with %d, the %s began with %d", before, last, after, next)
			}
			return nil
		}
	}
	words := filepath.Join(dir, "counter_words.py")
	acctest.RunReal(t,
		acctest.Apply(config, acctest.Is(pythonAddress, "status", knownvalue.StringExact("RUNNING")), acctest.Outside(speaks("first"))),
		acctest.Noop(config),
		resource.TestStep{
			PreConfig: func() { edit(t, words, `EDITION = "first"`, `EDITION = "second"`) }, Config: config,
			ConfigPlanChecks:  resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(pythonAddress, plancheck.ResourceActionUpdate)}},
			ConfigStateChecks: []statecheck.StateCheck{acctest.Is(pythonAddress, "restored_from", knownvalue.NotNull()), acctest.Outside(goesOn("first", "second"))},
		},
		resource.TestStep{
			PreConfig: func() { edit(t, filepath.Join(dir, "tests", "counter_test.py"), "must", "has to") }, Config: config,
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
		},
		resource.TestStep{
			PreConfig: func() {
				eventually(t, "some checkpoints", func() bool { return len(c.said(t, label, "second")) > 100 })
				if err := os.RemoveAll(c.Flink.UploadDir); err != nil {
					t.Fatal(err)
				}
				c.crash(t)
			},
			Config: config,
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(bundleAddress, plancheck.ResourceActionCreate),
				plancheck.ExpectResourceAction(pythonAddress, plancheck.ResourceActionUpdate),
			}},
			ConfigStateChecks: []statecheck.StateCheck{
				acctest.Is(pythonAddress, "state", knownvalue.StringExact("running")), acctest.Is(pythonAddress, "restored_from", knownvalue.NotNull()),
				acctest.Outside(func() error {
					before := len(c.said(t, label, "second"))
					eventually(t, "records after the restart", func() bool { return len(c.said(t, label, "second")) > before })
					return nil
				}),
			},
		},
		acctest.Noop(config),
		// What the program fails of is in the log of the JobManager alone.
		acctest.Fails(strings.Replace(config, `args          = [`, `args          = ["--crash", `, 1), "the old one runs again", "ValueError: the program was asked to crash"),
		acctest.Noop(config),
		acctest.Fails(strings.Replace(config, `args          = [`, `args          = ["--twice", `, 1), "failed after it had submitted its job, which was cancelled"),
	)
}

func TestAcc_PythonBundle_IsAZipOnTheJobManagerAndComesBack(t *testing.T) {
	t.Parallel()
	c := realCluster(t)
	dir := c.udfs(t)
	// Of its own content, so that no other test's is deleted.
	edit(t, filepath.Join(dir, "counter_words.py"), "first", c.owner)
	config := c.bundled(dir)
	var path string
	acctest.RunReal(t,
		acctest.Apply(config, acctest.Is(bundleAddress, "cluster_path", knownvalue.StringFunc(func(v string) error {
			path = v
			archive, err := zip.OpenReader(v)
			if err != nil {
				return err
			}
			defer func() { _ = archive.Close() }()
			for _, file := range archive.File {
				if file.Name == "counter_job.py" {
					return nil
				}
			}
			return fmt.Errorf("%s has no counter_job.py at its root", v)
		}))),
		acctest.Noop(config),
		resource.TestStep{
			PreConfig: func() {
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
			},
			Config:           config,
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(bundleAddress, plancheck.ResourceActionCreate)}},
		},
	)
	if _, err := os.Stat(path); err == nil {
		t.Errorf("the destroy left %s", path)
	}
}
