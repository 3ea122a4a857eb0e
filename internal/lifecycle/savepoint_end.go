// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle

import (
	"context"
	"path"
	"strings"
	"sync"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
)

// SavepointClaims is what one apply knows of its own savepoints: which trigger
// ids are spoken for, which files a resource has been given, and which jobs
// need none any more. Two resources of one job and trigger so get a savepoint
// each, a replacement does not find the one that it replaces, and a savepoint
// can go together with the job that was restored from it.
type SavepointClaims struct {
	mu       sync.Mutex
	triggers map[string]bool
	kept     map[string]bool
	ended    map[string]bool
}

// EndJob notes that the resource of a job was destroyed in this apply and the
// job with it, all of its generations.
func (c *SavepointClaims) EndJob(rec Record) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended == nil {
		c.ended = map[string]bool{}
	}
	c.ended[rec.JobID] = true
	for n := int64(1); n <= rec.Generation; n++ {
		c.ended[JobID(rec.UID, n)] = true
	}
}

// hasEnded tells whether EndJob was called for the job.
func (c *SavepointClaims) hasEnded(jobID string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ended[jobID]
}

// claim takes a trigger id, and tells false when it is taken.
func (c *SavepointClaims) claim(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.triggers[id] {
		return false
	}
	if c.triggers == nil {
		c.triggers = map[string]bool{}
	}
	c.triggers[id] = true
	return true
}

// keep notes that a resource has been given a savepoint in this apply.
func (c *SavepointClaims) keep(location string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept == nil {
		c.kept = map[string]bool{}
	}
	c.kept[plainPath(location)] = true
}

// isKept tells whether a resource was given the savepoint in this apply.
func (c *SavepointClaims) isKept(location string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.kept[plainPath(location)]
}

// SavepointExists tells whether a savepoint is there and complete. known is
// false where the cluster cannot look; an error is a cluster that does not
// answer.
func (e *Engine) SavepointExists(ctx context.Context, location string) (exists, known bool, err error) {
	if e.Probe == nil {
		return false, false, nil
	}
	exists, err = e.Probe.Exists(ctx, metadataOf(location))
	if err != nil {
		if Unreachable(err) {
			return false, false, err
		}
		return false, false, nil
	}
	return exists, true, nil
}

func metadataOf(location string) string {
	location = strings.TrimRight(location, "/")
	if path.Base(location) == "_metadata" {
		return location
	}
	return location + "/_metadata"
}

// EndSavepoint ends the life of a savepoint resource: its trigger id is spoken
// for, and its files are disposed of if dispose is true. It returns why they
// stay although they should go, empty when that is not so.
func (e *Engine) EndSavepoint(ctx context.Context, location string, dispose bool, claims *SavepointClaims) (stays string, err error) {
	// The directory above is the trigger's id.
	claims.claim(path.Base(path.Dir(plainPath(location))))
	if !dispose {
		return "", nil
	}
	if claims.isKept(location) {
		return "the resource that replaces this one has the same savepoint", nil
	}
	user, how, err := e.savepointUser(ctx, location, claims)
	if err != nil {
		return "", err
	}
	if user != nil {
		return "", problemf(ProblemRestore,
			"Its files are not deleted. Set dispose_on_destroy = false and apply that first, or let the job take newer state before; Flink forgets an ended job after an hour.", nil,
			"job %s (%s) %s this savepoint", user.Name, user.ID, how)
	}
	return "", e.Dispose(ctx, location)
}

// savepointUser finds a job that was restored from a savepoint and still runs,
// or one that has ended and whose newest state it is.
func (e *Engine) savepointUser(ctx context.Context, location string, claims *SavepointClaims) (*flink.JobSummary, string, error) {
	jobs, err := e.Client.Jobs(ctx)
	if err != nil {
		return nil, "", err
	}
	for i := range jobs {
		if jobs[i].State.Terminal() && claims.hasEnded(jobs[i].ID) {
			continue
		}
		checkpoints, err := e.Client.Checkpoints(ctx, jobs[i].ID)
		if flink.IsNotFound(err) {
			continue
		}
		if err != nil {
			return nil, "", err
		}
		restored := checkpoints.Latest.Restored
		from := restored != nil && samePath(restored.Path, location)
		newest := newestOf(checkpoints)
		switch {
		case !jobs[i].State.Terminal() && from:
			return &jobs[i], "was restored from", nil
		case jobs[i].State.Terminal() && (from && newest == "" || newest != "" && samePath(newest, location)):
			return &jobs[i], "has ended and has no newer state than", nil
		}
	}
	return nil, "", nil
}
