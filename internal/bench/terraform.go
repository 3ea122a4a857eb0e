// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/jobs"
)

// workspace is a directory in which Terraform's own program runs, with default
// settings and providers of this machine.
type workspace struct {
	dir string
	env []string
}

// newWorkspace makes its directories below another one. The providers are the
// directories of their programs, by their source addresses.
func newWorkspace(dir string, providers map[string]string) (*workspace, error) {
	work := filepath.Join(dir, "work")
	if err := os.MkdirAll(work, 0o755); err != nil {
		return nil, err
	}
	config := filepath.Join(dir, "terraform.tfrc")
	var settings strings.Builder
	settings.WriteString("disable_checkpoint = true\nprovider_installation {\n  dev_overrides {\n")
	for source, bin := range providers {
		fmt.Fprintf(&settings, "    %q = %q\n", "registry.terraform.io/"+source, bin)
	}
	settings.WriteString("  }\n  direct {}\n}\n")
	if err := os.WriteFile(config, []byte(settings.String()), 0o600); err != nil {
		return nil, err
	}
	w := &workspace{dir: work, env: []string{"TF_CLI_CONFIG_FILE=" + config, "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1"}}
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, "TF_") && !strings.HasPrefix(name, "STREAMING_") {
			w.env = append(w.env, entry)
		}
	}
	return w, nil
}

// terraform upgrades a job as a user does: Terraform's own program runs the
// provider's own binary.
type terraform struct {
	*workspace
	endpoint string
	job      string
	last     string
}

// newTerraform builds the provider of this checkout into a directory.
func newTerraform(ctx context.Context, dir, endpoint, job string) (*terraform, error) {
	bin := filepath.Join(dir, "bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return nil, err
	}
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", filepath.Join(bin, "terraform-provider-streaming"), ".")
	if output, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building the provider: %w\n%s", err, output)
	}
	workspace, err := newWorkspace(dir, map[string]string{"terraform-streaming/streaming": bin})
	return &terraform{workspace: workspace, endpoint: endpoint, job: job}, err
}

// next is the first apply or an upgrade, to a jar in this file.
func (t *terraform) next(ctx context.Context, file string) (before, after string, err error) {
	quoted := make([]string, 0, len(programArgs))
	for _, arg := range programArgs {
		quoted = append(quoted, fmt.Sprintf("%q", arg))
	}
	config := fmt.Sprintf(`terraform {
  required_providers {
    streaming = { source = "terraform-streaming/streaming" }
  }
}

provider "streaming" {
  owner = "bench"
  flink = { endpoint = %q }
}

resource "streaming_flink_job" "bench" {
  name          = %q
  jar           = { source = %q }
  entry_class   = %q
  args          = [%s]
  configuration = { "execution.checkpointing.interval" = %q }
  on_destroy    = "cancel"
}

output "job_id" {
  value = streaming_flink_job.bench.job_id
}
`, t.endpoint, t.job, file, jobs.Counter, strings.Join(quoted, ", "), checkpointInterval)
	if err := os.WriteFile(filepath.Join(t.dir, "main.tf"), []byte(config), 0o600); err != nil {
		return "", "", err
	}
	if _, err := t.run(ctx, "apply", "-auto-approve", "-input=false", "-no-color"); err != nil {
		return "", "", err
	}
	before = t.last
	t.last, err = t.run(ctx, "output", "-raw", "-no-color", "job_id")
	return before, t.last, err
}

func (w *workspace) run(ctx context.Context, args ...string) (string, error) {
	command := exec.CommandContext(ctx, cmp.Or(os.Getenv("TF_ACC_TERRAFORM_PATH"), "terraform"), args...)
	command.Dir, command.Env = w.dir, w.env
	var problems strings.Builder
	command.Stderr = &problems
	output, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("terraform %s: %w\n%s%s", args[0], err, output, problems.String())
	}
	return string(output), nil
}
