// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package local

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/javabuild"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/pravegaengine"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/process"
)

// ErrNotRunning is returned by Load for a directory in which nothing was
// started.
var ErrNotRunning = errors.New("no engine was started there")

const stateVersion = 1

// State is what runs in one run directory. It is kept in its state.json.
type State struct {
	Version int           `json:"version"`
	Dir     string        `json:"dir"`
	JDK     javabuild.JDK `json:"jdk"`
	// JobsJar is the jar of test jobs, "" without Flink.
	JobsJar string   `json:"jobs_jar,omitempty"`
	Flink   *Flink   `json:"flink,omitempty"`
	Pravega *Pravega `json:"pravega,omitempty"`

	mu sync.Mutex
}

// Flink is a running session cluster.
type Flink struct {
	Version string `json:"version"`
	Home    string `json:"home"`
	// Endpoint and GatewayEndpoint are base URLs; the latter is "" where the
	// version has no gateway.
	Endpoint        string `json:"endpoint"`
	GatewayEndpoint string `json:"gateway_endpoint,omitempty"`
	// The directories are paths on disk, without a scheme.
	CheckpointDir string `json:"checkpoint_dir"`
	SavepointDir  string `json:"savepoint_dir"`
	UploadDir     string `json:"upload_dir"`
	// TaskManagerOut is the file with what jobs print.
	TaskManagerOut string `json:"taskmanager_out"`
	// Python is the interpreter with PyFlink, "" for a cluster without Python.
	Python string `json:"python,omitempty"`
	// PythonJar is the jar that starts Python programs.
	PythonJar string `json:"python_jar,omitempty"`

	JobManager  *process.Process `json:"jobmanager,omitempty"`
	TaskManager *process.Process `json:"taskmanager,omitempty"`
	Gateway     *process.Process `json:"gateway,omitempty"`
}

// Pravega is a running standalone Pravega.
type Pravega struct {
	Version string `json:"version"`
	Home    string `json:"home"`
	pravegaengine.Access

	Process *process.Process `json:"process,omitempty"`
}

// Load reads the state of a run directory; "" means the usual one.
func Load(dir string) (*State, error) {
	if dir == "" {
		var err error
		if dir, err = DefaultDir(); err != nil {
			return nil, err
		}
	}
	raw, err := os.ReadFile(statePath(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", dir, ErrNotRunning)
	}
	if err != nil {
		return nil, err
	}
	state := &State{}
	if err := json.Unmarshal(raw, state); err != nil {
		return nil, fmt.Errorf("%s: %w", statePath(dir), err)
	}
	if state.Version != stateVersion {
		return nil, fmt.Errorf("%s has version %d, this program reads %d", statePath(dir), state.Version, stateVersion)
	}
	return state, nil
}

// update changes the state under its lock and writes it.
func (s *State) update(change func()) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
	raw, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return javabuild.WriteFile(statePath(s.Dir), append(raw, '\n'))
}

func statePath(dir string) string { return filepath.Join(dir, "state.json") }

// Processes lists everything that was started, in the order of starting.
func (s *State) Processes() []*process.Process {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append(s.Flink.processes(), s.Pravega.processes()...)
}

// PIDs returns the pid of each process by its name.
func (s *State) PIDs() map[string]int {
	pids := map[string]int{}
	for _, p := range s.Processes() {
		pids[p.Name] = p.PID
	}
	return pids
}

func (f *Flink) processes() []*process.Process {
	if f == nil {
		return nil
	}
	return present(f.JobManager, f.TaskManager, f.Gateway)
}

func (p *Pravega) processes() []*process.Process {
	if p == nil {
		return nil
	}
	return present(p.Process)
}

func present(all ...*process.Process) []*process.Process {
	var found []*process.Process
	for _, p := range all {
		if p != nil {
			found = append(found, p)
		}
	}
	return found
}
