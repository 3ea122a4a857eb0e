// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
)

// restoredOnce checks that the second generation is the one live job, that it
// goes on from the first one's savepoint, and how many stops were sent.
func (w *world) restoredOnce(stops int) func() error {
	return func() error {
		job, err := w.only()
		if err != nil {
			return err
		}
		if n := w.count(http.MethodPost, "/stop"); job.ID != w.id(2) || !strings.Contains(job.RestoredFrom, "/1/savepoint-") || n != stops {
			return fmt.Errorf("job %s runs from %q after %d stops", job.ID, job.RestoredFrom, n)
		}
		return nil
	}
}

func TestFlow_FlinkJob_C11_ADestroyWhoseSavepointFailsLeavesTheJobAndNamesTheWayOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	// A file is where the directory should be.
	base := []string{named, source(w.jar(t, "app.jar")), fmt.Sprintf(`upgrade = { savepoint_directory = %q }`, w.savepoint(t)+"/_metadata")}
	config := w.job(base...)
	acctest.RunFake(t,
		acctest.Apply(config),
		resource.TestStep{Config: config, Destroy: true, ExpectError: acctest.InOrder(`Cannot destroy Flink job "counter"`, "savepoint failed", "savepoint_directory", `on_destroy = "cancel"`)},
		acctest.Apply(config, acctest.Outside(w.onlyFirst(2))),
		// The way out.
		acctest.Apply(w.job(append(base, cancel)...)),
		resource.TestStep{Config: w.job(append(base, cancel)...), Destroy: true},
	)
	if jobs := w.Live(); len(jobs) > 0 {
		t.Errorf("still live: %+v", jobs)
	}
}

// Flink may complete a savepoint and then fail to stop the job. What it tells
// of that is a failure, with the path in it.
func TestFlow_FlinkJob_C13_ASavepointOfAStopThatFailedIsUsed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	f := w.behind(t, "")
	base := []string{named, source(w.jar(t, "app.jar")), cancel}
	location := regexp.MustCompile(`\{"location":"([^"]+)"\}`)
	upgrade := acctest.Change(w.job(append(base, args("--plain"))...), jobAddress, plancheck.ResourceActionUpdate,
		acctest.Outside(w.restoredOnce(1)), acctest.Is(jobAddress, "restored_from", knownvalue.NotNull()))
	upgrade.PreConfig = func() {
		f.set(nil, func(path string, body []byte) []byte {
			if !strings.HasPrefix(path, "/jobs") {
				return body
			}
			body = location.ReplaceAll(body, []byte(`{"failure-cause":{"class":"java.util.concurrent.CompletionException","serialized-throwable":"",`+
				`"stack-trace":"java.util.concurrent.CompletionException: org.apache.flink.runtime.scheduler.stopwithsavepoint.StopWithSavepointStoppingException: `+
				`A savepoint has been created at: $1, but the corresponding job `+w.id(1)+` failed during stopping. `+
				`The savepoint is consistent, but might have uncommitted transactions. If you want to commit the transaction please restart a job from this savepoint."}}`))
			return []byte(strings.ReplaceAll(string(body), `"FINISHED"`, `"FAILED"`))
		})
	}
	acctest.RunFake(t, acctest.Apply(w.job(base...)), upgrade)
}

// What a stop came to is asked for by its trigger, and where Flink has
// forgotten that, by the ended job, and by what is on disk.
func TestFlow_FlinkJob_C14_WhatAStopCameToIsFoundHoweverLate(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		options []flinkfake.Option
		// late is how long the first poll takes.
		late time.Duration
	}{
		"at the first poll":          {[]flinkfake.Option{flinkfake.SavepointDelay(0), flinkfake.StopDelay(0)}, 0},
		"the trigger is forgotten":   {nil, 10 * time.Minute},
		"the job is forgotten too":   {nil, 3 * time.Hour},
		"the job ends before a poll": {[]flinkfake.Option{flinkfake.StopDelay(0)}, time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, c.options...)
			base := []string{named, source(w.jar(t, "app.jar")), cancel}
			config := w.job(append(slices.Clone(base), args("--plain"))...)
			steps := []resource.TestStep{acctest.Apply(w.job(base...), acctest.Outside(func() error {
				w.ForgetRequests()
				w.Inject(flinkfake.Fault{Method: http.MethodPost, Path: "/stop$", Kind: flinkfake.Nothing, Hook: func(*http.Request) {
					w.Advance(time.Second)
					w.Advance(c.late)
				}})
				return nil
			}))}
			acctest.RunFake(t, append(steps, acctest.Apply(config, acctest.Outside(w.restoredOnce(1))))...)
		})
	}
}

func TestFlow_FlinkJob_C15_ASavepointSlowerThanTheTimeLimitIsWaitedForAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, flinkfake.SavepointDelay(time.Hour))
	base := []string{named, source(w.jar(t, "app.jar")), cancel}
	short := w.job(append(slices.Clone(base), args("--plain"), `timeouts = { update = "5 s" }`)...)
	acctest.RunFake(t,
		acctest.Apply(w.job(base...)),
		acctest.Fails(short, `Cannot change Flink job "counter"`, "is still in progress", "trigger", "the time limit was reached", "Apply again: the same savepoint is waited for"),
		resource.TestStep{
			PreConfig:         func() { w.Advance(time.Hour) },
			Config:            w.job(append(slices.Clone(base), args("--plain"))...),
			ConfigStateChecks: []statecheck.StateCheck{acctest.Outside(w.restoredOnce(1))},
		},
	)
}

// A job runs for as long as the savepoint of its stop takes. To take the change
// back then is no empty plan: it would be one about a job that is about to end.
func TestFlow_FlinkJob_AStopUnderWayIsSeenWhenTheChangeIsTakenBack(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ change, back []string }{
		"of an upgrade":            {[]string{args("--plain")}, nil},
		"of a suspension":          {[]string{`state = "suspended"`}, nil},
		"with another parallelism": {[]string{args("--plain")}, []string{`parallelism = 2`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, flinkfake.SavepointDelay(time.Hour))
			base := []string{named, source(w.jar(t, "app.jar")), cancel}
			config := func(more []string) string { return w.job(append(slices.Clone(base), more...)...) }
			back := acctest.Change(config(c.back), jobAddress, plancheck.ResourceActionUpdate,
				acctest.Outside(w.restoredOnce(1)), acctest.Is(jobAddress, "restored_from", knownvalue.NotNull()))
			back.ConfigPlanChecks.PreApply = append(back.ConfigPlanChecks.PreApply,
				plancheck.ExpectKnownValue(jobAddress, tfjsonpath.New("deployment").AtMapKey("change"), knownvalue.StringExact("go on with the interrupted apply")))
			back.PreConfig = func() {
				polls := 0
				w.Inject(flinkfake.Fault{Method: http.MethodGet, Path: "/savepoints/", Kind: flinkfake.Nothing, Times: -1, Hook: func(*http.Request) {
					// The refresh sees the stop in progress, and the apply the end of it.
					if polls++; polls == 4 {
						w.Advance(time.Hour)
					}
				}})
			}
			acctest.RunFake(t,
				acctest.Apply(config(nil)),
				acctest.Fails(config(append(slices.Clone(c.change), `timeouts = { update = "5 s" }`)), `Cannot change Flink job "counter"`, "is still in progress"),
				back,
			)
		})
	}
}

// Whoever takes the change back and does not want the job's state either does
// not wait for the savepoint that nobody needs.
func TestFlow_FlinkJob_ADestroyThatCancelsDoesNotWaitForAStopUnderWay(t *testing.T) {
	t.Parallel()
	w := newWorld(t, flinkfake.SavepointDelay(time.Hour))
	base := []string{named, source(w.jar(t, "app.jar")), cancel}
	acctest.RunFake(t,
		acctest.Apply(w.job(base...)),
		acctest.Fails(w.job(append(slices.Clone(base), args("--plain"), `timeouts = { update = "5 s" }`)...), "is still in progress"),
		resource.TestStep{Config: w.job(base...), Destroy: true},
	)
	if jobs := w.Live(); len(jobs) > 0 {
		t.Errorf("still live: %+v", jobs)
	}
}

// A job that restarts takes no savepoint. Nothing starts it without its state
// for that reason.
func TestFlow_FlinkJob_C17_AJobThatRestartsIsNotUpgradedSilentlyWithoutState(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	base := []string{
		named, cancel, args("--plain", "--rate", "100", "--fail-at", "1000"),
		configuration("execution.checkpointing.interval", "1 s", "restart-strategy.type", "fixed-delay",
			"restart-strategy.fixed-delay.attempts", "1000", "restart-strategy.fixed-delay.delay", "5 h"),
	}
	v1, v2 := source(w.jar(t, "v1.jar", "1")), source(w.jar(t, "v2.jar", "2"))
	var warnings acctest.Warnings
	acctest.RunFakeWarned(t, &warnings,
		acctest.Apply(w.job(append(slices.Clone(base), v1)...), w.advance(time.Minute), acctest.Outside(func() error {
			job, err := w.only()
			if err == nil && job.State != "RESTARTING" {
				err = fmt.Errorf("the job is %s", job.State)
			}
			return err
		})),
		resource.TestStep{
			PreConfig: func() { warnings.Take() },
			Config:    w.job(append(slices.Clone(base), v2)...),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				warnings.InPlan("upgrade.mode: The job is RESTARTING and may take no savepoint", "last_state"),
			}},
			ExpectError: acctest.InOrder(`Cannot change Flink job "counter"`, "job is RESTARTING and takes no savepoint", "Wait until it recovers", "last_state", "stateless"),
		},
		resource.TestStep{
			Config: w.job(named, cancel, v2, `upgrade = { mode = "last_state" }`, checkpointed),
			ConfigStateChecks: []statecheck.StateCheck{acctest.Outside(w.expectLive(func(path string) bool {
				return strings.Contains(path, w.id(1)+"/chk-")
			}))},
		},
	)
}
