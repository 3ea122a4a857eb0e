// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

const (
	jobAddress = "streaming_flink_job.test"
	jarAddress = "streaming_flink_jar.test"
	counter    = "streaming.jobs.Counter"
	owner      = "team-a/test"
)

// world is one fake cluster and a directory with jars.
type world struct {
	*flinkfake.Server
	dir string
	// endpoint is that of a proxy before the cluster, empty for none.
	endpoint string
}

// URL is the endpoint that the provider is configured with.
func (w *world) URL() string {
	if w.endpoint != "" {
		return w.endpoint
	}
	return w.Server.URL()
}

func newWorld(t *testing.T, options ...flinkfake.Option) *world {
	t.Helper()
	fake := flinkfake.New(options...)
	t.Cleanup(fake.Close)
	return &world{Server: fake, dir: t.TempDir()}
}

// jar writes a jar whose content depends on extra, and returns its path.
func (w *world) jar(t *testing.T, name string, extra ...string) string {
	t.Helper()
	file := filepath.Join(w.dir, name)
	if err := os.WriteFile(file, flinkfake.Jar(counter, extra...), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// hashOf is the SHA-256 of a jar.
func hashOf(t *testing.T, jar string) string {
	t.Helper()
	file, err := lifecycle.ReadJarFile(jar)
	if err != nil {
		t.Fatal(err)
	}
	return file.SHA256
}

// job is a provider block and a job with these attributes.
func (w *world) job(attributes ...string) string {
	return w.provider() + resourceBlock("streaming_flink_job", attributes...)
}

func (w *world) provider() string { return acctest.Config{Owner: owner, Flink: w.URL()}.String() }

func resourceBlock(kind string, attributes ...string) string {
	return fmt.Sprintf("resource %q \"test\" {\n  %s\n}\n", kind, strings.Join(attributes, "\n  "))
}

func source(file string) string { return fmt.Sprintf("jar = { source = %q }", file) }

const (
	named  = `name = "counter"`
	cancel = `on_destroy = "cancel"`
)

// only returns the one live job.
func (w *world) only() (flinkfake.JobSnapshot, error) {
	jobs := w.Live()
	if len(jobs) != 1 {
		return flinkfake.JobSnapshot{}, fmt.Errorf("%d live jobs instead of one: %+v", len(jobs), jobs)
	}
	return jobs[0], nil
}

// writes counts the requests that change something, uploads of the state probe
// and its questions left out.
func (w *world) writes() []string {
	var writes []string
	for _, request := range w.Requests() {
		if request.Method == "GET" || strings.Contains(request.Path, "/plan") || strings.HasSuffix(request.Path, "/jars/upload") {
			continue
		}
		writes = append(writes, request.Method+" "+request.Path)
	}
	return writes
}

// id is the job id of a generation of the test's job.
func (w *world) id(n int64) string {
	return lifecycle.JobID(lifecycle.UID(owner, w.URL(), "streaming_flink_job", "counter"), n)
}

// file writes any file and returns its path.
func (w *world) file(t *testing.T, name, content string) string {
	t.Helper()
	file := filepath.Join(w.dir, name)
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
