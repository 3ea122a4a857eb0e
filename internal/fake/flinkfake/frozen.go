// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"maps"
	"net/http"
	"slices"
	"time"
)

// Frozen is a cluster as it was at one moment. Nothing changes it.
type Frozen struct {
	server *Server
	at     time.Time
}

// Freeze copies the cluster as it is now. The cluster itself goes on. Main methods that still run stay its own.
func (s *Server) Freeze() *Frozen {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.advance()
	return &Frozen{server: s.copied(), at: s.now()}
}

// Thaw is a new cluster that goes on from the frozen moment as if no time had passed since. It is asked
// through ServeHTTP: nothing of it listens, and its URL is that of the first cluster. It may be called from any goroutine, and as often as wanted.
func (f *Frozen) Thaw() *Server {
	s := f.server.copied()
	s.offset += f.at.Sub(s.now())
	return s
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.serve(w, r) }

// copied is a copy of all that changes with time. What was ever looked at, or is only ever replaced, is shared.
func (s *Server) copied() *Server {
	c := &Server{
		settings: s.settings, url: s.url, closed: make(chan struct{}), offset: s.offset, epoch: s.epoch, fs: s.fs.copied(),
		programs: s.programs, jars: slices.Clone(s.jars), copies: maps.Clone(s.copies), past: slices.Clone(s.past), used: maps.Clone(s.used),
		triggers: make(map[triggerKey]*trigger, len(s.triggers)), graphs: maps.Clone(s.graphs), stats: maps.Clone(s.stats), metrics: s.metrics,
	}
	c.conf = maps.Clone(s.conf)
	c.log.WriteString(s.log.String())
	for _, j := range s.jobs {
		c.jobs = append(c.jobs, j.copied(c))
	}
	for _, a := range s.apps {
		app := *a
		app.jobs = slices.Clone(a.jobs)
		c.apps = append(c.apps, &app)
	}
	for key, t := range s.triggers {
		one := *t
		c.triggers[key] = &one
	}
	return c
}

func (j *job) copied(server *Server) *job {
	c := j.frozenAt(j.viewed)
	c.server = server
	return c
}

func (fs *fileSystem) copied() *fileSystem {
	c := &fileSystem{nodes: make(map[string]*node, len(fs.nodes)), readOnly: slices.Clone(fs.readOnly), schemes: maps.Clone(fs.schemes)}
	for path, n := range fs.nodes {
		one := *n
		c.nodes[path] = &one
	}
	return c
}
