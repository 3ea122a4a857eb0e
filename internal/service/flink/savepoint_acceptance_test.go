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

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// complete lists the complete savepoints below the test's directory.
func (c *cluster) complete(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(c.dir, "savepoints", "*", "*", "savepoint-*", "_metadata"))
	if err != nil {
		t.Fatal(err)
	}
	for i, file := range files {
		files[i] = "file:" + filepath.Dir(file)
	}
	return files
}

func (c *cluster) expectComplete(t *testing.T, want ...string) {
	t.Helper()
	got := c.complete(t)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the savepoints %q are there instead of %q", got, want)
	}
}

// cancel ends a job that a test runs itself.
func (c *cluster) cancel(t *testing.T, job string) {
	t.Helper()
	if err := c.client.Cancel(t.Context(), job); err != nil {
		t.Error(err)
	}
	eventually(t, "the job has ended", func() bool {
		state, known, err := c.client.Status(t.Context(), job)
		return err == nil && (!known || state.Terminal())
	})
}

// nightly is the configuration of a savepoint of a job.
func (c *cluster) nightly(job string, attributes ...string) string {
	return c.owned() + resourceBlock("streaming_flink_savepoint", append(attributes,
		fmt.Sprintf("job_id = %q", job), fmt.Sprintf("directory = %q", "file://"+filepath.Join(c.dir, "savepoints")))...)
}

// TestAcc_FlinkSavepoint_IsRestoredFromAndGoesOnlyWhenNoJobNeedsIt takes two
// savepoints of a job that goes on, starts another one from the second, and
// reads in its output that no record is missing.
func TestAcc_FlinkSavepoint_IsRestoredFromAndGoesOnlyWhenNoJobNeedsIt(t *testing.T) {
	t.Parallel()
	c := realCluster(t)
	job := c.start(t, c.jar(t, "outside.jar"), "outside")
	defer c.cancel(t, job)
	restored := resourceBlock("streaming_flink_job", named, source(c.jar(t, "app.jar")), cancel, every2s,
		"restore_from = streaming_flink_savepoint.test.path", `upgrade = { mode = "stateless" }`)
	var first, second string
	acctest.RunReal(t,
		resource.TestStep{Config: c.nightly(job, `trigger = "1"`), Check: kept("path", &first)},
		acctest.Change(c.nightly(job, `trigger = "2"`, `format_type = "NATIVE"`, "dispose_on_destroy = true"), savepointAddress, plancheck.ResourceActionReplace),
		resource.TestStep{Config: c.nightly(job, `trigger = "2"`, `format_type = "NATIVE"`, "dispose_on_destroy = true"), Check: kept("path", &second)},
		acctest.Apply(c.nightly(job, `trigger = "2"`, `format_type = "NATIVE"`, "dispose_on_destroy = true")+restored,
			acctest.Outside(func() error {
				c.expectComplete(t, first, second)
				eventually(t, "something counted", func() bool { return highest(c.counts(t, c.job(1)), c.job(1)) > 0 })
				return exactlyOnce(c.counts(t, c.job(1)))
			})),
		// Without the reference from the job it would go first.
		acctest.Fails(strings.Replace(c.nightly(job, `trigger = "2"`, `format_type = "CANONICAL"`, "dispose_on_destroy = true")+restored,
			"streaming_flink_savepoint.test.path", fmt.Sprintf("%q", "file:/nowhere"), 1),
			"Cannot delete the savepoint", "was restored from this savepoint"),
	)
	c.expectComplete(t, first)
}

// What an interrupted apply left is a savepoint, and no state: one that a
// process of its own took with the same owner and trigger.
func TestAcc_FlinkSavepoint_AnInterruptedCreateIsFoundAgain(t *testing.T) {
	t.Parallel()
	c := realCluster(t)
	job := c.start(t, c.jar(t, "outside.jar"), "outside")
	defer c.cancel(t, job)
	interrupted := lifecycle.Engine{Client: c.client, Owner: c.owner, Timing: lifecycle.DefaultTiming(), Probe: lifecycle.NewStateProbe(c.client)}
	left, err := interrupted.TakeSavepoint(t.Context(), lifecycle.SavepointOrder{
		JobID: job, Trigger: "1", Directory: "file://" + filepath.Join(c.dir, "savepoints"), Format: "CANONICAL",
	}, &lifecycle.SavepointClaims{})
	if err != nil {
		t.Fatal(err)
	}
	config := c.nightly(job, `trigger = "1"`)
	acctest.RunReal(t,
		acctest.Apply(config, acctest.Is(savepointAddress, "path", knownvalue.StringExact(left.Path))),
		acctest.Noop(config),
		resource.TestStep{
			PreConfig: func() {
				c.expectComplete(t, left.Path)
				if err := os.RemoveAll(strings.TrimPrefix(left.Path, "file:")); err != nil {
					t.Fatal(err)
				}
			},
			Config: config, PlanOnly: true, ExpectNonEmptyPlan: true,
		},
		// Flink still tells of the one whose files are gone.
		acctest.Apply(config, acctest.Outside(func() error {
			if paths := c.complete(t); len(paths) != 1 || paths[0] == left.Path {
				return fmt.Errorf("the savepoints %q are there instead of one anew", paths)
			}
			return nil
		})),
	)
}

func TestAcc_FlinkSavepoint_WhatCannotBeTakenIsSaidInALine(t *testing.T) {
	t.Parallel()
	c := realCluster(t)
	job := c.start(t, c.jar(t, "outside.jar"), "outside")
	denied := strings.Replace(c.nightly(job), filepath.Join(c.dir, "savepoints"), "/proc/savepoints", 1)
	acctest.RunReal(t,
		acctest.Fails(denied, "directory = ", "The savepoint failed", "The job runs on, unchanged"),
		acctest.Fails(c.nightly("0123456789abcdef0123456789abcdef"), "job_id = ", "Flink knows no job 0123456789abcdef0123456789abcdef"),
	)
	state, _, err := c.client.Status(t.Context(), job)
	if err != nil || state.Terminal() {
		t.Errorf("the job is %s, %v", state, err)
	}
	c.cancel(t, job)
	acctest.RunReal(t, acctest.Fails(c.nightly(job), "job_id = ", "Job outside", "is CANCELED and takes no savepoint"))
	c.expectComplete(t)
}
