// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streampark_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/streampark"
)

func script(text string) streampark.Document {
	d := counter()
	d.SQL = text
	return d
}

const insert = "INSERT INTO a SELECT * FROM b"

// What was seen to run on Flink 1.20.5: comments at the beginning, semicolons in
// texts, no semicolon at the end, INSERT ... WITH, a set of the SQL client, SHOW,
// SET and RESET, hints.
func TestCheck_TakesSQLThatStreamParkRuns(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		insert, insert + ";", "-- first; \n/* ; */ " + insert, "insert overwrite a select ';', '--' from b /*+ OPTIONS('x'='y') */",
		"INSERT INTO a WITH w AS (SELECT 1) SELECT * FROM w;\n" + insert, "BEGIN STATEMENT SET;\n" + insert + ";\nINSERT INTO c SELECT 1;\nEND;",
		"SHOW TABLES; SHOW CURRENT CATALOG; SHOW FULL MODULES; DESCRIBE b; EXPLAIN " + insert + ";" + insert,
		"SET 'table.exec.state.ttl' = '1 h'; SET table.local-time-zone=UTC; RESET 'table.exec.state.ttl';" + insert,
		"CREATE TABLE b (x INT) WITH ('connector' = 'datagen'); CREATE TEMPORARY TABLE c (x INT); CREATE VIEW v AS SELECT 1;" + insert,
		"CREATE TEMPORARY VIEW IF NOT EXISTS v AS SELECT 1; CREATE CATALOG c WITH ('type'='x'); CREATE DATABASE d WITH ('a'='b'); USE CATALOG c; USE d;" + insert,
		"CREATE TEMPORARY SYSTEM FUNCTION f AS 'com.example.F' LANGUAGE JAVA; LOAD MODULE hive; USE MODULES hive; UNLOAD MODULE core;" + insert,
		"DROP TABLE IF EXISTS x; DROP TEMPORARY VIEW v; DROP FUNCTION f; DROP CATALOG c; ALTER TABLE a SET ('x'='y'); ALTER DATABASE d SET ('a'='b'); " + insert,
	} {
		check(t, script(text))
	}
}

func TestCheck_RefusesSQLThatStreamParkDoesNotRun(t *testing.T) {
	t.Parallel()
	for text, words := range map[string][]string{
		"-- nothing":             {"no statement", "comments alone"},
		";":                      {"no statement"},
		"INSERT 'x":              {"cannot be read", "Line 1"},
		"FOO BAR":                {"Statement 1 (line 1)", "unsupported sql"},
		"SELECT 1":               {"Statement 1 (line 1)", "does not run a SELECT", "INSERT INTO"},
		"VALUES (1)":             {"does not know"},
		"SHOW TABLES":            {"no INSERT"},
		"CREATE TABLE b (x INT)": {"no INSERT", "Nothing would start the job"},
		insert + ";\n\nDELETE FROM a WHERE x = 1":                          {"Statement 2 (line 3)", "DELETE is not run", "without a word"},
		insert + "; update a set x = 1":                                    {"UPDATE is not run"},
		"EXECUTE STATEMENT SET BEGIN " + insert + "; END":                  {"EXECUTE STATEMENT SET", "one job as they are"},
		"EXECUTE " + insert:                                                {"does not know"},
		"BEGIN STATEMENT SET; END;":                                        {"statement set is empty"},
		"BEGIN STATEMENT SET; SELECT 1; " + insert + "; END;":              {"something else than INSERT"},
		"BEGIN STATEMENT SET; " + insert + ";":                             {"cannot be read", "no END"},
		"CREATE TABLE c AS SELECT 1; " + insert:                            {"starts a job of its own", "beside this one"},
		"WITH w AS (SELECT 1) SELECT * FROM w":                             {"INSERT INTO ... WITH"},
		"CREATE VIEW v (x) AS SELECT 1; " + insert:                         {"without columns"},
		"CREATE VIEW v AS WITH w AS (SELECT 1) SELECT * FROM w; " + insert: {"AS SELECT right behind"},
		"CREATE OR REPLACE TABLE c (x INT); " + insert:                     {"without OR REPLACE"},
		"ADD JAR '/x.jar'; " + insert:                                      {"does not know"},
		"CALL p(); " + insert:                                              {"does not know"},
		"RESET; " + insert:                                                 {"takes everything back", "RESET 'key'"},
		"SET 'pipeline.name' = 'x'; " + insert:                             {"count more than name"},
		"SET execution.savepoint.path=/x; " + insert:                       {"restore_from"},
	} {
		check(t, script(text), want{refused, "sql", words})
	}
}

func TestCheck_OneSettingInTwoPlaces(t *testing.T) {
	t.Parallel()
	d := script("SET 'execution.runtime-mode' = 'batch'; SET 'execution.checkpointing.interval'='1 min'; SET 'parallelism.default'='4'; SET 'table.exec.state.ttl'='1 h';" + insert)
	check(t, d)
	d.Values["table.mode"], d.Values["checkpoint.interval"], d.Parallelism = "streaming", "30 s", 2
	d.Extra = map[string]string{"flink.property.table.exec.state.ttl": "2 h"}
	check(t, d,
		want{warned, "sql", []string{"execution.runtime-mode is set twice", "beside table.mode. The SQL counts more"}},
		want{warned, "sql", []string{"execution.checkpointing.interval is set twice", "checkpoint.interval"}},
		want{warned, "sql", []string{"parallelism.default is set twice", "beside parallelism"}},
		want{warned, "sql", []string{"table.exec.state.ttl is set twice", "extra_configuration"}})
	d.Values["table.mode"], d.Values["checkpoint.interval"], d.Parallelism = "BATCH", "1 min", 4
	d.Extra = map[string]string{"flink.property.table.exec.state.ttl": "1 h"}
	check(t, d, want{warned, "checkpoint.interval", []string{"batch"}})

	// And beside the options that go to the cluster.
	d = script("SET 'state.backend' = 'rocksdb'; SET 'table.exec.state.ttl'='1 h';" + insert)
	for _, test := range []struct {
		configuration map[string]string
		words         []string
	}{
		{map[string]string{"state.backend.type": "hashmap", "table.exec.state.ttl": "1 h"}, []string{"state.backend is set twice", "beside configuration"}},
		{map[string]string{"table.exec.state.ttl": "2 h"}, []string{"table.exec.state.ttl is set twice", "beside configuration"}},
	} {
		found := streampark.Check(d, streampark.Situation{FlinkVersion: "1.20.5", Configuration: test.configuration})
		if len(found) != 1 || found[0].Severity != warned || found[0].Attribute != "sql" || !strings.Contains(found[0].Summary, test.words[0]) || !strings.Contains(found[0].Detail, test.words[1]) {
			t.Errorf("%v: found %+v", test.configuration, found)
		}
	}
}

func TestCheck_MainClasses(t *testing.T) {
	t.Parallel()
	d := script("")
	check(t, d)
	d.EntryClass = streampark.SQLClient
	check(t, d, want{refused, "sql", []string{"There is no SQL"}})
	d.SQL = insert
	check(t, d)
	d.Statements = map[string]string{"first": insert}
	check(t, d, want{warned, "sql_by_id", []string{"context.sql(id)"}})
	d.EntryClass, d.SQL = "com.example.Main", ""
	check(t, d)
	d.SQL = insert
	check(t, d, want{warned, "sql", []string{"com.example.Main"}})
	d.SQL, d.Statements = "", map[string]string{"a b": insert, "none": "SELECT 1"}
	check(t, d, want{refused, "sql_by_id[a b]", []string{`"a b" is no id`}}, want{refused, "sql_by_id[none]", []string{"SELECT"}})
	d.Unknown = map[string]bool{"sql": true}
	d.EntryClass, d.Statements = streampark.SQLClient, nil
	check(t, d)
}

func TestCheck_SecretsInSQLAndVariables(t *testing.T) {
	t.Parallel()
	d := script("CREATE TABLE b (x INT) WITH ('connector'='jdbc', 'password' = 'hunter2');" + insert)
	check(t, d, want{warned, "sql", []string{`Statement 1 (line 1) has a secret in it: "password"`, "variables_wo", "in clear"}})
	d.SQL = "CREATE TABLE b (x INT) WITH ('connector'='jdbc', 'password' = '${db}');" + insert
	check(t, d, want{warned, "sql", []string{"Variables without a value: db", "variables"}})
	d.Variables = map[string]string{"db": "hunter2"}
	check(t, d)
	d.Variables["more"] = "x"
	check(t, d, want{warned, "variables", []string{"nothing uses: more"}})
	d.Unknown = map[string]bool{"args": true}
	check(t, d)
	d.Unknown = map[string]bool{"variables": true}
	d.Variables = nil
	check(t, d)
}

func TestCheck_Arguments(t *testing.T) {
	t.Parallel()
	for _, good := range [][]string{
		nil, {"--a", "b"}, {"-a", "b c"}, {"--flag", "--a", "-5"}, {"--a", "-1.5", "--flag"}, {"--jaas", `module required user="x#1" password="y";`}, {"--a", "b", "--empty", ""},
	} {
		d := counter()
		d.Args = good
		check(t, d)
	}
	for _, bad := range []struct {
		args  []string
		words []string
	}{
		{[]string{"a"}, []string{"Argument 1 is no key"}},
		{[]string{"--a", "b", "c"}, []string{"Argument 3 is no key"}},
		{[]string{"--a", "b", ""}, []string{"Argument 3 is no key"}},
		{[]string{"--"}, []string{"without a name"}},
		{[]string{"--conf", "x"}, []string{"--conf cannot be", "itself"}},
		{[]string{"--sql", "x"}, []string{"Set sql"}},
		{[]string{"-app.name", "x"}, []string{"Set name"}},
		{[]string{"--parallelism.default", "4"}, []string{"changes nothing", "parallelism"}},
		{[]string{"--execution.runtime-mode", "BATCH"}, []string{"table.mode"}},
		{[]string{"--flink.conf", "x"}, []string{"configuration"}},
		{[]string{"--terraform.name", "x"}, []string{"provider's own"}},
	} {
		d := counter()
		d.Args = bad.args
		check(t, d, want{refused, "args", bad.words})
	}
	d := counter()
	d.Args = []string{"--name a b"}
	check(t, d, want{warned, "args", []string{"blank", "two arguments"}})
}

func TestCheck_ExtraKeys(t *testing.T) {
	t.Parallel()
	for key, test := range map[string]struct {
		value string
		want  want
	}{
		"flink.property.state.backend":                     {"rocksdb", want{refused, "", []string{"Set state_backend.backend"}}},
		"flink.property.state.backend.type":                {"rocksdb", want{refused, "", []string{"Set state_backend.backend"}}},
		"flink.property.pipeline.name":                     {"x", want{refused, "", []string{"Set name"}}},
		"flink.property.parallelism.default":               {"2", want{refused, "", []string{"Set parallelism"}}},
		"flink.property.$internal.application.main":        {"x", want{refused, "", []string{"Set entry_class"}}},
		"flink.option.parallelism":                         {"2", want{refused, "", []string{"Set parallelism"}}},
		"sql":                                              {"x", want{refused, "", []string{"Set sql"}}},
		"sql.first":                                        {"x", want{refused, "", []string{"sql_by_id"}}},
		"flink.deployment.property.x":                      {"x", want{refused, "", []string{"flink.property.x", `layout = "deployment"`}}},
		"flink.property":                                   {"x", want{refused, "", []string{"a section"}}},
		"a b":                                              {"x", want{refused, "", []string{"no key"}}},
		"flink.property.execution.runtime-mode":            {"BATCH", want{refused, "", []string{"table.mode"}}},
		"flink.property.execution.savepoint.path":          {"s3://x", want{refused, "", []string{"restore_from"}}},
		"flink.property.execution.state-recovery.path":     {"s3://x", want{refused, "", []string{"restore_from"}}},
		"flink.option.fromSavepoint":                       {"s3://x", want{refused, "", []string{"without its state", "restore_from"}}},
		"flink.option.p":                                   {"2", want{refused, "", []string{"full names"}}},
		"flink.option.classpath":                           {"x", want{warned, "", []string{"flink run"}}},
		"flink.table.table.local-time-zone":                {"UTC", want{refused, "", []string{"flink.property.table.local-time-zone", "SET"}}},
		"flink.table.exec.state.ttl":                       {"1 h", want{refused, "", []string{"flink.property.table.exec.state.ttl"}}},
		"flink.property.execution.checkpointing.min-pause": {"soon", want{refused, "", []string{"cannot read it"}}},
		"flink.property.taskmanager.memory.network.max":    {"1 gb", want{warned, "", nil}},
		"flink.property.rest.port":                         {"8082", want{warned, "", []string{"session cluster"}}},
		"flink.property.execution.checkpointing.intervall": {"1 s", want{warned, "", []string{"no option of Flink's"}}},
		"app.empty":                                        {" ", want{warned, "", []string{"drops it"}}},
		"state.backend":                                    {"x", want{warned, "", []string{"flink.property.", "app."}}},
	} {
		d := counter()
		d.Extra = map[string]string{key: test.value}
		test.want.attribute = "extra_configuration[" + key + "]"
		if test.want.words == nil {
			check(t, d)
			continue
		}
		check(t, d, test.want)
	}
	d := counter()
	d.Extra = map[string]string{"app.x": "1", "flink.property.state.backend.rocksdb.localdir": "/x", "flink.property.execution.checkpointing.min-pause": "5 s", "flink.property.env.java.opts.all": "x"}
	check(t, d)
}

func TestDifferences_CompareWhatIsMeant(t *testing.T) {
	t.Parallel()
	base := func() streampark.Document {
		d := values("checkpoint.interval", "10 min", "checkpoint.mode", "EXACTLY_ONCE", "memory.jobmanager.process_size", "1 gb", "memory.taskmanager.managed_fraction", "0.4", "checkpoint.unaligned", "true", "restart_strategy.fixed_delay.attempts", "3", "table.mode", "batch", "option.target", "remote")
		d.Extra, d.Args = map[string]string{"flink.property.execution.checkpointing.min-pause": "60 s"}, []string{"--a", "b"}
		d.Statements, d.Variables = map[string]string{"first": insert}, map[string]string{"x": "1"}
		return d
	}
	respelled := base()
	maps.Copy(respelled.Values, map[string]string{"checkpoint.interval": "600000", "checkpoint.mode": "exactly_once", "memory.jobmanager.process_size": "1024m", "memory.taskmanager.managed_fraction": "0.40", "checkpoint.unaligned": "TRUE", "restart_strategy.fixed_delay.attempts": "03", "table.mode": "Batch"})
	respelled.Layout = streampark.Current
	respelled.SQL = "-- a comment\n" + "INSERT INTO a\n  SELECT * FROM b ;"
	respelled.Statements["first"] = respelled.SQL
	respelled.Extra["flink.property.execution.checkpointing.min-pause"] = " 1 min"
	if left := streampark.Differences(base(), respelled); len(left) > 0 {
		t.Errorf("respelled differ %v", left)
	}
	for attribute, change := range map[string]func(*streampark.Document){
		"checkpoint":          func(d *streampark.Document) { d.Values["checkpoint.interval"] = "11 min" },
		"memory":              func(d *streampark.Document) { delete(d.Values, "memory.jobmanager.process_size") },
		"option":              func(d *streampark.Document) { d.Values["option.target"] = "Remote" },
		"restart_strategy":    func(d *streampark.Document) { d.Values["restart_strategy.strategy"] = "none" },
		"table":               func(d *streampark.Document) { d.Unknown = map[string]bool{"table.mode": true} },
		"sql":                 func(d *streampark.Document) { d.SQL = "INSERT INTO a SELECT ' ' FROM b" },
		"sql_by_id":           func(d *streampark.Document) { d.Statements["first"] = "INSERT INTO a SELECT 'x' FROM b" },
		"extra_configuration": func(d *streampark.Document) { d.Extra["app.x"] = "1" },
		"args":                func(d *streampark.Document) { d.Args[1] = "c" },
		"variables":           func(d *streampark.Document) { d.Variables["x"] = "2" },
		"layout":              func(d *streampark.Document) { d.Layout = streampark.Deployment },
		"entry_class":         func(d *streampark.Document) { d.EntryClass = "a.B" },
	} {
		d := base()
		change(&d)
		if left := streampark.Differences(base(), d); len(left) != 1 || left[0] != attribute {
			t.Errorf("a change of %s is seen as %v", attribute, left)
		}
	}
}
