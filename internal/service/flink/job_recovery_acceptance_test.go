// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/local"
)

// ownCluster is a Flink that this test alone may break.
func ownCluster(t *testing.T, conf map[string]string) *cluster {
	t.Helper()
	return ownEngine(t, local.Config{FlinkConf: conf})
}

// ownEngine is ownCluster with more to choose.
func ownEngine(t *testing.T, config local.Config) *cluster {
	t.Helper()
	// The other cluster says that acceptance tests are asked for.
	shared := realCluster(t)
	config.FlinkVersion = cmp.Or(config.FlinkVersion, shared.Flink.Version)
	state := acctest.OwnFlink(t, config)
	transport, err := rest.New(rest.Config{Endpoint: state.Flink.Endpoint})
	if err != nil {
		t.Fatal(err)
	}
	return &cluster{State: state, client: flink.New(transport), endpoint: state.Flink.Endpoint, dir: t.TempDir(), owner: shared.owner}
}

// crash kills the JobManager and starts it again.
func (c *cluster) crash(t *testing.T) {
	t.Helper()
	if err := c.KillJobManager(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := c.StartJobManager(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// files are the contents below a directory, by their paths.
func files(t *testing.T, dir string) map[string][sha256.Size]byte {
	t.Helper()
	found := map[string][sha256.Size]byte{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		found[path] = sha256.Sum256(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// newestCheckpoint is the last complete checkpoint of a job on disk.
func (c *cluster) newestCheckpoint(t *testing.T, job string) string {
	t.Helper()
	complete, err := filepath.Glob(filepath.Join(c.Flink.CheckpointDir, job, "chk-*", "_metadata"))
	if err != nil {
		t.Fatal(err)
	}
	newest, best := -1, ""
	for _, metadata := range complete {
		dir := filepath.Dir(metadata)
		n, err := strconv.Atoi(strings.TrimPrefix(filepath.Base(dir), "chk-"))
		if err != nil {
			t.Fatal(err)
		}
		if n > newest {
			newest, best = n, dir
		}
	}
	if best == "" {
		t.Fatalf("job %s has no checkpoint in %s", job, c.Flink.CheckpointDir)
	}
	return best
}

// TestAcc_FlinkJob_C01_AKilledJobManagersJobGoesOnFromItsNewestCheckpoint lets
// Terraform's knowledge of checkpoints grow old before the crash.
func TestAcc_FlinkJob_C01_AKilledJobManagersJobGoesOnFromItsNewestCheckpoint(t *testing.T) {
	t.Parallel()
	c := ownCluster(t, nil)
	config := c.owned() + resourceBlock("streaming_flink_job", named, source(c.jar(t, "app.jar")), cancel,
		args("--plain", "--rate", "200"), `configuration = { "execution.checkpointing.interval" = "200 ms" }`)
	first, second := c.job(1), c.job(2)
	var newest string
	var before map[string][sha256.Size]byte
	acctest.RunReal(t,
		acctest.Apply(config),
		resource.TestStep{
			PreConfig: func() {
				eventually(t, "20 more checkpoints completed", func() bool {
					checkpoints, err := c.client.Checkpoints(t.Context(), first)
					return err == nil && checkpoints.Counts.Completed > 30
				})
				c.crash(t)
				newest = c.newestCheckpoint(t, first)
				before = files(t, filepath.Join(c.Flink.CheckpointDir, first))
			},
			Config: config,
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(jobAddress, plancheck.ResourceActionUpdate),
			}},
			ConfigStateChecks: []statecheck.StateCheck{
				acctest.Is(jobAddress, "job_id", knownvalue.StringExact(second)),
				// What the plan said, since an apply leaves it as it was.
				acctest.Is(jobAddress, "deployment.change", knownvalue.StringFunc(func(said string) error {
					if !strings.Contains(said, "start from checkpoint") || !strings.Contains(said, newest+",") {
						return fmt.Errorf("the plan said %q, and the newest checkpoint is %s", said, newest)
					}
					return nil
				})),
				acctest.Outside(func() error {
					checkpoints, err := c.client.Checkpoints(t.Context(), second)
					switch {
					case err != nil:
						return err
					case checkpoints.Latest.Restored == nil || strings.TrimPrefix(checkpoints.Latest.Restored.Path, "file:") != newest:
						return fmt.Errorf("restored from %+v, and the newest checkpoint is %s", checkpoints.Latest.Restored, newest)
					}
					return c.wentOn(t, first, second, before)
				}),
			},
		},
		acctest.Noop(config),
	)
}

// wentOn checks a job that was restored from a checkpoint of another one: it
// counts each record once, and the earlier one's files are as they were.
func (c *cluster) wentOn(t *testing.T, first, second string, before map[string][sha256.Size]byte) error {
	t.Helper()
	eventually(t, "more counted than before", func() bool {
		counts := c.counts(t, first, second)
		return highest(counts, second) > highest(counts, first)
	})
	counts := c.counts(t, first, second)
	if err := exactlyOnce(counts); err != nil {
		return err
	}
	if begun := lowest(counts, second); begun < 100 {
		return fmt.Errorf("the second generation began at %d", begun)
	}
	after := files(t, filepath.Join(c.Flink.CheckpointDir, first))
	if len(after) != len(before) {
		return fmt.Errorf("the first generation had %d files, and has %d", len(before), len(after))
	}
	for path, sum := range before {
		if after[path] != sum {
			return fmt.Errorf("%s was changed", path)
		}
	}
	return nil
}

// TestAcc_FlinkJob_WhatFlinkForgotIsNoDiff suspends a job and lets another one
// finish, until Flink knows neither, and then restarts the JobManager.
func TestAcc_FlinkJob_WhatFlinkForgotIsNoDiff(t *testing.T) {
	t.Parallel()
	c := ownCluster(t, map[string]string{"jobstore.expiration-time": "8", "rest.async.store-duration": "8 s"})
	file := source(c.jar(t, "app.jar"))
	bounded := strings.Replace(resourceBlock("streaming_flink_job", `name = "bounded"`, file, cancel, args("--plain", "--count", "50", "--rate", "50")), `"test"`, `"bounded"`, 1)
	config := func(state string) string {
		return c.owned() + resourceBlock("streaming_flink_job", named, file, `state = "`+state+`"`, every2s) + bounded
	}
	acctest.RunReal(t,
		acctest.Apply(config("running")),
		acctest.Apply(config("suspended"), acctest.Outside(func() error {
			eventually(t, "the bounded job finished", func() bool {
				jobs, err := c.client.Jobs(t.Context())
				for _, job := range jobs {
					if !job.State.Terminal() {
						return false
					}
				}
				return err == nil
			})
			return nil
		})),
		// This refresh sees the end of the bounded one.
		acctest.Noop(config("suspended")),
		resource.TestStep{
			PreConfig: func() {
				eventually(t, "all jobs forgotten", func() bool {
					jobs, err := c.client.Jobs(t.Context())
					_, known, statusErr := c.client.Status(t.Context(), c.job(1))
					return err == nil && statusErr == nil && len(jobs) == 0 && !known
				})
			},
			Config:           config("suspended"),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
		},
		resource.TestStep{
			PreConfig:        func() { c.crash(t) },
			Config:           config("suspended"),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
		},
		acctest.Apply(config("running"), acctest.Outside(func() error {
			id := c.job(2)
			eventually(t, "something counted", func() bool { return highest(c.counts(t, id), id) > 0 })
			return exactlyOnce(c.counts(t, c.job(1), id))
		})),
	)
}

// TestAcc_FlinkJob_AWrongSavepointDirectoryIsMendedByApplyingAgain corrects
// the directory right after the stop that failed for it.
func TestAcc_FlinkJob_AWrongSavepointDirectoryIsMendedByApplyingAgain(t *testing.T) {
	t.Parallel()
	c := realCluster(t)
	base := []string{named, source(c.jar(t, "app.jar")), cancel, every2s}
	config := func(attributes ...string) string {
		return c.owned() + resourceBlock("streaming_flink_job", append(base, attributes...)...)
	}
	acctest.RunReal(t,
		acctest.Apply(config()),
		acctest.Fails(config(`restart_trigger = "1"`, `upgrade = { savepoint_directory = "file:///proc/nowhere" }`),
			`Cannot change Flink job "counter"`, "savepoint failed", "still runs, unchanged"),
		acctest.Change(config(`restart_trigger = "1"`), jobAddress, plancheck.ResourceActionUpdate,
			acctest.Is(jobAddress, "job_id", knownvalue.StringExact(c.job(2))),
			acctest.Is(jobAddress, "restored_from", knownvalue.NotNull())),
		acctest.Noop(config(`restart_trigger = "1"`)),
	)
}

// TestAcc_FlinkJob_DestroyNeedsNoHealthyJob destroys jobs in each bad state; a
// destroy that fails, fails the test.
func TestAcc_FlinkJob_DestroyNeedsNoHealthyJob(t *testing.T) {
	t.Parallel()
	c := realCluster(t)
	cases := map[string]struct {
		attributes []string
		before     func(t *testing.T, file, id string) error
	}{
		"the jar file is gone": {[]string{every2s}, func(_ *testing.T, file, _ string) error { return os.Remove(file) }},
		"the job was cancelled": {[]string{every2s}, func(t *testing.T, _, id string) error {
			t.Helper()
			return c.client.Cancel(t.Context(), id)
		}},
		"the job failed": {
			[]string{args("--plain", "--fail-at", "200"), `configuration = { "restart-strategy.type" = "none" }`},
			func(t *testing.T, _, id string) error {
				t.Helper()
				eventually(t, "the job failed", func() bool {
					state, _, err := c.client.Status(t.Context(), id)
					return err == nil && state == flink.Failed
				})
				return nil
			},
		},
		"the job restarts for ever": {
			[]string{cancel, args("--plain", "--fail-at", "200"), `configuration = { "restart-strategy.type" = "fixed-delay", "restart-strategy.fixed-delay.attempts" = "1000", "restart-strategy.fixed-delay.delay" = "1 h" }`},
			func(t *testing.T, _, id string) error {
				t.Helper()
				eventually(t, "the job restarts", func() bool {
					state, _, err := c.client.Status(t.Context(), id)
					return err == nil && state == flink.Restarting
				})
				return nil
			},
		},
	}
	for name, bad := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := realCluster(t)
			file := c.jar(t, "app.jar")
			acctest.RunReal(t, resource.TestStep{
				Config:             c.owned() + resourceBlock("streaming_flink_job", append(bad.attributes, named, source(file))...),
				ConfigStateChecks:  []statecheck.StateCheck{acctest.Outside(func() error { return bad.before(t, file, c.job(1)) })},
				ExpectNonEmptyPlan: name != "the job restarts for ever",
			})
			state, known, err := c.client.Status(t.Context(), c.job(1))
			if err == nil && known && !state.Terminal() {
				err = errors.New("the job is still " + string(state))
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// TestAcc_FlinkJob_AnUpgradeWithoutTaskManagerIsRepeatedWithState kills the
// TaskManager before the stop of an upgrade, and brings it back for the next
// apply. In the end the job is lost with its JobManager, and destroyed so.
func TestAcc_FlinkJob_AnUpgradeWithoutTaskManagerIsRepeatedWithState(t *testing.T) {
	t.Parallel()
	// A TaskManager that is gone is noticed in seconds.
	c := ownCluster(t, map[string]string{"heartbeat.interval": "1000", "heartbeat.timeout": "5000"})
	file := source(c.jar(t, "app.jar"))
	config := func(trigger string) string {
		return c.owned() + resourceBlock("streaming_flink_job", named, file, args("--plain", "--rate", "200"),
			`configuration = { "execution.checkpointing.interval" = "500 ms" }`, `restart_trigger = "`+trigger+`"`)
	}
	var before map[string][sha256.Size]byte
	acctest.RunReal(t,
		acctest.Apply(config("1"), acctest.Outside(func() error {
			eventually(t, "checkpoints completed", func() bool {
				checkpoints, err := c.client.Checkpoints(t.Context(), c.job(1))
				return err == nil && checkpoints.Counts.Completed > 3
			})
			return nil
		})),
		resource.TestStep{
			PreConfig: func() {
				if err := c.KillTaskManager(t.Context()); err != nil {
					t.Fatal(err)
				}
				eventually(t, "the job restarts", func() bool {
					state, _, err := c.client.Status(t.Context(), c.job(1))
					return err == nil && state == flink.Restarting
				})
			},
			Config:      config("2"),
			ExpectError: acctest.InOrder(`Cannot change Flink job "counter"`, "takes no savepoint", "last_state"),
		},
		resource.TestStep{
			PreConfig: func() {
				if err := c.StartTaskManager(t.Context()); err != nil {
					t.Fatal(err)
				}
				eventually(t, "the job runs again", func() bool {
					job, err := c.client.Summary(t.Context(), c.job(1))
					return err == nil && job != nil && job.AllUp()
				})
			},
			Config: config("2"),
			ConfigStateChecks: []statecheck.StateCheck{acctest.Outside(func() error {
				before = files(t, filepath.Join(c.Flink.CheckpointDir, c.job(1)))
				jobs, err := c.client.Jobs(t.Context())
				if err != nil {
					return err
				}
				live := 0
				for _, job := range jobs {
					if !job.State.Terminal() {
						live++
					}
				}
				if live != 1 {
					return fmt.Errorf("%d jobs live: %+v", live, jobs)
				}
				return c.wentOn(t, c.job(1), c.job(2), before)
			})},
		},
		resource.TestStep{
			PreConfig:          func() { c.crash(t) },
			RefreshState:       true,
			ExpectNonEmptyPlan: true,
		},
	)
}
