// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package conformance

import (
	"context"
	"fmt"
	"strings"
	"time"
)

func flinkIdentityExchanges() []Exchange {
	return []Exchange{
		onFlink("an id is taken for good", func(ctx context.Context, f flink) {
			id := newID()
			r := f.run(ctx, 200, fields{"jobId": strings.ToUpper(id), "programArgsList": args()})
			f.Effect("id kept", r.Str("jobid") == id)
			f.run(ctx, 400, fields{"jobId": id, "programArgsList": args()})
			f.running(ctx, id)
			f.Effect("state", f.stateNow(ctx, id))
			f.Call(ctx, Call{Method: "PATCH", Route: "/jobs/{job}", Args: []string{id}, Query: map[string][]string{"mode": {"cancel"}}, Want: 202})
			f.state(ctx, id, "CANCELED")
			f.Call(ctx, Call{Method: "PATCH", Route: "/jobs/{job}", Args: []string{id}, Want: 202})
			f.run(ctx, 400, fields{"jobId": id, "programArgsList": args()})
			f.Effect("state", f.stateNow(ctx, id))
		}),
		onFlink("an id with one dash is mangled", func(ctx context.Context, f flink) {
			id := newID()
			// Each pair of digits is read as a number, and -3 is a number: fd. The last digit has no partner.
			r := f.run(ctx, 200, fields{"jobId": id[:8] + "-3" + id[9:], "programArgsList": args()})
			f.Effect("id", r.Str("jobid") == id[:8]+"fd"+id[9:31])
			f.run(ctx, 400, fields{"jobId": id[:7] + "-3" + id[9:], "programArgsList": args()})
		}),
		onFlink("an id by configuration", func(ctx context.Context, f flink) {
			id := newID()
			r := f.run(ctx, 200, fields{"programArgsList": args(), "flinkConfiguration": fields{"$internal.pipeline.job-id": id}})
			f.Effect("id kept", r.Str("jobid") == id)
		}),
		onFlink("two executes with an id", func(ctx context.Context, f flink) {
			id := newID()
			f.cancelLater(id)
			before := f.live(ctx)
			// The status is an effect here: versions differ in it.
			r := f.Aux(ctx, Call{
				Method: "POST", Route: "/jars/{jar}/run", Args: []string{f.jar}, Body: fields{"jobId": id, "entryClass": "streaming.jobs.TwoExecutes"},
			})
			f.Effect("status", r.Status)
			f.Effect("error", strings.Join(errorLines(r.Str("errors", 0)), " | "))
			f.Effect("state", f.stateNow(ctx, id))
			f.Effect("name", f.entry(ctx, id)["name"])
			for other, name := range f.live(ctx) {
				if _, old := before[other]; !old && other != id && name == "second" {
					f.cancelLater(other)
					f.Effect("another job", name)
				}
			}
		}),
		onFlink("two executes in one environment", func(ctx context.Context, f flink) {
			id := newID()
			f.cancelLater(id)
			r := f.run(ctx, 400, fields{"jobId": id, "entryClass": "streaming.jobs.TwoExecutes", "programArgsList": []string{"--one-environment"}})
			f.Effect("error", strings.Join(errorLines(r.Str("errors", 0)), " | "))
			f.Effect("state", f.stateNow(ctx, id))
			f.Effect("name", f.entry(ctx, id)["name"])
		}),
		onFlink("two executes without an id", func(ctx context.Context, f flink) {
			before := f.live(ctx)
			r := f.run(ctx, 200, fields{"entryClass": "streaming.jobs.TwoExecutes"})
			names := []string{}
			for id, name := range f.live(ctx) {
				if _, old := before[id]; !old && (name == "first" || name == "second") {
					f.cancelLater(id)
					names = append(names, name)
				}
			}
			f.Effect("jobs", len(names))
			f.Effect("answered with", f.job(ctx, r.Str("jobid")).Str("name"))
		}),
		onFlink("what fails in the master leaves a FAILED job", func(ctx context.Context, f flink) {
			failed := func(body fields) string {
				id := newID()
				body["jobId"], body["programArgsList"] = id, args()
				f.run(ctx, 400, body)
				f.Effect("state", f.stateNow(ctx, id))
				return id
			}
			id := failed(fields{"savepointPath": "file:/no/such/savepoint"})
			f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}", Args: []string{id}, Want: 200, Keep: []string{
				"$.state", "$.schedulerType", "$.vertices", "$.maxParallelism",
			}})
			f.get(ctx, 200, "/jobs/{job}/config", id)
			f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}/exceptions", Args: []string{id}, Want: 200, Keep: []string{
				"$.exceptionHistory.entries[].exceptionName", "$.exceptionHistory.truncated",
			}})
			f.get(ctx, 200, "/jobs/{job}/checkpoints", id)
			f.get(ctx, 200, "/jobs/{job}/checkpoints/config", id)
			f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}/execution-result", Args: []string{id}, Want: 200, Keep: []string{
				"$.status.id", "$.job-execution-result.application-status", "$.job-execution-result.failure-cause.class",
			}})
			f.get(ctx, 200, "/jobs/{job}/status", id)
			f.Call(ctx, Call{Method: "PATCH", Route: "/jobs/{job}", Args: []string{id}, Want: 409})
			f.run(ctx, 400, fields{"jobId": id, "programArgsList": args()})

			failed(fields{"flinkConfiguration": fields{"restart-strategy.type": "bogus"}})
			failed(fields{"parallelism": 3, "flinkConfiguration": fields{"pipeline.max-parallelism": "2"}})
			for _, dir := range []string{"/tmp/no-scheme", "s3://bucket/x", "file:/proc/x"} {
				failed(fields{"flinkConfiguration": fields{checkpointing: "1 s", "execution.checkpointing.dir": dir}})
			}
			failed(fields{"flinkConfiguration": fields{"execution.state-recovery.path": "file:/no/such/path"}})
			failed(fields{"savepointPath": "s3://bucket/x"})
			failed(fields{"savepointPath": f.dir[:strings.LastIndex(f.dir, "/")]})
		}),
	}
}

// live lists the jobs that have not ended, by id.
func (f flink) live(ctx context.Context) map[string]string {
	out := map[string]string{}
	r := f.Aux(ctx, Call{Method: "GET", Route: "/jobs/overview"})
	list, ok := r.At("jobs").([]any)
	if !ok {
		f.T.Fatalf("no jobs in %.500s", r.Body)
	}
	for _, e := range list {
		m, ok := e.(fields)
		if !ok || m["end-time"] != -1.0 {
			continue
		}
		out[fmt.Sprint(m["jid"])] = fmt.Sprint(m["name"])
	}
	return out
}

func flinkLifeExchanges() []Exchange {
	return []Exchange{
		onFlink("the views of a running job", func(ctx context.Context, f flink) {
			body := checkpointed()
			id := f.start(ctx, body)
			f.checkpoint(ctx, id, 0)
			f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}", Args: []string{id}, Want: 200, Keep: []string{"$.state", "$.end-time"}})
			f.get(ctx, 200, "/jobs/{job}/config", id)
			f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}/checkpoints/config", Args: []string{id}, Want: 200, Keep: []string{
				"$.mode", "$.interval", "$.timeout", "$.externalization.enabled", "$.externalization.delete_on_cancellation", "$.state_backend",
				"$.checkpoint_storage", "$.max_concurrent", "$.tolerable_failed_checkpoints",
			}})
			// A periodic checkpoint may be under way at any moment, and what is in the history depends on it.
			f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}/checkpoints", Args: []string{id}, Want: 200, Ignore: []string{"$.history"}})
			f.get(ctx, 200, "/jobs/{job}/exceptions", id)
			f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}/execution-result", Args: []string{id}, Want: 200, Keep: []string{"$.status.id"}})
			f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}/status", Args: []string{id}, Want: 200, Keep: []string{"$.status"}})
			f.get(ctx, 200, "/jobs/{job}/jobmanager/config", id)
			f.get(ctx, 200, "/jobs")
			f.get(ctx, 200, "/jobs/overview")
			f.get(ctx, 500, "/jobs/{job}/resource-requirements", id)
			f.Call(ctx, Call{Method: "PUT", Route: "/jobs/{job}/resource-requirements", Args: []string{id}, Body: fields{}, Want: 400})
		}),
		onFlink("checkpoints of a job that has none configured", func(ctx context.Context, f flink) {
			id := f.start(ctx, fields{})
			f.get(ctx, 200, "/jobs/{job}/checkpoints", id)
			f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}/checkpoints/config", Args: []string{id}, Want: 200, Keep: []string{
				"$.mode", "$.interval", "$.externalization.enabled", "$.externalization.delete_on_cancellation",
			}})
			r := f.post(ctx, 202, "/jobs/{job}/checkpoints", fields{"checkpointType": "FULL"}, id)
			f.polled(ctx, "/jobs/{job}/checkpoints/{trigger}", id, r.Str("request-id"))
		}),
		onFlink("a checkpoint on demand", func(ctx context.Context, f flink) {
			id := f.start(ctx, fields{"flinkConfiguration": fields{checkpointing: "1 h"}})
			trigger := newID()
			r := f.post(ctx, 202, "/jobs/{job}/checkpoints", fields{"checkpointType": "FULL", "triggerId": trigger}, id)
			f.Effect("id kept", r.Str("request-id") == trigger)
			f.polled(ctx, "/jobs/{job}/checkpoints/{trigger}", id, trigger)
			f.get(ctx, 404, savepointPoll, id, trigger)
			f.post(ctx, 400, "/jobs/{job}/checkpoints", fields{"checkpointType": "SOME"}, id)
		}),
		onFlink("a bounded job ends by itself", func(ctx context.Context, f flink) {
			r := f.run(ctx, 200, fields{"jobId": newID(), "programArgsList": args("--count", "20")})
			id := r.Str("jobid")
			f.state(ctx, id, "FINISHED")
			f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}", Args: []string{id}, Want: 200, Keep: []string{"$.state", "$.job-type", "$.vertices[].status"}})
			f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}/execution-result", Args: []string{id}, Want: 200, Keep: []string{
				"$.status.id", "$.job-execution-result.application-status",
			}})
			f.get(ctx, 200, "/jobs/{job}/checkpoints", id)
			f.Call(ctx, Call{Method: "PATCH", Route: "/jobs/{job}", Args: []string{id}, Want: 409})
		}),
		onFlink("a job that fails without a restart strategy", func(ctx context.Context, f flink) {
			id := f.run(ctx, 200, fields{"jobId": newID(), "programArgsList": args("--fail-at", "3")}).Str("jobid")
			f.state(ctx, id, "FAILED")
			f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}/exceptions", Args: []string{id}, Want: 200, Keep: []string{
				"$.exceptionHistory.entries[].exceptionName", "$.exceptionHistory.truncated",
			}})
			r := f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}/execution-result", Args: []string{id}, Want: 200, Keep: []string{
				"$.job-execution-result.application-status", "$.job-execution-result.failure-cause.class",
			}})
			f.Call(ctx, Call{Method: "PATCH", Route: "/jobs/{job}", Args: []string{id}, Want: 409})
			f.Effect("cause", errorLines(r.Str("job-execution-result", "failure-cause", "stack-trace")))
			f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}", Args: []string{id}, Want: 200, Keep: []string{"$.state"}})
		}),
		onFlink("a job that fails and restarts until its attempts are used up", func(ctx context.Context, f flink) {
			id := f.run(ctx, 200, fields{
				"jobId": newID(), "programArgsList": args("--fail-at", "3"), "flinkConfiguration": fields{
					"restart-strategy.type": "fixed-delay", "restart-strategy.fixed-delay.attempts": "2", "restart-strategy.fixed-delay.delay": "50 ms",
				},
			}).Str("jobid")
			f.state(ctx, id, "FAILED")
			r := f.get(ctx, 200, "/jobs/{job}/exceptions", id)
			list, _ := r.At("exceptionHistory", "entries").([]any)
			f.Effect("failures", len(list))
			f.Call(ctx, Call{
				Method: "GET", Route: "/jobs/{job}/exceptions", Args: []string{id}, Want: 200, Query: map[string][]string{"maxExceptions": {"1"}},
				Keep: []string{"$.exceptionHistory.entries", "$.exceptionHistory.truncated", "$.exceptionHistory.entries[].exceptionName"},
			})
			f.Call(ctx, Call{
				Method: "GET", Route: "/jobs/{job}/exceptions", Args: []string{id}, Want: 400, Query: map[string][]string{"maxExceptions": {"x"}},
			})
		}),
		onFlink("a job without slots fails", func(ctx context.Context, f flink) {
			id := f.run(ctx, 200, fields{"jobId": newID(), "programArgsList": args(), "parallelism": 100}).Str("jobid")
			f.state(ctx, id, "FAILED")
			f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}/exceptions", Args: []string{id}, Want: 200, Keep: []string{
				"$.exceptionHistory.entries[].exceptionName",
			}})
			r := f.Aux(ctx, Call{Method: "GET", Route: "/jobs/{job}/execution-result", Args: []string{id}})
			f.Effect("cause", lastClass(r.Str("job-execution-result", "failure-cause", "stack-trace")))
		}),
		onFlink("a job without slots restarts for ever with checkpoints", func(ctx context.Context, f flink) {
			id := f.run(ctx, 200, fields{
				"jobId": newID(), "programArgsList": args(), "parallelism": 100, "flinkConfiguration": fields{checkpointing: "1 s"},
			}).Str("jobid")
			f.state(ctx, id, "RESTARTING")
			r := f.post(ctx, 202, "/jobs/{job}/stop", fields{"targetDirectory": f.dir}, id)
			f.polled(ctx, savepointPoll, id, r.Str("request-id"))
			r = f.post(ctx, 202, "/jobs/{job}/savepoints", fields{"target-directory": f.dir}, id)
			f.polled(ctx, savepointPoll, id, r.Str("request-id"))
			f.Call(ctx, Call{Method: "PATCH", Route: "/jobs/{job}", Args: []string{id}, Want: 202})
			f.state(ctx, id, "CANCELED")
		}),
		onFlink("the views of a job lag behind", func(ctx context.Context, f flink) {
			id := f.start(ctx, fields{})
			f.Effect("first seen", f.job(ctx, id).Str("state"))
			f.Call(ctx, Call{Method: "PATCH", Route: "/jobs/{job}", Args: []string{id}, Want: 202})
			f.state(ctx, id, "CANCELED")
			f.Effect("GET job", f.job(ctx, id).Str("state"))
			f.Effect("its vertices", f.job(ctx, id).Str("vertices", 0, "status"))
			f.Effect("its status", f.Aux(ctx, Call{Method: "GET", Route: "/jobs/{job}/status", Args: []string{id}}).Str("status"))
			f.Effect("its result", f.Aux(ctx, Call{Method: "GET", Route: "/jobs/{job}/execution-result", Args: []string{id}}).Str("status", "id"))
		}),
		onFlink("a slow main holds the request up", func(ctx context.Context, f flink) {
			begin := time.Now()
			f.run(ctx, 200, fields{"jobId": newID(), "programArgsList": args("--sleep-main", "600")})
			f.Effect("slow", time.Since(begin) >= 600*time.Millisecond)
		}),
	}
}

func lastClass(stack string) string {
	lines := errorLines(stack)
	return lines[len(lines)-1]
}
