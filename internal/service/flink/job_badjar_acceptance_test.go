// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/jobs"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// misfit gives a jar another version, which does not start from the state of
// the earlier ones.
func misfit(t *testing.T, file string) {
	t.Helper()
	content, err := os.ReadFile(file)
	if err == nil {
		content, err = jobs.Misfit(content, rand.Text())
	}
	if err == nil {
		err = os.WriteFile(file, content, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// jarForms are the two ways to name a jar: what the job says, and what else the
// configuration holds.
var jarForms = map[string]func(file string) (jar, beside string){
	"the job's own jar": func(file string) (string, string) { return source(file), "" },
	"a jar resource": func(file string) (string, string) {
		return "jar = { id = streaming_flink_jar.test.id, sha256 = streaming_flink_jar.test.sha256 }",
			resourceBlock("streaming_flink_jar", fmt.Sprintf("source = %q", file))
	},
}

const every500ms = `configuration = { "execution.checkpointing.interval" = "500 ms" }`

// TestAcc_FlinkJob_AJarThatDoesNotStartIsRolledBack upgrades a job to a jar
// that does not start, plans again, and mends the jar.
func TestAcc_FlinkJob_AJarThatDoesNotStartIsRolledBack(t *testing.T) {
	t.Parallel()
	for name, form := range jarForms {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := realCluster(t)
			file := c.jar(t, "app.jar")
			jar, beside := form(file)
			config := c.owned() + beside + resourceBlock("streaming_flink_job", named, jar, cancel, every500ms)
			planned := plancheck.ExpectKnownValue(jobAddress, acctest.At("deployment.change"), knownvalue.StringExact("stop with savepoint, start from it (jar)"))
			acctest.RunReal(t,
				acctest.Apply(config, acctest.Outside(func() error {
					eventually(t, "100 records counted", func() bool { return highest(c.counts(t, c.job(1)), c.job(1)) > 100 })
					return nil
				})),
				resource.TestStep{
					PreConfig:        func() { misfit(t, file) },
					Config:           config,
					ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{planned}},
					ExpectError:      acctest.InOrder(`Cannot change Flink job "counter"`, "the old one runs again from the savepoint", "Cannot map checkpoint/savepoint state"),
				},
				resource.TestStep{
					PreConfig: func() {
						if err := c.wentOnWhere(t, 1, 3); err != nil {
							t.Fatal(err)
						}
					},
					Config: config, PlanOnly: true, ExpectNonEmptyPlan: true,
					ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPostRefresh: []plancheck.PlanCheck{planned}},
				},
				resource.TestStep{
					PreConfig: func() { c.mend(t, file) },
					Config:    config,
					ConfigStateChecks: []statecheck.StateCheck{
						acctest.Is(jobAddress, "job_id", knownvalue.StringExact(c.job(4))),
						acctest.Outside(func() error { return c.wentOnWhere(t, 3, 4) }),
					},
				},
				acctest.Noop(config),
			)
		})
	}
}

// mend gives a jar a version that fits the first one's state.
func (c *cluster) mend(t *testing.T, file string) {
	t.Helper()
	content, err := os.ReadFile(c.jar(t, "mended.jar"))
	if err == nil {
		err = os.WriteFile(file, content, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// wentOnWhere checks that of the test's job this generation alone runs, with
// the state with which an earlier one was stopped.
func (c *cluster) wentOnWhere(t *testing.T, stopped, runs int64) error {
	t.Helper()
	if err := c.onlyRuns(t, runs); err != nil {
		return err
	}
	checkpoints, err := c.client.Checkpoints(t.Context(), c.job(runs))
	if err != nil {
		return err
	}
	if restored := checkpoints.Latest.Restored; restored == nil || !strings.Contains(restored.Path, fmt.Sprintf("/%d/savepoint-", stopped)) {
		return fmt.Errorf("generation %d was restored from %+v, not from the savepoint of generation %d", runs, restored, stopped)
	}
	eventually(t, "more counted than before", func() bool {
		counts := c.counts(t, c.job(stopped), c.job(runs))
		return highest(counts, c.job(runs)) > highest(counts, c.job(stopped))
	})
	return exactlyOnce(c.counts(t, c.job(stopped), c.job(runs)))
}

// onlyRuns checks that of the test's job one generation has not ended, or none
// with 0.
func (c *cluster) onlyRuns(t *testing.T, wanted int64) error {
	t.Helper()
	all, err := c.client.Jobs(t.Context())
	if err != nil {
		return err
	}
	var ids []string
	for n := int64(1); n < 9; n++ {
		ids = append(ids, c.job(n))
	}
	var live []int64
	for _, job := range all {
		if n := slices.Index(ids, job.ID); n >= 0 && !job.State.Terminal() {
			live = append(live, int64(n)+1)
		}
	}
	if wanted == 0 && len(live) == 0 || len(live) == 1 && live[0] == wanted {
		return nil
	}
	return fmt.Errorf("generations %v run, instead of %d alone", live, wanted)
}

// TestAcc_FlinkJob_WithoutRollbackTheNextApplyStartsFromTheSavepoint upgrades a
// job to a jar that does not start, and mends the jar.
func TestAcc_FlinkJob_WithoutRollbackTheNextApplyStartsFromTheSavepoint(t *testing.T) {
	t.Parallel()
	for name, form := range jarForms {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := realCluster(t)
			file := c.jar(t, "app.jar")
			jar, beside := form(file)
			config := c.owned() + beside + resourceBlock("streaming_flink_job", named, jar, cancel, every500ms, "upgrade = { rollback_on_failure = false }")
			acctest.RunReal(t,
				acctest.Apply(config, acctest.Outside(func() error {
					eventually(t, "100 records counted", func() bool { return highest(c.counts(t, c.job(1)), c.job(1)) > 100 })
					return nil
				})),
				resource.TestStep{
					PreConfig:   func() { misfit(t, file) },
					Config:      config,
					ExpectError: acctest.InOrder(`Cannot change Flink job "counter"`, "Cannot map checkpoint/savepoint state"),
				},
				resource.TestStep{
					PreConfig: func() {
						if err := c.onlyRuns(t, 0); err != nil {
							t.Fatal(err)
						}
						c.mend(t, file)
					},
					Config: config,
					ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
						plancheck.ExpectKnownValue(jobAddress, acctest.At("deployment.change"),
							knownvalue.StringRegexp(regexp.MustCompile(`^start from savepoint \S+/1/savepoint-\S+ \(state suspended -> running, jar\)$`))),
					}},
					ConfigStateChecks: []statecheck.StateCheck{
						acctest.Is(jobAddress, "job_id", knownvalue.StringExact(c.job(3))),
						acctest.Outside(func() error { return c.wentOnWhere(t, 1, 3) }),
					},
				},
				acctest.Noop(config),
			)
		})
	}
}

// TestAcc_FlinkJar_OneOfTwoJobsDoesNotStartFromTheNewContent lets two jobs
// share a jar, whose new content fits the state of one of them alone.
func TestAcc_FlinkJar_OneOfTwoJobsDoesNotStartFromTheNewContent(t *testing.T) {
	t.Parallel()
	c := realCluster(t)
	file := c.jar(t, "app.jar")
	jar, beside := jarForms["a jar resource"](file)
	config := c.owned() + beside +
		resourceBlock("streaming_flink_job", named, jar, cancel, every500ms) +
		strings.Replace(resourceBlock("streaming_flink_job", `name = "fits"`, jar, cancel, every500ms, args("--plain", "--uid", "mine")), `"test"`, `"fits"`, 1)
	const fits = "streaming_flink_job.fits"
	fitsID := func(n int64) string {
		return lifecycle.JobID(lifecycle.UID(c.owner, c.endpoint, "streaming_flink_job", "fits"), n)
	}
	contents := func(want int) error {
		listed, err := c.client.Jars(t.Context())
		if err != nil {
			return err
		}
		running := map[string]bool{}
		for _, id := range []string{c.job(3), c.job(4), fitsID(2)} {
			job, err := c.client.JobConfig(t.Context(), id)
			if err == nil {
				marker, _ := lifecycle.ParseMarker(job.ExecutionConfig.UserConfig)
				running[marker.Jar] = true
			}
		}
		present := 0
		for sha := range running {
			if lifecycle.FindJar(listed, sha) != nil {
				present++
			}
		}
		if present != want || len(running) != want {
			return fmt.Errorf("the jobs need %d contents, of which %d are there; %d are expected", len(running), present, want)
		}
		return nil
	}
	acctest.RunReal(t,
		acctest.Apply(config),
		resource.TestStep{
			PreConfig:   func() { misfit(t, file) },
			Config:      config,
			ExpectError: acctest.InOrder(`Cannot change Flink job "counter"`, "the old one runs again from the savepoint", "Cannot map checkpoint/savepoint state"),
		},
		resource.TestStep{
			PreConfig: func() {
				state, _, err := c.client.Status(t.Context(), fitsID(2))
				if err == nil && state.Terminal() {
					err = fmt.Errorf("the job that fits is %s", state)
				}
				if err := errors.Join(err, c.wentOnWhere(t, 1, 3), contents(2)); err != nil {
					t.Fatal(err)
				}
			},
			Config: config, PlanOnly: true, ExpectNonEmptyPlan: true,
			ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPostRefresh: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(jobAddress, plancheck.ResourceActionUpdate),
				plancheck.ExpectResourceAction(fits, plancheck.ResourceActionNoop),
				plancheck.ExpectResourceAction(jarAddress, plancheck.ResourceActionNoop),
			}},
		},
		resource.TestStep{
			PreConfig: func() { c.mend(t, file) },
			Config:    config,
			ConfigStateChecks: []statecheck.StateCheck{
				acctest.Is(fits, "job_id", knownvalue.StringExact(fitsID(3))),
				acctest.Outside(func() error { return c.wentOnWhere(t, 3, 4) }),
			},
		},
		acctest.Noop(config),
	)
}
