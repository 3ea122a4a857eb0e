// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"encoding/json"
	"fmt"
	"net/http"
)

type bounds struct {
	Lower *int `json:"lowerBound"`
	Upper *int `json:"upperBound"`
}

// requirement is what a client asks for one vertex.
type requirement struct {
	Parallelism *bounds `json:"parallelism"`
}

func (s *Server) getRequirements(c *call) reply {
	j, refused := s.adaptiveJob(c)
	if refused != nil {
		return *refused
	}
	out := map[string]any{}
	for _, v := range j.vertices {
		out[v.id] = map[string]any{"parallelism": map[string]any{"lowerBound": v.lower, "upperBound": v.upper}}
	}
	return ok(out)
}

func (s *Server) adaptiveJob(c *call) (*job, *reply) {
	j, refused := s.lookUpOr500(c)
	if refused != nil {
		return nil, refused
	}
	if !s.adaptive {
		a := internal(throw(classUnsupported, "The DefaultScheduler does not support changing the parallelism without a job restart. This feature is currently only expected to work with the AdaptiveScheduler."))
		return nil, &a
	}
	return j, nil
}

// putRequirements changes what the job wants. A scale-down happens at once, more slots are taken as far as there are.
func (s *Server) putRequirements(c *call) reply {
	var want map[string]requirement
	if err := json.Unmarshal(c.body, &want); err != nil {
		cause := throw(classFormat, "%s", err)
		if !json.Valid(c.body) {
			cause.class = classJSONParse
		}
		return restError(http.StatusBadRequest, throw(classRest, "Request did not match expected format JobResourceRequirementsBody.").by(cause))
	}
	if len(want) == 0 {
		return restError(http.StatusBadRequest, throw(classRest, "Request body does not specify resource requirements."))
	}
	j, refused := s.adaptiveJob(c)
	if refused != nil {
		return *refused
	}
	if bad := j.checkRequirements(want); bad != "" {
		return restError(http.StatusBadRequest, throw(classRest, "%s", bad))
	}
	for i := range j.vertices {
		v := &j.vertices[i]
		v.lower, v.upper = *want[v.id].Parallelism.Lower, *want[v.id].Parallelism.Upper
	}
	j.rescale()
	return ok(map[string]any{})
}

func (j *job) checkRequirements(want map[string]requirement) string {
	known := map[string]vertex{}
	for _, v := range j.vertices {
		known[v.id] = v
		if w, asked := want[v.id]; !asked || w.Parallelism == nil || w.Parallelism.Lower == nil || w.Parallelism.Upper == nil {
			return "The request is incomplete, missing job vertex [" + v.id + "] resource requirements."
		}
	}
	for id, w := range want {
		v, exists := known[id]
		switch {
		case !exists:
			return "Job vertex [" + id + "] was not found in the JobGraph."
		case *w.Parallelism.Lower < 1:
			return fmt.Sprintf("Both, the requested lower bound [%d] and upper bound [%d] for job vertex [%s] must be greater than zero.",
				*w.Parallelism.Lower, *w.Parallelism.Upper, id)
		case *w.Parallelism.Lower > *w.Parallelism.Upper:
			return fmt.Sprintf("The requested lower bound [%d] for job vertex [%s] is higher than the upper bound [%d].",
				*w.Parallelism.Lower, id, *w.Parallelism.Upper)
		case *w.Parallelism.Upper > v.maxParallelism:
			return fmt.Sprintf("The newly requested parallelism %d for the job vertex %s exceeds its maximum parallelism %d.",
				*w.Parallelism.Upper, id, v.maxParallelism)
		}
	}
	return ""
}

// rescale redeploys a running job with the slots that it now asks for; too few for the lower bounds change nothing.
// It goes on from the newest checkpoint, taken just before; a job that takes none begins again with what it was
// started from.
func (j *job) rescale() {
	if j.phase != phaseRunning {
		return
	}
	now := j.server.now()
	free := j.server.freeSlots() + j.slots
	floor, need := 1, 1
	for _, v := range j.vertices {
		floor, need = max(floor, v.lower), max(need, v.upper)
	}
	slots := min(need, free)
	if slots == j.slots || slots < floor {
		return
	}
	if j.checkpoints.interval > 0 {
		j.checkpoints.next = now
		j.tick(now)
		if latest := j.checkpoints.latest; latest.path != "" {
			j.checkpoints.origin = &restore{id: latest.id, path: latest.path, at: now}
		}
	}
	j.base = j.checkpoints.newest()
	j.frozen = j.base
	j.slots = slots
	j.phase, j.until = phaseDeploying, now.Add(j.server.startDelay)
}
