// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravegafake

import (
	"errors"
	"net/http"
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
	before := st.segments()
	e := epoch{Timestamp: now.UnixMilli()}
	for i := range n {
		e.Segments = append(e.Segments, segment{
			Number: st.next, Epoch: len(st.epochs), Start: e.Timestamp,
			KeyStart: float64(i) / float64(n), KeyEnd: float64(i+1) / float64(n),
		})
		st.next++
	}
	if before > 0 {
		e.Splits, e.Merges = int(max(n-before, 0)), int(max(before-n, 0))
	}
	st.epochs = append(st.epochs, e)
}

// scalingEvents lists the epochs of a range of time, and the one before it.
func (s *Server) scalingEvents(w http.ResponseWriter, r *http.Request, scopeName, name string) {
	if !s.allowed(w, r) {
		return
	}
	query := r.URL.Query()
	from, errFrom := strconv.ParseInt(query.Get("from"), 10, 64)
	to, errTo := strconv.ParseInt(query.Get("to"), 10, 64)
	if errFrom != nil || errTo != nil || from < 0 || to < from {
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
		if e.Timestamp > to {
			break
		}
		if e.Timestamp <= from {
			list = list[:0]
		}
		list = append(list, e)
	}
	answer(w, http.StatusOK, list)
}
