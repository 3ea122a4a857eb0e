// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package local

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest/realengine"
)

// start starts what config asks for on free ports, and stops it after the test.
func start(t *testing.T, config Config) *State {
	t.Helper()
	realengine.Only(t)
	config.Dir, config.AutoPorts, config.Slots = t.TempDir(), true, 2
	t.Cleanup(func() {
		if err := Down(context.Background(), config.Dir, t.Output()); err != nil {
			t.Error(err)
		}
	})
	state, err := Up(t.Context(), config, t.Output())
	if err != nil {
		t.Fatal(err)
	}
	again, err := Up(t.Context(), config, t.Output())
	if err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(again.PIDs(), state.PIDs()) {
		t.Fatalf("a second Up changed the processes: %v, then %v", state.PIDs(), again.PIDs())
	}
	return state
}

// checkEnd proves that Down leaves no process behind.
func checkEnd(t *testing.T, state *State) {
	t.Helper()
	all := state.Processes()
	var status bytes.Buffer
	if err := Status(t.Context(), state.Dir, &status); err != nil {
		t.Errorf("status: %v\n%s", err, status.String())
	}
	if err := Down(t.Context(), state.Dir, t.Output()); err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		if p.Alive() {
			t.Errorf("%s (pid %d) runs after Down", p.Name, p.PID)
		}
		if orphans := p.Orphans(); len(orphans) > 0 {
			t.Errorf("%s left %v behind", p.Name, orphans)
		}
	}
	if err := Status(t.Context(), state.Dir, io.Discard); err == nil {
		t.Error("status is fine after Down")
	}
}

// The engines take turns: together they would need more memory than many a
// machine has.

func TestAcc_PravegaAndFlinkLiveThroughCrashesAndEndWhole(t *testing.T) {
	state := start(t, Config{})
	checkPravega(t, state)
	checkFlink(t, state)
	checkEnd(t, state)
}

func TestAcc_TheOldFlinkLivesThroughCrashesAndEndsWhole(t *testing.T) {
	state := start(t, Config{Only: EngineFlink, FlinkVersion: "1.20.5"})
	checkFlink(t, state)
	checkEnd(t, state)
}

// checkPravega writes and counts events, and that doing so leaves nothing
// behind that would keep the scope from being deleted.
func checkPravega(t *testing.T, state *State) {
	t.Helper()
	api := state.Pravega.Endpoint + "/v1/scopes"
	request(t, http.MethodPost, api, `{"scopeName":"s"}`, http.StatusCreated, nil)
	request(t, http.MethodPost, api+"/s/streams",
		`{"streamName":"t","scalingPolicy":{"type":"FIXED_NUM_SEGMENTS","minSegments":3}}`, http.StatusCreated, nil)
	client, err := state.PravegaClient()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []int{250, 500} {
		if err := client.WriteEvents(t.Context(), "s", "t", 250); err != nil {
			t.Fatal(err)
		}
		if got, err := client.CountEvents(t.Context(), "s", "t"); err != nil || got != want {
			t.Fatalf("counted %d events (%v), want %d", got, err, want)
		}
	}
	if _, err := client.CountEvents(t.Context(), "s", "absent"); err == nil {
		t.Error("the events of a stream that does not exist were counted")
	}
	request(t, http.MethodPut, api+"/s/streams/t/state", `{"streamState":"SEALED"}`, http.StatusOK, nil)
	request(t, http.MethodDelete, api+"/s/streams/t", "", http.StatusNoContent, nil)
	request(t, http.MethodDelete, api+"/s", "", http.StatusNoContent, nil)
}

// checkFlink runs the counter through the crash of each process.
func checkFlink(t *testing.T, state *State) {
	t.Helper()
	flink := state.Flink
	jar := upload(t, flink.Endpoint, state.JobsJar)
	run := func(savepoint string) string {
		var started struct{ JobID string }
		body, err := json.Marshal(map[string]any{
			"savepointPath":   savepoint,
			"programArgsList": []string{"--label", "crash", "--checkpoint", "500", "--plain"},
			"flinkConfiguration": map[string]string{
				"execution.checkpointing.externalized-checkpoint-retention": "RETAIN_ON_CANCELLATION",
				"restart-strategy.type": "fixed-delay", "restart-strategy.fixed-delay.attempts": "100",
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		request(t, http.MethodPost, flink.Endpoint+"/jars/"+jar+"/run", string(body), http.StatusOK, &started)
		return started.JobID
	}
	job := run("")
	checkpoints := waitForCheckpoint(t, state, job, 0)

	// The task manager's crash: the same job goes on from its checkpoint.
	if err := state.KillTaskManager(t.Context()); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := state.StartTaskManager(t.Context()); err != nil {
		t.Fatal(err)
	}
	waitForCheckpoint(t, state, job, checkpoints)
	t.Logf("%s until the job completed a checkpoint again after the TaskManager's crash", time.Since(began))

	// The job manager's crash: without high availability it forgets the job.
	if err := state.KillJobManager(t.Context()); err != nil {
		t.Fatal(err)
	}
	began = time.Now()
	if err := state.StartJobManager(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Logf("%s until the JobManager was back", time.Since(began))
	kept, err := filepath.Glob(filepath.Join(flink.CheckpointDir, job, "chk-*", "_metadata"))
	if err != nil || len(kept) == 0 {
		t.Fatalf("no checkpoint outlived the JobManager (%v)", err)
	}
	next := run("file://" + filepath.Dir(kept[len(kept)-1]))
	waitForCheckpoint(t, state, next, 0)
	checkCounts(t, flink.TaskManagerOut, job, next)
}

var countLine = regexp.MustCompile(`(?m)^COUNT job=([0-9a-f]{32}) label=crash key=(\d) value=(\d+) count=(\d+)$`)

// checkCounts proves that no number was lost or counted twice, and that the
// second job went on where the first was.
func checkCounts(t *testing.T, file, first, second string) {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lowest := map[string]int{}
	for _, m := range countLine.FindAllStringSubmatch(string(raw), -1) {
		value, _ := strconv.Atoi(m[3])
		count, _ := strconv.Atoi(m[4])
		if count != value/5+1 {
			t.Errorf("%s: count %d, want %d", m[0], count, value/5+1)
		}
		if low, seen := lowest[m[1]]; !seen || count < low {
			lowest[m[1]] = count
		}
	}
	if lowest[first] != 1 || lowest[second] < 2 {
		t.Errorf("the first job began at count %d, the second at %d", lowest[first], lowest[second])
	}
}

// waitForCheckpoint returns the number of completed checkpoints as soon as it
// is above the given one.
func waitForCheckpoint(t *testing.T, state *State, job string, above int) int {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(200 * time.Millisecond) {
		var answer struct{ Counts struct{ Completed int } }
		request(t, http.MethodGet, state.Flink.Endpoint+"/jobs/"+job+"/checkpoints", "", http.StatusOK, &answer)
		if answer.Counts.Completed > above+1 {
			return answer.Counts.Completed
		}
	}
	t.Fatalf("job %s completed no checkpoint", job)
	return 0
}

func upload(t *testing.T, endpoint, file string) string {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("jarfile", filepath.Base(file))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := part.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := form.Close(); err != nil {
		t.Fatal(err)
	}
	var answer struct{ Filename string }
	send(t, http.MethodPost, endpoint+"/jars/upload", form.FormDataContentType(), &body, http.StatusOK, &answer)
	return path.Base(answer.Filename)
}

func request(t *testing.T, method, address, body string, want int, into any) {
	t.Helper()
	send(t, method, address, "application/json", strings.NewReader(body), want, into)
}

func send(t *testing.T, method, address, contentType string, body io.Reader, want int, into any) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, address, body)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", contentType)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != want {
		t.Fatalf("%s %s: %s, want %d\n%s", method, address, response.Status, want, raw)
	}
	if into == nil {
		return
	}
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatalf("%s %s: %v\n%s", method, address, err, raw)
	}
}
