// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
)

func TestFlow_FlinkJob_C19_ASavepointPathIsCheckedBeforeAndAfterTheStart(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	f := w.behind(t, "")
	savepoint := w.savepoint(t)
	from := func(path string) string {
		return w.job(named, source(w.jar(t, "app.jar")), cancel, fmt.Sprintf("restore_from = %q", path))
	}
	var warnings acctest.Warnings
	warned := func(path string, words ...string) resource.TestStep {
		return resource.TestStep{
			Config: from(path), PlanOnly: true, ExpectNonEmptyPlan: true, PreConfig: func() { warnings.Take() },
			ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPreRefresh: []plancheck.PlanCheck{warnings.InPlan(words...)}},
		}
	}
	ignored := acctest.Fails(from(savepoint), `Cannot create Flink job "counter"`, "should have been restored from "+savepoint, "restored from nothing")
	ignored.PreConfig = func() {
		// An engine, or a program, that does not take the path starts from nothing, and says nothing.
		f.set(func(_ string, body []byte) []byte {
			return []byte(strings.ReplaceAll(string(body), `"savepointPath"`, `"savepoint_path"`))
		}, nil)
	}
	acctest.RunFakeWarned(t, &warnings,
		acctest.Fails(from("savepoints/x"), "restore_from", "must be an absolute path, or a path with a scheme"),
		warned("/tmp/x", "restore_from: The path is on the cluster's own disks", "has no scheme"),
		warned("file:///tmp/x", "restore_from: The path is on the cluster's own disks", "each JobManager and TaskManager"),
		warned("s3://bucket/savepoints"),
		acctest.Fails(from("file:///fake/outside"), "restore_from = ", "no savepoint right in the directory", "the savepoint or checkpoint itself"),
		ignored,
		resource.TestStep{PreConfig: func() { f.set(nil, nil) }, Config: from(savepoint), ConfigStateChecks: []statecheck.StateCheck{
			acctest.Outside(w.expectLive(func(path string) bool { return path == savepoint })),
		}},
	)
}

func TestFlow_FlinkJob_C20_StateThatFitsNoOperatorIsDroppedOnlyOnRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	file := source(w.jar(t, "app.jar"))
	config := func(attributes ...string) string { return w.job(append(attributes, named, file, cancel)...) }
	const noRollback, dropping = "upgrade = { rollback_on_failure = false }", "upgrade = {\n  rollback_on_failure = false\n  allow_non_restored_state = true\n}"
	other := args("--plain", "--uid", "other")
	var savepoint string
	var warnings acctest.Warnings
	acctest.RunFakeWarned(t, &warnings,
		acctest.Apply(config(noRollback)),
		// The flag alone restarts nothing.
		acctest.Apply(config(dropping), acctest.Is(jobAddress, "job_id", knownvalue.StringExact(w.id(1)))),
		acctest.Apply(config(noRollback)),
		acctest.Fails(config(noRollback, other), `Cannot change Flink job "counter"`, "does not fit the program", "upgrade.allow_non_restored_state = true"),
		resource.TestStep{
			PreConfig: func() { warnings.Take() },
			Config:    config(dropping, other),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectKnownValue(jobAddress, acctest.At("deployment.change"), knownvalue.StringFunc(func(text string) error {
					path, found := strings.CutPrefix(text, "start from savepoint ")
					savepoint, _, _ = strings.Cut(path, " ")
					if !found || !strings.Contains(savepoint, "/1/savepoint-") {
						return fmt.Errorf("the plan says %q", text)
					}
					return nil
				})),
				warnings.InPlan("upgrade.allow_non_restored_state: State may be dropped"),
			}},
			ConfigStateChecks: []statecheck.StateCheck{acctest.Outside(w.expectLive(func(path string) bool { return path == savepoint }))},
		},
	)
}

// Two jobs share a jar. Where the new version fails for one of them, it runs
// the old one again, whose file is still there.
func TestFlow_FlinkJob_C22_OfTwoJobsOfAJarOneFailsToUpgrade(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	file := w.jar(t, "v.jar", "1")
	jobs := func(second string) string {
		job := func(resourceName, name string, attributes ...string) string {
			return strings.Replace(resourceBlock("streaming_flink_job", append(attributes, fmt.Sprintf("name = %q", name), cancel,
				"jar = { id = streaming_flink_jar.test.id, sha256 = streaming_flink_jar.test.sha256 }")...), `"test"`, fmt.Sprintf("%q", resourceName), 1)
		}
		return w.jarConfig(file) + job("good", "good", args("--plain")) + job("bad", "bad", second)
	}
	running := func(wantVersions int) func() error {
		return func() error {
			live := w.Live()
			jars := map[string]bool{}
			for _, job := range live {
				jars[job.JarID] = true
				if job.RestoredFrom == "" {
					return fmt.Errorf("job %s was started without state", job.ID)
				}
			}
			uploaded := slices.DeleteFunc(w.Jars(), func(jar flinkfake.JarSnapshot) bool { return !strings.HasPrefix(jar.Name, "v-") })
			if len(live) != 2 || len(jars) != wantVersions || len(uploaded) != wantVersions {
				return fmt.Errorf("%d jobs run from %d jars, of %d", len(live), len(jars), len(uploaded))
			}
			return nil
		}
	}
	acctest.RunFake(t,
		acctest.Apply(jobs(args("--plain"))),
		resource.TestStep{
			PreConfig:   func() { w.jar(t, "v.jar", "2") },
			Config:      jobs(args("--plain", "--uid", "other")),
			ExpectError: acctest.InOrder(`Cannot change Flink job "bad"`, "the old one runs again from the savepoint"),
		},
		resource.TestStep{
			PreConfig: func() {
				if err := running(2)(); err != nil {
					t.Error(err)
				}
			},
			Config: jobs(args("--plain")),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction("streaming_flink_job.good", plancheck.ResourceActionNoop),
				plancheck.ExpectKnownValue("streaming_flink_job.bad", acctest.At("deployment.change"), knownvalue.StringExact("stop with savepoint, start from it (jar)")),
			}},
			ConfigStateChecks: []statecheck.StateCheck{acctest.Outside(running(1))},
		},
	)
}
