// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package groot_test

import (
	"crypto/rand"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest/realengine"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/jvmcheck"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/javabuild"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/jobs"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/local"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// standIn is the jar of a program that reads job files.
func standIn(t *testing.T) string {
	t.Helper()
	jvm, err := jvmcheck.Prepare(t.Context(), t.Output())
	if err != nil {
		t.Fatal(err)
	}
	libraries, err := jvm.Jars(t.Context(), jvmcheck.Flink120)
	if err != nil {
		t.Fatal(err)
	}
	parts := append(slices.DeleteFunc(libraries, func(jar string) bool { return !strings.HasPrefix(filepath.Base(jar), "snakeyaml-1.") }),
		realengine.Variable(t, "STREAMING_JOBS_JAR"))
	jdk, err := javabuild.FindJDK(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	content, err := javabuild.Build{
		Sources: []fs.FS{os.DirFS(filepath.Join("testdata", "src"))}, Classpath: parts, Bundle: parts, Release: 11, MainClass: "streaming.groot.StandIn",
	}.Jar(t.Context(), jdk)
	if err != nil {
		t.Fatal(err)
	}
	// A content of its own: another test's destroy deletes no upload of this one.
	if content, err = jobs.Edition(content, rand.Text()); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "groot-stream.jar")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestAcc_GrootJob_AChangeOfTheFileKeepsTheState runs a program that reads the
// file with a real parser of YAML, and changes the file while it counts.
func TestAcc_GrootJob_AChangeOfTheFileKeepsTheState(t *testing.T) {
	t.Parallel()
	endpoint := realengine.Variable(t, "STREAMING_FLINK_ENDPOINT")
	engine, err := local.Load(realengine.Variable(t, "STREAMING_ENGINE_DIR"))
	if err != nil {
		t.Fatal(err)
	}
	transport, err := rest.New(rest.Config{Endpoint: endpoint})
	if err != nil {
		t.Fatal(err)
	}
	client, owner := flink.New(transport), t.Name()+"/"+rand.Text()
	job := func(n int64) string {
		return lifecycle.JobID(lifecycle.UID(owner, endpoint, "streaming_groot_job", "clicks"), n)
	}
	jar := filepath.ToSlash(standIn(t))
	config := func(timeout, secret, version string) string {
		return acctest.Config{Owner: owner, Flink: endpoint}.String() + fmt.Sprintf(`
resource "streaming_groot_job" "test" {
  name          = "clicks"
  on_destroy    = "cancel"
  jar           = { source = %q }
  configuration = { "execution.checkpointing.interval" = "2 s" }
  env           = { execution_buffer_timeout = %q, flink = { "own.text" = "a: b # c" } }
  sections      = yamlencode({ counter = { rate = 200, label = "clicks" }, number = 12345678901234567890 })
  secrets_wo    = yamlencode({ source = { hidden = %q } })
  secrets_wo_version = %s
}
`, jar, timeout, secret, version)
	}
	// shows checks what the program read.
	shows := func(n int64, want map[string]string) statecheck.StateCheck {
		return acctest.Outside(func() error {
			shown, err := client.JobConfig(t.Context(), job(n))
			if err != nil {
				return err
			}
			for key, value := range want {
				if got := shown.ExecutionConfig.UserConfig[key]; got != value {
					return fmt.Errorf("the program read %s as %q instead of %q; all: %v", key, got, value, shown.ExecutionConfig.UserConfig)
				}
			}
			return nil
		})
	}
	acctest.RunReal(t,
		acctest.Apply(config("200 ms", "one", "1"), acctest.Is(address, "job_id", knownvalue.StringExact(job(1))),
			shows(1, map[string]string{
				"env.name": "clicks", "env.execution.buffer-timeout": "200", "env.flink.own.text": "a: b # c",
				"number": "12345678901234567890", "source.hidden": "one", "rate": "200",
			})),
		acctest.Noop(config("200 ms", "one", "1")),
		resource.TestStep{
			PreConfig:        func() { acctest.Counted(t, engine.Flink.TaskManagerOut, job(1), 200) },
			Config:           config("1 s", "two", "2"),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate)}},
			ConfigStateChecks: []statecheck.StateCheck{
				acctest.Is(address, "job_id", knownvalue.StringExact(job(2))),
				acctest.Is(address, "restored_from", knownvalue.NotNull()),
				acctest.Is(address, "deployment.change", knownvalue.StringExact("stop with savepoint, start from it (env, secrets_wo_version)")),
				shows(2, map[string]string{"env.execution.buffer-timeout": "1000", "source.hidden": "two"}),
				acctest.Outside(func() error {
					before := acctest.Counted(t, engine.Flink.TaskManagerOut, job(1), 200)
					if first := acctest.Counted(t, engine.Flink.TaskManagerOut, job(2), 1)[0]; first <= before[len(before)-1]-5 {
						return fmt.Errorf("the first generation counted up to %d, the second began at %d", before[len(before)-1], first)
					}
					return nil
				}),
			},
		},
		acctest.Noop(config("1 s", "two", "2")),
	)
}
