// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package gatewayfake is a Flink SQL gateway in memory, before the cluster of
// package flinkfake: sessions that are forgotten, tables that live with them,
// statements that are accepted whatever they hold and fail later, and pipelines
// that start jobs by the rules of the cluster. It knows as much SQL as a set-up
// and a pipeline need, and refuses what it does not know.
//
// Where it differs from the real gateway of Flink 2.3, it is less kind: a query
// without a pipeline is refused, which the real one runs.
package gatewayfake

import (
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/fault"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
)

// Server is a running fake. It is safe for concurrent use.
type Server struct {
	fault.Injector

	cluster *flinkfake.Server
	set     settings
	http    *httptest.Server
	handler http.Handler

	mu       sync.Mutex
	skew     time.Duration
	sessions map[string]*session
	// shared are the objects of the catalogs that outlive a session.
	shared map[string]*object
}

type settings struct {
	version    string
	api        []string
	idle       time.Duration
	operation  time.Duration
	ownFiles   bool
	connectors map[string]bool
	catalogs   map[string]bool
	conf       map[string]string
}

// Option sets something up before the server starts.
type Option func(*settings)

// Version is the version of Flink, 2.3.0 if not given.
func Version(version string) Option { return func(s *settings) { s.version = version } }

// APIVersions are those of the REST API, V1 to V4 if not given.
func APIVersions(versions ...string) Option { return func(s *settings) { s.api = versions } }

// IdleTimeout is how long a session lives that nobody asks for: ten minutes if
// not given, as in Flink.
func IdleTimeout(d time.Duration) Option { return func(s *settings) { s.idle = d } }

// OperationTime is how long a statement takes, 2 ms if not given.
func OperationTime(d time.Duration) Option { return func(s *settings) { s.operation = d } }

// OwnFiles is a gateway that does not see the JobManager's files: what was
// uploaded there cannot be a Python file here.
func OwnFiles() Option { return func(s *settings) { s.ownFiles = true } }

// Connector adds a connector to those that Flink comes with.
func Connector(name string) Option { return func(s *settings) { s.connectors[name] = true } }

// Catalog adds a catalog whose tables outlive the session, as a Hive catalog's
// do.
func Catalog(name string) Option { return func(s *settings) { s.catalogs[name] = true } }

// Conf sets a key of the gateway's own configuration.
func Conf(key, value string) Option { return func(s *settings) { s.conf[key] = value } }

// New starts a gateway before the cluster. Close it when done.
func New(cluster *flinkfake.Server, options ...Option) *Server {
	s := Unlistened(cluster, options...)
	s.http = httptest.NewServer(s)
	return s
}

// Unlistened is a gateway that is asked through ServeHTTP alone. There is
// nothing to close.
func Unlistened(cluster *flinkfake.Server, options ...Option) *Server {
	s := &Server{
		cluster: cluster, sessions: map[string]*session{}, shared: map[string]*object{},
		set: settings{
			version: "2.3.0", api: []string{"V1", "V2", "V3", "V4"}, idle: 10 * time.Minute, operation: 2 * time.Millisecond,
			connectors: map[string]bool{"datagen": true, "print": true, "blackhole": true, "filesystem": true},
			catalogs:   map[string]bool{}, conf: map[string]string{"execution.target": "remote", "execution.attached": "true"},
		},
	}
	for _, option := range options {
		option(&s.set)
	}
	s.handler = s.Wrap(http.HandlerFunc(s.route))
	return s
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// URL is the endpoint, without a version.
func (s *Server) URL() string { return s.http.URL }

// Close stops the server.
func (s *Server) Close() {
	s.http.CloseClientConnections()
	s.http.Close()
}

// Restart forgets the sessions and all that was in them, as a gateway that was
// restarted does. Jobs run on.
func (s *Server) Restart() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.sessions)
}

// Advance lets time pass at once.
func (s *Server) Advance(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.skew += d
}

// Sessions is the number of sessions that the gateway knows.
func (s *Server) Sessions() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgetIdle()
	return len(s.sessions)
}

// now is the fake's time; mu is held.
func (s *Server) now() time.Time { return time.Now().Add(s.skew) }

// forgetIdle drops the sessions that nobody has asked for; mu is held.
func (s *Server) forgetIdle() {
	for id, one := range s.sessions {
		if s.now().Sub(one.asked) >= s.set.idle {
			delete(s.sessions, id)
		}
	}
}

// newHandle makes a UUID.
func newHandle() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // It never fails, says its documentation.
	h := hex.EncodeToString(b)
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}
