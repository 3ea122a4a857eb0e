// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
)

func plainDirectory(directory string) string { return strings.TrimRight(directory, "/") }

// checkpointsOf is where a job's checkpoints are, on a cluster that has a
// directory for them.
func checkpointsOf(cluster *flink.Cluster, jobID string) string {
	return plainDirectory(cluster.CheckpointDir) + "/" + jobID
}

// newestState finds the newest state that an ended or lost job had: what Flink
// remembers of its checkpoints, else what is on disk, else what is recorded.
func (e *Engine) newestState(ctx context.Context, rec Record, policy Policy) (string, error) {
	if rec.State == StateSuspended && rec.SavepointPath != "" {
		// A resume that was interrupted, on a JobManager that was then restarted,
		// may have left newer state.
		if path, ok := e.newestOnDisk(ctx, rec, policy, rec.Generation+1); ok {
			return path, nil
		}
		return rec.SavepointPath, nil
	}
	checkpoints, err := e.Client.Checkpoints(ctx, rec.JobID)
	switch {
	case err == nil:
		if path := newestOf(checkpoints); path != "" {
			return path, nil
		}
	case !flink.IsNotFound(err):
		return "", err
	}
	if path, ok := e.newestOnDisk(ctx, rec, policy, rec.Generation); ok {
		return path, nil
	}
	if rec.LastCheckpoint != "" {
		e.warnf("The newest checkpoint is taken from what the last refresh saw",
			"The job is restored from %s. A newer one may exist that could not be looked for.", rec.LastCheckpoint)
		return rec.LastCheckpoint, nil
	}
	if rec.SavepointPath != "" {
		return rec.SavepointPath, nil
	}
	return rec.RestoredFrom, nil
}

// newestOf is the newest checkpoint or savepoint of a job's history that is
// still there.
func newestOf(checkpoints *flink.Checkpoints) string {
	var newest *flink.Checkpoint
	for _, candidate := range []*flink.Checkpoint{checkpoints.Latest.Completed, checkpoints.Latest.Savepoint} {
		if candidate == nil || candidate.Path == "" || candidate.Discarded || strings.HasPrefix(candidate.Path, "<") {
			continue
		}
		if newest == nil || candidate.ID > newest.ID {
			newest = candidate
		}
	}
	if newest == nil {
		return ""
	}
	return newest.Path
}

// newestOnDisk looks on the cluster's file systems for the newest checkpoint
// of the job's generations from one on, and for a savepoint of a stop that
// Flink has forgotten.
func (e *Engine) newestOnDisk(ctx context.Context, rec Record, policy Policy, from int64) (string, bool) {
	if e.Probe == nil {
		return "", false
	}
	cluster, err := e.Client.Cluster(ctx)
	if err != nil {
		return "", false
	}
	var directories []string
	// An interrupted apply may have got further than what is recorded.
	last := rec.Generation + gap
	if e.Owner == "" && !policy.Adopt {
		// Without owner, what is above may be another configuration's.
		last = rec.Generation
	}
	for n := from; n <= last; n++ {
		id := rec.JobID
		if n > rec.Generation {
			id = JobID(rec.UID, n)
		}
		if cluster.CheckpointDir != "" {
			directories = append(directories, checkpointsOf(cluster, id))
		}
		for _, directory := range []string{policy.SavepointDirectory, cluster.SavepointDirectory} {
			if directory != "" {
				directories = append(directories, savepointTarget(directory, rec.UID, n))
			}
		}
	}
	newest, found := "", false
	var modified int64
	for _, directory := range directories {
		path, at, ok, err := e.Probe.Newest(ctx, directory)
		if err == nil && ok && (!found || at.UnixMilli() > modified) {
			newest, modified, found = path, at.UnixMilli(), true
		}
	}
	return newest, found
}

// stopForRestart ends a live job in the way that the policy says, and returns
// where the next one starts from.
func (e *Engine) stopForRestart(ctx context.Context, rec Record, policy Policy) (string, error) {
	switch policy.Mode {
	case ModeStateless:
		return "", e.cancel(ctx, rec.JobID)
	case ModeLastState:
		return e.cancelForLastState(ctx, rec)
	}
	return e.stopWithSavepoint(ctx, rec, policy)
}

// cancelForLastState cancels only a job whose checkpoints outlive that, and
// chooses the checkpoint after the job has ended.
func (e *Engine) cancelForLastState(ctx context.Context, rec Record) (string, error) {
	config, err := e.Client.CheckpointConfig(ctx, rec.JobID)
	if err != nil {
		return "", err
	}
	before, err := e.Client.Checkpoints(ctx, rec.JobID)
	if err != nil {
		return "", err
	}
	if config.Disabled() || !config.Externalization.Enabled || config.Externalization.DeleteOnCancellation || anyOf(before) == "" {
		return "", problemf(ProblemState,
			"The job still runs, unchanged. Set execution.checkpointing.interval, keep RETAIN_ON_CANCELLATION, and wait for a checkpoint; or choose upgrade.mode = \"savepoint\".",
			nil, "upgrade.mode is last_state, but the job has no checkpoint that outlives a cancellation")
	}
	if err := e.cancel(ctx, rec.JobID); err != nil {
		return "", err
	}
	if before.Latest.Completed != nil {
		if path, ok := e.newestBeside(ctx, before.Latest.Completed.Path); ok {
			return path, nil
		}
	}
	after, err := e.finalCheckpoints(ctx, rec.JobID)
	if err != nil {
		return "", err
	}
	path := cmp.Or(newestOf(after), anyOf(before))
	if path == "" {
		return "", errors.New("the job was cancelled and Flink tells no checkpoint of it any more")
	}
	return path, nil
}

// anyOf is a checkpoint of a job, or what it was itself started from: until its
// first checkpoint that is its newest state.
func anyOf(checkpoints *flink.Checkpoints) string {
	switch {
	case checkpoints.Latest.Completed != nil:
		return checkpoints.Latest.Completed.Path
	case checkpoints.Latest.Restored != nil:
		return checkpoints.Latest.Restored.Path
	}
	return ""
}

// newestBeside asks the probe for the newest checkpoint in the directory of
// another one of the same job.
func (e *Engine) newestBeside(ctx context.Context, checkpoint string) (string, bool) {
	end := strings.LastIndex(plainDirectory(checkpoint), "/")
	if e.Probe == nil || end < 0 {
		return "", false
	}
	path, _, found, err := e.Probe.Newest(ctx, checkpoint[:end])
	return path, err == nil && found
}

// finalCheckpoints reads the checkpoints of a job that has just ended. Flink
// answers from a cache, and an answer from before the end would lead back to
// an older state, or to none.
func (e *Engine) finalCheckpoints(ctx context.Context, jobID string) (*flink.Checkpoints, error) {
	stale, err := e.Client.RefreshInterval(ctx)
	if err != nil {
		return nil, err
	}
	for began := time.Now(); time.Since(began) <= stale; {
		if err := e.pause(ctx); err != nil {
			return nil, err
		}
	}
	return e.Client.Checkpoints(ctx, jobID)
}
