// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package local

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/jobs"
)

// A Python program needs nothing but REST: the jar that starts Python
// programs, and its own files, both uploaded.
func TestAcc_APythonProgramKeepsItsStateThroughASavepoint(t *testing.T) {
	state := start(t, Config{Only: EngineFlink, Python: true})
	endpoint := state.Flink.Endpoint
	driver := upload(t, endpoint, state.Flink.PythonJar)
	files, err := jobs.Python()
	if err != nil {
		t.Fatal(err)
	}
	archive, err := jobs.PythonArchive(files)
	if err != nil {
		t.Fatal(err)
	}
	// Flink takes uploads of this ending only.
	bundle := filepath.Join(t.TempDir(), "bundle.jar")
	if err := os.WriteFile(bundle, archive, 0o600); err != nil {
		t.Fatal(err)
	}
	bundle = filepath.Join(state.Flink.UploadDir, upload(t, endpoint, bundle))
	run := func(id, label, savepoint string) {
		t.Helper()
		body, err := json.Marshal(map[string]any{
			"jobId": id, "entryClass": "org.apache.flink.client.python.PythonDriver", "savepointPath": savepoint,
			"programArgsList":    []string{"-pym", jobs.PythonCounter, "--label", label},
			"flinkConfiguration": map[string]string{"python.files": bundle, "execution.checkpointing.interval": "500 ms"},
		})
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		request(t, http.MethodPost, endpoint+"/jars/"+driver+"/run", string(body), http.StatusOK, nil)
		t.Logf("%s for the submission of the Python program", time.Since(began))
		waitForCheckpoint(t, state, id, 0)
	}

	const first, second = "0000000000000000000000000000c001", "0000000000000000000000000000c002"
	run(first, "first", "")
	savepoint := stopWithSavepoint(t, state, first)
	run(second, "second", savepoint)
	_ = stopWithSavepoint(t, state, second)
	checkPythonCounts(t, state.Flink.TaskManagerOut)
	checkEnd(t, state)
}

// stopWithSavepoint returns the savepoint's path.
func stopWithSavepoint(t *testing.T, state *State, job string) string {
	t.Helper()
	jobs := state.Flink.Endpoint + "/jobs/" + job
	var trigger struct {
		ID string `json:"request-id"`
	}
	request(t, http.MethodPost, jobs+"/stop", "{}", http.StatusAccepted, &trigger)
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(200 * time.Millisecond) {
		var answer struct {
			Operation struct{ Location string }
		}
		request(t, http.MethodGet, jobs+"/savepoints/"+trigger.ID, "", http.StatusOK, &answer)
		if answer.Operation.Location != "" {
			return answer.Operation.Location
		}
	}
	t.Fatalf("job %s was not stopped", job)
	return ""
}

var pythonLine = regexp.MustCompile(`(?m)^COUNT label=(\w+) edition=first key=\d value=(\d+) count=(\d+)$`)

// checkPythonCounts proves that no number was lost or counted twice, and that
// the second job went on where the first had stopped.
func checkPythonCounts(t *testing.T, file string) {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	last, next := -1, -1
	for _, m := range pythonLine.FindAllStringSubmatch(string(raw), -1) {
		value, _ := strconv.Atoi(m[2])
		count, _ := strconv.Atoi(m[3])
		if count != value/5+1 {
			t.Errorf("%s: count %d, want %d", m[0], count, value/5+1)
		}
		switch {
		case m[1] == "first":
			last = max(last, value)
		case next < 0:
			next = value
		}
	}
	if last < 0 || next != last+1 {
		t.Errorf("the first job ended with number %d, the second began with %d", last, next)
	}
}
