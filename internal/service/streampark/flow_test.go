// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streampark_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/flinkvalue"
	document "github.com/terraform-streaming/terraform-provider-streaming/internal/document/streampark"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
)

const (
	owner   = "team-a/test"
	address = "streaming_streampark_job.test"
	client  = document.SQLClient
)

// world is a fake cluster and a directory with the client's jar.
type world struct {
	*flinkfake.Server
	dir string
}

func newWorld(t *testing.T, options ...flinkfake.Option) *world {
	t.Helper()
	fake := flinkfake.New(options...)
	t.Cleanup(fake.Close)
	fake.RegisterProgram(client, clientMain)
	return &world{Server: fake, dir: t.TempDir()}
}

// given is what the client unpacked of its arguments.
func given(args []string) (conf, sql, name string, err error) {
	texts := map[string]string{}
	for i, arg := range args {
		if slices.Contains([]string{"--conf", "--sql", "--app.name"}, arg) && i+1 < len(args) {
			text, unpackErr := document.Unpack(args[i+1])
			texts[arg], err = text, errors.Join(err, unpackErr)
		}
	}
	return texts["--conf"], texts["--sql"], texts["--app.name"], err
}

// clientMain does what StreamPark's client was seen to do: it wants SQL and a
// name, and registers its arguments and the keys of the file as parameters of
// the job.
func clientMain(m *flinkfake.Main) error {
	conf, sql, name, err := given(m.Args)
	if err != nil || sql == "" {
		return flinkfake.Throw("java.lang.IllegalArgumentException", "requirement failed: Usage: flink sql cannot be null")
	}
	file, _, err := document.Parse(conf)
	if err != nil {
		return flinkfake.Throw("java.lang.ClassCastException", err.Error())
	}
	parameters := map[string]string{}
	for i := 0; i+1 < len(m.Args); i += 2 {
		parameters[strings.TrimPrefix(m.Args[i], "--")] = m.Args[i+1]
	}
	for key, value := range file.Properties() {
		parameters["flink.property."+key] = value
	}
	parameters["sql"] = sql
	if strings.Contains(sql, "missing_table") {
		return flinkfake.Throw("org.apache.flink.table.api.ValidationException", "SQL validation failed. Object 'missing_table' not found in "+sql)
	}
	every, _ := flinkvalue.BareDuration(file.Values["checkpoint.interval"])
	return m.Execute(flinkfake.Graph{Name: name, Rate: 50, GlobalParameters: parameters, CheckpointInterval: every, Operators: []flinkfake.Operator{
		{Name: "Source: b", UID: "source", Stateful: true}, {Name: "aggregate", UID: "aggregate", Stateful: true, Counts: true}, {Name: "a: Writer", UID: "sink", Chained: true},
	}})
}

// jar writes a jar with the client and returns the attribute.
func (w *world) jar(t *testing.T, name string, extra ...string) string {
	t.Helper()
	file := filepath.Join(w.dir, name)
	if err := os.WriteFile(file, flinkfake.Jar(client, extra...), 0o600); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("jar = { source = %q }", filepath.ToSlash(file))
}

func (w *world) provider() string { return acctest.Config{Owner: owner, Flink: w.URL()}.String() }

// job is a provider block and a job with these attributes.
func (w *world) job(attributes ...string) string {
	return w.provider() + fmt.Sprintf("resource \"streaming_streampark_job\" \"test\" {\n  name = \"clicks\"\n  on_destroy = \"cancel\"\n  %s\n}\n", strings.Join(attributes, "\n  "))
}

const insert = "INSERT INTO a SELECT * FROM b"

func sql(text string) string { return fmt.Sprintf("sql = %q", strings.ReplaceAll(text, "${", "$${")) }

// literal is for texts of several lines.
func literal(text string) string {
	return "sql = <<EOT\n" + strings.ReplaceAll(text, "${", "$${") + "\nEOT"
}

// only is the one live job.
func (w *world) only() (flinkfake.JobSnapshot, error) {
	live := w.Live()
	if len(live) != 1 {
		return flinkfake.JobSnapshot{}, fmt.Errorf("%d live jobs instead of one: %+v", len(live), live)
	}
	return live[0], nil
}

// ran checks what the client of the one live job was given.
func (w *world) ran(check func(job flinkfake.JobSnapshot, conf, sql, name string) error) statecheck.StateCheck {
	return acctest.Outside(func() error {
		job, err := w.only()
		if err != nil {
			return err
		}
		conf, sql, name, err := given(job.Args)
		if err != nil {
			return err
		}
		return check(job, conf, sql, name)
	})
}

func equal[T comparable](got, want T) error {
	if got != want {
		return fmt.Errorf("got %#v instead of %#v", got, want)
	}
	return nil
}

func generation(n int64) statecheck.StateCheck {
	return acctest.Is(address, "deployment.generation", knownvalue.Int64Exact(n))
}

func said(change string) statecheck.StateCheck {
	return acctest.Is(address, "deployment.change", knownvalue.StringExact(change))
}

func TestFlow_StreamparkJob_IsCreatedUpgradedWithStateAndImported(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	jar := w.jar(t, "client.jar")
	first := w.job(jar, sql(insert), "parallelism = 2", `checkpoint = { interval = "30 s" }`)
	acctest.RunFake(t,
		acctest.Apply(first, acctest.Is(address, "status", knownvalue.StringExact("RUNNING")), acctest.Is(address, "job_name", knownvalue.StringExact("clicks")), said("start"),
			acctest.Is(address, "rendered", knownvalue.StringExact("# --conf\nflink:\n  property:\n    execution.checkpointing.interval: \"30 s\"\n    pipeline.name: clicks\n# --sql\n"+insert+"\n# --app.name\nclicks\n")),
			w.ran(func(job flinkfake.JobSnapshot, conf, text, name string) error {
				return errors.Join(equal(conf, "flink:\n  property:\n    execution.checkpointing.interval: \"30 s\"\n    pipeline.name: clicks\n"), equal(text, insert), equal(name, "clicks"),
					equal(fmt.Sprint(job.Parallelism), "2"), equal(job.UserConfig["sql"], insert))
			})),
		acctest.Noop(first),
		acctest.Change(w.job(jar, sql("INSERT INTO a SELECT 'x' FROM b"), "parallelism = 2", `checkpoint = { interval = "30 s" }`), address, plancheck.ResourceActionUpdate,
			said("stop with savepoint, start from it (sql)"), acctest.Is(address, "restored_from", knownvalue.NotNull()), generation(2)),
		resource.TestStep{
			ResourceName: address, ImportState: true, ImportStateId: "name:clicks", ImportStateVerify: true,
			// Flink cannot tell what a job was started with.
			ImportStateVerifyIgnore: []string{
				"id", "jar", "sql", "checkpoint", "layout", "rendered", "parallelism", "upgrade", "on_destroy", "on_finished", "adopt_existing", "cluster_moved",
				"savepoint_path", "last_checkpoint_path", "deployment", "started_at",
			},
		},
	)
}

// The client registers its own parameters in the place of those that were
// submitted: the marker has to be among them all the same.
func TestFlow_StreamparkJob_ItsMarkerIsReadable(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	config := w.job(w.jar(t, "client.jar"), sql(insert))
	acctest.RunFake(t,
		acctest.Apply(config, w.ran(func(job flinkfake.JobSnapshot, _, _, _ string) error {
			return errors.Join(equal(job.UserConfig["terraform.owner"], fmt.Sprintf("%x", owner)), equal(job.UserConfig["terraform.name"], fmt.Sprintf("%x", "clicks")))
		})),
		acctest.Noop(config),
	)
}

// What means the same is no change: another spelling of a value, and spaces,
// line ends and comments of the SQL.
func TestFlow_StreamparkJob_C45_C46_AnotherSpellingIsNoChange(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	jar := w.jar(t, "client.jar")
	config := func(text, interval, delay, memory, ttl string) string {
		return w.job(jar, literal(text), fmt.Sprintf("checkpoint = { interval = %q, mode = \"EXACTLY_ONCE\" }", interval),
			fmt.Sprintf("restart_strategy = { strategy = \"fixed-delay\", fixed_delay = { delay = %q } }", delay),
			fmt.Sprintf("memory = { jobmanager = { process_size = %q } }", memory),
			fmt.Sprintf("extra_configuration = { \"flink.property.table.exec.state.ttl\" = %q }", ttl))
	}
	first := config(insert, "10 min", "5000", "2 gb", "1 h")
	acctest.RunFake(t,
		acctest.Apply(first),
		acctest.Noop(config("-- counts\nINSERT INTO a\n  SELECT * FROM b;\n", "600000", "5 s", "2048mb", "3600 s")),
		acctest.Change(config("INSERT INTO a SELECT '' FROM b", "600 s", "5 s", "2048mb", "60 min"), address, plancheck.ResourceActionUpdate, generation(2), said("stop with savepoint, start from it (sql)")),
	)
}

func TestFlow_StreamparkJob_WriteOnlyVariablesAreNowhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const text = "CREATE TABLE a (x INT) WITH ('connector' = 'jdbc', 'password' = '${password}'); " + insert
	jar := w.jar(t, "client.jar")
	config := func(password string, version int) string {
		return w.job(jar, literal(text), fmt.Sprintf("variables_wo = { password = %q }\n  variables_wo_version = %d", password, version))
	}
	sent := func(password string) statecheck.StateCheck {
		return w.ran(func(job flinkfake.JobSnapshot, _, sent, _ string) error {
			for key, value := range job.FlinkConfiguration {
				if strings.Contains(value, "hunter") {
					return fmt.Errorf("%s holds a secret", key)
				}
			}
			if !strings.Contains(sent, "'password' = '"+password+"'") {
				return fmt.Errorf("sent is %s", sent)
			}
			return nil
		})
	}
	nowhere := acctest.Is(address, "rendered", knownvalue.StringRegexp(regexp.MustCompile(`(?s)'password' = '\$\{password\}'`)))
	acctest.RunFake(t,
		acctest.Apply(config("hunter2", 1), sent("hunter2"), nowhere, acctest.Is(address, "variables_wo", knownvalue.Null())),
		acctest.Noop(config("hunter3", 1)),
		acctest.Change(config("hunter3", 2), address, plancheck.ResourceActionUpdate, sent("hunter3"), nowhere, said("stop with savepoint, start from it (variables_wo_version)")),
		// Those in the state are seen to change.
		acctest.Change(w.job(jar, literal(text), `variables = { password = "hunter4" }`), address, plancheck.ResourceActionUpdate, sent("hunter4"), nowhere),
		acctest.Change(w.job(jar, literal(text), `variables = { password = "hunter5" }`), address, plancheck.ResourceActionUpdate, sent("hunter5"), said("stop with savepoint, start from it (variables)")),
	)
}

// Flink repeats SQL that it refuses.
func TestFlow_StreamparkJob_AnErrorHasNoVariableInIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const text = "CREATE TABLE missing_table (x INT) WITH ('connector' = 'jdbc', 'password' = '${password}'); " + insert
	acctest.RunFake(t, acctest.Fails(w.job(w.jar(t, "client.jar"), literal(text), "variables_wo = { password = \"hunter2\" }\n  variables_wo_version = 1"), "'password' = '${password}'"))
}

func TestFlow_StreamparkJob_WhatTheClientWouldRegretFailsThePlan(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	jar := w.jar(t, "client.jar")
	for name, test := range map[string]struct {
		attributes string
		want       []string
	}{
		"no INSERT":             {sql("SHOW TABLES"), []string{"The SQL has no INSERT"}},
		"a SELECT":              {sql("SELECT 1"), []string{"Statement 1", "SELECT"}},
		"a DELETE":              {sql(insert + "; DELETE FROM a"), []string{"DELETE is not run", "without a word"}},
		"a catalog":             {sql(insert) + "\n  table = { catalog = \"c\" }", []string{"table.catalog", "USE CATALOG c"}},
		"another mode":          {sql(insert) + "\n  extra_configuration = { \"flink.property.execution.runtime-mode\" = \"BATCH\" }", []string{"table.mode"}},
		"a savepoint":           {sql(insert) + "\n  extra_configuration = { \"flink.property.execution.savepoint.path\" = \"s3://x\" }", []string{"restore_from"}},
		"a modelled key":        {sql(insert) + "\n  extra_configuration = { \"flink.property.state.backend\" = \"rocksdb\" }", []string{"state_backend.backend"}},
		"a managed key":         {sql(insert) + "\n  extra_configuration = { \"flink.property.pipeline.jars\" = \"/x.jar\" }", []string{"pipeline.jars cannot be set here"}},
		"set twice":             {sql(insert) + "\n  checkpoint = { interval = \"1 s\" }\n  configuration = { \"execution.checkpointing.interval\" = \"2 s\" }", []string{"execution.checkpointing.interval is set twice", "counts more"}},
		"under another name":    {sql(insert) + "\n  state_backend = { backend = \"rocksdb\" }\n  configuration = { \"state.backend.type\" = \"hashmap\" }", []string{"state.backend.type is set twice", "state.backend too"}},
		"memory":                {sql(insert) + "\n  memory = { jobmanager = { flink_size = \"1 gb\", process_size = \"1 gb\" } }", []string{"memory.jobmanager contradicts itself"}},
		"a strategy":            {sql(insert) + "\n  restart_strategy = { strategy = \"sometimes\" }", []string{"restart_strategy.strategy", "fixed-delay"}},
		"an argument":           {sql(insert) + "\n  args = [\"--app.name\", \"x\"]", []string{"--app.name cannot be an argument"}},
		"no parallelism":        {sql(insert) + "\n  parallelism = 0", []string{"parallelism cannot be 0", "from 1 to 32768"}},
		"a duration":            {sql(insert) + "\n  checkpoint = { interval = \"soon\" }", []string{"soon", "duration"}},
		"without a version":     {sql(insert) + "\n  variables_wo = { x = \"1\" }", []string{"variables_wo_version"}},
		"an unknown layout":     {sql(insert) + "\n  layout = \"3.x\"", []string{"layout", "deployment"}},
		"no SQL for the client": {"entry_class = \"" + client + "\"", []string{"There is no SQL"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			acctest.RunFake(t, acctest.Fails(w.job(jar, test.attributes), test.want...))
		})
	}
}

func TestFlow_StreamparkJob_WarnsOfWhatIsIgnored(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var warnings acctest.Warnings
	jar := w.jar(t, "client.jar")
	config := w.job(jar, sql(insert), `option = { target = "application", detached = true }`, `memory = { taskmanager = { managed_fraction = 0.4 } }`, `layout = "deployment"`)
	acctest.RunFakeWarned(t, &warnings,
		acctest.Apply(config,
			acctest.Outside(func() error {
				heard := strings.Join(warnings.Take(), "\n")
				for _, words := range []string{"option.target has no effect", "flink.endpoint", "memory.taskmanager has no effect", "managed_fraction", "layout: StreamPark 2 reads nothing of this layout"} {
					if !strings.Contains(heard, words) {
						return fmt.Errorf("%q is not among the warnings: %s", words, heard)
					}
				}
				return nil
			}),
			w.ran(func(_ flinkfake.JobSnapshot, conf, _, _ string) error {
				return equal(conf, "flink:\n  deployment:\n    option:\n      detached: true\n      target: application\n    property:\n      pipeline.name: clicks\n      taskmanager.memory.managed.fraction: \"0.4\"\n")
			})),
		acctest.Noop(config),
	)
}

func TestFlow_StreamparkJob_AFailedUpgradeLeavesTheOldOneRunning(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	jar := w.jar(t, "client.jar")
	acctest.RunFake(t,
		acctest.Apply(w.job(jar, sql(insert))),
		acctest.Fails(w.job(jar, sql("INSERT INTO a SELECT * FROM missing_table")), "the old one runs again from the savepoint", "Object 'missing_table' not found"),
		acctest.Apply(w.job(jar, sql(insert)), w.ran(func(_ flinkfake.JobSnapshot, _, text, _ string) error { return equal(text, insert) })),
	)
}

// A job that is lost goes on from where the configuration file put its checkpoints.
func TestFlow_StreamparkJob_C01_ALostJobIsFoundWhereItsFilePutsCheckpoints(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	config := w.job(w.jar(t, "client.jar"), sql(insert), `state_backend = { checkpoints_dir = "file:/fake/own" }`, `checkpoint = { interval = "1 s" }`)
	acctest.RunFake(t,
		acctest.Apply(config, w.ran(func(job flinkfake.JobSnapshot, _, _, _ string) error {
			w.Advance(10 * time.Second)
			return equal(job.FlinkConfiguration["state.checkpoints.dir"], "file:/fake/own")
		})),
		resource.TestStep{
			PreConfig: func() { w.Advance(10 * time.Second); w.RestartJobManager() },
			Config:    config,
			ConfigStateChecks: []statecheck.StateCheck{
				acctest.Is(address, "deployment.change", knownvalue.StringRegexp(regexp.MustCompile(`^start from checkpoint file:/fake/own/[0-9a-f]{32}/chk-[0-9]+, found on disk \(state lost -> running\)$`))),
				acctest.Is(address, "restored_from", knownvalue.StringRegexp(regexp.MustCompile(`^file:/fake/own/`))),
			},
		},
		acctest.Noop(config),
	)
}

// unknownValue is a resource whose value is known at apply alone.
const unknownValue = "resource \"terraform_data\" \"late\" {\n  input = %q\n}\n"

func TestFlow_StreamparkJob_ValuesOfTheSameApply(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	jar := w.jar(t, "client.jar")
	config := func(text string) string {
		return fmt.Sprintf(unknownValue, text) + w.job(jar, `sql = terraform_data.late.output`)
	}
	acctest.RunFake(t,
		acctest.Apply(config(insert), w.ran(func(_ flinkfake.JobSnapshot, _, text, _ string) error { return equal(text, insert) }),
			acctest.Is(address, "rendered", knownvalue.StringRegexp(regexp.MustCompile(insert[:10])))),
		acctest.Apply(config(insert+"; INSERT INTO c SELECT 1"), generation(2)),
		// It turns out to mean the same.
		acctest.Apply(config(insert+"; INSERT INTO c SELECT 1 ;\n")),
	)
}

// cases has a value of each option.
func cases() map[string]string {
	return map[string]string{
		"option.target":                                           `"application"`,
		"option.detached":                                         "false",
		"option.allow_non_restored_state":                         "true",
		"option.shutdown_on_attached_exit":                        "true",
		"option.jobmanager":                                       `"yarn-cluster"`,
		"property.yarn_application_queue":                         `"b"`,
		"property.taskmanager_number_of_task_slots":               "2",
		"property.auto_watermark_interval":                        `"1 s"`,
		"checkpoint.interval":                                     `"20 s"`,
		"checkpoint.timeout":                                      `"20 min"`,
		"checkpoint.mode":                                         `"AT_LEAST_ONCE"`,
		"checkpoint.unaligned":                                    "true",
		"checkpoint.externalized_checkpoint_retention":            `"DELETE_ON_CANCELLATION"`,
		"state_backend.backend":                                   `"rocksdb"`,
		"state_backend.incremental":                               "true",
		"state_backend.checkpoint_storage":                        `"filesystem"`,
		"state_backend.savepoints_dir":                            `"s3://b"`,
		"state_backend.checkpoints_dir":                           `"s3://b"`,
		"restart_strategy.strategy":                               `"exponential-delay"`,
		"restart_strategy.fixed_delay.attempts":                   "2",
		"restart_strategy.fixed_delay.delay":                      `"2 s"`,
		"restart_strategy.failure_rate.max_failures_per_interval": "2",
		"restart_strategy.failure_rate.failure_rate_interval":     `"2 min"`,
		"restart_strategy.failure_rate.delay":                     `"2 s"`,
		"table.planner":                                           `"any"`,
		"table.mode":                                              `"automatic"`,
		"table.catalog":                                           `"default_catalog"`,
		"table.database":                                          `"default_database"`,
	}
}

// memoryCases are those of memory.
func memoryCases() map[string]string {
	all := map[string]string{}
	for _, row := range document.Table() {
		switch large := regexp.MustCompile(`_max$|flink_size$|process_size$`); {
		case !strings.HasPrefix(row.Attribute, "memory."):
		case row.Kind == document.Fraction:
			all[row.Attribute] = "0.25"
		case row.Kind == document.Flag:
			all[row.Attribute] = "true"
		case large.MatchString(row.Attribute):
			all[row.Attribute] = `"2049 mb"`
		default:
			all[row.Attribute] = `"201 mb"`
		}
	}
	return all
}

// nested writes a value at a path of attributes.
func nested(attribute, value string) string {
	parts := strings.Split(attribute, ".")
	text := parts[len(parts)-1] + " = " + value
	for i := len(parts) - 2; i >= 0; i-- {
		text = parts[i] + " = { " + text + " }"
	}
	return text
}

// TestFlow_StreamparkJob_EachOptionRestartsTheJobAndReachesTheClient sets one
// option after the other on one job.
func TestFlow_StreamparkJob_EachOptionRestartsTheJobAndReachesTheClient(t *testing.T) {
	t.Parallel()
	all := cases()
	maps.Copy(all, memoryCases())
	for _, row := range document.Table() {
		if _, ok := all[row.Attribute]; !ok && row.Elsewhere == "" {
			t.Errorf("%s is not tried", row.Attribute)
		}
	}
	groups := map[string][]string{}
	for attribute := range all {
		group, _, _ := strings.Cut(attribute, ".")
		groups[group] = append(groups[group], attribute)
	}
	for group, attributes := range groups {
		t.Run(group, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			jar := w.jar(t, "client.jar")
			slices.Sort(attributes)
			steps := []resource.TestStep{acctest.Apply(w.job(jar, sql(insert)))}
			for _, attribute := range attributes {
				value := all[attribute]
				steps = append(steps, acctest.Change(w.job(jar, sql(insert), nested(attribute, value)), address, plancheck.ResourceActionUpdate,
					said("stop with savepoint, start from it ("+group+")"),
					w.ran(func(_ flinkfake.JobSnapshot, conf, _, _ string) error {
						file, _, err := document.Parse(conf)
						if err != nil {
							return err
						}
						return equal(file.Values[attribute], strings.Trim(value, `"`))
					})))
			}
			acctest.RunFake(t, steps...)
		})
	}
}

// ownCases change the attributes that are no options, each by itself.
func ownCases(w *world, t *testing.T) map[string]struct{ before, after, reason string } {
	t.Helper()
	jar, other := w.jar(t, "client.jar"), w.jar(t, "other.jar", "2")
	base := jar + "\n  " + sql(insert)
	return map[string]struct{ before, after, reason string }{
		"jar":                 {base, other + "\n  " + sql(insert), "jar"},
		"entry_class":         {base, base + "\n  entry_class = \"" + client + "\"", "entry_class"},
		"args":                {base, base + "\n  args = [\"--region\", \"eu\"]", "args"},
		"layout":              {base, base + "\n  layout = \"deployment\"", "layout"},
		"sql_by_id":           {base, base + "\n  sql_by_id = { first = \"" + insert + "\" }", "sql_by_id"},
		"extra_configuration": {base, base + "\n  extra_configuration = { \"app.region\" = \"eu\" }", "extra_configuration"},
		"sql_by_id respelled": {base + "\n  sql_by_id = { first = \"" + insert + "\" }", base + "\n  sql_by_id = { first = \"" + insert + " ;\" }", ""},
		"extra respelled":     {base + "\n  extra_configuration = { \"app.region\" = \"eu\" }", base + "\n  extra_configuration = { \"app.region\" = \" eu\" }", ""},
		"an empty object":     {base, base + "\n  checkpoint = {}", ""},
	}
}

func TestFlow_StreamparkJob_EachAttributeOfItsOwnDoesWhatThePlanSays(t *testing.T) {
	t.Parallel()
	for name := range ownCases(newWorld(t), t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			one := ownCases(w, t)[name]
			checks := []statecheck.StateCheck{generation(1)}
			if one.reason != "" {
				checks = []statecheck.StateCheck{generation(2), said("stop with savepoint, start from it (" + one.reason + ")")}
			}
			acctest.RunFake(t, acctest.Apply(w.job(one.before)), acctest.Apply(w.job(one.after), checks...), acctest.Noop(w.job(one.after)))
		})
	}
}

// A client of another main class runs SQL by its ids.
func TestFlow_StreamparkJob_AnotherMainClassFindsItsSQL(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.RegisterProgram("com.example.Main", func(m *flinkfake.Main) error {
		conf, text, name, err := given(m.Args)
		if err != nil || text != "" {
			return flinkfake.Throw("java.lang.IllegalStateException", "it was given --sql")
		}
		if _, statements, err := document.ParseSQL(conf); err != nil || statements["first"] != insert {
			return flinkfake.Throw("java.lang.IllegalArgumentException", "flink sql cannot be empty")
		}
		return m.Execute(flinkfake.Graph{Name: name, Rate: 50, Operators: []flinkfake.Operator{{Name: "Source: b", UID: "source", Stateful: true}}})
	})
	file := filepath.Join(w.dir, "main.jar")
	if err := os.WriteFile(file, flinkfake.Jar("com.example.Main"), 0o600); err != nil {
		t.Fatal(err)
	}
	config := w.job(fmt.Sprintf("jar = { source = %q }", filepath.ToSlash(file)), `entry_class = "com.example.Main"`, "sql_by_id = { first = \""+insert+"\" }")
	acctest.RunFake(t, acctest.Apply(config, acctest.Is(address, "job_name", knownvalue.StringExact("clicks"))), acctest.Noop(config))
}
