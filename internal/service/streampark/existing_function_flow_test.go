// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streampark_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	document "github.com/terraform-streaming/terraform-provider-streaming/internal/document/streampark"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
)

// runFunction runs the steps where Terraform knows functions.
func runFunction(t *testing.T, steps ...resource.TestStep) {
	t.Helper()
	resource.UnitTest(t, resource.TestCase{
		ProtoV6ProviderFactories: acctest.FakeFactories(), Steps: steps,
		TerraformVersionChecks: []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_8_0)},
	})
}

func call(function, text, part string) string {
	return fmt.Sprintf("output \"test\" {\n  value = provider::streaming::%s(%q)%s\n}\n", function, text, part)
}

func returns(value knownvalue.Check) statecheck.StateCheck {
	return statecheck.ExpectKnownOutputValue("test", value)
}

// sample is a file of StreamPark's documentation.
func sample(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", "..", "document", "streampark", "testdata", "seed", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// A job moves over with what the function reads of its files, and the file that
// is made of that says the same as the one that was there.
func TestFlow_FunctionStreamparkApplication_AFileThatIsThereIsTakenOver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, content := range map[string]string{"application.yml": sample(t, "application.yml"), "sql.yaml": sample(t, "sql.yaml")} {
		if err := os.WriteFile(filepath.Join(w.dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	read := func(function, name string) string {
		return fmt.Sprintf("provider::streaming::%s(file(%q))", function, filepath.ToSlash(filepath.Join(w.dir, name)))
	}
	config := w.provider() + "locals {\n  app = " + read("streampark_application", "application.yml") + "\n  sql = " + read("streampark_sql", "sql.yaml") + "\n}\n" +
		"resource \"streaming_streampark_job\" \"test\" {\n  " + w.jar(t, "client.jar") + `
  name                = local.app.name
  layout              = local.app.layout
  parallelism         = local.app.parallelism
  option              = local.app.option
  property            = local.app.property
  memory              = local.app.memory
  checkpoint          = local.app.checkpoint
  state_backend       = local.app.state_backend
  restart_strategy    = local.app.restart_strategy
  table               = local.app.table
  extra_configuration = local.app.extra_configuration
  sql                 = local.sql.sql
  sql_by_id           = local.sql.sql_by_id
  on_destroy          = "cancel"
}
`
	runFunction(t,
		acctest.Apply(config, w.ran(func(job flinkfake.JobSnapshot, conf, text, name string) error {
			before, _, err := document.Parse(sample(t, "application.yml"))
			after, _, afterErr := document.Parse(conf)
			before.EntryClass, before.Parallelism = "", 0
			if left := document.Differences(before, after); len(left) > 0 {
				return fmt.Errorf("these differ: %v", left)
			}
			return errors.Join(err, afterErr, equal(name, "StreamPark QuickStart App"), equal(fmt.Sprint(job.Parallelism), "2"), equal(text[:20], "CREATE TABLE datagen"))
		})),
		acctest.Noop(config),
	)
}

func TestFlow_FunctionStreamparkApplication_ReadsEachPart(t *testing.T) {
	t.Parallel()
	const text = "flink.property:\n  restart-strategy: {type: off}\n  taskmanager.memory.managed.fraction: 0.40\n  state.backend.incremental: yes\n  x: [a, b]\nsql: {first: INSERT}\n"
	runFunction(t,
		acctest.Apply(call("streampark_application", "app.x: 1", ".checkpoint == null"), returns(knownvalue.Bool(true))),
		acctest.Apply(call("streampark_application", text, ".restart_strategy.strategy"), returns(knownvalue.StringExact("false"))),
		acctest.Apply(call("streampark_application", text, ".restart_strategy.fixed_delay == null"), returns(knownvalue.Bool(true))),
		acctest.Apply(call("streampark_application", text, ".state_backend.incremental"), returns(knownvalue.Bool(true))),
		acctest.Apply(call("streampark_application", text, ".memory.taskmanager.managed_fraction"), returns(knownvalue.Float64Exact(0.4))),
		acctest.Apply(call("streampark_application", text, ".extra_configuration"), returns(knownvalue.MapExact(map[string]knownvalue.Check{"flink.property.x": knownvalue.StringExact("a;b")}))),
		acctest.Apply(call("streampark_application", text, ".sql_by_id"), returns(knownvalue.MapExact(map[string]knownvalue.Check{"first": knownvalue.StringExact("INSERT")}))),
		acctest.Apply(call("streampark_application", text, ".layout"), returns(knownvalue.StringExact("2.x"))),
		acctest.Fails(call("streampark_application", "a: 1\na: 2", ""), "line 2", "there twice"),
		acctest.Fails(call("streampark_application", "flink.property.execution.checkpointing.unaligned: maybe", ""), "checkpoint.unaligned is neither true nor false"),
		acctest.Fails(call("streampark_application", "flink.property.taskmanager.numberOfTaskSlots: few", ""), "no whole number"),
	)
}

func TestFlow_FunctionStreamparkSql_ReadsIDs(t *testing.T) {
	t.Parallel()
	const text = "sql: |\n  INSERT INTO a\n  SELECT 1;\nother: INSERT\n"
	runFunction(t,
		acctest.Apply(call("streampark_sql", text, ".sql"), returns(knownvalue.StringExact("INSERT INTO a\nSELECT 1;"))),
		acctest.Apply(call("streampark_sql", text, ".sql_by_id"), returns(knownvalue.MapExact(map[string]knownvalue.Check{"other": knownvalue.StringExact("INSERT")}))),
		acctest.Fails(call("streampark_sql", "- a", ""), "a list or a single value"),
	)
}
