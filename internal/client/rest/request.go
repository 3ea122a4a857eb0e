// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// maxAnswer bounds what is read of an answer: a list of ten thousand jobs is
// about 4 MB, and a proxy's error page must not fill memory.
const maxAnswer = 64 << 20

// NoTimeout as Request.Timeout leaves the limit to the context: for uploads,
// and for submissions, which last as long as the program's main().
const NoTimeout time.Duration = -1

// Request is one call.
type Request struct {
	Method string
	// Path holds the elements below the endpoint, unescaped.
	Path  []string
	Query url.Values
	// Body is sent as JSON when it is not nil.
	Body any
	// Upload is sent as the one file of a multipart form.
	Upload *Upload
	// Out receives the decoded JSON answer when it is not nil.
	Out any
	// Text receives the end of an answer that is plain text, when it is not nil.
	Text *Tail
	// Timeout of one try; zero means the client's, NoTimeout none.
	Timeout time.Duration
	// Accept lists statuses besides 2xx that are no error.
	Accept []int
}

// Tail is the end of a text, such as a log, of which the rest is not kept.
type Tail struct {
	// Limit is how many bytes are kept at most.
	Limit int
	// Content are the last bytes.
	Content []byte
}

// Write keeps the end of what was written.
func (t *Tail) Write(p []byte) (int, error) {
	t.Content = append(t.Content, p...)
	if len(t.Content) > 2*t.Limit {
		t.Content = append([]byte(nil), t.Content[len(t.Content)-t.Limit:]...)
	}
	return len(p), nil
}

// Get reads JSON into out.
func (c *Client) Get(ctx context.Context, out any, path ...string) error {
	_, err := c.Do(ctx, Request{Method: http.MethodGet, Path: path, Out: out})
	return err
}

// Do sends the request and returns the status. Errors are *Error for an answer
// with another status, *TransportError when no whole answer came.
func (c *Client) Do(ctx context.Context, request Request) (int, error) {
	if slices.Contains(request.Path, "") {
		// /jobs//exceptions is another route, or none, to which a server answers something.
		return 0, fmt.Errorf("nothing was sent: an id or name in %s /%s is empty, which is a bug of the provider", request.Method, strings.Join(request.Path, "/"))
	}
	var body []byte
	if request.Body != nil {
		var err error
		if body, err = json.Marshal(request.Body); err != nil {
			return 0, fmt.Errorf("encode request: %w", err)
		}
	}
	for try := 1; ; try++ {
		status, err := c.try(ctx, request, body)
		if err == nil || !repeatable(request.Method, err) || try >= c.config.Retry.tries() {
			return status, tried(err, try)
		}
		if waitErr := sleep(ctx, c.config.Retry.delay(try)); waitErr != nil {
			return status, tried(err, try)
		}
	}
}

func (c *Client) try(ctx context.Context, request Request, body []byte) (int, error) {
	ctx, cancel := c.limit(ctx, request.Timeout)
	defer cancel()
	target := c.url(request.Path, request.Query)
	where := request.Method + " " + target.Path
	httpRequest, err := c.newRequest(ctx, request, target, body)
	if err != nil {
		return 0, err
	}
	started := time.Now()
	response, err := c.http.Do(httpRequest)
	if err != nil {
		c.log(ctx, request.Method, target, 0, started)
		return 0, newTransportError(request.Method, where, err)
	}
	defer func() { _ = response.Body.Close() }()
	if request.Text != nil && response.StatusCode == http.StatusOK {
		_, err := io.Copy(request.Text, response.Body)
		c.log(ctx, request.Method, target, response.StatusCode, started)
		if err != nil {
			return response.StatusCode, newTransportError(request.Method, where, err)
		}
		return response.StatusCode, nil
	}
	content, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	c.log(ctx, request.Method, target, response.StatusCode, started)
	if err != nil {
		return response.StatusCode, newTransportError(request.Method, where, err)
	}
	return response.StatusCode, c.decode(where, request, response, content)
}

func (c *Client) limit(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	if timeout == NoTimeout {
		return context.WithCancel(ctx)
	}
	if timeout == 0 {
		timeout = c.timeout
	}
	return context.WithTimeout(ctx, timeout)
}

func (c *Client) newRequest(ctx context.Context, request Request, target *url.URL, body []byte) (*http.Request, error) {
	var reader io.Reader
	if body != nil {
		reader = bytes.NewReader(body)
	}
	httpRequest, err := http.NewRequestWithContext(ctx, request.Method, target.String(), reader)
	if err != nil {
		return nil, fmt.Errorf("make request: %w", err)
	}
	if body != nil {
		httpRequest.Header.Set("Content-Type", "application/json")
	}
	if request.Upload != nil {
		if err := request.Upload.attach(httpRequest); err != nil {
			return nil, err
		}
	}
	accept := "application/json"
	if request.Text != nil {
		accept = "text/plain, */*"
	}
	httpRequest.Header.Set("Accept", accept)
	if c.config.UserAgent != "" {
		httpRequest.Header.Set("User-Agent", c.config.UserAgent)
	}
	for name, value := range c.config.Headers {
		httpRequest.Header.Set(name, value)
	}
	if auth := c.config.BasicAuth; auth != nil {
		httpRequest.SetBasicAuth(auth.Username, auth.Password)
	}
	if c.config.BearerToken != "" {
		httpRequest.Header.Set("Authorization", "Bearer "+c.config.BearerToken)
	}
	return httpRequest, nil
}

func (c *Client) decode(where string, request Request, response *http.Response, content []byte) error {
	status := response.StatusCode
	accepted := status >= 200 && status < 300
	for _, also := range request.Accept {
		accepted = accepted || status == also
	}
	if !accepted {
		return newError(where, response, content)
	}
	if request.Out == nil || len(bytes.TrimSpace(content)) == 0 {
		// An empty answer where JSON is due comes from something else than the engine.
		if request.Out != nil && status < 300 {
			return &NotAPIError{Where: where, Status: status, ContentType: "an empty body"}
		}
		return nil
	}
	media, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if strings.Contains(media, "html") {
		return &NotAPIError{Where: where, Status: status, ContentType: media}
	}
	if err := json.Unmarshal(content, request.Out); err != nil {
		return &NotAPIError{Where: where, Status: status, ContentType: media, Err: err}
	}
	return nil
}

func (c *Client) log(ctx context.Context, method string, target *url.URL, status int, started time.Time) {
	if c.config.Log == nil {
		return
	}
	// The path alone: queries and bodies can hold what users consider secret.
	c.config.Log(ctx, "request", map[string]any{
		"method": method, "path": target.Path, "status": status,
		"milliseconds": time.Since(started).Milliseconds(),
	})
}
