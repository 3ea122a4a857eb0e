// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"bufio"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest/realengine"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/jobs"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/local"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// cluster is the real Flink of the acceptance tests.
type cluster struct {
	*local.State
	client   *flink.Client
	endpoint string
	dir      string
	// owner is another one in each run, so that a cluster can be used again.
	owner string
}

func realCluster(t *testing.T) *cluster {
	t.Helper()
	state, err := local.Load(realengine.Variable(t, "STREAMING_ENGINE_DIR"))
	if err != nil {
		t.Fatal(err)
	}
	endpoint := realengine.Variable(t, "STREAMING_FLINK_ENDPOINT")
	transport, err := rest.New(rest.Config{Endpoint: endpoint})
	if err != nil {
		t.Fatal(err)
	}
	return &cluster{State: state, client: flink.New(transport), endpoint: endpoint, dir: t.TempDir(), owner: t.Name() + "/" + rand.Text()}
}

// owned is a provider block whose owner is the test's own, so that tests share
// a cluster as teams do.
func (c *cluster) owned() string {
	return acctest.Config{Owner: c.owner, Flink: c.endpoint}.String()
}

// job is the id of a generation of the test's job.
func (c *cluster) job(n int64) string {
	return lifecycle.JobID(lifecycle.UID(c.owner, c.endpoint, "streaming_flink_job", "counter"), n)
}

// jar copies the jar of test jobs, with a content of its own for each file: one
// test's destroy deletes an upload that no other test's job names.
func (c *cluster) jar(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(c.JobsJar)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(c.dir, name)
	if err := os.WriteFile(file, edition(t, content, rand.Text()), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// edition is a jar with the same classes and another content.
func edition(t *testing.T, jar []byte, text string) []byte {
	t.Helper()
	content, err := jobs.Edition(jar, text)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// count is one line that a counting job printed: its count of a key's records
// when it saw a value.
type count struct {
	job        string
	key, value int64
	count      int64
}

var countLine = regexp.MustCompile(`COUNT job=([0-9a-f]{32}) label=\S* key=(\d+) value=(\d+) count=(\d+)`)

// counts reads what the jobs of these ids printed, in order.
func (c *cluster) counts(t *testing.T, jobs ...string) []count {
	t.Helper()
	file, err := os.Open(c.Flink.TaskManagerOut)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	var counts []count
	for scanner := bufio.NewScanner(file); scanner.Scan(); {
		match := countLine.FindStringSubmatch(scanner.Text())
		if match == nil || !strings.Contains(strings.Join(jobs, " "), match[1]) {
			continue
		}
		line := count{job: match[1]}
		for i, target := range []*int64{&line.key, &line.value, &line.count} {
			number, err := strconv.ParseInt(match[i+2], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			*target = number
		}
		counts = append(counts, line)
	}
	return counts
}

// highest is the highest value that a job counted.
func highest(counts []count, job string) int64 {
	best := int64(-1)
	for _, line := range counts {
		if line.job == job {
			best = max(best, line.value)
		}
	}
	return best
}

// lowest is the lowest value that a job counted.
func lowest(counts []count, job string) int64 {
	best := int64(-1)
	for _, line := range counts {
		if line.job == job && (best < 0 || line.value < best) {
			best = line.value
		}
	}
	return best
}

// exactlyOnce checks every line: the source counts up from 0, so that the
// count of a key at a value is known. A record that was lost or counted twice
// shows in each line after it.
func exactlyOnce(counts []count) error {
	for _, line := range counts {
		if want := line.value/5 + 1; line.count != want {
			return fmt.Errorf("job %s counted %d records of key %d at value %d; exactly once is %d", line.job, line.count, line.key, line.value, want)
		}
	}
	return nil
}

// eventually waits for something outside of Terraform.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !done(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("after a minute: not %s", what)
		}
	}
}

// start runs a job as someone who does not use Terraform.
func (c *cluster) start(t *testing.T, file, name string) string {
	t.Helper()
	id, _, _, err := lifecycle.UploadJar(t.Context(), c.client, file, "", "")
	if err != nil {
		t.Fatal(err)
	}
	jobID, err := c.client.RunJar(t.Context(), id, flink.RunRequest{FlinkConfiguration: map[string]string{
		"pipeline.name": name, "execution.checkpointing.interval": "2 s",
	}})
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "all of the job runs", func() bool {
		job, err := c.client.Summary(t.Context(), jobID)
		return err == nil && job != nil && job.AllUp()
	})
	return jobID
}
