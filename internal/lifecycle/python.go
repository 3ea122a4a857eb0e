// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/sqlgateway"
)

// pythonDriver is the class of flink-python that starts a Python program.
const pythonDriver = "org.apache.flink.client.python.PythonDriver"

// PythonProgram is a Python module that flink-python starts on the JobManager.
// Its files are those of the job's bundle, and of its python.files.
type PythonProgram struct {
	// Jar is flink-python: an upload, a file or a URL. Where none of these is
	// set, the upload of the cluster's version is found by its name.
	Jar JarProgram
	// Chosen is true for a jar of this job alone. Another one is left on the
	// cluster, for all Python jobs.
	Chosen bool
	// Module is run as Python's -m does, with Args.
	Module string
	Args   []string
}

func (p *PythonProgram) setTag(tag string) {
	if p.Chosen {
		p.Jar.setTag(tag)
	}
}

// ForgetFile makes the program run from the upload of its own flink-python
// alone.
func (p *PythonProgram) ForgetFile() {
	if p.Chosen {
		p.Jar.ForgetFile()
	}
}

// Fingerprint lists the module and its arguments. Which flink-python starts it
// is part of it only where that was chosen.
func (p *PythonProgram) Fingerprint() []string {
	jar := ""
	if p.Chosen {
		jar = p.Jar.SHA256
	}
	return append([]string{"python", jar, p.Module}, p.Args...)
}

// JarSHA256 is the content hash of flink-python.
func (p *PythonProgram) JarSHA256() string { return p.Jar.SHA256 }

// driverArgs are what the driver takes. It leaves its process, which is the
// JobManager, for arguments that it cannot read, and takes one of the program's
// for its own by its name: so the module comes first, and everything after the
// two dashes is the program's.
func (p *PythonProgram) driverArgs() []string {
	return append([]string{"-pym", p.Module, "--"}, p.Args...)
}

// Prepare finds flink-python, or uploads it.
func (p *PythonProgram) Prepare(ctx context.Context) (bool, error) {
	p.Jar.EntryClass, p.Jar.Args = pythonDriver, p.driverArgs()
	if p.Chosen || p.Jar.hasFile() {
		return p.Jar.Prepare(ctx)
	}
	version, err := p.Jar.Client.Version(ctx)
	if err != nil {
		return false, err
	}
	jars, err := p.Jar.Client.Jars(ctx)
	if err != nil {
		return false, err
	}
	named := regexp.MustCompile(`(?:^|[_-])flink-python-` + regexp.QuoteMeta(version) + `(?:-[A-Za-z0-9-]+)?\.jar$`)
	for _, jar := range jars {
		if named.MatchString(jar.ID) && !ofJob(jar) {
			p.Jar.resolved = jar.ID
			if match := hashInName.FindStringSubmatch(jar.ID); match != nil {
				// So that the job's marker tells which upload it needs.
				p.Jar.SHA256 = match[1]
			}
			return false, nil
		}
	}
	return false, problemf(ProblemJar,
		fmt.Sprintf("A Python program is started by flink-python-%s.jar, which is in the directory opt of each Flink installation. Name it as jar of the job or as python_jar in the flink block of the provider configuration, or upload it to the cluster.", version), nil,
		"the cluster has no upload of flink-python-%s.jar", version)
}

// hashInName is the part of a content hash in the id of an upload that this
// provider made.
var hashInName = regexp.MustCompile(`-([0-9a-f]{32})\.jar$`)

// Submit starts the program.
func (p *PythonProgram) Submit(ctx context.Context, s Submission) (string, error) {
	if p.Jar.resolved == "" {
		if _, err := p.Prepare(ctx); err != nil {
			return "", err
		}
	}
	id, err := p.Jar.Submit(ctx, s)
	if pythonExited(err) {
		return id, p.explain(ctx, s, err)
	}
	return id, err
}

func (p *PythonProgram) throughREST() {}

// Discard deletes the upload of flink-python.
func (p *PythonProgram) Discard(ctx context.Context) error { return p.Jar.Discard(ctx) }

// pythonExited tells whether the Python process ended with an error, of which
// Flink answers nothing else.
func pythonExited(err error) bool {
	answer, ok := errors.AsType[*rest.Error](err)
	return ok && strings.Contains(answer.Text, "Python process exits with code")
}

// explain finds out what the Python process failed of. What it wrote is in the
// JobManager's log alone, and so is the word that the job's id was used before.
func (p *PythonProgram) explain(ctx context.Context, s Submission, err error) error {
	_, jobErr := p.Jar.Client.Job(ctx, s.JobID)
	if jobErr == nil {
		// It was submitted, and the program failed of something after that.
		return submitted{err}
	}
	if !flink.IsNotFound(jobErr) {
		return err
	}
	output, logErr := p.Jar.Client.LastPython(ctx)
	cause := pythonCause(output)
	if logErr != nil || cause == "" {
		return problemf(ProblemMain, "What it wrote is in the JobManager's log, which REST does not show here. Nothing was started.", err, "the Python program failed")
	}
	if strings.Contains(output, "DuplicateJobSubmissionException") || strings.Contains(output, "DuplicateApplicationSubmissionException") {
		return submitted{err}
	}
	if known := classify(output, errors.New(cause)); known != nil {
		return known
	}
	return problemf(ProblemMain, "All that it wrote is in the JobManager's log. Nothing was started.", errors.New(cause), "the Python program failed")
}

// submitted is the failure of a program whose job's id was taken.
type submitted struct{ error }

// Unwrap returns what Flink said.
func (s submitted) Unwrap() error { return s.error }

// taken tells whether a job's id was refused, or given to a job of a program
// that failed afterwards.
func taken(err error) bool {
	_, ok := errors.AsType[submitted](err)
	return ok || flink.IsDuplicate(err) || sqlgateway.IsDuplicate(err)
}

// pythonCause is one line of what a program wrote: the exception of a traceback,
// the root cause of one that Java threw, or without a traceback the last line.
func pythonCause(output string) string {
	_, traceback, found := strings.Cut(output, "Traceback (most recent call last):\n")
	if !found {
		lines := strings.Split(strings.TrimRight(output, "\n "), "\n")
		return strings.TrimSpace(lines[len(lines)-1])
	}
	if _, java, found := strings.Cut(traceback, "Py4JJavaError: "); found {
		if _, java, found = strings.Cut(java, "\n: "); found {
			return rest.RootCause(java).String()
		}
	}
	for line := range strings.Lines(traceback) {
		// What is indented says where.
		if line = strings.TrimRight(line, "\n"); line != "" && line[0] != ' ' {
			return line
		}
	}
	return ""
}

// Vertices asks the program for its graph, as it is with a parallelism.
func (p *PythonProgram) Vertices(ctx context.Context, parallelism int64, configuration map[string]string) (map[string]int64, error) {
	return p.Jar.Vertices(ctx, parallelism, configuration)
}

// ContentKnown is false for a flink-python of its own that is not read yet.
func (p *PythonProgram) ContentKnown() bool { return !p.Chosen || p.Jar.ContentKnown() }
