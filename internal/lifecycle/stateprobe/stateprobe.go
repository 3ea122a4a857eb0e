// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package stateprobe holds the jar that asks a cluster's own file systems for
// checkpoints and savepoints, and the words spoken with it.
//
// The jar is called through /jars/:id/plan, which starts no job; the answer
// comes back as the name of the plan. It is built by
// go run ./internal/lifecycle/stateprobe/build.
package stateprobe

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// EntryClass is the class to run.
const EntryClass = "streaming.probe.StateProbe"

// protocol is the version of arguments and answer. A change of either needs a
// new one.
const protocol = 1

//go:embed stateprobe.jar
var jar []byte

// Jar returns the bytes of the jar.
func Jar() []byte { return jar }

// FilePrefix begins the file names of all versions of the jar.
const FilePrefix = "terraform-streaming-probe-"

// FileName is the name to upload the jar under. It names the content, so that
// an upload of the same jar can be found again.
func FileName() string {
	sum := sha256.Sum256(jar)
	return FilePrefix + hex.EncodeToString(sum[:])[:16] + ".jar"
}

// Op is one question.
type Op struct{ name, path string }

// Exists asks whether a path exists and is a directory.
func Exists(path string) Op { return Op{"exists", path} }

// Newest asks for the newest complete checkpoint or savepoint that lies in the
// directory or in a directory of it.
func Newest(dir string) Op { return Op{"newest", dir} }

// List asks for what a directory holds.
func List(dir string) Op { return Op{"list", dir} }

// Copy asks for a copy of an upload, beside it in the JobManager's upload
// directory: of the jar of an id, under a name that ends with .zip. The answer is
// its path on the JobManager. A copy of the same size is left as it is, and one
// of more than an hour ago is deleted, of whatever upload it is.
func Copy(id, name string) Op { return Op{"copy", id + "/" + name} }

// Args returns the program arguments that ask the questions. What is not
// answered within the timeout gets the error ErrTimedOut.
func Args(timeout time.Duration, ops ...Op) []string {
	args := []string{"v" + strconv.Itoa(protocol), strconv.FormatInt(max(1, timeout.Milliseconds()), 10)}
	for _, op := range ops {
		args = append(args, op.name, op.path)
	}
	return args
}

// Kind tells checkpoints and savepoints apart.
type Kind string

// The kinds of what Newest finds.
const (
	Checkpoint Kind = "checkpoint"
	Savepoint  Kind = "savepoint"
)

// Result is the answer to one question. Which fields are set depends on the
// question.
type Result struct {
	// Failure is why the question could not be answered, "" if it was.
	Failure string
	// Exists tells whether the path that was asked for exists.
	Exists bool
	// Dir tells whether it is a directory (Exists).
	Dir bool
	// Empty tells whether nothing is in the directory, or there is none (Newest).
	Empty bool
	// Path is what was found, as Flink takes it to restore from, "" if nothing
	// was (Newest), or a copy (Copy).
	Path string
	// Kind is what Path is (Newest).
	Kind Kind
	// Modified is when Path was completed (Newest).
	Modified time.Time
	// Incomplete counts the checkpoints and savepoints without metadata, which
	// cannot be restored from (Newest).
	Incomplete int
	// Children is what the directory holds (List).
	Children []Child
}

// Child is an entry of a directory.
type Child struct {
	Name     string
	Dir      bool
	Modified time.Time
	// Complete tells whether it is a checkpoint or savepoint with metadata.
	Complete bool
}

// ErrTimedOut is the error of a question that was not answered in time.
var ErrTimedOut = errors.New("the cluster's file system did not answer in time")

// Err returns why the question could not be answered, nil if it was.
func (r Result) Err() error {
	switch r.Failure {
	case "":
		return nil
	case "timed out":
		return ErrTimedOut
	default:
		return errors.New(r.Failure)
	}
}

// answer is the JSON that the jar sends.
type answer struct {
	Version int      `json:"v"`
	Error   string   `json:"error"`
	Results []result `json:"results"`
}

type result struct {
	Error      string  `json:"error"`
	Exists     bool    `json:"exists"`
	Dir        bool    `json:"dir"`
	Empty      bool    `json:"empty"`
	Path       string  `json:"path"`
	Kind       Kind    `json:"kind"`
	Modified   int64   `json:"modified"`
	Incomplete int     `json:"incomplete"`
	Children   []child `json:"children"`
}

type child struct {
	Name     string `json:"name"`
	Dir      bool   `json:"dir"`
	Modified int64  `json:"modified"`
	Complete bool   `json:"complete"`
}

// Parse reads the answers from the name of the plan, in the order of the
// questions.
func Parse(planName string) ([]Result, error) {
	var a answer
	if err := json.Unmarshal([]byte(planName), &a); err != nil {
		return nil, fmt.Errorf("the state probe's answer %q is unreadable: %w", start(planName), err)
	}
	if a.Version != protocol {
		return nil, fmt.Errorf("the state probe answers in version %d, not %d", a.Version, protocol)
	}
	if a.Error != "" {
		return nil, fmt.Errorf("the state probe refused the question: %s", a.Error)
	}
	results := make([]Result, 0, len(a.Results))
	for _, r := range a.Results {
		read := Result{
			Failure: r.Error, Exists: r.Exists, Dir: r.Dir, Empty: r.Empty,
			Path: r.Path, Kind: r.Kind, Modified: instant(r.Modified), Incomplete: r.Incomplete,
		}
		for _, c := range r.Children {
			read.Children = append(read.Children, Child{Name: c.Name, Dir: c.Dir, Modified: instant(c.Modified), Complete: c.Complete})
		}
		results = append(results, read)
	}
	return results, nil
}

// instant turns milliseconds since 1970 into a time; not every file system
// knows one for a directory and then says 0.
func instant(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

func start(text string) string {
	const limit = 200
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + "..."
}
