// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"bytes"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
	"time"
)

// client talks to a fake in a test.
type client struct {
	t *testing.T
	s *Server
}

func start(t *testing.T, opts ...Option) *client {
	t.Helper()
	s := New(opts...)
	t.Cleanup(s.Close)
	return &client{t: t, s: s}
}

// try sends a request and returns the status, 0 if none came.
func (c *client) try(method, path string, body any) (int, []byte, error) {
	c.t.Helper()
	var r io.Reader = http.NoBody
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			c.t.Fatal(err)
		}
		r = bytes.NewReader(b)
	}
	req, err := http.NewRequestWithContext(c.t.Context(), method, c.s.URL()+path, r)
	if err != nil {
		c.t.Fatal(err)
	}
	return c.do(req)
}

func (c *client) do(req *http.Request) (int, []byte, error) {
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	data, err := io.ReadAll(resp.Body)
	return resp.StatusCode, data, err
}

func (c *client) call(want int, method, path string, body any) map[string]any {
	c.t.Helper()
	status, data, err := c.try(method, path, body)
	if err != nil {
		c.t.Fatalf("%s %s: %s", method, path, err)
	}
	if status != want {
		c.t.Fatalf("%s %s answered %d, want %d: %s", method, path, status, want, data)
	}
	var out map[string]any
	if err := json.Unmarshal(data, &out); err != nil {
		c.t.Fatalf("%s %s: %s in %s", method, path, err, data)
	}
	return out
}

func (c *client) upload(content []byte) string {
	c.t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	f, err := w.CreateFormFile("jarfile", "app.jar")
	if err == nil {
		_, err = f.Write(content)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		c.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, c.s.URL()+"/jars/upload", &b)
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("Content-Type", w.FormDataContentType())
	status, data, err := c.do(req)
	if err != nil || status != http.StatusOK {
		c.t.Fatalf("upload: %v %s", err, data)
	}
	jars := c.s.Jars()
	return jars[len(jars)-1].ID
}

// run starts the counter and returns the job's id.
func (c *client) run(body map[string]any) string {
	c.t.Helper()
	id := c.upload(Jar("streaming.jobs.Counter"))
	out := c.call(200, "POST", "/jars/"+id+"/run", body)
	job, isText := out["jobid"].(string)
	if !isText {
		c.t.Fatalf("no jobid in %v", out)
	}
	return job
}

func (c *client) until(what string, done func() bool) {
	c.t.Helper()
	for range 500 {
		if done() {
			return
		}
		time.Sleep(2 * time.Millisecond)
	}
	c.t.Fatalf("waited for %s in vain", what)
}

func (c *client) running(id string) {
	c.t.Helper()
	c.until("running tasks", func() bool {
		list, isList := c.call(200, "GET", "/jobs/overview", nil)["jobs"].([]any)
		for _, e := range list {
			m, isMap := e.(map[string]any)
			if !isList || !isMap || m["jid"] != id {
				continue
			}
			tasks, isMap := m["tasks"].(map[string]any)
			return isMap && tasks["running"] == tasks["total"] && tasks["total"] != 0.0
		}
		return false
	})
}

// stop stops the job with a savepoint and returns its path.
func (c *client) stop(id, trigger string) string {
	c.t.Helper()
	body := map[string]any{"targetDirectory": "file:/fake/sp/a/1"}
	if trigger != "" {
		body["triggerId"] = trigger
	}
	out := c.call(202, "POST", "/jobs/"+id+"/stop", body)
	var location string
	c.until("the savepoint", func() bool {
		op, isMap := c.call(200, "GET", "/jobs/"+id+"/savepoints/"+out["request-id"].(string), nil)["operation"].(map[string]any)
		location, _ = op["location"].(string)
		return isMap && location != ""
	})
	c.until("the end", func() bool { return c.state(id) == "FINISHED" })
	return location
}

func (c *client) state(id string) string {
	c.t.Helper()
	j, known := c.s.Job(id)
	if !known {
		return ""
	}
	return j.State
}

const someID = "0123456789abcdef0123456789abcdef"

func TestJob_KeepsItsProgressThroughStopAndRestore(t *testing.T) {
	t.Parallel()
	c := start(t)
	id := c.run(map[string]any{
		"jobId": someID, "programArgsList": []string{"--name", "a", "--rate", "1000"},
		"flinkConfiguration": map[string]string{"execution.checkpointing.interval": "1 s"},
	})
	if id != someID {
		t.Fatalf("the job's id is %s", id)
	}
	c.running(id)
	c.s.Advance(10 * time.Second)
	location := c.stop(id, "")
	if !strings.HasPrefix(location, "file:/fake/sp/a/1/savepoint-012345-") {
		t.Errorf("the savepoint is at %s", location)
	}
	before, _ := c.s.Job(id)
	if before.Progress < 10000 {
		t.Errorf("counted %d in ten seconds", before.Progress)
	}
	next := c.run(map[string]any{"savepointPath": location, "programArgsList": []string{"--name", "b"}})
	after, _ := c.s.Job(next)
	if after.InitialProgress != before.Progress || after.RestoredFrom != location {
		t.Errorf("restored %d from %q, want %d from %q", after.InitialProgress, after.RestoredFrom, before.Progress, location)
	}
	c.call(400, "POST", "/jars/"+c.upload(Jar("streaming.jobs.Counter"))+"/run", map[string]any{"jobId": someID})
}
