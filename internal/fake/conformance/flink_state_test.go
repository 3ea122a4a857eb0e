// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package conformance

import (
	"context"
	"path"
	"strings"
	"time"
)

func flinkStateExchanges() []Exchange {
	return append(flinkSavepointExchanges(), flinkRestoreExchanges()...)
}

func flinkSavepointExchanges() []Exchange {
	return []Exchange{
		onFlink("a stop ends the job and leaves a savepoint", func(ctx context.Context, f flink) {
			id := f.start(ctx, checkpointed())
			trigger := newID()
			target := f.dir + "/deep/er"
			r := f.post(ctx, 202, "/jobs/{job}/stop", fields{"targetDirectory": target, "triggerId": trigger, "drain": false, "formatType": "CANONICAL"}, id)
			f.Effect("id kept", r.Str("request-id") == trigger)
			location := f.polled(ctx, savepointPoll, id, trigger).Str("operation", "location")
			f.Effect("below the target", strings.HasPrefix(location, local(target)+"/savepoint-"+id[:6]+"-"))
			f.Effect("length", len(path.Base(location)))
			f.state(ctx, id, "FINISHED")
			f.post(ctx, 202, "/jobs/{job}/stop", fields{"targetDirectory": target, "triggerId": trigger}, id)
			f.Effect("same", f.polled(ctx, savepointPoll, id, trigger).Str("operation", "location") == location)
			f.get(ctx, 404, savepointPoll, unknownID, trigger)
			f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}/checkpoints", Args: []string{id}, Want: 200, Ignore: []string{
				// Whether a periodic checkpoint came to its end, or to nothing, is a matter of time.
				"$.history", "$.latest.failed", "$.latest.completed", "$.summary",
			}})
			r = f.post(ctx, 202, "/jobs/{job}/stop", fields{"targetDirectory": target}, id)
			f.polled(ctx, savepointPoll, id, r.Str("request-id"))
		}),
		onFlink("a stop without a directory goes to the cluster's", func(ctx context.Context, f flink) {
			id := f.start(ctx, fields{"flinkConfiguration": fields{"execution.checkpointing.savepoint-dir": f.dir}})
			r := f.post(ctx, 202, "/jobs/{job}/stop", fields{}, id)
			location := f.polled(ctx, savepointPoll, id, r.Str("request-id")).Str("operation", "location")
			f.Effect("in the cluster's", path.Dir(location) == path.Dir(local(f.dir)))
		}),
		onFlink("a stop that fails leaves the job running", func(ctx context.Context, f flink) {
			id := f.start(ctx, fields{})
			for _, dir := range []string{"file:/proc/x", "s3://bucket/x"} {
				r := f.post(ctx, 202, "/jobs/{job}/stop", fields{"targetDirectory": dir}, id)
				f.polled(ctx, savepointPoll, id, r.Str("request-id"))
				f.running(ctx, id)
				f.Effect("state", f.stateNow(ctx, id))
			}
		}),
		onFlink("stop and savepoint of an unknown job are accepted and fail", func(ctx context.Context, f flink) {
			for _, route := range []string{"/jobs/{job}/stop", "/jobs/{job}/savepoints"} {
				r := f.post(ctx, 202, route, nil, unknownID)
				f.polled(ctx, savepointPoll, unknownID, r.Str("request-id"))
			}
			r := f.post(ctx, 202, "/jobs/{job}/checkpoints", nil, unknownID)
			f.polled(ctx, "/jobs/{job}/checkpoints/{trigger}", unknownID, r.Str("request-id"))
		}),
		onFlink("a bad trigger is 400", func(ctx context.Context, f flink) {
			for _, route := range []string{"/jobs/{job}/stop", "/jobs/{job}/savepoints"} {
				f.post(ctx, 400, route, fields{"triggerId": "xx"}, unknownID)
				f.post(ctx, 400, route, fields{"formatType": "FOO"}, unknownID)
				f.post(ctx, 400, route, `not json`, unknownID)
			}
		}),
		onFlink("a savepoint leaves the job running, one per trigger", func(ctx context.Context, f flink) {
			id := f.start(ctx, fields{})
			trigger := newID()
			body := fields{"target-directory": f.dir, "triggerId": trigger, "formatType": "NATIVE"}
			f.post(ctx, 202, "/jobs/{job}/savepoints", body, id)
			a := f.polled(ctx, savepointPoll, id, trigger).Str("operation", "location")
			f.post(ctx, 202, "/jobs/{job}/savepoints", body, id)
			b := f.polled(ctx, savepointPoll, id, trigger).Str("operation", "location")
			f.Effect("same", a == b)
			f.Effect("another", f.savepoint(ctx, id) != a)
			f.Effect("state", f.stateNow(ctx, id))
			f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}/checkpoints", Args: []string{id}, Want: 200, Keep: []string{
				"$.counts.completed", "$.counts.total", "$.latest.savepoint.checkpoint_type", "$.latest.savepoint.is_savepoint", "$.latest.savepoint.savepointFormat",
			}})
		}),
		onFlink("a savepoint that cancels", func(ctx context.Context, f flink) {
			id := f.start(ctx, fields{})
			r := f.post(ctx, 202, "/jobs/{job}/savepoints", fields{"target-directory": f.dir, "cancel-job": true}, id)
			f.polled(ctx, savepointPoll, id, r.Str("request-id"))
			f.terminal(ctx, id)
			f.Effect("state", f.stateNow(ctx, id))
		}),
		onFlink("a savepoint into a place that cannot be written", func(ctx context.Context, f flink) {
			id := f.start(ctx, fields{})
			for _, dir := range []string{"file:/proc/x", "s3://bucket/x", "foo://x"} {
				r := f.post(ctx, 202, "/jobs/{job}/savepoints", fields{"target-directory": dir}, id)
				f.polled(ctx, savepointPoll, id, r.Str("request-id"))
			}
			f.Effect("state", f.stateNow(ctx, id))
			f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}/checkpoints", Args: []string{id}, Want: 200, Ignore: []string{"$.history"}, Keep: []string{
				"$.counts.failed", "$.counts.total",
			}})
		}),
		onFlink("a savepoint is disposed of once", func(ctx context.Context, f flink) {
			id := f.start(ctx, fields{})
			location := f.savepoint(ctx, id)
			dispose := func() {
				r := f.post(ctx, 200, "/savepoint-disposal", fields{"savepoint-path": location})
				f.polled(ctx, "/savepoint-disposal/{trigger}", r.Str("request-id"))
			}
			dispose()
			dispose()
			f.post(ctx, 400, "/savepoint-disposal", fields{})
			r := f.post(ctx, 200, "/savepoint-disposal", fields{"savepoint-path": "s3://bucket/x"})
			f.polled(ctx, "/savepoint-disposal/{trigger}", r.Str("request-id"))
			f.run(ctx, 400, fields{"jobId": newID(), "savepointPath": location})
		}),
	}
}

func flinkRestoreExchanges() []Exchange {
	restored := func(ctx context.Context, f flink, id string) {
		f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}/checkpoints", Args: []string{id}, Want: 200, Ignore: []string{
			// Whether a checkpoint has been taken yet is a matter of time.
			"$.history", "$.latest.completed", "$.summary",
		}, Keep: []string{"$.counts.restored", "$.latest.restored.is_savepoint"}})
	}
	return []Exchange{
		onFlink("a job restored from a savepoint says so", func(ctx context.Context, f flink) {
			location := f.stopped(ctx, f.start(ctx, fields{}))
			for _, how := range []fields{
				{"savepointPath": location, "claimMode": "NO_CLAIM"},
				{"savepointPath": location + "/_metadata"},
				{"flinkConfiguration": fields{"execution.state-recovery.path": location, "execution.state-recovery.claim-mode": "NO_CLAIM"}},
				{"savepointPath": "", "flinkConfiguration": fields{"execution.state-recovery.path": location}},
				{"savepointPath": location, "flinkConfiguration": fields{"execution.state-recovery.path": "file:/no/such/path"}},
			} {
				f.during(ctx, how, func(id string) {
					restored(ctx, f, id)
					r := f.Aux(ctx, Call{Method: "GET", Route: "/jobs/{job}/checkpoints", Args: []string{id}})
					f.Effect("from", r.Str("latest", "restored", "external_path") == location)
				})
			}
		}),
		onFlink("a claimed savepoint belongs to the job", func(ctx context.Context, f flink) {
			location := f.stopped(ctx, f.start(ctx, fields{}))
			body := checkpointed()
			body["savepointPath"], body["restoreMode"] = location, "CLAIM"
			id := f.start(ctx, body)
			restored(ctx, f, id)
			n, _ := f.checkpoint(ctx, id, 0)
			f.checkpoint(ctx, id, n+1)
			f.run(ctx, 400, fields{"jobId": newID(), "savepointPath": location, "programArgsList": args()})
		}),
		onFlink("state that the program has no place for", func(ctx context.Context, f flink) {
			location := f.stopped(ctx, f.start(ctx, fields{}))
			f.run(ctx, 400, fields{"jobId": newID(), "savepointPath": location, "programArgsList": args("--uid", "other")})
			f.run(ctx, 400, fields{"jobId": newID(), "savepointPath": location, "programArgsList": args(), "flinkConfiguration": fields{"pipeline.max-parallelism": "64"}})
			for _, how := range []fields{
				{"savepointPath": location, "allowNonRestoredState": true, "programArgsList": args("--uid", "other")},
				{"savepointPath": location, "programArgsList": args("--extra-operator")},
				{"savepointPath": location, "parallelism": 2},
			} {
				f.during(ctx, how, func(id string) { restored(ctx, f, id) })
			}
		}),
		onFlink("a retained checkpoint outlives a cancel and can be restored", func(ctx context.Context, f flink) {
			id := f.start(ctx, checkpointed())
			f.pause(ctx, time.Second)
			f.Call(ctx, Call{Method: "PATCH", Route: "/jobs/{job}", Args: []string{id}, Want: 202})
			f.state(ctx, id, "CANCELED")
			_, chk := f.checkpoint(ctx, id, 0)
			f.Effect("path", strings.HasSuffix(path.Dir(chk), "/"+id) && strings.HasPrefix(path.Base(chk), "chk-"))
			f.disposeLater(chk)
			restored(ctx, f, f.start(ctx, fields{"savepointPath": chk}))
		}),
		onFlink("a checkpoint that is not retained goes with a cancel", func(ctx context.Context, f flink) {
			id := f.start(ctx, fields{"flinkConfiguration": fields{checkpointing: "200 ms"}})
			f.pause(ctx, time.Second)
			f.Call(ctx, Call{Method: "PATCH", Route: "/jobs/{job}", Args: []string{id}, Want: 202})
			f.state(ctx, id, "CANCELED")
			_, chk := f.checkpoint(ctx, id, 0)
			f.run(ctx, 400, fields{"jobId": newID(), "savepointPath": chk, "programArgsList": args()})
		}),
		onFlink("checkpoints go where the job says", func(ctx context.Context, f flink) {
			dir := f.dir + "/checkpoints/here"
			body := fields{"flinkConfiguration": fields{checkpointing: "200 ms", "execution.checkpointing.dir": dir}}
			id := f.start(ctx, body)
			_, chk := f.checkpoint(ctx, id, 0)
			f.Effect("new key", strings.HasPrefix(chk, local(dir)+"/"+id+"/chk-"))
			id = f.start(ctx, fields{"flinkConfiguration": fields{checkpointing: "200 ms", "state.checkpoints.dir": dir}})
			_, chk = f.checkpoint(ctx, id, 0)
			f.Effect("old key", strings.HasPrefix(chk, local(dir)+"/"+id+"/chk-"))
		}),
		onFlink("checkpoint settings as configured and as coded", func(ctx context.Context, f flink) {
			for _, c := range []struct {
				args []string
				conf fields
			}{
				{args(), fields{checkpointing: "3 s", "execution.checkpointing.mode": "AT_LEAST_ONCE", "execution.checkpointing.timeout": "2 min", "execution.checkpointing.min-pause": "1 s", "execution.checkpointing.externalized-checkpoint-retention": "DELETE_ON_CANCELLATION"}},
				{args("--checkpoint", "2000"), fields{checkpointing: "3 s", "execution.checkpointing.externalized-checkpoint-retention": "retain_on_cancellation"}},
				{args(), fields{checkpointing: "3 s", "state.backend.type": "rocksdb", "execution.checkpointing.unaligned.enabled": "true", "execution.checkpointing.tolerable-failed-checkpoints": "2", "execution.checkpointing.max-concurrent-checkpoints": "1"}},
			} {
				f.during(ctx, fields{"programArgsList": c.args, "flinkConfiguration": c.conf}, func(id string) {
					f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}/checkpoints/config", Args: []string{id}, Want: 200, Keep: []string{
						"$.mode", "$.interval", "$.timeout", "$.min_pause", "$.externalization.enabled", "$.externalization.delete_on_cancellation",
						"$.state_backend", "$.unaligned_checkpoints", "$.tolerable_failed_checkpoints", "$.checkpoint_storage",
					}})
				})
			}
		}),
	}
}

// flinkWithoutApplications is what versions before 2.3 have in their place.
func flinkWithoutApplications() []Exchange {
	return []Exchange{
		onFlink("applications are not known yet", func(ctx context.Context, f flink) {
			f.get(ctx, 404, "/applications/overview")
			f.get(ctx, 404, "/applications/{application}", unknownID)
			f.post(ctx, 404, "/jars/{jar}/run-application", fields{}, f.jar)
		}),
		onFlink("programArgs are arguments", func(ctx context.Context, f flink) {
			f.run(ctx, 400, fields{"programArgs": "--name a", "programArgsList": args("--name", "b")})
			r := f.run(ctx, 200, fields{"programArgs": `--plain --name "two words"`})
			f.Effect("name", f.entry(ctx, r.Str("jobid"))["name"])
		}),
	}
}

func flinkApplicationExchanges() []Exchange {
	ended := func(ctx context.Context, f flink, id, want string) {
		f.Until(ctx, 20*time.Second, "the application", func() bool {
			return f.Aux(ctx, Call{Method: "GET", Route: "/applications/{application}", Args: []string{id}}).Str("status") == want
		})
	}
	return []Exchange{
		onFlink("run-application answers at once", func(ctx context.Context, f flink) {
			id := newID()
			f.cancelLater(id)
			r := f.post(ctx, 202, "/jars/{jar}/run-application", fields{"jobId": id, "programArgsList": args("--name", "by application")}, f.jar)
			app := r.Str("applicationid")
			f.Until(ctx, 20*time.Second, "the job", func() bool { return f.entry(ctx, id) != nil })
			f.running(ctx, id)
			f.Effect("of this application", f.job(ctx, id).Str("application-id") == app)
			f.Call(ctx, Call{Method: "GET", Route: "/applications/{application}", Args: []string{app}, Want: 200, Keep: []string{"$.status", "$.jobs", "$.type"}})
			f.Call(ctx, Call{Method: "GET", Route: "/applications/overview", Want: 200, Ignore: []string{
				// The keys are the states of jobs that others may have left.
				"$.applications[].jobs",
			}})
			f.get(ctx, 200, "/applications/{application}/exceptions", app)
			// A cancel of an application is not part of the suite: where one of its jobs has ended, it brings the
			// JobManager down, and a job may end at any moment.
			f.post(ctx, 400, "/jars/{jar}/run-application", fields{"jobId": "xyz"}, f.jar)
		}),
		onFlink("an unknown application, and a missing jar", func(ctx context.Context, f flink) {
			f.get(ctx, 500, "/applications/{application}", unknownID)
			f.get(ctx, 500, "/applications/{application}/exceptions", unknownID)
			f.post(ctx, 404, "/applications/{application}/cancel", nil, unknownID)
			f.get(ctx, 400, "/applications/{application}", "xyz")
			f.post(ctx, 500, "/jars/{jar}/run-application", fields{}, "no.jar")
		}),
		onFlink("programArgs are ignored", func(ctx context.Context, f flink) {
			r := f.run(ctx, 200, fields{"programArgs": "--name lost", "programArgsList": args("--name", "kept")})
			f.Effect("name", f.entry(ctx, r.Str("jobid"))["name"])
			r = f.run(ctx, 200, fields{"programArgs": "--name lost"})
			f.Effect("name", f.entry(ctx, r.Str("jobid"))["name"])
		}),
		onFlink("an application whose main fails", func(ctx context.Context, f flink) {
			r := f.post(ctx, 202, "/jars/{jar}/run-application", fields{"entryClass": "streaming.jobs.FailingMain"}, f.jar)
			ended(ctx, f, r.Str("applicationid"), "FAILED")
			f.Call(ctx, Call{Method: "GET", Route: "/applications/{application}", Args: []string{r.Str("applicationid")}, Want: 200, Keep: []string{"$.status", "$.jobs"}})
			e := f.get(ctx, 200, "/applications/{application}/exceptions", r.Str("applicationid"))
			f.Effect("exception", e.Str("exceptionHistory", "entries", 0, "exceptionName"))
		}),
		onFlink("the application of a run", func(ctx context.Context, f flink) {
			id := f.start(ctx, fields{})
			app := f.job(ctx, id).Str("application-id")
			f.Effect("same id", app == id)
			f.Call(ctx, Call{Method: "GET", Route: "/applications/{application}", Args: []string{app}, Want: 200, Keep: []string{"$.status", "$.jobs", "$.type"}})
		}),
	}
}
