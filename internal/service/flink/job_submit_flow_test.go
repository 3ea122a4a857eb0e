// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
)

// count is how many requests of this method ended so.
func (w *world) count(method, suffix string) int {
	n := 0
	for _, request := range w.Requests() {
		path, _, _ := strings.Cut(request.Path, "?")
		if request.Method == method && strings.HasSuffix(path, suffix) {
			n++
		}
	}
	return n
}

// onlyFirst checks that generation 1 is the one live job, and how often a run was sent.
func (w *world) onlyFirst(runs int) func() error {
	return func() error {
		job, err := w.only()
		if err != nil {
			return err
		}
		if n := w.count(http.MethodPost, "/run"); job.ID != w.id(1) || n != runs {
			return fmt.Errorf("job %s runs after %d submissions", job.ID, n)
		}
		return nil
	}
}

// A submission is never repeated blindly: the job is looked for by the id that
// the provider chose. One that did not come leaves no state, and the next
// create goes on from what it finds.
func TestFlow_FlinkJob_C03_C41_ASubmissionWithoutAnswerRunsOneJob(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault flinkfake.Fault
		fails bool
		runs  int
	}{
		"the answer is lost":              {flinkfake.Fault{Kind: flinkfake.LostAnswer}, false, 1},
		"the answer is cut":               {flinkfake.Fault{Kind: flinkfake.ResetMidBody}, false, 1},
		"a proxy gave up, it was done":    {flinkfake.Fault{Kind: flinkfake.ProxyError, Status: http.StatusGatewayTimeout, Executed: true}, false, 1},
		"a proxy gave up, it was not":     {flinkfake.Fault{Kind: flinkfake.ProxyError, Status: http.StatusGatewayTimeout}, true, 2},
		"it never arrived":                {flinkfake.Fault{Kind: flinkfake.Unsent}, true, 2},
		"Flink elects a leader meanwhile": {flinkfake.Fault{Kind: flinkfake.LeaderElection}, false, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			config := w.job(named, source(w.jar(t, "app.jar")), cancel)
			c.fault.Method, c.fault.Path = http.MethodPost, "/run$"
			w.Inject(c.fault)
			var steps []resource.TestStep
			if c.fails {
				steps = append(steps, acctest.Fails(config, `Cannot create Flink job "counter"`, w.id(1), "Apply again"))
			}
			acctest.RunFake(t, append(steps, acctest.Apply(config, acctest.Outside(w.onlyFirst(c.runs))))...)
			for _, request := range w.Requests() {
				if strings.Contains(request.Path, "//") {
					t.Errorf("asked for %s", request.Path)
				}
			}
		})
	}
}

// Flink has more states than those of a job that runs or has ended. None of
// them is taken for gone.
func TestFlow_FlinkJob_C05_AJobOnItsWayIsNeitherGoneNorDrift(t *testing.T) {
	t.Parallel()
	for _, state := range []flink.JobState{flink.Initializing, flink.Created, flink.Failing, flink.Restarting, flink.Reconciling, flink.Suspended} {
		t.Run(string(state), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			f := w.behind(t, "")
			base := []string{named, source(w.jar(t, "app.jar")), cancel}
			config, other := w.job(base...), w.job(append(slices.Clone(base), `on_finished = "rerun"`)...)
			step := acctest.Apply(other, acctest.Is(jobAddress, "status", knownvalue.StringExact(string(state))), acctest.Outside(w.onlyFirst(1)))
			step.PreConfig = func() {
				f.set(nil, func(path string, body []byte) []byte {
					if !strings.HasPrefix(path, "/jobs") {
						return body
					}
					return []byte(strings.ReplaceAll(string(body), `"RUNNING"`, fmt.Sprintf("%q", state)))
				})
			}
			back := acctest.Noop(other)
			back.PreConfig = func() { f.set(nil, nil) }
			acctest.RunFake(t, acctest.Apply(config), step, back)
		})
	}
}

// Arguments arrive as they were written, and in their order.
func TestFlow_FlinkJob_C33_ArgumentsArriveAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	list := []string{"--plain", "--jaas", `a="b c";`, "", "-x", "é", "line1\nline2", "$HOME", `\`, "${no}"}
	base := []string{named, source(w.jar(t, "app.jar")), cancel}
	quote := func(list []string) string { return strings.ReplaceAll(args(list...), "${", "$${") }
	sent := func(want []string) func() error {
		return func() error {
			requests := w.Requests()
			last := requests[slices.IndexFunc(requests, func(r flinkfake.Request) bool { return strings.HasSuffix(r.Path, "/run") })]
			var body map[string]any
			if err := json.Unmarshal([]byte(last.Body), &body); err != nil {
				return err
			}
			if _, old := body["programArgs"]; old || strings.Contains(last.Path, "?") {
				return fmt.Errorf("sent %s with %s", last.Path, last.Body)
			}
			return equal(fmt.Sprintf("%q", body["programArgsList"]), fmt.Sprintf("%q", want))
		}
	}
	turned := slices.Clone(list)
	slices.Reverse(turned)
	acctest.RunFake(t,
		acctest.Apply(w.job(append(base, quote(list))...), acctest.Outside(sent(list)), acctest.Outside(func() error { w.ForgetRequests(); return nil })),
		// Another order is another program.
		acctest.Apply(w.job(append(base, quote(turned))...), acctest.Outside(sent(turned)), acctest.Is(jobAddress, "job_id", knownvalue.StringExact(w.id(2)))),
	)
}

// While a JobManager starts, or elects a leader, Flink answers 503 to all.
func TestFlow_FlinkJob_C39_ALeaderElectionIsWaitedFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, at := range []string{"GET /jars$", "POST /jars/upload$", "POST /run$", "GET /jobs/overview$"} {
		method, path, _ := strings.Cut(at, " ")
		w.Inject(flinkfake.Fault{Method: method, Path: path, Times: 3, Kind: flinkfake.LeaderElection})
	}
	acctest.RunFake(t, acctest.Apply(w.job(named, source(w.jar(t, "app.jar")), cancel), acctest.Outside(w.onlyFirst(4))))
}
