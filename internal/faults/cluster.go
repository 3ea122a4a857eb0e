// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package faults

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
)

// cluster is a Flink, in memory or real, with what REST does not show of it.
type cluster interface {
	// forward answers a request, whether or not its client is still there.
	forward(r *http.Request, body []byte) (*answer, error)
	// quick clusters answer within milliseconds.
	quick() bool
	// files lists what jobs have written, in order.
	files() ([]file, error)
	// history lists each job that there ever was, also those that the cluster
	// has forgotten, in the order of their starts.
	history() ([]life, error)
	// run lets a job run on for some time.
	run(d time.Duration)
	// deny lets the savepoints of a job fail, or takes that back.
	deny(uid string, on bool) error
}

// file is one file of a checkpoint or savepoint.
type file struct {
	path     string
	modified time.Time
	size     int64
	// progress is what a job had counted that wrote it, -1 where it is not known.
	progress int64
}

// complete files make a checkpoint or savepoint restorable.
func (f file) complete() bool { return strings.HasSuffix(f.path, "/_metadata") }

// newer tells whether a file holds newer state than another.
func (f file) newer(than file) bool {
	if f.progress >= 0 && than.progress >= 0 {
		return f.progress > than.progress
	}
	return f.modified.After(than.modified)
}

// life is one job from its start to its end.
type life struct {
	id, name string
	state    string
	start    time.Time
	// end is zero while it runs; a job that died with its JobManager ended then.
	end time.Time
	// from is where it was restored from, empty for nothing.
	from string
	// args are the program's, where the cluster tells them.
	args []string
	// restored is what it began with and progress what it has counted, -1 where
	// that is not known.
	restored, progress int64
}

func (l life) live() bool { return l.end.IsZero() }

// lost is a job that died with its JobManager.
func (l life) lost() bool { return !l.live() && !flink.JobState(l.state).Terminal() }

// newClient speaks to a cluster directly.
func newClient(url string) (*flink.Client, func(), error) {
	transport, err := rest.New(rest.Config{Endpoint: url})
	if err != nil {
		return nil, nil, err
	}
	return flink.New(transport), transport.Close, nil
}

// moment is when the next apply comes.
type moment int

const (
	atOnce moment = iota
	triggersExpired
	jobsExpired
	jobManagerRestarted
	// jobsExpireMeanwhile is at once, and Flink forgets finished jobs before one of
	// the apply's requests.
	jobsExpireMeanwhile
)

// realMoments are those that can be waited for, moments all of them: of a real
// Flink nobody can tell between which two requests it forgets.
var (
	realMoments = []moment{atOnce, triggersExpired, jobsExpired, jobManagerRestarted}
	moments     = append(slices.Clone(realMoments), jobsExpireMeanwhile)
)

func (m moment) String() string {
	return [...]string{
		"at once", "after triggers expired", "after finished jobs expired", "after a JobManager restart", "while finished jobs expire",
	}[m]
}
