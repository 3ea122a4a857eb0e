// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package conformance

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"path"
	"strings"
	"time"
)

// flinkData is what the exchanges with Flink share on one target.
type flinkData struct {
	// content is the jar of test programs.
	content []byte
	// jar is its id on the cluster.
	jar string
	// dir is a savepoint directory for these exchanges alone.
	dir string
}

// flink is a session with a JobManager.
type flink struct {
	*Session
	*flinkData
}

func onFlink(name string, do func(ctx context.Context, f flink)) Exchange {
	return Exchange{Name: name, Do: func(ctx context.Context, s *Session) {
		data, ok := s.Data.(*flinkData)
		if !ok {
			s.T.Fatal("the target has no data for Flink")
		}
		do(ctx, flink{s, data})
	}}
}

func (f flink) get(ctx context.Context, want int, route string, args ...string) Response {
	f.T.Helper()
	return f.Call(ctx, Call{Method: http.MethodGet, Route: route, Args: args, Want: want})
}

func (f flink) post(ctx context.Context, want int, route string, body any, args ...string) Response {
	f.T.Helper()
	return f.Call(ctx, Call{Method: http.MethodPost, Route: route, Args: args, Body: body, Want: want})
}

type fields = map[string]any

// local is a path on the cluster as Flink prints it, however many slashes it came with.
func local(dir string) string {
	return "file:/" + strings.TrimLeft(strings.TrimPrefix(dir, "file:"), "/")
}

func newID() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // It never fails.
	return hex.EncodeToString(b)
}

// args makes program arguments; --plain keeps the global job parameters.
func args(a ...string) []string { return append([]string{"--plain", "--rate", "100"}, a...) }

// run posts to run and records the answer. The job, if there is one, is cancelled in the end.
func (f flink) run(ctx context.Context, want int, body fields) Response {
	f.T.Helper()
	if id, ok := body["jobId"].(string); ok {
		f.cancelLater(id)
	}
	r := f.post(ctx, want, "/jars/{jar}/run", body, f.jar)
	if id := r.Str("jobid"); id != "" {
		f.cancelLater(id)
	}
	return r
}

// during runs do while the job of the given body runs, and cancels it then: slots are few.
func (f flink) during(ctx context.Context, body fields, do func(id string)) {
	f.T.Helper()
	id := f.start(ctx, body)
	do(id)
	f.cancel(ctx, id)
}

func (f flink) cancel(ctx context.Context, id string) {
	f.T.Helper()
	f.Aux(ctx, Call{Method: http.MethodPatch, Route: "/jobs/{job}", Args: []string{id}})
	f.terminal(ctx, id)
}

func (f flink) cancelLater(id string) {
	f.Cleanup(func(ctx context.Context) { f.cancel(ctx, id) })
}

// start runs a counter without recording and waits until its tasks run.
func (f flink) start(ctx context.Context, body fields) string {
	f.T.Helper()
	if body["jobId"] == nil {
		body["jobId"] = newID()
	}
	if body["programArgsList"] == nil {
		body["programArgsList"] = args()
	}
	r := f.Aux(ctx, Call{Method: http.MethodPost, Route: "/jars/{jar}/run", Args: []string{f.jar}, Body: body})
	id := r.Str("jobid")
	if id == "" {
		f.T.Fatalf("start: %.1000s", r.Body)
	}
	f.cancelLater(id)
	f.running(ctx, id)
	return id
}

const checkpointing = "execution.checkpointing.interval"

// checkpointed is a job that keeps its checkpoints.
func checkpointed() fields {
	return fields{"flinkConfiguration": fields{
		checkpointing: "200 ms", "execution.checkpointing.externalized-checkpoint-retention": "RETAIN_ON_CANCELLATION",
	}}
}

// job is the job as the cache has it.
func (f flink) job(ctx context.Context, id string) Response {
	f.T.Helper()
	return f.Aux(ctx, Call{Method: http.MethodGet, Route: "/jobs/{job}", Args: []string{id}})
}

// entry is the job in the overview, nil if it is not there. Unlike what is below /jobs/:id, the overview does not
// come out of a cache: whatever waits must look there.
func (f flink) entry(ctx context.Context, id string) fields {
	f.T.Helper()
	r := f.Aux(ctx, Call{Method: http.MethodGet, Route: "/jobs/overview"})
	list, ok := r.At("jobs").([]any)
	if !ok {
		f.T.Fatalf("no jobs in %.500s", r.Body)
	}
	for _, e := range list {
		if m, ok := e.(fields); ok && m["jid"] == id {
			return m
		}
	}
	return nil
}

// running waits until every task runs.
func (f flink) running(ctx context.Context, id string) {
	f.T.Helper()
	f.Until(ctx, 20*time.Second, "running tasks", func() bool {
		tasks, ok := f.entry(ctx, id)["tasks"].(fields)
		return ok && tasks["total"] != 0.0 && tasks["running"] == tasks["total"]
	})
}

// state waits for a state.
func (f flink) state(ctx context.Context, id, want string) {
	f.T.Helper()
	f.Until(ctx, 20*time.Second, want, func() bool { return f.entry(ctx, id)["state"] == want })
}

// stateNow is the state as it is, "" for a job that is not there.
func (f flink) stateNow(ctx context.Context, id string) string {
	f.T.Helper()
	s, ok := f.entry(ctx, id)["state"].(string)
	if !ok {
		return ""
	}
	return s
}

// terminal waits until the job has ended or is unknown.
func (f flink) terminal(ctx context.Context, id string) {
	f.Until(ctx, 20*time.Second, "the end of the job", func() bool {
		switch f.stateNow(ctx, id) {
		case "FINISHED", "FAILED", "CANCELED", "":
			return true
		}
		return false
	})
}

// polled waits for a trigger without recording the polls in between, and records the last.
func (f flink) polled(ctx context.Context, route string, ids ...string) Response {
	f.T.Helper()
	f.Until(ctx, 20*time.Second, "the trigger", func() bool {
		return f.Aux(ctx, Call{Method: http.MethodGet, Route: route, Args: ids}).Str("status", "id") == "COMPLETED"
	})
	r := f.Call(ctx, Call{
		Method: http.MethodGet, Route: route, Args: ids, Want: http.StatusOK,
		Keep: []string{"$.status.id", "$.operation.failure-cause.class"},
	})
	if location := r.Str("operation", "location"); location != "" {
		f.disposeLater(location)
	}
	if stack := r.Str("operation", "failure-cause", "stack-trace"); stack != "" {
		f.Effect("failure", strings.Join(errorLines(stack), " | "))
	}
	return r
}

const savepointPoll = "/jobs/{job}/savepoints/{trigger}"

// savepoint takes one without recording the trigger.
func (f flink) savepoint(ctx context.Context, job string) string {
	f.T.Helper()
	r := f.Aux(ctx, Call{
		Method: http.MethodPost, Route: "/jobs/{job}/savepoints", Args: []string{job},
		Body: fields{"target-directory": f.dir},
	})
	return f.location(ctx, job, r.Str("request-id"))
}

// stopped stops a job without recording and returns its savepoint.
func (f flink) stopped(ctx context.Context, job string) string {
	f.T.Helper()
	r := f.Aux(ctx, Call{
		Method: http.MethodPost, Route: "/jobs/{job}/stop", Args: []string{job}, Body: fields{"targetDirectory": f.dir},
	})
	location := f.location(ctx, job, r.Str("request-id"))
	f.state(ctx, job, "FINISHED")
	return location
}

func (f flink) location(ctx context.Context, job, trigger string) string {
	f.T.Helper()
	var r Response
	f.Until(ctx, 20*time.Second, "the savepoint", func() bool {
		r = f.Aux(ctx, Call{Method: http.MethodGet, Route: savepointPoll, Args: []string{job, trigger}})
		return r.Str("status", "id") == "COMPLETED"
	})
	location := r.Str("operation", "location")
	if location == "" {
		f.T.Fatalf("the savepoint failed: %.1000s", r.Body)
	}
	f.disposeLater(location)
	return location
}

func (f flink) disposeLater(location string) {
	f.Cleanup(func(ctx context.Context) { f.dispose(ctx, location) })
}

func (f flink) dispose(ctx context.Context, location string) {
	r := f.Aux(ctx, Call{
		Method: http.MethodPost, Route: "/savepoint-disposal", Body: fields{"savepoint-path": location},
	})
	f.Until(ctx, 10*time.Second, "the disposal", func() bool {
		return f.Aux(ctx, Call{
			Method: http.MethodGet, Route: "/savepoint-disposal/{trigger}", Args: []string{r.Str("request-id")},
		}).Str("status", "id") == "COMPLETED"
	})
}

// pause lets the job go on for a while without a look at it, which a cache would remember.
func (f flink) pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// checkpoint waits for a completed checkpoint after the given id and returns its id and path.
func (f flink) checkpoint(ctx context.Context, job string, after float64) (float64, string) {
	f.T.Helper()
	var r Response
	var id float64
	// This comes out of a cache, so the first look should find one.
	f.pause(ctx, 700*time.Millisecond)
	f.Until(ctx, 20*time.Second, "a checkpoint", func() bool {
		r = f.Aux(ctx, Call{Method: http.MethodGet, Route: "/jobs/{job}/checkpoints", Args: []string{job}})
		n, ok := r.At("latest", "completed", "id").(float64)
		id = n
		return ok && n > after
	})
	return id, r.Str("latest", "completed", "external_path")
}

// part is a file of an upload; without a file name it is a form field.
type part struct {
	field, file string
	data        []byte
}

func (f flink) upload(ctx context.Context, want int, parts ...part) Response {
	f.T.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, p := range parts {
		h := textproto.MIMEHeader{}
		disposition := `form-data; name="` + p.field + `"`
		if p.file != "" {
			disposition += `; filename="` + p.file + `"`
			h.Set("Content-Type", "application/octet-stream")
		}
		h.Set("Content-Disposition", disposition)
		pw, err := w.CreatePart(h)
		if err == nil {
			_, err = pw.Write(p.data)
		}
		if err != nil {
			f.T.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		f.T.Fatal(err)
	}
	r := f.Call(ctx, Call{
		Method: http.MethodPost, Route: "/jars/upload", Body: b.Bytes(), ContentType: w.FormDataContentType(),
		Want: want, Keep: []string{"$.status"},
	})
	if id := path.Base(r.Str("filename")); r.Status == http.StatusOK {
		f.Cleanup(func(ctx context.Context) {
			f.Aux(ctx, Call{Method: http.MethodDelete, Route: "/jars/{jar}", Args: []string{id}})
		})
	}
	return r
}

// listed finds an upload in the list, nil if it is not there.
func (f flink) listed(ctx context.Context, id string) fields {
	f.T.Helper()
	r := f.Call(ctx, Call{Method: http.MethodGet, Route: "/jars", Want: http.StatusOK, Ignore: []string{"$.files[].entry[]"}})
	list, ok := r.At("files").([]any)
	if !ok {
		f.T.Fatalf("no files in %.500s", r.Body)
	}
	for _, e := range list {
		if m, ok := e.(fields); ok && m["id"] == id {
			return m
		}
	}
	return nil
}
