// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle

import (
	"context"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
)

// Source is who told of a job's state.
type Source string

// The sources, the surest first.
const (
	// SourceFlink is the JobManager, which remembers the ended job.
	SourceFlink Source = "flink"
	// SourceDisk is the cluster's file system.
	SourceDisk Source = "disk"
	// SourceRecord is the savepoint that the job was stopped with, or the one
	// that it was itself started from.
	SourceRecord Source = "record"
	// SourceHint is the newest checkpoint that a refresh saw while the job ran.
	SourceHint Source = "hint"
)

// Origin is the state that the next start of a job that does not run begins
// with.
type Origin struct {
	// Path is empty where there is none.
	Path   string `json:"path,omitempty"`
	Source Source `json:"source,omitempty"`
	// Searched is true when all the places were looked at where newer state may
	// be. Without it there may be some that is not known.
	Searched bool `json:"searched,omitempty"`
}

// Origin finds the newest state of a job that does not run: what Flink
// remembers of its checkpoints, else what is on disk, else what is recorded.
// It changes nothing.
func (e *Engine) Origin(ctx context.Context, rec Record, policy Policy) (Origin, error) {
	if rec.State == StateSuspended && rec.SavepointPath != "" {
		// A resume that was interrupted, on a JobManager that was then restarted,
		// may have left newer state.
		if found := e.newestOnDisk(ctx, rec, policy, rec.Generation+1); found.Path != "" {
			return found, nil
		}
		return Origin{Path: rec.SavepointPath, Source: SourceRecord, Searched: true}, nil
	}
	checkpoints, err := e.Client.Checkpoints(ctx, rec.JobID)
	switch {
	case err == nil:
		if newest := newestOf(checkpoints); newest != "" {
			return Origin{Path: newest, Source: SourceFlink, Searched: true}, nil
		}
	case !flink.IsNotFound(err):
		return Origin{}, err
	}
	found := e.newestOnDisk(ctx, rec, policy, rec.Generation)
	switch {
	case found.Path != "":
	case rec.LastCheckpoint != "":
		found.Path, found.Source = rec.LastCheckpoint, SourceHint
	case strings.Contains(rec.SavepointPath, savepointTarget("", rec.UID, rec.Generation)+"/"):
		found.Path, found.Source = rec.SavepointPath, SourceRecord
	case rec.RestoredFrom != "":
		// Until its first checkpoint that was its newest state. A savepoint of an
		// earlier generation is not: this one may have been started from another.
		found.Path, found.Source = rec.RestoredFrom, SourceRecord
	}
	return found, nil
}

// CheckOrigin refuses to go back by itself to older state than a lost job is
// known to have had, or may have had.
func CheckOrigin(rec Record, origin Origin) error {
	const advice = "Look for its newest checkpoint or savepoint and set restore_from to it, with any new text in restore_trigger. " +
		"To give its progress up, set them to an older one, or upgrade.mode = \"stateless\" to start from nothing. Nothing was started."
	if rec.State != StateLost {
		return nil
	}
	if older(origin.Path, rec.LastCheckpoint) || origin.Source == SourceHint && origin.Searched {
		return problemf(ProblemRestore, advice, nil, "checkpoint %s of the lost job %s is gone, and what is left is older: %s",
			rec.LastCheckpoint, rec.JobID, orNothing(origin))
	}
	if !origin.Searched && origin.Source != SourceHint && origin.Source != SourceDisk {
		return problemf(ProblemRestore, advice, nil,
			"the cluster's file systems cannot be searched for the state of the lost job %s, and what is known of is older: %s", rec.JobID, orNothing(origin))
	}
	return nil
}

func orNothing(origin Origin) string {
	if origin.Source == SourceHint || origin.Path == "" {
		return "nothing"
	}
	return origin.Path
}

// older tells whether a checkpoint was taken before another one of one job.
func older(found, seen string) bool {
	n, okFound := checkpointNumber(found)
	m, okSeen := checkpointNumber(seen)
	return okFound && okSeen && n < m && samePath(path.Dir(plainPath(found)), path.Dir(plainPath(seen)))
}

func checkpointNumber(directory string) (int64, bool) {
	text, ok := strings.CutPrefix(path.Base(directory), "chk-")
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil
}

// IsCheckpoint tells a checkpoint's path from a savepoint's.
func IsCheckpoint(directory string) bool {
	_, ok := checkpointNumber(plainDirectory(directory))
	return ok
}

// newestOnDisk looks on the cluster's file systems for the newest checkpoint
// of the job's generations from one on, and for a savepoint of a stop that
// Flink has forgotten.
func (e *Engine) newestOnDisk(ctx context.Context, rec Record, policy Policy, from int64) Origin {
	if e.Probe == nil {
		return Origin{}
	}
	cluster, err := e.directories(ctx)
	if err != nil {
		return Origin{}
	}
	found := Origin{Searched: true}
	var modified time.Time
	last := rec.Generation + gap
	if e.Owner == "" && !policy.Adopt {
		// Without owner, what is above may be another configuration's.
		last = rec.Generation
	}
	for _, directory := range stateDirectories(cluster, rec, policy, from, last) {
		newest, at, ok, err := e.Probe.Newest(ctx, directory)
		switch {
		case err != nil:
			found.Searched = false
		case ok && (found.Path == "" || at.After(modified)):
			found.Path, found.Source, modified = newest, SourceDisk, at
		}
	}
	return found
}

// stateDirectories are the places of checkpoints and savepoints of the job's
// generations from one to another. An interrupted apply may have got further
// than what is recorded.
func stateDirectories(cluster flink.Directories, rec Record, policy Policy, from, last int64) []string {
	var directories []string
	add := func(directory string) {
		if !slices.Contains(directories, directory) {
			directories = append(directories, directory)
		}
	}
	if rec.LastCheckpoint != "" && from <= rec.Generation {
		if end := strings.LastIndex(plainDirectory(rec.LastCheckpoint), "/"); end > 0 {
			add(rec.LastCheckpoint[:end])
		}
	}
	for n := from; n <= last; n++ {
		id := rec.JobID
		if n > rec.Generation {
			id = JobID(rec.UID, n)
		}
		for _, directory := range checkpointsOf(cluster, rec.CheckpointDirectories, id) {
			add(directory)
		}
		for _, directory := range []string{rec.SavepointDirectory, policy.SavepointDirectory, cluster.Savepoints} {
			if directory != "" {
				add(savepointTarget(directory, rec.UID, n))
			}
		}
	}
	return directories
}

// CheckpointDirectories are the directories that a job's own configuration
// names for its checkpoints. Which one Flink takes depends on the cluster's
// configuration as well, so that all are looked at.
func CheckpointDirectories(configuration map[string]string) []string {
	var directories []string
	for _, key := range []string{"execution.checkpointing.dir", "state.checkpoints.dir"} {
		if configuration[key] != "" {
			directories = append(directories, configuration[key])
		}
	}
	return directories
}

// checkpointsOf is where a job's checkpoints may be.
func checkpointsOf(cluster flink.Directories, configured []string, jobID string) []string {
	var directories []string
	for _, directory := range append(slices.Clone(configured), cluster.Checkpoints) {
		if directory != "" {
			directories = append(directories, plainDirectory(directory)+"/"+jobID)
		}
	}
	return directories
}
