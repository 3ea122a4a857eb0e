// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package conformance

import (
	"context"
	"net/http"
	"strings"
	"time"
)

// bounds is what a client asks for one vertex.
func bounds(lower, upper any) fields {
	return fields{"parallelism": fields{"lowerBound": lower, "upperBound": upper}}
}

const requirements = "/jobs/{job}/resource-requirements"

// vertexIDs are those of the source and the counter.
func (f flink) vertexIDs(ctx context.Context, job string) (source, counter string) {
	f.T.Helper()
	r := f.job(ctx, job)
	source, counter = r.Str("vertices", 0, "id"), r.Str("vertices", 1, "id")
	if counter == "" {
		f.T.Fatalf("no vertices in %.500s", r.Body)
	}
	return source, counter
}

func (f flink) put(ctx context.Context, want int, job string, body any) {
	f.T.Helper()
	f.Call(ctx, Call{Method: http.MethodPut, Route: requirements, Args: []string{job}, Body: body, Want: want})
}

func flinkAdaptiveExchanges() []Exchange {
	return []Exchange{
		onFlink("the adaptive scheduler says so", func(ctx context.Context, f flink) {
			f.Call(ctx, Call{Method: "GET", Route: "/config", Want: 200, Keep: []string{"$.features.web-rescale"}})
			id := f.start(ctx, fields{})
			f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}", Args: []string{id}, Want: 200, Keep: []string{
				"$.schedulerType", "$.state", "$.vertices[].status", "$.maxParallelism",
			}})
			f.get(ctx, 200, requirements, id)
			f.get(ctx, 200, "/jobs/{job}/config", id)
			f.get(ctx, 200, "/jobs/{job}/checkpoints", id)
			f.get(ctx, 200, "/jobs/overview")
		}),
		onFlink("requirements that make no sense are 400", func(ctx context.Context, f flink) {
			id := f.start(ctx, fields{"parallelism": 2})
			source, counter := f.vertexIDs(ctx, id)
			f.put(ctx, 400, id, fields{})
			f.put(ctx, 400, id, fields{counter: bounds(1, 1)})
			f.put(ctx, 400, id, fields{source: bounds(1, 1), counter: bounds(1, 1), unknownID: bounds(1, 1)})
			f.put(ctx, 400, id, fields{source: bounds(1, 1), counter: bounds(1, 129)})
			f.put(ctx, 400, id, fields{source: bounds(1, 1), counter: bounds(3, 2)})
			f.put(ctx, 400, id, fields{source: bounds(1, 1), counter: bounds(0, 0)})
			f.put(ctx, 400, id, fields{source: bounds(1, 1), counter: bounds("x", 2)})
			f.put(ctx, 400, id, "not json")
			f.put(ctx, 500, unknownID, fields{source: bounds(1, 1)})
			f.get(ctx, 500, requirements, unknownID)
			f.put(ctx, 400, "xyz", fields{source: bounds(1, 1)})
		}),
		onFlink("a job is rescaled down in place", func(ctx context.Context, f flink) {
			id := f.start(ctx, fields{"parallelism": 3, "flinkConfiguration": fields{checkpointing: "200 ms"}})
			source, counter := f.vertexIDs(ctx, id)
			f.put(ctx, 200, id, fields{source: bounds(1, 1), counter: bounds(1, 2)})
			r := f.get(ctx, 200, requirements, id)
			f.Effect("asked for", r.At(counter))
			f.Until(ctx, 50*time.Second, "two tasks", func() bool {
				tasks, ok := f.entry(ctx, id)["tasks"].(fields)
				return ok && tasks["total"] == 3.0 && tasks["running"] == 3.0
			})
			f.pause(ctx, 3100*time.Millisecond)
			r = f.job(ctx, id)
			f.Effect("runs with", []any{r.At("vertices", 0, "parallelism"), r.At("vertices", 1, "parallelism"), r.Str("state")})
			c := f.Aux(ctx, Call{Method: "GET", Route: "/jobs/{job}/config", Args: []string{id}})
			f.Effect("job-parallelism", c.At("execution-config", "job-parallelism"))
		}),
		onFlink("a job on the adaptive scheduler stops and is restored", func(ctx context.Context, f flink) {
			location := f.stopped(ctx, f.start(ctx, fields{"parallelism": 2}))
			id := f.start(ctx, fields{"savepointPath": location, "parallelism": 1})
			f.Effect("state", f.stateNow(ctx, id))
		}),
		onFlink("on the adaptive scheduler a start may be accepted and fail later", func(ctx context.Context, f flink) {
			location := f.stopped(ctx, f.start(ctx, fields{}))
			for _, body := range []fields{
				{"savepointPath": "file:/no/such/path"},
				{"savepointPath": location, "programArgsList": args("--uid", "other")},
				{"savepointPath": location, "flinkConfiguration": fields{"pipeline.max-parallelism": "64"}},
				{"flinkConfiguration": fields{checkpointing: "1 s", "execution.checkpointing.dir": "file:/proc/x"}},
				{"flinkConfiguration": fields{checkpointing: "1 s", "execution.checkpointing.dir": "/tmp/no-scheme"}},
			} {
				if body["programArgsList"] == nil {
					body["programArgsList"] = args()
				}
				id := newID()
				body["jobId"] = id
				f.run(ctx, 200, body)
				f.state(ctx, id, "FAILED")
				f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}/exceptions", Args: []string{id}, Want: 200, Keep: []string{
					"$.exceptionHistory.entries", "$.exceptionHistory.entries[].exceptionName",
				}})
				r := f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}/execution-result", Args: []string{id}, Want: 200, Keep: []string{
					"$.job-execution-result.application-status", "$.job-execution-result.failure-cause.class",
				}})
				f.Effect("cause", strings.Join(errorLines(r.Str("job-execution-result", "failure-cause", "stack-trace")), " | "))
				f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}", Args: []string{id}, Want: 200, Keep: []string{"$.state", "$.schedulerType"}})
			}
		}),
		onFlink("on the adaptive scheduler too some starts are refused", func(ctx context.Context, f flink) {
			for _, body := range []fields{
				{"flinkConfiguration": fields{"restart-strategy.type": "bogus"}},
				{"parallelism": 3, "flinkConfiguration": fields{"pipeline.max-parallelism": "2"}},
			} {
				id := newID()
				body["jobId"], body["programArgsList"] = id, args()
				r := f.Aux(ctx, Call{Method: "POST", Route: "/jars/{jar}/run", Args: []string{f.jar}, Body: body})
				f.cancelLater(id)
				f.Effect("answer", r.Status)
				f.Effect("first error", strings.Join(errorLines(r.Str("errors", 0)), " | "))
				f.pause(ctx, time.Second)
				e := f.entry(ctx, id)
				f.Effect("state", e["state"])
				if tasks, ok := e["tasks"].(fields); ok {
					f.Effect("running tasks", tasks["running"])
				}
			}
		}),
		onFlink("a job that wants more slots than there are", func(ctx context.Context, f flink) {
			id := f.run(ctx, 200, fields{"jobId": newID(), "programArgsList": args(), "parallelism": 100}).Str("jobid")
			f.pause(ctx, time.Second)
			f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}", Args: []string{id}, Want: 200, Keep: []string{
				"$.state", "$.schedulerType", "$.vertices[].status", "$.vertices[].parallelism",
			}})
			r := f.post(ctx, 202, "/jobs/{job}/stop", fields{"targetDirectory": f.dir}, id)
			f.polled(ctx, savepointPoll, id, r.Str("request-id"))
			f.Call(ctx, Call{Method: "PATCH", Route: "/jobs/{job}", Args: []string{id}, Want: 202})
			f.state(ctx, id, "CANCELED")
		}),
		onFlink("a job that fails on the adaptive scheduler", func(ctx context.Context, f flink) {
			id := f.run(ctx, 200, fields{"jobId": newID(), "programArgsList": args("--fail-at", "3")}).Str("jobid")
			f.state(ctx, id, "FAILED")
			f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}/exceptions", Args: []string{id}, Want: 200, Keep: []string{
				"$.exceptionHistory.entries[].exceptionName",
			}})
		}),
	}
}
