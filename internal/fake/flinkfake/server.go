// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"crypto/rand"
	"encoding/hex"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"time"
)

// Server is the fake cluster. All of its methods may be called from any goroutine.
type Server struct {
	settings

	http   *httptest.Server
	url    string
	closed chan struct{}
	once   sync.Once

	mu       sync.Mutex
	offset   time.Duration
	epoch    int
	fs       *fileSystem
	programs map[string]Program
	jars     []*jar
	// copies are those of jars that the state probe made, by their names.
	copies map[string]*jar
	jobs   []*job
	past   []JobSnapshot
	// log is what Python programs wrote to the JobManager's log.
	log      strings.Builder
	used     map[string]bool
	apps     []*application
	triggers map[triggerKey]*trigger
	// graphs and stats are the two caches in front of what a job shows.
	graphs, stats map[string]cached
	metrics       metricStore

	faults    faultTable
	onRequest func(*http.Request)
	requests  []Request
}

// New starts a fake cluster. Close it when done.
func New(opts ...Option) *Server {
	s := &Server{
		settings: defaults(),
		closed:   make(chan struct{}),
		fs:       newFileSystem(),
		programs: defaultPrograms(),
		copies:   map[string]*jar{},
		used:     map[string]bool{},
		triggers: map[triggerKey]*trigger{},
		graphs:   map[string]cached{},
		stats:    map[string]cached{},
	}
	for _, o := range opts {
		o(&s.settings)
	}
	if s.checkpointDir != "" {
		s.conf[keyCheckpointDir[s.oldKeys()]] = s.checkpointDir
	}
	if s.savepointDir != "" {
		s.conf[keySavepointDir[s.oldKeys()]] = s.savepointDir
	}
	s.http = httptest.NewServer(http.HandlerFunc(s.serve))
	s.url = s.http.URL
	return s
}

// oldKeys is the index of the names of a key: versions before 1.20 know only the old ones.
func (s *Server) oldKeys() int {
	if s.version.atLeast(1, 20) {
		return 0
	}
	return 1
}

// URL is the endpoint, without a trailing slash.
func (s *Server) URL() string { return s.url }

// Close stops the server and every main method that still runs.
func (s *Server) Close() {
	s.once.Do(func() {
		close(s.closed)
		if s.http != nil {
			s.http.CloseClientConnections()
			s.http.Close()
		}
	})
}

// Advance lets time pass at once: triggers and jobs expire, checkpoints are taken, failures and ends come due.
func (s *Server) Advance(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.advance()
	s.offset += d
	s.advance()
}

// RestartOption changes what a restart of the JobManager forgets.
type RestartOption func(*restartSettings)

type restartSettings struct{ loseJars bool }

// LoseJars is a JobManager whose upload directory was temporary.
func LoseJars() RestartOption { return func(r *restartSettings) { r.loseJars = true } }

// RestartJobManager forgets all jobs, applications, triggers and used ids, as a JobManager without high availability
// does. Files stay.
func (s *Server) RestartJobManager(opts ...RestartOption) {
	var r restartSettings
	for _, o := range opts {
		o(&r)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.advance()
	s.forget(r.loseJars)
}

// forget drops what lives in the JobManager's memory.
func (s *Server) forget(jars bool) {
	s.epoch++
	for _, j := range s.jobs {
		s.remember(j)
	}
	s.jobs, s.apps = nil, nil
	clear(s.used)
	clear(s.triggers)
	clear(s.graphs)
	clear(s.stats)
	s.metrics = metricStore{}
	if jars {
		s.jars = nil
		clear(s.copies)
	}
}

func (s *Server) now() time.Time { return s.clock().Add(s.offset) }

// advance brings everything up to now: triggers in the order in which they complete, then the jobs.
func (s *Server) advance() {
	now := s.now()
	pending := slices.SortedFunc(maps.Values(s.triggers), func(a, b *trigger) int { return a.due.Compare(b.due) })
	for _, t := range pending {
		if t.done || t.due.After(now) {
			continue
		}
		for _, j := range s.jobs {
			j.advance(t.due)
		}
		s.complete(t)
	}
	for _, j := range s.jobs {
		j.advance(now)
	}
	s.expire(now)
}

// expire forgets terminal jobs and the outcomes of triggers whose time is over. A job's id stays used. Those that
// failed before they ran are not forgotten by version 2.
func (s *Server) expire(now time.Time) {
	s.jobs = slices.DeleteFunc(s.jobs, func(j *job) bool {
		if j.initFailed && s.version.atLeast(2, 0) {
			return false
		}
		expired := terminal(j.state) && now.Sub(j.ended) >= s.jobExpiry
		if expired {
			s.remember(j)
		}
		return expired
	})
	maps.DeleteFunc(s.triggers, func(_ triggerKey, t *trigger) bool {
		return t.done && now.Sub(t.due) >= s.triggerExpiry
	})
}

// ForgetEnded forgets all jobs that have ended, whenever that was, as Flink does with those beyond
// jobstore.max-capacity.
func (s *Server) ForgetEnded() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.advance()
	s.jobs = slices.DeleteFunc(s.jobs, func(j *job) bool {
		if !terminal(j.state) {
			return false
		}
		s.remember(j)
		return true
	})
}

func (s *Server) job(id string) *job {
	for _, j := range s.jobs {
		if j.id == id {
			return j
		}
	}
	return nil
}

func (s *Server) usedSlots() int {
	n := 0
	for _, j := range s.jobs {
		n += j.slots
	}
	return n
}

func (s *Server) freeSlots() int { return max(0, s.slots-s.usedSlots()) }

// randomHex makes what Flink draws at random: ids of its own, the ends of directory names.
func (s *Server) randomHex(digits int) string {
	b := make([]byte, (digits+1)/2)
	_, _ = rand.Read(b) // It never fails, says its documentation.
	return hex.EncodeToString(b)[:digits]
}

// JobSnapshot is a job as a test sees it, including what REST does not show.
type JobSnapshot struct {
	ID                 string
	Name               string
	State              string
	Args               []string
	EntryClass         string
	JarID              string
	JarSHA256          string
	FlinkConfiguration map[string]string
	UserConfig         map[string]string
	// RestoredFrom is the path that the job was started from, "" if from nothing.
	RestoredFrom string
	// Progress is the number of records counted, including those before a restore.
	Progress int64
	// InitialProgress is what was restored at the start.
	InitialProgress int64
	Parallelism     int
	MaxParallelism  int
	Restarts        int
	StartedAt       time.Time
	EndedAt         time.Time
	// LatestCheckpoint is the path of the newest periodic checkpoint.
	LatestCheckpoint string
}

// Jobs lists the jobs that the cluster still knows, oldest first.
func (s *Server) Jobs() []JobSnapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.advance()
	out := make([]JobSnapshot, 0, len(s.jobs))
	for _, j := range s.jobs {
		out = append(out, j.view(s.now()))
	}
	return out
}

// Live lists the jobs that have not ended, oldest first.
func (s *Server) Live() []JobSnapshot {
	return slices.DeleteFunc(s.Jobs(), func(job JobSnapshot) bool {
		return slices.Contains([]string{"FINISHED", "CANCELED", "FAILED"}, job.State)
	})
}

// remember keeps what a test may want to know of a job that the cluster is about to forget.
func (s *Server) remember(j *job) {
	v := j.view(s.now())
	if v.EndedAt.IsZero() {
		v.EndedAt = s.now()
	}
	s.past = append(s.past, v)
}

// History lists every job that there ever was, in the order of their ends, with those that the cluster still knows
// last. A job that died with its JobManager ended then.
func (s *Server) History() []JobSnapshot {
	known := s.Jobs()
	s.mu.Lock()
	defer s.mu.Unlock()
	return append(slices.Clone(s.past), known...)
}

// Job finds a job by id.
func (s *Server) Job(id string) (JobSnapshot, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.advance()
	j := s.job(id)
	if j == nil {
		return JobSnapshot{}, false
	}
	return j.view(s.now()), true
}

func (j *job) view(now time.Time) JobSnapshot {
	v := JobSnapshot{
		ID: j.id, Name: j.name, State: j.state, Args: slices.Clone(j.args), EntryClass: j.entryClass,
		JarID: j.jarID, JarSHA256: j.jarSHA, FlinkConfiguration: maps.Clone(j.flinkConf),
		UserConfig: maps.Clone(j.userConf), RestoredFrom: j.restoredFrom, Progress: j.progressAt(now),
		InitialProgress: j.checkpoints.originProgress, Parallelism: j.parallelism, MaxParallelism: j.maxParallelism,
		Restarts: j.restarts, StartedAt: j.created, EndedAt: j.ended,
	}
	if j.checkpoints.latest != nil && j.checkpoints.latest.path != "" {
		v.LatestCheckpoint = uri(j.checkpoints.latest.path)
	}
	return v
}
