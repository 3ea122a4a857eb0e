// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package pravega is a client of the Pravega controller's REST API. The API
// gives no reasons: most errors have no body, bad input gives a page of HTML,
// and a failure of an update may have been carried out. The client adds the
// meaning, reads back what it cannot know, and repeats what is safe to repeat.
package pravega

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/serial"
)

// writeTimeout limits one try of one write. The controller was seen to hold a
// call for 83 seconds before it answered.
const writeTimeout = 120 * time.Second

// Client talks to one Pravega controller. It is safe for concurrent use.
type Client struct {
	rest  *rest.Client
	locks serial.Locks
	// pauses are the waits between the tries of an operation that met another one.
	pauses []time.Duration
	// confirmed is true once the endpoint was seen to serve the API.
	confirmed atomic.Bool
}

// New returns a client over the transport.
func New(transport *rest.Client) *Client {
	const ms = time.Millisecond
	return &Client{
		rest: transport,
		// 21 seconds in all: a change of segments takes up to a few seconds, and
		// ten at once on a loaded controller took fourteen.
		pauses: []time.Duration{200 * ms, 400 * ms, 800 * ms, 1600 * ms, 3000 * ms, 5000 * ms, 5000 * ms, 5000 * ms},
	}
}

// Endpoint is the controller's base URL without user info and trailing slash.
func (c *Client) Endpoint() string { return c.rest.Endpoint() }

// get reads JSON into out.
func (c *Client) get(ctx context.Context, what string, out any, query url.Values, path ...string) error {
	_, err := c.rest.Do(ctx, rest.Request{
		Method: http.MethodGet, Path: append([]string{"v1"}, path...), Query: query, Out: out,
	})
	return c.confirm(ctx, meaning(what, err))
}

// write sends a POST, PUT or DELETE. The answer is not looked at: what was
// written is read back.
func (c *Client) write(ctx context.Context, what, method string, body any, path ...string) error {
	_, err := c.rest.Do(ctx, rest.Request{
		Method: method, Path: append([]string{"v1"}, path...), Body: body, Timeout: writeTimeout,
	})
	return c.confirm(ctx, meaning(what, err))
}

// confirm returns the error, unless it says that something does not exist and
// the endpoint does not serve the API at all: Pravega answers an unknown path
// just as it answers an unknown stream. The list of scopes always exists, even
// where it may not be read.
func (c *Client) confirm(ctx context.Context, err error) error {
	if !errors.Is(err, ErrNotFound) || c.confirmed.Load() {
		return err
	}
	_, probeErr := c.rest.Do(ctx, rest.Request{Method: http.MethodGet, Path: []string{"v1", "scopes"}})
	switch rest.StatusOf(probeErr) {
	case http.StatusNotFound:
		return &rest.NotAPIError{Where: "GET /v1/scopes", Status: http.StatusNotFound, ContentType: "an answer as for an unknown path"}
	case 0:
		if probeErr != nil {
			return probeErr
		}
	case http.StatusUnauthorized, http.StatusForbidden:
	default:
		return probeErr
	}
	c.confirmed.Store(true)
	return err
}

// pause waits before another try; false means that no try is left.
func (c *Client) pause(ctx context.Context, try int) bool {
	if try >= len(c.pauses) {
		return false
	}
	timer := time.NewTimer(c.pauses[try])
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
