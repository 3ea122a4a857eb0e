// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
)

const every2s = `configuration = { "execution.checkpointing.interval" = "2 s" }`

// TestAcc_FlinkJob_AnUpgradeCountsEachRecordOnce changes the arguments of a
// job that counts 200 records a second, and reads from the job's own output
// that it went on where its savepoint was.
func TestAcc_FlinkJob_AnUpgradeCountsEachRecordOnce(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ before, after string }{
		// Without arguments the marker can be read back.
		"without arguments": {`restart_trigger = "1"`, `restart_trigger = "2"`},
		// With them this program registers its own parameters, which drops the marker.
		"with arguments": {args("--label", "a", "--rate", "200"), args("--label", "b", "--rate", "200")},
	}
	for name, arguments := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := realCluster(t)
			first, second := c.job(1), c.job(2)
			base := []string{named, source(c.jar(t, "app.jar")), cancel, every2s}
			before := c.owned() + resourceBlock("streaming_flink_job", append(base, arguments.before)...)
			after := c.owned() + resourceBlock("streaming_flink_job", append(base, arguments.after)...)
			acctest.RunReal(t,
				acctest.Apply(before, acctest.Is(jobAddress, "job_id", knownvalue.StringExact(first))),
				acctest.Noop(before),
				resource.TestStep{
					PreConfig: func() {
						eventually(t, "500 records counted", func() bool { return highest(c.counts(t, first), first) > 500 })
					},
					Config:           after,
					ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(jobAddress, plancheck.ResourceActionUpdate)}},
					ConfigStateChecks: []statecheck.StateCheck{
						acctest.Is(jobAddress, "job_id", knownvalue.StringExact(second)),
						acctest.Is(jobAddress, "restored_from", knownvalue.NotNull()),
						statecheck.CompareValuePairs(jobAddress, acctest.At("restored_from"), jobAddress, acctest.At("savepoint_path"), compare.ValuesSame()),
						acctest.Outside(func() error { return c.restoredWhereItStopped(t, first, second) }),
					},
				},
				acctest.Noop(after),
			)
		})
	}
}

// restoredWhereItStopped reads the output of two generations of a counter.
func (c *cluster) restoredWhereItStopped(t *testing.T, first, second string) error {
	t.Helper()
	eventually(t, "100 more records counted", func() bool {
		counts := c.counts(t, first, second)
		return highest(counts, second) > highest(counts, first)+100
	})
	counts := c.counts(t, first, second)
	if err := exactlyOnce(counts); err != nil {
		return err
	}
	stopped, begun := highest(counts, first), lowest(counts, second)
	// Keys are printed by several records, so that the first line of a key may come a little later.
	if begun <= stopped-5 || begun > stopped+50 {
		return fmt.Errorf("the first generation counted up to %d, the second began at %d", stopped, begun)
	}
	state, _, err := c.client.Status(t.Context(), first)
	if err == nil && state != flink.Finished {
		return fmt.Errorf("the first generation is %s", state)
	}
	return err
}

func TestAcc_FlinkJob_SuspendResumeAndRescaleKeepTheState(t *testing.T) {
	t.Parallel()
	c := realCluster(t)
	base := []string{named, source(c.jar(t, "app.jar")), every2s}
	config := func(attributes ...string) string {
		return c.owned() + resourceBlock("streaming_flink_job", append(base, attributes...)...)
	}
	acctest.RunReal(t,
		acctest.Apply(config(cancel)),
		acctest.Change(config(cancel, "parallelism = 2"), jobAddress, plancheck.ResourceActionUpdate,
			acctest.Is(jobAddress, "job_id", knownvalue.StringExact(c.job(2))),
			acctest.Is(jobAddress, "restored_from", knownvalue.NotNull())),
		acctest.Change(config(cancel, "parallelism = 2", `state = "suspended"`), jobAddress, plancheck.ResourceActionUpdate,
			acctest.Is(jobAddress, "status", knownvalue.StringExact("FINISHED"))),
		acctest.Noop(config(cancel, "parallelism = 2", `state = "suspended"`)),
		acctest.Change(config("parallelism = 2"), jobAddress, plancheck.ResourceActionUpdate,
			acctest.Is(jobAddress, "job_id", knownvalue.StringExact(c.job(3))),
			acctest.Outside(func() error {
				third := c.job(3)
				eventually(t, "something counted", func() bool { return highest(c.counts(t, third), third) > 0 })
				return exactlyOnce(c.counts(t, c.job(1), c.job(2), third))
			})),
	)
}

func TestAcc_FlinkJob_LastStateAndStatelessRestarts(t *testing.T) {
	t.Parallel()
	c := realCluster(t)
	base := []string{named, source(c.jar(t, "app.jar")), cancel, every2s}
	config := func(attributes ...string) string {
		return c.owned() + resourceBlock("streaming_flink_job", append(base, attributes...)...)
	}
	acctest.RunReal(t,
		acctest.Apply(config(`upgrade = { mode = "last_state" }`), acctest.Outside(func() error {
			eventually(t, "a checkpoint completed", func() bool {
				checkpoints, err := c.client.Checkpoints(t.Context(), c.job(1))
				return err == nil && checkpoints.Counts.Completed > 0
			})
			return nil
		})),
		acctest.Change(config(`upgrade = { mode = "last_state" }`, `restart_trigger = "1"`), jobAddress, plancheck.ResourceActionUpdate,
			acctest.Outside(func() error {
				checkpoints, err := c.client.Checkpoints(t.Context(), c.job(2))
				if err != nil {
					return err
				}
				if checkpoints.Latest.Restored == nil {
					return fmt.Errorf("the second generation was not restored: %+v", checkpoints)
				}
				return nil
			})),
		acctest.Change(config(`upgrade = { mode = "stateless" }`, `restart_trigger = "2"`), jobAddress, plancheck.ResourceActionUpdate,
			acctest.Is(jobAddress, "restored_from", knownvalue.Null())),
	)
}

func TestAcc_FlinkJob_C22_AFailedUpgradeRunsTheOldVersionAgain(t *testing.T) {
	t.Parallel()
	c := realCluster(t)
	base := []string{named, source(c.jar(t, "app.jar")), cancel, every2s}
	config := func(attributes ...string) string {
		return c.owned() + resourceBlock("streaming_flink_job", append(base, attributes...)...)
	}
	acctest.RunReal(t,
		acctest.Apply(config()),
		acctest.Fails(config(args("--uid", "other", "--plain")), `Cannot change Flink job "counter"`, "the old one runs again from the savepoint", "Cannot map checkpoint/savepoint state"),
		acctest.Noop(config()),
		acctest.Fails(config(`entry_class = "streaming.jobs.FailingMain"`), `Cannot change Flink job "counter"`, "main failed on purpose"),
		acctest.Noop(config()),
	)
}

func TestAcc_FlinkJob_BadInputLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	c := realCluster(t)
	file := source(c.jar(t, "app.jar"))
	cases := map[string]struct {
		attributes []string
		words      []string
	}{
		"main throws":       {[]string{file, `entry_class = "streaming.jobs.FailingMain"`, args("x")}, []string{"args = ", "main() failed: main failed on purpose"}},
		"no execute":        {[]string{file, `entry_class = "streaming.jobs.NoExecute"`}, []string{"started no job", "execute() once"}},
		"two executes":      {[]string{file, `entry_class = "streaming.jobs.TwoExecutes"`}, []string{"execute() more than once"}},
		"no such class":     {[]string{file, `entry_class = "x.Y"`}, []string{"entry_class = ", "not in the jar"}},
		"too few slots":     {[]string{file, "parallelism = 500"}, []string{"parallelism = ", "too few free slots"}},
		"a bad value":       {[]string{file, `configuration = { "execution.checkpointing.interval" = "abc" }`}, []string{"configuration = ", "abc"}},
		"no such savepoint": {[]string{file, `restore_from = "file:///nowhere/savepoint-1"`}, []string{"restore_from = ", "no savepoint or checkpoint at file:///nowhere/savepoint-1"}},
		"no jar":            {[]string{`jar = { source = "nowhere.jar" }`}, []string{"jar = ", "nowhere.jar", "Nothing was sent"}},
	}
	if strings.HasPrefix(c.Flink.Version, "1.") {
		// It takes the job of a second environment for the first one's, and refuses a second one of one environment.
		twice := cases["two executes"]
		twice.attributes = append(twice.attributes, args("--one-environment"))
		cases["two executes"] = twice
	}
	for name, bad := range cases {
		t.Run(name, func(t *testing.T) {
			acctest.RunReal(t, acctest.Fails(c.owned()+resourceBlock("streaming_flink_job", append(bad.attributes, `name = "bad input"`)...), bad.words...))
			jobs, err := c.client.Jobs(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, job := range jobs {
				if job.Name == "bad input" && !job.State.Terminal() {
					t.Errorf("job %s is still %s", job.ID, job.State)
				}
			}
		})
	}
}
