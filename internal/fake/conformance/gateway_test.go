// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package conformance

import (
	"context"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest/realengine"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/gatewayfake"
)

// gatewayRecording is what testdata speaks of.
const gatewayRecording = "gateway-2.3.0"

// minGatewayOutcomes is what the exchanges must cover, so that the suite cannot
// shrink unseen.
const minGatewayOutcomes = 48

func TestConformance_GatewayFakeAnswersAsTheEngineDid(t *testing.T) {
	t.Parallel()
	got := runGatewayFake(t)
	compare(t, gatewayExchanges(), load(t, gatewayRecording), got)
	n := len(outcomes(got))
	t.Logf("%d distinct pairs of route and outcome", n)
	if n < minGatewayOutcomes {
		t.Errorf("%d distinct pairs of route and outcome, fewer than %d", n, minGatewayOutcomes)
	}
}

func TestAcc_Conformance_Gateway(t *testing.T) {
	jobManager := &Target{Endpoint: strings.TrimSuffix(realengine.Variable(t, "STREAMING_FLINK_ENDPOINT"), "/"), Real: true}
	version := (&Session{Target: jobManager, T: t}).Aux(t.Context(), Call{Method: http.MethodGet, Route: "/config"}).Str("flink-version")
	endpoint := os.Getenv("STREAMING_SQL_GATEWAY_ENDPOINT")
	if version == "1.20.5" {
		if endpoint != "" {
			t.Fatal("Flink 1.20.5 has a gateway now: record it")
		}
		return // Its package has none, and no other package is known to.
	}
	if endpoint == "" {
		t.Fatal("STREAMING_SQL_GATEWAY_ENDPOINT is not set")
	}
	target := &Target{Endpoint: strings.TrimSuffix(endpoint, "/"), Real: true, Data: jobManager}
	real := runAll(t, target, gatewayExchanges())
	if *update {
		save(t, gatewayRecording, real)
	}
	compare(t, gatewayExchanges(), load(t, gatewayRecording), real)
	fake := recording{}
	t.Run("fake", func(t *testing.T) { fake = runGatewayFake(t) })
	compare(t, gatewayExchanges(), real, fake)
}

func runGatewayFake(t *testing.T) recording {
	t.Helper()
	cluster := flinkfake.New()
	t.Cleanup(cluster.Close)
	fake := gatewayfake.New(cluster)
	t.Cleanup(fake.Close)
	return runAll(t, &Target{Endpoint: fake.URL(), Data: &Target{Endpoint: cluster.URL()}}, gatewayExchanges())
}

// gateway is a session with an SQL gateway, and the JobManager behind it.
type gateway struct {
	*Session

	// id is the gateway's session.
	id  string
	job *Session
}

func onGateway(name string, do func(ctx context.Context, g gateway)) Exchange {
	return Exchange{Name: name, Do: func(ctx context.Context, s *Session) {
		jobManager, ok := s.Data.(*Target)
		if !ok {
			s.T.Fatal("the target has no JobManager")
		}
		g := gateway{Session: s, job: &Session{Target: jobManager, T: s.T}}
		g.id = s.Aux(ctx, Call{Method: http.MethodPost, Route: "/v4/sessions", Body: "{}"}).Str("sessionHandle")
		g.Cleanup(func(ctx context.Context) {
			s.Aux(ctx, Call{Method: http.MethodDelete, Route: "/v4/sessions/{session}", Args: []string{g.id}})
		})
		do(ctx, g)
	}}
}

const operations = "/v4/sessions/{session}/operations/{operation}"

// begin hands a statement over and waits until it has ended; neither is
// recorded, since both answer the same to every statement.
func (g gateway) begin(ctx context.Context, sql string, config fields) string {
	g.T.Helper()
	body := fields{"statement": sql}
	if config != nil {
		body["executionConfig"] = config
	}
	r := g.Aux(ctx, Call{Method: http.MethodPost, Route: "/v4/sessions/{session}/statements", Args: []string{g.id}, Body: body})
	id := r.Str("operationHandle")
	if id == "" {
		g.T.Fatalf("%s: %.1000s", sql, r.Body)
	}
	g.Until(ctx, 50*time.Second, "the end of "+sql, func() bool {
		status := g.Aux(ctx, Call{Method: http.MethodGet, Route: operations + "/status", Args: []string{g.id, id}}).Str("status")
		return status == "FINISHED" || status == "ERROR"
	})
	return id
}

// run records how a statement ended, and its first page.
func (g gateway) run(ctx context.Context, want int, sql string, config fields) Response {
	g.T.Helper()
	g.T.Log(sql)
	id := g.begin(ctx, sql, config)
	g.Call(ctx, Call{Method: http.MethodGet, Route: operations + "/status", Args: []string{g.id, id}, Want: http.StatusOK, Keep: []string{"$.status"}})
	r := g.Call(ctx, Call{
		Method: http.MethodGet, Route: operations + "/result/{token}", Args: []string{g.id, id, "0"}, Want: want,
		Keep: []string{"$.resultType", "$.resultKind", "$.isQueryResult"},
		// The types of the columns, and beside a job id the fields of a Java object.
		Ignore: []string{"$.results.columns[].logicalType"},
	})
	return r
}

// fine runs what must succeed and is recorded elsewhere.
func (g gateway) fine(ctx context.Context, statements ...string) {
	g.T.Helper()
	for _, sql := range statements {
		id := g.begin(ctx, sql, nil)
		r := g.Aux(ctx, Call{Method: http.MethodGet, Route: operations + "/result/{token}", Args: []string{g.id, id, "0"}})
		if r.Status != http.StatusOK {
			g.T.Fatalf("%s: %.1000s", sql, r.Body)
		}
	}
}

// state waits until the job is in a state.
func (g gateway) state(ctx context.Context, id, want string) {
	g.T.Helper()
	g.Until(ctx, 40*time.Second, "job "+id+" to be "+want, func() bool {
		r := g.job.Aux(ctx, Call{Method: http.MethodGet, Route: "/jobs/{job}/status", Args: []string{id}})
		return r.Str("status") == want
	})
	g.Effect("the job is", want)
}

// limit is how long an engine may take for a step.
func (g gateway) limit() time.Duration { return 40 * time.Second }

// cancelLater ends a job with the exchange.
func (g gateway) cancelLater(id string) {
	g.Cleanup(func(ctx context.Context) {
		g.job.Aux(ctx, Call{Method: http.MethodPatch, Route: "/jobs/{job}", Args: []string{id}})
	})
}

// stop ends a job with a savepoint, which goes with the exchange, and returns
// its path. A job that does not run yet has none.
func (g gateway) stop(ctx context.Context, id string) (path string) {
	g.T.Helper()
	g.Until(ctx, g.limit(), "a savepoint", func() bool {
		r := g.job.Aux(ctx, Call{Method: http.MethodPost, Route: "/jobs/{job}/stop", Args: []string{id}, Body: "{}"})
		trigger := r.Str("request-id")
		for path == "" {
			r = g.job.Aux(ctx, Call{Method: http.MethodGet, Route: "/jobs/{job}/savepoints/{trigger}", Args: []string{id, trigger}})
			path = r.Str("operation", "location")
			if r.At("operation", "failure-cause") != nil {
				return false
			}
		}
		return true
	})
	g.Cleanup(func(ctx context.Context) {
		g.job.Aux(ctx, Call{Method: http.MethodPost, Route: "/savepoint-disposal", Body: fields{"savepoint-path": path}})
	})
	return path
}
