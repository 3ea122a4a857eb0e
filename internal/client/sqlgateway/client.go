// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package sqlgateway is a client of the Flink SQL gateway's REST API, from its
// version 2 on (Flink 1.17).
package sqlgateway

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
)

// versions are those of the API that this client speaks, the best first. What
// it uses is the same in all of them.
var versions = []string{"v4", "v3", "v2"}

// Client talks to one SQL gateway. It is safe for concurrent use.
type Client struct {
	rest *rest.Client

	mu      sync.Mutex
	version string
}

// New returns a client over the transport.
func New(transport *rest.Client) *Client { return &Client{rest: transport} }

// Endpoint is the gateway's base URL without user info and trailing slash.
func (c *Client) Endpoint() string { return c.rest.Endpoint() }

// Info is what the gateway says of itself.
type Info struct {
	Product string `json:"productName"`
	// Version is the version of Flink.
	Version string `json:"version"`
}

// Info reads the gateway's product and version.
func (c *Client) Info(ctx context.Context) (Info, error) {
	var info Info
	if err := c.rest.Get(ctx, &info, "info"); err != nil {
		return Info{}, err
	}
	if info.Version == "" {
		return Info{}, &rest.NotAPIError{Where: "GET /info", Status: http.StatusOK, ContentType: "JSON without version"}
	}
	return info, nil
}

// Version is the newest version of the API that the gateway and this client
// have in common, in the spelling of a path: "v4". The gateway is asked once.
func (c *Client) Version(ctx context.Context) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.version != "" {
		return c.version, nil
	}
	var answer struct {
		Versions []string `json:"versions"`
	}
	if err := c.rest.Get(ctx, &answer, "api_versions"); err != nil {
		return "", err
	}
	for _, version := range versions {
		if slices.ContainsFunc(answer.Versions, func(v string) bool { return strings.EqualFold(v, version) }) {
			c.version = version
			return version, nil
		}
	}
	return "", fmt.Errorf("the SQL gateway at %s speaks %s of its API, needed is one of %s: use the SQL gateway of Flink 1.17 or newer",
		c.Endpoint(), named(answer.Versions), strings.Join(versions, ", "))
}

func named(versions []string) string {
	if len(versions) == 0 {
		return "no version"
	}
	return strings.Join(versions, ", ")
}

// do sends a request below the API's version.
func (c *Client) do(ctx context.Context, request rest.Request) error {
	version, err := c.Version(ctx)
	if err != nil {
		return err
	}
	request.Path = append([]string{version}, request.Path...)
	_, err = c.rest.Do(ctx, request)
	return err
}

// answer is an answer of the gateway's that is an error, nil for another error.
func answer(err error) *rest.Error {
	found, ok := errors.AsType[*rest.Error](err)
	if !ok || !found.Engine {
		return nil
	}
	return found
}

// IsSessionGone tells whether the gateway does not know the session, which it
// keeps in memory, and forgets when nobody asks for it for a while. It has no
// status of its own for that.
func IsSessionGone(err error) bool {
	found := answer(err)
	return found != nil && strings.Contains(found.Text, "Session '") && strings.Contains(found.Text, "' does not exist")
}

// IsOperationGone tells whether the gateway does not know the operation: it was
// closed, or belongs to a session of before.
func IsOperationGone(err error) bool {
	found := answer(err)
	return found != nil && strings.Contains(found.Text, "Can not find the submitted operation")
}
