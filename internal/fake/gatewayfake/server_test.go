// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package gatewayfake_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/sqlgateway"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/gatewayfake"
)

type world struct {
	cluster *flinkfake.Server
	gateway *gatewayfake.Server
	client  *sqlgateway.Client
}

func newWorld(t *testing.T, options ...gatewayfake.Option) world {
	t.Helper()
	cluster := flinkfake.New()
	t.Cleanup(cluster.Close)
	gateway := gatewayfake.New(cluster, options...)
	t.Cleanup(gateway.Close)
	transport, err := rest.New(rest.Config{Endpoint: gateway.URL()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(transport.Close)
	return world{cluster, gateway, sqlgateway.New(transport)}
}

func (w world) open(t *testing.T, properties map[string]string) *sqlgateway.Session {
	t.Helper()
	session, err := w.client.OpenSession(t.Context(), sqlgateway.SessionRequest{Properties: properties})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close(context.WithoutCancel(t.Context())) })
	return session
}

// says runs statements and returns how the last one ended, "" if well; those
// before must end well.
func says(t *testing.T, session *sqlgateway.Session, config map[string]string, statements ...string) string {
	t.Helper()
	for i, sql := range statements {
		_, err := session.Run(t.Context(), sqlgateway.Statement{SQL: sql, Config: config})
		switch {
		case err == nil:
		case i == len(statements)-1:
			return err.Error()
		default:
			t.Fatal(err)
		}
	}
	return ""
}

const (
	source = "CREATE TABLE src (id BIGINT) WITH ('connector' = 'datagen')"
	sink   = "CREATE TABLE snk (id BIGINT) WITH ('connector' = 'blackhole')"
)

func TestASessionThatNobodyAsksForIsForgotten(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.open(t, nil)
	w.gateway.Advance(9 * time.Minute)
	if got := says(t, session, nil, source); got != "" {
		t.Fatal(got)
	}
	w.gateway.Advance(9 * time.Minute)
	if w.gateway.Sessions() != 1 {
		t.Fatal("a session was forgotten nine minutes after its last statement")
	}
	w.gateway.Advance(time.Minute)
	if err := session.Heartbeat(t.Context()); !sqlgateway.IsSessionGone(err) {
		t.Errorf("after ten minutes: %v", err)
	}
}

func TestOnlyACatalogOfItsOwnOutlivesTheSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gatewayfake.Catalog("hive"))
	first, second := w.open(t, nil), w.open(t, nil)
	if got := says(t, first, nil, source, "USE CATALOG hive", source); got != "" {
		t.Fatal(got)
	}
	if got := says(t, second, nil, source); got != "" {
		t.Errorf("a table of another session's default catalog: %s", got)
	}
	if got := says(t, second, nil, "USE CATALOG hive", source); !strings.Contains(got, "already exists in Catalog hive") {
		t.Errorf("a table in the lasting catalog: %q", got)
	}
}

func TestAJobOutlivesItsSessionAndTheGateway(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.open(t, nil)
	if got := says(t, session, map[string]string{"$internal.pipeline.job-id": strings.Repeat("a", 32)}, source, sink, "INSERT INTO snk SELECT id FROM src"); got != "" {
		t.Fatal(got)
	}
	w.gateway.Restart()
	w.cluster.Advance(time.Minute)
	if job, ok := w.cluster.Job(strings.Repeat("a", 32)); !ok || job.State != "RUNNING" {
		t.Errorf("the job is %+v", job)
	}
}

// upload brings an archive with one Python module to the cluster, and returns
// its path there.
func upload(t *testing.T, w world, module string) string {
	t.Helper()
	var archive, body bytes.Buffer
	z := zip.NewWriter(&archive)
	if _, err := z.Create(module + ".py"); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("jarfile", "bundle.jar")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := part.Write(archive.Bytes()); err != nil {
		t.Fatal(err)
	}
	if err := form.Close(); err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.cluster.URL()+"/jars/upload", &body)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", form.FormDataContentType())
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	var answer struct{ Filename string }
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil || answer.Filename == "" {
		t.Fatalf("%+v, %v", answer, err)
	}
	return answer.Filename
}

// As measured: the gateway imports the function itself, with what the session
// has, and the statement's own settings come too late.
func TestAPythonFunctionIsFoundThroughTheSessionOnly(t *testing.T) {
	t.Parallel()
	const function, insert = "CREATE TEMPORARY FUNCTION f AS 'udfs.f' LANGUAGE PYTHON", "INSERT INTO snk SELECT f(id) FROM src"
	w := newWorld(t)
	files := map[string]string{"python.files": upload(t, w, "udfs")}
	if got := says(t, w.open(t, files), nil, source, sink, function, insert); got != "" {
		t.Errorf("from the session's properties: %s", got)
	}
	if got := says(t, w.open(t, nil), nil, "SET 'python.files' = '"+files["python.files"]+"'", source, sink, function, insert); got != "" {
		t.Errorf("from SET: %s", got)
	}
	const missing = "ModuleNotFoundError: No module named 'udfs'"
	if got := says(t, w.open(t, nil), files, source, sink, function, insert); !strings.Contains(got, missing) {
		t.Errorf("from the statement's settings: %q", got)
	}
	if got := says(t, w.open(t, map[string]string{"python.files": upload(t, w, "others")}), nil, source, sink, function, insert); !strings.Contains(got, missing) {
		t.Errorf("from another archive: %q", got)
	}
	apart := newWorld(t, gatewayfake.OwnFiles())
	files["python.files"] = upload(t, apart, "udfs")
	if got := says(t, apart.open(t, files), nil, source, sink, function, insert); !strings.Contains(got, "bundle.jar") {
		t.Errorf("from a gateway with files of its own: %q", got)
	}
}

// As measured: what fits is found out by the master, which refuses, or not
// before the tasks start, which then fail over and over.
func TestAnotherQueryGoesOnFromASavepointOnlyIfItsStateFits(t *testing.T) {
	t.Parallel()
	const numbers = "CREATE TABLE src (id BIGINT, v INT) WITH ('connector' = 'datagen', 'fields.id.kind' = 'sequence')"
	const first = "INSERT INTO snk SELECT v, COUNT(*) FROM src WHERE id > 1 GROUP BY v"
	for query, want := range map[string]string{
		"INSERT INTO snk SELECT v, COUNT(*) FROM src WHERE id > 5 AND v < 3 GROUP BY v": "RUNNING",
		"INSERT INTO snk SELECT v + 1, COUNT(*) * 2 FROM src WHERE id > 1 GROUP BY v":   "RUNNING",
		"INSERT INTO snk SELECT v, COUNT(*) + MAX(id) FROM src WHERE id > 1 GROUP BY v": "RESTARTING",
		"INSERT INTO snk SELECT id, COUNT(*) FROM src WHERE id > 1 GROUP BY id":         "RESTARTING",
		"INSERT INTO snk SELECT v, COUNT(*) FROM src GROUP BY v":                        "RUNNING",
		"INSERT INTO snk SELECT v, COUNT(*) + MAX(id) FROM src GROUP BY v":              "FAILED",
		"INSERT INTO snk SELECT v, id FROM src WHERE id > 1":                            "FAILED",
	} {
		w := newWorld(t)
		session := w.open(t, map[string]string{"execution.checkpointing.interval": "1 s"})
		before, after := strings.Repeat("a", 32), strings.Repeat("b", 32)
		if got := says(t, session, map[string]string{"$internal.pipeline.job-id": before}, numbers, sink, first); got != "" {
			t.Fatal(got)
		}
		w.cluster.Advance(time.Minute)
		job, ok := w.cluster.Job(before)
		if !ok || job.LatestCheckpoint == "" {
			t.Fatalf("the first job is %+v", job)
		}
		config := map[string]string{"$internal.pipeline.job-id": after, "execution.state-recovery.path": job.LatestCheckpoint}
		if got := says(t, session, config, query); (got == "") != (want != "FAILED") {
			t.Errorf("%s: %q", query, got)
		}
		seen := map[string]bool{}
		for range 20 {
			w.cluster.Advance(100 * time.Millisecond)
			job, _ = w.cluster.Job(after)
			seen[job.State] = true
		}
		if !seen[want] || want != "RUNNING" && job.State == "RUNNING" && job.Restarts == 0 {
			t.Errorf("%s: the job was %v, with %d restarts", query, seen, job.Restarts)
		}
	}
}
