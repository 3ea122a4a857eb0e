// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/flinkoptions"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/pyflink"
)

// Program is what a kind of job runs: it is made ready before the earlier job
// stops, and then submitted under an id that the lifecycle chose.
type Program interface {
	// Fingerprint lists what makes two programs differ, without secrets.
	Fingerprint() []string
	// JarSHA256 is the content hash of the jar that it runs from, if known.
	JarSHA256() string
	// Prepare uploads what is missing, and reports whether it uploaded.
	Prepare(ctx context.Context) (uploaded bool, err error)
	// Submit starts the program and returns the id of its job.
	Submit(ctx context.Context, submission Submission) (jobID string, err error)
	// Discard undoes an upload of Prepare.
	Discard(ctx context.Context) error
}

// Submission is one start of a program.
type Submission struct {
	JobID         string
	Parallelism   int64
	Configuration map[string]string
	// Marker is in Configuration, and beside it for a program that shows it
	// itself.
	Marker Marker
	// Restore is the savepoint or checkpoint to start from, empty for none.
	Restore          string
	AllowNonRestored bool
}

// Spec is what a job is to be: the attributes whose change restarts it.
type Spec struct {
	Name           string
	Program        Program
	Parallelism    int64
	MaxParallelism int64
	Configuration  map[string]string
	// Bundle is the Python bundle that the job uses, the zero value for none.
	Bundle Bundle
	// Python are the typed python.* options.
	Python pyflink.Options
}

// Hash identifies the restart attributes without parallelism, which a cluster
// may change in place, and without any secret: two values of a secret option
// hash alike. So do two spellings of one duration or size of memory, so that an
// interrupted apply goes on with its job when the configuration was respelled
// meanwhile.
func (s Spec) Hash() string {
	parts := append([]string{"spec", s.Name, strconv.FormatInt(s.MaxParallelism, 10)}, s.Program.Fingerprint()...)
	for _, key := range slices.Sorted(maps.Keys(s.Configuration)) {
		value := flinkoptions.Canonical(key, s.Configuration[key])
		if SecretKey(key) {
			value = "(secret)"
		}
		parts = append(parts, key, value)
	}
	python := s.Python.Render(pyflink.Bundle{})
	for _, key := range slices.Sorted(maps.Keys(python)) {
		parts = append(parts, "python", key, python[key])
	}
	if s.Bundle.SHA256 != "" {
		parts = append(parts, "bundle", s.Bundle.SHA256)
	}
	return Hash(parts...)
}

// parallelism is what a marker says of it.
func (s Spec) parallelism() string {
	if s.Parallelism == 0 {
		return ""
	}
	return strconv.FormatInt(s.Parallelism, 10)
}

// secretWords are the parts of an option's key for which Flink hides the value
// in its own output.
var secretWords = []string{
	"password", "secret", "fs.azure.account.key", "apikey", "api-key", "auth-params",
	"service-key", "token", "basic-auth", "jaas.config", "http-headers",
}

// SecretKey tells whether an option's value is to be treated as a secret.
func SecretKey(key string) bool {
	key = strings.ToLower(key)
	return slices.ContainsFunc(secretWords, func(word string) bool { return strings.Contains(key, word) })
}

// retention keeps a job's checkpoints when it is cancelled, so that its state
// is not lost with it.
const retention = "execution.checkpointing.externalized-checkpoint-retention"

// configuration is what is sent with a submission: the user's, the options of
// Python with the files of the bundle, the name, the retention of checkpoints
// and the marker.
func (s Spec) configuration(marker Marker, bundle pyflink.Bundle) (map[string]string, error) {
	merged := map[string]string{}
	maps.Copy(merged, s.Configuration)
	python := s.Python.Render(bundle)
	if files := s.Configuration[pyflink.Files]; files != "" && bundle.Archive != "" && len(s.Python.Files) == 0 {
		python[pyflink.Files] += "," + files
	}
	if s.Configuration[pyflink.RequirementsKey] != "" && s.Python.Requirements == nil {
		delete(python, pyflink.RequirementsKey)
	}
	maps.Copy(merged, python)
	if merged["pipeline.name"] == "" {
		merged["pipeline.name"] = s.Name
	}
	if s.MaxParallelism > 0 {
		merged["pipeline.max-parallelism"] = strconv.FormatInt(s.MaxParallelism, 10)
	}
	if merged[retention] == "" {
		merged[retention] = "RETAIN_ON_CANCELLATION"
	}
	parameters, err := MergeMarker(merged[globalParameters], marker)
	if err != nil {
		return nil, err
	}
	merged[globalParameters] = parameters
	return merged, nil
}
