// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestVersion_114RefusesWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	c := start(t, Version("1.14.3"))
	jar := c.upload(Jar("streaming.jobs.Counter"))
	for name, body := range map[string]map[string]any{
		"flinkConfiguration": {"flinkConfiguration": map[string]any{"a": "b"}},
		"claimMode":          {"claimMode": "NO_CLAIM"},
		"restoreMode":        {"restoreMode": "NO_CLAIM"},
		"unknown":            {"unknown": 1},
	} {
		if got := firstError(c.call(400, "POST", "/jars/"+jar+"/run", body)); !strings.Contains(got, "Unrecognized field") {
			t.Errorf("%s: %s", name, got)
		}
	}
	id := c.run(map[string]any{"jobId": someID})
	c.running(id)
	for _, route := range []string{"/stop", "/savepoints"} {
		c.call(400, "POST", "/jobs/"+id+route, map[string]any{"triggerId": someID})
	}
	c.call(500, "POST", "/jars/no.jar/run", nil)
	c.call(400, "POST", "/jars/no.jar/plan", nil)
	c.call(404, "GET", "/applications/overview", nil)
}

func TestVersion_114ReplacesAJobThatHasEnded(t *testing.T) {
	t.Parallel()
	c := start(t, Version("1.14.3"))
	id := c.run(map[string]any{"jobId": someID, "programArgsList": []string{"--plain", "--name", "a"}})
	jar := c.s.Jars()[0].ID
	c.call(400, "POST", "/jars/"+jar+"/run", map[string]any{"jobId": someID})
	c.call(202, "PATCH", "/jobs/"+id, nil)
	c.until("the end", func() bool { return c.state(id) == "CANCELED" })
	c.call(200, "POST", "/jars/"+jar+"/run", map[string]any{"jobId": someID, "programArgsList": []string{"--plain", "--name", "b"}})
	jobs := c.s.Jobs()
	if len(jobs) != 1 || jobs[0].Name != "b" {
		t.Errorf("%+v", jobs)
	}
}

func TestVersion_120KnowsProgramArgsAndNoApplications(t *testing.T) {
	t.Parallel()
	c := start(t, Version("1.20.5"))
	id := c.run(map[string]any{"jobId": someID, "programArgs": `--plain --name "two words"`})
	if j, _ := c.s.Job(id); j.Name != "two words" {
		t.Errorf("the job is named %q", j.Name)
	}
	jar := c.s.Jars()[0].ID
	both := c.call(400, "POST", "/jars/"+jar+"/run", map[string]any{"programArgs": "a", "programArgsList": []string{"b"}})
	if !strings.Contains(firstError(both), "Confusing request") {
		t.Errorf("%v", both)
	}
	refused := c.call(400, "POST", "/jars/"+jar+"/run", map[string]any{"jobId": someID})
	if !strings.Contains(firstError(refused), "DuplicateJobSubmissionException: Job has already been submitted.") {
		t.Errorf("%v", refused)
	}
	c.call(404, "POST", "/jars/"+jar+"/run-application", map[string]any{})
	if _, there := c.call(200, "GET", "/jobs/"+id, nil)["schedulerType"]; there {
		t.Error("1.20 shows a scheduler type")
	}
}

func TestVersion_23IgnoresProgramArgs(t *testing.T) {
	t.Parallel()
	c := start(t)
	c.run(map[string]any{"programArgs": "--name lost"})
	if j := c.s.Jobs()[0]; j.Name != "Flink Streaming Job" || len(j.Args) != 0 {
		t.Errorf("%q with %v", j.Name, j.Args)
	}
}

func TestNoWebSubmit_HidesTheJars(t *testing.T) {
	t.Parallel()
	for version, upload := range map[string]int{"1.14.3": 404, "1.20.5": 400, "2.3.0": 400} {
		c := start(t, NoWebSubmit(), Version(version))
		c.call(upload, "POST", "/jars/upload", nil)
		c.call(404, "GET", "/jars", nil)
		c.call(404, "POST", "/jars/x/run", nil)
		c.call(404, "POST", "/jars/x/plan", nil)
		c.call(404, "DELETE", "/jars/x", nil)
		features, isMap := c.call(200, "GET", "/config", nil)["features"].(map[string]any)
		if !isMap || features["web-submit"] != false {
			t.Errorf("%s: features %v", version, features)
		}
	}
}

// adaptiveJob starts a job of one source and one counter and returns its id and the ids of the vertices.
func adaptiveJob(t *testing.T, c *client, parallelism int, conf ...map[string]any) (id, source, counter string) {
	t.Helper()
	body := map[string]any{"jobId": someID, "parallelism": parallelism}
	for _, own := range conf {
		body["flinkConfiguration"] = own
	}
	id = c.run(body)
	c.running(id)
	list, isList := c.call(200, "GET", "/jobs/"+id, nil)["vertices"].([]any)
	if !isList || len(list) != 2 {
		t.Fatalf("vertices %v", list)
	}
	ids := []string{}
	for _, v := range list {
		m, _ := v.(map[string]any)
		s, _ := m["id"].(string)
		ids = append(ids, s)
	}
	return id, ids[0], ids[1]
}

func bound(lower, upper int) map[string]any {
	return map[string]any{"parallelism": map[string]any{"lowerBound": lower, "upperBound": upper}}
}

func TestAdaptive_RescalesInPlace(t *testing.T) {
	t.Parallel()
	c := start(t, Scheduler("Adaptive"), Slots(4), RefreshInterval(0))
	id, source, counter := adaptiveJob(t, c, 2, map[string]any{"execution.checkpointing.interval": "1 h"})
	if got := c.call(200, "GET", "/jobs/"+id, nil)["schedulerType"]; got != "Adaptive" {
		t.Errorf("the scheduler is %v", got)
	}
	before, _ := c.s.Job(id)
	c.call(200, "PUT", "/jobs/"+id+"/resource-requirements", map[string]any{source: bound(1, 1), counter: bound(1, 3)})
	c.running(id)
	list, _ := c.call(200, "GET", "/jobs/"+id, nil)["vertices"].([]any)
	if v, _ := list[1].(map[string]any); v["parallelism"] != 3.0 {
		t.Errorf("it runs with %v", v["parallelism"])
	}
	after, _ := c.s.Job(id)
	if after.Progress < before.Progress || after.Restarts != 0 {
		t.Errorf("progress %d after %d, %d restarts", after.Progress, before.Progress, after.Restarts)
	}
	got := c.call(200, "GET", "/jobs/"+id+"/resource-requirements", nil)
	if v, _ := got[counter].(map[string]any); v == nil || v["parallelism"].(map[string]any)["upperBound"] != 3.0 {
		t.Errorf("requirements %v", got)
	}
}

func TestAdaptive_ARescaleWithoutCheckpointsBeginsAgain(t *testing.T) {
	t.Parallel()
	c := start(t, Scheduler("Adaptive"), Slots(4), RefreshInterval(0))
	id, source, counter := adaptiveJob(t, c, 2)
	c.s.Advance(time.Minute)
	before, _ := c.s.Job(id)
	c.call(200, "PUT", "/jobs/"+id+"/resource-requirements", map[string]any{source: bound(1, 1), counter: bound(1, 3)})
	c.running(id)
	if after, _ := c.s.Job(id); before.Progress == 0 || after.Progress >= before.Progress {
		t.Errorf("progress %d after %d", after.Progress, before.Progress)
	}
}

func TestAdaptive_RefusesRequirementsThatMakeNoSense(t *testing.T) {
	t.Parallel()
	c := start(t, Scheduler("Adaptive"))
	id, source, counter := adaptiveJob(t, c, 2)
	for name, body := range map[string]map[string]any{
		"nothing":   {},
		"missing":   {counter: bound(1, 1)},
		"unknown":   {source: bound(1, 1), counter: bound(1, 1), someID: bound(1, 1)},
		"above max": {source: bound(1, 1), counter: bound(1, 129)},
		"reversed":  {source: bound(1, 1), counter: bound(3, 2)},
	} {
		if got := firstError(c.call(400, "PUT", "/jobs/"+id+"/resource-requirements", body)); got == "" {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestAdaptive_MakesDoWithTheSlotsThereAre(t *testing.T) {
	t.Parallel()
	c := start(t, Scheduler("Adaptive"), Slots(4), RefreshInterval(0))
	id := c.run(map[string]any{"jobId": someID, "parallelism": 50})
	if got := c.state(id); got != "CREATED" {
		t.Fatalf("it is %s at first", got)
	}
	c.s.Advance(11 * time.Second)
	c.running(id)
	list, _ := c.call(200, "GET", "/jobs/"+id, nil)["vertices"].([]any)
	if v, _ := list[1].(map[string]any); v["parallelism"] != 4.0 {
		t.Errorf("it runs with %v", v["parallelism"])
	}
}

func zipWith(t *testing.T, name string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.Create(name)
	if err == nil {
		_, err = f.Write([]byte("print('hello')\n"))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestSavepoint_HasADirectoryAtOnce(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"1.14.3", "2.3.0"} {
		c := start(t, Version(version), SavepointDelay(time.Hour))
		jar := c.upload(Jar("streaming.jobs.Counter"))
		id, _ := c.call(200, "POST", "/jars/"+jar+"/run", map[string]any{})["jobid"].(string)
		c.running(id)
		c.call(202, "POST", "/jobs/"+id+"/stop", map[string]any{"targetDirectory": "file:/fake/one/1"})
		if got := c.s.Files("file:/fake/one/1"); len(got) != 2 || !strings.Contains(got[1].Path, "/1/savepoint-") {
			t.Errorf("Flink %s: %v", version, got)
		}
		c.call(202, "PATCH", "/jobs/"+id, nil)
		c.s.Advance(2 * time.Hour)
		// What came to nothing leaves the directory that it was sent to.
		if got := c.s.Files("file:/fake/one/1"); len(got) != 1 {
			t.Errorf("Flink %s: %v", version, got)
		}
	}
}
