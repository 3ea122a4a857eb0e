// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package dagger_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest/realengine"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/jvmcheck"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/flinkengine"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/javabuild"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/jobs"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/local"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// cluster is a real Flink 1.14, for which Dagger is built.
type cluster struct {
	*local.State
	client   *flink.Client
	endpoint string
	owner    string
	dir      string
}

func realCluster(t *testing.T) *cluster {
	t.Helper()
	state, err := local.Load(realengine.Variable(t, "STREAMING_ENGINE_DIR"))
	if err != nil {
		t.Fatal(err)
	}
	if !flink.IsStrict(state.Flink.Version) {
		config := local.Config{Dir: filepath.Join(t.TempDir(), "engine"), FlinkVersion: "1.14.3", Slots: 4, Only: local.EngineFlink, AutoPorts: true}
		if state, err = local.Up(t.Context(), config, t.Output()); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := local.Down(context.Background(), state.Dir, t.Output()); err != nil {
				t.Error(err)
			}
		})
	}
	endpoint := state.Flink.Endpoint
	transport, err := rest.New(rest.Config{Endpoint: endpoint})
	if err != nil {
		t.Fatal(err)
	}
	return &cluster{State: state, client: flink.New(transport), endpoint: endpoint, owner: t.Name() + "/" + rand.Text(), dir: t.TempDir()}
}

// job is the id of a generation of the test's job.
func (c *cluster) job(n int64) string {
	return lifecycle.JobID(lifecycle.UID(c.owner, c.endpoint, "streaming_dagger_job", "orders"), n)
}

// standIn is a jar with Dagger's main class, which reads its arguments with the
// classes that Dagger reads them with.
func (c *cluster) standIn(t *testing.T) string {
	t.Helper()
	jvm, err := jvmcheck.Prepare(t.Context(), t.Output())
	if err != nil {
		t.Fatal(err)
	}
	libraries, err := jvm.Jars(t.Context(), jvmcheck.Flink114)
	if err != nil {
		t.Fatal(err)
	}
	own := append(slices.DeleteFunc(libraries, func(jar string) bool {
		return !slices.ContainsFunc([]string{"flink-java-", "gson-", "commons-lang3-"}, func(name string) bool { return strings.HasPrefix(filepath.Base(jar), name) })
	}), c.JobsJar)
	home := flinkengine.Home{Dir: c.Flink.Home, Version: c.Flink.Version}
	content, err := javabuild.Build{
		Sources: []fs.FS{os.DirFS(filepath.Join("testdata", "src"))}, Classpath: append(own, home.Libraries()...), Bundle: own, Release: 11,
	}.Jar(t.Context(), c.JDK)
	if err != nil {
		t.Fatal(err)
	}
	// A content of its own: another test's destroy deletes no upload of this one.
	if content, err = jobs.Edition(content, rand.Text()); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(c.dir, "dagger.jar")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// read checks what a generation read, and the marker that it shows.
func (c *cluster) read(t *testing.T, n int64, want map[string]string) statecheck.StateCheck {
	t.Helper()
	return acctest.Outside(func() error {
		shown, err := c.client.JobConfig(t.Context(), c.job(n))
		if err != nil {
			return err
		}
		got := shown.ExecutionConfig.UserConfig
		for key, value := range want {
			if got[key] != value {
				return fmt.Errorf("the program read %s as %q instead of %q; all: %v", key, got[key], value, got)
			}
		}
		if marker, ok := lifecycle.ParseMarker(got); !ok || marker.Owner != c.owner || marker.Name != "orders" {
			return fmt.Errorf("the marker is %+v in %v", marker, got)
		}
		return nil
	})
}

// TestAcc_DaggerJob_AChangeKeepsTheState runs a program that reads its arguments
// as Dagger does, and changes an option while it counts.
func TestAcc_DaggerJob_AChangeKeepsTheState(t *testing.T) {
	t.Parallel()
	c := realCluster(t)
	jar := c.standIn(t)
	const jaas = "a.B required username=\"u\" password=\"%<>&'=:, é\";"
	config := func(more ...string) string {
		return acctest.Config{Owner: c.owner, Flink: c.endpoint}.String() + fmt.Sprintf(`
resource "streaming_python_bundle" "test" {
  name  = "udfs"
  files = { "shout.py" = %q }
}

resource "streaming_dagger_job" "test" {
  name                   = "orders"
  bundle                 = { id = streaming_python_bundle.test.id, sha256 = streaming_python_bundle.test.sha256 }
  python_udf             = { enable = true }
  jar                    = { source = %q }
  streams                = %s
  sink_type              = "log"
  rowtime_attribute_name = "rowtime"
  sql_query              = "-- all of it\nSELECT 'é' AS \"a\", a < 2 FROM data_stream"
  parallelism            = 2
  max_parallelism        = 64
  extra_configuration    = { MY_NUMBER = "-1.5" }
  %s
}
`, "# "+c.owner+"\ndef shout(s): return s\n", filepath.ToSlash(jar), streamWith(`source_kafka_name = "é \"quoted\" <&>"`, `source_kafka_security_protocol = "SASL_SSL"`, `source_kafka_sasl_mechanism = "PLAIN"`,
			fmt.Sprintf("source_kafka_sasl_jaas_config_wo = %q", jaas), "source_kafka_sasl_jaas_config_wo_version = 1"), strings.Join(more, "\n  "))
	}
	const slower, faster = `flink = { checkpoint_interval_ms = "2 s" }`, `flink = { checkpoint_interval_ms = "1 s" }`
	given := func(interval string) map[string]string {
		return map[string]string{
			"FLINK_JOB_ID": "orders", "FLINK_SQL_QUERY": "\n-- all of it\nSELECT 'é' AS \"a\", a < 2 FROM data_stream", "SINK_TYPE": "log",
			"FLINK_CHECKPOINT_INTERVAL_MS": interval, "FLINK_PARALLELISM": "2", "FLINK_PARALLELISM_MAX": "64", "MY_NUMBER": "-1.5",
			"read.STREAMS.0.INPUT_SCHEMA_TABLE": "data_stream", "read.STREAMS.0.SOURCE_KAFKA_NAME": `é "quoted" <&>`,
			"read.STREAMS.0.INPUT_SCHEMA_EVENT_TIMESTAMP_FIELD_INDEX": "41", "read.STREAMS.0.SOURCE_KAFKA_CONSUMER_CONFIG_SASL_JAAS_CONFIG": jaas,
			"PYTHON_UDF_ENABLE": "true", "read.functions": "shout.shout",
		}
	}
	acctest.RunReal(t,
		acctest.Apply(config(slower), acctest.Is(address, "job_id", knownvalue.StringExact(c.job(1))), acctest.Is(address, "job_name", knownvalue.StringExact("orders")),
			acctest.Is(address, "restored_from", knownvalue.Null()), c.read(t, 1, given("2000")),
			acctest.Outside(func() error { return c.handedOn(t) })),
		acctest.Noop(config(`flink = { checkpoint_interval_ms = "2000" }`)),
		resource.TestStep{
			PreConfig:        func() { c.counted(t, 1, 200) },
			Config:           config(faster),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate)}},
			ConfigStateChecks: []statecheck.StateCheck{
				acctest.Is(address, "job_id", knownvalue.StringExact(c.job(2))), acctest.Is(address, "restored_from", knownvalue.NotNull()), restarted("flink"),
				c.read(t, 2, given("1000")),
				acctest.Outside(func() error { return errors.Join(c.goesOn(t, 1, 2), c.ended(t, 1)) }),
			},
		},
		acctest.Noop(config(faster)),
		acctest.Change(config(faster, `state = "suspended"`), address, plancheck.ResourceActionUpdate, acctest.Is(address, "savepoint_path", knownvalue.NotNull())),
		acctest.Change(config(faster), address, plancheck.ResourceActionUpdate, acctest.Outside(func() error { return c.goesOn(t, 2, 3) })),
	)
	if err := c.ended(t, 3); err != nil {
		t.Errorf("after the destroy: %v", err)
	}
}

// handedOn checks that the copy of the bundle is gone, and that the JobManager
// has handed its content on to the TaskManager.
func (c *cluster) handedOn(t *testing.T) error {
	t.Helper()
	var bundle []byte
	eachFile(t, c.Flink.UploadDir, func(file string, content []byte) {
		switch {
		case strings.Contains(filepath.Base(file), "_udfs-"):
			bundle = content
		case !strings.HasSuffix(file, ".jar"):
			t.Errorf("%s is left in the upload directory", file)
		}
	})
	var copies []string
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		copies = nil
		eachFile(t, filepath.Join(c.Dir, "tmp"), func(file string, content []byte) {
			if bytes.Equal(content, bundle) {
				copies = append(copies, file)
			}
		})
		if bundle != nil && len(copies) >= 2 {
			t.Logf("the bundle is in %s", strings.Join(copies, " and "))
			return nil
		}
	}
	return fmt.Errorf("the bundle of %d bytes is in %q alone", len(bundle), copies)
}

// eachFile reads what is small below a directory.
func eachFile(t *testing.T, dir string, do func(file string, content []byte)) {
	t.Helper()
	_ = filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return nil //nolint:nilerr // Flink deletes files meanwhile
		}
		if info, err := entry.Info(); err != nil || info.Size() > 1<<20 {
			do(file, nil)
			return nil //nolint:nilerr // Flink deletes files meanwhile
		}
		content, err := os.ReadFile(file)
		if err == nil {
			do(file, content)
		}
		return nil // Flink deletes files meanwhile
	})
}

// ended checks that a generation has stopped with its savepoint.
func (c *cluster) ended(t *testing.T, n int64) error {
	t.Helper()
	state, known, err := c.client.Status(t.Context(), c.job(n))
	if err == nil && (!known || state != flink.Finished) {
		err = fmt.Errorf("generation %d is %s", n, state)
	}
	return err
}

// goesOn checks that a generation went on from where another one stopped.
func (c *cluster) goesOn(t *testing.T, first, second int64) error {
	t.Helper()
	before := c.counted(t, first, 1)
	if began := c.counted(t, second, 1)[0]; began <= before[len(before)-1]-50 {
		return fmt.Errorf("generation %d counted up to %d, the next began at %d", first, before[len(before)-1], began)
	}
	return nil
}

var countLine = regexp.MustCompile(`COUNT job=([0-9a-f]{32}) label=log key=\d+ value=(\d+) count=(\d+)`)

// counted waits until a generation has counted up to a number, and returns the
// numbers that it printed. A number that was lost, or counted twice, is seen in
// what follows it.
func (c *cluster) counted(t *testing.T, n, least int64) []int64 {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		content, err := os.ReadFile(c.Flink.TaskManagerOut)
		if err != nil {
			t.Fatal(err)
		}
		var numbers []int64
		for _, match := range countLine.FindAllStringSubmatch(string(content), -1) {
			value, valueErr := strconv.ParseInt(match[2], 10, 64)
			count, countErr := strconv.ParseInt(match[3], 10, 64)
			if match[1] != c.job(n) || valueErr != nil || countErr != nil {
				continue
			}
			if count != value/5+1 {
				t.Fatalf("the count at %d is %d: a number was lost, or counted twice", value, count)
			}
			numbers = append(numbers, value)
		}
		if len(numbers) > 0 && slices.Max(numbers) >= least {
			slices.Sort(numbers)
			return numbers
		}
		if time.Now().After(deadline) {
			t.Fatalf("after a minute generation %d has not counted to %d", n, least)
		}
	}
}
