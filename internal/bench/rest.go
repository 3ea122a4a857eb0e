// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"path"
	"time"
)

// api is Flink's REST API as a script sees it: it shares nothing with the
// provider's own client.
type api string

func (a api) get(ctx context.Context, target any, route string) error {
	return a.send(ctx, http.MethodGet, route, "", nil, target)
}

func (a api) post(ctx context.Context, route string, body, target any) error {
	content, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return a.send(ctx, http.MethodPost, route, "application/json", content, target)
}

func (a api) send(ctx context.Context, method, route, contentType string, body []byte, target any) error {
	request, err := http.NewRequestWithContext(ctx, method, string(a)+route, bytes.NewReader(body))
	if err != nil {
		return err
	}
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode/100 != 2 {
		return fmt.Errorf("%s %s: %s: %.500s", method, route, response.Status, answer)
	}
	return json.Unmarshal(answer, target)
}

// upload sends a jar and returns the id to run it by.
func (a api) upload(ctx context.Context, name string, jar []byte) (string, error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("jarfile", name)
	if err == nil {
		_, err = part.Write(jar)
	}
	if err == nil {
		err = form.Close()
	}
	if err != nil {
		return "", err
	}
	var answer struct{ Filename string }
	err = a.send(ctx, http.MethodPost, "/jars/upload", form.FormDataContentType(), body.Bytes(), &answer)
	return path.Base(answer.Filename), err
}

// look is what the engine notes of a job.
type look struct {
	State      string
	Timestamps map[string]int64
	Vertices   []struct{ ID string }
}

// downtime is the time from the end of one job until the last part of the next
// one ran, by the engine's own clock.
func (a api) downtime(ctx context.Context, before, after string) (time.Duration, error) {
	ended, err := a.eventually(ctx, func() (int64, error) {
		var job look
		err := a.get(ctx, &job, "/jobs/"+before)
		return job.Timestamps["FINISHED"], err
	})
	if err != nil {
		return 0, fmt.Errorf("the end of job %s: %w", before, err)
	}
	runs, err := a.eventually(ctx, func() (int64, error) { return a.allRunning(ctx, after) })
	if err != nil {
		return 0, fmt.Errorf("the start of job %s: %w", after, err)
	}
	if runs <= ended {
		return 0, fmt.Errorf("job %s ran at %d, before job %s ended at %d", after, runs, before, ended)
	}
	return time.Duration(runs-ended) * time.Millisecond, nil
}

// allRunning is when the last subtask of a job began to run, 0 while one does
// not.
func (a api) allRunning(ctx context.Context, id string) (int64, error) {
	var job look
	if err := a.get(ctx, &job, "/jobs/"+id); err != nil {
		return 0, err
	}
	last := int64(0)
	for _, vertex := range job.Vertices {
		var times struct {
			Subtasks []struct{ Timestamps map[string]int64 }
		}
		if err := a.get(ctx, &times, "/jobs/"+id+"/vertices/"+vertex.ID+"/subtasktimes"); err != nil {
			return 0, err
		}
		for _, subtask := range times.Subtasks {
			if subtask.Timestamps["RUNNING"] <= 0 {
				return 0, nil
			}
			last = max(last, subtask.Timestamps["RUNNING"])
		}
	}
	return last, nil
}

// eventually repeats a look until it finds something: the engine answers about
// one job from a cache.
func (a api) eventually(ctx context.Context, find func() (int64, error)) (int64, error) {
	for deadline := time.Now().Add(time.Minute); ; {
		found, err := find()
		if err != nil || found > 0 {
			return found, err
		}
		if time.Now().After(deadline) {
			return 0, fmt.Errorf("not seen in a minute")
		}
		if err := sleep(ctx, 200*time.Millisecond); err != nil {
			return 0, err
		}
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
