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
		advice := "Set execution.checkpointing.interval, keep RETAIN_ON_CANCELLATION, and wait for a checkpoint"
		if strict, err := e.Client.Strict(ctx); err == nil && strict {
			advice = "Let the program enable externalized checkpoints, or set execution.checkpointing.externalized-checkpoint-retention: RETAIN_ON_CANCELLATION in the cluster's flink-conf.yaml, which Flink 1.14 takes for jobs that start after that"
		}
		return "", problemf(ProblemState, "The job still runs, unchanged. "+advice+"; or choose upgrade.mode = \"savepoint\".", nil, "upgrade.mode is last_state, but the job has no checkpoint that outlives a cancellation")
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
	if err := e.outdate(ctx); err != nil {
		return nil, err
	}
	return e.Client.Checkpoints(ctx, jobID)
}

// outdate waits until Flink's cache has nothing any more from before now.
func (e *Engine) outdate(ctx context.Context) error {
	stale, err := e.Client.RefreshInterval(ctx)
	if err != nil {
		return err
	}
	for began := time.Now(); time.Since(began) <= stale; {
		if err := e.pause(ctx, began); err != nil {
			return err
		}
	}
	return nil
}
