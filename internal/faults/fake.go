// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package faults

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/gatewayfake"
)

// fakeCluster is the fake. Cells that begin alike go on from one frozen state.
type fakeCluster struct {
	*flinkfake.Server
	// gateway is before it, and forgets its sessions with each new cluster.
	gateway func() http.Handler
}

func fakeOf(server *flinkfake.Server) fakeCluster {
	return fakeCluster{server, sync.OnceValue(func() http.Handler { return gatewayfake.Unlistened(server) })}
}

// ofGateway tells the gateway's paths from the JobManager's.
var ofGateway = regexp.MustCompile(`^/(?:v\d+/sessions|api_versions|info)\b`)

// fakeSavepoints is where the fake's savepoints go.
const fakeSavepoints = "file:/fake/savepoints"

func newFake(options ...flinkfake.Option) fakeCluster {
	// Long enough that an answer from before a change is served after it.
	all := []flinkfake.Option{flinkfake.RefreshInterval(60 * time.Millisecond), flinkfake.SavepointDir(fakeSavepoints)}
	fake := flinkfake.New(append(all, options...)...)
	fake.RegisterProgram(daggerClass, runDagger)
	defer fake.Close()
	// Requests come by the proxy: it needs no listener of its own.
	return fakeOf(fake.Freeze().Thaw())
}

func (c fakeCluster) quick() bool         { return true }
func (c fakeCluster) run(d time.Duration) { c.Advance(d) }

func (c fakeCluster) forward(r *http.Request, body []byte) (*answer, error) {
	request := r.Clone(context.WithoutCancel(r.Context()))
	request.Body = io.NopCloser(bytes.NewReader(body))
	recorder := httptest.NewRecorder()
	if ofGateway.MatchString(r.URL.Path) {
		c.gateway().ServeHTTP(recorder, request)
	} else {
		c.ServeHTTP(recorder, request)
	}
	return &answer{status: recorder.Code, header: recorder.Header(), body: recorder.Body.Bytes()}, nil
}

func (c fakeCluster) deny(_ string, on bool) error {
	if on {
		c.DenyWrite(fakeSavepoints)
	} else {
		c.AllowWrite(fakeSavepoints)
	}
	return nil
}

// pass lets the time until the next apply pass.
func (c fakeCluster) pass(one cell) {
	switch one.when {
	case atOnce:
	case triggersExpired:
		c.Advance(10 * time.Minute)
	case jobsExpired:
		c.Advance(3 * time.Hour)
	case jobManagerRestarted:
		c.Advance(10 * time.Second)
		c.RestartJobManager()
	case jobsExpireMeanwhile:
		c.before(one.request(), c.ForgetEnded)
	}
}

// before lets something happen before the n-th request from now on.
func (c fakeCluster) before(n int64, happens func()) {
	var requests atomic.Int64
	c.OnRequest(func(*http.Request) {
		if requests.Add(1) == n {
			happens()
		}
	})
}

func (c fakeCluster) files() ([]file, error) {
	var files []file
	for _, f := range c.Files("file:///") {
		if !f.Dir {
			files = append(files, file{path: f.Path, modified: f.Modified, progress: f.Progress})
		}
	}
	return files, nil
}

func (c fakeCluster) history() ([]life, error) {
	var lives []life
	for _, j := range c.History() {
		lives = append(lives, life{
			id: j.ID, name: j.Name, state: j.State, start: j.StartedAt, end: j.EndedAt, from: j.RestoredFrom, args: j.Args, restored: j.InitialProgress, progress: j.Progress,
		})
	}
	slices.SortStableFunc(lives, func(a, b life) int { return a.start.Compare(b.start) })
	return lives, nil
}
