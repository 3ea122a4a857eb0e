// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/local"
)

var printed = regexp.MustCompile(`(?m)^\+I\[(\d+), (\d+)\]$`)

// TestAcc_FlinkSqlJob_APythonFunctionIsUpgradedWithState runs datagen to print
// with a function of a bundle, on a gateway beside its JobManager.
func TestAcc_FlinkSqlJob_APythonFunctionIsUpgradedWithState(t *testing.T) {
	t.Parallel()
	if realCluster(t).Flink.GatewayEndpoint == "" {
		return // The package of Flink 1.20 has no gateway, and no other package is known to.
	}
	c := ownEngine(t, local.Config{Python: true})
	provider := acctest.Config{Owner: c.owner, Flink: c.endpoint, Gateway: c.Flink.GatewayEndpoint}.String()
	bundle := c.bundled(c.udfs(t))[len(c.owned()):]
	config := func(statement, ttl string) string {
		return provider + bundle + fmt.Sprintf(`resource "streaming_flink_sql_job" "test" {
  name   = "plus one"
  bundle = { id = streaming_python_bundle.udfs.id, sha256 = streaming_python_bundle.udfs.sha256 }
  setup_statements = [
    "CREATE TABLE numbers (n BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '20', 'fields.n.kind' = 'sequence', 'fields.n.start' = '0', 'fields.n.end' = '100000')",
    "CREATE TABLE results (n BIGINT, m BIGINT) WITH ('connector' = 'print')",
    "CREATE TEMPORARY FUNCTION add_one AS 'counter_words.add_one' LANGUAGE PYTHON",
  ]
  statement = %q
  configuration = {
    "execution.checkpointing.interval" = "1 s"
    "table.exec.state.ttl"             = %q
  }
  on_destroy = "cancel"
}
`, statement, ttl)
	}
	const all, some = "INSERT INTO results SELECT n, add_one(n) FROM numbers", "INSERT INTO results SELECT n, add_one(n) FROM numbers WHERE MOD(n, 2) = 0"
	// lines are the numbers that were printed, each with the next one.
	lines := func() (numbers []int64) {
		content, err := os.ReadFile(c.Flink.TaskManagerOut)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range printed.FindAllStringSubmatch(string(content), -1) {
			n, _ := strconv.ParseInt(match[1], 10, 64)
			if m, _ := strconv.ParseInt(match[2], 10, 64); m != n+1 {
				t.Errorf("%s: the function did not add one", match[0])
			}
			numbers = append(numbers, n)
		}
		return numbers
	}
	more := func(than int) statecheck.StateCheck {
		return acctest.Outside(func() error {
			eventually(t, fmt.Sprintf("more than %d records", than), func() bool { return len(lines()) > than })
			return nil
		})
	}
	restored := acctest.Is(sqlAddress, "restored_from", knownvalue.NotNull())
	var before int
	count := func() { before = len(lines()) }
	acctest.RunReal(t,
		acctest.Apply(config(all, "1 h"), acctest.Is(sqlAddress, "job_name", knownvalue.StringExact("plus one")), more(0)),
		acctest.Noop(config(all+" ;", "60 min")),
		resource.TestStep{
			PreConfig: count, Config: config(all, "2 h"),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(sqlAddress, plancheck.ResourceActionUpdate)}},
			ConfigStateChecks: []statecheck.StateCheck{restored, acctest.Outside(func() error {
				eventually(t, "records after the upgrade", func() bool { return len(lines()) > before+40 })
				// The source went on with the next number: all are there once.
				for i, n := range lines() {
					if n != int64(i) {
						return fmt.Errorf("number %d is at place %d", n, i)
					}
				}
				return nil
			})},
		},
		resource.TestStep{
			Config: config(some, "2 h"),
			ConfigStateChecks: []statecheck.StateCheck{restored, acctest.Outside(func() error {
				eventually(t, "records of the other query", func() bool { return evenAtEnd(lines()) > 20 })
				return eachOnceThenEven(lines())
			})},
		},
		acctest.Noop(config(some, "2 h")),
		// What the gateway refuses stops nothing that a stop would have been needed for.
		acctest.Fails(config("INSERT INTO results SELECT n, add_one(n) FROM nowhere", "2 h"), "pipeline was refused", "statement 4", "nowhere"),
		acctest.Noop(config(some, "2 h")),
	)
}

// evenAtEnd is how many even numbers there are after the last odd one.
func evenAtEnd(numbers []int64) int {
	n := 0
	for n < len(numbers) && numbers[len(numbers)-1-n]%2 == 0 {
		n++
	}
	return n
}

// eachOnceThenEven checks that there is each number up to some one, and from there
// on each even one.
func eachOnceThenEven(numbers []int64) error {
	next, step := int64(0), int64(1)
	for _, n := range numbers {
		if step == 1 && n != next {
			step, next = 2, next+next%2
		}
		if n != next {
			return fmt.Errorf("%d is there instead of %d", n, next)
		}
		next += step
	}
	return nil
}

func TestAcc_FlinkSqlJob_IsCreatedValidatedAndImported(t *testing.T) {
	t.Parallel()
	c := realCluster(t)
	if c.Flink.GatewayEndpoint == "" {
		return // The package of Flink 1.20 has no gateway, and no other package is known to.
	}
	config := func(script string) string {
		return acctest.Config{Owner: c.owner, Flink: c.endpoint, Gateway: c.Flink.GatewayEndpoint}.String() +
			resourceBlock("streaming_flink_sql_job", fmt.Sprintf("name = %q", c.owner), cancel, "validate = true", script)
	}
	const source, target = "CREATE TABLE source (id BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '1')", "CREATE TABLE target (id BIGINT) WITH ('connector' = 'blackhole')"
	failed := acctest.Fails(config(script(source, target, "INSERT INTO target SELECT idd FROM source")), "statement 3 (line 3)", "idd")
	failed.PlanOnly = true
	good := config(script("SET 'parallelism.default' = '1'", source, target, "EXECUTE STATEMENT SET BEGIN INSERT INTO target SELECT id FROM source; INSERT INTO target SELECT id + 1 FROM source; END"))
	acctest.RunReal(t,
		failed,
		acctest.Apply(good, acctest.Is(sqlAddress, "status", knownvalue.StringExact("RUNNING"))),
		acctest.Noop(good),
		resource.TestStep{
			ResourceName: sqlAddress, ImportState: true, ImportStateId: "name:" + c.owner, ImportStateVerify: true,
			ImportStateVerifyIgnore: []string{
				"id", "script", "validate", "configuration", "upgrade", "on_destroy", "on_finished", "adopt_existing", "cluster_moved",
				"savepoint_path", "last_checkpoint_path", "deployment", "started_at",
			},
		},
	)
}
