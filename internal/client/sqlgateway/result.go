// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package sqlgateway

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
)

// Result is what a statement returned.
type Result struct {
	// JobID is the job that the statement started, empty if it started none.
	JobID   string
	Columns []string
	// Rows are in JSON, as the gateway sends each field.
	Rows [][]json.RawMessage
	// More is true where the statement has rows that were not read.
	More bool
}

// page is one part of a result.
type page struct {
	Type    string `json:"resultType"`
	JobID   string `json:"jobID"`
	Next    string `json:"nextResultUri"`
	Results struct {
		Columns []struct {
			Name string `json:"name"`
		} `json:"columns"`
		Data []struct {
			Fields []json.RawMessage `json:"fields"`
		} `json:"data"`
	} `json:"results"`
}

// The types of a page.
const (
	notReady = "NOT_READY"
	payload  = "PAYLOAD"
)

// page reads one page. The gateway gives only the newest page again, so that a
// page that was read is gone when the next one was asked for.
func (o *Operation) page(ctx context.Context, token string) (*page, error) {
	var answer page
	err := o.session.client.do(ctx, rest.Request{
		Method: http.MethodGet, Path: o.path("result", token), Query: url.Values{"rowFormat": {"JSON"}}, Out: &answer,
	})
	if err != nil {
		return nil, o.fault(err, true)
	}
	return &answer, nil
}

// Result reads what the statement returned, up to a number of rows. It waits
// for what is not ready.
func (o *Operation) Result(ctx context.Context, limit int) (*Result, error) {
	result := &Result{}
	look := 0
	for token := "0"; ; {
		answer, err := o.page(ctx, token)
		if err != nil {
			return nil, err
		}
		if answer.JobID != "" {
			result.JobID = answer.JobID
		}
		result.add(answer, limit)
		if answer.Next == "" || result.More {
			return result, nil
		}
		if answer.Type == payload && len(answer.Results.Data) > 0 {
			look = 0
		} else if answer.Type == notReady || look > 0 {
			if !pause(ctx, pollTime(look)) {
				return nil, o.fault(ctx.Err(), true)
			}
		}
		look++
		if token = nextToken(answer.Next); token == "" {
			return result, nil
		}
	}
}

func (r *Result) add(answer *page, limit int) {
	if len(r.Columns) == 0 {
		for _, column := range answer.Results.Columns {
			r.Columns = append(r.Columns, column.Name)
		}
	}
	for _, row := range answer.Results.Data {
		if len(r.Rows) >= limit {
			r.More = true
			return
		}
		r.Rows = append(r.Rows, row.Fields)
	}
}

// nextToken is the last element of the path to the next page. The path itself
// is the gateway's own, without the prefix that a proxy before it may have.
func nextToken(next string) string {
	parsed, err := url.Parse(next)
	if err != nil || !strings.Contains(parsed.Path, "/result/") {
		return ""
	}
	return path.Base(parsed.Path)
}

// rowsOfRun is how many rows Run keeps: enough for what is defined, described
// or explained.
const rowsOfRun = 1000

// Run executes a statement to its end and returns its result: for a pipeline,
// the id of the job that it started. Where the outcome is unknown (see
// OutcomeUnknown), a job may have been started.
func (s *Session) Run(ctx context.Context, statement Statement) (*Result, error) {
	o, err := s.Submit(ctx, statement)
	if err != nil {
		return nil, err
	}
	if err := o.Wait(ctx); err != nil {
		return nil, err
	}
	result, err := o.Result(ctx, rowsOfRun)
	if err != nil {
		return nil, err
	}
	// What is left of an operation ends with its session as well.
	_ = o.Close(ctx)
	return result, nil
}

// Text is the one text that a statement such as EXPLAIN or SHOW CREATE TABLE
// returned, empty for another result.
func (r *Result) Text() string {
	var text string
	if len(r.Rows) != 1 || len(r.Rows[0]) != 1 || json.Unmarshal(r.Rows[0][0], &text) != nil {
		return ""
	}
	return text
}
