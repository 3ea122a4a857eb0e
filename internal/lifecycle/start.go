// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/sqlgateway"
)

// start is one start of a program.
type start struct {
	uid string
	// first is the lowest generation that may be used.
	first int64
	// from is the id of the job that is continued, empty for none.
	from string
	// restore is the path to start from, empty for none.
	restore string
	spec    Spec
	policy  Policy
}

// started is a job that was submitted.
type started struct {
	generation int64
	jobID      string
	// state is empty when Flink knows no such job.
	state flink.JobState
}

// lives tells whether a job is there that has not ended.
func (s *started) lives() bool { return s != nil && s.state != "" && !s.state.Terminal() }

// start submits the program under the first free generation and waits until it
// is up and was restored from where it should. On an error, the returned
// started tells what there is: nil when nothing was registered.
func (e *Engine) start(ctx context.Context, s start) (*started, error) {
	ready, err := e.ready(ctx, s)
	if err != nil {
		return nil, err
	}
	return e.launch(ctx, ready)
}

// launch is a start of which all is ready that can be without the state to
// begin from.
type launch struct {
	start
	generation    int64
	marker        Marker
	configuration map[string]string
}

// ready does what a start needs and an earlier job need not stand still for.
func (e *Engine) ready(ctx context.Context, s start) (launch, error) {
	marker := Marker{
		Owner: e.Owner, Name: s.spec.Name, From: s.from, Spec: s.spec.Hash(), Parallelism: s.spec.parallelism(),
		Jar: s.spec.Program.JarSHA256(), Bundle: s.spec.Bundle.SHA256, Try: rand.Text(),
	}
	configuration, err := e.configuration(ctx, s.spec, marker)
	if err != nil {
		return launch{}, err
	}
	if err := e.checkRestore(ctx, s.restore); err != nil {
		return launch{}, err
	}
	n, err := e.freeGeneration(ctx, s, s.first)
	if err == nil {
		err = e.keepable(ctx, s)
	}
	return launch{start: s, generation: n, marker: marker, configuration: configuration}, err
}

// configuration is what is sent with a submission, with the paths that the
// job's bundle has by now.
func (e *Engine) configuration(ctx context.Context, spec Spec, marker Marker) (map[string]string, error) {
	bundle, err := e.locate(ctx, spec.Bundle)
	if err != nil {
		return nil, err
	}
	configuration, err := spec.configuration(marker, bundle)
	if err != nil {
		return nil, &Error{Problem: ProblemConfiguration, Summary: err.Error()}
	}
	return configuration, nil
}

// launch submits what is ready. Nothing that can be done before belongs here:
// an upgraded job is down meanwhile.
func (e *Engine) launch(ctx context.Context, l launch) (*started, error) {
	submission := Submission{
		JobID: JobID(l.uid, l.generation), Parallelism: l.spec.Parallelism, Configuration: l.configuration, Marker: l.marker,
		Restore: l.restore, AllowNonRestored: l.policy.AllowNonRestored,
	}
	retry, err := e.submit(ctx, l.spec.Program, submission, l.marker.Try)
	if retry {
		if l.generation, err = e.freeGeneration(ctx, l.start, l.generation+1); err != nil {
			return nil, err
		}
		return e.launch(ctx, l)
	}
	result := &started{generation: l.generation, jobID: submission.JobID}
	if err != nil {
		return e.registered(ctx, result), err
	}
	result.state, err = e.waitUp(ctx, submission.JobID)
	if err != nil {
		return result, startProblem(err)
	}
	if err := e.verifyRestore(ctx, result, l.restore); err != nil {
		return result, err
	}
	e.warnOfRetention(ctx, l.start, submission.JobID)
	return result, nil
}

// freeGeneration is the first generation from one on that was never used.
func (e *Engine) freeGeneration(ctx context.Context, s start, from int64) (int64, error) {
	for n := from; ; n++ {
		if free, err := e.generationFree(ctx, s, n); err != nil || free {
			return n, err
		}
	}
}

// generationFree tells whether a generation's id was surely never used: Flink
// forgets ids when it restarts, and a second job of one id deletes the first
// one's checkpoints.
func (e *Engine) generationFree(ctx context.Context, s start, n int64) (bool, error) {
	id := JobID(s.uid, n)
	_, err := e.Client.Job(ctx, id)
	if err == nil {
		return false, nil
	}
	if !flink.IsNotFound(err) {
		return false, err
	}
	if e.Probe == nil {
		return true, nil
	}
	cluster, err := e.directories(ctx)
	if err != nil {
		return false, err
	}
	if e.anyUsed(ctx, id, checkpointsOf(cluster, CheckpointDirectories(s.spec.Configuration), id)) {
		return false, nil
	}
	strict, err := e.Client.Strict(ctx)
	if err != nil || !strict {
		return err == nil, err
	}
	return !e.anyUsed(ctx, id, stopDirectories(cluster, s.policy.SavepointDirectory, s.uid, n)), nil
}

// anyUsed tells whether one of the directories of a job is there.
func (e *Engine) anyUsed(ctx context.Context, id string, directories []string) bool {
	for _, directory := range directories {
		used, err := e.Probe.Exists(ctx, directory)
		if err != nil {
			// Where the probe cannot look, Flink's own memory of ids is what there is.
			e.warnf("The cluster's checkpoint directory cannot be looked at",
				"Whether job id %s was used before a restart of the JobManager is not known: %s.", id, Reason(err))
		}
		if used {
			return true
		}
	}
	return false
}

// submit sends the program. retry is true when the id turned out to be used.
func (e *Engine) submit(ctx context.Context, program Program, submission Submission, try string) (retry bool, err error) {
	id, err := program.Submit(ctx, submission)
	switch {
	case err == nil && id != submission.JobID:
		return false, fmt.Errorf("Flink started the job under id %s instead of %s; this version of Flink does not honour the id that the provider chose, so cancel it by hand", id, submission.JobID)
	case err == nil:
		return false, nil
	case taken(err):
		g, jobErr := e.lookUp(ctx, submission.JobID, 0)
		if jobErr != nil {
			return false, jobErr
		}
		if g == nil {
			// Used and expired.
			return true, nil
		}
		return false, e.duplicate(ctx, g, try, err)
	case rest.OutcomeUnknown(err) || sqlgateway.OutcomeUnknown(err):
		return false, e.appear(ctx, submission.JobID, err)
	}
	return false, submitProblem(err)
}

// duplicate tells apart why an id that was free is taken now: a program that
// calls execute() twice, of which the first job runs, or another apply. Flink
// answers both alike, so that the job itself has to tell: by the word of this
// submission in its marker, else by another name than the refused job's.
func (e *Engine) duplicate(ctx context.Context, g *generation, try string, err error) error {
	var answer *rest.Error
	refused := errors.As(err, &answer) && refusedJob.MatchString(answer.Text)
	ours := g.known && g.marker.Try == try
	if !g.known && refused && !e.refusesOthersOnly(ctx) {
		ours = refusedJob.FindStringSubmatch(answer.Text)[1] != g.job.Name
	}
	if !ours {
		return problemf(ProblemUnknownOutcome,
			"Another apply of the same configuration may have started it: when that is done, apply again. "+
				"If none runs, main() calls execute() more than once: cancel the job, and let main() call it once.", nil,
			"job %s was started at the same time", g.job.ID)
	}
	if cancelErr := e.cancel(ctx, g.job.ID); cancelErr != nil {
		return errors.Join(err, cancelErr)
	}
	if _, failed := errors.AsType[submitted](err); failed {
		return problemf(ProblemTwoJobs, "Its traceback is in the JobManager's log. If it calls execute() more than once: "+oneExecute, err,
			"the program failed after it had submitted its job, which was cancelled")
	}
	return problemf(ProblemTwoJobs, oneExecute, nil, "the program calls execute() more than once; its first job was cancelled")
}

// refusedJob is how Flink names the job that it did not start.
var refusedJob = regexp.MustCompile(`Failed to execute job '([^']*)'`)

// appear looks for a job whose submission got no answer: main() may still be
// running when the connection is gone.
func (e *Engine) appear(ctx context.Context, jobID string, cause error) error {
	began := time.Now()
	for {
		_, err := e.Client.Job(ctx, jobID)
		if err == nil {
			return nil
		}
		if !flink.IsNotFound(err) && ctx.Err() != nil || time.Since(began) > e.Timing.Appear {
			return problemf(ProblemUnknownOutcome,
				"Apply again: if the job appears meanwhile, it is found by its id and gone on with.", cause,
				"the submission of job %s got no answer, and the job has not appeared", jobID)
		}
		if err := e.pause(ctx, began); err != nil {
			return problemf(ProblemUnknownOutcome, "Apply again: if the job appears meanwhile, it is found by its id and gone on with.",
				cause, "the submission of job %s got no answer before the time limit", jobID)
		}
	}
}

// registered looks what a refused submission left: Flink keeps a FAILED job
// when it failed after the program's main().
func (e *Engine) registered(ctx context.Context, s *started) *started {
	state, known, err := e.Client.Status(ctx, s.jobID)
	if err != nil || !known {
		return nil
	}
	s.state = state
	return s
}

// checkRestore refuses a start from a path that is not there, before anything
// is started. It never falls back to an older one by itself.
func (e *Engine) checkRestore(ctx context.Context, path string) error {
	if path == "" || e.Probe == nil {
		return nil
	}
	// A path that the probe cannot look at is left to Flink, which then refuses it.
	if exists, err := e.Probe.Exists(ctx, path); err == nil && !exists {
		return problemf(ProblemRestore, "Set restore_from (and restore_trigger) to a savepoint or checkpoint that exists. Nothing was started.", nil,
			"there is no savepoint or checkpoint at %s", path)
	}
	return nil
}

// verifyRestore makes sure that a job that should have been restored was: a
// path in the wrong place makes Flink start from nothing, silently.
func (e *Engine) verifyRestore(ctx context.Context, s *started, restore string) error {
	if restore == "" {
		return nil
	}
	checkpoints, err := e.Client.Checkpoints(ctx, s.jobID)
	if err != nil {
		return err
	}
	if restored := checkpoints.Latest.Restored; restored == nil || !samePath(restored.Path, restore) {
		got := "nothing"
		if restored != nil {
			got = restored.Path
		}
		return problemf(ProblemRestore, "The program may choose its own restore path. Look at its configuration.", nil,
			"job %s should have been restored from %s, but was restored from %s", s.jobID, restore, got)
	}
	return nil
}

// samePath compares paths of Hadoop style, which spell a local file in several
// ways: /x, file:/x and file:///x.
func samePath(a, b string) bool { return plainPath(a) == plainPath(b) }

func plainPath(path string) string {
	path = strings.TrimRight(path, "/")
	rest, ok := strings.CutPrefix(path, "file:")
	if !ok {
		return path
	}
	return "/" + strings.TrimLeft(rest, "/")
}
