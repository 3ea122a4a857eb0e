// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package sqlgateway

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
)

// DefaultHeartbeat is far below the ten minutes after which the gateway, as it
// comes, forgets a session that nobody asks for.
const DefaultHeartbeat = 20 * time.Second

// openTries is how often a session is asked for. One that was made although
// its answer was lost does nothing, and is forgotten by the gateway.
const openTries = 3

// SessionRequest says what session to open.
type SessionRequest struct {
	// Name is for people who look at the gateway's log.
	Name string
	// Properties are Flink's settings for the whole session.
	Properties map[string]string
	// Heartbeat is the time between two signs of life; zero means
	// DefaultHeartbeat.
	Heartbeat time.Duration
}

// Session is a session that is kept alive until it is closed. Its tables and
// settings are in the gateway's memory, and nobody else sees them.
type Session struct {
	client *Client
	id     string

	stop    context.CancelFunc
	stopped chan struct{}
	once    sync.Once

	mu   sync.Mutex
	gone error
}

// OpenSession opens a session and keeps it alive in the background until Close.
func (c *Client) OpenSession(ctx context.Context, request SessionRequest) (*Session, error) {
	body := struct {
		Name       string            `json:"sessionName,omitempty"`
		Properties map[string]string `json:"properties,omitempty"`
	}{request.Name, request.Properties}
	var opened struct {
		Handle string `json:"sessionHandle"`
	}
	for try := 1; ; try++ {
		err := c.do(ctx, rest.Request{Method: http.MethodPost, Path: []string{"sessions"}, Body: body, Out: &opened})
		if err == nil {
			break
		}
		if !rest.OutcomeUnknown(err) || try == openTries || !pause(ctx, time.Duration(try)*rest.DefaultMinWait) {
			return nil, err
		}
	}
	if opened.Handle == "" {
		return nil, &rest.NotAPIError{Where: "POST /sessions", Status: http.StatusOK, ContentType: "JSON without sessionHandle"}
	}
	interval := request.Heartbeat
	if interval <= 0 {
		interval = DefaultHeartbeat
	}
	// A session outlives the call that opened it, and ends with Close.
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	s := &Session{client: c, id: opened.Handle, stop: stop, stopped: make(chan struct{})}
	go s.beat(background, interval)
	return s, nil
}

// ID is the gateway's handle of the session: no identity of a job.
func (s *Session) ID() string { return s.id }

// beat gives signs of life. A failed one is no failure of a statement: it is
// tried again, and a session that is gone for good is told by the next call.
func (s *Session) beat(ctx context.Context, interval time.Duration) {
	defer close(s.stopped)
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if err := s.Heartbeat(ctx); IsSessionGone(err) {
			s.mu.Lock()
			s.gone = err
			s.mu.Unlock()
			return
		}
	}
}

// Heartbeat gives one sign of life; see IsSessionGone.
func (s *Session) Heartbeat(ctx context.Context) error {
	return s.client.do(ctx, rest.Request{Method: http.MethodPost, Path: []string{"sessions", s.id, "heartbeat"}})
}

// Gone is the gateway's answer that it does not know the session any more, as
// far as a heartbeat has met it; nil otherwise.
func (s *Session) Gone() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.gone
}

// Properties are the settings in force, the gateway's own ones and those of
// SET included. They may hold secrets.
func (s *Session) Properties(ctx context.Context) (map[string]string, error) {
	var answer struct {
		Properties map[string]string `json:"properties"`
	}
	err := s.client.do(ctx, rest.Request{Method: http.MethodGet, Path: []string{"sessions", s.id}, Out: &answer})
	return answer.Properties, err
}

// Close ends the session. Jobs that it started go on. A session that is gone
// already is no error.
func (s *Session) Close(ctx context.Context) error {
	s.once.Do(func() {
		s.stop()
		<-s.stopped
	})
	err := s.client.do(ctx, rest.Request{Method: http.MethodDelete, Path: []string{"sessions", s.id}})
	if IsSessionGone(err) {
		return nil
	}
	return err
}

// pause waits; it is false when the context has ended.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
