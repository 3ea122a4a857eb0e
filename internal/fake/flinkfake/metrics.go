// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// metricsInterval is metrics.fetcher.update-interval.
const metricsInterval = 10 * time.Second

// metricStore holds the numbers of each job as they were collected last.
type metricStore struct {
	at     time.Time
	values map[string][]metric
}

type metric struct{ id, value string }

// getJobMetrics answers with what was collected before, and only then collects anew: whoever asks for the first time
// in a while is told old numbers, or none. That there is no such job it does not notice.
func (s *Server) getJobMetrics(c *call) reply {
	id, refused := s.jobID(c)
	if refused != nil {
		return *refused
	}
	asked := strings.Split(c.query.Get("get"), ",")
	list := []any{}
	for _, m := range s.metrics.values[id] {
		switch {
		case !c.query.Has("get"):
			list = append(list, map[string]any{"id": m.id})
		case slices.Contains(asked, m.id):
			list = append(list, map[string]any{"id": m.id, "value": m.value})
		}
	}
	s.collectMetrics()
	return ok(list)
}

// collectMetrics asks the jobs that have not ended; of those that have, the numbers collected before stay.
func (s *Server) collectMetrics() {
	now := s.now()
	if !s.metrics.at.IsZero() && now.Sub(s.metrics.at) < metricsInterval {
		return
	}
	old := s.metrics.values
	s.metrics = metricStore{at: now, values: map[string][]metric{}}
	for _, j := range s.jobs {
		if terminal(j.state) {
			s.metrics.values[j.id] = old[j.id]
			continue
		}
		numbers := []metric{{"numRestarts", strconv.Itoa(j.restarts)}}
		if !s.version.atLeast(2, 0) {
			numbers = append(numbers, metric{"fullRestarts", strconv.Itoa(j.restarts)})
		}
		s.metrics.values[j.id] = numbers
	}
}
