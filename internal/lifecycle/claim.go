// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle

import (
	"context"
	"slices"
)

// claim is whose a job under a derived id is.
type claim int

const (
	// claimOurs is a job that this resource began.
	claimOurs claim = iota
	// claimOther is a job of another configuration, whose generation is taken.
	claimOther
	// claimUnclear is a job that may be either: without owner, identities are
	// shared by all configurations with a job of this name.
	claimUnclear
)

// claimOf tells whose a later generation is. ours are the ids that are known to
// be this resource's, of which a generation that it began continues one.
//
// With owner, the id alone nearly tells: only a resource that was renamed and
// another one under its first name share it. Without owner, any configuration
// with a job of this name has the same ids.
func (e *Engine) claimOf(g *generation, rec Record, name string, ours []string) claim {
	switch {
	case g.known && g.marker.From != "" && slices.Contains(ours, g.marker.From):
		return claimOurs
	case e.Owner != "" || rec.JobID == "":
		if g.known && g.marker.Name != name {
			return claimOther
		}
		return claimOurs
	case g.known && (g.marker.Name != name || g.marker.From == "" || g.marker.Owner != ""):
		// It was created, and this resource was created before.
		return claimOther
	}
	return claimUnclear
}

// clear makes sure that a start without owner runs no job beside one that may
// be this resource's own, and passes over no state that may be its newest.
func (e *Engine) clear(ctx context.Context, rec Record, u Update) error {
	if e.Owner != "" || rec.JobID == "" || u.Policy.Adopt {
		return nil
	}
	_, unclear, err := e.successors(ctx, rec, u.OldName)
	if err != nil {
		return err
	}
	if g := live(unclear); g != nil {
		return problemf(ProblemOwner, adviceOwner, nil, "job %s runs under an id that this resource would use", g.job.ID)
	}
	if u.Restore != "" || u.Policy.Mode == ModeStateless || rec.State == StateFinished {
		return nil
	}
	for n := rec.Generation + 1; n <= rec.Generation+gap; n++ {
		sure := u.Policy
		sure.Adopt = true
		above := Record{
			UID: rec.UID, Generation: n - gap, JobID: JobID(rec.UID, n-gap),
			SavepointDirectory: rec.SavepointDirectory, CheckpointDirectories: rec.CheckpointDirectories,
		}
		found := e.newestOnDisk(ctx, above, sure, n)
		if found.Path == "" {
			continue
		}
		known, err := e.Known(ctx, JobID(rec.UID, n))
		if err != nil {
			return err
		}
		if !known {
			return problemf(ProblemOwner, adviceOwner+" Or name the state to start from with restore_from and restore_trigger.", nil,
				"there is state at %s that may be newer than this job's own", found.Path)
		}
	}
	return nil
}

// adviceOwner is what to do where nothing tells whose a job is.
const adviceOwner = "Without owner it cannot be told whose it is: it may be of another configuration with a job of this name, or of an apply of this one that was interrupted. " +
	"If it is this one's, set adopt_existing = true for one apply. To keep configurations apart, set owner in the provider configuration (STREAMING_OWNER)."
