// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"bytes"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/fault"
)

// Kind is what a fault does to a request.
type Kind int

const (
	// Unsent closes the connection before anything is handled.
	Unsent Kind = iota
	// LostAnswer handles the request and closes the connection without an answer.
	LostAnswer
	// ResetMidBody handles the request, sends half the answer and resets the connection.
	ResetMidBody
	// LeaderElection answers with Flink's own 503; nothing is handled.
	LeaderElection
	// ProxyError answers with a proxy's page and Fault.Status (502 if 0); Fault.Executed says whether the request
	// reached the engine.
	ProxyError
	// Delay holds the answer up for Fault.Wait.
	Delay
	// HTMLLogin answers 200 with the page of a login; nothing is handled.
	HTMLLogin
	// Status answers with Fault.Status and Fault.Body; Fault.Executed says whether the request was handled.
	Status
	// Nothing only runs the hook.
	Nothing
)

// Fault is something that goes wrong with the requests it matches.
type Fault struct {
	// Method matches exactly; "" matches all.
	Method string
	// Path is a regular expression on the path, anchored by neither end.
	Path string
	// Nth is the first matching request that is hit, from 1; 0 is 1.
	Nth int
	// Times is how many requests are hit, 0 is one, negative is all.
	Times int
	Kind  Kind
	// Status, Body, Executed and Wait serve the kinds that name them.
	Status   int
	Body     string
	Executed bool
	Wait     time.Duration
	// Hook runs when the fault hits, after the request was handled if the kind handles it, and before any answer.
	Hook func(*http.Request)

	pattern *regexp.Regexp
	seen    int
}

type faultTable struct {
	mu   sync.Mutex
	list []*Fault
}

// Inject adds a fault. It panics on a path that is no regular expression.
func (s *Server) Inject(f Fault) {
	f.pattern = regexp.MustCompile(f.Path)
	f.Nth, f.Times = max(f.Nth, 1), cmpOr(f.Times, 1)
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	s.faults.list = append(s.faults.list, &f)
}

// ClearFaults takes all faults away.
func (s *Server) ClearFaults() {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	s.faults.list = nil
}

func cmpOr(v, fallback int) int {
	if v == 0 {
		return fallback
	}
	return v
}

// match counts the request against every fault and returns the first that hits.
func (t *faultTable) match(r *http.Request) *Fault {
	t.mu.Lock()
	defer t.mu.Unlock()
	var hit *Fault
	for _, f := range t.list {
		if f.Method != "" && f.Method != r.Method || !f.pattern.MatchString(r.URL.Path) {
			continue
		}
		f.seen++
		if f.seen >= f.Nth && (f.Times < 0 || f.seen < f.Nth+f.Times) && hit == nil {
			hit = f
		}
	}
	return hit
}

// Request is one that reached the fake.
type Request struct {
	Method string
	// Path has the query behind it if there is one.
	Path   string
	Header http.Header
	// Body is kept up to 64 KiB.
	Body string
	At   time.Time
}

const keptBody = 64 << 10

// Requests lists what reached the fake so far, in order.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// ForgetRequests empties the log.
func (s *Server) ForgetRequests() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = nil
}

// OnRequest runs f for every request before anything is done with it; nil ends that.
func (s *Server) OnRequest(f func(*http.Request)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.onRequest = f
}

const (
	electionBody = `{"errors":["Service temporarily unavailable due to an ongoing leader election. Please refresh."]}`
	loginBody    = "<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><form method=\"post\" action=\"/login\"></form></body></html>\n"
)

func proxyBody(status int) string {
	text := strconv.Itoa(status) + " " + http.StatusText(status)
	return "<html>\r\n<head><title>" + text + "</title></head>\r\n<body>\r\n<center><h1>" + text + "</h1></center>\r\n</body>\r\n</html>\r\n"
}

// serve logs a request, lets a fault have it, and answers.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // The client went away while it sent.
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	s.mu.Lock()
	hook := s.onRequest
	s.requests = append(s.requests, Request{
		Method: r.Method, Path: r.URL.RequestURI(), Header: r.Header.Clone(),
		Body: string(body[:min(len(body), keptBody)]), At: time.Now(),
	})
	s.mu.Unlock()
	if hook != nil {
		hook(r)
	}
	f := s.faults.match(r)
	if f == nil {
		s.handle(r, body).write(w)
		return
	}
	s.serveFault(w, r, body, f)
}

func (s *Server) serveFault(w http.ResponseWriter, r *http.Request, body []byte, f *Fault) {
	handled := f.Kind == LostAnswer || f.Kind == ResetMidBody || f.Kind == Delay || f.Kind == Nothing ||
		f.Executed && (f.Kind == ProxyError || f.Kind == Status)
	var a reply
	if handled {
		a = s.handle(r, body)
	}
	if f.Hook != nil {
		f.Hook(r)
	}
	switch f.Kind {
	case Unsent, LostAnswer:
		fault.HangUp(w, nil)
	case ResetMidBody:
		fault.HangUp(w, a.halfOf())
	case LeaderElection:
		reply{status: http.StatusServiceUnavailable, text: electionBody, kind: jsonType}.write(w)
	case ProxyError:
		status := cmpOr(f.Status, http.StatusBadGateway)
		reply{status: status, text: proxyBody(status), kind: "text/html"}.write(w)
	case Delay:
		select {
		case <-time.After(f.Wait):
		case <-s.closed:
		}
		a.write(w)
	case HTMLLogin:
		reply{status: http.StatusOK, text: loginBody, kind: "text/html; charset=utf-8"}.write(w)
	case Status:
		reply{status: f.Status, text: f.Body, kind: jsonType}.write(w)
	case Nothing:
		a.write(w)
	}
}
