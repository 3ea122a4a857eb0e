// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
)

func args(list ...string) string {
	quoted := make([]string, len(list))
	for i, arg := range list {
		quoted[i] = fmt.Sprintf("%q", arg)
	}
	return "args = [" + strings.Join(quoted, ", ") + "]"
}

// stateOf checks state and status.
func (w *world) expectLive(restoredFrom func(string) bool) func() error {
	return func() error {
		job, err := w.only()
		if err != nil {
			return err
		}
		if !restoredFrom(job.RestoredFrom) {
			return fmt.Errorf("job %s was restored from %q", job.ID, job.RestoredFrom)
		}
		return nil
	}
}

func TestFlow_FlinkJob_AnUpgradeGoesOnFromItsOwnSavepoint(t *testing.T) {
	t.Parallel()
	for name, arguments := range map[string][2]string{
		"marker kept":      {args("--plain"), args("--plain", "--label", "b")},
		"marker lost":      {args("--label", "a"), args("--label", "b")},
		"no args at first": {"", args("--label", "b")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			base := []string{named, source(w.jar(t, "app.jar")), cancel}
			before, after := w.job(append(base, arguments[0])...), w.job(append(base, arguments[1])...)
			var counted int64
			acctest.RunFake(t,
				acctest.Apply(before,
					acctest.Is(jobAddress, "job_id", knownvalue.StringExact(w.id(1))),
					acctest.Is(jobAddress, "deployment.generation", knownvalue.Int64Exact(1)),
					acctest.Is(jobAddress, "deployment.change", knownvalue.StringExact("start")),
					acctest.Is(jobAddress, "restored_from", knownvalue.Null()),
					acctest.Is(jobAddress, "status", knownvalue.StringExact("RUNNING")),
				),
				resource.TestStep{
					Config: after,
					ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
						plancheck.ExpectResourceAction(jobAddress, plancheck.ResourceActionUpdate),
						plancheck.ExpectUnknownValue(jobAddress, acctest.At("job_id")),
						plancheck.ExpectUnknownValue(jobAddress, acctest.At("savepoint_path")),
						plancheck.ExpectKnownValue(jobAddress, acctest.At("deployment.change"), knownvalue.StringExact("stop with savepoint, start from it (args)")),
						plancheck.ExpectKnownValue(jobAddress, acctest.At("id"), knownvalue.NotNull()),
						acctest.Between(func() {
							job, err := w.only()
							if err != nil {
								t.Error(err)
							}
							counted = job.Progress
						}),
					}},
				},
				acctest.Apply(after,
					acctest.Is(jobAddress, "job_id", knownvalue.StringExact(w.id(2))),
					acctest.Is(jobAddress, "deployment.generation", knownvalue.Int64Exact(2)),
					acctest.Outside(func() error {
						job, err := w.only()
						if err != nil {
							return err
						}
						if job.InitialProgress < counted || !strings.Contains(job.RestoredFrom, "/1/savepoint-") {
							return fmt.Errorf("restored from %s with %d records, of %d at the plan", job.RestoredFrom, job.InitialProgress, counted)
						}
						return nil
					}),
				),
			)
		})
	}
}

func TestFlow_FlinkJob_C07_C21_SuspendAndResumeKeepTheState(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	base := []string{named, source(w.jar(t, "app.jar")), cancel}
	running, suspended := w.job(base...), w.job(append(base, `state = "suspended"`)...)
	acctest.RunFake(t,
		acctest.Apply(running),
		acctest.Change(suspended, jobAddress, plancheck.ResourceActionUpdate,
			acctest.Is(jobAddress, "deployment.change", knownvalue.StringExact("stop with savepoint (state running -> suspended)")),
			acctest.Is(jobAddress, "savepoint_path", knownvalue.NotNull()),
			acctest.Is(jobAddress, "job_id", knownvalue.StringExact(w.id(1))),
			acctest.Outside(func() error {
				// Flink forgets an ended job, and everything when it restarts.
				w.RestartJobManager()
				return nil
			})),
		acctest.Noop(suspended),
		acctest.Change(running, jobAddress, plancheck.ResourceActionUpdate,
			acctest.Is(jobAddress, "job_id", knownvalue.StringExact(w.id(2))),
			acctest.Outside(w.expectLive(func(path string) bool { return strings.Contains(path, "/1/savepoint-") }))),
	)
}

func TestFlow_FlinkJob_CreatedSuspendedNeverRuns(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	savepoint := w.savepoint(t)
	base := []string{named, source(w.jar(t, "app.jar")), cancel, fmt.Sprintf("restore_from = %q", savepoint)}
	suspended := w.job(append(base, `state = "suspended"`)...)
	acctest.RunFake(t,
		acctest.Apply(suspended, acctest.Is(jobAddress, "job_id", knownvalue.Null()), acctest.Outside(func() error {
			if jobs := w.Live(); len(jobs) > 0 {
				return fmt.Errorf("runs: %+v", jobs)
			}
			return nil
		})),
		acctest.Noop(suspended),
		acctest.Apply(w.job(base...), acctest.Outside(w.expectLive(func(path string) bool { return path == savepoint }))),
	)
}

func TestFlow_FlinkJob_C07_AFinishedJobRunsAgainOnlyWhenAsked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	base := []string{named, source(w.jar(t, "app.jar")), cancel, args("--plain", "--count", "60000", "--rate", "100")}
	config := w.job(base...)
	acctest.RunFake(t,
		acctest.Apply(config, acctest.Outside(func() error {
			w.Advance(11 * time.Minute)
			return nil
		})),
		acctest.Noop(config),
		acctest.Apply(config, acctest.Is(jobAddress, "state", knownvalue.StringExact("finished"))),
		resource.TestStep{
			Config: w.job(append(base, `on_finished = "rerun"`)...),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectKnownValue(jobAddress, acctest.At("deployment.change"), knownvalue.StringExact("start from the beginning (state finished -> running)")),
			}},
		},
		acctest.Apply(w.job(append(base, `on_finished = "rerun"`)...),
			acctest.Outside(w.expectLive(func(path string) bool { return path == "" }))),
	)
}

func TestFlow_FlinkJob_C22_AFailedUpgradeRunsTheOldVersionAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	app := w.jar(t, "app.jar", "1")
	config := w.job(named, source(app), cancel)
	good := w.id(3)
	acctest.RunFake(t,
		acctest.Apply(config),
		resource.TestStep{
			Config:      w.job(named, source(app), cancel, args("--uid", "other", "--plain")),
			ExpectError: acctest.InOrder(`Cannot change Flink job "counter"`, "the old one runs again from the savepoint", "does not fit the program", "allow_non_restored_state"),
		},
		resource.TestStep{
			Config: config,
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				// What failed is not kept: the configuration that runs plans nothing.
				plancheck.ExpectEmptyPlan(),
			}},
			ConfigStateChecks: nil,
		},
		acctest.Apply(config, acctest.Is(jobAddress, "job_id", knownvalue.StringExact(good)),
			acctest.Outside(w.expectLive(func(path string) bool { return strings.Contains(path, "/1/savepoint-") }))),
	)
}

func TestFlow_FlinkJob_C22_WithoutRollbackTheNextApplyStartsFromTheSavepoint(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	base := []string{named, source(w.jar(t, "app.jar")), cancel, "upgrade = { rollback_on_failure = false }"}
	acctest.RunFake(t,
		acctest.Apply(w.job(base...)),
		acctest.Fails(w.job(append(base, args("--uid", "other", "--plain"))...), `Cannot change Flink job "counter"`, "does not fit the program"),
		acctest.Change(w.job(append(base, args("--plain"))...), jobAddress, plancheck.ResourceActionUpdate,
			acctest.Outside(w.expectLive(func(path string) bool { return strings.Contains(path, "/1/savepoint-") }))),
	)
}

func TestFlow_FlinkJob_LastStateGoesOnFromTheNewestCheckpoint(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	base := []string{named, source(w.jar(t, "app.jar")), cancel, `upgrade = { mode = "last_state" }`, `configuration = { "execution.checkpointing.interval" = "1 s" }`}
	acctest.RunFake(t,
		acctest.Apply(w.job(base...), acctest.Outside(func() error {
			w.Advance(5 * time.Second)
			return nil
		})),
		acctest.Change(w.job(append(base, args("--plain", "--label", "b"))...), jobAddress, plancheck.ResourceActionUpdate,
			acctest.Is(jobAddress, "deployment.change", knownvalue.StringExact("cancel, start from the newest checkpoint (args)")),
			acctest.Outside(w.expectLive(func(path string) bool { return strings.Contains(path, "/chk-") }))),
	)
}

func TestFlow_FlinkJob_StatelessStartsFromNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	base := []string{named, source(w.jar(t, "app.jar")), cancel, `upgrade = { mode = "stateless" }`}
	acctest.RunFake(t,
		acctest.Apply(w.job(base...)),
		acctest.Change(w.job(append(base, args("--plain", "--label", "b"))...), jobAddress, plancheck.ResourceActionUpdate,
			acctest.Is(jobAddress, "deployment.change", knownvalue.StringExact("cancel, start without state (args)")),
			acctest.Outside(w.expectLive(func(path string) bool { return path == "" }))),
	)
}

func TestFlow_FlinkJob_OldSavepointsOfItsOwnAreDeleted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	base := []string{named, source(w.jar(t, "app.jar")), cancel, `upgrade = { keep_savepoints = 1, savepoint_directory = "file:///fake/sp", savepoint_format = "NATIVE" }`}
	var steps []resource.TestStep
	for i := range 4 {
		steps = append(steps, acctest.Apply(w.job(append(slices.Clone(base), fmt.Sprintf("restart_trigger = \"%d\"", i))...)))
	}
	steps[3].ConfigStateChecks = append(steps[3].ConfigStateChecks, acctest.Outside(func() error {
		var kept []string
		for _, file := range w.Files("file:///fake/sp") {
			if strings.HasSuffix(file.Path, "/_metadata") {
				kept = append(kept, file.Path)
			}
		}
		if len(kept) != 1 || !strings.Contains(kept[0], "/3/savepoint-") {
			return fmt.Errorf("kept %v instead of the newest alone", kept)
		}
		return nil
	}))
	acctest.RunFake(t, steps...)
}

func TestFlow_FlinkJob_DestroySaysWhereTheSavepointIs(t *testing.T) {
	t.Parallel()
	for onDestroy, savepoints := range map[string]int{"savepoint": 1, "cancel": 0} {
		t.Run(onDestroy, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			config := w.job(named, source(w.jar(t, "app.jar")), fmt.Sprintf("on_destroy = %q", onDestroy))
			acctest.RunFake(t,
				acctest.Apply(config),
				resource.TestStep{Config: config, Destroy: true},
				acctest.Apply(w.provider(), acctest.Outside(func() error {
					if jobs := w.Live(); len(jobs) > 0 {
						return fmt.Errorf("still live: %+v", jobs)
					}
					count := 0
					for _, file := range w.Files("file:///") {
						if strings.Contains(file.Path, "/savepoint-") && strings.HasSuffix(file.Path, "/_metadata") {
							count++
						}
					}
					if count != savepoints {
						return fmt.Errorf("%d savepoints instead of %d", count, savepoints)
					}
					return w.noOtherJar("")
				})),
			)
		})
	}
}

func TestFlow_FlinkJob_DetachLeavesItRunning(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	config := w.job(named, source(w.jar(t, "app.jar")), `on_destroy = "detach"`)
	acctest.RunFake(t,
		acctest.Apply(config),
		resource.TestStep{Config: config, Destroy: true},
	)
	if _, err := w.only(); err != nil {
		t.Fatal(err)
	}
}

func TestFlow_FlinkJob_DestroyOfADeadJobNeedsNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	file := w.jar(t, "app.jar")
	config := w.job(named, source(file))
	acctest.RunFake(t,
		acctest.Apply(config),
		resource.TestStep{
			PreConfig: func() {
				w.RestartJobManager(flinkfake.LoseJars())
				if err := os.Remove(file); err != nil {
					t.Error(err)
				}
			},
			Config: config, Destroy: true,
		},
	)
}

func TestFlow_FlinkJob_AdoptsTheOneRunningJobOfItsName(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.start(t, "counter")
	w.ForgetRequests()
	config := w.job(named, source(w.jar(t, "app.jar")), cancel, "adopt_existing = true")
	acctest.RunFake(t,
		acctest.Apply(config, acctest.Is(jobAddress, "job_id", knownvalue.StringExact(id)), acctest.Outside(func() error {
			if writes := w.writes(); len(writes) > 0 {
				return fmt.Errorf("adoption sent %v", writes)
			}
			return nil
		})),
		acctest.Apply(w.job(named, source(w.jar(t, "app.jar")), cancel, args("--plain")),
			acctest.Is(jobAddress, "job_id", knownvalue.StringExact(w.id(1))),
			acctest.Outside(w.expectLive(func(path string) bool { return strings.Contains(path, "/0/savepoint-") }))),
	)
}

func TestFlow_FlinkJob_TwoRunningJobsOfANameAreNotAdopted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first, second := w.start(t, "counter"), w.start(t, "counter")
	acctest.RunFake(t, acctest.Fails(w.job(named, source(w.jar(t, "app.jar")), "adopt_existing = true"), "2 jobs named", first, second))
	if len(w.Live()) != 2 {
		t.Fatal(errors.New("a job was touched"))
	}
}

func TestFlow_FlinkJob_C25_AnotherClusterIsAPlanError(t *testing.T) {
	t.Parallel()
	w, other := newWorld(t), newWorld(t)
	file := source(w.jar(t, "app.jar"))
	moved := func(attributes ...string) string {
		return other.provider() + resourceBlock("streaming_flink_job", append([]string{named, file, cancel}, attributes...)...)
	}
	// Both clusters share the storage of savepoints in this test's mind only:
	// the second one has none, so that a start there must fail for that.
	acctest.RunFake(t,
		acctest.Apply(w.job(named, file, cancel)),
		acctest.Fails(moved(), "The endpoint leads to another cluster", "cluster_moved = true"),
		acctest.Noop(w.job(named, file, cancel)),
		acctest.Apply(moved("cluster_moved = true", `upgrade = { mode = "stateless" }`), acctest.Is(jobAddress, "cluster", knownvalue.StringExact(other.URL()))),
	)
}
