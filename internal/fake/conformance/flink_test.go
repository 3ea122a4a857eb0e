// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package conformance

import (
	"context"
	"net/http"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest/realengine"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
)

// flinkCluster is a kind of cluster that was recorded.
type flinkCluster struct {
	version  string
	adaptive bool
}

// flinkClusters lists what testdata speaks of.
var flinkClusters = []flinkCluster{
	{version: "2.3.0"}, {version: "2.3.0", adaptive: true}, {version: "1.20.5"}, {version: "1.14.3"},
}

// minFlinkOutcomes is what the exchanges with a 2.3.0 must cover, so that the suite cannot shrink unseen.
const minFlinkOutcomes = 110

// name is that of the recording.
func (c flinkCluster) name() string {
	if c.adaptive {
		return "flink-" + c.version + "-adaptive"
	}
	return "flink-" + c.version
}

// exchanges lists those that make sense on the cluster: most of the list says nothing of the scheduler.
func (c flinkCluster) exchanges() []Exchange {
	switch {
	case c.adaptive:
		return flinkAdaptiveExchanges()
	case c.version == "1.14.3":
		return flinkStrictExchanges()
	}
	all := slices.Concat(
		flinkClusterExchanges(), flinkJarExchanges(), flinkRunExchanges(), flinkIdentityExchanges(), flinkLifeExchanges(),
		flinkStateExchanges(), flinkProbeExchanges(), flinkRestartExchanges(), flinkLookExchanges(),
	)
	if c.version == "2.3.0" {
		return append(all, flinkApplicationExchanges()...)
	}
	return append(all, flinkWithoutApplications()...)
}

func (c flinkCluster) runFake(t *testing.T) recording {
	t.Helper()
	options := []flinkfake.Option{flinkfake.Version(c.version), flinkfake.RefreshInterval(2 * time.Second)}
	if c.adaptive {
		options = append(options, flinkfake.Scheduler("Adaptive"))
	}
	s := flinkfake.New(options...)
	t.Cleanup(s.Close)
	return runAll(t, flinkTarget(t, s.URL(), flinkfake.Jar("streaming.jobs.Counter"), false), c.exchanges())
}

func TestConformance_FlinkFakeAnswersAsTheEngineDid(t *testing.T) {
	t.Parallel()
	for _, c := range flinkClusters {
		t.Run(c.name(), func(t *testing.T) {
			t.Parallel()
			got := c.runFake(t)
			compare(t, c.exchanges(), load(t, c.name()), got)
			n := len(outcomes(got))
			t.Logf("%d distinct pairs of route and outcome", n)
			if c == flinkClusters[0] && n < minFlinkOutcomes {
				t.Errorf("that is fewer than %d", minFlinkOutcomes)
			}
		})
	}
}

func TestAcc_Conformance_Flink(t *testing.T) {
	endpoint, jar := realengine.Variable(t, "STREAMING_FLINK_ENDPOINT"), realengine.Variable(t, "STREAMING_JOBS_JAR")
	content, err := os.ReadFile(jar)
	if err != nil {
		t.Fatal(err)
	}
	target := flinkTarget(t, strings.TrimSuffix(endpoint, "/"), content, true)
	c := kindOf(t, target)
	real := runAll(t, target, c.exchanges())
	if *update {
		save(t, c.name(), real)
	}
	compare(t, c.exchanges(), load(t, c.name()), real)
	fake := recording{}
	t.Run("fake", func(t *testing.T) { fake = c.runFake(t) })
	compare(t, c.exchanges(), real, fake)
	t.Logf("%s: %d distinct pairs of route and outcome", c.name(), len(outcomes(real)))
}

// kindOf asks a cluster what it is.
func kindOf(t *testing.T, target *Target) flinkCluster {
	t.Helper()
	s := &Session{Target: target, T: t}
	r := s.Aux(t.Context(), Call{Method: http.MethodGet, Route: "/config"})
	c := flinkCluster{version: r.Str("flink-version"), adaptive: r.At("features", "web-rescale") == true}
	if !slices.Contains(flinkClusters, c) {
		t.Fatalf("nothing is recorded of %s; the list of clusters would have to name it", c.name())
	}
	return c
}

// flinkTarget uploads the jar, finds a directory for savepoints, and takes both away again in the end.
func flinkTarget(t *testing.T, endpoint string, content []byte, real bool) *Target {
	t.Helper()
	data := &flinkData{content: content}
	target := &Target{Endpoint: endpoint, Real: real, Data: data}
	f := flink{&Session{Target: target, T: t}, data}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	data.jar = path.Base(f.upload(ctx, http.StatusOK, part{field: "jarfile", file: "conformance.jar", data: content}).Str("filename"))
	r := f.Aux(ctx, Call{Method: http.MethodGet, Route: "/jobmanager/config"})
	list, ok := r.JSON.([]any)
	if !ok {
		t.Fatalf("no configuration in %.500s", r.Body)
	}
	for _, e := range list {
		if m, ok := e.(fields); ok && (m["key"] == "execution.checkpointing.savepoint-dir" || m["key"] == "state.savepoints.dir") {
			dir, isText := m["value"].(string)
			if isText {
				data.dir = dir + "/conformance-" + newID()
			}
		}
	}
	if data.dir == "" {
		t.Fatal("the cluster has no savepoint directory")
	}
	if local := strings.TrimPrefix(data.dir, "file://"); real && path.IsAbs(local) {
		t.Cleanup(func() {
			// The savepoints are disposed of already; only an empty directory is left.
			if err := os.RemoveAll(local); err != nil {
				t.Error(err)
			}
		})
	}
	return target
}
