// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// fault is something that goes wrong at one request of an operation.
type fault struct {
	name string
	flinkfake.Fault
	// killed means that nothing is sent after it, and nothing is kept.
	killed bool
}

var faults = []fault{
	{name: "request never sent", Fault: flinkfake.Fault{Kind: flinkfake.Unsent}},
	{name: "answer lost", Fault: flinkfake.Fault{Kind: flinkfake.LostAnswer}},
	{name: "reset in the answer", Fault: flinkfake.Fault{Kind: flinkfake.ResetMidBody}},
	{name: "503 of Flink", Fault: flinkfake.Fault{Kind: flinkfake.LeaderElection}},
	{name: "502 of a proxy, not executed", Fault: flinkfake.Fault{Kind: flinkfake.ProxyError, Status: http.StatusBadGateway}},
	{name: "502 of a proxy, executed", Fault: flinkfake.Fault{Kind: flinkfake.ProxyError, Status: http.StatusBadGateway, Executed: true}},
	{name: "killed before", Fault: flinkfake.Fault{Kind: flinkfake.Unsent, Times: -1}, killed: true},
	{name: "killed after", Fault: flinkfake.Fault{Kind: flinkfake.LostAnswer}, killed: true},
}

// moment is when the next apply comes.
type moment struct {
	name string
	pass func(*flinkfake.Server)
}

var moments = []moment{
	{"at once", func(*flinkfake.Server) {}},
	{"after triggers expired", func(s *flinkfake.Server) { s.Advance(10 * time.Minute) }},
	{"after ended jobs expired", func(s *flinkfake.Server) { s.Advance(3 * time.Hour) }},
	{"after a JobManager restart", func(s *flinkfake.Server) {
		s.Advance(10 * time.Second)
		s.RestartJobManager()
	}},
}

// bench is one fake cluster and one job on it.
type bench struct {
	*flinkfake.Server
	jar    string
	strict bool
	engine *lifecycle.Engine
	uid    string
	warned bool
}

func newBench(t *testing.T, options ...flinkfake.Option) *bench {
	t.Helper()
	// Long enough that an answer from before a change is served after it.
	fake := flinkfake.New(append([]flinkfake.Option{flinkfake.RefreshInterval(60 * time.Millisecond)}, options...)...)
	t.Cleanup(fake.Close)
	jar := filepath.Join(t.TempDir(), "app.jar")
	if err := os.WriteFile(jar, flinkfake.Jar("streaming.jobs.Counter"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := &bench{Server: fake, jar: jar}
	b.restart(t)
	b.uid = lifecycle.UID("team", b.engine.Client.Endpoint(), "streaming_flink_job", "counter")
	return b
}

// restart is a new provider process.
func (b *bench) restart(t *testing.T) {
	t.Helper()
	transport, err := rest.New(rest.Config{
		Endpoint: b.URL(), Retry: rest.Retry{MaxTries: 3, MinWait: time.Millisecond, MaxWait: 2 * time.Millisecond},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(transport.Close)
	client := flink.New(transport)
	b.engine = &lifecycle.Engine{
		Client: client, Owner: "team", Probe: lifecycle.NewStateProbe(client),
		Timing: lifecycle.Timing{Poll: 2 * time.Millisecond, Stable: 4 * time.Millisecond, RestartGrace: 100 * time.Millisecond, Appear: 60 * time.Millisecond},
		Warn: func(summary, _ string) {
			b.warned = b.warned || strings.Contains(summary, "left state that is not used")
		},
	}
}

func (b *bench) spec(label string) lifecycle.Spec {
	args := []string{"--label", label, "--rate", "100"}
	if label == "plain" {
		args = append(args, "--plain")
	}
	if b.strict {
		// It takes no configuration with a job, so that the program sets what it needs.
		return lifecycle.Spec{
			Name:    "counter",
			Program: &lifecycle.JarProgram{Client: b.engine.Client, Path: b.jar, Args: append(args, "--name", "counter", "--checkpoint", "1000")},
		}
	}
	return lifecycle.Spec{
		Name:          "counter",
		Program:       &lifecycle.JarProgram{Client: b.engine.Client, Path: b.jar, Args: args},
		Configuration: map[string]string{"execution.checkpointing.interval": "1 s"},
	}
}

var savepoints = lifecycle.Policy{Mode: lifecycle.ModeSavepoint, Rollback: true}

func (b *bench) create(ctx context.Context, label string) (lifecycle.Record, error) {
	return b.engine.Create(ctx, lifecycle.Create{UID: b.uid, Spec: b.spec(label), Policy: savepoints, Want: lifecycle.StateRunning})
}

// operation is one operation on a job, as one apply does it.
type operation struct {
	name string
	// before brings the job to where the operation begins.
	before func(ctx context.Context, b *bench) (lifecycle.Record, error)
	run    func(ctx context.Context, b *bench, rec lifecycle.Record) (lifecycle.Record, error)
	// again is run for a record of which run has told success; nil is run.
	again func(ctx context.Context, b *bench, rec lifecycle.Record) (lifecycle.Record, error)
	// ended is true when no job is wanted in the end.
	ended bool
	label string
}

func running(ctx context.Context, b *bench) (lifecycle.Record, error) {
	rec, err := b.create(ctx, "a")
	b.Advance(5 * time.Second)
	return rec, err
}

func (b *bench) update(ctx context.Context, rec lifecycle.Record, u lifecycle.Update) (lifecycle.Record, error) {
	fresh, err := b.engine.Refresh(ctx, rec, "counter", true)
	if err != nil {
		return rec, err
	}
	if u.Policy.Mode == "" {
		u.Policy = savepoints
	}
	return b.engine.Update(ctx, fresh, u)
}

// settled is an apply of what is applied already.
func settled(ctx context.Context, b *bench, rec lifecycle.Record) (lifecycle.Record, error) {
	return b.update(ctx, rec, lifecycle.Update{Old: b.spec("b"), Spec: b.spec("b"), Want: lifecycle.StateRunning})
}

var operations = []operation{
	{
		name: "create", label: "a",
		before: func(context.Context, *bench) (lifecycle.Record, error) { return lifecycle.Record{}, nil },
		run: func(ctx context.Context, b *bench, rec lifecycle.Record) (lifecycle.Record, error) {
			if rec.UID != "" {
				return b.update(ctx, rec, lifecycle.Update{Old: b.spec("a"), Spec: b.spec("a"), Want: lifecycle.StateRunning})
			}
			return b.create(ctx, "a")
		},
	},
	{
		name: "upgrade", before: running, label: "b", again: settled,
		run: func(ctx context.Context, b *bench, rec lifecycle.Record) (lifecycle.Record, error) {
			return b.update(ctx, rec, lifecycle.Update{Old: b.spec("a"), Spec: b.spec("b"), Want: lifecycle.StateRunning, Restart: true})
		},
	},
	{
		name: "upgrade from the last checkpoint", before: running, label: "b", again: settled,
		run: func(ctx context.Context, b *bench, rec lifecycle.Record) (lifecycle.Record, error) {
			return b.update(ctx, rec, lifecycle.Update{
				Old: b.spec("a"), Spec: b.spec("b"), Want: lifecycle.StateRunning, Restart: true,
				Policy: lifecycle.Policy{Mode: lifecycle.ModeLastState, Rollback: true},
			})
		},
	},
	{
		name: "suspend", before: running, ended: true,
		run: func(ctx context.Context, b *bench, rec lifecycle.Record) (lifecycle.Record, error) {
			return b.update(ctx, rec, lifecycle.Update{Old: b.spec("a"), Spec: b.spec("a"), Want: lifecycle.StateSuspended})
		},
	},
	{
		name: "resume", label: "a",
		before: func(ctx context.Context, b *bench) (lifecycle.Record, error) {
			rec, err := running(ctx, b)
			if err != nil {
				return rec, err
			}
			return b.update(ctx, rec, lifecycle.Update{Old: b.spec("a"), Spec: b.spec("a"), Want: lifecycle.StateSuspended})
		},
		run: func(ctx context.Context, b *bench, rec lifecycle.Record) (lifecycle.Record, error) {
			return b.update(ctx, rec, lifecycle.Update{Old: b.spec("a"), Spec: b.spec("a"), Want: lifecycle.StateRunning})
		},
	},
	{
		name: "destroy", before: running, ended: true,
		run: func(ctx context.Context, b *bench, rec lifecycle.Record) (lifecycle.Record, error) {
			_, err := b.engine.Destroy(ctx, rec, "counter", lifecycle.OnDestroySavepoint, savepoints)
			return rec, err
		},
	},
}

// TestFaults_EachCallOfEachOperation cuts each request of each operation in
// each way, and applies again: one job, with the wanted spec, that has lost
// nothing, and at no time two.
func TestFaults_EachCallOfEachOperation(t *testing.T) {
	t.Parallel()
	eachCall(t, newBench, 4)
}

// TestFaults_EachCallOfEachOperationOnFlink114 does the same where there is no
// marker and no id of a stop.
func TestFaults_EachCallOfEachOperationOnFlink114(t *testing.T) {
	t.Parallel()
	eachCall(t, newStrictBench, 12)
}

// newStrictBench is a cluster of Flink 1.14, which keeps the checkpoints of
// cancelled jobs by its own configuration.
func newStrictBench(t *testing.T, options ...flinkfake.Option) *bench {
	t.Helper()
	b := newBench(t, append([]flinkfake.Option{
		flinkfake.Version("1.14.3"), flinkfake.Conf("execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION"),
	}, options...)...)
	b.strict = true
	return b
}

// benches makes the clusters of a matrix.
type benches func(*testing.T, ...flinkfake.Option) *bench

func eachCall(t *testing.T, begin benches, share int) {
	t.Helper()
	// The whole matrix takes minutes; each run of the sample takes the same
	// share of its calls, another one for each fault and moment.
	everything := os.Getenv("STREAMING_FAULTS") == "all"
	for _, op := range operations {
		calls := op.calls(t, begin)
		for i, f := range faults {
			for j, m := range moments {
				sample := (3*i + j) % share
				t.Run(op.name+"/"+f.name+"/"+m.name, func(t *testing.T) {
					t.Parallel()
					for call := 1; call <= calls; call++ {
						if !everything && call%share != sample {
							continue
						}
						if err := op.cell(t, begin, f, m, call); err != nil {
							t.Errorf("call %d of %d: %v", call, calls, err)
						}
					}
				})
			}
		}
	}
}

// calls counts the requests of an undisturbed run.
func (op operation) calls(t *testing.T, begin benches) int {
	t.Helper()
	b := begin(t)
	ctx := t.Context()
	rec, err := op.before(ctx, b)
	if err != nil {
		t.Fatal(err)
	}
	b.restart(t)
	b.ForgetRequests()
	if _, err := op.run(ctx, b, rec); err != nil {
		t.Fatalf("%s, undisturbed: %v", op.name, err)
	}
	return len(b.Requests())
}

// cell is one cell of the matrix.
func (op operation) cell(t *testing.T, begin benches, f fault, m moment, call int) error {
	t.Helper()
	b := begin(t)
	ctx := t.Context()
	rec, err := op.before(ctx, b)
	if err != nil {
		return err
	}
	b.restart(t)
	f.Nth = call
	b.Inject(f.Fault)
	if f.killed && f.Kind != flinkfake.Unsent {
		b.Inject(flinkfake.Fault{Kind: flinkfake.Unsent, Nth: call, Times: -1})
	}
	short, stop := context.WithTimeout(ctx, 20*time.Second)
	reached, err := op.run(short, b, rec)
	stop()
	if !f.killed && (op.name != "create" || err == nil) {
		rec = reached
	}
	again := op.run
	if err == nil && !f.killed && op.again != nil {
		again = op.again
	}
	b.ClearFaults()
	m.pass(b.Server)
	b.restart(t)
	for try := 1; ; try++ {
		rec, err = again(ctx, b, rec)
		if err == nil {
			break
		}
		if try == 3 {
			return fmt.Errorf("applied %d times again: %w", try, err)
		}
		if _, ok := errors.AsType[*lifecycle.Error](err); ok {
			t.Logf("call %d, again: %v", call, err)
		}
	}
	return b.invariants(op, rec)
}

// invariants are what must hold whatever went wrong.
func (b *bench) invariants(op operation, rec lifecycle.Record) error {
	var live []flinkfake.JobSnapshot
	jobs := b.Jobs()
	for _, job := range jobs {
		if !flink.JobState(job.State).Terminal() {
			live = append(live, job)
		}
	}
	if op.ended {
		if len(live) > 0 {
			return fmt.Errorf("jobs are left: %+v", live)
		}
		return nil
	}
	if len(live) != 1 {
		return fmt.Errorf("%d live jobs", len(live))
	}
	job := live[0]
	if job.ID != rec.JobID {
		return fmt.Errorf("job %s runs, and %s is recorded", job.ID, rec.JobID)
	}
	if !slices.Contains(job.Args, op.label) {
		return fmt.Errorf("job %s runs with %v", job.ID, job.Args)
	}
	for _, file := range b.Files("file:///") {
		if file.Progress > job.Progress && !(op.name == "create" && b.warned) {
			return fmt.Errorf("job %s has counted %d, restored from %q, and %s holds %d", job.ID, job.Progress, job.RestoredFrom, file.Path, file.Progress)
		}
	}
	return b.neverTwo(jobs)
}

// neverTwo checks that no job began before the one before it had ended.
func (b *bench) neverTwo(jobs []flinkfake.JobSnapshot) error {
	slices.SortFunc(jobs, func(x, y flinkfake.JobSnapshot) int { return x.StartedAt.Compare(y.StartedAt) })
	for i := 1; i < len(jobs); i++ {
		before, after := jobs[i-1], jobs[i]
		if before.EndedAt.IsZero() || before.EndedAt.After(after.StartedAt) {
			return fmt.Errorf("job %s (%s) still ran when %s began", before.ID, before.State, after.ID)
		}
	}
	jars := 0
	for _, jar := range b.Jars() {
		if !strings.HasPrefix(jar.Name, "terraform-streaming-probe") {
			jars++
		}
	}
	if jars > 1 {
		return fmt.Errorf("%d jars are uploaded", jars)
	}
	return nil
}
