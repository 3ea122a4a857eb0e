// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

const aPythonJob = "0123456789abcdef0123456789abcdef"

// pythonRun is the body of a run of a Python program whose files are in python.files.
func pythonRun(files string, args ...string) map[string]any {
	return map[string]any{
		"entryClass": classPythonDriver, "programArgsList": args, "jobId": aPythonJob,
		"flinkConfiguration": map[string]any{"python.files": files},
	}
}

func TestPythonDriver_TellsOnlyAnExitCode(t *testing.T) {
	t.Parallel()
	c := start(t)
	run := "/jars/" + c.upload(Jar(classPythonDriver)) + "/run"
	files := uploadDir + "/" + c.upload(zipWith(t, "my_job.py"))
	for _, test := range []struct {
		body map[string]any
		want string
	}{
		{pythonRun(files, "-pym", "other"), "Python process exits with code: 1"},
		{pythonRun(files, "-pym", "my_job", "--", "--count", "x"), "Python process exits with code: 2"},
		{pythonRun(files, "-pym", "my_job", "--crash"), "Python process exits with code: 1"},
		{pythonRun("/nope.jar", "-pym", "my_job"), "NoSuchFileException: /nope.jar"},
		{pythonRun(files, "-pym", "my_job", "--none"), "No jobs included in application."},
	} {
		if got := firstError(c.call(http.StatusBadRequest, "POST", run, test.body)); !strings.Contains(got, test.want) {
			t.Errorf("%v: %s, want %q", test.body["programArgsList"], got, test.want)
		}
	}
	c.call(http.StatusOK, "POST", run, pythonRun(files, "-pym", "my_job", "--", "--name", "python"))
	if got := c.s.Jobs()[0].Name; got != "python" {
		t.Errorf("the job is named %q", got)
	}
	again := firstError(c.call(http.StatusBadRequest, "POST", run, pythonRun(files, "-pym", "my_job")))
	if !strings.Contains(again, "exits with code: 1") || strings.Contains(again, "Duplicate") {
		t.Errorf("the same job again: %s", again)
	}
}

func TestPythonDriver_ASecondExecuteLeavesTheFirstJob(t *testing.T) {
	t.Parallel()
	c := start(t)
	run := "/jars/" + c.upload(Jar(classPythonDriver)) + "/run"
	files := uploadDir + "/" + c.upload(zipWith(t, "my_job.py"))
	c.call(http.StatusBadRequest, "POST", run, pythonRun(files, "-pym", "my_job", "--twice"))
	if job, ok := c.s.Job(aPythonJob); !ok || terminal(job.State) {
		t.Errorf("the first job is %+v", job)
	}
}

// Measured on 2.3.0 and 1.20.5: the launcher ends the process that it runs in.
func TestPythonDriver_ArgumentsThatItCannotReadEndTheJobManager(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{}, {"-pym"}, {"-py", "/x/bundle.jar"}, {"-pym", "my_job", "-py", "x.txt"}, {"-pym", "my_job", "-py", "x.py"},
	} {
		c := start(t)
		c.call(http.StatusOK, "POST", "/jars/"+c.upload(Jar(classCounter))+"/run", map[string]any{"entryClass": classCounter})
		driver := c.upload(Jar(classPythonDriver))
		body, err := json.Marshal(pythonRun("", args...))
		if err != nil {
			t.Fatal(err)
		}
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.s.URL()+"/jars/"+driver+"/run", strings.NewReader(string(body)))
		if err != nil {
			t.Fatal(err)
		}
		if response, err := http.DefaultClient.Do(request); err == nil {
			_ = response.Body.Close()
			t.Errorf("%q: answered %s", args, response.Status)
		}
		if jobs := c.s.Jobs(); len(jobs) != 0 {
			t.Errorf("%q: the JobManager still knows %+v", args, jobs)
		}
	}
}

func TestPythonDriver_WhatIsBehindTheSeparatorIsTheProgramsOwn(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ args, want []string }{
		{[]string{"-pym", "m", "--", "-py", "x.txt", "--"}, []string{"-py", "x.txt", "--"}},
		{[]string{"-pyfs", "f", "-pym", "m", "--name", "n", "-py", "x.txt"}, []string{"--name", "n", "-py", "x.txt"}},
	} {
		if got, ok := parsePython(test.args); !ok || got.module != "m" || !slices.Equal(got.program, test.want) {
			t.Errorf("%q is read as %+v (%v)", test.args, got, ok)
		}
	}
}

func TestPythonDriver_WorkersNeedPythonFiles(t *testing.T) {
	t.Parallel()
	c := start(t)
	run := "/jars/" + c.upload(Jar(classPythonDriver)) + "/run"
	files := uploadDir + "/" + c.upload(zipWith(t, "my_job.py"))
	c.call(http.StatusOK, "POST", run, pythonRun("", "-pyfs", files, "-pym", "my_job"))
	c.s.Advance(time.Minute)
	if job, _ := c.s.Job(aPythonJob); job.State != "FAILED" {
		t.Errorf("without python.files the job is %s", job.State)
	}
}
