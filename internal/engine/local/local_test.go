// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

//go:build unix

package local

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/pravegaengine"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/process"
)

// record starts a process and writes a state that knows it as the JobManager.
func record(t *testing.T, script string) *State {
	t.Helper()
	dir := t.TempDir()
	p, err := process.Start(process.Spec{
		Name: "jobmanager", Path: "/bin/sh", Args: []string{"-c", script}, Dir: dir, Owner: dir,
		OutFile: filepath.Join(dir, "log", "jobmanager.out"),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Kill(context.Background()) })
	state := &State{Version: stateVersion, Dir: dir}
	if err := state.update(func() { state.Flink = &Flink{Version: "2.3.0", JobManager: p} }); err != nil {
		t.Fatal(err)
	}
	return state
}

func TestDownStopsWhatTheStateNamesAndIsFineTwice(t *testing.T) {
	t.Parallel()
	state := record(t, "exec sleep 60")
	read, err := Load(state.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if read.PIDs()["jobmanager"] != state.Flink.JobManager.PID || !read.Flink.JobManager.Alive() {
		t.Fatalf("read %+v", read.Flink.JobManager)
	}
	for range 2 {
		if err := Down(t.Context(), state.Dir, io.Discard); err != nil {
			t.Fatal(err)
		}
		if read.Flink.JobManager.Alive() {
			t.Fatal("the process runs after Down")
		}
	}
	if _, err := Load(state.Dir); !errors.Is(err, ErrNotRunning) {
		t.Fatalf("error %v", err)
	}
}

func TestDownOfADirectoryThatIsNotThereIsFine(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "never")
	if err := Down(t.Context(), dir, io.Discard); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("Down made the directory (%v)", err)
	}
}

func TestStatusFailsAndNamesWhatIsDown(t *testing.T) {
	t.Parallel()
	state := record(t, "exec sleep 60")
	if err := state.KillJobManager(t.Context()); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err := Status(t.Context(), state.Dir, &out)
	if err == nil || !strings.Contains(err.Error(), "jobmanager") || !strings.Contains(out.String(), "down") {
		t.Fatalf("error %v, output %q", err, out.String())
	}
	if err := Status(t.Context(), t.TempDir(), io.Discard); !errors.Is(err, ErrNotRunning) {
		t.Fatalf("error %v", err)
	}
}

func TestAStateOfAnotherVersionIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(statePath(dir), []byte(`{"version":99}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), "version 99") {
		t.Fatalf("error %v", err)
	}
}

func TestADeathInStartUpIsReportedAtOnceWithItsReason(t *testing.T) {
	t.Parallel()
	state := record(t, "echo booting; echo 'Caused by: java.net.BindException: in use'; exit 1")
	began := time.Now()
	err := waitReady(t.Context(), state.Flink.JobManager, func(context.Context) error { return errors.New("no answer") })
	if err == nil || !strings.Contains(err.Error(), "jobmanager ended") || !strings.Contains(err.Error(), "java.net.BindException: in use") {
		t.Fatalf("error %v", err)
	}
	if strings.Contains(err.Error(), "booting") {
		t.Errorf("the error quotes lines that say nothing: %v", err)
	}
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("it took %s", took)
	}
}

func TestUpStopsBeforeAnythingIsStartedWhenAPortIsTaken(t *testing.T) {
	t.Parallel()
	var config net.ListenConfig
	listener, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	_, text, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	taken, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	cache := filepath.Join(t.TempDir(), "cache")
	_, err = Up(t.Context(), Config{
		Dir: t.TempDir(), CacheDir: cache, AutoPorts: true, Ports: Ports{Gateway: taken},
	}, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "port "+text+" is taken") || !strings.Contains(err.Error(), "-gateway-port") {
		t.Fatalf("error %v", err)
	}
	if _, err := os.Stat(cache); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("something was installed (%v)", err)
	}
}

func TestGivenPortsAreKeptAndTheOthersAreUsualOrFree(t *testing.T) {
	t.Parallel()
	usual, err := Config{Ports: Ports{Flink: 1234}}.withPorts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if usual.Ports.Flink != 1234 || usual.Ports.Gateway != 8083 || usual.Ports.Pravega != 9091 {
		t.Errorf("ports %+v", usual.Ports)
	}
	auto, err := Config{AutoPorts: true, Ports: Ports{Flink: 1234}}.withPorts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	seen := map[int]bool{}
	for _, e := range auto.Ports.entries() {
		seen[*e.port] = true
	}
	if auto.Ports.Flink != 1234 || seen[0] || len(seen) != len(auto.Ports.entries()) {
		t.Errorf("ports %+v", auto.Ports)
	}
}

func TestUnknownEngineIsRefused(t *testing.T) {
	t.Parallel()
	if _, err := (Config{Only: "spark"}).complete(); err == nil || !strings.Contains(err.Error(), "flink or pravega") {
		t.Fatalf("error %v", err)
	}
}

func TestEnvironmentIsQuotedForTheShell(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	err := Environment(&State{
		Dir: "/run/it's here", JobsJar: "/jobs.jar", Flink: &Flink{Endpoint: "http://127.0.0.1:8081", PythonJar: "/flink-python.jar", Python: "/python"},
		Pravega: &Pravega{Access: pravegaengine.Access{Endpoint: "http://127.0.0.1:9091", ControllerURI: "tcp://127.0.0.1:9090"}},
	}, &out)
	want := `export STREAMING_ENGINE_DIR='/run/it'\''s here'
export STREAMING_FLINK_ENDPOINT=http://127.0.0.1:8081
export STREAMING_JOBS_JAR=/jobs.jar
export STREAMING_FLINK_PYTHON_JAR=/flink-python.jar
export STREAMING_FLINK_PYTHON=/python
export STREAMING_PRAVEGA_ENDPOINT=http://127.0.0.1:9091
export STREAMING_PRAVEGA_CONTROLLER_URI=tcp://127.0.0.1:9090
`
	if err != nil || out.String() != want {
		t.Fatalf("error %v, got\n%s", err, out.String())
	}
}
