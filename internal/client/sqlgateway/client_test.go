// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package sqlgateway_test

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/sqlgateway"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/fault"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/gatewayfake"
)

// fakes are a cluster and its gateway.
type fakes struct {
	cluster *flinkfake.Server
	gateway *gatewayfake.Server
	client  *sqlgateway.Client
}

func newFakes(t *testing.T, options ...gatewayfake.Option) fakes {
	t.Helper()
	cluster := flinkfake.New()
	t.Cleanup(cluster.Close)
	gateway := gatewayfake.New(cluster, options...)
	t.Cleanup(gateway.Close)
	return fakes{cluster, gateway, clientOf(t, gateway.URL())}
}

// run executes statements that must succeed.
func run(t *testing.T, session *sqlgateway.Session, statements ...string) {
	t.Helper()
	for i, sql := range statements {
		if _, err := session.Run(t.Context(), sqlgateway.Statement{SQL: sql, Number: i + 1}); err != nil {
			t.Fatal(err)
		}
	}
}

// count is how many requests of a method reached the gateway on a path.
func (f fakes) count(method, path string) int {
	n, pattern := 0, regexp.MustCompile(path)
	for _, r := range f.gateway.Requests() {
		if r.Method == method && pattern.MatchString(r.Path) {
			n++
		}
	}
	return n
}

const (
	source = "CREATE TABLE src (id BIGINT) WITH ('connector' = 'datagen')"
	sink   = "CREATE TABLE snk (id BIGINT) WITH ('connector' = 'blackhole')"
	job    = "INSERT INTO snk SELECT id FROM src"

	jobID    = "0123456789abcdef0123456789abcdef"
	jobIDKey = "$internal.pipeline.job-id"
)

func TestTheNewestVersionThatBothKnowIsSpoken(t *testing.T) {
	t.Parallel()
	for want, offered := range map[string][]string{
		"v4": {"V1", "V2", "V3", "V4", "V5"}, "v3": {"V1", "V2", "V3"}, "v2": {"V2"},
	} {
		f := newFakes(t, gatewayfake.APIVersions(offered...))
		_ = open(t, f.client)
		if n := f.count(http.MethodPost, "^/"+want+"/sessions$"); n != 1 {
			t.Errorf("offered %v, not %s was spoken: %v", offered, want, f.gateway.Requests())
		}
	}
	f := newFakes(t, gatewayfake.APIVersions("V1"))
	_, err := f.client.OpenSession(t.Context(), sqlgateway.SessionRequest{})
	if err == nil || !strings.Contains(err.Error(), "Flink 1.17 or newer") {
		t.Errorf("a gateway that is too old: %v", err)
	}
}

func TestTheGatewaySaysWhatItIs(t *testing.T) {
	t.Parallel()
	f := newFakes(t)
	info, err := f.client.Info(t.Context())
	if err != nil || info.Version != "2.3.0" || info.Product != "Apache Flink" {
		t.Errorf("%+v, %v", info, err)
	}
}

func TestAPipelineStartsAJobUnderTheIDOfItsSettings(t *testing.T) {
	t.Parallel()
	f := newFakes(t)
	session := open(t, f.client)
	run(t, session, source, sink)
	pipeline := sqlgateway.Statement{SQL: job, Number: 3, Config: map[string]string{jobIDKey: jobID, "pipeline.name": "top pages"}}
	result, err := session.Run(t.Context(), pipeline)
	if err != nil || result.JobID != jobID {
		t.Fatalf("%+v, %v", result, err)
	}
	if known, ok := f.cluster.Job(jobID); !ok || known.Name != "top pages" {
		t.Errorf("the cluster has %+v", known)
	}
	_, err = session.Run(t.Context(), pipeline)
	if !sqlgateway.IsDuplicate(err) || sqlgateway.OutcomeUnknown(err) {
		t.Errorf("the same again: %v", err)
	}
}

func TestWhatAStatementReturnsIsReadPageByPage(t *testing.T) {
	t.Parallel()
	f := newFakes(t)
	session := open(t, f.client)
	run(t, session, source, sink, "SET 'a' = 'b'", "SET 'c' = 'd'")
	explained, err := session.Run(t.Context(), sqlgateway.Statement{SQL: "EXPLAIN " + job})
	if err != nil || !strings.HasPrefix(explained.Text(), "== Abstract Syntax Tree ==") || explained.JobID != "" {
		t.Errorf("%+v, %v", explained, err)
	}
	settings, err := session.Run(t.Context(), sqlgateway.Statement{SQL: "SET"})
	if err != nil || len(settings.Rows) != 2 || string(settings.Rows[1][1]) != `"d"` || settings.More || settings.Text() != "" {
		t.Errorf("%+v, %v", settings, err)
	}
	o, err := session.Submit(t.Context(), sqlgateway.Statement{SQL: "SET"})
	if err != nil {
		t.Fatal(err)
	}
	if first, err := o.Result(t.Context(), 1); err != nil || len(first.Rows) != 1 || !first.More {
		t.Errorf("the first row of two: %+v, %v", first, err)
	}
}

func TestAStatementIsNeverSentTwice(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		kind fault.Kind
		ran  bool
	}{
		{fault.Unsent, false},
		{fault.LostAnswer, true},
		{fault.ProxyError, false},
		{fault.ProxyErrorApplied, true},
	} {
		f := newFakes(t)
		session := open(t, f.client)
		run(t, session, source, sink)
		f.gateway.Forget()
		f.gateway.Inject(fault.Fault{Kind: test.kind, Method: http.MethodPost, Path: regexp.MustCompile("/statements$")})
		_, err := session.Run(t.Context(), sqlgateway.Statement{SQL: job, Config: map[string]string{jobIDKey: jobID}})
		if !sqlgateway.OutcomeUnknown(err) {
			t.Errorf("%s: error %v, whose outcome counts as known", test.kind, err)
		}
		if n := f.count(http.MethodPost, "/statements$"); n != 1 {
			t.Errorf("%s: sent %d times", test.kind, n)
		}
		if _, ran := f.cluster.Job(jobID); ran != test.ran {
			t.Errorf("%s: the statement ran: %v", test.kind, ran)
		}
	}
}

func TestLooksAtAnOperationAreRepeated(t *testing.T) {
	t.Parallel()
	f := newFakes(t)
	session := open(t, f.client)
	for _, path := range []string{"/status$", "/result/0$"} {
		f.gateway.Inject(fault.Fault{Kind: fault.LostAnswer, Path: regexp.MustCompile(path)})
	}
	run(t, session, source)
}

func TestOpeningASessionIsRepeatedUntilItsAnswerComes(t *testing.T) {
	t.Parallel()
	f := newFakes(t)
	f.gateway.Inject(fault.Fault{Kind: fault.LostAnswer, Method: http.MethodPost, Path: regexp.MustCompile("/sessions$")})
	session := open(t, f.client)
	run(t, session, source)
	if n := f.count(http.MethodPost, "/sessions$"); n != 2 {
		t.Errorf("asked %d times", n)
	}
}

func TestASessionLivesByItsHeartbeatAndEndsWithClose(t *testing.T) {
	t.Parallel()
	f := newFakes(t, gatewayfake.IdleTimeout(time.Second))
	session, err := f.client.OpenSession(t.Context(), sqlgateway.SessionRequest{
		Name: "x", Properties: map[string]string{"table.exec.state.ttl": "1 h"}, Heartbeat: 50 * time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(1500 * time.Millisecond)
	if properties, err := session.Properties(t.Context()); err != nil || properties["table.exec.state.ttl"] != "1 h" {
		t.Fatalf("after more than the idle time: %v, %v", properties, err)
	}
	for range 2 {
		if err := session.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if f.gateway.Sessions() != 0 {
		t.Error("the session is still there")
	}
	// One that was on its way at the end may be counted late.
	time.Sleep(100 * time.Millisecond)
	beats := f.count(http.MethodPost, "/heartbeat$")
	time.Sleep(150 * time.Millisecond)
	if now := f.count(http.MethodPost, "/heartbeat$"); now != beats {
		t.Errorf("%d signs of life after the end", now-beats)
	}
}

func TestAHeartbeatTellsThatTheSessionIsGone(t *testing.T) {
	t.Parallel()
	f := newFakes(t)
	session, err := f.client.OpenSession(t.Context(), sqlgateway.SessionRequest{Heartbeat: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	run(t, session, source)
	if session.Gone() != nil {
		t.Error("a session that lives counts as gone")
	}
	f.gateway.Restart()
	for end := time.Now().Add(5 * time.Second); session.Gone() == nil && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	if !sqlgateway.IsSessionGone(session.Gone()) {
		t.Errorf("the session is gone with %v", session.Gone())
	}
	_, err = session.Run(t.Context(), sqlgateway.Statement{SQL: sink, Number: 2, Line: 4})
	if !sqlgateway.IsSessionGone(err) || sqlgateway.OutcomeUnknown(err) || !strings.HasPrefix(err.Error(), "statement 2 (line 4): the SQL gateway does not know") {
		t.Errorf("a statement in it: %v", err)
	}
	if err := session.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestWaitingEndsWithItsContextAndTheOperationCanBeCanceled(t *testing.T) {
	t.Parallel()
	f := newFakes(t, gatewayfake.OperationTime(time.Hour))
	session := open(t, f.client)
	o, err := session.Submit(t.Context(), sqlgateway.Statement{SQL: source})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := o.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) || !sqlgateway.OutcomeUnknown(err) {
		t.Errorf("waiting ended with %v", err)
	}
	if err := o.Cancel(t.Context()); err != nil {
		t.Error(err)
	}
	if err := o.Wait(t.Context()); err == nil || !strings.Contains(err.Error(), "ended as CANCELED") {
		t.Errorf("after the cancellation: %v", err)
	}
	if err := o.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := o.Status(t.Context()); !sqlgateway.IsOperationGone(err) {
		t.Errorf("after the close: %v", err)
	}
	if err := o.Cancel(t.Context()); err == nil {
		t.Error("an operation that is gone was canceled")
	}
}

func TestAnAnswerOfSomethingElseIsNoSession(t *testing.T) {
	t.Parallel()
	f := newFakes(t)
	f.gateway.Inject(fault.Fault{Kind: fault.Status, Status: http.StatusOK, Body: "{}", ContentType: "application/json", Method: http.MethodPost})
	_, err := f.client.OpenSession(t.Context(), sqlgateway.SessionRequest{})
	if _, ok := errors.AsType[*rest.NotAPIError](err); !ok {
		t.Errorf("error %v", err)
	}
}
