// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package conformance

import (
	"context"
	"net/http"
	"path"
	"strings"
)

const unknownID = "00112233445566778899aabbccddeeff"

func flinkClusterExchanges() []Exchange {
	return []Exchange{
		onFlink("the cluster tells its version, slots and configuration", func(ctx context.Context, f flink) {
			f.Call(ctx, Call{Method: "GET", Route: "/config", Want: 200, Keep: []string{"$.flink-version", "$.features.web-submit", "$.features.web-rescale", "$.features.web-cancel"}})
			f.get(ctx, 200, "/overview")
			f.get(ctx, 200, "/jobmanager/config")
			f.get(ctx, 200, "/taskmanagers")
			f.Call(ctx, Call{Method: "GET", Route: "/v1/config", Want: 200})
		}),
		onFlink("an unknown route is 404", func(ctx context.Context, f flink) {
			f.get(ctx, 404, "/no-such-route")
			f.post(ctx, 404, "/no-such-route", fields{})
			f.Call(ctx, Call{Method: "DELETE", Route: "/jobs/{job}", Args: []string{unknownID}, Want: 404})
		}),
		onFlink("an unknown job is 404 or 500, by route", func(ctx context.Context, f flink) {
			for _, route := range []string{"", "/config", "/checkpoints", "/checkpoints/config", "/exceptions", "/execution-result"} {
				f.get(ctx, 404, "/jobs/{job}"+route, unknownID)
			}
			f.get(ctx, 500, "/jobs/{job}/status", unknownID)
			f.get(ctx, 500, "/jobs/{job}/resource-requirements", unknownID)
			f.get(ctx, 200, "/jobs/{job}/jobmanager/config", unknownID)
			f.get(ctx, 404, savepointPoll, unknownID, unknownID)
			f.get(ctx, 404, "/jobs/{job}/checkpoints/{trigger}", unknownID, unknownID)
			f.get(ctx, 404, "/savepoint-disposal/{trigger}", unknownID)
		}),
		onFlink("cancel of an unknown job is 404, whatever the mode", func(ctx context.Context, f flink) {
			cancel := func(want int, mode string) {
				c := Call{Method: "PATCH", Route: "/jobs/{job}", Args: []string{unknownID}, Want: want}
				if mode != "" {
					c.Query = map[string][]string{"mode": {mode}}
				}
				f.Call(ctx, c)
			}
			cancel(404, "")
			cancel(404, "cancel")
			cancel(308, "stop")
			cancel(400, "xx")
		}),
		onFlink("a malformed id is 400", func(ctx context.Context, f flink) {
			f.get(ctx, 400, "/jobs/{job}", "xyz")
			f.get(ctx, 400, "/jobs/{job}", unknownID+"00")
			f.get(ctx, 400, "/jobs/{job}/config", "xyz")
			f.get(ctx, 400, savepointPoll, unknownID, "xyz")
			f.Call(ctx, Call{Method: "PATCH", Route: "/jobs/{job}", Args: []string{"xyz"}, Want: 400})
			f.post(ctx, 400, "/jobs/{job}/stop", fields{}, "xyz")
		}),
		onFlink("an id in upper case is the same id", func(ctx context.Context, f flink) {
			f.get(ctx, 404, "/jobs/{job}", strings.ToUpper(unknownID))
		}),
		onFlink("rescaling is switched off", func(ctx context.Context, f flink) {
			f.Call(ctx, Call{Method: "PATCH", Route: "/jobs/{job}/rescaling", Args: []string{unknownID}, Want: 503})
		}),
	}
}

func flinkJarExchanges() []Exchange {
	jar := func(f flink) part { return part{field: "jarfile", file: "conformance.jar", data: f.content} }
	return []Exchange{
		onFlink("an upload is listed until it is deleted", func(ctx context.Context, f flink) {
			id := path.Base(f.upload(ctx, 200, jar(f)).Str("filename"))
			found := f.listed(ctx, id)
			f.Effect("name", found["name"])
			f.Effect("entry", found["entry"])
			f.Call(ctx, Call{Method: "DELETE", Route: "/jars/{jar}", Args: []string{id}, Want: 200})
			f.Effect("listed", f.listed(ctx, id) != nil)
			f.Call(ctx, Call{Method: "DELETE", Route: "/jars/{jar}", Args: []string{id}, Want: 400})
		}),
		onFlink("the same file twice is two uploads, in any field", func(ctx context.Context, f flink) {
			a := f.upload(ctx, 200, jar(f)).Str("filename")
			b := f.upload(ctx, 200, part{field: "whatever", file: "conformance.jar", data: f.content}).Str("filename")
			f.Effect("same id", a == b)
		}),
		onFlink("an upload is judged by its name", func(ctx context.Context, f flink) {
			for _, name := range []string{"a.zip", "a.py", "a.JAR", "a.jar.zip"} {
				f.upload(ctx, 400, part{field: "jarfile", file: name, data: f.content})
			}
			id := path.Base(f.upload(ctx, 200, part{field: "jarfile", file: "../../evil.jar", data: f.content}).Str("filename"))
			f.Effect("name", f.listed(ctx, id)["name"])
		}),
		onFlink("an upload is one file", func(ctx context.Context, f flink) {
			f.upload(ctx, 400)
			f.upload(ctx, 400, jar(f), part{field: "second", file: "second.jar", data: f.content})
			// Two of one name are one file.
			f.upload(ctx, 200, jar(f), part{field: "second", file: "conformance.jar", data: f.content})
			f.upload(ctx, 400, part{field: "x", data: []byte("1")})
			f.post(ctx, 400, "/jars/upload", fields{})
		}),
		onFlink("garbage is taken as a jar and fails to run", func(ctx context.Context, f flink) {
			for name, data := range map[string]string{"garbage.jar": "no zip at all"} {
				id := path.Base(f.upload(ctx, 200, part{field: "jarfile", file: name, data: []byte(data)}).Str("filename"))
				f.Effect("entry", f.listed(ctx, id)["entry"])
				f.post(ctx, 500, "/jars/{jar}/run", fields{}, id)
				f.post(ctx, 500, "/jars/{jar}/plan", fields{}, id)
			}
		}),
		onFlink("a missing jar is 400 or 500, by route", func(ctx context.Context, f flink) {
			f.Call(ctx, Call{Method: "DELETE", Route: "/jars/{jar}", Args: []string{"no.jar"}, Want: 400})
			f.post(ctx, 500, "/jars/{jar}/run", fields{}, "no.jar")
			f.post(ctx, 500, "/jars/{jar}/plan", fields{}, "no.jar")
			f.get(ctx, 500, "/jars/{jar}/plan", "no.jar")
		}),
		onFlink("deleting a jar leaves its job alone", func(ctx context.Context, f flink) {
			id := path.Base(f.upload(ctx, 200, jar(f)).Str("filename"))
			r := f.post(ctx, 200, "/jars/{jar}/run", fields{"programArgsList": args()}, id)
			f.cancelLater(r.Str("jobid"))
			f.running(ctx, r.Str("jobid"))
			f.Call(ctx, Call{Method: "DELETE", Route: "/jars/{jar}", Args: []string{id}, Want: 200})
			f.Effect("state", f.stateNow(ctx, r.Str("jobid")))
		}),
		onFlink("a plan starts nothing", func(ctx context.Context, f flink) {
			plan := func(want int, body fields) Response {
				return f.Call(ctx, Call{
					Method: "POST", Route: "/jars/{jar}/plan", Args: []string{f.jar}, Body: body, Want: want, Keep: []string{"$.plan.name", "$.plan.type"},
				})
			}
			r := plan(200, fields{"jobId": unknownID, "programArgsList": args("--name", "planned")})
			f.Effect("job", f.job(ctx, r.Str("plan", "jid")).Status)
			f.Call(ctx, Call{
				Method: "GET", Route: "/jars/{jar}/plan", Args: []string{f.jar}, Want: 200, Keep: []string{"$.plan.name"},
				Query: map[string][]string{"programArg": {"--plain,--name,by query"}, "entry-class": {"streaming.jobs.Counter"}},
			})
			plan(200, fields{"entryClass": "streaming.jobs.TwoExecutes"})
			plan(500, fields{"entryClass": "streaming.jobs.FailingMain"})
			plan(500, fields{"entryClass": "streaming.jobs.NoExecute"})
			plan(500, fields{"entryClass": "no.such.Class"})
			plan(400, fields{"jobId": "xyz"})
		}),
	}
}

func sendRaw(ctx context.Context, f flink, want int, body string) {
	f.Call(ctx, Call{Method: http.MethodPost, Route: "/jars/{jar}/run", Args: []string{f.jar}, Body: body, Want: want})
}

func flinkRunExchanges() []Exchange {
	return []Exchange{
		onFlink("a body that is no request is 400", func(ctx context.Context, f flink) {
			for _, body := range []string{
				`not json`, `[]`, `{"jobId":"xx"}`, `{"jobId":"` + unknownID + `00"}`, `{"claimMode":"FOO"}`, `{"restoreMode":"FOO"}`,
				`{"flinkConfiguration":{"a":{"b":1}}}`, `{"flinkConfiguration":"x"}`, `{"programArgsList":"x"}`, `{"parallelism":"x"}`,
				`{"allowNonRestoredState":"perhaps"}`, `{"savepointPath":{}}`,
			} {
				sendRaw(ctx, f, 400, body)
			}
			sendRaw(ctx, f, 500, `{"flinkConfiguration":{"a":null}}`)
		}),
		onFlink("a program that cannot be started", func(ctx context.Context, f flink) {
			f.run(ctx, 500, fields{"entryClass": "no.such.Class"})
			f.run(ctx, 400, fields{"entryClass": "streaming.jobs.FailingMain"})
			f.run(ctx, 400, fields{"entryClass": "streaming.jobs.NoExecute"})
			f.run(ctx, 400, fields{"programArgsList": []string{"--rate", "x"}})
			f.run(ctx, 400, fields{"parallelism": 0})
			f.run(ctx, 400, fields{"parallelism": -2})
			id := newID()
			f.run(ctx, 400, fields{"jobId": id, "entryClass": "streaming.jobs.FailingMain"})
			f.Effect("job", f.job(ctx, id).Status)
			f.run(ctx, 200, fields{"jobId": id, "programArgsList": args()})
		}),
		onFlink("a configuration that main trips over", func(ctx context.Context, f flink) {
			bad := func(want int, key, value string) {
				id := newID()
				f.run(ctx, want, fields{"jobId": id, "programArgsList": args(), "flinkConfiguration": fields{key: value}})
				f.Effect("job", f.job(ctx, id).Status)
			}
			bad(500, "parallelism.default", "abc")
			bad(400, checkpointing, "abc")
			bad(400, "pipeline.max-parallelism", "abc")
			bad(400, "pipeline.global-job-parameters", "a")
			bad(400, "pipeline.global-job-parameters", "a:b:c")
			bad(400, "pipeline.global-job-parameters", "'a':'b'")
			bad(400, "pipeline.global-job-parameters", "'a")
			bad(400, "pipeline.global-job-parameters", "a:")
			bad(400, "pipeline.global-job-parameters", "a:b,a:c")
		}),
		onFlink("global job parameters in every form", func(ctx context.Context, f flink) {
			for _, text := range []string{
				"terraform.owner:x,terraform.spec:y", `{"k": "v: \"w\", é", "n": "1"}`, `'k:''a:b,c''','l:''it''''s'''`, "k:'v'", "k: ' v '",
				"password:x,a.token:y,b:z", "{a: 'it''s', b: plain, \"c\": \"d\"}", "k:''", "k: v , l : m", "",
			} {
				f.during(ctx, fields{"flinkConfiguration": fields{"pipeline.global-job-parameters": text}}, func(id string) {
					r := f.Call(ctx, Call{
						Method: "GET", Route: "/jobs/{job}/config", Args: []string{id}, Want: 200, Ignore: []string{"$.execution-config.user-config"},
					})
					f.Effect(text, r.At("execution-config", "user-config"))
				})
			}
		}),
		onFlink("code that sets the global job parameters drops the configured ones", func(ctx context.Context, f flink) {
			id := f.start(ctx, fields{
				"programArgsList": []string{"--rate", "50", "--label", "x"}, "flinkConfiguration": fields{"pipeline.global-job-parameters": "a:b"},
			})
			f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}/config", Args: []string{id}, Want: 200, Keep: []string{
				"$.execution-config.user-config.rate", "$.execution-config.user-config.label",
			}})
		}),
		onFlink("name and parallelism by code, request and configuration", func(ctx context.Context, f flink) {
			seen := func(body fields) {
				f.during(ctx, body, func(id string) {
					r := f.job(ctx, id)
					f.Effect("name", r.Str("name"))
					f.Effect("maxParallelism", r.At("maxParallelism"))
					f.Effect("vertices", []any{
						r.At("vertices", 0, "name"), r.At("vertices", 0, "parallelism"), r.At("vertices", 0, "maxParallelism"),
						r.At("vertices", 1, "name"), r.At("vertices", 1, "parallelism"), r.At("vertices", 1, "maxParallelism"),
					})
					c := f.Aux(ctx, Call{Method: "GET", Route: "/jobs/{job}/config", Args: []string{id}})
					f.Effect("config", c.At("execution-config"))
				})
			}
			seen(fields{"flinkConfiguration": fields{"pipeline.name": "configured", "parallelism.default": "2", "pipeline.object-reuse": "true"}})
			seen(fields{
				"parallelism": 1, "programArgsList": args("--name", "coded"),
				"flinkConfiguration": fields{"pipeline.name": "configured", "parallelism.default": "2", "pipeline.max-parallelism": "8"},
			})
		}),
		onFlink("unknown fields and keys are ignored, scalars coerced", func(ctx context.Context, f flink) {
			r := f.run(ctx, 200, fields{
				"parallelism": "2", "noSuchField": fields{"x": 1}, "programArgsList": args("--name", "kept"),
				"flinkConfiguration": fields{"no.such.key": 2, "rest.port": "1", "jobmanager.scheduler": "Adaptive"},
			})
			f.running(ctx, r.Str("jobid"))
			f.Call(ctx, Call{
				Method: "GET", Route: "/jobs/{job}", Args: []string{r.Str("jobid")}, Want: 200,
				Keep: []string{"$.name", "$.schedulerType", "$.state", "$.isStoppable", "$.job-type", "$.vertices[].status"},
			})
		}),
		onFlink("an empty body runs the jar with nothing", func(ctx context.Context, f flink) {
			r := f.post(ctx, 200, "/jars/{jar}/run", nil, f.jar)
			f.cancelLater(r.Str("jobid"))
			f.Effect("name", f.job(ctx, r.Str("jobid")).Str("name"))
		}),
		onFlink("query parameters work beside a body", func(ctx context.Context, f flink) {
			r := f.Call(ctx, Call{
				Method: "POST", Route: "/jars/{jar}/run", Args: []string{f.jar}, Body: fields{}, Want: 200,
				Query: map[string][]string{"programArg": {"--plain,--name,queried"}, "parallelism": {"2"}},
			})
			f.cancelLater(r.Str("jobid"))
			f.running(ctx, r.Str("jobid"))
			f.Effect("name", f.job(ctx, r.Str("jobid")).Str("name"))
			f.Effect("parallelism", f.job(ctx, r.Str("jobid")).At("vertices", 1, "parallelism"))
		}),
		onFlink("restart strategies in words", func(ctx context.Context, f flink) {
			for _, conf := range []fields{
				{"restart-strategy.type": "none"},
				{"restart-strategy.type": "fixed-delay", "restart-strategy.fixed-delay.attempts": "3", "restart-strategy.fixed-delay.delay": "2 s"},
				{"restart-strategy.type": "exponential-delay"},
				{"restart-strategy.type": "failure-rate"},
				{checkpointing: "1 s"},
			} {
				f.during(ctx, fields{"flinkConfiguration": conf}, func(id string) {
					f.Call(ctx, Call{
						Method: "GET", Route: "/jobs/{job}/config", Args: []string{id}, Want: 200, Keep: []string{"$.execution-config.restart-strategy"},
					})
				})
			}
		}),
	}
}
