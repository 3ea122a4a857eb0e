// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package faults

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/provider"
)

// terraform is a driver that runs Terraform's own program, which starts the
// provider as a process of its own.
type terraform struct {
	// kind is the resource's type.
	kind     string
	program  string
	dir      string
	settings map[string]any
	quick    bool
	// survives lets Terraform itself live on when the provider is killed, so
	// that it writes a state; else both are killed.
	survives bool

	// running is Terraform while it runs. Whoever kills it is another goroutine.
	running atomic.Pointer[os.Process]
}

// terraformProgram is the program that tests run.
func terraformProgram() string {
	if path := os.Getenv("TF_ACC_TERRAFORM_PATH"); path != "" {
		return path
	}
	return "terraform"
}

func newTerraform(b *bench) (*terraform, error) {
	t := &terraform{kind: b.kind, program: terraformProgram(), dir: filepath.Join(b.dir, "terraform"), settings: b.settings(), quick: b.quick()}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	bin := filepath.Join(t.dir, "bin")
	if err := os.MkdirAll(bin, 0o750); err != nil {
		return nil, err
	}
	// exec keeps the process id, so that what is killed is the provider.
	script := fmt.Sprintf("#!/bin/sh\nexec %q\n", self)
	config := fmt.Sprintf("disable_checkpoint = true\nprovider_installation {\n  dev_overrides {\n    %q = %q\n  }\n  direct {}\n}\n", provider.Address, bin)
	return t, errors.Join(
		os.WriteFile(filepath.Join(bin, "terraform-provider-streaming"), []byte(script), 0o700), //nolint:gosec // a program must be executable
		os.WriteFile(filepath.Join(t.dir, "terraform.tfrc"), []byte(config), 0o600),
	)
}

func (t *terraform) pidFile() string { return filepath.Join(t.dir, "provider.pid") }

func (t *terraform) environment() []string {
	environment := append(providerEnvironment(), serveVariable+"="+serveTerraform, pidVariable+"="+t.pidFile(),
		"TF_CLI_CONFIG_FILE="+filepath.Join(t.dir, "terraform.tfrc"), "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1")
	if t.quick {
		environment = append(environment, quickVariable+"=1")
	}
	return environment
}

// write writes a configuration in Terraform's JSON syntax.
func (t *terraform) write(config job) error {
	source, _ := strings.CutPrefix(provider.Address, "registry.terraform.io/")
	document := map[string]any{
		"terraform": map[string]any{"required_providers": map[string]any{"streaming": map[string]any{"source": source}}},
		"provider":  map[string]any{"streaming": t.settings},
	}
	if config != nil {
		document["resource"] = map[string]any{t.kind: map[string]any{"test": config}}
	}
	content, err := json.Marshal(document)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(t.dir, "main.tf.json"), content, 0o600)
}

// run runs Terraform and returns what it says as lines of JSON.
func (t *terraform) run(ctx context.Context, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, applyLimit(t.quick)*2)
	defer cancel()
	var output bytes.Buffer
	command := exec.CommandContext(ctx, t.program, args...)
	command.Dir, command.Env, command.Stdout, command.Stderr = t.dir, t.environment(), &output, &output
	// A group of its own can be killed as a whole.
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := command.Start(); err != nil {
		return nil, err
	}
	t.running.Store(command.Process)
	err := command.Wait()
	t.running.Store(nil)
	return output.Bytes(), err
}

func (t *terraform) apply(ctx context.Context, config job) outcome {
	if err := t.write(config); err != nil {
		return outcome{err: err}
	}
	output, err := t.run(ctx, "apply", "-auto-approve", "-input=false", "-json")
	out := outcome{diagnostics: said(output), acted: bytes.Contains(output, []byte(`"type":"apply_start"`))}
	if err != nil && out.errors() == "" {
		out.err = fmt.Errorf("%w: %s", errDied, bytes.TrimSpace(output))
	}
	// These words of Terraform's are about rules that the provider broke.
	for _, rule := range []string{"Provider produced inconsistent", "Provider produced invalid", "Provider returned invalid"} {
		if strings.Contains(out.errors(), rule) {
			return broken("%s", out.errors())
		}
	}
	return out
}

// said reads the diagnostics out of Terraform's output.
func said(output []byte) []Diagnostic {
	var all []Diagnostic
	scanner := bufio.NewScanner(bytes.NewReader(output))
	scanner.Buffer(nil, 4<<20)
	for scanner.Scan() {
		var line struct {
			Diagnostic *struct{ Severity, Summary, Detail string }
		}
		if json.Unmarshal(scanner.Bytes(), &line) != nil || line.Diagnostic == nil {
			continue
		}
		d := line.Diagnostic
		all = append(all, Diagnostic{Error: d.Severity == "error", Summary: d.Summary, Detail: d.Detail})
	}
	return all
}

func (t *terraform) changes(ctx context.Context, config job) ([]string, error) {
	if err := t.write(config); err != nil {
		return nil, err
	}
	output, err := t.run(ctx, "plan", "-input=false", "-json", "-detailed-exitcode")
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil, nil
	case errors.As(err, &exit) && exit.ExitCode() == 2:
		return []string{string(output)}, nil
	}
	return nil, fmt.Errorf("%w: %s", err, bytes.TrimSpace(output))
}

// stateFile is as much of Terraform's state file as is looked at here.
type stateFile struct {
	Resources []struct {
		Type      string
		Instances []struct {
			Status     string
			Attributes map[string]any
		}
	}
}

func (t *terraform) recorded() (record, bool) {
	content, err := os.ReadFile(filepath.Join(t.dir, "terraform.tfstate"))
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(content) == 0 {
		// Terraform makes the file before it has something to write.
		return record{}, false
	}
	var state stateFile
	if err != nil || json.Unmarshal(content, &state) != nil {
		return record{State: "unreadable"}, true
	}
	for _, resource := range state.Resources {
		for _, instance := range resource.Instances {
			value := func(name string) string {
				text, _ := instance.Attributes[name].(string)
				return text
			}
			return record{
				JobID: value("job_id"), State: value("state"), SavepointPath: value("savepoint_path"),
				RestoredFrom: value("restored_from"), Tainted: instance.Status == "tainted",
			}, true
		}
	}
	return record{}, false
}

// victim kills the provider that Terraform runs then, and Terraform itself
// before it unless it is to survive.
func (t *terraform) victim() func() {
	return func() {
		if running := t.running.Load(); running != nil && !t.survives {
			_ = running.Kill()
		}
		content, err := os.ReadFile(t.pidFile())
		if err != nil {
			return
		}
		if pid, err := strconv.Atoi(string(content)); err == nil && pid > 1 {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

func (t *terraform) close() {}
