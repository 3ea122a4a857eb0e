// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package conformance

import (
	"context"
	"net/http"
	"slices"
)

const (
	aSource = "CREATE TABLE src (id BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '5')"
	aSink   = "CREATE TABLE snk (id BIGINT) WITH ('connector' = 'blackhole')"
	anJob   = "INSERT INTO snk SELECT id FROM src"

	jobIDKey      = "$internal.pipeline.job-id"
	unknownHandle = "00000000-0000-0000-0000-000000000000"
)

func gatewayExchanges() []Exchange {
	return slices.Concat(gatewaySessionExchanges(), gatewayStatementExchanges(), gatewayJobExchanges())
}

func gatewaySessionExchanges() []Exchange {
	return []Exchange{
		onGateway("what the gateway is", func(ctx context.Context, g gateway) {
			for _, route := range []string{"/info", "/v2/info", "/v4/info"} {
				g.Call(ctx, Call{Method: http.MethodGet, Route: route, Want: http.StatusOK, Keep: []string{"$.productName", "$.version"}})
			}
			g.Call(ctx, Call{Method: http.MethodGet, Route: "/api_versions", Want: http.StatusOK, Keep: []string{"$.versions", "$.versions[]"}})
			g.Call(ctx, Call{Method: http.MethodGet, Route: "/v5/info", Want: http.StatusNotFound})
			g.Call(ctx, Call{Method: http.MethodGet, Route: "/nope", Want: http.StatusNotFound})
		}),
		onGateway("a session", func(ctx context.Context, g gateway) {
			r := g.Call(ctx, Call{
				Method: http.MethodPost, Route: "/v2/sessions", Want: http.StatusOK,
				Body: fields{"sessionName": "x", "properties": fields{"k": "v"}, "unknown": 1},
			})
			session := []string{r.Str("sessionHandle")}
			r = g.Aux(ctx, Call{Method: http.MethodGet, Route: "/v4/sessions/{session}", Args: session})
			g.Effect("the session's property", r.Str("properties", "k"))
			g.Call(ctx, Call{Method: http.MethodPost, Route: "/v2/sessions/{session}/heartbeat", Args: session, Want: http.StatusOK})
			g.Call(ctx, Call{Method: http.MethodDelete, Route: "/v2/sessions/{session}", Args: session, Want: http.StatusOK, Keep: []string{"$.status"}})
			g.Call(ctx, Call{Method: http.MethodDelete, Route: "/v2/sessions/{session}", Args: session, Want: http.StatusInternalServerError})
		}),
		onGateway("a session that is not known", func(ctx context.Context, g gateway) {
			for _, c := range []Call{
				{Method: http.MethodGet, Route: "/v4/sessions/{session}"},
				{Method: http.MethodPost, Route: "/v4/sessions/{session}/heartbeat"},
				{Method: http.MethodPost, Route: "/v4/sessions/{session}/statements", Body: fields{"statement": "SET"}},
				{Method: http.MethodGet, Route: operations + "/status"},
				{Method: http.MethodGet, Route: operations + "/result/0"},
			} {
				c.Args, c.Want = []string{unknownHandle, unknownHandle}, http.StatusInternalServerError
				g.Call(ctx, c)
			}
			g.Call(ctx, Call{Method: http.MethodGet, Route: "/v4/sessions/{session}", Args: []string{"nope"}, Want: http.StatusBadRequest})
		}),
		onGateway("an operation and its pages", func(ctx context.Context, g gateway) {
			id := g.begin(ctx, aSource, nil)
			page := func(want int, token string) {
				g.Call(ctx, Call{
					Method: http.MethodGet, Route: operations + "/result/{token}", Args: []string{g.id, id, token}, Want: want,
					Keep: []string{"$.resultType", "$.results.data"}, Ignore: []string{"$.results.columns[].logicalType"},
				})
			}
			page(http.StatusOK, "0")
			page(http.StatusOK, "0")
			page(http.StatusOK, "1")
			page(http.StatusOK, "0")
			page(http.StatusInternalServerError, "2")
			page(http.StatusBadRequest, "x")
			g.Call(ctx, Call{Method: http.MethodPost, Route: operations + "/cancel", Args: []string{g.id, id}, Want: http.StatusInternalServerError})
			for range 2 {
				g.Call(ctx, Call{Method: http.MethodDelete, Route: operations + "/close", Args: []string{g.id, id}, Want: http.StatusOK, Keep: []string{"$.status"}})
			}
			g.Call(ctx, Call{Method: http.MethodGet, Route: operations + "/status", Args: []string{g.id, id}, Want: http.StatusInternalServerError})
			page(http.StatusInternalServerError, "0")
		}),
		onGateway("a statement of another form", func(ctx context.Context, g gateway) {
			submit := func(want int, body fields) {
				g.Call(ctx, Call{Method: http.MethodPost, Route: "/v4/sessions/{session}/statements", Args: []string{g.id}, Body: body, Want: want})
			}
			submit(http.StatusOK, fields{"statement": "SET", "unknown": 1})
			submit(http.StatusOK, fields{"statement": "SET", "executionConfig": fields{"a": 2, "b": true}})
			submit(http.StatusBadRequest, fields{"statement": "SET", "executionConfig": fields{"a": fields{}}})
			submit(http.StatusInternalServerError, fields{"statement": "SET", "executionConfig": fields{"a": nil}})
			submit(http.StatusInternalServerError, fields{"statement": "SET", "executionTimeout": 1})
		}),
	}
}

func gatewayStatementExchanges() []Exchange {
	refused := func(name string, before []string, sql ...string) Exchange {
		return onGateway(name, func(ctx context.Context, g gateway) {
			g.fine(ctx, before...)
			for _, one := range sql {
				g.run(ctx, http.StatusInternalServerError, one, nil)
			}
		})
	}
	tables := []string{aSource, aSink}
	return []Exchange{
		onGateway("statements that define", func(ctx context.Context, g gateway) {
			for _, sql := range []string{
				aSource, "CREATE TABLE IF NOT EXISTS src (x INT) WITH ('connector' = 'print')", "CREATE VIEW v AS SELECT * FROM src",
				"CREATE TEMPORARY TABLE src (x INT) WITH ('connector' = 'print');", "DROP TEMPORARY TABLE src", "DROP TABLE src", "DROP TABLE IF EXISTS src", "-- a comment\nUSE CATALOG default_catalog",
				"CREATE TABLE odd (x INT) WITH ('connector' = 'not-there')", "CREATE FUNCTION f AS 'x.Y'", "CREATE TEMPORARY FUNCTION p AS 'x.y' LANGUAGE PYTHON",
				"SET 'k' = 'v'", "RESET 'k'", "RESET",
			} {
				g.run(ctx, http.StatusOK, sql, nil)
			}
		}),
		refused("no statement, and two", nil, "", ";", "-- a comment", "SET 'a' = 'b'; SET 'c' = 'd'", "SET 'a' = 'b", "SET 'k' = v"),
		onGateway("settings as the splitter reads them", func(ctx context.Context, g gateway) {
			g.fine(ctx, "SET 'k1' = 'it''s; x'", `SET 'k2' = '\'`, "SET k3 = hdfs://n/x", "SET k4 = a--b", "SET a=b=c", "SET 'k6' = ' x '",
				"SET 'k7' /* ; ' */ = 'v' // c", `SET "k8" = "v"`, "SET k9 = it's", "set k10='v w';", "SET 'k11' = 'x\n  y'")
			r := g.Aux(ctx, Call{Method: http.MethodGet, Route: "/v4/sessions/{session}", Args: []string{g.id}})
			for _, key := range []string{"k1", "k2", "k3", "k4", "a=b", "k6", "k7", `"k8"`, "k9", "k10", "k11"} {
				g.Effect(key, r.Str("properties", key))
			}
		}),
		refused("what cannot be split", nil, "USE `a", "USE a /* b", "SET 'a' = 'b' /* c /* d */ e */"),
		refused("a bad setting", nil, "SET 'parallelism.default' = 'abc'"),
		refused("what is there already",
			[]string{
				aSource, "CREATE TEMPORARY TABLE t (x INT) WITH ('connector' = 'print')", "CREATE DATABASE d", "CREATE FUNCTION f AS 'x.Y'",
				"CREATE TEMPORARY FUNCTION p AS 'x.y' LANGUAGE PYTHON", "CREATE CATALOG c WITH ('type' = 'generic_in_memory')",
			},
			aSource, "CREATE VIEW src AS SELECT 1", "CREATE TEMPORARY TABLE t (x INT) WITH ('connector' = 'print')", "CREATE DATABASE d", "CREATE FUNCTION f AS 'x.Y'",
			"CREATE TEMPORARY FUNCTION p AS 'x.y' LANGUAGE PYTHON", "CREATE CATALOG c WITH ('type' = 'generic_in_memory')"),
		refused("what is not there", tables,
			"DROP TABLE nope", "USE CATALOG nope", "ADD JAR '/nope.jar'", "CREATE TEMPORARY FUNCTION f AS 'x.Y'",
			"INSERT INTO nope SELECT id FROM src", "INSERT INTO snk SELECT id FROM nope", "EXPLAIN INSERT INTO snk SELECT id FROM nope", "HELP"),
		refused("a connector that is not there", []string{aSource, "CREATE TABLE odd (id BIGINT) WITH ('connector' = 'not-there', 'password' = 'x')"},
			"INSERT INTO odd SELECT id FROM src", "EXPLAIN INSERT INTO odd SELECT id FROM src"),
		onGateway("an explanation starts nothing", func(ctx context.Context, g gateway) {
			g.fine(ctx, tables...)
			g.run(ctx, http.StatusOK, "EXPLAIN "+anJob, nil)
			g.run(ctx, http.StatusOK, "EXPLAIN STATEMENT SET BEGIN "+anJob+"; END", nil)
		}),
		onGateway("tables end with their session", func(ctx context.Context, g gateway) {
			g.fine(ctx, tables...)
			other := g
			other.id = g.Aux(ctx, Call{Method: http.MethodPost, Route: "/v4/sessions", Body: "{}"}).Str("sessionHandle")
			other.run(ctx, http.StatusInternalServerError, anJob, nil)
			g.Aux(ctx, Call{Method: http.MethodDelete, Route: "/v4/sessions/{session}", Args: []string{other.id}})
		}),
	}
}

func gatewayJobExchanges() []Exchange {
	start := func(ctx context.Context, g gateway, sql string, config fields) string {
		id := newID()
		config[jobIDKey] = id
		g.cancelLater(id)
		r := g.run(ctx, http.StatusOK, sql, config)
		g.Effect("the job has the id that was asked for", r.Str("jobID") == id && r.At("results", "data", 0, "fields", 0) == id)
		return id
	}
	return []Exchange{
		onGateway("a pipeline starts a job", func(ctx context.Context, g gateway) {
			g.fine(ctx, aSource, aSink)
			id := start(ctx, g, anJob, fields{"pipeline.name": "named", "pipeline.global-job-parameters": "a:b", "parallelism.default": "1"})
			g.state(ctx, id, "RUNNING")
			r := g.job.Aux(ctx, Call{Method: http.MethodGet, Route: "/jobs/{job}/config", Args: []string{id}})
			g.Effect("its name", r.Str("name"))
			g.Effect("its global parameter", r.Str("execution-config", "user-config", "a"))
			g.run(ctx, http.StatusInternalServerError, anJob, fields{jobIDKey: id})
			g.Effect("after a second pipeline of that id it is", g.job.Aux(ctx, Call{Method: http.MethodGet, Route: "/jobs/{job}/status", Args: []string{id}}).Str("status"))
		}),
		onGateway("a statement set starts one job", func(ctx context.Context, g gateway) {
			g.fine(ctx, aSource, aSink, "CREATE TABLE snk2 (id BIGINT) WITH ('connector' = 'blackhole')")
			id := start(ctx, g, "EXECUTE STATEMENT SET BEGIN\n"+anJob+";\nINSERT INTO snk2 SELECT id FROM src;\nEND;", fields{})
			g.state(ctx, id, "RUNNING")
			r := g.job.Aux(ctx, Call{Method: http.MethodGet, Route: "/jobs/{job}/config", Args: []string{id}})
			g.Effect("its name", r.Str("name"))
			g.run(ctx, http.StatusInternalServerError, "EXECUTE STATEMENT SET BEGIN END", nil)
		}),
		onGateway("a pipeline that cannot start", func(ctx context.Context, g gateway) {
			g.fine(ctx, aSource, aSink)
			for _, config := range []fields{
				{"execution.state-recovery.path": "file:///nope/nope"}, {"restart-strategy.type": "bogus"},
			} {
				id := newID()
				config[jobIDKey] = id
				g.run(ctx, http.StatusInternalServerError, anJob, config)
				g.state(ctx, id, "FAILED")
			}
			for _, config := range []fields{
				{jobIDKey: "xx"}, {"execution.checkpointing.interval": "abc"}, {"parallelism.default": "abc"}, {"parallelism.default": "0"},
			} {
				g.run(ctx, http.StatusInternalServerError, anJob, config)
			}
		}),
		onGateway("a pipeline goes on from a savepoint", func(ctx context.Context, g gateway) {
			g.fine(ctx, aSource, aSink)
			first := start(ctx, g, anJob, fields{})
			path := g.stop(ctx, first)
			second := start(ctx, g, "INSERT INTO snk SELECT id FROM src WHERE id > 5", fields{"execution.state-recovery.path": path})
			g.state(ctx, second, "RUNNING")
			restored := ""
			g.Until(ctx, g.limit(), "the restore to show", func() bool {
				r := g.job.Aux(ctx, Call{Method: http.MethodGet, Route: "/jobs/{job}/checkpoints", Args: []string{second}})
				restored = r.Str("latest", "restored", "external_path")
				return restored != ""
			})
			g.Effect("it goes on from the savepoint", local(restored) == local(path))
		}),
		onGateway("another query goes on only if its state fits", func(ctx context.Context, g gateway) {
			g.fine(ctx, "CREATE TABLE src (id BIGINT, v INT) WITH ('connector' = 'datagen', 'rows-per-second' = '5', "+
				"'fields.id.kind' = 'sequence', 'fields.id.start' = '0', 'fields.id.end' = '10000', 'fields.v.min' = '0', 'fields.v.max' = '4')",
				"CREATE TABLE snk (v BIGINT, c BIGINT) WITH ('connector' = 'blackhole')")
			first := start(ctx, g, "INSERT INTO snk SELECT v, COUNT(*) FROM src WHERE id > 1 GROUP BY v", fields{})
			path := g.stop(ctx, first)
			from := func() fields {
				return fields{"execution.state-recovery.path": path, "execution.checkpointing.interval": "10 s"}
			}
			g.state(ctx, start(ctx, g, "INSERT INTO snk SELECT v, COUNT(*) * 2 FROM src WHERE id > 5 AND v < 3 GROUP BY v", from()), "RUNNING")
			g.state(ctx, start(ctx, g, "INSERT INTO snk SELECT v, COUNT(*) FROM src GROUP BY v", from()), "RUNNING")
			g.state(ctx, start(ctx, g, "INSERT INTO snk SELECT id, COUNT(*) FROM src WHERE id > 1 GROUP BY id", from()), "RESTARTING")
			g.state(ctx, start(ctx, g, "INSERT INTO snk SELECT v, COUNT(*) + MAX(id) FROM src WHERE id > 1 GROUP BY v", from()), "RESTARTING")
			for _, query := range []string{"SELECT v, COUNT(*) + MAX(id) FROM src GROUP BY v", "SELECT v, id FROM src WHERE id > 1"} {
				g.run(ctx, http.StatusInternalServerError, "INSERT INTO snk "+query, from())
			}
		}),
	}
}
