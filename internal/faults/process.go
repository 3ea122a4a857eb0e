// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package faults

import (
	"context"
	"fmt"
	"io"
	"net/rpc"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/provider"
)

// The test's binary is the provider's process as well: with serveVariable it
// serves instead of testing.
const (
	serveVariable = "STREAMING_FAULTS_SERVE"
	quickVariable = "STREAMING_FAULTS_QUICK"
	// pidVariable names the file that a process started by Terraform writes its id to.
	pidVariable = "STREAMING_FAULTS_PID"

	serveDriver    = "driver"
	serveTerraform = "terraform"
)

// Serve serves the provider if this process was started for that, and does not
// return then.
func Serve() {
	switch os.Getenv(serveVariable) {
	case serveDriver:
		server := rpc.NewServer()
		if err := server.Register(&Host{}); err != nil {
			fail(err)
		}
		server.ServeConn(pipe{os.Stdin, os.Stdout})
	case serveTerraform:
		if file := os.Getenv(pidVariable); file != "" {
			if err := os.WriteFile(file, []byte(strconv.Itoa(os.Getpid())), 0o600); err != nil {
				fail(err)
			}
		}
		factory := provider.NewWithTiming("test", timing(os.Getenv(quickVariable) != ""))
		if err := providerserver.Serve(context.Background(), factory, providerserver.ServeOpts{Address: provider.Address}); err != nil {
			fail(err)
		}
	default:
		return
	}
	os.Exit(0)
}

func fail(err error) {
	_, _ = fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// pipe is a connection over two files.
type pipe struct {
	io.ReadCloser
	io.WriteCloser
}

// Close closes both ends.
func (p pipe) Close() error {
	err := p.ReadCloser.Close()
	if other := p.WriteCloser.Close(); err == nil {
		err = other
	}
	return err
}

// providers is where providers run.
type providers interface {
	Configure(settings Settings, number *int) error
	Read(call Call, reply *Reply) error
	Plan(call Call, reply *Reply) error
	Apply(call Call, reply *Reply) error
	Close(number int, none *int) error
}

// process is a provider's process of its own, which can be killed.
type process struct {
	command *exec.Cmd
	client  *rpc.Client
}

// startProcess starts this binary once more.
func startProcess() (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	// It ends with its pipe, or by kill, not with a context.
	command := exec.CommandContext(context.Background(), self)
	command.Env = append(providerEnvironment(), serveVariable+"="+serveDriver)
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("start a provider: %w", err)
	}
	return &process{command: command, client: rpc.NewClient(pipe{out, in})}, nil
}

// kill is a SIGKILL; it returns when the process is gone.
func (p *process) kill() {
	_ = p.command.Process.Kill()
	_, _ = p.command.Process.Wait()
}

// stop ends the process, whether it lives or not.
func (p *process) stop() {
	_ = p.client.Close()
	p.kill()
}

// Configure starts a provider in the process.
func (p *process) Configure(settings Settings, number *int) error {
	return p.client.Call("Host.Configure", settings, number)
}

// Read refreshes.
func (p *process) Read(call Call, reply *Reply) error { return p.client.Call("Host.Read", call, reply) }

// Plan plans.
func (p *process) Plan(call Call, reply *Reply) error { return p.client.Call("Host.Plan", call, reply) }

// Apply applies.
func (p *process) Apply(call Call, reply *Reply) error {
	return p.client.Call("Host.Apply", call, reply)
}

// Close forgets a provider.
func (p *process) Close(number int, none *int) error {
	return p.client.Call("Host.Close", number, none)
}

// providerEnvironment is the test's own without what a provider, or Terraform,
// would read from it.
func providerEnvironment() []string {
	return slices.DeleteFunc(os.Environ(), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return strings.HasPrefix(name, "STREAMING_") || strings.HasPrefix(name, "TF_") || strings.HasPrefix(name, "TFC_") ||
			strings.HasSuffix(strings.ToUpper(name), "_PROXY")
	})
}
