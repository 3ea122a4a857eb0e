// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/local"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// retained is how a cluster keeps the checkpoints of jobs that take no
// configuration of their own.
var retained = map[string]string{"execution.checkpointing.externalized-checkpoint-retention": "RETAIN_ON_CANCELLATION"}

// interruptedCreate submits a job as an apply that is killed then.
func (c *cluster) interruptedCreate(t *testing.T, jar string, arguments []string) {
	t.Helper()
	engine := lifecycle.Engine{Client: c.client, Owner: c.owner, Timing: lifecycle.DefaultTiming(), Probe: lifecycle.NewStateProbe(c.client)}
	_, err := engine.Create(t.Context(), lifecycle.Create{
		UID:  lifecycle.UID(c.owner, c.endpoint, "streaming_flink_job", "counter"),
		Spec: lifecycle.Spec{Name: "counter", Program: &lifecycle.JarProgram{Client: c.client, Path: jar, Args: arguments}},
		Want: lifecycle.StateRunning, Policy: lifecycle.Policy{Mode: lifecycle.ModeSavepoint},
	})
	if err != nil {
		t.Fatal(err)
	}
}

// interruptedStop sends the stop of a generation as an apply that is killed
// then, and returns where its savepoint goes.
func (c *cluster) interruptedStop(t *testing.T, n int64) string {
	t.Helper()
	target := fmt.Sprintf("%s/%s/%d", c.Flink.SavepointDir, lifecycle.UID(c.owner, c.endpoint, "streaming_flink_job", "counter"), n)
	if _, err := c.client.Stop(t.Context(), c.job(n), flink.StopRequest{TargetDirectory: "file://" + target}); err != nil {
		t.Fatal(err)
	}
	return target
}

// goesOn checks that a generation lost nothing of the one before, and counted
// nothing twice. A job of Flink 1.14 goes on until its stop is complete, so that
// what it printed after its savepoint is printed again by the next one.
func (c *cluster) goesOn(t *testing.T, first, second string) error {
	t.Helper()
	eventually(t, "more records counted", func() bool {
		counts := c.counts(t, first, second)
		return highest(counts, second) > highest(counts, first)
	})
	counts := c.counts(t, first, second)
	if stopped, begun := highest(counts, first), lowest(counts, second); begun > stopped+50 {
		return fmt.Errorf("the first generation counted up to %d, the second began at %d", stopped, begun)
	}
	state, _, err := c.client.Status(t.Context(), first)
	if err == nil && state != flink.Finished {
		err = fmt.Errorf("the first generation is %s", state)
	}
	return errors.Join(exactlyOnce(counts), err)
}

// TestAcc_FlinkJob_LivesItsLifeOnFlink114 takes a counting job through all that
// happens to one, on a cluster that takes neither a marker nor ids of stops.
func TestAcc_FlinkJob_LivesItsLifeOnFlink114(t *testing.T) {
	t.Parallel()
	c := ownEngine(t, local.Config{FlinkVersion: "1.14.3", FlinkConf: retained})
	jar := c.jar(t, "app.jar")
	counter := func(label string) []string {
		return []string{"--name", "counter", "--label", label, "--rate", "200", "--checkpoint", "200"}
	}
	config := func(label string, more ...string) string {
		return c.owned() + resourceBlock("streaming_flink_job", append([]string{named, source(jar), args(counter(label)...)}, more...)...)
	}
	step := func(before func(), config string, generation int64, checks ...statecheck.StateCheck) resource.TestStep {
		return resource.TestStep{
			PreConfig: before, Config: config,
			ConfigStateChecks: append(checks, acctest.Is(jobAddress, "job_id", knownvalue.StringExact(c.job(generation)))),
		}
	}
	var target, newest string
	acctest.RunReal(t,
		// What an interrupted create began is found, and what it runs is not known.
		step(func() { c.interruptedCreate(t, jar, counter("a")) }, config("a"), 2,
			acctest.Is(jobAddress, "restored_from", knownvalue.NotNull()),
			acctest.Outside(func() error { return c.goesOn(t, c.job(1), c.job(2)) })),
		acctest.Noop(config("a")),
		// The stop of an interrupted upgrade is waited for, and none is sent beside it.
		step(func() { target = c.interruptedStop(t, 2) }, config("b"), 3,
			acctest.Outside(func() error {
				savepoints, err := os.ReadDir(target)
				if err == nil && len(savepoints) != 1 {
					err = fmt.Errorf("%d savepoints in %s", len(savepoints), target)
				}
				return err
			}),
			acctest.Outside(func() error { return c.goesOn(t, c.job(2), c.job(3)) })),
		// A JobManager without high availability forgets the job.
		step(func() {
			c.crash(t)
			newest = c.newestCheckpoint(t, c.job(3))
		}, config("b"), 4,
			acctest.Is(jobAddress, "restored_from", knownvalue.StringFunc(func(path string) error {
				if !strings.HasSuffix(path, newest) {
					return fmt.Errorf("restored from %s instead of %s", path, newest)
				}
				return nil
			}))),
		step(nil, config("c", `upgrade = { mode = "last_state" }`), 5,
			acctest.Is(jobAddress, "restored_from", knownvalue.StringFunc(func(path string) error {
				if !strings.Contains(path, c.job(4)+"/chk-") {
					return fmt.Errorf("restored from %s, which is no checkpoint of job %s", path, c.job(4))
				}
				return nil
			}))),
		acctest.Change(config("c", `state = "suspended"`), jobAddress, plancheck.ResourceActionUpdate, acctest.Is(jobAddress, "status", knownvalue.StringExact("FINISHED"))),
		acctest.Noop(config("c", `state = "suspended"`)),
		step(nil, config("c", "parallelism = 2"), 6,
			acctest.Outside(func() error {
				last := c.job(6)
				eventually(t, "something counted", func() bool { return highest(c.counts(t, last), last) > 0 })
				return exactlyOnce(c.counts(t, c.job(1), c.job(2), c.job(3), c.job(4), c.job(5), last))
			})),
	)
	// The destroy stopped it with a savepoint.
	state, _, err := c.client.Status(t.Context(), c.job(6))
	if err != nil || state != flink.Finished {
		t.Errorf("after the destroy the job is %s (%v)", state, err)
	}
}
