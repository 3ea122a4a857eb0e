// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/changes"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/flink"
)

const savepointAddress = "streaming_flink_savepoint.test"

// nightly is a configuration of a savepoint of some job alone.
func (w *world) nightly(jobID string, attributes ...string) string {
	return w.provider() + resourceBlock("streaming_flink_savepoint", append(attributes, fmt.Sprintf("job_id = %q", jobID))...)
}

// complete lists the complete savepoints of the cluster's file systems.
func (w *world) complete() []string {
	var paths []string
	for _, file := range w.Files("file:/fake") {
		if directory, ok := strings.CutSuffix(file.Path, "/_metadata"); ok && strings.Contains(directory, "/savepoint-") {
			paths = append(paths, directory)
		}
	}
	return paths
}

func (w *world) expectSavepoints(want int) func() error {
	return func() error {
		if paths := w.complete(); len(paths) != want {
			return fmt.Errorf("%d savepoints instead of %d: %q", len(paths), want, paths)
		}
		return nil
	}
}

// kept reads an attribute of the savepoint into a variable.
func kept(attribute string, target *string) resource.TestCheckFunc {
	return func(s *terraform.State) error {
		*target = s.RootModule().Resources[savepointAddress].Primary.Attributes[attribute]
		return nil
	}
}

func TestFlow_FlinkSavepoint_IsTakenWithoutStoppingTheJobAndAnewForAnotherTrigger(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	config := func(job, trigger string) string {
		return w.job(named, source(w.jar(t, "app.jar")), cancel, job) +
			resourceBlock("streaming_flink_savepoint", "job_id = streaming_flink_job.test.job_id", fmt.Sprintf("trigger = %q", trigger))
	}
	first := acctest.Apply(config("", "monday"),
		acctest.Is(savepointAddress, "path", knownvalue.StringRegexp(regexp.MustCompile(`^file:/fake/savepoints/[0-9a-f]{32}/[0-9a-f]{32}/savepoint-`))),
		acctest.Is(savepointAddress, "format_type", knownvalue.StringExact("CANONICAL")),
		acctest.Is(savepointAddress, "created_at", knownvalue.NotNull()),
		acctest.Outside(w.expectSavepoints(1)),
		acctest.Outside(w.expectLive(func(path string) bool { return path == "" })))
	acctest.RunFake(t,
		first,
		acctest.Noop(config("", "monday")),
		// The job goes on under another id: no diff of the savepoint.
		resource.TestStep{
			Config: config(`restart_trigger = "1"`, "monday"),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(savepointAddress, plancheck.ResourceActionNoop),
				plancheck.ExpectResourceAction(jobAddress, plancheck.ResourceActionUpdate),
			}},
		},
		acctest.Noop(config(`restart_trigger = "1"`, "monday")),
		acctest.Change(config(`restart_trigger = "1"`, "tuesday"), savepointAddress, plancheck.ResourceActionReplace,
			acctest.Outside(w.expectSavepoints(3)), acctest.Is(savepointAddress, "job_id", knownvalue.StringExact(w.id(2)))),
		acctest.Noop(config(`restart_trigger = "1"`, "tuesday")),
	)
	if err := w.expectSavepoints(3)(); err != nil {
		t.Errorf("after destroy: %v", err)
	}
}

// An apply that ended after it had triggered its savepoint, in whatever way,
// is gone on with.
func TestFlow_FlinkSavepoint_AnInterruptedCreateTakesNoSecondOne(t *testing.T) {
	t.Parallel()
	interruptedSavepoints(t)
}

// On Flink 1.14 nothing but its directory tells of it.
func TestFlow_FlinkSavepoint_AnInterruptedCreateTakesNoSecondOneOnFlink114(t *testing.T) {
	t.Parallel()
	interruptedSavepoints(t, flinkfake.Version("1.14.3"))
}

func interruptedSavepoints(t *testing.T, options ...flinkfake.Option) {
	t.Helper()
	const poll = "/savepoints/[0-9a-f]{32}$"
	blind := flinkfake.Fault{Method: "GET", Path: poll, Nth: 2, Times: -1, Kind: flinkfake.Status, Status: 403, Body: `{"errors":["Forbidden"]}`}
	cases := map[string]struct {
		fault flinkfake.Fault
		after func(w *world)
	}{
		"at once":                      {blind, func(*world) {}},
		"after triggers expired":       {blind, func(w *world) { w.Advance(6 * time.Minute) }},
		"after a JobManager restart":   {blind, func(w *world) { w.RestartJobManager() }},
		"the answer to POST is lost":   {flinkfake.Fault{Method: "POST", Path: "/savepoints$", Kind: flinkfake.LostAnswer}, nil},
		"a proxy sent it and says 502": {flinkfake.Fault{Method: "POST", Path: "/savepoints$", Kind: flinkfake.ProxyError, Executed: true}, nil},
		"POST was never sent":          {flinkfake.Fault{Method: "POST", Path: "/savepoints$", Kind: flinkfake.Unsent}, nil},
		"a proxy says 502 of its own":  {flinkfake.Fault{Method: "POST", Path: "/savepoints$", Kind: flinkfake.ProxyError}, nil},
		"an election":                  {flinkfake.Fault{Method: "POST", Path: "/savepoints$", Kind: flinkfake.LeaderElection}, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, options...)
			config := w.nightly(w.start(t, "outside"), `trigger = "1"`)
			w.Inject(c.fault)
			if c.after == nil {
				acctest.RunFake(t, acctest.Apply(config, acctest.Outside(w.expectSavepoints(1))))
				return
			}
			acctest.RunFake(t,
				acctest.Fails(config, "Cannot take a savepoint of job", "403"),
				resource.TestStep{
					PreConfig: func() {
						w.ClearFaults()
						eventually(t, "the savepoint is complete", func() bool { return len(w.complete()) == 1 })
						c.after(w)
					},
					Config: config,
				},
				acctest.Noop(config),
			)
			if err := w.expectSavepoints(1)(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestFlow_FlinkSavepoint_OneThatTakesTooLongIsWaitedForAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, flinkfake.SavepointDelay(4*time.Second))
	job := w.start(t, "outside")
	acctest.RunFake(t,
		acctest.Fails(w.nightly(job, `timeouts = { create = "2 s" }`), "still in progress", "Apply again: the same savepoint is waited for"),
		acctest.Apply(w.nightly(job, `timeouts = { create = "1 min" }`), acctest.Outside(w.expectSavepoints(1))),
		acctest.Noop(w.nightly(job, `timeouts = { create = "60 s" }`)),
	)
}

func TestFlow_FlinkSavepoint_TwoOfOneJobAndTriggerAreTwo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	block := fmt.Sprintf("resource \"streaming_flink_savepoint\" \"%%s\" {\n  job_id = %q\n  trigger = \"1\"\n}\n", w.start(t, "outside"))
	acctest.RunFake(t,
		acctest.Apply(w.provider()+fmt.Sprintf(block, "a")+fmt.Sprintf(block, "b"), acctest.Outside(w.expectSavepoints(2))),
	)
}

func TestFlow_FlinkSavepoint_ATriggerThatComesBackTakesANewOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	job := w.start(t, "outside")
	acctest.RunFake(t,
		acctest.Apply(w.nightly(job, `trigger = "1"`)),
		acctest.Apply(w.nightly(job, `trigger = "2"`)),
		acctest.Apply(w.nightly(job, `trigger = "1"`), acctest.Outside(w.expectSavepoints(3))),
		acctest.Noop(w.nightly(job, `trigger = "1"`)),
	)
}

func TestFlow_FlinkSavepoint_DisposeOnDestroy(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	job := w.start(t, "outside")
	acctest.RunFake(t,
		acctest.Apply(w.nightly(job, `trigger = "1"`, "dispose_on_destroy = true"), acctest.Outside(w.expectSavepoints(1))),
		acctest.Change(w.nightly(job, `trigger = "2"`, "dispose_on_destroy = true"), savepointAddress, plancheck.ResourceActionReplace,
			acctest.Outside(w.expectSavepoints(1))),
		// The value in state counts.
		acctest.Change(w.nightly(job, `trigger = "2"`), savepointAddress, plancheck.ResourceActionUpdate, acctest.Outside(w.expectSavepoints(1))),
		acctest.Change(w.nightly(job, `trigger = "2"`, "dispose_on_destroy = true"), savepointAddress, plancheck.ResourceActionUpdate),
	)
	if err := w.expectSavepoints(0)(); err != nil {
		t.Errorf("after destroy: %v", err)
	}
}

// restore runs a job from a savepoint, as someone who does not use Terraform.
func (w *world) restore(t *testing.T, name, location string) string {
	t.Helper()
	id, err := w.SubmitJob(flinkfake.Graph{
		Name: name, Rate: 1, Operators: []flinkfake.Operator{{Name: "Count", UID: "count", Stateful: true}},
	}, map[string]string{"execution.state-recovery.path": location, "execution.state-recovery.ignore-unclaimed-state": "true"})
	if err != nil {
		t.Fatal(err)
	}
	o := w.outsider(t)
	o.wait(t, func() bool {
		job, err := o.Summary(t.Context(), id)
		return err == nil && job != nil && job.AllUp()
	})
	return id
}

func TestFlow_FlinkSavepoint_OneThatAJobWasRestoredFromIsNotDisposedOf(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	config := w.nightly(w.start(t, "outside"), "dispose_on_destroy = true")
	var location, restored string
	refused := func(why string, before func()) resource.TestStep {
		return resource.TestStep{
			PreConfig: before, Config: config, Destroy: true,
			ExpectError: acctest.InOrder("Cannot delete the savepoint", "Job other", why, "Its files are not deleted", "Set dispose_on_destroy = false"),
		}
	}
	acctest.RunFake(t,
		resource.TestStep{Config: config, Check: kept("path", &location)},
		refused("was restored from this savepoint", func() { restored = w.restore(t, "other", location) }),
		// Whoever starts it again has nothing newer.
		refused("has ended and has no newer state than this savepoint", func() {
			o := w.outsider(t)
			if err := o.Cancel(t.Context(), restored); err != nil {
				t.Fatal(err)
			}
			o.wait(t, func() bool {
				state, _, err := o.Status(t.Context(), restored)
				return err == nil && state.Terminal()
			})
		}),
		resource.TestStep{PreConfig: func() {
			if paths := w.complete(); !slices.Equal(paths, []string{location}) {
				t.Errorf("%q instead of %s is there", paths, location)
			}
			w.Advance(2 * time.Hour)
		}, Config: config, PlanOnly: true},
		resource.TestStep{Config: config, Destroy: true},
	)
	if err := w.expectSavepoints(0)(); err != nil {
		t.Errorf("after Flink forgot the job: %v", err)
	}
}

func TestFlow_FlinkSavepoint_GoesTogetherWithTheJobThatWasRestoredFromIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	config := w.nightly(w.start(t, "outside"), "dispose_on_destroy = true") +
		resourceBlock("streaming_flink_job", named, source(w.jar(t, "app.jar")), cancel, "restore_from = streaming_flink_savepoint.test.path")
	acctest.RunFake(t, acctest.Apply(config, acctest.Outside(w.expectSavepoints(1))))
	if err := w.expectSavepoints(0)(); err != nil {
		t.Errorf("after destroy: %v", err)
	}
}

func TestFlow_FlinkSavepoint_AClusterThatDoesNotSeeItChangesNothing(t *testing.T) {
	t.Parallel()
	w, other := newWorld(t), newWorld(t)
	var warnings acctest.Warnings
	job := w.start(t, "outside")
	config := w.nightly(job, "dispose_on_destroy = true")
	moved := strings.ReplaceAll(config, w.URL(), other.URL())
	acctest.RunFakeWarned(t, &warnings,
		acctest.Apply(config),
		resource.TestStep{
			Config: moved, PlanOnly: true,
		},
		resource.TestStep{
			PreConfig: func() {
				if err := warnings.Held("cannot be seen from this cluster", w.URL(), "Correct the endpoint"); err != nil {
					t.Error(err)
				}
			},
			Config: moved, Destroy: true,
		},
	)
	if err := warnings.Held("The files of the savepoint may stay", w.URL(), "Nothing was deleted"); err != nil {
		t.Error(err)
	}
	if err := w.expectSavepoints(1)(); err != nil {
		t.Error(err)
	}
}

func TestFlow_FlinkSavepoint_FilesThatAreGoneAreADiffAndALostJobIsNone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var warnings acctest.Warnings
	job := w.start(t, "outside")
	config := w.nightly(job)
	steps := []resource.TestStep{
		acctest.Apply(config),
		{PreConfig: func() { w.RestartJobManager() }, Config: config, PlanOnly: true},
		{
			PreConfig: func() {
				warnings.Take()
				w.RemoveFiles("file:/fake/savepoints")
			},
			Config: config, PlanOnly: true, ExpectNonEmptyPlan: true,
		},
		acctest.Fails(config, "Cannot take a savepoint", "Flink knows no job "+job, "Set job_id"),
	}
	acctest.RunFakeWarned(t, &warnings, steps...)
	if err := warnings.Held("A savepoint is gone", "somebody deleted it"); err != nil {
		t.Error(err)
	}
}

func TestFlow_FlinkSavepoint_AClusterThatDoesNotAnswerIsAnError(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	config := w.nightly(w.start(t, "outside"))
	acctest.RunFake(t,
		acctest.Apply(config),
		resource.TestStep{
			PreConfig: func() {
				w.Inject(flinkfake.Fault{Times: -1, Kind: flinkfake.Status, Status: 403, Body: "<html>no</html>"})
			},
			Config: config, PlanOnly: true, ExpectError: acctest.InOrder("Cannot look for the savepoint", "403"),
		},
		resource.TestStep{PreConfig: w.ClearFaults, Config: config, PlanOnly: true},
	)
}

func TestFlow_FlinkSavepoint_WhatCannotBeTakenIsOneLineAtItsAttribute(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ended, running := w.start(t, "ended"), w.start(t, "running")
	o := w.outsider(t)
	if err := o.Cancel(t.Context(), ended); err != nil {
		t.Fatal(err)
	}
	o.wait(t, func() bool {
		state, _, err := o.Status(t.Context(), ended)
		return err == nil && state.Terminal()
	})
	w.DenyWrite("file:/fake/denied")
	acctest.RunFake(t,
		acctest.Fails(w.nightly(ended), "job_id = ", "Job ended", "is CANCELED and takes no savepoint"),
		acctest.Fails(w.nightly("0123456789abcdef0123456789abcdef"), "job_id = ", "Flink knows no job 0123456789abcdef0123456789abcdef"),
		acctest.Fails(w.nightly("orders"), "job_id", "32 lower-case hex digits"),
		acctest.Fails(w.nightly(running, `directory = "savepoints"`), "directory", "absolute path"),
		acctest.Fails(w.nightly(running, `format_type = "native"`), "format_type", "NATIVE"),
		acctest.Fails(w.nightly(running, `directory = "file:///fake/denied"`), "directory = ", "The savepoint failed", "The job runs on"),
		acctest.Fails(w.nightly(running, `directory = "gs://bucket/x"`), "directory = ", "The savepoint failed", "scheme 'gs'"),
		acctest.Apply(w.nightly(running, `directory = "file:///fake/elsewhere/"`),
			acctest.Is(savepointAddress, "path", knownvalue.StringRegexp(regexp.MustCompile("^file:/fake/elsewhere/")))),
	)
	if err := w.expectSavepoints(1)(); err != nil {
		t.Error(err)
	}
	bare := newWorld(t, flinkfake.SavepointDir(""))
	acctest.RunFake(t, acctest.Fails(bare.nightly(bare.start(t, "outside")), "There is no directory for the savepoint", "Set one of them"))
}

func TestFlow_FlinkSavepoint_AnImportedOneIsTakenOverAndStays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	job := w.start(t, "outside")
	location := w.savepoint(t)
	config := w.nightly(job, `trigger = "1"`, `directory = "file:///fake/outside"`)
	acctest.RunFake(t,
		resource.TestStep{Config: config, ResourceName: savepointAddress, ImportState: true, ImportStateId: "savepoints/x", ExpectError: acctest.InOrder("imported by its path")},
		resource.TestStep{Config: config, ResourceName: savepointAddress, ImportState: true, ImportStateId: "file:/fake/none", ExpectError: acctest.InOrder("no complete savepoint")},
		resource.TestStep{Config: config, ResourceName: savepointAddress, ImportState: true, ImportStateId: location, ImportStatePersist: true},
		acctest.Change(config, savepointAddress, plancheck.ResourceActionUpdate, acctest.Is(savepointAddress, "path", knownvalue.StringExact(location))),
		acctest.Noop(config),
	)
	if !slices.Contains(w.complete(), location) {
		t.Error("the savepoint is gone")
	}
}

// savepointCases are the attributes of a savepoint that the test below changes.
var savepointCases = []string{"job_id", "trigger", "directory", "format_type", "dispose_on_destroy", "timeouts.create", "timeouts.delete"}

// TestFlow_FlinkSavepoint_C26_EachAttributeDoesWhatItsPlanSays changes each
// attribute and compares the table of changes, the plan, and what the server
// saw.
func TestFlow_FlinkSavepoint_C26_EachAttributeDoesWhatItsPlanSays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	job, other := w.start(t, "one"), w.start(t, "other")
	table := flink.Changes()[flink.SavepointType]
	step := func(attribute, config string) resource.TestStep {
		row, _ := table.Row(attribute)
		actions := map[changes.Class]plancheck.ResourceActionType{
			changes.Ignored: plancheck.ResourceActionNoop, changes.None: plancheck.ResourceActionUpdate, changes.Replace: plancheck.ResourceActionReplace,
		}
		sent := ""
		if row.Class == changes.Replace {
			sent = "POST /jobs/" + job + "/savepoints"
		}
		return resource.TestStep{
			Config: config,
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(savepointAddress, actions[row.Class]), unknowns{savepointAddress, table.Unknown(row.Class)}, acctest.Between(w.ForgetRequests),
			}},
			ConfigStateChecks: []statecheck.StateCheck{acctest.Outside(func() error {
				return equal(strings.Join(w.writes(), " "), sent)
			})},
		}
	}
	limits := func(create, deletion string) string {
		return fmt.Sprintf("timeouts = { create = %q, delete = %q }", create, deletion)
	}
	acctest.RunFake(t,
		acctest.Apply(w.nightly(job, limits("5 min", "5 min"))),
		acctest.Noop(w.nightly(job, limits("300s", "300 s"))),
		step("job_id", w.nightly(other, limits("5 min", "5 min"))),
		step("timeouts.create", w.nightly(job, limits("6 min", "5 min"))),
		step("timeouts.delete", w.nightly(job, limits("6 min", "6 min"))),
		step("dispose_on_destroy", w.nightly(job, limits("6 min", "6 min"), "dispose_on_destroy = true")),
		step("dispose_on_destroy", w.nightly(job, limits("6 min", "6 min"))),
		step("trigger", w.nightly(job, `trigger = "monday"`)),
		step("directory", w.nightly(job, `trigger = "monday"`, `directory = "file:///fake/theirs"`)),
		step("format_type", w.nightly(job, `trigger = "monday"`, `directory = "file:///fake/theirs"`, `format_type = "NATIVE"`)),
		step("trigger", w.nightly(job, `directory = "file:///fake/theirs"`, `format_type = "NATIVE"`)),
	)
}
