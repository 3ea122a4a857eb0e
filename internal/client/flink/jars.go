// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"path"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
)

// Jar is one uploaded file.
type Jar struct {
	// ID is a random prefix and the file name.
	ID       string `json:"id"`
	Name     string `json:"name"`
	Uploaded int64  `json:"uploaded"`
	Entry    []struct {
		Name string `json:"name"`
	} `json:"entry"`
}

// EntryClasses are the classes that the jar's manifest offers to run.
func (j *Jar) EntryClasses() []string {
	classes := make([]string, 0, len(j.Entry))
	for _, entry := range j.Entry {
		classes = append(classes, entry.Name)
	}
	return classes
}

// RunRequest is the body of a submission. Only what this provider uses: Flink
// ignores unknown fields silently, so there must be none. Flink 1.14, which
// refuses them, has neither ClaimMode nor FlinkConfiguration; see Strict.
type RunRequest struct {
	EntryClass            string            `json:"entryClass,omitempty"`
	ProgramArgsList       []string          `json:"programArgsList,omitempty"`
	Parallelism           int64             `json:"parallelism,omitempty"`
	JobID                 string            `json:"jobId,omitempty"`
	AllowNonRestoredState bool              `json:"allowNonRestoredState,omitempty"`
	SavepointPath         string            `json:"savepointPath,omitempty"`
	ClaimMode             string            `json:"claimMode,omitempty"`
	FlinkConfiguration    map[string]string `json:"flinkConfiguration,omitempty"`
}

// NoClaim leaves the savepoint that a job is restored from to its owner.
const NoClaim = "NO_CLAIM"

// Jars lists the uploaded files. An upload directory that was deleted reads
// as no files.
func (c *Client) Jars(ctx context.Context) ([]Jar, error) {
	var answer struct {
		Files []Jar `json:"files"`
	}
	if err := c.rest.Get(ctx, &answer, "jars"); err != nil {
		return nil, err
	}
	return answer.Files, nil
}

// UploadJar sends a file and returns its id. Flink keeps equal files apart.
func (c *Client) UploadJar(ctx context.Context, upload rest.Upload) (string, error) {
	upload.Field = "jarfile"
	var answer struct {
		FileName string `json:"filename"`
		Status   string `json:"status"`
	}
	request := rest.Request{
		Method: http.MethodPost, Path: []string{"jars", "upload"},
		Upload: &upload, Out: &answer, Timeout: rest.NoTimeout,
	}
	if _, err := c.rest.Do(ctx, request); err != nil {
		return "", err
	}
	// An absolute path on the JobManager; its last element is the id.
	return path.Base(answer.FileName), nil
}

// LockUpload waits until nobody in this process is about to upload a content,
// and returns what lets others do so.
func (c *Client) LockUpload(ctx context.Context, sha string) (release func(), err error) {
	return c.uploads.Lock(ctx, sha)
}

// UploadDirectory is where the JobManager keeps uploads, as a path of its own
// machine: GET /jars shows ids alone.
func (c *Client) UploadDirectory(ctx context.Context) (string, error) {
	settings, err := c.JobManagerConfig(ctx)
	if err != nil {
		return "", err
	}
	// Where web.upload.dir is not set, the JobManager makes a web.tmpdir and shows it.
	parent := cmp.Or(settings["web.upload.dir"], settings["web.tmpdir"])
	if !path.IsAbs(parent) {
		return "", fmt.Errorf("the JobManager does not tell where it keeps uploads: web.upload.dir is %q, and has to be an absolute path", parent)
	}
	return path.Join(parent, "flink-web-upload"), nil
}

// RunJar submits the jar's program and returns the job id. It lasts as long as
// the program's main().
func (c *Client) RunJar(ctx context.Context, jarID string, body RunRequest) (string, error) {
	var answer struct {
		JobID string `json:"jobid"`
	}
	request := rest.Request{
		Method: http.MethodPost, Path: []string{"jars", jarID, "run"},
		Body: body, Out: &answer, Timeout: rest.NoTimeout,
	}
	if _, err := c.rest.Do(ctx, request); err != nil {
		return "", err
	}
	return answer.JobID, nil
}

// PlanJar runs the program's main() without starting a job, and returns the
// name of the job that it would have started.
func (c *Client) PlanJar(ctx context.Context, jarID string, body RunRequest) (string, error) {
	var answer struct {
		Plan struct {
			Name string `json:"name"`
		} `json:"plan"`
	}
	request := rest.Request{Method: http.MethodPost, Path: []string{"jars", jarID, "plan"}, Body: body, Out: &answer}
	if _, err := c.rest.Do(ctx, request); err != nil {
		return "", err
	}
	return answer.Plan.Name, nil
}

// DeleteJar deletes a file. A file that does not exist is no error; jobs that
// run from it go on.
func (c *Client) DeleteJar(ctx context.Context, jarID string) error {
	_, err := c.rest.Do(ctx, rest.Request{Method: http.MethodDelete, Path: []string{"jars", jarID}})
	if IsJarMissing(err) {
		return nil
	}
	return err
}

// IsJarMissing tells whether Flink says that a jar does not exist. It answers
// 400 to a delete and 500 (1.14: 400) to a run.
func IsJarMissing(err error) bool {
	var answer *rest.Error
	return errors.As(err, &answer) && answer.Engine && strings.Contains(answer.Text, "does not exist") &&
		(strings.Contains(answer.Text, "Jar file ") || strings.Contains(answer.Text, "File "))
}
