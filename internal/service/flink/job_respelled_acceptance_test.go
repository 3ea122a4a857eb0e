// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
)

// TestAcc_FlinkJob_C45_ARespelledValueIsAnEmptyPlan respells durations and a
// size of memory, at an attribute and in configuration, where a value depends
// on the job's id; and an option that Flink keeps as text.
func TestAcc_FlinkJob_C45_ARespelledValueIsAnEmptyPlan(t *testing.T) {
	t.Parallel()
	c := realCluster(t)
	file := source(c.jar(t, "app.jar"))
	config := func(duration, memory, text string) string {
		return c.owned() + resourceBlock("streaming_flink_job", named, file, cancel,
			"timeouts = { update = \""+duration+"\" }",
			configuration("execution.checkpointing.interval", duration, "state.backend.rocksdb.memory.fixed-per-slot", memory, "my.own", text)) + dependent
	}
	const dependentAddress = "terraform_data.dependent"
	acctest.RunReal(t,
		acctest.Apply(config("10 min", "1 gb", "10 min"), acctest.Is(jobAddress, "job_id", knownvalue.StringExact(c.job(1)))),
		acctest.Noop(config("600 s", "1024 mb", "10 min")),
		acctest.Noop(config("600000 ms", "1048576 kb", "10 min")),
		resource.TestStep{
			Config: config("600000 ms", "1 gb", "600 s"),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectKnownValue(jobAddress, acctest.At("deployment.change"), knownvalue.StringExact("stop with savepoint, start from it (configuration)")),
				plancheck.ExpectResourceAction(dependentAddress, plancheck.ResourceActionUpdate),
			}},
		},
		acctest.Noop(config("10 min", "1 gb", "600 s")),
	)
}
