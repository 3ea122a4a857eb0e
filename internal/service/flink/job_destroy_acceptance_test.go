// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// badJob is a job that is destroyed in a bad state.
type badJob struct {
	// state is what Flink says of it before, and left after the destroy.
	state, left flink.JobState
	attributes  []string
	// gone is true for a job whose jar file is not there any more.
	gone bool
}

// block is the job as a resource of this name.
func (b badJob) block(name, file string) string {
	attributes := append([]string{fmt.Sprintf("name = %q", name), source(file)}, b.attributes...)
	return strings.Replace(resourceBlock("streaming_flink_job", attributes...), `"test"`, `"`+name+`"`, 1)
}

const (
	detach        = `on_destroy = "detach"`
	failing       = `args = ["--plain", "--rate", "200", "--fail-at", "500"]`
	failsForGood  = `configuration = { "restart-strategy.type" = "none" }`
	restartsLater = `configuration = { "restart-strategy.type" = "fixed-delay", "restart-strategy.fixed-delay.attempts" = "1000", "restart-strategy.fixed-delay.delay" = "1 h" }`
)

// badJobs are the bad states with each on_destroy that
// TestAcc_FlinkJob_DestroyNeedsNoHealthyJob leaves out.
var badJobs = map[string]badJob{
	"gone-cancel":       {flink.Running, flink.Canceled, []string{cancel}, true},
	"gone-detach":       {flink.Running, flink.Running, []string{detach}, true},
	"failed-cancel":     {flink.Failed, flink.Failed, []string{cancel, failing, failsForGood}, false},
	"failed-detach":     {flink.Failed, flink.Failed, []string{detach, failing, failsForGood}, false},
	"restarting-detach": {flink.Restarting, flink.Restarting, []string{detach, failing, restartsLater}, false},
}

// TestAcc_FlinkJob_DestroyOfABadJobDoesWhatOnDestroySays destroys jobs of which
// none is well. One that restarts takes no savepoint, and says so.
func TestAcc_FlinkJob_DestroyOfABadJobDoesWhatOnDestroySays(t *testing.T) {
	t.Parallel()
	c := realCluster(t)
	const stubborn = "restarting-savepoint"
	restarting := func(onDestroy string) string {
		return badJob{attributes: []string{onDestroy, failing, restartsLater}}.block(stubborn, c.dir+"/"+stubborn+".jar")
	}
	id := func(name string) string {
		return lifecycle.JobID(lifecycle.UID(c.owner, c.endpoint, "streaming_flink_job", name), 1)
	}
	waitFor := func(name string, wanted flink.JobState) {
		eventually(t, fmt.Sprintf("job %s is %s", name, wanted), func() bool {
			state, known, err := c.client.Status(t.Context(), id(name))
			return err == nil && known && state == wanted
		})
	}
	c.jar(t, stubborn+".jar")
	config := c.owned() + restarting(`on_destroy = "savepoint"`)
	for name, bad := range badJobs {
		config += bad.block(name, c.jar(t, name+".jar"))
	}
	t.Cleanup(func() {
		for name, bad := range badJobs {
			if !bad.left.Terminal() {
				if err := c.client.Cancel(context.WithoutCancel(t.Context()), id(name)); err != nil {
					t.Error(err)
				}
			}
		}
	})
	acctest.RunReal(t,
		resource.TestStep{
			Config: config,
			ConfigStateChecks: []statecheck.StateCheck{acctest.Outside(func() error {
				waitFor(stubborn, flink.Restarting)
				var errs []error
				for name, bad := range badJobs {
					waitFor(name, bad.state)
					if bad.gone {
						errs = append(errs, os.Remove(c.dir+"/"+name+".jar"))
					}
				}
				return errors.Join(errs...)
			})},
			// The failed ones are planned back.
			ExpectNonEmptyPlan: true,
		},
		resource.TestStep{
			Config: config, Destroy: true,
			ExpectError: acctest.InOrder(`Cannot destroy Flink job "`+stubborn+`"`, "RESTARTING and takes no savepoint", `on_destroy = "cancel"`),
		},
		resource.TestStep{
			PreConfig: func() {
				var errs []error
				for name, bad := range badJobs {
					state, _, err := c.client.Status(t.Context(), id(name))
					if err == nil && state != bad.left {
						err = fmt.Errorf("after the destroy, job %s is %s", name, state)
					}
					errs = append(errs, err)
				}
				if err := errors.Join(errs...); err != nil {
					t.Fatal(err)
				}
			},
			Config: c.owned() + restarting(cancel),
		},
	)
	waitFor(stubborn, flink.Canceled)
}
