// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package dagger

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/dagger"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// program is Dagger's jar with a configuration.
type program struct {
	lifecycle.JarProgram

	document dagger.Document
	// bundle is the job's Python bundle, and copied is what Dagger is told of it.
	bundle lifecycle.Bundle
	copied lifecycle.BundleCopy
}

// KeepsBundle is there since Dagger has a key for Python files.
func (p *program) KeepsBundle() {}

// Fingerprint lists what makes two programs differ, without a secret and
// without the parallelism.
func (p *program) Fingerprint() []string {
	jar := p.JarProgram
	jar.Args = p.document.Fingerprint(secretKey)
	return jar.Fingerprint()
}

// secretKey tells whether a key that has no attribute holds a secret.
func secretKey(key string) bool {
	return lifecycle.SecretKey(strings.ReplaceAll(key, "_", "-")) || lifecycle.SecretKey(strings.ReplaceAll(key, "_", "."))
}

// Prepare fails before an earlier job is stopped.
func (p *program) Prepare(ctx context.Context) (bool, error) {
	args, err := arguments(p.document, nil)
	if err != nil {
		return false, err
	}
	p.Args = args
	return p.JarProgram.Prepare(ctx)
}

// Submit starts the job. Dagger reads the bundle in its main().
func (p *program) Submit(ctx context.Context, s lifecycle.Submission) (string, error) {
	if p.bundle.SHA256 == "" {
		return p.JarProgram.Submit(ctx, s)
	}
	copied, err := p.CopyBundle(ctx, p.bundle)
	if err != nil {
		return "", err
	}
	p.copied = copied
	id, err := p.JarProgram.Submit(ctx, s)
	if !rest.OutcomeUnknown(err) {
		copied.Remove(ctx)
	}
	return id, err
}

// show is the job's arguments with its marker, and where its bundle is by now.
func (p *program) show(_ []string, marker []lifecycle.Entry) ([]string, error) {
	document := p.document
	if p.bundle.SHA256 != "" {
		document = document.WithBundle(p.copied.Archive, p.copied.Requirements)
	}
	return arguments(document, marker)
}

// arguments are those of a job, with a marker among Dagger's own keys: it makes
// them the global parameters of the job.
func arguments(document dagger.Document, marker []lifecycle.Entry) ([]string, error) {
	extra := map[string]string{}
	maps.Copy(extra, document.Extra)
	for _, entry := range marker {
		extra[entry.Key] = entry.Value
	}
	document.Extra = extra
	args, err := document.Encoded()
	if err != nil {
		return nil, &lifecycle.Error{
			Summary: "the job's write-only values are not known",
			Advice:  "They are in the configuration alone, and not those that the job was started with before. Set each attribute that ends with _wo whose version is set.",
			Err:     err,
		}
	}
	return args, nil
}

// leaks are signs of classes that an earlier Dagger job left in the JobManager
// or in a TaskManager, and what else a job did to those after it.
var leaks = []struct{ sign, what string }{
	{"com/google/protobuf/ByteString$CodedBuilder", "The first Dagger job on this JobManager failed over its query, and left classes behind with which no job with Protobuf starts."},
	{"InvalidClassException: com.google.protobuf.ByteString", "Another Dagger jar ran on this cluster, and left classes of its own version of Protobuf behind."},
	{"Config source not provided", "An earlier Dagger job, which was not this provider's, told the JobManager to read the configuration of all later ones from a file."},
}

// hint recognises what a restart of the JobManager mends, and another Dagger.
func hint(text string) string {
	if strings.Contains(text, "was not found in the jar file") {
		return "namespace says whose Dagger the jar is: raystack, gotocompany or odpf. Set it, or entry_class."
	}
	for _, leak := range leaks {
		if strings.Contains(text, leak.sign) {
			return fmt.Sprintf("%s Restart the JobManager, and apply again; jobs that run there have to be stopped with a savepoint first.", leak.what)
		}
	}
	return ""
}
