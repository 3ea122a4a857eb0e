// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package dagger_test

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/dagger"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

const (
	address = "streaming_dagger_job.test"
	owner   = "team-a/test"
)

// world is a fake cluster that knows what Dagger's main class does.
type world struct {
	*flinkfake.Server
	jar string
}

func newWorld(t *testing.T, options ...flinkfake.Option) *world {
	t.Helper()
	fake := flinkfake.New(options...)
	t.Cleanup(fake.Close)
	class := dagger.EntryClass(dagger.Raystack)
	fake.RegisterProgram(class, func(m *flinkfake.Main) error { return runDagger(fake, m) })
	jar := filepath.Join(t.TempDir(), "dagger.jar")
	if err := os.WriteFile(jar, flinkfake.Jar(class), 0o600); err != nil {
		t.Fatal(err)
	}
	return &world{Server: fake, jar: jar}
}

// runDagger does what Dagger's main does with its arguments.
func runDagger(fake *flinkfake.Server, m *flinkfake.Main) error {
	keys, err := decoded(m.Args)
	if err != nil {
		return flinkfake.Throw("com.google.gson.JsonSyntaxException", err.Error())
	}
	if strings.Contains(keys["FLINK_SQL_QUERY"], "leaked") {
		return flinkfake.Throw("java.lang.NoClassDefFoundError", "com/google/protobuf/ByteString$CodedBuilder")
	}
	if keys["PYTHON_UDF_ENABLE"] == "true" {
		if err := runPython(fake, keys["PYTHON_UDF_CONFIG"]); err != nil {
			return err
		}
	}
	parallelism, err := strconv.Atoi(keys["FLINK_PARALLELISM"])
	if err != nil {
		parallelism = 1
	}
	return m.Execute(flinkfake.Graph{
		Name: keys["FLINK_JOB_ID"], Parallelism: parallelism, Rate: 100, GlobalParameters: keys,
		Operators: []flinkfake.Operator{{Name: "source", UID: "source", Stateful: true, Counts: true}, {Name: "sink", UID: "sink"}},
	})
}

// runPython looks at the Python files as Dagger does, in the upload directory.
func runPython(fake *flinkfake.Server, config string) error {
	var python struct {
		Files string `json:"PYTHON_FILES"`
	}
	if err := json.Unmarshal([]byte(config), &python); err != nil {
		return flinkfake.Throw("com.google.gson.JsonSyntaxException", err.Error())
	}
	for file := range strings.SplitSeq(python.Files, ",") {
		content, there := fake.File(file)
		switch {
		case !strings.HasSuffix(file, ".py") && !strings.HasSuffix(file, ".zip"):
			return flinkfake.Throw("org.raystack.dagger.functions.exceptions.PythonFilesFormatException", "Python files should be in .py or .zip format")
		case strings.Contains(file, "flink-web-upload") && !there:
			return flinkfake.Throw("java.nio.file.NoSuchFileException", file)
		case there:
			if _, err := zip.NewReader(bytes.NewReader(content), int64(len(content))); err != nil {
				return flinkfake.Throw("java.util.zip.ZipException", err.Error())
			}
		}
	}
	return nil
}

// decoded are the keys in a program's arguments.
func decoded(args []string) (map[string]string, error) {
	if len(args) != 2 || args[0] != "--encodedArgs" {
		return nil, fmt.Errorf("the arguments are %q", args)
	}
	text, err := base64.StdEncoding.DecodeString(args[1])
	if err != nil {
		return nil, err
	}
	var all []string
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, err
	}
	keys := map[string]string{}
	for i := 0; i+1 < len(all); i += 2 {
		keys[strings.TrimPrefix(all[i], "--")] = all[i+1]
	}
	return keys, nil
}

// keys are those that the one live job runs with, without the marker.
func (w *world) keys() (map[string]string, flinkfake.JobSnapshot, error) {
	jobs := w.Live()
	if len(jobs) != 1 {
		return nil, flinkfake.JobSnapshot{}, fmt.Errorf("%d live jobs: %+v", len(jobs), jobs)
	}
	keys, err := decoded(jobs[0].Args)
	for key := range keys {
		if strings.HasPrefix(key, "terraform.") {
			delete(keys, key)
		}
	}
	return keys, jobs[0], err
}

// runs checks keys of the one live job; an empty value means that the key is
// not there.
func (w *world) runs(want map[string]string) statecheck.StateCheck {
	return acctest.Outside(func() error {
		keys, _, err := w.keys()
		if err != nil {
			return err
		}
		for key, value := range want {
			if keys[key] != value {
				return fmt.Errorf("%s is %q instead of %q in %v", key, keys[key], value, keys)
			}
		}
		return nil
	})
}

// sets are attributes of a job, by name, as text.
type sets map[string]string

const stream = `{
    input_schema_table                       = "data_stream"
    input_schema_proto_class                 = "com.tests.TestMessage"
    input_schema_event_timestamp_field_index = 41
    source_kafka_topic_names                 = ["test-topic"]
    source_kafka_bootstrap_servers           = ["localhost:9092"]
    source_kafka_group_id                    = "dummy-consumer-group"
    MORE
  }`

func streamWith(more ...string) string {
	return "[" + strings.Replace(stream, "MORE", strings.Join(more, "\n    "), 1) + "]"
}

// config is a provider block and a job; an empty text leaves an attribute out.
func (w *world) config(edits sets) string {
	all := sets{
		"name": `"orders"`, "jar": fmt.Sprintf("{ source = %q }", w.jar), "streams": streamWith(), "sink_type": `"log"`, "rowtime_attribute_name": `"rowtime"`,
		"sql_query": `"SELECT * FROM data_stream"`, "on_destroy": `"cancel"`,
	}
	maps.Copy(all, edits)
	var b strings.Builder
	b.WriteString(acctest.Config{Owner: owner, Flink: w.URL()}.String())
	b.WriteString("resource \"streaming_dagger_job\" \"test\" {\n")
	for _, name := range []string{
		"name", "jar", "namespace", "entry_class", "parallelism", "max_parallelism", "streams", "sink_type", "sink_influx", "rowtime_attribute_name", "sql_query", "function_factory_classes",
		"flink", "preprocessor", "postprocessor", "telemetry", "python_udf", "python", "bundle", "extra_configuration", "state", "on_destroy", "restart_trigger",
	} {
		if text := all[name]; text != "" {
			fmt.Fprintf(&b, "  %s = %s\n", name, text)
		}
		delete(all, name)
	}
	for name := range all {
		panic("the order of " + name + " is not known")
	}
	return b.String() + "}\n"
}

func restarted(reasons string) statecheck.StateCheck {
	return acctest.Is(address, "deployment.change", knownvalue.StringExact("stop with savepoint, start from it ("+reasons+")"))
}

func TestFlow_DaggerJob_IsCreatedUpgradedWithStateSuspendedAndImported(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	flink := func(text string) sets { return sets{"flink": text} }
	acctest.RunFake(t,
		acctest.Apply(w.config(nil),
			acctest.Is(address, "status", knownvalue.StringExact("RUNNING")), acctest.Is(address, "job_name", knownvalue.StringExact("orders")),
			w.runs(map[string]string{
				"FLINK_JOB_ID": "orders", "FLINK_SQL_QUERY": "SELECT * FROM data_stream", "SINK_TYPE": "log", "FLINK_ROWTIME_ATTRIBUTE_NAME": "rowtime",
				"FUNCTION_FACTORY_CLASSES": dagger.FunctionFactory(dagger.Raystack),
				"STREAMS": `[{"INPUT_SCHEMA_EVENT_TIMESTAMP_FIELD_INDEX":"41","INPUT_SCHEMA_PROTO_CLASS":"com.tests.TestMessage","INPUT_SCHEMA_TABLE":"data_stream",` +
					`"SOURCE_KAFKA_CONSUMER_CONFIG_AUTO_OFFSET_RESET":"latest","SOURCE_KAFKA_CONSUMER_CONFIG_BOOTSTRAP_SERVERS":"localhost:9092",` +
					`"SOURCE_KAFKA_CONSUMER_CONFIG_GROUP_ID":"dummy-consumer-group","SOURCE_KAFKA_TOPIC_NAMES":"test-topic"}]`,
				"FLINK_PARALLELISM": "", "FLINK_CHECKPOINT_INTERVAL_MS": "",
			})),
		acctest.Noop(w.config(nil)),
		acctest.Change(w.config(flink(`{ checkpoint_interval_ms = "10 s" }`)), address, plancheck.ResourceActionUpdate,
			restarted("flink"), acctest.Is(address, "restored_from", knownvalue.NotNull()), w.runs(map[string]string{"FLINK_CHECKPOINT_INTERVAL_MS": "10000"})),
		// C45, C46, C47: neither another spelling nor an empty collection is a change.
		acctest.Noop(w.config(sets{"flink": `{ checkpoint_interval_ms = "10000" }`, "sql_query": "<<-SQL\n    SELECT * FROM data_stream\n  SQL", "telemetry": ""})),
		acctest.Change(w.config(sets{"parallelism": "2", "max_parallelism": "64"}), address, plancheck.ResourceActionUpdate,
			restarted("flink, parallelism, max_parallelism"), w.runs(map[string]string{"FLINK_PARALLELISM": "2", "FLINK_PARALLELISM_MAX": "64"})),
		acctest.Change(w.config(sets{"state": `"suspended"`}), address, plancheck.ResourceActionUpdate, acctest.Is(address, "savepoint_path", knownvalue.NotNull())),
		acctest.Change(w.config(nil), address, plancheck.ResourceActionUpdate, acctest.Is(address, "restored_from", knownvalue.NotNull())),
		resource.TestStep{
			ResourceName: address, ImportState: true, ImportStateId: "name:orders", ImportStateVerify: true,
			ImportStateVerifyIgnore: []string{
				"id", "jar", "namespace", "streams", "sink_type", "rowtime_attribute_name", "sql_query", "rendered", "upgrade", "on_destroy", "on_finished", "adopt_existing", "cluster_moved",
				"savepoint_path", "last_checkpoint_path", "deployment", "started_at", "max_parallelism", "parallelism",
			},
		},
	)
}

func TestFlow_DaggerJob_ItsMarkerIsAmongItsArguments(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	acctest.RunFake(t, acctest.Apply(w.config(nil), acctest.Outside(func() error {
		_, job, err := w.keys()
		if err != nil {
			return err
		}
		// The program has overwritten what was sent with the submission.
		marker, ok := lifecycle.ParseMarker(job.UserConfig)
		if !ok || marker.Owner != owner || marker.Name != "orders" || marker.Jar == "" {
			return fmt.Errorf("the marker is %+v in %v", marker, job.UserConfig)
		}
		return nil
	})))
}

func TestFlow_DaggerJob_APlanRefusesWhatDaggerWouldRegret(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, test := range map[string]struct {
		edits sets
		words []string
	}{
		"a sink in capitals":        {sets{"sink_type": `"LOG"`}, []string{`"LOG" is no word that sink_type knows`, "sink_type = ", "for influx. Write log."}},
		"a statement":               {sets{"sql_query": `"INSERT INTO x SELECT 1 FROM data_stream"`}, []string{"The statement is no query", "sql_query = "}},
		"a number with a letter":    {sets{"flink": `{ watermark_delay_ms = "15000L" }`}, []string{"watermark_delay_ms", "ends with a letter"}},
		"a pair that is none":       {sets{"streams": streamWith(`source_details = { source_name = "KAFKA_CONSUMER", source_type = "BOUNDED" }`)}, []string{"streams[0].source_details.source_type: KAFKA_CONSUMER is always UNBOUNDED"}},
		"a sink without its group":  {sets{"sink_type": `"influx"`}, []string{"sink_influx is missing"}},
		"a batch of Dagger's own":   {sets{"sink_type": `"influx"`, "sink_influx": `{ url = "http://a", username = "u", password = "p", db_name = "d", measurement_name = "m", flush_duration_ms = "1 s" }`}, []string{"sink_influx.batch_size is missing", "default is 0"}},
		"a key that has attributes": {sets{"extra_configuration": `{ SQL_QUERY = "SELECT 1" }`}, []string{"SQL_QUERY has an attribute", "extra_configuration", "Set sql_query"}},
		"a factory without package": {sets{"function_factory_classes": `["FunctionFactory"]`}, []string{"has no package", "function_factory_classes"}},
		"too much parallelism":      {sets{"parallelism": "51"}, []string{"above its maximum", "parallelism = 51"}},
		"a secret twice":            {sets{"streams": streamWith(`source_kafka_sasl_jaas_config = "a"`, `source_kafka_sasl_jaas_config_wo = "a"`, `source_kafka_sasl_jaas_config_wo_version = 1`)}, []string{"source_kafka_sasl_jaas_config"}},
		"no version of a secret":    {sets{"streams": streamWith(`source_kafka_sasl_jaas_config_wo = "a"`)}, []string{"source_kafka_sasl_jaas_config_wo_version"}},
		"a bundle":                  {sets{"bundle": `{ id = "b.jar", sha256 = "` + strings.Repeat("1", 64) + `" }`}, []string{"The bundle has no effect", "bundle = ", "python_udf = { enable = true }"}},
		"another namespace's class": {sets{"namespace": `"odpf"`, "function_factory_classes": `["org.raystack.dagger.functions.udfs.factories.FunctionFactory"]`}, []string{"The class is of another Dagger"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			acctest.RunFake(t, acctest.Fails(w.config(test.edits), test.words...))
		})
	}
}

func TestFlow_DaggerJob_SecretsAreSeenByDaggerAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	config := func(jaas, password string, version int) string {
		return w.config(sets{
			"streams": streamWith(`source_kafka_security_protocol = "SASL_SSL"`, `source_kafka_sasl_mechanism = "PLAIN"`,
				fmt.Sprintf(`source_kafka_sasl_jaas_config_wo = %q`, jaas), fmt.Sprintf(`source_kafka_sasl_jaas_config_wo_version = %d`, version)),
			"sink_type": `"influx"`,
			"sink_influx": fmt.Sprintf(`{
    url = "http://a", username = "u", password_wo = %q, password_wo_version = %d, db_name = "d", measurement_name = "m", batch_size = 100, flush_duration_ms = "1 s"
  }`, password, version),
		})
	}
	jaas := func(password string) string {
		return `org.apache.kafka.common.security.plain.PlainLoginModule required username="u" password="` + password + `";`
	}
	sees := func(password string) statecheck.StateCheck {
		return acctest.Outside(func() error {
			keys, job, err := w.keys()
			if err != nil {
				return err
			}
			if keys["SINK_INFLUX_PASSWORD"] != password || !strings.Contains(keys["STREAMS"], password) {
				return fmt.Errorf("Dagger sees %v", keys)
			}
			if marker := fmt.Sprint(job.FlinkConfiguration); strings.Contains(marker, password) {
				return fmt.Errorf("the marker is %s", marker)
			}
			return nil
		})
	}
	hidden := []statecheck.StateCheck{
		acctest.Is(address, "sink_influx.password_wo", knownvalue.Null()),
		acctest.Is(address, "rendered", knownvalue.StringFunc(func(text string) error {
			if strings.Contains(text, "hush") || strings.Count(text, "(write-only)") != 2 {
				return fmt.Errorf("it is %s", text)
			}
			return nil
		})),
	}
	resource.UnitTest(t, resource.TestCase{
		ProtoV6ProviderFactories: acctest.FakeFactories(), TerraformVersionChecks: []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_11_0)},
		Steps: []resource.TestStep{
			acctest.Apply(config(jaas("hush-1"), "hush-1", 1), append(hidden, sees("hush-1"))...),
			acctest.Noop(config(jaas("hush-1"), "hush-1", 1)),
			// Terraform cannot see it.
			acctest.Noop(config(jaas("hush-2"), "hush-2", 1)),
			acctest.Change(config(jaas("hush-2"), "hush-2", 2), address, plancheck.ResourceActionUpdate, append(hidden, restarted("streams, sink_influx"), sees("hush-2"))...),
			acctest.Fails(config(`PlainLoginModule required password="hush-3"`, "hush-3", 3), "JAAS configuration cannot be read"),
			acctest.Noop(config(jaas("hush-2"), "hush-2", 2)),
		},
	})
}

func TestFlow_DaggerJob_WhatIsNotKnownAtPlanIsRenderedByTheApply(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	later := func(query string) string {
		return fmt.Sprintf("resource \"terraform_data\" \"later\" {\n  input = %q\n}\n", query)
	}
	config := later("SELECT a FROM data_stream") + w.config(sets{"sql_query": "terraform_data.later.output"})
	acctest.RunFake(t,
		acctest.Apply(config, w.runs(map[string]string{"FLINK_SQL_QUERY": "SELECT a FROM data_stream"}),
			acctest.Is(address, "rendered", knownvalue.StringFunc(func(text string) error {
				if !strings.Contains(text, "\nFLINK_SQL_QUERY=SELECT a FROM data_stream\n") {
					return fmt.Errorf("it is %s", text)
				}
				return nil
			}))),
		acctest.Noop(config),
		acctest.Change(strings.Replace(config, "SELECT a", "SELECT b", 1), address, plancheck.ResourceActionUpdate, w.runs(map[string]string{"FLINK_SQL_QUERY": "SELECT b FROM data_stream"})),
		acctest.Fails(strings.Replace(config, "SELECT a", "DROP TABLE a --", 1), "The statement is no query"),
	)
}

func TestFlow_DaggerJob_ClassesThatAJobLeftBehindAreNamed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	acctest.RunFake(t, acctest.Fails(w.config(sets{"sql_query": `"SELECT leaked FROM data_stream"`}), "main() failed", "left classes behind", "Restart the JobManager"))
}

func TestFlow_DaggerJob_AnotherDaggerIsAnotherMainClass(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	acctest.RunFake(t, acctest.Fails(w.config(sets{"namespace": `"gotocompany"`}), "namespace = ", "The entry class is not in the jar", "whose Dagger the jar is"))
}

const existing = `{
  "STREAMS": [{"INPUT_SCHEMA_TABLE": "data_stream", "INPUT_SCHEMA_PROTO_CLASS": "com.tests.TestMessage", "INPUT_SCHEMA_EVENT_TIMESTAMP_FIELD_INDEX": "41",
    "SOURCE_KAFKA_TOPIC_NAMES": "a|b", "SOURCE_KAFKA_CONSUMER_CONFIG_BOOTSTRAP_SERVERS": "localhost:9092", "SOURCE_KAFKA_CONSUMER_CONFIG_GROUP_ID": "g", "SOURCE_KAFKA_CONFIG_GROUP_ID": "x"}],
  "SINK_TYPE": "log", "FLINK_SQL_QUERY": "SELECT * FROM data_stream", "FLINK_ROWTIME_ATTRIBUTE_NAME": "rowtime", "FLINK_JOB_ID": "orders", "MY_KEY": "mine",
  "FUNCTION_FACTORY_CLASSES": "org.raystack.dagger.functions.udfs.factories.FunctionFactory", "FLINK_WATERMARK_DELAY_MS": 5000,
  "PROCESSOR_PREPROCESSOR_ENABLE": "true", "PROCESSOR_PREPROCESSOR_CONFIG": {"table_transformers": [{"table_name": "data_stream",
    "transformers": [{"transformation_class": "a.B", "transformation_arguments": {"z": 1, "a": [true]}}]}]}
}`

func TestFlow_FunctionDaggerConfiguration_readsWhatAJobIsMadeOf(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	locals := "locals {\n  text = <<-JSON\n" + existing + "\n  JSON\n  d    = provider::streaming::dagger_configuration(local.text)\n}\noutput \"ignored\" {\n  value = local.d.ignored\n}\n"
	edits := sets{"name": "local.d.name"}
	for _, name := range []string{"namespace", "streams", "sink_type", "rowtime_attribute_name", "sql_query", "function_factory_classes", "flink", "preprocessor", "postprocessor", "extra_configuration"} {
		edits[name] = "local.d." + name
	}
	config := locals + w.config(edits)
	resource.UnitTest(t, resource.TestCase{
		ProtoV6ProviderFactories: acctest.FakeFactories(), TerraformVersionChecks: []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_8_0)},
		Steps: []resource.TestStep{
			acctest.Apply(config,
				w.runs(map[string]string{
					"FLINK_JOB_ID": "orders", "MY_KEY": "mine", "FLINK_WATERMARK_DELAY_MS": "5000", "PROCESSOR_PREPROCESSOR_ENABLE": "true", "PROCESSOR_POSTPROCESSOR_CONFIG": "",
					"PROCESSOR_PREPROCESSOR_CONFIG": `{"table_transformers":[{"table_name":"data_stream","transformers":[{"transformation_arguments":{"a":[true],"z":1},"transformation_class":"a.B"}]}]}`,
				}),
				statecheck.ExpectKnownOutputValue("ignored", knownvalue.ListExact([]knownvalue.Check{
					knownvalue.StringExact("STREAMS[0].SOURCE_KAFKA_CONFIG_GROUP_ID: Dagger does not read it, but SOURCE_KAFKA_CONSUMER_CONFIG_GROUP_ID"),
				}))),
			acctest.Noop(config),
		},
	})
}

func TestFlow_FunctionDaggerConfiguration_refusesWhatDaggerFailsOn(t *testing.T) {
	t.Parallel()
	resource.UnitTest(t, resource.TestCase{
		ProtoV6ProviderFactories: acctest.FakeFactories(), TerraformVersionChecks: []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_8_0)},
		Steps: []resource.TestStep{
			acctest.Fails(`output "x" { value = provider::streaming::dagger_configuration("PROCESSOR_LONGBOW_ASYNC_TIMEOUT=15000L") }`, "no configuration that Dagger reads", "ends with a letter"),
		},
	})
}

// Dagger is built for Flink 1.14, which takes no configuration with a job.
func TestFlow_DaggerJob_LivesOnFlink114(t *testing.T) {
	t.Parallel()
	w := newWorld(t, flinkfake.Version("1.14.3"))
	acctest.RunFake(t,
		acctest.Apply(w.config(sets{"max_parallelism": "64", "parallelism": "2"}), w.runs(map[string]string{"FLINK_PARALLELISM_MAX": "64", "FLINK_PARALLELISM": "2"}),
			acctest.Is(address, "job_name", knownvalue.StringExact("orders")), acctest.Outside(func() error {
				_, job, err := w.keys()
				if err != nil {
					return err
				}
				if marker, ok := lifecycle.ParseMarker(job.UserConfig); !ok || marker.Owner != owner {
					return fmt.Errorf("the marker is %+v in %v", marker, job.UserConfig)
				}
				return nil
			})),
		acctest.Noop(w.config(sets{"max_parallelism": "64", "parallelism": "2"})),
		acctest.Change(w.config(sets{"max_parallelism": "64", "parallelism": "2", "flink": `{ checkpoint_interval_ms = "10 s" }`}), address, plancheck.ResourceActionUpdate,
			restarted("flink"), acctest.Is(address, "restored_from", knownvalue.NotNull())),
		acctest.Fails(w.config(sets{"python": `{ fn_execution_bundle_size = 1 }`}), "Flink 1.14.3 takes no options of Python with a job"),
	)
}
