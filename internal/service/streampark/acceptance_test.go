// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streampark_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/jvmcheck"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/javabuild"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/local"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// standIn is the jar of a program that unpacks its arguments with the classes of
// StreamPark itself.
func standIn(t *testing.T, engine *local.State) string {
	t.Helper()
	jvm, err := jvmcheck.Prepare(t.Context(), t.Output())
	if err != nil {
		t.Fatal(err)
	}
	bundle, err := jvm.Jars(t.Context(), jvmcheck.StreamPark)
	if err != nil {
		t.Fatal(err)
	}
	bundle = append(bundle, engine.JobsJar)
	classpath, err := filepath.Glob(filepath.Join(engine.Flink.Home, "lib", "*.jar"))
	if err != nil {
		t.Fatal(err)
	}
	content, err := javabuild.Build{
		Sources: []fs.FS{os.DirFS(filepath.Join("testdata", "src"))}, Classpath: append(classpath, bundle...), Bundle: bundle, Release: 11,
		MainClass: "streaming.jobs.StreamparkStandIn",
	}.Jar(t.Context(), engine.JDK)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "client.jar")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return filepath.ToSlash(file)
}

// TestAcc_StreamparkJob_IsUpgradedWithStateOnFlink120 takes a job through its
// life on the version of Flink that StreamPark runs on, with a program that
// reads what it is given with StreamPark's own classes.
func TestAcc_StreamparkJob_IsUpgradedWithStateOnFlink120(t *testing.T) {
	t.Parallel()
	engine := acctest.OwnFlink(t, local.Config{FlinkVersion: "1.20.5"})
	transport, err := rest.New(rest.Config{Endpoint: engine.Flink.Endpoint})
	if err != nil {
		t.Fatal(err)
	}
	cluster, jar, name := flink.New(transport), standIn(t, engine), `Zähler "1"`
	const sql = "CREATE TABLE b (x STRING) WITH ('password' = '%s');\nINSERT INTO a SELECT 'it''s ü; 数据' FROM b -- end"
	job := func(n int64) string {
		return lifecycle.JobID(lifecycle.UID(owner, engine.Flink.Endpoint, "streaming_streampark_job", name), n)
	}
	config := func(region, password, version, interval string) string {
		return acctest.Config{Owner: owner, Flink: engine.Flink.Endpoint}.String() + fmt.Sprintf(`resource "streaming_streampark_job" "test" {
  name       = %q
  jar        = { source = %q }
  args       = ["--rate", "200", "--label", "streampark"]
  sql        = %q
  checkpoint = { interval = %q, timeout = "5 min" }
  table      = { mode = "streaming" }
  variables  = { region = "eu-1" }
  extra_configuration  = { "app.region" = %q, "app.text" = "yes: # 'no'" }
  variables_wo         = { password = %q }
  variables_wo_version = %s
  on_destroy = "cancel"
}
`, name, jar, fmt.Sprintf(sql, "$${password}"), interval, region, password, version)
	}
	// shows is what the program read, and what Flink made of it.
	shows := func(n, interval int64, want map[string]string) statecheck.StateCheck {
		return acctest.Outside(func() error {
			given, err := cluster.JobConfig(t.Context(), job(n))
			if err != nil {
				return err
			}
			shown := given.ExecutionConfig.UserConfig
			for key, value := range want {
				err = errors.Join(err, equal(key+"="+shown[key], key+"="+value))
			}
			checkpoints, checkpointErr := cluster.CheckpointConfig(t.Context(), job(n))
			if checkpointErr != nil {
				return errors.Join(err, checkpointErr)
			}
			return errors.Join(err, equal(checkpoints.Interval, interval), equal(checkpoints.Timeout, 300_000), equal(given.Name, name))
		})
	}
	first, second := config("eu", "first-secret", "1", "1 s"), config("$${region}", "second-secret", "2", "500 ms")
	acctest.RunReal(t,
		acctest.Apply(first, acctest.Is(address, "status", knownvalue.StringExact("RUNNING")),
			shows(1, 1000, map[string]string{
				"app.region": "eu", "app.text": "yes: # 'no'", "sql": fmt.Sprintf(sql, "first-secret"), "app.name": name, "flink.property.pipeline.name": name,
				"flink.property.execution.checkpointing.interval": "1 s", "flink.table.mode": "streaming", "label": "streampark",
				"terraform.name": fmt.Sprintf("%x", name),
			})),
		acctest.Noop(first),
		resource.TestStep{
			PreConfig:        func() { acctest.Counted(t, engine.Flink.TaskManagerOut, job(1), 200) },
			Config:           second,
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate)}},
			ConfigStateChecks: []statecheck.StateCheck{
				generation(2), acctest.Is(address, "restored_from", knownvalue.NotNull()),
				shows(2, 500, map[string]string{"app.region": "eu-1", "sql": fmt.Sprintf(sql, "second-secret")}),
				acctest.Outside(func() error {
					before := acctest.Counted(t, engine.Flink.TaskManagerOut, job(1), 200)
					if begun := acctest.Counted(t, engine.Flink.TaskManagerOut, job(2), 1)[0]; begun <= before[len(before)-1]-50 {
						return fmt.Errorf("the first generation counted up to %d, the second began at %d", before[len(before)-1], begun)
					}
					return nil
				}),
			},
		},
		acctest.Noop(second),
	)
	if state, _, err := cluster.Status(t.Context(), job(2)); err != nil || state != flink.Canceled {
		t.Errorf("after the destroy the job is %s (%v)", state, err)
	}
}
