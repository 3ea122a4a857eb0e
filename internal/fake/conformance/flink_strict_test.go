// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package conformance

import (
	"context"
	"path"
	"slices"
	"strings"
	"time"
)

// flinkStrictExchanges are those with Flink 1.14, which refuses fields that it does not know: what holds for every
// version, and what is its own.
func flinkStrictExchanges() []Exchange {
	shared := slices.Concat(flinkClusterExchanges(), flinkJarExchanges(), flinkRunExchanges(), flinkIdentityExchanges(), flinkStateExchanges(), flinkProbeExchanges())
	shared = slices.DeleteFunc(shared, func(e Exchange) bool { return !slices.Contains(alsoStrict, e.Name) })
	return slices.Concat(shared, flinkLookExchanges(), strictClusterExchanges(), strictLifeExchanges(), strictStateExchanges())
}

// alsoStrict names the exchanges of other versions that hold for 1.14 as well.
var alsoStrict = []string{
	"an unknown route is 404", "cancel of an unknown job is 404, whatever the mode", "an id in upper case is the same id",
	"an upload is listed until it is deleted", "the same file twice is two uploads, in any field", "an upload is judged by its name",
	"an upload is one file", "garbage is taken as a jar and fails to run", "deleting a jar leaves its job alone",
	"an empty body runs the jar with nothing",
	"query parameters work beside a body", "an id with one dash is mangled", "two executes with an id", "two executes in one environment", "two executes without an id",
	"the state probe sees savepoints and checkpoints", "of four submissions with one id one wins",
}

func strictClusterExchanges() []Exchange {
	return []Exchange{
		onFlink("the cluster tells its version and slots", func(ctx context.Context, f flink) {
			f.Call(ctx, Call{Method: "GET", Route: "/config", Want: 200, Keep: []string{"$.flink-version", "$.features.web-submit", "$.features.web-cancel"}})
			f.get(ctx, 200, "/overview")
			f.get(ctx, 200, "/jobmanager/config")
		}),
		onFlink("routes that came later", func(ctx context.Context, f flink) {
			id := f.start(ctx, fields{})
			f.get(ctx, 404, "/jobs/{job}/status", id)
			f.get(ctx, 404, "/jobs/{job}/resource-requirements", id)
			f.get(ctx, 404, "/jobs/{job}/jobmanager/config", id)
			f.post(ctx, 404, "/jobs/{job}/checkpoints", fields{}, id)
			f.get(ctx, 404, "/applications/overview")
			f.post(ctx, 404, "/jars/{jar}/run-application", fields{}, f.jar)
		}),
		onFlink("an unknown job is 404", func(ctx context.Context, f flink) {
			for _, route := range []string{"", "/config", "/checkpoints", "/checkpoints/config", "/exceptions", "/execution-result"} {
				f.get(ctx, 404, "/jobs/{job}"+route, unknownID)
			}
			f.get(ctx, 404, savepointPoll, unknownID, newID())
			f.get(ctx, 404, "/savepoint-disposal/{trigger}", unknownID)
			f.get(ctx, 400, "/jobs/{job}", "xyz")
		}),
		onFlink("a missing jar is 400 or 500, by another route", func(ctx context.Context, f flink) {
			f.Call(ctx, Call{Method: "DELETE", Route: "/jars/{jar}", Args: []string{"no.jar"}, Want: 400})
			f.post(ctx, 500, "/jars/{jar}/run", fields{}, "no.jar")
			f.post(ctx, 400, "/jars/{jar}/plan", fields{}, "no.jar")
		}),
		onFlink("a program that cannot be started", func(ctx context.Context, f flink) {
			f.run(ctx, 500, fields{"entryClass": "no.such.Class"})
			id := newID()
			for _, class := range []string{"streaming.jobs.FailingMain", "streaming.jobs.NoExecute"} {
				f.run(ctx, 400, fields{"jobId": id, "entryClass": class})
				f.Effect("job", f.job(ctx, id).Status)
			}
			f.run(ctx, 400, fields{"programArgsList": []string{"--rate", "x"}})
			f.run(ctx, 400, fields{"parallelism": 0})
			f.run(ctx, 200, fields{"jobId": id, "programArgsList": args()})
		}),
		onFlink("only the program tells what a job shows of itself", func(ctx context.Context, f flink) {
			id := f.start(ctx, fields{"programArgsList": []string{"--rate", "50", "--label", "x"}})
			f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}/config", Args: []string{id}, Want: 200, Keep: []string{
				"$.execution-config.user-config.rate", "$.execution-config.user-config.label",
			}})
		}),
		onFlink("fields that it does not know are refused", func(ctx context.Context, f flink) {
			for name, value := range map[string]any{
				"flinkConfiguration": fields{}, "claimMode": "NO_CLAIM", "restoreMode": "NO_CLAIM", "noSuchField": 1,
			} {
				id := newID()
				f.run(ctx, 400, fields{"jobId": id, "programArgsList": args(), name: value})
				f.post(ctx, 400, "/jars/{jar}/plan", fields{"programArgsList": args(), name: value}, f.jar)
				f.Effect("job", f.job(ctx, id).Status)
			}
			id := f.start(ctx, fields{})
			for name, value := range map[string]any{"triggerId": newID(), "formatType": "CANONICAL", "noSuchField": 1} {
				f.post(ctx, 400, "/jobs/{job}/savepoints", fields{"target-directory": f.dir, name: value}, id)
				f.post(ctx, 400, "/jobs/{job}/stop", fields{"targetDirectory": f.dir, name: value}, id)
			}
			f.Effect("state", f.stateNow(ctx, id))
		}),
	}
}

func strictLifeExchanges() []Exchange {
	cancel := func(ctx context.Context, f flink, want int, id string) {
		f.Call(ctx, Call{Method: "PATCH", Route: "/jobs/{job}", Args: []string{id}, Query: map[string][]string{"mode": {"cancel"}}, Want: want})
	}
	return []Exchange{
		onFlink("an id is taken while its job runs", func(ctx context.Context, f flink) {
			id := newID()
			r := f.run(ctx, 200, fields{"jobId": strings.ToUpper(id), "programArgsList": args("--name", "first of this id")})
			f.Effect("id kept", r.Str("jobid") == id)
			f.running(ctx, id)
			f.run(ctx, 400, fields{"jobId": id, "programArgsList": args()})
			f.Effect("state", f.stateNow(ctx, id))
			cancel(ctx, f, 202, id)
			f.state(ctx, id, "CANCELED")
			cancel(ctx, f, 404, id)
			f.run(ctx, 200, fields{"jobId": id, "programArgsList": args("--name", "second of this id")})
			f.running(ctx, id)
			f.Effect("name", f.entry(ctx, id)["name"])
		}),
		onFlink("what fails in the master leaves a FAILED job, whose id is free", func(ctx context.Context, f flink) {
			id := newID()
			f.run(ctx, 400, fields{"jobId": id, "programArgsList": args(), "savepointPath": "file:/no/such/savepoint"})
			f.Effect("state", f.stateNow(ctx, id))
			f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}", Args: []string{id}, Want: 200, Keep: []string{"$.state", "$.vertices", "$.maxParallelism"}})
			f.get(ctx, 200, "/jobs/{job}/config", id)
			f.get(ctx, 200, "/jobs/{job}/checkpoints", id)
			f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}/execution-result", Args: []string{id}, Want: 200, Keep: []string{
				"$.status.id", "$.job-execution-result.application-status", "$.job-execution-result.failure-cause.class",
			}})
			f.run(ctx, 200, fields{"jobId": id, "programArgsList": args()})
		}),
		onFlink("the views of a running job", func(ctx context.Context, f flink) {
			id := f.start(ctx, fields{"programArgsList": args("--checkpoint", "200")})
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
			f.get(ctx, 200, "/jobs")
			f.get(ctx, 200, "/jobs/overview")
		}),
		onFlink("checkpoints of a job that takes none", func(ctx context.Context, f flink) {
			id := f.start(ctx, fields{})
			f.get(ctx, 200, "/jobs/{job}/checkpoints", id)
			f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}/checkpoints/config", Args: []string{id}, Want: 200, Keep: []string{
				"$.mode", "$.interval", "$.externalization.enabled", "$.externalization.delete_on_cancellation",
			}})
		}),
		onFlink("a bounded job ends by itself", func(ctx context.Context, f flink) {
			id := f.run(ctx, 200, fields{"jobId": newID(), "programArgsList": args("--count", "20")}).Str("jobid")
			f.state(ctx, id, "FINISHED")
			f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}", Args: []string{id}, Want: 200, Keep: []string{"$.state", "$.vertices[].status"}})
			f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}/execution-result", Args: []string{id}, Want: 200, Keep: []string{
				"$.status.id", "$.job-execution-result.application-status",
			}})
			cancel(ctx, f, 404, id)
		}),
		onFlink("a job that fails", func(ctx context.Context, f flink) {
			id := f.run(ctx, 200, fields{"jobId": newID(), "programArgsList": args("--fail-at", "3")}).Str("jobid")
			f.state(ctx, id, "FAILED")
			r := f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}/execution-result", Args: []string{id}, Want: 200, Keep: []string{
				"$.job-execution-result.application-status", "$.job-execution-result.failure-cause.class",
			}})
			f.Effect("cause", errorLines(r.Str("job-execution-result", "failure-cause", "stack-trace")))
			f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}/exceptions", Args: []string{id}, Want: 200, Keep: []string{
				"$.exceptionHistory.entries[].exceptionName", "$.exceptionHistory.truncated",
			}})
			cancel(ctx, f, 404, id)
		}),
		onFlink("a job without slots fails", func(ctx context.Context, f flink) {
			id := f.run(ctx, 200, fields{"jobId": newID(), "programArgsList": args(), "parallelism": 100}).Str("jobid")
			f.state(ctx, id, "FAILED")
			r := f.Aux(ctx, Call{Method: "GET", Route: "/jobs/{job}/execution-result", Args: []string{id}})
			f.Effect("cause", lastClass(r.Str("job-execution-result", "failure-cause", "stack-trace")))
		}),
		onFlink("the views of a job lag behind its entry in the list", func(ctx context.Context, f flink) {
			id := f.start(ctx, fields{})
			f.Effect("first seen", f.job(ctx, id).Str("state"))
			cancel(ctx, f, 202, id)
			f.state(ctx, id, "CANCELED")
			f.Effect("GET job", f.job(ctx, id).Str("state"))
			f.Effect("its result", f.Aux(ctx, Call{Method: "GET", Route: "/jobs/{job}/execution-result", Args: []string{id}}).Str("status", "id"))
		}),
	}
}

func strictStateExchanges() []Exchange {
	restored := func(ctx context.Context, f flink, id string) {
		f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}/checkpoints", Args: []string{id}, Want: 200, Ignore: []string{
			// Whether a checkpoint was taken meanwhile is a matter of time.
			"$.history", "$.latest.completed", "$.latest.failed", "$.summary", "$.counts",
		}, Keep: []string{"$.latest.restored.is_savepoint"}})
	}
	return []Exchange{
		onFlink("a stop ends the job and leaves a savepoint", func(ctx context.Context, f flink) {
			id := f.start(ctx, fields{"programArgsList": args("--checkpoint", "200")})
			target := f.dir + "/deep/er"
			trigger := f.post(ctx, 202, "/jobs/{job}/stop", fields{"targetDirectory": target, "drain": false}, id).Str("request-id")
			location := f.polled(ctx, savepointPoll, id, trigger).Str("operation", "location")
			f.Effect("below the target", strings.HasPrefix(location, local(target)+"/savepoint-"+id[:6]+"-"))
			f.Effect("length", len(path.Base(location)))
			f.state(ctx, id, "FINISHED")
			f.get(ctx, 404, savepointPoll, unknownID, trigger)
			f.pause(ctx, 3200*time.Millisecond)
			r := f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}/checkpoints", Args: []string{id}, Want: 200, Ignore: []string{
				// Whether a periodic checkpoint came to its end, or to nothing, is a matter of time.
				"$.history", "$.latest.failed", "$.latest.completed", "$.summary", "$.counts",
			}, Keep: []string{"$.latest.savepoint.checkpoint_type", "$.latest.savepoint.is_savepoint", "$.latest.savepoint.status"}})
			f.Effect("its savepoint", r.Str("latest", "savepoint", "external_path") == location)
			again := f.post(ctx, 202, "/jobs/{job}/stop", fields{"targetDirectory": target}, id).Str("request-id")
			f.Effect("a stop of what has ended", f.failed(ctx, id, again))
		}),
		onFlink("a stop that fails leaves the job alone", func(ctx context.Context, f flink) {
			id := f.start(ctx, fields{})
			trigger := f.post(ctx, 202, "/jobs/{job}/stop", fields{"targetDirectory": "file:/proc/x"}, id).Str("request-id")
			f.Effect("it failed", f.failed(ctx, id, trigger))
			f.Effect("state", f.stateNow(ctx, id))
			f.Effect("of an unknown job", f.failed(ctx, unknownID, f.post(ctx, 202, "/jobs/{job}/stop", fields{"targetDirectory": f.dir}, unknownID).Str("request-id")))
		}),
		onFlink("savepoints of a job that goes on", func(ctx context.Context, f flink) {
			id := f.start(ctx, fields{})
			for range 2 {
				trigger := f.post(ctx, 202, "/jobs/{job}/savepoints", fields{"target-directory": f.dir, "cancel-job": false}, id).Str("request-id")
				f.Effect("in the target", strings.HasPrefix(f.polled(ctx, savepointPoll, id, trigger).Str("operation", "location"), local(f.dir)+"/savepoint-"+id[:6]+"-"))
			}
			location := f.savepoint(ctx, id)
			r := f.post(ctx, 200, "/savepoint-disposal", fields{"savepoint-path": location})
			f.polled(ctx, "/savepoint-disposal/{trigger}", r.Str("request-id"))
			f.pause(ctx, 3200*time.Millisecond)
			f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}/checkpoints", Args: []string{id}, Want: 200, Keep: []string{
				"$.counts.completed", "$.counts.failed", "$.counts.in_progress", "$.latest.savepoint.checkpoint_type",
			}})
		}),
		onFlink("a job restored from a savepoint says so", func(ctx context.Context, f flink) {
			location := f.stopped(ctx, f.start(ctx, fields{}))
			for _, how := range []fields{
				{"savepointPath": location, "allowNonRestoredState": false},
				{"savepointPath": location + "/_metadata"},
				{"savepointPath": location, "allowNonRestoredState": true, "programArgsList": args("--uid", "other")},
				{"savepointPath": location, "parallelism": 2},
			} {
				f.during(ctx, how, func(id string) {
					restored(ctx, f, id)
					r := f.Aux(ctx, Call{Method: "GET", Route: "/jobs/{job}/checkpoints", Args: []string{id}})
					f.Effect("from", r.Str("latest", "restored", "external_path") == location)
				})
			}
			f.run(ctx, 400, fields{"jobId": newID(), "savepointPath": location, "programArgsList": args("--uid", "other")})
		}),
		onFlink("without a configuration of the cluster, checkpoints go with a cancel", func(ctx context.Context, f flink) {
			id := f.start(ctx, fields{"programArgsList": args("--checkpoint", "200")})
			f.pause(ctx, time.Second)
			f.Call(ctx, Call{Method: "PATCH", Route: "/jobs/{job}", Args: []string{id}, Want: 202})
			f.state(ctx, id, "CANCELED")
			_, chk := f.checkpoint(ctx, id, 0)
			f.run(ctx, 400, fields{"jobId": newID(), "savepointPath": chk, "programArgsList": args()})
		}),
	}
}

// failed waits for the end of a trigger that comes to nothing, and returns the class of the innermost exception.
func (f flink) failed(ctx context.Context, job, trigger string) string {
	f.T.Helper()
	var r Response
	f.Until(ctx, 20*time.Second, "the trigger", func() bool {
		r = f.Aux(ctx, Call{Method: "GET", Route: savepointPoll, Args: []string{job, trigger}})
		return r.Str("status", "id") == "COMPLETED"
	})
	return lastClass(r.Str("operation", "failure-cause", "stack-trace"))
}
