// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
)

func TestAcc_FlinkJob_ParallelismAloneIsRescaledInPlace(t *testing.T) {
	t.Parallel()
	c := ownCluster(t, map[string]string{
		"jobmanager.scheduler": "adaptive",
		// Flink's own waits before it rescales, in the place of half a minute. Flink 1 has other names for them.
		"jobmanager.adaptive-scheduler.executing.cooldown-after-rescaling":       "1 s",
		"jobmanager.adaptive-scheduler.executing.resource-stabilization-timeout": "1 s",
		"jobmanager.adaptive-scheduler.scaling-interval.min":                     "1 s",
	})
	base := []string{named, source(c.jar(t, "app.jar")), cancel, `configuration = { "execution.checkpointing.interval" = "200 ms" }`}
	config := func(attributes ...string) string {
		return c.owned() + resourceBlock("streaming_flink_job", append(slices.Clone(base), attributes...)...)
	}
	first := c.job(1)
	var before int64
	acctest.RunReal(t,
		acctest.Apply(config("parallelism = 1"), acctest.Outside(func() error {
			eventually(t, "100 records counted", func() bool { return highest(c.counts(t, first), first) > 100 })
			before = highest(c.counts(t, first), first)
			return nil
		})),
		resource.TestStep{
			Config: config("parallelism = 2"),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectKnownValue(jobAddress, acctest.At("job_id"), knownvalue.StringExact(first)),
				plancheck.ExpectKnownValue(jobAddress, acctest.At("deployment.change"), knownvalue.StringExact("rescale in place (parallelism 1 -> 2)")),
			}},
		},
		acctest.Apply(config("parallelism = 2"),
			acctest.Is(jobAddress, "job_id", knownvalue.StringExact(first)),
			acctest.Is(jobAddress, "restored_from", knownvalue.Null()),
			acctest.Outside(func() error {
				eventually(t, "100 more records counted", func() bool { return highest(c.counts(t, first), first) > before+100 })
				return c.runsWith(t, first, 2)
			}),
			acctest.Outside(func() error { return exactlyOnce(c.counts(t, first)) })),
		acctest.Noop(config("parallelism = 2")),
	)
}

// runsWith checks the widest vertex of a running job.
func (c *cluster) runsWith(t *testing.T, jobID string, widest int64) error {
	t.Helper()
	var runs int64
	eventually(t, fmt.Sprintf("%d subtasks of a vertex", widest), func() bool {
		job, err := c.client.Job(t.Context(), jobID)
		if err != nil {
			t.Fatal(err)
		}
		runs = 0
		for _, vertex := range job.Vertices {
			runs = max(runs, vertex.Parallelism)
		}
		return runs == widest
	})
	return nil
}
