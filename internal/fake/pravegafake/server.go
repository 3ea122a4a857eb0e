// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package pravegafake is a Pravega controller in memory, as far as its REST API
// shows one: scopes, streams, segments, retention, reader groups, and every
// trap that was measured on Pravega 0.13.0. The conformance suite holds it to
// the real engine. It never answers more kindly than that: names and tags come
// in any order, a second operation on a stream at the same time fails with an
// empty 500, and bad input gives a page of HTML and no reason.
package pravegafake

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/fault"
)

// Server is a running fake. It is safe for concurrent use.
type Server struct {
	fault.Injector

	http *httptest.Server
	set  settings

	mu     sync.Mutex
	scopes map[string]*scope
	// skew is what Advance added to the clock.
	skew time.Duration
	// numbers continues the segment numbers of a stream that was deleted.
	numbers map[string]int64
}

type settings struct {
	// users is nil when everybody may do everything.
	users     map[string]user
	operation time.Duration
	prefix    string
}

// Option sets something up before the server starts.
type Option func(*settings)

// OperationTime is how long an update, a seal or a delete holds its stream, a
// millisecond if not given. Another operation on it in that time fails.
func OperationTime(d time.Duration) Option { return func(s *settings) { s.operation = d } }

// Prefix serves the API below a path, as behind a proxy.
func Prefix(path string) Option { return func(s *settings) { s.prefix = path } }

// New starts a server with the one scope that each Pravega has, _system.
func New(options ...Option) *Server {
	s := &Server{
		set:     settings{operation: time.Millisecond},
		scopes:  map[string]*scope{systemScope: newScope()},
		numbers: map[string]int64{},
	}
	// The engine reads its own events through these.
	for name, stream := range map[string]string{
		"abortStreamReaders": "_abortStream", "commitStreamReaders": "_commitStream",
		"kvtStreamReaders": "_kvTableStream", "scaleGroup": "_requeststream",
	} {
		s.scopes[systemScope].groups[name] = group{streams: []string{systemScope + "/" + stream}, readers: []string{"00000000-0000-4000-8000-000000000000"}}
	}
	for _, option := range options {
		option(&s.set)
	}
	s.http = httptest.NewServer(s.Wrap(http.HandlerFunc(s.route)))
	return s
}

// URL is the endpoint, without /v1.
func (s *Server) URL() string { return s.http.URL + s.set.prefix }

// Close stops the server.
func (s *Server) Close() { s.http.Close() }

// now is the fake's time; mu is held.
func (s *Server) now() time.Time { return time.Now().Add(s.skew) }

const systemScope = "_system"

// scope is what a scope holds.
type scope struct {
	streams map[string]*stream
	groups  map[string]group
	// tables are key-value tables: REST shows nothing of them, but a scope with
	// one is not empty.
	tables map[string]bool
}

func newScope() *scope {
	return &scope{streams: map[string]*stream{}, groups: map[string]group{}, tables: map[string]bool{}}
}

func (s *scope) empty() bool { return len(s.streams)+len(s.groups)+len(s.tables) == 0 }

// group is a reader group: the streams it reads and the readers online.
type group struct {
	streams, readers []string
}

// stream is a stream's configuration, segments and data.
type stream struct {
	config config
	sealed bool
	// busy is true while an operation holds the stream.
	busy   bool
	epochs []epoch
	next   int64
	events []event
}

type event struct {
	written time.Time
	size    int64
}
