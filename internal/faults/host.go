// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package faults

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/provider"
)

// The resources that the matrix works on.
const (
	jobType           = "streaming_flink_job"
	pythonJobType     = "streaming_flink_python_job"
	sqlJobType        = "streaming_flink_sql_job"
	grootJobType      = "streaming_groot_job"
	streamparkJobType = "streaming_streampark_job"
	daggerJobType     = "streaming_dagger_job"
)

// timing is how long a provider waits, on a fake or on a real engine.
func timing(quick bool) lifecycle.Timing {
	if !quick {
		return lifecycle.DefaultTiming()
	}
	return lifecycle.Timing{
		Poll: 2 * time.Millisecond, Stable: 4 * time.Millisecond,
		RestartGrace: 100 * time.Millisecond, Appear: 60 * time.Millisecond,
	}
}

func newServer(quick bool) (tfprotov6.ProviderServer, error) {
	return providerserver.NewProtocol6WithError(provider.NewWithTiming("test", timing(quick))())()
}

// Host serves providers over a pipe, or in the test's own process. Its methods
// have the form that net/rpc wants.
type Host struct {
	mu      sync.Mutex
	last    int
	servers map[int]tfprotov6.ProviderServer
}

// Settings is a provider's configuration, in msgpack.
type Settings struct {
	Config []byte
	Quick  bool
}

// Call is one call of Terraform to a provider. Values are in msgpack.
type Call struct {
	Server int
	// Type is the resource's.
	Type string
	// Limit ends a call that does not end by itself.
	Limit                            time.Duration
	Prior, Config, Proposed, Planned []byte
	Private, Identity                []byte
}

// Reply is a provider's answer.
type Reply struct {
	State, Private, Identity []byte
	Diagnostics              []Diagnostic
	Replaces                 bool
}

// Diagnostic is an error or a warning.
type Diagnostic struct {
	Error           bool
	Summary, Detail string
}

// Configure starts a provider and returns its number.
func (h *Host) Configure(settings Settings, number *int) error {
	server, err := newServer(settings.Quick)
	if err != nil {
		return err
	}
	resp, err := server.ConfigureProvider(context.Background(), &tfprotov6.ConfigureProviderRequest{
		Config: &tfprotov6.DynamicValue{MsgPack: settings.Config},
	})
	if err != nil {
		return err
	}
	for _, d := range resp.Diagnostics {
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			return fmt.Errorf("%s: %s", d.Summary, d.Detail)
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.servers == nil {
		h.servers = map[int]tfprotov6.ProviderServer{}
	}
	h.last++
	h.servers[h.last] = server
	*number = h.last
	return nil
}

// Close forgets a provider.
func (h *Host) Close(number int, _ *int) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.servers, number)
	return nil
}

func (h *Host) server(number int) tfprotov6.ProviderServer {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.servers[number]
}

func dynamic(content []byte) *tfprotov6.DynamicValue {
	if content == nil {
		return nil
	}
	return &tfprotov6.DynamicValue{MsgPack: content}
}

func identity(content []byte) *tfprotov6.ResourceIdentityData {
	if content == nil {
		return nil
	}
	return &tfprotov6.ResourceIdentityData{IdentityData: dynamic(content)}
}

func bytesOf(value *tfprotov6.DynamicValue) []byte {
	if value == nil {
		return nil
	}
	return value.MsgPack
}

func identityOf(data *tfprotov6.ResourceIdentityData) []byte {
	if data == nil {
		return nil
	}
	return bytesOf(data.IdentityData)
}

func diagnostics(all []*tfprotov6.Diagnostic) []Diagnostic {
	var out []Diagnostic
	for _, d := range all {
		out = append(out, Diagnostic{Error: d.Severity == tfprotov6.DiagnosticSeverityError, Summary: d.Summary, Detail: d.Detail})
	}
	return out
}

// Read refreshes.
func (h *Host) Read(call Call, reply *Reply) error {
	ctx, cancel := context.WithTimeout(context.Background(), call.Limit)
	defer cancel()
	resp, err := h.server(call.Server).ReadResource(ctx, &tfprotov6.ReadResourceRequest{
		TypeName: call.Type, CurrentState: dynamic(call.Prior), Private: call.Private, CurrentIdentity: identity(call.Identity),
	})
	if err != nil {
		return err
	}
	*reply = Reply{State: bytesOf(resp.NewState), Private: resp.Private, Identity: identityOf(resp.NewIdentity), Diagnostics: diagnostics(resp.Diagnostics)}
	return nil
}

// Plan plans.
func (h *Host) Plan(call Call, reply *Reply) error {
	ctx, cancel := context.WithTimeout(context.Background(), call.Limit)
	defer cancel()
	resp, err := h.server(call.Server).PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{
		TypeName: call.Type, PriorState: dynamic(call.Prior), Config: dynamic(call.Config), ProposedNewState: dynamic(call.Proposed),
		PriorPrivate: call.Private, PriorIdentity: identity(call.Identity),
	})
	if err != nil {
		return err
	}
	*reply = Reply{
		State: bytesOf(resp.PlannedState), Private: resp.PlannedPrivate, Identity: identityOf(resp.PlannedIdentity),
		Diagnostics: diagnostics(resp.Diagnostics), Replaces: len(resp.RequiresReplace) > 0,
	}
	return nil
}

// Apply applies.
func (h *Host) Apply(call Call, reply *Reply) error {
	ctx, cancel := context.WithTimeout(context.Background(), call.Limit)
	defer cancel()
	resp, err := h.server(call.Server).ApplyResourceChange(ctx, &tfprotov6.ApplyResourceChangeRequest{
		TypeName: call.Type, PriorState: dynamic(call.Prior), Config: dynamic(call.Config), PlannedState: dynamic(call.Planned),
		PlannedPrivate: call.Private, PlannedIdentity: identity(call.Identity),
	})
	if err != nil {
		return err
	}
	*reply = Reply{State: bytesOf(resp.NewState), Private: resp.Private, Identity: identityOf(resp.NewIdentity), Diagnostics: diagnostics(resp.Diagnostics)}
	return nil
}
