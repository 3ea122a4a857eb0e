// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package lifecycle moves one Flink job from what is observed to what is
// wanted without losing its state and without ever running it twice. It knows
// nothing of Terraform.
//
// Nothing that an interrupted apply needs is stored: job ids and the ids of
// savepoint triggers are derived from the resource's identity, so that the
// next apply finds what the last one began.
package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
)

// Timing bounds the waits that are not the user's.
type Timing struct {
	// Poll is the shortest pause between two looks at something that is under
	// way. The longer it takes, the longer are the pauses.
	Poll time.Duration
	// Stable is how long a job must stay up before it counts as started.
	Stable time.Duration
	// RestartGrace is how long a job may fail and restart before its start
	// counts as failed.
	RestartGrace time.Duration
	// Appear is how long to look for a job whose submission got no answer.
	Appear time.Duration
}

// DefaultTiming is for real engines.
func DefaultTiming() Timing {
	return Timing{Poll: 50 * time.Millisecond, Stable: time.Second, RestartGrace: 15 * time.Second, Appear: time.Minute}
}

// Engine works on the jobs of one cluster for one owner.
type Engine struct {
	Client *flink.Client
	// Owner is part of each job's marker; empty when not configured.
	Owner  string
	Timing Timing
	// Probe asks about files on the cluster's file systems; nil where the
	// cluster allows no submissions.
	Probe Prober
	// Warn receives what the user should know although nothing failed.
	Warn func(summary, detail string)

	// known are the cluster's directories once they were asked for: an Engine
	// lives for one operation.
	known *flink.Directories
}

// directories are where the cluster keeps the state of jobs.
func (e *Engine) directories(ctx context.Context) (flink.Directories, error) {
	if e.known != nil {
		return *e.known, nil
	}
	directories, err := e.Client.Directories(ctx)
	if err == nil {
		e.known = &directories
	}
	return directories, err
}

// Prober answers questions about the cluster's own file systems.
type Prober interface {
	// Exists tells whether a file or directory exists.
	Exists(ctx context.Context, path string) (bool, error)
	// Newest finds the newest complete checkpoint or savepoint under a
	// directory; found is false when there is none.
	Newest(ctx context.Context, directory string) (path string, modified time.Time, found bool, err error)
}

// State is what a job was observed to be, in the words of the attribute.
type State string

// The observed states. Only the first two can be wanted.
const (
	StateRunning   State = "running"
	StateSuspended State = "suspended"
	// StateFinished is a job that came to its own end.
	StateFinished State = "finished"
	StateFailed   State = "failed"
	StateCanceled State = "canceled"
	// StateLost is a running job that the JobManager does not know any more.
	StateLost State = "lost"
	// StateInterrupted is a job whose last apply ended between stopping one
	// generation and reporting the next one, which is there.
	StateInterrupted State = "interrupted"
)

// Record is what is kept of a job between two calls.
type Record struct {
	UID        string
	Generation int64
	JobID      string
	JobName    string
	State      State
	// Status is Flink's own word.
	Status         string
	SavepointPath  string
	LastCheckpoint string
	// LastCheckpointAt is when Flink completed it.
	LastCheckpointAt time.Time
	RestoredFrom     string
	StartedAt        time.Time
	// Bounded is true once the job was seen to have an end of its own.
	Bounded bool
	// Savepoints are the paths of this resource's own savepoints, oldest first.
	Savepoints []string
	// Asked is how many subtasks each vertex of a job on the adaptive scheduler
	// asked for when it was last seen; nil for other jobs.
	Asked map[string]int64
	// AskedSince is the parallelism that a refresh found to be asked for by
	// somebody else, 0 for none.
	AskedSince int64
	// Origin is where a job that was found dead would go on from.
	Origin Origin
	// Failure is why a job failed, in one line.
	Failure string
	// SavepointDirectory and CheckpointDirectories are those that the job was
	// configured with, where its state is looked for.
	SavepointDirectory    string
	CheckpointDirectories []string
}

// Policy is how a job is moved, without being part of what it is.
type Policy struct {
	// Mode is savepoint, last_state or stateless.
	Mode               string
	SavepointDirectory string
	// KeepSavepoints is how many own savepoints stay; nil means all.
	KeepSavepoints   *int64
	Format           flink.SavepointFormat
	Drain            bool
	AllowNonRestored bool
	Rollback         bool
	// Adopt takes over the one running job of this name, for a new resource or a
	// lost job, and without owner also what may be of an interrupted apply.
	Adopt bool
}

// The values of Policy.Mode.
const (
	ModeSavepoint = "savepoint"
	ModeLastState = "last_state"
	ModeStateless = "stateless"
)

func (e *Engine) warnf(summary, detail string, args ...any) {
	if e.Warn != nil {
		e.Warn(summary, fmt.Sprintf(detail, args...))
	}
}

// pause waits until the next look at something that has been under way since
// a time: a tenth of how long it already takes, so that a wait of a second ends
// at once, and one of an hour does not ask all the time.
func (e *Engine) pause(ctx context.Context, since time.Time) error {
	timer := time.NewTimer(min(max(time.Since(since)/10, e.Timing.Poll), 20*e.Timing.Poll))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ended{ctx.Err()}
	case <-timer.C:
		return nil
	}
}

// ended says in a user's words why a context has.
type ended struct{ err error }

func (e ended) Error() string {
	if errors.Is(e.err, context.DeadlineExceeded) {
		return "the time limit was reached"
	}
	return "the run was interrupted"
}

// Unwrap returns the context's own error.
func (e ended) Unwrap() error { return e.err }
