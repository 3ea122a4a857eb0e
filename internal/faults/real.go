// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package faults

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/local"
)

// realCluster is a real Flink, shared by the benches of a matrix. What it
// forgets is written down while it is still known.
type realCluster struct {
	*local.State
	client *flink.Client
	http   *http.Client
	stops  []func()

	mu sync.Mutex
	// lives are all jobs that were ever seen, in the order in which they were.
	lives []*life
	// up is since when each of them was seen to run in full, and sure those of
	// which it is known what they were restored from, nothing included.
	up   map[*life]time.Time
	sure map[*life]bool
	// watched is when the list was last brought up to date.
	watched time.Time
}

// watchEvery is how often a real cluster is asked for its jobs: often enough
// that none comes and goes unseen, since a job's start alone takes longer.
const watchEvery = 200 * time.Millisecond

// viewAge is how old Flink's answer about a job's checkpoints may be: its
// web.refresh-interval, 3 s, and the time to fetch a new one.
const viewAge = 4 * time.Second

func newReal(ctx context.Context, state *local.State) (*realCluster, error) {
	client, stop, err := newClient(state.Flink.Endpoint)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	c := &realCluster{State: state, client: client, up: map[*life]time.Time{}, sure: map[*life]bool{}, http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8}}}
	var done sync.WaitGroup
	done.Go(func() { c.watch(ctx) })
	c.stops = []func(){cancel, done.Wait, stop, c.http.CloseIdleConnections}
	return c, nil
}

func (c *realCluster) close() {
	for _, stop := range c.stops {
		stop()
	}
}

func (c *realCluster) quick() bool { return false }

func (c *realCluster) forward(r *http.Request, body []byte) (*answer, error) {
	// The cluster goes on with a request whose client is gone.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), 2*time.Minute)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, r.Method, c.Flink.Endpoint+r.URL.RequestURI(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header = r.Header.Clone()
	response, err := c.http.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	return &answer{status: response.StatusCode, header: response.Header, body: content}, nil
}

// run lets jobs run for long enough that each takes some checkpoints.
func (c *realCluster) run(time.Duration) { time.Sleep(2500 * time.Millisecond) }

// deny puts a file where the savepoints of a job would go.
func (c *realCluster) deny(uid string, on bool) error {
	file := filepath.Join(c.Flink.SavepointDir, uid)
	if !on {
		return os.Remove(file)
	}
	if err := os.MkdirAll(c.Flink.SavepointDir, 0o750); err != nil {
		return err
	}
	return os.WriteFile(file, nil, 0o600)
}

func (c *realCluster) watch(ctx context.Context) {
	for ctx.Err() == nil {
		_ = c.look(ctx)
		select {
		case <-ctx.Done():
		case <-time.After(watchEvery):
		}
	}
}

// look writes down which jobs there are.
func (c *realCluster) look(ctx context.Context) error {
	now := time.Now()
	jobs, err := c.client.Jobs(ctx)
	if err != nil {
		return err
	}
	unknown := map[*life]string{}
	c.mu.Lock()
	for _, job := range jobs {
		one := c.find(job.ID, time.UnixMilli(job.StartTime))
		one.name, one.state = job.Name, string(job.State)
		if job.State.Terminal() && one.end.IsZero() {
			one.end = time.UnixMilli(job.LastModification)
		}
		if _, seen := c.up[one]; !seen && (job.AllUp() || job.State.Terminal()) {
			c.up[one] = now
		}
		if _, seen := c.up[one]; seen && !c.sure[one] {
			unknown[one] = job.ID
		}
	}
	if now.After(c.watched) {
		c.watched = now
	}
	c.mu.Unlock()
	for one, id := range unknown {
		if checkpoints, err := c.client.Checkpoints(ctx, id); err == nil {
			c.restoredFrom(one, checkpoints.Latest.Restored)
		}
	}
	return nil
}

// restoredFrom writes down what a job was restored from. That there is nothing
// may be an answer from before.
func (c *realCluster) restoredFrom(one *life, restored *flink.Restored) {
	c.mu.Lock()
	defer c.mu.Unlock()
	// A checkpoint of the job itself is what it recovered from.
	if restored != nil && !strings.Contains(restored.Path, "/"+one.id+"/") {
		one.from, c.sure[one] = restored.Path, true
	} else if time.Since(c.up[one]) > viewAge {
		c.sure[one] = true
	}
}

// find is the life of a job, a new one if its id was used before.
func (c *realCluster) find(id string, start time.Time) *life {
	for _, one := range c.lives {
		if one.id == id && one.start.Equal(start) {
			return one
		}
	}
	one := &life{id: id, start: start, restored: -1, progress: -1}
	c.lives = append(c.lives, one)
	return one
}

// settleTime is how long Flink may tidy up behind a job that has ended.
const settleTime = 1500 * time.Millisecond

// history waits until what was just going on is seen, and over, and until it is
// known what each job that runs was restored from.
func (c *realCluster) history() ([]life, error) { return c.settled(context.Background()) }

func (c *realCluster) settled(ctx context.Context) ([]life, error) {
	if err := c.look(ctx); err != nil {
		return nil, err
	}
	begun := time.Now()
	for deadline := begun.Add(30 * time.Second); ; {
		if err := c.look(ctx); err != nil {
			return nil, err
		}
		lives, calm := c.snapshot(begun)
		if calm || time.Now().After(deadline) {
			return lives, nil
		}
		time.Sleep(watchEvery)
	}
}

// snapshot waits for no job that began after a time: it is of another bench.
func (c *realCluster) snapshot(begun time.Time) (lives []life, calm bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	calm = true
	for _, one := range c.lives {
		lives = append(lives, *one)
		up, seen := c.up[one]
		if !one.live() && time.Since(one.end) < settleTime || one.live() && seen && up.Before(begun) && !c.sure[one] {
			calm = false
		}
	}
	slices.SortStableFunc(lives, func(a, b life) int { return a.start.Compare(b.start) })
	return lives, calm
}

// crash kills the JobManager and starts it again. All that runs dies with it.
func (c *realCluster) crash(ctx context.Context) error {
	if _, err := c.settled(ctx); err != nil {
		return err
	}
	if err := c.KillJobManager(ctx); err != nil {
		return err
	}
	c.mu.Lock()
	for _, one := range c.lives {
		if one.live() {
			one.end = time.Now()
		}
	}
	c.mu.Unlock()
	return c.StartJobManager(ctx)
}

func (c *realCluster) files() ([]file, error) {
	var found []file
	for _, root := range []string{c.Flink.CheckpointDir, c.Flink.SavepointDir} {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil || entry.IsDir() {
				return err
			}
			info, err := entry.Info()
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil {
				return err
			}
			found = append(found, file{path: path, modified: info.ModTime(), size: info.Size(), progress: -1})
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

var countLine = regexp.MustCompile(`COUNT job=([0-9a-f]{32}) label=\S* key=\d+ value=(\d+) count=(\d+)`)

// counters is how many keys the counting job spreads its numbers over.
const counters = 5

// counted checks each line that jobs printed: the source counts up from 0, so
// that the count at a number is known. What was lost or counted twice shows in
// each line after it.
func (c *realCluster) counted(ours func(id string) bool) error {
	out, err := os.Open(c.Flink.TaskManagerOut)
	if err != nil {
		return err
	}
	defer func() { _ = out.Close() }()
	scanner := bufio.NewScanner(out)
	for scanner.Scan() {
		match := countLine.FindStringSubmatch(scanner.Text())
		if match == nil || !ours(match[1]) {
			continue
		}
		value, valueErr := strconv.ParseInt(match[2], 10, 64)
		count, countErr := strconv.ParseInt(match[3], 10, 64)
		if err := errors.Join(valueErr, countErr); err != nil {
			return err
		}
		if want := value/counters + 1; count != want {
			return fmt.Errorf("job %s had counted %d at %d, and exactly once is %d", match[1], count, value, want)
		}
	}
	return scanner.Err()
}

// tidy ends the jobs of a bench and deletes its uploads.
func (c *realCluster) tidy(ctx context.Context, b *bench) error {
	jobs, err := c.client.Jobs(ctx)
	if err != nil {
		return err
	}
	var failures []error
	for _, job := range jobs {
		if !job.State.Terminal() && (b.generation(job.ID) > 0 || slices.Contains(b.others, job.ID)) {
			failures = append(failures, c.client.Cancel(ctx, job.ID))
		}
	}
	jars, err := c.client.Jars(ctx)
	failures = append(failures, err)
	for _, jar := range jars {
		for _, hash := range b.hashes {
			if strings.Contains(jar.ID, hash[:32]) {
				failures = append(failures, c.client.DeleteJar(ctx, jar.ID))
			}
		}
	}
	return errors.Join(failures...)
}
