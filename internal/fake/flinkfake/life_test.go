// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

const interval = "execution.checkpointing.interval"

func retained() map[string]any {
	return map[string]any{
		"jobId": someID, "programArgsList": []string{"--plain", "--rate", "1000"}, "flinkConfiguration": map[string]any{
			interval: "1 s", "execution.checkpointing.externalized-checkpoint-retention": "RETAIN_ON_CANCELLATION",
		},
	}
}

func TestJob_OfExpiredTriggerIsUnknownAndTheSameIDTakesASecondSavepoint(t *testing.T) {
	t.Parallel()
	c := start(t, TriggerExpiry(5*time.Minute))
	id := c.run(map[string]any{"jobId": someID})
	c.running(id)
	trigger := strings.Repeat("ab", 16)
	body := map[string]any{"target-directory": "file:/fake/sp/x", "triggerId": trigger}
	take := func() string {
		c.call(202, "POST", "/jobs/"+id+"/savepoints", body)
		var location string
		c.until("the savepoint", func() bool {
			for _, tr := range c.s.Triggers() {
				location = tr.Location
			}
			return location != ""
		})
		return location
	}
	first := take()
	if again := take(); again != first {
		t.Errorf("the same trigger made %s and %s", first, again)
	}
	c.s.Advance(4 * time.Minute)
	c.call(200, "GET", "/jobs/"+id+"/savepoints/"+trigger, nil)
	c.s.Advance(2 * time.Minute)
	c.call(404, "GET", "/jobs/"+id+"/savepoints/"+trigger, nil)
	if second := take(); second == first {
		t.Error("an expired trigger still names its old savepoint")
	}
	if n := len(c.s.Files("/fake/sp/x")); n != 5 {
		t.Errorf("%d entries on disk, want the directory and two savepoints", n)
	}
}

// What cannot be made when it is asked for fails then, also where it could be
// made by the time that the savepoint would have been complete.
func TestStop_IntoADirectoryThatCannotBeMadeFailsAtOnce(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"1.14.3", "2.3.0"} {
		c := start(t, Version(version), SavepointDelay(time.Minute))
		jar := c.upload(Jar("streaming.jobs.Counter"))
		job, _ := c.call(200, "POST", "/jars/"+jar+"/run", map[string]any{})["jobid"].(string)
		c.running(job)
		c.s.DenyWrite("file:/fake/denied")
		id, _ := c.call(202, "POST", "/jobs/"+job+"/stop", map[string]any{"targetDirectory": "file:/fake/denied/sp"})["request-id"].(string)
		c.s.AllowWrite("file:/fake/denied")
		c.s.Advance(2 * time.Minute)
		answer := fmt.Sprint(c.call(200, "GET", "/jobs/"+job+"/savepoints/"+id, nil))
		if !strings.Contains(answer, "Failed to create savepoint directory at file:/fake/denied/sp") {
			t.Errorf("Flink %s answers %s", version, answer)
		}
		if got := c.state(job); got != "RUNNING" {
			t.Errorf("Flink %s: the job is %s", version, got)
		}
	}
}

func TestJob_ThatExpiredIsUnknownButItsIDStaysUsedUntilARestart(t *testing.T) {
	t.Parallel()
	c := start(t)
	id := c.run(map[string]any{"jobId": someID, "programArgsList": []string{"--count", "10"}})
	c.s.Advance(time.Minute)
	if got := c.state(id); got != "FINISHED" {
		t.Fatalf("a bounded job is %s after a minute", got)
	}
	c.s.Advance(2 * time.Hour)
	c.call(404, "GET", "/jobs/"+id, nil)
	jar := c.s.Jars()[0].ID
	refused := c.call(400, "POST", "/jars/"+jar+"/run", map[string]any{"jobId": someID})
	if !strings.Contains(firstError(refused), "DuplicateApplicationSubmissionException") {
		t.Errorf("refused with %v", refused)
	}
	c.s.RestartJobManager()
	c.call(200, "POST", "/jars/"+jar+"/run", map[string]any{"jobId": someID})
}

func firstError(body map[string]any) string {
	list, isList := body["errors"].([]any)
	if !isList || len(list) == 0 {
		return ""
	}
	s, isText := list[0].(string)
	if !isText {
		return ""
	}
	return s
}

func TestJob_ThatFailedBeforeItRanNeverExpires(t *testing.T) {
	t.Parallel()
	c := start(t)
	jar := c.upload(Jar("streaming.jobs.Counter"))
	c.call(400, "POST", "/jars/"+jar+"/run", map[string]any{"jobId": someID, "savepointPath": "file:/nowhere"})
	c.s.Advance(24 * time.Hour)
	if got := c.state(someID); got != "FAILED" {
		t.Errorf("it is %q after a day", got)
	}
}

func TestForgetEnded_ForgetsWhatHasEndedAndNothingElse(t *testing.T) {
	t.Parallel()
	c := start(t)
	ended, running := c.run(retained()), c.run(map[string]any{})
	c.running(ended)
	c.running(running)
	c.call(202, "PATCH", "/jobs/"+ended, nil)
	c.s.Advance(10 * time.Second)
	if got := c.state(ended); got != "CANCELED" {
		t.Fatalf("it is %q", got)
	}
	c.s.ForgetEnded()
	c.call(500, "GET", "/jobs/"+ended+"/status", nil)
	if got := c.state(running); got != "RUNNING" {
		t.Errorf("the other is %q", got)
	}
	if n := len(c.s.History()); n != 2 {
		t.Errorf("the history has %d jobs", n)
	}
}

func TestRestart_ForgetsJobsAndTriggersButNotFiles(t *testing.T) {
	t.Parallel()
	c := start(t)
	id := c.run(retained())
	c.running(id)
	c.s.Advance(10 * time.Second)
	before, _ := c.s.Job(id)
	if before.LatestCheckpoint == "" {
		t.Fatal("no checkpoint after ten seconds")
	}
	c.s.RestartJobManager()
	if n := len(c.s.Jobs()); n != 0 {
		t.Errorf("%d jobs survived", n)
	}
	c.call(404, "GET", "/jobs/"+id, nil)
	if n := len(c.s.Jars()); n != 1 {
		t.Errorf("%d jars, want the one that was there", n)
	}
	next := c.run(map[string]any{"savepointPath": before.LatestCheckpoint})
	after, _ := c.s.Job(next)
	if after.InitialProgress < 8000 || after.InitialProgress > before.Progress {
		t.Errorf("restored %d of %d", after.InitialProgress, before.Progress)
	}
	c.s.RestartJobManager(LoseJars())
	if n := len(c.s.Jars()); n != 0 {
		t.Errorf("%d jars survived the loss of the upload directory", n)
	}
}

func TestRestart_WhileMainRunsSubmitsNothing(t *testing.T) {
	t.Parallel()
	c := start(t)
	jar := c.upload(Jar("streaming.jobs.Counter"))
	done := make(chan error, 1)
	go func() {
		_, _, err := c.try("POST", "/jars/"+jar+"/run", map[string]any{"programArgsList": []string{"--sleep-main", "200"}})
		done <- err
	}()
	c.until("the request", func() bool { return len(c.s.Requests()) == 2 })
	c.s.RestartJobManager()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if n := len(c.s.Jobs()); n != 0 {
		t.Errorf("%d jobs came from a main of before the restart", n)
	}
}

func TestCancel_LeavesAnEmptyCheckpointDirectory(t *testing.T) {
	t.Parallel()
	c := start(t)
	id := c.run(retained())
	c.running(id)
	c.s.Advance(3 * time.Second)
	c.call(202, "PATCH", "/jobs/"+id, nil)
	c.until("the end", func() bool { return c.state(id) == "CANCELED" })
	complete, empty := 0, 0
	for _, f := range c.s.Files("/fake/checkpoints/" + id) {
		switch {
		case f.Progress >= 0:
			complete++
		case f.Dir && strings.Contains(f.Path, "/chk-"):
			empty++
		}
	}
	if complete != 1 || empty != 2 {
		t.Errorf("%d complete checkpoints in %d directories, want 1 in 2", complete, empty)
	}
}

func TestJob_WithoutRetentionLosesItsCheckpointsInTheEnd(t *testing.T) {
	t.Parallel()
	c := start(t)
	body := retained()
	body["flinkConfiguration"] = map[string]any{interval: "1 s"}
	id := c.run(body)
	c.running(id)
	c.s.Advance(3 * time.Second)
	c.stop(id, "")
	for _, f := range c.s.Files("/fake/checkpoints/" + id) {
		if f.Progress >= 0 {
			t.Errorf("%s is left", f.Path)
		}
	}
}

func TestJob_RestartsFromItsNewestCheckpoint(t *testing.T) {
	t.Parallel()
	c := start(t)
	body := retained()
	body["programArgsList"] = []string{"--plain", "--rate", "1000", "--fail-at", "501"}
	id := c.run(body)
	c.running(id)
	c.s.Advance(2600 * time.Millisecond)
	j, _ := c.s.Job(id)
	if j.Restarts == 0 || j.State == "FAILED" {
		t.Fatalf("%d restarts, %s", j.Restarts, j.State)
	}
	c.s.Advance(5 * time.Minute)
	j, _ = c.s.Job(id)
	if j.Restarts < 3 || j.State == "FAILED" {
		t.Errorf("%d restarts, %s: it fails at the same record for ever", j.Restarts, j.State)
	}
	if j.Progress > 2501 {
		t.Errorf("counted %d, beyond the record it fails at", j.Progress)
	}
}

func TestStop_CompletedComesBeforeFinished(t *testing.T) {
	t.Parallel()
	c := start(t, StopDelay(time.Minute))
	id := c.run(map[string]any{"jobId": someID})
	c.running(id)
	c.call(202, "POST", "/jobs/"+id+"/stop", map[string]any{})
	c.until("the savepoint", func() bool { return len(c.s.Triggers()) == 1 && c.s.Triggers()[0].Location != "" })
	if got := c.state(id); got != "RUNNING" {
		t.Errorf("the job is %s when its stop has completed", got)
	}
	at, _ := c.s.Job(id)
	c.s.Advance(time.Minute)
	end, _ := c.s.Job(id)
	if end.State != "FINISHED" || end.Progress != at.Progress {
		t.Errorf("%s with %d, want FINISHED with %d: nothing is counted after the savepoint", end.State, end.Progress, at.Progress)
	}
}

func TestStop_BeforeTheTasksRunFails(t *testing.T) {
	t.Parallel()
	c := start(t, StartDelay(time.Hour))
	id := c.run(map[string]any{"jobId": someID})
	if got := c.state(id); got != "RUNNING" {
		t.Fatalf("the job is %s while its tasks start", got)
	}
	c.call(202, "POST", "/jobs/"+id+"/stop", map[string]any{})
	if got := c.s.Triggers()[0].Failure; !strings.Contains(got, "Not all required tasks are currently running") {
		t.Errorf("it failed with %q", got)
	}
}

func TestStop_WithoutAnyDirectoryIs400(t *testing.T) {
	t.Parallel()
	c := start(t, SavepointDir(""))
	id := c.run(map[string]any{"jobId": someID})
	c.running(id)
	for _, route := range []string{"/stop", "/savepoints"} {
		refused := c.call(400, "POST", "/jobs/"+id+route, map[string]any{})
		if !strings.Contains(firstError(refused), "Config key [execution.checkpointing.savepoint-dir] is not set") {
			t.Errorf("%s: %v", route, refused)
		}
	}
}

func TestView_IsStaleForTheRefreshInterval(t *testing.T) {
	t.Parallel()
	c := start(t, RefreshInterval(3*time.Second))
	id := c.run(map[string]any{"jobId": someID, "programArgsList": []string{"--plain", "--rate", "1000"}})
	if got := c.call(200, "GET", "/jobs/"+id, nil)["state"]; got != "RUNNING" {
		t.Fatalf("it is %v", got)
	}
	c.s.Advance(time.Second)
	c.call(202, "PATCH", "/jobs/"+id, nil)
	c.s.Advance(time.Second)
	if got := c.call(200, "GET", "/jobs/"+id, nil)["state"]; got != "RUNNING" {
		t.Errorf("the cache shows %v", got)
	}
	if got := c.call(200, "GET", "/jobs/"+id+"/status", nil)["status"]; got != "CANCELED" {
		t.Errorf("the status is %v", got)
	}
	c.s.Advance(3 * time.Second)
	if got := c.call(200, "GET", "/jobs/"+id, nil)["state"]; got != "CANCELED" {
		t.Errorf("after the refresh interval it is %v", got)
	}
}

func TestSlots_OfAJobThatEndedAreFree(t *testing.T) {
	t.Parallel()
	c := start(t, Slots(2))
	first := c.run(map[string]any{"parallelism": 2})
	c.running(first)
	second := c.run(map[string]any{"parallelism": 2, "programArgsList": []string{"--plain"}, "flinkConfiguration": map[string]any{interval: "1 s"}})
	c.s.Advance(time.Second)
	if got := c.state(second); got != "RESTARTING" {
		t.Fatalf("without slots it is %s", got)
	}
	c.call(202, "PATCH", "/jobs/"+first, nil)
	c.s.Advance(2 * time.Minute)
	c.running(second)
}

func TestProgram_OfATestsOwn(t *testing.T) {
	t.Parallel()
	c := start(t)
	c.s.RegisterProgram("com.example.Mine", func(m *Main) error {
		if m.Has("--fail") {
			return errors.New("no luck")
		}
		return m.Execute(Graph{Name: m.Conf["my.key"], Operators: []Operator{{Name: "all", UID: "all"}}})
	})
	jar := c.upload(Jar("com.example.Mine"))
	c.call(200, "POST", "/jars/"+jar+"/run", map[string]any{"flinkConfiguration": map[string]any{"my.key": "mine"}})
	if got := c.s.Jobs()[0].Name; got != "mine" {
		t.Errorf("the job is named %q", got)
	}
	refused := c.call(400, "POST", "/jars/"+jar+"/run", map[string]any{"programArgsList": []string{"--fail"}})
	if !strings.Contains(firstError(refused), "The main method caused an error: no luck") {
		t.Errorf("%v", refused)
	}
}

func TestSubmitJob_ObeysTheRulesOfIDs(t *testing.T) {
	t.Parallel()
	c := start(t)
	g := Graph{Operators: []Operator{{Name: "all", UID: "all"}}}
	conf := map[string]string{"pipeline.name": "by gateway", "$internal.pipeline.job-id": someID}
	id, err := c.s.SubmitJob(g, conf)
	if err != nil || id != someID {
		t.Fatalf("%s, %v", id, err)
	}
	if _, err := c.s.SubmitJob(g, conf); err == nil || !strings.Contains(err.Error(), "Failed to execute job") {
		t.Errorf("a second one with the id: %v", err)
	}
}
