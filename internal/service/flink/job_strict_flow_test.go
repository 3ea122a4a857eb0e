// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
)

// newStrictWorld is a cluster of Flink 1.14.
func newStrictWorld(t *testing.T, options ...flinkfake.Option) *world {
	t.Helper()
	return newWorld(t, append([]flinkfake.Option{flinkfake.Version("1.14.3")}, options...)...)
}

// plainly checks that the one live job got nothing but what Flink 1.14 takes.
func (w *world) plainly(restoredFrom func(string) bool) func() error {
	return func() error {
		job, err := w.only()
		if err != nil {
			return err
		}
		if len(job.FlinkConfiguration) > 1 || job.FlinkConfiguration["parallelism.default"] == "" && len(job.FlinkConfiguration) > 0 {
			return fmt.Errorf("job %s was started with %v", job.ID, job.FlinkConfiguration)
		}
		if !restoredFrom(job.RestoredFrom) {
			return fmt.Errorf("job %s was restored from %q", job.ID, job.RestoredFrom)
		}
		return nil
	}
}

func TestFlow_FlinkJob_LivesItsLifeOnFlink114(t *testing.T) {
	t.Parallel()
	w := newStrictWorld(t)
	base := []string{named, source(w.jar(t, "app.jar"))}
	job := func(label string, more ...string) string {
		return w.job(append(append(base, args("--name", "counter", "--label", label, "--checkpoint", "1000")), more...)...)
	}
	from := func(generation string) func(string) bool {
		return func(path string) bool { return strings.Contains(path, "/"+generation+"/savepoint-") }
	}
	acctest.RunFake(t,
		acctest.Apply(job("a"),
			acctest.Is(jobAddress, "job_id", knownvalue.StringExact(w.id(1))),
			acctest.Is(jobAddress, "job_name", knownvalue.StringExact("counter")),
			acctest.Outside(w.plainly(func(path string) bool { return path == "" }))),
		acctest.Noop(job("a")),
		acctest.Change(job("b"), jobAddress, plancheck.ResourceActionUpdate,
			acctest.Is(jobAddress, "deployment.change", knownvalue.StringExact("stop with savepoint, start from it (args)")),
			acctest.Is(jobAddress, "job_id", knownvalue.StringExact(w.id(2))),
			acctest.Outside(w.plainly(from("1")))),
		acctest.Change(job("b", `state = "suspended"`), jobAddress, plancheck.ResourceActionUpdate,
			acctest.Is(jobAddress, "savepoint_path", knownvalue.NotNull()),
			acctest.Outside(func() error {
				w.RestartJobManager()
				return nil
			})),
		acctest.Noop(job("b", `state = "suspended"`)),
		acctest.Change(job("b", "parallelism = 2"), jobAddress, plancheck.ResourceActionUpdate,
			acctest.Is(jobAddress, "job_id", knownvalue.StringExact(w.id(3))),
			acctest.Outside(w.plainly(from("2")))),
		acctest.Change(job("b", "parallelism = 2", `restart_trigger = "1"`, `upgrade = { savepoint_format = "CANONICAL" }`), jobAddress, plancheck.ResourceActionUpdate,
			acctest.Is(jobAddress, "job_id", knownvalue.StringExact(w.id(4))),
			acctest.Outside(w.plainly(from("3")))),
	)
	stopped, found := w.Job(w.id(4))
	if live := w.Live(); len(live) > 0 || !found || stopped.State != "FINISHED" {
		t.Errorf("after the destroy: %+v, and %+v runs", stopped, live)
	}
}

func TestFlow_FlinkJob_WhatFlink114CannotKeepFailsThePlan(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		attribute string
		words     []string
	}{
		"configuration":    {`configuration = { "execution.checkpointing.interval" = "1 s" }`, []string{"Flink 1.14.3 takes no configuration with a job", "configuration =", "flink-conf.yaml"}},
		"max parallelism":  {"max_parallelism = 64", []string{"Flink 1.14.3 takes no maximum parallelism with a job", "max_parallelism =", "setMaxParallelism"}},
		"options":          {`python = { fn_execution_bundle_size = 10 }`, []string{"Flink 1.14.3 takes no options of Python with a job", "python =", "flink-conf.yaml"}},
		"a bundle":         {`bundle = { id = "b.jar", sha256 = "` + strings.Repeat("a", 64) + `" }`, []string{"Flink 1.14.3 takes no Python bundle with a job", "bundle =", "python.files"}},
		"savepoint format": {`upgrade = { savepoint_format = "NATIVE" }`, []string{"Flink 1.14.3 has no other savepoint format than CANONICAL", "Remove the format here"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newStrictWorld(t)
			base := []string{named, source(w.jar(t, "app.jar")), cancel}
			acctest.RunFake(t,
				// On create, and as a change of a job that runs, and goes on.
				acctest.Fails(w.job(append(base, c.attribute)...), c.words...),
				acctest.Apply(w.job(base...)),
				acctest.Fails(w.job(append(base, c.attribute)...), c.words...),
				acctest.Apply(w.job(base...), acctest.Is(jobAddress, "job_id", knownvalue.StringExact(w.id(1))), acctest.Outside(w.plainly(func(path string) bool { return path == "" }))),
			)
			// What starts the job, and what the destroy sends.
			if writes := w.writes(); len(writes) != 3 {
				t.Errorf("sent %v", writes)
			}
		})
	}
}

// TestFlow_FlinkJob_AConfigurationThatMovesToFlink114IsRefusedByTheApply is of
// an attribute that was applied on a newer cluster: the plan lets the job be
// destroyed, and an apply that would start it without its configuration does not.
func TestFlow_FlinkJob_AConfigurationThatMovesToFlink114IsRefusedByTheApply(t *testing.T) {
	t.Parallel()
	newer, older := newWorld(t), newStrictWorld(t)
	base := []string{named, source(newer.jar(t, "app.jar")), cancel, every2s, "cluster_moved = true"}
	acctest.RunFake(t,
		acctest.Apply(newer.job(base...)),
		acctest.Fails(older.job(append(base, `upgrade = { mode = "stateless" }`)...), "Flink 1.14.3 takes no configuration with a job", "Nothing was started"),
	)
	if jobs := older.Jobs(); len(jobs) > 0 {
		t.Errorf("started: %+v", jobs)
	}
}

func TestFlow_FlinkJob_Flink114WarnsOfCheckpointsThatGo(t *testing.T) {
	t.Parallel()
	const retained = "execution.checkpointing.externalized-checkpoint-retention"
	cases := map[string]struct {
		options []flinkfake.Option
		args    string
		warned  bool
	}{
		"they go":            {nil, args("--checkpoint", "1000"), true},
		"the cluster's keep": {[]flinkfake.Option{flinkfake.Conf(retained, "RETAIN_ON_CANCELLATION")}, args("--checkpoint", "1000"), false},
		"there are none":     {nil, args("--plain"), false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newStrictWorld(t, c.options...)
			var warnings acctest.Warnings
			config := w.job(named, source(w.jar(t, "app.jar")), cancel, c.args)
			words := []string{"The checkpoints of this job go when it fails or is cancelled", retained}
			if !c.warned {
				words = nil
			}
			acctest.RunFakeWarned(t, &warnings, acctest.Apply(config, warnings.InState(words...)))
		})
	}
}

func TestFlow_FlinkJob_Flink114NeverStopsTwice(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]flinkfake.Fault{
		"the answer is lost": {Kind: flinkfake.LostAnswer},
		"it never arrived":   {Kind: flinkfake.Unsent},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newStrictWorld(t)
			base := []string{named, source(w.jar(t, "app.jar")), cancel}
			acctest.RunFake(t,
				acctest.Apply(w.job(append(base, args("--label", "a"))...)),
				resource.TestStep{
					PreConfig: func() {
						fault.Method, fault.Path = http.MethodPost, "/stop$"
						w.Inject(fault)
					},
					Config: w.job(append(base, args("--label", "b"))...),
				},
				acctest.Apply(w.job(append(base, args("--label", "b"))...), acctest.Is(jobAddress, "job_id", knownvalue.StringExact(w.id(2))),
					acctest.Outside(w.plainly(func(path string) bool { return strings.Contains(path, "/1/savepoint-") }))),
			)
			first, _ := w.Job(w.id(1))
			if first.State != "FINISHED" || first.Restarts > 0 {
				t.Errorf("the first generation is %s after %d restarts", first.State, first.Restarts)
			}
		})
	}
}

func TestFlow_FlinkSavepoint_Flink114HasOneFormat(t *testing.T) {
	t.Parallel()
	w := newStrictWorld(t)
	job := w.start(t, "outside")
	acctest.RunFake(t,
		acctest.Fails(w.nightly(job, `trigger = "1"`, `format_type = "NATIVE"`), "no other savepoint format than CANONICAL", "format_type ="),
		acctest.Apply(w.nightly(job, `trigger = "1"`, "dispose_on_destroy = true"), acctest.Outside(w.expectSavepoints(1))),
	)
	if err := w.expectSavepoints(0)(); err != nil {
		t.Errorf("after destroy: %v", err)
	}
}
