// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/fault"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/gatewayfake"
)

const sqlAddress = "streaming_flink_sql_job.test"

// sqlJobCases are the attributes of a SQL job's own, each of which a test in
// this file changes.
var sqlJobCases = []string{"statement", "setup_statements", "script", "validate"}

// sqlWorld is a cluster with an SQL gateway.
type sqlWorld struct {
	*world
	gateway *gatewayfake.Server
}

func newSQLWorld(t *testing.T, options ...gatewayfake.Option) *sqlWorld {
	t.Helper()
	w := newWorld(t)
	gateway := gatewayfake.New(w.Server, options...)
	t.Cleanup(gateway.Close)
	return &sqlWorld{w, gateway}
}

const (
	clicks   = `CREATE TABLE clicks (id BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '10')`
	sink     = `CREATE TABLE pages (id BIGINT) WITH ('connector' = 'print')`
	pipeline = `INSERT INTO pages SELECT id FROM clicks`
)

// sql is a provider block and a SQL job with these attributes.
func (w *sqlWorld) sql(attributes ...string) string {
	return acctest.Config{Owner: owner, Flink: w.URL(), Gateway: w.gateway.URL()}.String() +
		resourceBlock("streaming_flink_sql_job", append([]string{`name = "top-pages"`, cancel}, attributes...)...)
}

func setup(statements ...string) string {
	quoted := make([]string, 0, len(statements))
	for _, statement := range statements {
		quoted = append(quoted, fmt.Sprintf("%q", statement))
	}
	return "setup_statements = [" + strings.Join(quoted, ", ") + "]"
}

func statement(text string) string { return fmt.Sprintf("statement = %q", text) }

func script(statements ...string) string {
	return "script = <<-SQL\n    " + strings.Join(statements, ";\n    ") + ";\n  SQL"
}

func because(reason string) string { return "stop with savepoint, start from it (" + reason + ")" }

func TestFlow_FlinkSqlJob_IsCreatedUpgradedWithStateSuspendedAndImported(t *testing.T) {
	t.Parallel()
	w := newSQLWorld(t)
	base := []string{setup(clicks, sink), statement(pipeline)}
	ttl := func(value string) string { return configuration("table.exec.state.ttl", value) }
	acctest.RunFake(t,
		acctest.Apply(w.sql(base...), acctest.Is(sqlAddress, "job_name", knownvalue.StringExact("top-pages")), acctest.Is(sqlAddress, "status", knownvalue.StringExact("RUNNING"))),
		acctest.Noop(w.sql(base...)),
		acctest.Change(w.sql(append(base, ttl("1 h"))...), sqlAddress, plancheck.ResourceActionUpdate,
			acctest.Is(sqlAddress, "deployment.change", knownvalue.StringExact(because("configuration"))), acctest.Is(sqlAddress, "restored_from", knownvalue.NotNull()),
			acctest.Outside(func() error {
				job, err := w.only()
				if err != nil {
					return err
				}
				return equal(job.FlinkConfiguration["table.exec.state.ttl"], "1 h")
			})),
		// Flink reads the same.
		acctest.Noop(w.sql(append(base, ttl("60 min"))...)),
		acctest.Change(w.sql(setup(clicks, sink), statement(pipeline+" WHERE id > 5"), ttl("1 h")), sqlAddress, plancheck.ResourceActionUpdate,
			acctest.Is(sqlAddress, "deployment.change", knownvalue.StringExact(because("statement"))), acctest.Is(sqlAddress, "restored_from", knownvalue.NotNull())),
		acctest.Change(w.sql(append(base, ttl("1 h"), `state = "suspended"`)...), sqlAddress, plancheck.ResourceActionUpdate),
		acctest.Change(w.sql(append(base, ttl("1 h"))...), sqlAddress, plancheck.ResourceActionUpdate, acctest.Is(sqlAddress, "restored_from", knownvalue.NotNull())),
		resource.TestStep{
			ResourceName: sqlAddress, ImportState: true, ImportStateId: "name:top-pages", ImportStateVerify: true,
			ImportStateVerifyIgnore: []string{
				"id", "setup_statements", "statement", "validate", "configuration", "upgrade", "on_destroy", "on_finished", "adopt_existing", "cluster_moved",
				"savepoint_path", "last_checkpoint_path", "deployment", "started_at",
			},
		},
	)
	if n := w.gateway.Sessions(); n != 0 {
		t.Errorf("%d sessions are left open", n)
	}
}

func TestFlow_FlinkSqlJob_C46_WhatFlinkReadsAlikeIsNoChange(t *testing.T) {
	t.Parallel()
	w := newSQLWorld(t)
	acctest.RunFake(t,
		acctest.Apply(w.sql(setup(clicks, sink), statement(pipeline))),
		acctest.Noop(w.sql(setup(clicks+" ;", "  "+sink), statement("INSERT INTO pages\n  SELECT id -- all of them\n  FROM clicks;\n"))),
		// All in one text is the same job.
		acctest.Change(w.sql(script(clicks, sink, pipeline)), sqlAddress, plancheck.ResourceActionUpdate, acctest.Is(sqlAddress, "deployment.generation", knownvalue.Int64Exact(1))),
		acctest.Noop(w.sql(script("/* a comment */ "+clicks, sink, "INSERT INTO pages SELECT   id FROM clicks"))),
		acctest.Change(w.sql(script(clicks, sink, "INSERT INTO pages SELECT id FROM clicks WHERE 'a;b' <> ''")), sqlAddress, plancheck.ResourceActionUpdate,
			acctest.Is(sqlAddress, "deployment.change", knownvalue.StringExact(because("script")))),
		acctest.Change(w.sql(script(clicks, sink, "INSERT INTO pages SELECT id FROM clicks WHERE 'a; b' <> ''")), sqlAddress, plancheck.ResourceActionUpdate,
			acctest.Is(sqlAddress, "deployment.change", knownvalue.StringExact(because("script")))),
	)
}

func TestFlow_FlinkSqlJob_ASetupRunsAgainAtEachStart(t *testing.T) {
	t.Parallel()
	w := newSQLWorld(t, gatewayfake.Catalog("hive"))
	lasting := strings.Replace(sink, "TABLE pages", "TABLE hive.db.pages", 1)
	into := statement("INSERT INTO hive.db.pages SELECT id FROM clicks")
	use := []string{"CREATE DATABASE IF NOT EXISTS hive.db"}
	with := func(more string, rest ...string) string {
		return w.sql(append([]string{setup(append(slices.Clone(use), clicks, more)...), into}, rest...)...)
	}
	acctest.RunFake(t,
		acctest.Apply(with(lasting)),
		acctest.Fails(with(lasting, `restart_trigger = "2"`), "set-up failed", "already exists", "catalog that outlives the session", "IF NOT EXISTS"),
		acctest.Change(with(strings.Replace(lasting, "CREATE TABLE", "CREATE TABLE IF NOT EXISTS", 1), `restart_trigger = "2"`), sqlAddress, plancheck.ResourceActionUpdate,
			acctest.Is(sqlAddress, "restored_from", knownvalue.NotNull())),
	)
}

func TestFlow_FlinkSqlJob_C70_ErrorsNameTheStatementAndItsLine(t *testing.T) {
	t.Parallel()
	w := newSQLWorld(t)
	for name, test := range map[string]struct {
		attributes []string
		want       []string
	}{
		"no pipeline":         {[]string{script(clicks)}, []string{"script", "has no pipeline"}},
		"two pipelines":       {[]string{script(clicks, sink, pipeline, pipeline)}, []string{"statement 4 (line 4)", "EXECUTE STATEMENT SET"}},
		"a query":             {[]string{statement("SELECT 1")}, []string{"query", "INSERT INTO"}},
		"a pipeline as setup": {[]string{setup(pipeline), statement(pipeline)}, []string{"starts a job"}},
		"a managed option":    {[]string{setup("SET 'pipeline.name' = 'x'"), statement(pipeline)}, []string{"pipeline.name cannot be set here", "Set name instead"}},
		"an internal one":     {[]string{script("SET '$internal.pipeline.job-id' = 'x'", pipeline)}, []string{"cannot be set here", "statement 1"}},
		"both":                {[]string{statement(pipeline), script(clicks, sink, pipeline)}, []string{"statement", "script"}},
		"an open quote":       {[]string{statement("INSERT INTO a SELECT 'x")}, []string{"line 1"}},
		"no such table":       {[]string{setup(clicks), statement(pipeline)}, []string{"pipeline was refused", "statement 2", "pages"}},
		"no such table, line": {[]string{script(clicks, pipeline)}, []string{"pipeline was refused", "statement 2 (line 2)"}},
		"no such connector":   {[]string{script(clicks, strings.Replace(sink, "print", "kafkaa", 1), pipeline)}, []string{"statement 3 (line 3)", "kafkaa"}},
		"a bad setting":       {[]string{script("SET 'parallelism.default' = 'abc'", clicks, sink, pipeline)}, []string{"set-up failed", "statement 1 (line 1)", "parallelism.default"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			acctest.RunFake(t, acctest.Fails(w.sql(test.attributes...), insensitive(test.want)...))
		})
	}
}

// insensitive leaves the first letters out, which a sentence has in capitals.
func insensitive(words []string) []string {
	out := make([]string, 0, len(words))
	for _, word := range words {
		out = append(out, strings.TrimPrefix(word, "s"))
	}
	return out
}

func TestFlow_FlinkSqlJob_ValidateAsksTheGatewayAtPlan(t *testing.T) {
	t.Parallel()
	w := newSQLWorld(t)
	good, bad := w.sql(setup(clicks, sink), statement(pipeline), "validate = true"), w.sql(setup(clicks, sink), statement("INSERT INTO pages SELECT id FROM clickz"), "validate = true")
	explains := func() int {
		n := 0
		for _, request := range w.gateway.Requests() {
			if strings.Contains(string(request.Body), "EXPLAIN") {
				n++
			}
		}
		return n
	}
	failed := acctest.Fails(bad, "validate", "clickz")
	failed.PlanOnly = true
	acctest.RunFake(t,
		failed,
		acctest.Apply(good),
		resource.TestStep{PreConfig: w.gateway.Forget, Config: good, ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}}},
		acctest.Noop(good),
		acctest.Change(w.sql(setup(clicks, sink), statement(pipeline)), sqlAddress, plancheck.ResourceActionUpdate, acctest.Is(sqlAddress, "deployment.generation", knownvalue.Int64Exact(1))),
	)
	if n := explains(); n != 0 {
		t.Errorf("what had not changed was explained %d times", n)
	}
	if n := w.gateway.Sessions(); n != 0 {
		t.Errorf("%d sessions are left open", n)
	}
}

func TestFlow_FlinkSqlJob_C68_ASessionThatIsGoneIsMadeAgain(t *testing.T) {
	t.Parallel()
	w := newSQLWorld(t)
	base := []string{setup(clicks, sink), statement(pipeline)}
	acctest.RunFake(t,
		acctest.Apply(w.sql(base...)),
		resource.TestStep{PreConfig: w.gateway.Restart, Config: w.sql(base...), ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}}},
		acctest.Change(w.sql(append(base, `restart_trigger = "2"`)...), sqlAddress, plancheck.ResourceActionUpdate, acctest.Is(sqlAddress, "restored_from", knownvalue.NotNull())),
	)
}

// TestFlow_FlinkSqlJob_C68_ASessionThatIsLostBeforeThePipelineIsPreparedAgain
// restarts the gateway between the set-up and the pipeline: at a create, and at
// an upgrade, when the earlier job stands still already.
func TestFlow_FlinkSqlJob_C68_ASessionThatIsLostBeforeThePipelineIsPreparedAgain(t *testing.T) {
	t.Parallel()
	w := newSQLWorld(t)
	var pipelines, lost atomic.Int32
	front := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/statements") {
			body, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(body))
			if bytes.Contains(body, []byte("INSERT INTO")) {
				if pipelines.Add(1)%2 == 1 {
					lost.Add(1)
					w.gateway.Restart()
				}
			}
		}
		w.gateway.ServeHTTP(rw, r)
	}))
	t.Cleanup(front.Close)
	config := func(attributes ...string) string {
		return strings.ReplaceAll(w.sql(append([]string{setup(clicks, sink), statement(pipeline)}, attributes...)...), w.gateway.URL(), front.URL)
	}
	acctest.RunFake(t,
		acctest.Apply(config(), acctest.Outside(func() error { _, err := w.only(); return err })),
		acctest.Change(config(`restart_trigger = "2"`), sqlAddress, plancheck.ResourceActionUpdate,
			acctest.Is(sqlAddress, "restored_from", knownvalue.NotNull()), acctest.Is(sqlAddress, "deployment.generation", knownvalue.Int64Exact(2))),
	)
	if pipelines.Load() != 4 || lost.Load() != 2 {
		t.Errorf("the pipeline was sent %d times and its session lost %d times, not 4 and 2 times", pipelines.Load(), lost.Load())
	}
	if n := len(w.Jobs()); n != 2 {
		t.Errorf("%d jobs were started, not one and its next generation", n)
	}
}

func TestFlow_FlinkSqlJob_ALostAnswerNeverStartsTwoJobs(t *testing.T) {
	t.Parallel()
	for _, kind := range []fault.Kind{fault.LostAnswer, fault.ProxyErrorApplied} {
		t.Run(fmt.Sprint(kind), func(t *testing.T) {
			t.Parallel()
			w := newSQLWorld(t)
			config := w.sql(setup(clicks, sink), statement(pipeline))
			// The third statement is the pipeline.
			w.gateway.Inject(fault.Fault{Kind: kind, Method: http.MethodPost, Path: regexp.MustCompile("/statements$"), Nth: 3})
			acctest.RunFake(t, acctest.Apply(config, acctest.Outside(func() error { _, err := w.only(); return err })), acctest.Noop(config))
			if n := len(w.Jobs()); n != 1 {
				t.Errorf("%d jobs were started", n)
			}
		})
	}
}

func TestFlow_FlinkSqlJob_AFunctionOfTheBundleIsFoundWhereTheGatewaySeesTheUploads(t *testing.T) {
	t.Parallel()
	function := "CREATE FUNCTION enrich AS 'enrich.f' LANGUAGE PYTHON"
	call := statement("INSERT INTO pages SELECT enrich(id) FROM clicks")
	bundle := "resource \"streaming_python_bundle\" \"udfs\" {\n  name  = \"udfs\"\n  files = { \"enrich.py\" = \"# 1\" }\n}\n"
	with := func(w *sqlWorld) string {
		return w.sql(setup(clicks, sink, function), call, "bundle = { id = "+bundleAddress+".id, sha256 = "+bundleAddress+".sha256 }") + bundle
	}
	t.Run("on the same host", func(t *testing.T) {
		t.Parallel()
		w := newSQLWorld(t)
		acctest.RunFake(t, acctest.Apply(with(w)), acctest.Noop(with(w)),
			// The upload comes back under another id, and nothing else changes, also where something depends on job_id.
			resource.TestStep{
				PreConfig: func() {
					for _, jar := range w.Jars() {
						if strings.HasPrefix(jar.Name, "udfs-") {
							if err := w.outsider(t).DeleteJar(t.Context(), jar.ID); err != nil {
								t.Fatal(err)
							}
						}
					}
				},
				Config: with(w) + "resource \"terraform_data\" \"dependent\" {\n  input = " + sqlAddress + ".job_id\n}\n",
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					plancheck.ExpectResourceAction(bundleAddress, plancheck.ResourceActionCreate),
					plancheck.ExpectResourceAction(sqlAddress, plancheck.ResourceActionNoop),
					plancheck.ExpectKnownValue("terraform_data.dependent", acctest.At("input"), knownvalue.NotNull()),
				}},
			})
	})
	t.Run("elsewhere", func(t *testing.T) {
		t.Parallel()
		w := newSQLWorld(t, gatewayfake.OwnFiles())
		acctest.RunFake(t, acctest.Fails(with(w), "does not see the JobManager's uploads", "upload directory"))
	})
}

func TestFlow_FlinkSqlJob_WithoutAGatewayNothingElseFails(t *testing.T) {
	t.Parallel()
	w := newSQLWorld(t)
	with := w.sql(setup(clicks, sink), statement(pipeline))
	without := strings.Replace(with, fmt.Sprintf(", sql_gateway_endpoint = %q", w.gateway.URL()), "", 1)
	acctest.RunFake(t,
		acctest.Fails(without, "No SQL gateway is configured", "STREAMING_SQL_GATEWAY_ENDPOINT"),
		acctest.Apply(with),
		// A refresh, a plan and a stop need the JobManager alone.
		acctest.Noop(without),
		acctest.Noop(with),
	)
}
