// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle

import (
	"context"
	"errors"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
)

func plainDirectory(directory string) string { return strings.TrimRight(directory, "/") }

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
	for n := from; n <= rec.Generation+gap; n++ {
		id := rec.JobID
		if n > rec.Generation {
			id = JobID(rec.UID, n)
		}
		if cluster.CheckpointDir != "" {
			directories = append(directories, plainDirectory(cluster.CheckpointDir)+"/"+id)
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
	if config.Disabled() || !config.Externalization.Enabled || config.Externalization.DeleteOnCancellation || newestOf(before) == "" {
		return "", problemf(ProblemState,
			"The job still runs, unchanged. Set execution.checkpointing.interval, keep RETAIN_ON_CANCELLATION, and wait for a checkpoint; or choose upgrade.mode = \"savepoint\".",
			nil, "upgrade.mode is last_state, but the job has no checkpoint that outlives a cancellation")
	}
	if err := e.cancel(ctx, rec.JobID); err != nil {
		return "", err
	}
	if _, err := e.settled(ctx, rec.JobID); err != nil {
		return "", err
	}
	after, err := e.Client.Checkpoints(ctx, rec.JobID)
	if err != nil {
		return "", err
	}
	path := newestOf(after)
	if path == "" {
		return "", errors.New("the job was cancelled and Flink tells no checkpoint of it any more")
	}
	return path, nil
}
