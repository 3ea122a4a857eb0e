// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	client "github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
)

const checkpointed = `configuration = { "execution.checkpointing.interval" = "1 s" }`

// planned is a step whose plan updates the job with this text, does something
// between the plan and its apply, and then applies.
func planned(config, change string, between func(), checks ...plancheck.PlanCheck) resource.TestStep {
	preApply := append([]plancheck.PlanCheck{
		plancheck.ExpectResourceAction(jobAddress, plancheck.ResourceActionUpdate),
		plancheck.ExpectKnownValue(jobAddress, acctest.At("deployment.change"), knownvalue.StringRegexp(regexp.MustCompile("^"+change+"$"))),
	}, checks...)
	if between != nil {
		preApply = append(preApply, acctest.Between(between))
	}
	return resource.TestStep{Config: config, ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: preApply}}
}

const chk = `file:/fake/checkpoints/[0-9a-f]{32}/chk-[0-9]+`

// advance is a step's check that lets time pass for the cluster.
func (w *world) advance(d time.Duration) statecheck.StateCheck {
	return acctest.Outside(func() error { w.Advance(d); return nil })
}

// newestCheckpoint is the newest one on the cluster's disk.
func (w *world) newestCheckpoint() string {
	newest := -1
	var found string
	for _, file := range w.Files("file:/fake/checkpoints") {
		directory, complete := strings.CutSuffix(file.Path, "/_metadata")
		if n, err := strconv.Atoi(directory[strings.LastIndex(directory, "-")+1:]); complete && err == nil && n > newest {
			newest, found = n, directory
		}
	}
	return found
}

func TestFlow_FlinkJob_C01_ALostJobSaysWhatIsRestoredAndFromWhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	config := w.job(named, source(w.jar(t, "app.jar")), cancel, checkpointed)
	var warnings acctest.Warnings
	var seen string
	acctest.RunFakeWarned(t, &warnings,
		acctest.Apply(config, w.advance(10*time.Second)),
		// A refresh sees a checkpoint; twenty more follow before the job is lost.
		acctest.Apply(config),
		resource.TestStep{
			PreConfig: func() {
				w.Advance(20 * time.Second)
				seen = w.newestCheckpoint()
				w.RestartJobManager()
				warnings.Take()
			},
			Config: config,
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(jobAddress, plancheck.ResourceActionUpdate),
				plancheck.ExpectKnownValue(jobAddress, acctest.At("deployment.change"), knownvalue.StringFunc(func(text string) error {
					return equal(text, "start from checkpoint "+seen+", found on disk (state lost -> running)")
				})),
				plancheck.ExpectUnknownValue(jobAddress, acctest.At("job_id")),
				plancheck.ExpectKnownValue(jobAddress, acctest.At("id"), knownvalue.NotNull()),
				warnings.InPlan("state: Flink does not know job "+w.id(1)+" any more", "start from checkpoint file:/fake/checkpoints/"+w.id(1)+"/chk-", "found on disk"),
			}},
			ConfigStateChecks: nil,
		},
		acctest.Apply(config,
			acctest.Is(jobAddress, "job_id", knownvalue.StringExact(w.id(2))),
			acctest.Outside(w.expectLive(func(path string) bool { return path == seen }))),
	)
}

// What a plan says is what the refresh before it found; what an apply takes is
// what is newest then. The one must not break the other.
func TestFlow_FlinkJob_C01_ANewerCheckpointThanThePlanSaidIsTaken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	config := w.job(named, source(w.jar(t, "app.jar")), cancel, checkpointed)
	var warnings acctest.Warnings
	var newest string
	lost := planned(config, "start from checkpoint "+chk+`, found on disk \(state lost -> running\)`, func() {
		// Somebody runs it by hand for a while.
		o := w.outsider(t)
		from := w.newestCheckpoint()
		if _, err := o.RunJar(t.Context(), w.Jars()[0].ID, client.RunRequest{
			JobID: w.id(1), SavepointPath: from, ClaimMode: client.NoClaim,
			FlinkConfiguration: map[string]string{
				"pipeline.name": "counter", "execution.checkpointing.interval": "1 s",
				"execution.checkpointing.externalized-checkpoint-retention": "RETAIN_ON_CANCELLATION",
			},
		}); err != nil {
			t.Error(err)
		}
		o.wait(t, func() bool { return len(w.Live()) == 1 })
		w.Advance(10 * time.Second)
		if err := o.Cancel(t.Context(), w.id(1)); err != nil {
			t.Error(err)
		}
		o.wait(t, func() bool { return len(w.Live()) == 0 })
		newest = w.newestCheckpoint()
		warnings.Take()
	})
	lost.PreConfig = func() { w.RestartJobManager() }
	lost.ConfigStateChecks = []statecheck.StateCheck{
		acctest.Outside(w.expectLive(func(path string) bool { return path == newest })),
		acctest.Is(jobAddress, "deployment.change", knownvalue.StringRegexp(regexp.MustCompile("^start from checkpoint "+chk+", found on disk"))),
	}
	acctest.RunFakeWarned(t, &warnings,
		acctest.Apply(config, w.advance(10*time.Second)), acctest.Apply(config), lost,
		acctest.Apply(config, warnings.InState("goes on from newer state than the plan said")),
	)
}

// A checkpoint that was deleted is not replaced by an older state without
// consent, and the plan says so.
func TestFlow_FlinkJob_C01_OlderStateNeedsConsent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	savepoint := w.savepoint(t)
	base := []string{named, source(w.jar(t, "app.jar")), cancel, checkpointed, fmt.Sprintf("restore_from = %q", savepoint)}
	config := w.job(base...)
	var warnings acctest.Warnings
	acctest.RunFakeWarned(t, &warnings,
		acctest.Apply(config, w.advance(10*time.Second)),
		acctest.Apply(config),
		resource.TestStep{
			PreConfig: func() {
				w.RestartJobManager()
				w.RemoveFiles("file:/fake/checkpoints")
				warnings.Take()
			},
			Config:           config,
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{warnings.InPlan("restore_from: The apply is going to fail", "of the lost job "+w.id(1)+" is gone")}},
			ExpectError:      acctest.InOrder(`Cannot change Flink job "counter"`, "of the lost job "+w.id(1)+" is gone", "restore_trigger"),
		},
		resource.TestStep{
			Config: w.job(append(base, `restore_trigger = "back"`)...),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectKnownValue(jobAddress, acctest.At("deployment.change"), knownvalue.StringExact("start from restore_from (state lost -> running, restore_trigger)")),
			}},
			ConfigStateChecks: []statecheck.StateCheck{acctest.Outside(w.expectLive(func(path string) bool { return path == savepoint }))},
		},
	)
}

func TestFlow_FlinkJob_C06_AFailedJobIsPlannedBackAndSaysWhy(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	base := []string{
		named, source(w.jar(t, "app.jar")), cancel,
		configuration("execution.checkpointing.interval", "1 s", "restart-strategy.type", "none"),
	}
	failing := w.job(append(base, args("--plain", "--rate", "100", "--fail-at", "1000"))...)
	var warnings acctest.Warnings
	mended := planned(w.job(append(base, args("--plain", "--rate", "100"))...), "start from checkpoint "+chk+` \(state failed -> running, args\)`, nil,
		warnings.InPlan("state: Job "+w.id(1)+" failed", "Failed at record", "start from checkpoint file:/fake/checkpoints/"+w.id(1)))
	mended.ConfigStateChecks = []statecheck.StateCheck{acctest.Outside(w.expectLive(func(path string) bool { return strings.Contains(path, "/chk-") }))}
	acctest.RunFakeWarned(t, &warnings,
		acctest.Apply(failing, w.advance(10*time.Second)),
		resource.TestStep{
			PreConfig: func() { w.Advance(time.Minute); warnings.Take() },
			Config:    failing, PlanOnly: true, ExpectNonEmptyPlan: true,
		},
		mended,
	)
}

func TestFlow_FlinkJob_C06_ADestroyOfAFailedJobSendsNoCancel(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	config := w.job(named, source(w.jar(t, "app.jar")), configuration("restart-strategy.type", "none"), args("--plain", "--rate", "100", "--fail-at", "1000"))
	acctest.RunFake(t,
		acctest.Apply(config),
		resource.TestStep{PreConfig: func() { w.Advance(time.Minute); w.ForgetRequests() }, Config: config, Destroy: true},
	)
	for _, request := range w.writes() {
		if !strings.HasPrefix(request, "DELETE /jars/") {
			t.Errorf("the destroy sent %s", request)
		}
	}
}

func TestFlow_FlinkJob_C09_AJobThatWasEndedByHandIsPlannedBackFromItsNewestState(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		end    func(t *testing.T, w *world)
		change string
		words  []string
	}{
		"cancelled": {func(t *testing.T, w *world) {
			t.Helper()
			o := w.outsider(t)
			if err := o.Cancel(t.Context(), w.id(1)); err != nil {
				t.Error(err)
			}
			o.wait(t, func() bool { return len(w.Live()) == 0 })
		}, "start from checkpoint " + chk + ` \(state canceled -> running\)`, []string{"was cancelled by someone"}},
		"cancelled and forgotten": {func(t *testing.T, w *world) {
			t.Helper()
			o := w.outsider(t)
			if err := o.Cancel(t.Context(), w.id(1)); err != nil {
				t.Error(err)
			}
			o.wait(t, func() bool { return len(w.Live()) == 0 })
			w.Advance(3 * time.Hour)
		}, "start from checkpoint " + chk + `, found on disk \(state lost -> running\)`, []string{"does not know job"}},
		"stopped with a savepoint": {func(t *testing.T, w *world) {
			t.Helper()
			w.outsider(t).stop(t, w.id(1), "file:///fake/theirs")
		}, `start from savepoint file:/fake/theirs/savepoint-\S+ \(state suspended -> running\)`, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			base := []string{named, source(w.jar(t, "app.jar")), cancel, checkpointed}
			config, suspended := w.job(base...), w.job(append(base, `state = "suspended"`)...)
			var warnings acctest.Warnings
			back := planned(config, c.change, nil, warnings.InPlan(c.words...))
			back.ConfigStateChecks = []statecheck.StateCheck{acctest.Outside(w.expectLive(func(path string) bool { return path != "" }))}
			back.PreConfig = func() { c.end(t, w); warnings.Take() }
			var writes []string
			stay := acctest.Apply(suspended, acctest.Is(jobAddress, "state", knownvalue.StringExact("suspended")), acctest.Outside(func() error {
				for _, request := range w.writes() {
					if !strings.HasPrefix(request, "POST /jobs/"+w.id(2)+"/stop") {
						writes = append(writes, request)
					}
				}
				if len(writes) > 0 {
					return fmt.Errorf("a suspended job that is ended already needed %v", writes)
				}
				return nil
			}))
			stay.PreConfig = func() {
				w.outsider(t).stop(t, w.id(2), "file:///fake/theirs")
				w.ForgetRequests()
			}
			acctest.RunFakeWarned(t, &warnings,
				acctest.Apply(config, w.advance(5*time.Second)), acctest.Apply(config), back, stay, acctest.Noop(suspended))
		})
	}
}
