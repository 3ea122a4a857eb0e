// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
)

// collecting is how long Flink is given to collect its metrics.
const collecting = 300 * time.Millisecond

// Restarts reads how often Flink has restarted the job by itself. ok is false
// while Flink does not tell it: it collects the number when somebody asks, at
// most every metrics.fetcher.update-interval, ten seconds, and answers with
// what it had before. So it is asked twice, and the number may be that old. Of
// a job that has ended it keeps what it happened to have, or nothing, and of
// one that it does not know it says nothing at all.
func (c *Client) Restarts(ctx context.Context, id string) (n int64, ok bool, err error) {
	if _, _, err := c.collectedRestarts(ctx, id); err != nil {
		return 0, false, err
	}
	select {
	case <-ctx.Done():
		return 0, false, ctx.Err()
	case <-time.After(collecting):
	}
	return c.collectedRestarts(ctx, id)
}

func (c *Client) collectedRestarts(ctx context.Context, id string) (n int64, ok bool, err error) {
	const name = "numRestarts"
	var answer []struct {
		ID    string `json:"id"`
		Value string `json:"value"`
	}
	_, err = c.rest.Do(ctx, rest.Request{
		Method: http.MethodGet, Path: []string{"jobs", id, "metrics"}, Query: url.Values{"get": {name}}, Out: &answer,
	})
	if err != nil || len(answer) == 0 || answer[0].ID != name {
		return 0, false, err
	}
	n, err = strconv.ParseInt(answer[0].Value, 10, 64)
	if err != nil {
		return 0, false, fmt.Errorf("the metric %s of job %s is no number: %w", name, id, err)
	}
	return n, true, nil
}
