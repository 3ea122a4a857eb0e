// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravegafake

import (
	"maps"
	"math"
	"slices"
	"time"
)

// What follows is for tests: what other clients of the engine do, and what only they can see.

// Advance moves the fake's clock.
func (s *Server) Advance(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.skew += d
}

// AddReaderGroup does what a reader group manager does; REST cannot. It creates
// the scope if need be.
func (s *Server) AddReaderGroup(scopeName, groupName string, streams ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if streams == nil {
		streams = []string{}
	}
	s.ensure(scopeName).groups[groupName] = group{streams: streams, readers: []string{}}
}

// Join brings readers of a reader group online.
func (s *Server) Join(scopeName, groupName string, readers ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.ensure(scopeName).groups[groupName]
	g.readers = readers
	s.scopes[scopeName].groups[groupName] = g
}

// AddKeyValueTable adds what REST can neither list nor delete.
func (s *Server) AddKeyValueTable(scopeName, table string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ensure(scopeName).tables[table] = true
}

// RemoveKeyValueTable takes a key-value table away.
func (s *Server) RemoveKeyValueTable(scopeName, table string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.ensure(scopeName).tables, table)
}

// AddStream does what a connector does that creates what it finds missing: a
// scope and a stream with so many fixed segments and nothing else.
func (s *Server) AddStream(scopeName, name string, segments int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := &stream{config: config{scaling: scaling{Type: fixed, MinSegments: segments}}}
	st.create(s.now())
	s.ensure(scopeName).streams[name] = st
}

// RemoveStream deletes a stream behind everyone's back.
func (s *Server) RemoveStream(scopeName, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sc := s.scopes[scopeName]; sc != nil {
		delete(sc.streams, name)
	}
}

// RemoveScope deletes a scope and all in it.
func (s *Server) RemoveScope(scopeName string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.scopes, scopeName)
}

// RetainTime sets retention to what only other clients can: any duration, and
// a maximum (0 for none).
func (s *Server) RetainTime(scopeName, name string, d, limit time.Duration) {
	s.retain(scopeName, name, &retention{param: d.Milliseconds(), max: limit.Milliseconds()})
}

// RetainSize sets retention to any number of bytes, and a maximum (0 for none).
func (s *Server) RetainSize(scopeName, name string, bytes, limit int64) {
	s.retain(scopeName, name, &retention{size: true, param: bytes, max: limit})
}

func (s *Server) retain(scopeName, name string, r *retention) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.max == 0 {
		r.max = math.MaxInt64
	}
	if st := s.stream(scopeName, name); st != nil {
		st.config.retention = r
	}
}

// State is what a stream is, in the engine's own resolution.
type State struct {
	Sealed      bool
	Segments    int64
	MinSegments int64
	ScalingType string
	Tags        []string
	// RetentionKind is "", "time" or "size"; Retention and Maximum are in
	// milliseconds or bytes, Maximum is 0 for none.
	RetentionKind      string
	Retention, Maximum int64
	AggregationTimeout int64
	RolloverSize       int64
	Epochs             int
}

// Stream tells what a stream is; false if there is none.
func (s *Server) Stream(scopeName, name string) (State, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.stream(scopeName, name)
	if st == nil {
		return State{}, false
	}
	c := st.config
	out := State{
		Sealed: st.sealed, Segments: st.segments(), MinSegments: c.scaling.MinSegments, ScalingType: c.scaling.Type,
		Tags:               slices.Sorted(maps.Keys(c.tags)),
		AggregationTimeout: c.aggregation, RolloverSize: c.rollover, Epochs: len(st.epochs),
	}
	if c.retention != nil {
		out.RetentionKind, out.Retention = "time", c.retention.param
		if c.retention.size {
			out.RetentionKind = "size"
		}
		if c.retention.max != math.MaxInt64 {
			out.Maximum = c.retention.max
		}
	}
	return out, true
}

// Scopes names the scopes but for _system, in order.
func (s *Server) Scopes() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	names := slices.Sorted(maps.Keys(s.scopes))
	return slices.DeleteFunc(names, func(name string) bool { return name == systemScope })
}

// Streams names the streams of a scope, in order.
func (s *Server) Streams(scopeName string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sc := s.scopes[scopeName]; sc != nil {
		return slices.Sorted(maps.Keys(sc.streams))
	}
	return nil
}

// Seal seals a stream as another client would.
func (s *Server) Seal(scopeName, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if st := s.stream(scopeName, name); st != nil {
		st.sealed = true
	}
}

// AddEvents writes n events of 13 bytes now.
func (s *Server) AddEvents(scopeName, name string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if st := s.stream(scopeName, name); st != nil && !st.sealed {
		for range n {
			st.events = append(st.events, event{written: s.now(), size: 13})
		}
	}
}

// Events counts the events that a reader would find.
func (s *Server) Events(scopeName, name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if st := s.stream(scopeName, name); st != nil {
		return len(st.events)
	}
	return 0
}

// RunRetention is one cycle of the engine's retention service: what is older
// or more than the policy allows is deleted for good.
func (s *Server) RunRetention() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, sc := range s.scopes {
		for _, st := range sc.streams {
			st.truncate(s.now())
		}
	}
}

func (st *stream) truncate(now time.Time) {
	r := st.config.retention
	if r == nil {
		return
	}
	var size int64
	for i, e := range slices.Backward(st.events) {
		size += e.size
		if r.size && size > r.param || !r.size && now.Sub(e.written).Milliseconds() >= r.param {
			st.events = slices.Clone(st.events[i+1:])
			return
		}
	}
}

// ensure finds or makes a scope; mu is held.
func (s *Server) ensure(scopeName string) *scope {
	sc := s.scopes[scopeName]
	if sc == nil {
		sc = newScope()
		s.scopes[scopeName] = sc
	}
	return sc
}

// AddScope makes a scope if there is none of the name.
func (s *Server) AddScope(scopeName string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ensure(scopeName)
}
