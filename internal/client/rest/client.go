// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package rest is the transport that every engine's client shares: one
// endpoint with a path prefix, credentials, TLS, retries that cannot start
// anything twice, and errors that carry the root cause.
package rest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// DefaultRequestTimeout limits one try of one request that is not an upload or
// a job submission.
const DefaultRequestTimeout = 30 * time.Second

// BasicAuth is a user name and password, sent pre-emptively: Pravega answers
// 401 without naming a scheme.
type BasicAuth struct {
	Username string
	Password string
}

// Config describes one endpoint. The zero value of each optional field means
// what the field says.
type Config struct {
	// Endpoint is the base URL, with an optional path prefix that is kept.
	Endpoint string
	// BasicAuth and BearerToken exclude each other.
	BasicAuth   *BasicAuth
	BearerToken string
	// Headers are added to each request and never sent to another host.
	Headers map[string]string
	TLS     TLS
	// RequestTimeout limits one try; zero means DefaultRequestTimeout.
	RequestTimeout time.Duration
	// Retry says how often and how slowly reads are repeated.
	Retry Retry
	// UserAgent is sent with each request.
	UserAgent string
	// Log receives one line per try: never a header, a query or a body.
	Log func(ctx context.Context, message string, fields map[string]any)
}

// Client sends requests to one endpoint. It is safe for concurrent use.
type Client struct {
	base    *url.URL
	config  Config
	http    *http.Client
	timeout time.Duration
}

// New checks the configuration and returns a client. Nothing is sent.
func New(config Config) (*Client, error) {
	base, err := parseEndpoint(config.Endpoint)
	if err != nil {
		return nil, err
	}
	if err := config.checkCredentials(); err != nil {
		return nil, err
	}
	tlsConfig, err := config.TLS.build()
	if err != nil {
		return nil, err
	}
	transport := &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSClientConfig:     tlsConfig,
		TLSHandshakeTimeout: 10 * time.Second,
		MaxIdleConnsPerHost: 16,
		IdleConnTimeout:     60 * time.Second,
	}
	timeout := config.RequestTimeout
	if timeout <= 0 {
		timeout = DefaultRequestTimeout
	}
	return &Client{
		base:    base,
		config:  config,
		http:    &http.Client{Transport: transport, CheckRedirect: sameHostOnly},
		timeout: timeout,
	}, nil
}

// checkCredentials refuses what would fail with each request, or be read
// otherwise by the server, without repeating any of it.
func (c Config) checkCredentials() error {
	const broken = "%s holds a line break or another control character; if it comes from a file, use trimspace(file(...))"
	for name, value := range c.Headers {
		if strings.ContainsFunc(name, unfitForName) || name == "" {
			return fmt.Errorf("headers: %q is not a header's name", name)
		}
		if strings.ContainsFunc(value, unfitForHeader) {
			return fmt.Errorf(broken, "headers: the value of "+name)
		}
	}
	if strings.ContainsFunc(c.BearerToken, unfitForHeader) {
		return fmt.Errorf(broken, "bearer_token")
	}
	switch auth := c.BasicAuth; {
	case auth == nil:
		return nil
	case c.BearerToken != "":
		return errors.New("basic_auth and bearer_token exclude each other")
	case strings.Contains(auth.Username, ":"):
		return errors.New("basic_auth: a user name cannot hold a colon, which separates it from the password")
	case strings.ContainsFunc(auth.Username, unfitForHeader):
		return fmt.Errorf(broken, "basic_auth: the user name")
	case strings.ContainsFunc(auth.Password, unfitForHeader):
		return fmt.Errorf(broken, "basic_auth: the password")
	}
	return nil
}

func unfitForHeader(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }

func unfitForName(r rune) bool {
	return r <= ' ' || r >= 0x7f || strings.ContainsRune("\"(),/:;<=>?@[\\]{}", r)
}

// Endpoint is the base URL without user info and without a trailing slash: the
// spelling that identities are derived from.
func (c *Client) Endpoint() string { return c.base.String() }

// Close drops idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// NormalizeEndpoint returns the spelling of an endpoint that Endpoint has.
func NormalizeEndpoint(endpoint string) (string, error) {
	u, err := parseEndpoint(endpoint)
	if err != nil {
		return "", err
	}
	return u.String(), nil
}

func parseEndpoint(endpoint string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(endpoint))
	if err != nil {
		// url.Parse's error repeats its input, which may hold a password.
		return nil, errors.New("endpoint is not a URL; write it like \"http://host:8081\" or \"https://host/prefix\"")
	}
	switch {
	case u.User != nil:
		return nil, errors.New("endpoint holds a user name or password; use basic_auth for them, since the endpoint is kept in state")
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("endpoint %q has no http or https scheme; write it like \"http://host:8081\"", u.Redacted())
	case u.Host == "":
		return nil, fmt.Errorf("endpoint %q has no host; write it like \"http://host:8081\"", u.Redacted())
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, errors.New("endpoint has a query or a fragment; only scheme, host, port and path are allowed")
	}
	u.Scheme = strings.ToLower(u.Scheme)
	u.Host = strings.ToLower(u.Host)
	u.Path = strings.TrimRight(u.Path, "/")
	u.RawPath = strings.TrimRight(u.RawPath, "/")
	return u, nil
}

// sameHostOnly lets a read be sent on to the leader under the same host, and
// stops everything else: a followed POST becomes a GET, and credentials must
// not reach another host.
func sameHostOnly(req *http.Request, via []*http.Request) error {
	first := via[0]
	read := first.Method == http.MethodGet || first.Method == http.MethodHead
	downgrade := first.URL.Scheme == "https" && req.URL.Scheme != "https"
	if !read || downgrade || !strings.EqualFold(req.URL.Host, first.URL.Host) || len(via) > 3 {
		return http.ErrUseLastResponse
	}
	return nil
}

// url joins the base and the elements, each escaped on its own, so that a
// name with a slash or a dot stays one element.
func (c *Client) url(elements []string, query url.Values) *url.URL {
	u := *c.base
	path := []string{c.base.EscapedPath()}
	for _, element := range elements {
		path = append(path, escapeElement(element))
	}
	escaped := strings.Join(path, "/")
	u.RawPath = escaped
	if unescaped, err := url.PathUnescape(escaped); err == nil {
		u.Path = unescaped
	}
	u.RawQuery = query.Encode()
	return &u
}

// escapeElement also escapes the dots of "." and "..", which HTTP clients and
// proxies otherwise resolve.
func escapeElement(element string) string {
	if element == "." || element == ".." {
		return strings.ReplaceAll(element, ".", "%2E")
	}
	return url.PathEscape(element)
}
