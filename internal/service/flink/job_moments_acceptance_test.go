// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// moment is a request of the provider at which something happens to the
// cluster, once.
type moment struct {
	mu            sync.Mutex
	method        string
	suffix        string
	before, after func() error
}

// arm sets the moment. before happens when the request is on its way, after
// when the cluster has answered and the provider does not know yet.
func (m *moment) arm(method, suffix string, before, after func() error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.method, m.suffix, m.before, m.after = method, suffix, before, after
}

// come returns what happens at this request.
func (m *moment) come(r *http.Request) (before, after func() error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.suffix == "" || r.Method != m.method || !strings.HasSuffix(r.URL.Path, m.suffix) {
		return nil, nil
	}
	m.suffix = ""
	return m.before, m.after
}

// through puts a proxy between the provider and the cluster, and returns the
// moment that it waits for.
func (c *cluster) through(t *testing.T) *moment {
	t.Helper()
	target, err := url.Parse(c.endpoint)
	if err != nil {
		t.Fatal(err)
	}
	m := &moment{}
	forward := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		before, after := m.come(r)
		if before != nil {
			if err := before(); err != nil {
				t.Error(err)
			}
		}
		if after == nil {
			forward.ServeHTTP(w, r)
			return
		}
		held := httptest.NewRecorder()
		forward.ServeHTTP(held, r)
		if err := after(); err != nil {
			t.Error(err)
		}
		maps.Copy(w.Header(), held.Header())
		w.WriteHeader(held.Code)
		if _, err := w.Write(held.Body.Bytes()); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(server.Close)
	c.endpoint = server.URL
	return m
}

// restartsSoon lets a job not wait for longer and longer while it fails.
const restartsSoon = `configuration = {
    "execution.checkpointing.interval" = "500 ms"
    "restart-strategy.type" = "fixed-delay"
    "restart-strategy.fixed-delay.attempts" = "1000"
    "restart-strategy.fixed-delay.delay" = "1 s"
  }`

// TestAcc_FlinkJob_ATaskManagerThatDiesInAnUpgradeLosesNoState kills the
// TaskManager when the savepoint was triggered and is not complete, and again
// when the next job was submitted.
func TestAcc_FlinkJob_ATaskManagerThatDiesInAnUpgradeLosesNoState(t *testing.T) {
	t.Parallel()
	// A TaskManager that is gone is noticed in seconds.
	c := ownCluster(t, map[string]string{"heartbeat.interval": "1000", "heartbeat.timeout": "5000"})
	m := c.through(t)
	file := source(c.jar(t, "app.jar"))
	config := func(trigger string) string {
		return c.owned() + resourceBlock("streaming_flink_job", named, file, args("--plain", "--rate", "200"), restartsSoon, `restart_trigger = "`+trigger+`"`)
	}
	kill := func() error { return c.KillTaskManager(t.Context()) }
	back := func(n int64) func() {
		return func() {
			if err := c.StartTaskManager(t.Context()); err != nil {
				t.Fatal(err)
			}
			eventually(t, "the job runs again", func() bool {
				job, err := c.client.Summary(t.Context(), c.job(n))
				return err == nil && (job == nil || job.State.Terminal() || job.AllUp())
			})
		}
	}
	timing := lifecycle.DefaultTiming()
	timing.RestartGrace = 5 * time.Second
	acctest.RunRealTimed(t, timing,
		acctest.Apply(config("1"), acctest.Outside(func() error {
			eventually(t, "checkpoints completed", func() bool {
				checkpoints, err := c.client.Checkpoints(t.Context(), c.job(1))
				return err == nil && checkpoints.Counts.Completed > 3
			})
			return nil
		})),
		resource.TestStep{
			PreConfig:   func() { m.arm(http.MethodPost, "/"+c.job(1)+"/stop", c.HaltTaskManager, kill) },
			Config:      config("2"),
			ExpectError: acctest.InOrder(`Cannot change Flink job "counter"`, "takes no savepoint"),
		},
		resource.TestStep{
			PreConfig: back(1),
			Config:    config("2"),
			ConfigStateChecks: []statecheck.StateCheck{acctest.Outside(func() error {
				return c.wentOnWhere(t, 1, 2)
			})},
		},
		resource.TestStep{
			PreConfig:   func() { m.arm(http.MethodPost, "/run", nil, kill) },
			Config:      config("3"),
			ExpectError: acctest.InOrder(`Cannot change Flink job "counter"`),
		},
		resource.TestStep{
			PreConfig: back(4),
			Config:    config("3"),
			ConfigStateChecks: []statecheck.StateCheck{acctest.Outside(func() error {
				return c.aloneAndExact(t)
			})},
		},
		acctest.Noop(config("3")),
	)
}

// aloneAndExact checks that one generation of the test's job has not ended, and
// that each record was counted once by all of them together.
func (c *cluster) aloneAndExact(t *testing.T) error {
	t.Helper()
	var ids []string
	var last int64
	var errs []error
	for n := int64(1); n < 9; n++ {
		ids = append(ids, c.job(n))
		if state, known, err := c.client.Status(t.Context(), c.job(n)); err == nil && known && state == flink.Running {
			last = n
		}
	}
	errs = append(errs, c.onlyRuns(t, last))
	eventually(t, "more counted than before", func() bool {
		counts := c.counts(t, ids...)
		before := int64(-1)
		for _, id := range ids[:last-1] {
			before = max(before, highest(counts, id))
		}
		return highest(counts, c.job(last)) > before
	})
	return errors.Join(append(errs, exactlyOnce(c.counts(t, ids...)))...)
}
