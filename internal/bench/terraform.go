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

// terraform upgrades a job as a user does: Terraform's own program runs the
// provider's own binary, with default settings.
type terraform struct {
	dir      string
	env      []string
	endpoint string
	job      string
	last     string
}

// newTerraform builds the provider of this checkout into a directory.
func newTerraform(ctx context.Context, dir, endpoint, job string) (*terraform, error) {
	bin, work := filepath.Join(dir, "bin"), filepath.Join(dir, "work")
	for _, made := range []string{bin, work} {
		if err := os.MkdirAll(made, 0o755); err != nil {
			return nil, err
		}
	}
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", filepath.Join(bin, "terraform-provider-streaming"), ".")
	if output, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building the provider: %w\n%s", err, output)
	}
	config := filepath.Join(dir, "terraform.tfrc")
	overrides := fmt.Sprintf("disable_checkpoint = true\nprovider_installation {\n  dev_overrides {\n    \"registry.terraform.io/terraform-streaming/streaming\" = %q\n  }\n  direct {}\n}\n", bin)
	if err := os.WriteFile(config, []byte(overrides), 0o600); err != nil {
		return nil, err
	}
	t := &terraform{dir: work, endpoint: endpoint, job: job, env: []string{"TF_CLI_CONFIG_FILE=" + config, "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1"}}
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, "TF_") && !strings.HasPrefix(name, "STREAMING_") {
			t.env = append(t.env, entry)
		}
	}
	return t, nil
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

func (t *terraform) run(ctx context.Context, args ...string) (string, error) {
	command := exec.CommandContext(ctx, cmp.Or(os.Getenv("TF_ACC_TERRAFORM_PATH"), "terraform"), args...)
	command.Dir, command.Env = t.dir, t.env
	var problems strings.Builder
	command.Stderr = &problems
	output, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("terraform %s: %w\n%s%s", args[0], err, output, problems.String())
	}
	return string(output), nil
}
