// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
)

// checkpointing is a job's checkpoint settings and what has come of them.
type checkpointing struct {
	interval  time.Duration
	timeout   time.Duration
	minPause  time.Duration
	mode      string
	dir       string
	retention string
	backend   string
	unaligned bool
	tolerable int

	next      time.Time
	id        int64
	completed int64
	failed    int64
	restored  int64
	latest    *checkpoint
	savepoint *checkpoint
	broken    *checkpoint
	// underway are the savepoints that are being taken, the newest last.
	underway []underway
	origin   *restore
	// originProgress is the state that the job was started from.
	originProgress int64
	// claimed is a savepoint that now belongs to the job, removed after its first own checkpoint.
	claimed string
}

// underway is a savepoint that is being taken.
type underway struct {
	trigger string
	stop    bool
	at      time.Time
}

type checkpoint struct {
	// stop is the savepoint of a stop.
	stop bool
	// failure is why it came to nothing.
	failure  string
	id       int64
	path     string
	at       time.Time
	progress int64
}

// restore is what a job was started, or started again, from.
type restore struct {
	id        int64
	path      string
	at        time.Time
	savepoint bool
}

// newest is the progress that a restart goes on from.
func (c *checkpointing) newest() int64 {
	switch {
	case c.latest != nil && (c.savepoint == nil || c.latest.id > c.savepoint.id):
		return c.latest.progress
	case c.savepoint != nil:
		return c.savepoint.progress
	}
	return c.originProgress
}

// tick takes the periodic checkpoints that are due up to a time. Only the last is kept, so that a long jump of the
// clock is one step.
func (j *job) tick(to time.Time) {
	c := &j.checkpoints
	if c.interval <= 0 || c.next.After(to) {
		return
	}
	n := int64(to.Sub(c.next)/c.interval) + 1
	at := c.next.Add(time.Duration(n-1) * c.interval)
	c.id += n
	c.completed += n
	c.next = at.Add(c.interval)
	old := c.latest
	c.latest = &checkpoint{id: c.id, at: at, progress: j.progressAt(at)}
	fs := j.server.fs
	if root := j.checkpointRoot(); root != "" {
		c.latest.path = path.Join(root, fmt.Sprintf("chk-%d", c.id))
		fs.write(c.latest.path+"/_metadata", j.snapshot(c.latest.progress, c.id, false), at)
	}
	if old != nil && old.path != "" && old.path != c.latest.path {
		fs.remove(old.path)
	}
	if c.claimed != "" {
		fs.remove(c.claimed)
		c.claimed = ""
	}
}

// discardCheckpoints removes what the retention does not keep for the state that the job ended in. A cancel leaves
// the directory of the checkpoint that was under way behind, empty.
func (j *job) discardCheckpoints(at time.Time) {
	c := &j.checkpoints
	root := j.checkpointRoot()
	if root == "" || c.interval <= 0 {
		return
	}
	keep := false
	switch c.retention {
	case "RETAIN_ON_CANCELLATION":
		keep = j.state != "FINISHED"
	case "DELETE_ON_CANCELLATION":
		keep = j.state == "FAILED"
	}
	fs := j.server.fs
	if !keep && c.latest != nil {
		fs.remove(c.latest.path)
	}
	if j.state == "CANCELED" && keep {
		c.id++
		fs.mkdir(path.Join(root, fmt.Sprintf("chk-%d", c.id)), at)
	}
}

func (j *job) snapshot(progress, id int64, savepoint bool) *snapshot {
	s := &snapshot{
		jobID: j.id, progress: progress, id: id, savepoint: savepoint,
		maxParallelism: j.vertices[len(j.vertices)-1].maxParallelism,
	}
	for _, o := range j.graph.Operators {
		if o.Stateful {
			s.operators = append(s.operators, o)
		}
	}
	return s
}

// takeSavepoint writes a savepoint into a directory of its own.
func (j *job) takeSavepoint(dir string, at time.Time, stop bool) {
	s := j.server
	c := &j.checkpoints
	c.id++
	c.completed++
	progress := j.progressAt(at)
	s.fs.write(dir+"/_metadata", j.snapshot(progress, c.id, true), at)
	c.savepoint = &checkpoint{id: c.id, path: dir, at: at, progress: progress, stop: stop}
}

// begin and end note a savepoint that is being taken.
func (c *checkpointing) begin(t *trigger, at time.Time) {
	c.underway = append(c.underway, underway{trigger: t.key.id, stop: t.kind == stopTrigger, at: at})
}

func (c *checkpointing) end(t *trigger) {
	c.underway = slices.DeleteFunc(slices.Clone(c.underway), func(u underway) bool { return u.trigger == t.key.id })
}

// failSavepoint counts one that came to nothing: as a checkpoint, which it is.
func (j *job) failSavepoint(at time.Time, why string) {
	c := &j.checkpoints
	c.id++
	c.failed++
	c.broken = &checkpoint{id: c.id, at: at, failure: why}
}

// checkpointSettings reads the configuration; what code sets wins.
func (s *Server) checkpointSettings(own map[string]string, g Graph) (checkpointing, *throwable) {
	all := conf(s.conf).merged(own)
	c := checkpointing{interval: g.CheckpointInterval}
	var bad *throwable
	read := func(to *time.Duration, fallback time.Duration, key string) {
		if bad == nil {
			*to, bad = all.duration(fallback, key)
		}
	}
	var configured time.Duration
	read(&configured, 0, "execution.checkpointing.interval")
	if c.interval == 0 {
		c.interval = configured
	}
	read(&c.timeout, 10*time.Minute, "execution.checkpointing.timeout")
	read(&c.minPause, 0, "execution.checkpointing.min-pause")
	if bad != nil {
		return c, bad
	}
	if c.tolerable, bad = all.integer(0, "execution.checkpointing.tolerable-failed-checkpoints"); bad != nil {
		return c, bad
	}
	c.mode = strings.ToUpper(all.first("execution.checkpointing.mode"))
	c.retention = strings.ToUpper(all.first(keyRetention...))
	c.unaligned = all.boolean("execution.checkpointing.unaligned.enabled", "execution.checkpointing.unaligned")
	c.backend = strings.ToLower(all.first(keyBackend...))
	return c, nil
}

// jobCheckpointDir is where a job's checkpoints go. The old key of a job loses against the new key of the cluster.
func (s *Server) jobCheckpointDir(own map[string]string) string {
	if d := own["execution.checkpointing.dir"]; d != "" {
		return d
	}
	if d := s.conf["execution.checkpointing.dir"]; d != "" {
		return d
	}
	return conf(s.conf).merged(own)["state.checkpoints.dir"]
}

// takeCheckpoint is one that somebody asked for.
func (j *job) takeCheckpoint(at time.Time) int64 {
	c := &j.checkpoints
	asked := c.interval
	if asked <= 0 {
		c.interval = time.Hour
	}
	c.next = at
	j.tick(at)
	c.interval = asked
	return c.id
}
