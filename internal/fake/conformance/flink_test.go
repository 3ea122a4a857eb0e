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

	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
)

func flinkExchanges() []Exchange {
	return slices.Concat(
		flinkClusterExchanges(), flinkJarExchanges(), flinkRunExchanges(), flinkIdentityExchanges(), flinkLifeExchanges(),
		flinkStateExchanges(), flinkApplicationExchanges(), flinkProbeExchanges(),
	)
}

// flinkRecording is the engine that testdata speaks of.
const flinkRecording = "flink-2.3.0"

func TestConformance_FlinkFakeAnswersAsTheEngineDid(t *testing.T) {
	t.Parallel()
	got := runFlinkFake(t)
	compare(t, flinkExchanges(), load(t, flinkRecording), got)
	t.Logf("%d distinct pairs of route and outcome", len(outcomes(got)))
}

func runFlinkFake(t *testing.T) recording {
	t.Helper()
	s := flinkfake.New(flinkfake.Version("2.3.0"), flinkfake.RefreshInterval(200*time.Millisecond))
	t.Cleanup(s.Close)
	return runAll(t, flinkTarget(t, s.URL(), flinkfake.Jar("streaming.jobs.Counter"), false), flinkExchanges())
}

func TestAcc_Conformance_Flink(t *testing.T) {
	endpoint, jar := need(t, "STREAMING_FLINK_ENDPOINT"), need(t, "STREAMING_JOBS_JAR")
	content, err := os.ReadFile(jar)
	if err != nil {
		t.Fatal(err)
	}
	real := runAll(t, flinkTarget(t, strings.TrimSuffix(endpoint, "/"), content, true), flinkExchanges())
	if *update {
		save(t, flinkRecording, real)
	}
	compare(t, flinkExchanges(), load(t, flinkRecording), real)
	fake := recording{}
	t.Run("fake", func(t *testing.T) { fake = runFlinkFake(t) })
	compare(t, flinkExchanges(), real, fake)
	t.Logf("%d distinct pairs of route and outcome", len(outcomes(real)))
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
		if m, ok := e.(object); ok && m["key"] == "execution.checkpointing.savepoint-dir" {
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
