// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

const (
	jobsLookup = "data.streaming_flink_jobs.test"
	jobLookup  = "data.streaming_flink_job.test"
	jarsLookup = "data.streaming_flink_jars.test"
)

func dataBlock(kind string, attributes ...string) string {
	return fmt.Sprintf("data %q \"test\" {\n  %s\n}\n", kind, strings.Join(attributes, "\n  "))
}

// listed is a check of a whole list of texts.
func listed(texts ...string) knownvalue.Check {
	checks := make([]knownvalue.Check, 0, len(texts))
	for _, text := range texts {
		checks = append(checks, knownvalue.StringExact(text))
	}
	return knownvalue.ListExact(checks)
}

// end cancels a job and waits for its end.
func (w *world) end(t *testing.T, job string) {
	t.Helper()
	o := w.outsider(t)
	if err := o.Cancel(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	o.wait(t, func() bool {
		state, known, err := o.Status(t.Context(), job)
		return err == nil && known && state.Terminal()
	})
}

func TestFlow_FlinkJobs_AreFoundByNameAndStatusOldestFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ended := w.start(t, "orders-eu")
	w.end(t, ended)
	w.Advance(time.Second)
	running := w.start(t, "orders-eu")
	w.Advance(time.Second)
	other := w.start(t, "clicks")
	find := func(attributes ...string) string {
		return w.provider() + dataBlock("streaming_flink_jobs", attributes...)
	}
	acctest.RunFake(t,
		acctest.Fails(find(`statuses = ["running"]`), "statuses", "RUNNING"),
		acctest.Fails(find("statuses = []"), "statuses is empty", "at least one element"),
		acctest.Fails(find(`name_regex = "("`), "Not a regular expression", "name_regex = ", "missing closing"),
		acctest.Fails(find(`name = "a"`, `name_regex = "a"`), "name", "name_regex"),
		acctest.Apply(find(),
			acctest.Is(jobsLookup, "job_ids", listed(ended, running, other)),
			statecheck.ExpectKnownValue(jobsLookup, acctest.At("jobs").AtSliceIndex(0), knownvalue.ObjectExact(map[string]knownvalue.Check{
				"job_id": knownvalue.StringExact(ended), "name": knownvalue.StringExact("orders-eu"), "status": knownvalue.StringExact("CANCELED"),
				"started_at": knownvalue.StringRegexp(utc), "ended_at": knownvalue.StringRegexp(utc), "tasks_total": knownvalue.Int64Exact(2), "tasks_running": knownvalue.Int64Exact(0),
			})),
			statecheck.ExpectKnownValue(jobsLookup, acctest.At("jobs").AtSliceIndex(2), knownvalue.ObjectExact(map[string]knownvalue.Check{
				"job_id": knownvalue.StringExact(other), "name": knownvalue.StringExact("clicks"), "status": knownvalue.StringExact("RUNNING"),
				"started_at": knownvalue.StringRegexp(utc), "ended_at": knownvalue.Null(), "tasks_total": knownvalue.Int64Exact(2), "tasks_running": knownvalue.Int64Exact(2),
			}))),
		acctest.Apply(find(`name = "orders-eu"`), acctest.Is(jobsLookup, "job_ids", listed(ended, running))),
		acctest.Apply(find(`name_regex = "^click"`), acctest.Is(jobsLookup, "job_ids", listed(other))),
		acctest.Apply(find(`statuses = ["RUNNING", "FAILED"]`), acctest.Is(jobsLookup, "job_ids", listed(running, other))),
		acctest.Apply(find(`statuses = ["CANCELED"]`, `name = "orders-eu"`), acctest.Is(jobsLookup, "job_ids", listed(ended))),
		acctest.Apply(find(`name = "orders"`), acctest.Is(jobsLookup, "job_ids", listed()), acctest.Is(jobsLookup, "jobs", listed())),
	)
}

var utc = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$`)

func TestFlow_FlinkJobs_OfAnEmptyClusterAreNone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	acctest.RunFake(t, acctest.Apply(w.provider()+dataBlock("streaming_flink_jobs")+dataBlock("streaming_flink_jars"),
		acctest.Is(jobsLookup, "job_ids", listed()), acctest.Is(jobsLookup, "jobs", listed()),
		acctest.Is(jarsLookup, "ids", listed()), acctest.Is(jarsLookup, "jars", listed())))
}

func TestFlow_FlinkJob_LookedUpTellsItsHealth(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	job := w.job(named, source(w.jar(t, "app.jar")), cancel, every2s)
	find := job + dataBlock("streaming_flink_job", "job_id = streaming_flink_job.test.job_id")
	acctest.RunFake(t,
		acctest.Apply(job),
		resource.TestStep{
			PreConfig: func() { w.Advance(time.Minute) },
			Config:    find,
			ConfigStateChecks: []statecheck.StateCheck{
				acctest.Is(jobLookup, "job_id", knownvalue.StringExact(w.id(1))),
				acctest.Is(jobLookup, "name", knownvalue.StringExact("counter")),
				acctest.Is(jobLookup, "status", knownvalue.StringExact("RUNNING")),
				acctest.Is(jobLookup, "all_tasks_running", knownvalue.Bool(true)),
				acctest.Is(jobLookup, "tasks", knownvalue.ObjectExact(map[string]knownvalue.Check{
					"total": knownvalue.Int64Exact(2), "running": knownvalue.Int64Exact(2), "finished": knownvalue.Int64Exact(0),
				})),
				acctest.Is(jobLookup, "type", knownvalue.StringExact("STREAMING")),
				acctest.Is(jobLookup, "parallelism", knownvalue.Int64Exact(1)),
				acctest.Is(jobLookup, "max_parallelism", knownvalue.Null()),
				acctest.Is(jobLookup, "owner", knownvalue.StringExact(owner)),
				acctest.Is(jobLookup, "started_at", knownvalue.StringRegexp(utc)),
				acctest.Is(jobLookup, "ended_at", knownvalue.Null()),
				acctest.Is(jobLookup, "restored_from", knownvalue.Null()),
				acctest.Is(jobLookup, "cluster", knownvalue.StringExact(w.URL())),
				acctest.Is(jobLookup, "web_url", knownvalue.StringExact(w.URL()+"/#/job/running/"+w.id(1)+"/overview")),
				acctest.Is(jobLookup, "vertices", knownvalue.ListSizeExact(2)),
				statecheck.ExpectKnownValue(jobLookup, acctest.At("vertices").AtSliceIndex(0).AtMapKey("status"), knownvalue.StringExact("RUNNING")),
				acctest.Is(jobLookup, "checkpoints.interval_ms", knownvalue.Int64Exact(2000)),
				acctest.Is(jobLookup, "checkpoints.last_path", knownvalue.StringRegexp(regexp.MustCompile(`^file:/fake/checkpoints/`+w.id(1)+`/chk-\d+$`))),
				acctest.Is(jobLookup, "checkpoints.last_at", knownvalue.StringRegexp(utc)),
				acctest.Is(jobLookup, "checkpoints.last_age_seconds", knownvalue.Int64Func(func(age int64) error {
					if age < 0 || age > 5 {
						return fmt.Errorf("%d s, with a checkpoint every 2 s", age)
					}
					return nil
				})),
				acctest.Is(jobLookup, "checkpoints.savepoint_path", knownvalue.Null()),
				acctest.Is(jobLookup, "restarts", knownvalue.Int64Exact(0)),
				acctest.Is(jobLookup, "last_failure", knownvalue.Null()),
			},
		},
	)
}

func TestFlow_FlinkJob_LookedUpByNameIsTheOneThatHasNotEnded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	find := func(attribute string) string { return w.provider() + dataBlock("streaming_flink_job", attribute) }
	byName := find(`name = "orders"`)
	first := w.start(t, "orders")
	w.end(t, first)
	w.Advance(time.Second)
	second := w.start(t, "orders")
	var third string
	acctest.RunFake(t,
		acctest.Fails(find(`name = "clicks"`), `Flink knows no job named "clicks"`, "name = ", "knows 2 jobs", "streaming_flink_jobs lists them"),
		acctest.Fails(find(`job_id = "0123456789abcdef0123456789abcdef"`), "Flink knows no job 0123456789abcdef0123456789abcdef", "job_id = ", "or look the job up by name"),
		acctest.Fails(find(`job_id = "orders"`), "job_id", "32 lower-case hex digits"),
		acctest.Fails(find(""), "job_id", "name"),
		acctest.Apply(byName, acctest.Is(jobLookup, "job_id", knownvalue.StringExact(second))),
		resource.TestStep{
			PreConfig: func() { third = w.start(t, "orders") },
			Config:    byName, ExpectError: acctest.InOrder(`2 jobs are named "orders"`, "name = ", "Set job_id to one of these ids"),
		},
		resource.TestStep{
			PreConfig: func() {
				w.end(t, second)
				w.Advance(time.Minute)
				w.end(t, third)
			},
			Config: byName,
			ConfigStateChecks: []statecheck.StateCheck{
				acctest.Is(jobLookup, "status", knownvalue.StringExact("CANCELED")),
				acctest.Is(jobLookup, "ended_at", knownvalue.StringRegexp(utc)),
				acctest.Is(jobLookup, "all_tasks_running", knownvalue.Bool(false)),
				acctest.Outside(func() error {
					if len(w.Live()) > 0 {
						return fmt.Errorf("%v still run", w.Live())
					}
					return nil
				}),
			},
		},
	)
}

// Both ids of an ambiguous name are said, whatever the order of Flink's list.
func TestFlow_FlinkJob_AnAmbiguousNameIsToldWithTheIDs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ids := []string{w.start(t, "orders"), w.start(t, "orders")}
	slices.Sort(ids)
	config := w.provider() + dataBlock("streaming_flink_job", `name = "orders"`)
	acctest.RunFake(t,
		resource.TestStep{Config: config, ExpectError: regexp.MustCompile(`(?s)` + ids[0])},
		resource.TestStep{Config: config, ExpectError: regexp.MustCompile(`(?s)` + ids[1])},
	)
}

func TestFlow_FlinkJob_LookedUpTellsWhyItFailedInALine(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	job := w.job(named, source(w.jar(t, "app.jar")), cancel, args("--plain", "--rate", "100", "--fail-at", "3000"))
	acctest.RunFake(t,
		acctest.Apply(job),
		resource.TestStep{
			PreConfig: func() { w.Advance(time.Hour / 2) },
			Config:    w.provider() + dataBlock("streaming_flink_job", `name = "counter"`),
			ConfigStateChecks: []statecheck.StateCheck{
				acctest.Is(jobLookup, "status", knownvalue.StringExact("FAILED")),
				acctest.Is(jobLookup, "restarts", knownvalue.Null()),
				acctest.Is(jobLookup, "last_failure.reason", knownvalue.StringRegexp(regexp.MustCompile(`^[^\n\t]+$`))),
				acctest.Is(jobLookup, "last_failure.at", knownvalue.StringRegexp(utc)),
				acctest.Is(jobLookup, "checkpoints.interval_ms", knownvalue.Null()),
			},
		},
	)
}

// The number is that of the moment, though Flink answers with the one before.
func TestFlow_FlinkJob_LookedUpTellsHowOftenItWasRestarted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	find := w.provider() + dataBlock("streaming_flink_job", `name = "failing"`)
	if _, err := w.SubmitJob(
		flinkfake.Graph{Name: "failing", Rate: 100, FailAt: 3, Operators: []flinkfake.Operator{{Name: "Source: numbers"}}},
		map[string]string{"restart-strategy.type": "fixed-delay", "restart-strategy.fixed-delay.attempts": "9", "restart-strategy.fixed-delay.delay": "1 h"},
	); err != nil {
		t.Fatal(err)
	}
	after := func(wait time.Duration, restarts int64) resource.TestStep {
		step := acctest.Apply(find,
			acctest.Is(jobLookup, "status", knownvalue.StringExact("RESTARTING")),
			acctest.Is(jobLookup, "all_tasks_running", knownvalue.Bool(false)),
			acctest.Is(jobLookup, "restarts", knownvalue.Int64Exact(restarts)))
		step.PreConfig = func() { w.Advance(wait) }
		return step
	}
	acctest.RunFake(t, after(time.Minute, 1), after(time.Hour, 2))
}

// A job that never got a graph has neither checkpoints nor parts.
func TestFlow_FlinkJob_LookedUpMayHaveFailedBeforeItRan(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"1.20.5", "2.3.0"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, flinkfake.Version(version))
			o := w.outsider(t)
			id, _, _, err := lifecycle.UploadJar(t.Context(), o.Client, w.jar(t, "app.jar"), "", "")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := o.RunJar(t.Context(), id, flink.RunRequest{SavepointPath: "file:/nowhere", FlinkConfiguration: map[string]string{"pipeline.name": "broken"}}); err == nil {
				t.Fatal("a job runs that cannot")
			}
			acctest.RunFake(t, acctest.Apply(w.provider()+dataBlock("streaming_flink_job", `name = "broken"`),
				acctest.Is(jobLookup, "status", knownvalue.StringExact("FAILED")),
				acctest.Is(jobLookup, "last_failure.reason", knownvalue.StringRegexp(regexp.MustCompile("/nowhere")))))
		})
	}
}

// What a program registers, and what configures a job, may be secret.
func TestFlow_FlinkJob_LookedUpShowsNoParameterOfTheJob(t *testing.T) {
	t.Parallel()
	const secret = "hunter2-in-a-parameter"
	w := newWorld(t)
	job := w.job(named, source(w.jar(t, "app.jar")), cancel, fmt.Sprintf(`configuration = { "pipeline.global-job-parameters" = "db:%s" }`, secret))
	find := dataBlock("streaming_flink_job", `name = "counter"`) + dataBlock("streaming_flink_jobs") + dataBlock("streaming_flink_jars")
	acctest.RunFake(t,
		acctest.Apply(job, acctest.Outside(func() error {
			running, err := w.only()
			if err == nil && running.UserConfig["db"] != secret {
				err = fmt.Errorf("the job does not have the parameter: %v", running.UserConfig)
			}
			return err
		})),
		resource.TestStep{
			Config: job + find,
			Check: resource.ComposeAggregateTestCheckFunc(
				without(jobLookup, secret), without(jobsLookup, secret), without(jarsLookup, secret)),
		},
	)
}

func TestFlow_FlinkJars_AreFoundByNameWithoutTheProbe(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	o := w.outsider(t)
	upload := func(name string, classes ...string) string {
		id, err := o.UploadJar(t.Context(), bytesUpload(name, flinkfake.Jar(counter, classes...)))
		if err != nil {
			t.Fatal(err)
		}
		w.Advance(time.Second)
		return id
	}
	first, second := upload("orders-1.jar"), upload("clicks.jar")
	broken, err := o.UploadJar(t.Context(), bytesUpload("orders-2.jar", []byte("no jar")))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lifecycle.NewStateProbe(o.Client).Exists(t.Context(), "file:/fake"); err != nil {
		t.Fatal(err)
	}
	find := func(attributes ...string) string {
		return w.provider() + dataBlock("streaming_flink_jars", attributes...)
	}
	acctest.RunFake(t,
		acctest.Fails(find(`file_name = "a"`, `name_regex = "a"`), "file_name", "name_regex"),
		acctest.Apply(find(),
			acctest.Is(jarsLookup, "ids", listed(first, second, broken)),
			statecheck.ExpectKnownValue(jarsLookup, acctest.At("jars").AtSliceIndex(0), knownvalue.ObjectExact(map[string]knownvalue.Check{
				"id": knownvalue.StringExact(first), "file_name": knownvalue.StringExact("orders-1.jar"), "uploaded_at": knownvalue.StringRegexp(utc), "entry_classes": listed(counter),
			})),
			statecheck.ExpectKnownValue(jarsLookup, acctest.At("jars").AtSliceIndex(2).AtMapKey("entry_classes"), listed())),
		acctest.Apply(find(`file_name = "clicks.jar"`), acctest.Is(jarsLookup, "ids", listed(second))),
		acctest.Apply(find(`name_regex = "^orders-"`), acctest.Is(jarsLookup, "ids", listed(first, broken))),
		acctest.Apply(find(`file_name = "orders"`), acctest.Is(jarsLookup, "ids", listed())),
	)
	closed := newWorld(t, flinkfake.NoWebSubmit())
	acctest.RunFake(t, acctest.Fails(closed.provider()+dataBlock("streaming_flink_jars"), "Cannot list the jars", "web.submit.enable"))
}

func TestFlow_FlinkJobs_AClusterThatDoesNotAnswerIsAnError(t *testing.T) {
	t.Parallel()
	for kind, words := range map[string][]string{
		"streaming_flink_jobs": {"Cannot list the jobs of the Flink cluster", "503", "Nothing is taken for gone"},
		"streaming_flink_jars": {"Cannot list the jars of the Flink cluster", "503", "Nothing is taken for gone"},
		"streaming_flink_job":  {"Cannot list the jobs of the Flink cluster", "503", "Nothing is taken for gone"},
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.Inject(flinkfake.Fault{Path: ".*", Times: -1, Kind: flinkfake.ProxyError, Status: http.StatusServiceUnavailable})
			attribute := ""
			if kind == "streaming_flink_job" {
				attribute = `name = "x"`
			}
			acctest.RunFake(t, acctest.Fails(w.provider()+dataBlock(kind, attribute), words...))
			down := acctest.Config{Flink: "http://127.0.0.1:1"}.String() + dataBlock(kind, attribute)
			acctest.RunFake(t, acctest.Fails(down, words[0], "connection refused", "Nothing was sent"))
		})
	}
}

// A job that ends its time in the list between two requests is gone.
func TestFlow_FlinkJob_OneThatGoesWhileItIsLookedAtIsGone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	job := w.start(t, "orders")
	w.Inject(flinkfake.Fault{Path: "/jobs/" + job + "/checkpoints$", Times: -1, Kind: flinkfake.Status, Status: http.StatusNotFound, Body: `{"errors":["org.apache.flink.runtime.rest.NotFoundException: Job ` + job + ` not found"]}`})
	acctest.RunFake(t, acctest.Fails(w.provider()+dataBlock("streaming_flink_job", fmt.Sprintf("job_id = %q", job)), "Flink knows no job "+job))
}

// bytesUpload is an upload of a content in memory.
func bytesUpload(name string, content []byte) rest.Upload {
	return rest.Upload{
		FileName: name, Size: int64(len(content)),
		Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil },
	}
}

// without fails if an attribute of the data source holds the text, in a key or
// in a value.
func without(address, text string) resource.TestCheckFunc {
	return func(s *terraform.State) error {
		for key, value := range s.RootModule().Resources[address].Primary.Attributes {
			if strings.Contains(key+" "+value, text) {
				return fmt.Errorf("%s.%s is %q", address, key, value)
			}
		}
		return nil
	}
}
