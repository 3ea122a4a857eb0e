// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package fault is what goes wrong between a client and an engine, put around
// any fake: requests that never arrive, answers that never come back, proxies
// that answer in the engine's place. It also keeps the log of what was asked.
package fault

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"sync"
	"time"
)

// Kind is a way in which a request can fail.
type Kind string

// The kinds of faults. Executed says whether the engine acted.
const (
	// Unsent cuts the connection before the engine sees the request: not executed.
	Unsent Kind = "unsent"
	// LostAnswer lets the engine act and cuts the connection before the answer: executed.
	LostAnswer Kind = "lost answer"
	// ProxyError answers with a gateway's page (Status, 502 if 0) and does not
	// pass the request on: not executed.
	ProxyError Kind = "proxy error"
	// ProxyErrorApplied passes the request on and answers with a gateway's page: executed.
	ProxyErrorApplied Kind = "proxy error, applied"
	// Status answers with Status and Body: not executed.
	Status Kind = "status"
	// EmptyFailureApplied lets the engine act and answers 500 without a body,
	// as Pravega does when two operations on a stream meet: executed.
	EmptyFailureApplied Kind = "empty failure, applied"
	// Delay waits for Wait and goes on: executed.
	Delay Kind = "delay"
)

// Fault hits requests that match. The zero value of each field but Kind matches
// anything, once.
type Fault struct {
	Kind Kind
	// Method is the HTTP method; empty matches each.
	Method string
	// Path matches the request's path.
	Path *regexp.Regexp
	// Nth is the first matching request that is hit, from 1 on.
	Nth int
	// Times is how many matching requests in a row are hit; negative means all.
	Times int
	// Status and Body are the answer of Status, ProxyError and ProxyErrorApplied.
	Status      int
	Body        string
	ContentType string
	// Wait is the pause of Delay.
	Wait time.Duration
}

// Request is one entry of the log.
type Request struct {
	Method, Path, Query string
	Body                []byte
	// Status is the answer's, 0 if none was sent.
	Status int
	// Fault is the kind that hit the request, empty if none did.
	Fault Kind
}

// String is the method, the path and the status.
func (r Request) String() string { return fmt.Sprintf("%s %s -> %d", r.Method, r.Path, r.Status) }

// maxLogged bounds what is kept of a body: uploads would fill memory.
const maxLogged = 1 << 20

// Injector puts faults and a log around a handler. The zero value is ready.
type Injector struct {
	mu     sync.Mutex
	faults []*armed
	log    []Request
}

type armed struct {
	Fault

	seen int
}

// Inject arms a fault. Of several that match one request, the one armed first hits.
func (i *Injector) Inject(f Fault) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.faults = append(i.faults, &armed{Fault: f})
}

// Clear disarms all faults.
func (i *Injector) Clear() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.faults = nil
}

// Requests returns the log so far.
func (i *Injector) Requests() []Request {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.Clone(i.log)
}

// Forget empties the log.
func (i *Injector) Forget() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.log = nil
}

// Wrap returns the handler with faults and log.
func (i *Injector) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hit := i.match(r)
		logged := &logReader{body: r.Body}
		r.Body = logged
		status := i.serve(w, r, hit, next)
		entry := Request{
			Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery,
			Body: logged.kept.Bytes(), Status: status, Fault: hit.Kind,
		}
		i.mu.Lock()
		i.log = append(i.log, entry)
		i.mu.Unlock()
		if status == 0 {
			// The server then closes the connection without an answer.
			panic(http.ErrAbortHandler)
		}
	})
}

func (i *Injector) match(r *http.Request) Fault {
	i.mu.Lock()
	defer i.mu.Unlock()
	var hit Fault
	for _, f := range i.faults {
		if f.Method != "" && f.Method != r.Method || f.Path != nil && !f.Path.MatchString(r.URL.Path) {
			continue
		}
		f.seen++
		first, times := max(f.Nth, 1), f.Times
		if times == 0 {
			times = 1
		}
		if hit.Kind == "" && f.seen >= first && (times < 0 || f.seen < first+times) {
			hit = f.Fault
		}
	}
	return hit
}

// serve answers and returns the status, 0 for an answer that is to be lost.
func (i *Injector) serve(w http.ResponseWriter, r *http.Request, f Fault, next http.Handler) int {
	switch f.Kind {
	case Unsent:
		_, _ = io.Copy(io.Discard, r.Body)
		return 0
	case LostAnswer:
		next.ServeHTTP(httptest.NewRecorder(), r)
		return 0
	case ProxyError, Status:
		_, _ = io.Copy(io.Discard, r.Body)
		return f.answer(w)
	case ProxyErrorApplied:
		next.ServeHTTP(httptest.NewRecorder(), r)
		return f.answer(w)
	case EmptyFailureApplied:
		next.ServeHTTP(httptest.NewRecorder(), r)
		w.Header().Set("Content-Length", "0")
		w.WriteHeader(http.StatusInternalServerError)
		return http.StatusInternalServerError
	case Delay:
		select {
		case <-time.After(f.Wait):
		case <-r.Context().Done():
		}
	}
	recorder := &statusWriter{ResponseWriter: w, status: http.StatusOK}
	next.ServeHTTP(recorder, r)
	return recorder.status
}

func (f Fault) answer(w http.ResponseWriter) int {
	status, body, contentType := f.Status, f.Body, f.ContentType
	if f.Kind != Status {
		if status == 0 {
			status = http.StatusBadGateway
		}
		if body == "" {
			body = fmt.Sprintf("<html><body><h1>%d %s</h1></body></html>", status, http.StatusText(status))
		}
		if contentType == "" {
			contentType = "text/html"
		}
	}
	if contentType != "" {
		w.Header().Set("Content-Type", contentType)
	}
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
	return status
}

// logReader keeps the start of what is read through it.
type logReader struct {
	body io.ReadCloser
	kept bytes.Buffer
}

func (l *logReader) Read(p []byte) (int, error) {
	n, err := l.body.Read(p)
	if room := maxLogged - l.kept.Len(); room > 0 {
		l.kept.Write(p[:min(n, room)])
	}
	return n, err
}

func (l *logReader) Close() error { return l.body.Close() }

type statusWriter struct {
	http.ResponseWriter

	status int
}

func (s *statusWriter) WriteHeader(status int) {
	s.status = status
	s.ResponseWriter.WriteHeader(status)
}
