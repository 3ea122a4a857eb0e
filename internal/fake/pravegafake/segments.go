// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravegafake

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// epoch is the set of segments that are open at one time.
type epoch struct {
	Timestamp int64     `json:"timestamp"`
	Segments  []segment `json:"segments"`
	Splits    int       `json:"splits"`
	Merges    int       `json:"merges"`
}

type segment struct {
	Number   int64   `json:"number"`
	Epoch    int     `json:"epoch"`
	Start    int64   `json:"start"`
	KeyStart float64 `json:"keyStart"`
	KeyEnd   float64 `json:"keyEnd"`
}

func isRefused(err error) bool {
	var r *refused
	return errors.As(err, &r)
}

// create opens the first epoch.
func (st *stream) create(now time.Time) { st.scale(st.config.scaling.MinSegments, now) }

// update sets the configuration and lets the segments follow the policy: a
// fixed number is met exactly, a minimum only from below.
func (st *stream) update(c config, now time.Time) {
	st.config = c
	current, wanted := st.segments(), c.scaling.MinSegments
	if wanted > current || c.scaling.Type == fixed && wanted != current {
		st.scale(wanted, now)
	}
}

// segments counts those that are open.
func (st *stream) segments() int64 {
	if len(st.epochs) == 0 {
		return 0
	}
	return int64(len(st.epochs[len(st.epochs)-1].Segments))
}

// scale opens an epoch with n segments of equal size.
func (st *stream) scale(n int64, now time.Time) {
	e := epoch{Timestamp: now.UnixMilli()}
	for i := range n {
		e.Segments = append(e.Segments, segment{
			Number: st.next, Epoch: len(st.epochs), Start: e.Timestamp,
			// Multiplied, not divided, as the engine does: 3 times 0.2 is 0.6000000000000001.
			KeyStart: float64(i) * (1 / float64(n)), KeyEnd: float64(i+1) * (1 / float64(n)),
		})
		st.next++
	}
	if len(st.epochs) > 0 {
		before := st.epochs[len(st.epochs)-1].Segments
		e.Splits, e.Merges = shared(before, e.Segments), shared(e.Segments, before)
	}
	st.epochs = append(st.epochs, e)
}

// shared counts the segments of a whose keys are spread over more than one of b.
func shared(a, b []segment) int {
	count := 0
	for _, one := range a {
		overlaps := 0
		for _, other := range b {
			if one.KeyStart < other.KeyEnd && other.KeyStart < one.KeyEnd {
				overlaps++
			}
		}
		if overlaps > 1 {
			count++
		}
	}
	return count
}

// scalingEvents lists the epochs of a range of time, and the one before it.
func (s *Server) scalingEvents(w http.ResponseWriter, r *http.Request, scopeName, name string) {
	if !s.allowed(w, r, streamResource(scopeName, name), look) {
		return
	}
	query := r.URL.Query()
	from, errFrom := moment(query, "from")
	to, errTo := moment(query, "to")
	switch {
	case errFrom != nil || errTo != nil:
		// As the engine's framework does with a parameter that is no number.
		fail(w, http.StatusNotFound)
		return
	case from == nil || to == nil || *from < 0 || *to < *from:
		fail(w, http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.stream(scopeName, name)
	if st == nil {
		fail(w, http.StatusNotFound)
		return
	}
	list := []epoch{}
	for _, e := range st.epochs {
		if e.Timestamp > *to {
			break
		}
		if e.Timestamp <= *from {
			list = list[:0]
		}
		list = append(list, e)
	}
	if len(list) > 0 {
		// What the first one was made from is not looked at.
		list[0].Splits, list[0].Merges = 0, 0
	}
	answer(w, http.StatusOK, list)
}

// moment reads a parameter in milliseconds, nil if it is missing.
func moment(query url.Values, name string) (*int64, error) {
	if !query.Has(name) {
		return nil, nil
	}
	value, err := strconv.ParseInt(query.Get(name), 10, 64)
	return &value, err
}
