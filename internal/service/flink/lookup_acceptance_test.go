// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"crypto/rand"
	"fmt"
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

func TestAcc_FlinkJobs_AndTheirJarsAreFoundByName(t *testing.T) {
	t.Parallel()
	c := realCluster(t)
	name := "lookup-" + rand.Text()
	file := c.jar(t, name+".jar")
	ended := c.start(t, file, name)
	c.cancel(t, ended)
	running := c.start(t, file, name)
	defer c.cancel(t, running)
	config := c.owned() + dataBlock("streaming_flink_jobs", fmt.Sprintf("name = %q", name)) +
		dataBlock("streaming_flink_jars", fmt.Sprintf("name_regex = %q", "^"+name+"-"))
	acctest.RunReal(t,
		acctest.Apply(config,
			acctest.Is(jobsLookup, "job_ids", listed(ended, running)),
			statecheck.ExpectKnownValue(jobsLookup, acctest.At("jobs").AtSliceIndex(0).AtMapKey("status"), knownvalue.StringExact("CANCELED")),
			statecheck.ExpectKnownValue(jobsLookup, acctest.At("jobs").AtSliceIndex(0).AtMapKey("ended_at"), knownvalue.StringRegexp(utc)),
			statecheck.ExpectKnownValue(jobsLookup, acctest.At("jobs").AtSliceIndex(1).AtMapKey("status"), knownvalue.StringExact("RUNNING")),
			statecheck.ExpectKnownValue(jobsLookup, acctest.At("jobs").AtSliceIndex(1).AtMapKey("ended_at"), knownvalue.Null()),
			acctest.Is(jarsLookup, "jars", knownvalue.ListSizeExact(1)),
			statecheck.ExpectKnownValue(jarsLookup, acctest.At("jars").AtSliceIndex(0).AtMapKey("entry_classes"), listed("streaming.jobs.Counter")),
			statecheck.ExpectKnownValue(jarsLookup, acctest.At("jars").AtSliceIndex(0).AtMapKey("uploaded_at"), knownvalue.StringRegexp(utc)),
		),
		acctest.Apply(c.owned()+dataBlock("streaming_flink_jobs", fmt.Sprintf("name = %q", name), `statuses = ["FAILED"]`)+
			dataBlock("streaming_flink_jars", fmt.Sprintf("file_name = %q", name)),
			acctest.Is(jobsLookup, "job_ids", listed()), acctest.Is(jarsLookup, "ids", listed())),
		acctest.Apply(c.owned()+dataBlock("streaming_flink_job", fmt.Sprintf("name = %q", name)),
			acctest.Is(jobLookup, "job_id", knownvalue.StringExact(running)), acctest.Is(jobLookup, "owner", knownvalue.Null())),
	)
}

// TestAcc_FlinkJars_LeaveOutTheProbe asks the probe first, so that its jar is
// on the cluster.
func TestAcc_FlinkJars_LeaveOutTheProbe(t *testing.T) {
	t.Parallel()
	c := realCluster(t)
	if _, err := lifecycle.NewStateProbe(c.client).Exists(t.Context(), "file:///"); err != nil {
		t.Fatal(err)
	}
	acctest.RunReal(t, acctest.Apply(c.owned()+dataBlock("streaming_flink_jars", `name_regex = "probe"`), acctest.Is(jarsLookup, "ids", listed())))
}

func TestAcc_FlinkJob_LookedUpTellsItsHealth(t *testing.T) {
	t.Parallel()
	c := realCluster(t)
	job := c.owned() + resourceBlock("streaming_flink_job", named, source(c.jar(t, "app.jar")), cancel, every2s)
	find := job + dataBlock("streaming_flink_job", "job_id = streaming_flink_job.test.job_id")
	acctest.RunReal(t,
		acctest.Apply(job),
		resource.TestStep{
			PreConfig: func() {
				// Flink answers each of the three from a cache of its own.
				eventually(t, "a checkpoint completed, its restarts counted and the vertex running", func() bool {
					checkpoints, err := c.client.Checkpoints(t.Context(), c.job(1))
					if err != nil || checkpoints.Latest.Completed == nil {
						return false
					}
					if _, counted, err := c.client.Restarts(t.Context(), c.job(1)); err != nil || !counted {
						return false
					}
					job, err := c.client.Job(t.Context(), c.job(1))
					return err == nil && len(job.Vertices) > 0 && job.Vertices[0].Status == flink.Running
				})
			},
			Config: find,
			ConfigStateChecks: []statecheck.StateCheck{
				acctest.Is(jobLookup, "status", knownvalue.StringExact("RUNNING")),
				acctest.Is(jobLookup, "all_tasks_running", knownvalue.Bool(true)),
				acctest.Is(jobLookup, "type", knownvalue.StringExact("STREAMING")),
				acctest.Is(jobLookup, "owner", knownvalue.StringExact(c.owner)),
				acctest.Is(jobLookup, "vertices", knownvalue.ListPartial(map[int]knownvalue.Check{0: knownvalue.ObjectPartial(map[string]knownvalue.Check{
					"name": knownvalue.NotNull(), "status": knownvalue.StringExact("RUNNING"), "parallelism": knownvalue.Int64Exact(1),
				})})),
				acctest.Is(jobLookup, "checkpoints.interval_ms", knownvalue.Int64Exact(2000)),
				acctest.Is(jobLookup, "checkpoints.last_path", knownvalue.StringRegexp(regexp.MustCompile(c.job(1)+`/chk-\d+$`))),
				acctest.Is(jobLookup, "checkpoints.last_age_seconds", knownvalue.Int64Func(func(age int64) error {
					if age < 0 || age > 30 {
						return fmt.Errorf("%d s, with a checkpoint every 2 s", age)
					}
					return nil
				})),
				acctest.Is(jobLookup, "restarts", knownvalue.Int64Exact(0)),
				acctest.Is(jobLookup, "last_failure", knownvalue.Null()),
			},
		},
		acctest.Fails(c.owned()+dataBlock("streaming_flink_job", `job_id = "0123456789abcdef0123456789abcdef"`), "Flink knows no job", "job_id = "),
	)
}

// One that failed at its start never had a graph: what Flink answers then
// differs from version to version.
func TestAcc_FlinkJob_LookedUpMayHaveFailedBeforeItRan(t *testing.T) {
	t.Parallel()
	c := realCluster(t)
	name := "broken-" + rand.Text()
	id, _, _, err := lifecycle.UploadJar(t.Context(), c.client, c.jar(t, "app.jar"), "", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.client.RunJar(t.Context(), id, flink.RunRequest{SavepointPath: "file:/nowhere", FlinkConfiguration: map[string]string{"pipeline.name": name}}); err == nil {
		t.Fatal("a job runs that cannot")
	}
	acctest.RunReal(t, acctest.Apply(c.owned()+dataBlock("streaming_flink_job", fmt.Sprintf("name = %q", name)),
		acctest.Is(jobLookup, "status", knownvalue.StringExact("FAILED")),
		acctest.Is(jobLookup, "ended_at", knownvalue.StringRegexp(utc)),
		acctest.Is(jobLookup, "last_failure.reason", knownvalue.StringRegexp(regexp.MustCompile("^[^\n]*/nowhere[^\n]*$")))))
}

// Flink's own order of the parts and of the plan differ; the picture has one.
func TestAcc_FlinkJobGraph_IsDrawn(t *testing.T) {
	t.Parallel()
	c := realCluster(t)
	job := c.owned() + resourceBlock("streaming_flink_job", named, source(c.jar(t, "app.jar")), cancel, args("--plain", "--extra-operator"))
	find := job + dataBlock("streaming_flink_job_graph", "job_id = streaming_flink_job.test.job_id")
	acctest.RunReal(t,
		acctest.Apply(find, acctest.Is(graphLookup, "mermaid", knownvalue.StringExact(drawn(1))),
			acctest.Is(graphLookup, "edges", knownvalue.ListSizeExact(2))),
		acctest.Noop(find),
	)
}
