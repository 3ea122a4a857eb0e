// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// TestAcc_FlinkJar_ANewContentRestartsTheJobWithItsState changes the content
// of a jar under a running job.
func TestAcc_FlinkJar_ANewContentRestartsTheJobWithItsState(t *testing.T) {
	t.Parallel()
	c := realCluster(t)
	file := c.jar(t, "app.jar")
	config := c.owned() + resourceBlock("streaming_flink_jar", fmt.Sprintf("source = %q", file)) +
		resourceBlock("streaming_flink_job", named, cancel, every2s,
			"jar = { id = streaming_flink_jar.test.id, sha256 = streaming_flink_jar.test.sha256 }")
	first, second := c.job(1), c.job(2)
	acctest.RunReal(t,
		acctest.Apply(config,
			acctest.Is(jarAddress, "entry_classes", knownvalue.ListExact([]knownvalue.Check{knownvalue.StringExact(counter)})),
			acctest.Is(jarAddress, "id", knownvalue.NotNull())),
		acctest.Noop(config),
		resource.TestStep{
			PreConfig: func() {
				eventually(t, "100 records counted", func() bool { return highest(c.counts(t, first), first) > 100 })
				extend(t, file)
			},
			Config: config,
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(jarAddress, plancheck.ResourceActionUpdate),
				plancheck.ExpectKnownValue(jobAddress, acctest.At("deployment.change"), knownvalue.StringExact("stop with savepoint, start from it (jar)")),
			}},
		},
		acctest.Apply(config,
			acctest.Is(jobAddress, "job_id", knownvalue.StringExact(second)),
			acctest.Outside(func() error { return c.restoredWhereItStopped(t, first, second) })),
		resource.TestStep{
			ResourceName: jarAddress, ImportState: true, ImportStateVerify: true,
			ImportStateVerifyIgnore: []string{"source", "sha256", "size"},
		},
	)
}

// extend gives a jar other content, and leaves it the same program.
func extend(t *testing.T, file string) {
	t.Helper()
	content, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(file, edition(t, content, rand.Text()), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestAcc_FlinkJar_ByURLIsFetchedOnceAndRuns fetches a jar over HTTP, and runs
// a job from it.
func TestAcc_FlinkJar_ByURLIsFetchedOnceAndRuns(t *testing.T) {
	t.Parallel()
	c := realCluster(t)
	file := c.jar(t, "app.jar")
	extend(t, file)
	var downloads atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		downloads.Add(1)
		http.ServeFile(w, r, file)
	}))
	t.Cleanup(server.Close)
	jar, err := lifecycle.ReadJarFile(file)
	if err != nil {
		t.Fatal(err)
	}
	config := c.owned() + resourceBlock("streaming_flink_jar", fmt.Sprintf("url = %q", server.URL+"/repo/app.jar"), fmt.Sprintf("sha256 = %q", jar.SHA256)) +
		resourceBlock("streaming_flink_job", named, cancel,
			fmt.Sprintf("jar = { url = %q, sha256 = streaming_flink_jar.test.sha256 }", server.URL+"/mirror/app.jar"))
	acctest.RunReal(t,
		acctest.Apply(config,
			acctest.Is(jarAddress, "size", knownvalue.Int64Exact(jar.Size)),
			acctest.Is(jobAddress, "status", knownvalue.StringExact("RUNNING")),
			acctest.Outside(func() error {
				if got := downloads.Load(); got != 1 {
					return fmt.Errorf("%d downloads instead of one", got)
				}
				return nil
			})),
		acctest.Noop(config),
	)
}

func TestAcc_FlinkCluster_TellsVersionAndSlots(t *testing.T) {
	t.Parallel()
	c := realCluster(t)
	address := "data.streaming_flink_cluster.test"
	acctest.RunReal(t, acctest.Apply(c.owned()+"data \"streaming_flink_cluster\" \"test\" {}\n",
		acctest.Is(address, "version", knownvalue.StringExact(c.Flink.Version)),
		acctest.Is(address, "task_managers", knownvalue.Int64Exact(1)),
		acctest.Is(address, "submission_enabled", knownvalue.Bool(true)),
		acctest.Is(address, "savepoint_directory", knownvalue.NotNull()),
	))
}

// TestAcc_FlinkJob_AnImportedJobIsTakenOverWithoutARestart starts a job by
// other means, imports it by its name, and applies its configuration.
func TestAcc_FlinkJob_AnImportedJobIsTakenOverWithoutARestart(t *testing.T) {
	t.Parallel()
	c := realCluster(t)
	file := c.jar(t, "app.jar")
	name := "imported-" + rand.Text()
	id := c.start(t, file, name)
	config := func(attributes ...string) string {
		return c.owned() + resourceBlock("streaming_flink_job", append(attributes, fmt.Sprintf("name = %q", name), source(file), cancel, every2s)...)
	}
	acctest.RunReal(t,
		resource.TestStep{Config: config(), ResourceName: jobAddress, ImportState: true, ImportStateId: "name:" + name, ImportStatePersist: true},
		acctest.Change(config(), jobAddress, plancheck.ResourceActionUpdate,
			acctest.Is(jobAddress, "job_id", knownvalue.StringExact(id)),
			acctest.Is(jobAddress, "status", knownvalue.StringExact("RUNNING"))),
		acctest.Noop(config()),
		acctest.Change(config(`restart_trigger = "1"`), jobAddress, plancheck.ResourceActionUpdate,
			acctest.Is(jobAddress, "restored_from", knownvalue.NotNull()),
			acctest.Is(jobAddress, "deployment.generation", knownvalue.Int64Exact(1))),
	)
}

// TestAcc_FlinkJob_WhatItSaysOfItselfIsImportedAndItMovesToAnotherKind looks for
// what a job of this provider tells on a real engine, and lets the same job go on
// as another kind.
func TestAcc_FlinkJob_WhatItSaysOfItselfIsImportedAndItMovesToAnotherKind(t *testing.T) {
	t.Parallel()
	c := realCluster(t)
	file := c.jar(t, "app.jar")
	name := "moved-" + rand.Text()
	same := statecheck.CompareValue(compare.ValuesSame())
	block := func(kind string, attributes ...string) string {
		return c.owned() + resourceBlock(kind, append(attributes, fmt.Sprintf("name = %q", name), source(file), cancel, every2s, "parallelism = 1", args("--plain"))...)
	}
	before := block("streaming_flink_job")
	const groot = "streaming_groot_job.test"
	after := "moved {\n  from = " + jobAddress + "\n  to   = " + groot + "\n}\n" + block("streaming_groot_job", `sections = yamlencode({ sinks = { out = { type = "print" } }, sources = { in = { type = "kafka" } } })`)
	acctest.RunReal(t,
		acctest.Apply(before, same.AddStateValue(jobAddress, acctest.At("job_id"))),
		resource.TestStep{
			Config: before, ResourceName: jobAddress, ImportState: true, ImportStateId: "name:" + name, ImportStateCheck: func(states []*terraform.InstanceState) error {
				for _, attribute := range []string{"jar.id", "jar.sha256", "parallelism"} {
					if len(states) != 1 || states[0].Attributes[attribute] == "" {
						return fmt.Errorf("%s was not read: %v", attribute, states)
					}
				}
				return nil
			},
		},
		acctest.Change(after, groot, plancheck.ResourceActionUpdate,
			same.AddStateValue(groot, acctest.At("job_id")), acctest.Is(groot, "status", knownvalue.StringExact("RUNNING"))),
		acctest.Noop(after),
	)
}
