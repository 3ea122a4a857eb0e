// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package pravega is a client of the Pravega controller's REST API.
package pravega

import (
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
)

// Client talks to one Pravega controller. It is safe for concurrent use.
type Client struct {
	rest *rest.Client
}

// New returns a client over the transport.
func New(transport *rest.Client) *Client { return &Client{rest: transport} }

// Endpoint is the controller's base URL without user info and trailing slash.
func (c *Client) Endpoint() string { return c.rest.Endpoint() }
