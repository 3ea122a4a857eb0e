// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package base has what every resource and data source of the provider shares:
// how it gets at the clients.
package base

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/pravega"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/sqlgateway"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/diags"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// ErrUnknown is returned by a client factory while the provider configuration
// has values that are known only after another resource was applied.
var ErrUnknown = errors.New("the provider configuration is not known yet")

// ErrUnset is returned by a client factory without an endpoint.
var ErrUnset = errors.New("no endpoint is configured")

// ProviderData is what the provider hands to its resources. Clients are made
// when they are first needed: a configuration without Flink needs no Flink.
type ProviderData struct {
	// Owner is part of the identity of each job; empty when not configured.
	Owner string
	// OwnerUnknown is true while owner is not known yet.
	OwnerUnknown bool
	// Version is the provider's version.
	Version string
	// Timing bounds the waits for jobs that are not the user's.
	Timing lifecycle.Timing
	// PythonJar is the file of flink-python on this machine, empty when not
	// configured.
	PythonJar string
	// Savepoints is what this run knows of its own savepoints.
	Savepoints lifecycle.SavepointClaims

	flink   func() (*flink.Client, error)
	gateway func() (*sqlgateway.Client, error)
	probe   func() lifecycle.Prober
	pravega func() (*pravega.Client, error)
}

// Transports make what the clients talk through.
type Transports struct {
	Flink, Gateway, Pravega func() (*rest.Client, error)
}

// NewProviderData returns provider data over factories of transports.
func NewProviderData(version, owner string, ownerUnknown bool, transports Transports) *ProviderData {
	data := &ProviderData{
		Owner: owner, OwnerUnknown: ownerUnknown, Version: version, Timing: lifecycle.DefaultTiming(),
		flink: once(transports.Flink, flink.New), gateway: once(transports.Gateway, sqlgateway.New), pravega: once(transports.Pravega, pravega.New),
	}
	data.probe = sync.OnceValue(func() lifecycle.Prober {
		client, err := data.flink()
		if err != nil {
			return nil
		}
		return lifecycle.NewStateProbe(client)
	})
	return data
}

// once makes a client when it is first needed.
func once[T any](transport func() (*rest.Client, error), client func(*rest.Client) *T) func() (*T, error) {
	return sync.OnceValues(func() (*T, error) {
		made, err := transport()
		if err != nil {
			return nil, err
		}
		return client(made), nil
	})
}

// Probe asks about files of the configured Flink cluster; nil without one.
func (p *ProviderData) Probe() lifecycle.Prober { return p.probe() }

// Flink returns the client of the configured JobManager.
func (p *ProviderData) Flink() (*flink.Client, diag.Diagnostics) {
	client, err := p.flink()
	return client, clientDiagnostics("flink", "STREAMING_FLINK_ENDPOINT", err)
}

// Gateway returns the client of the configured SQL gateway.
func (p *ProviderData) Gateway() (*sqlgateway.Client, diag.Diagnostics) {
	client, err := p.gateway()
	if errors.Is(err, ErrUnset) {
		return nil, diag.Diagnostics{diags.UnconfiguredGateway()}
	}
	return client, clientDiagnostics("flink", "STREAMING_SQL_GATEWAY_ENDPOINT", err)
}

// GatewayKnown is FlinkKnown for the SQL gateway.
func (p *ProviderData) GatewayKnown() bool {
	if p == nil {
		return false
	}
	_, err := p.gateway()
	return err == nil
}

// Pravega returns the client of the configured controller.
func (p *ProviderData) Pravega() (*pravega.Client, diag.Diagnostics) {
	client, err := p.pravega()
	return client, clientDiagnostics("pravega", "STREAMING_PRAVEGA_ENDPOINT", err)
}

// FlinkKnown tells whether Flink would return a client: at plan a
// configuration that is not known yet is no error.
func (p *ProviderData) FlinkKnown() bool {
	if p == nil {
		return false
	}
	_, err := p.flink()
	return err == nil
}

// PravegaKnown is FlinkKnown for Pravega.
func (p *ProviderData) PravegaKnown() bool {
	if p == nil {
		return false
	}
	_, err := p.pravega()
	return err == nil
}

// PravegaSet tells whether an endpoint of Pravega is configured, be it known
// and valid or not.
func (p *ProviderData) PravegaSet() bool {
	if p == nil {
		return false
	}
	_, err := p.pravega()
	return !errors.Is(err, ErrUnset)
}

func clientDiagnostics(block, env string, err error) diag.Diagnostics {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrUnset):
		return diag.Diagnostics{diags.Unconfigured(block, env)}
	case errors.Is(err, ErrUnknown):
		return diag.Diagnostics{diag.NewErrorDiagnostic(
			fmt.Sprintf("The %s block of the provider configuration is not known yet", block),
			"It depends on a resource that has not been applied. Apply that resource first (terraform apply -target=...), then the rest.")}
	}
	return diag.Diagnostics{diag.NewErrorDiagnostic(fmt.Sprintf("The %s block of the provider configuration is not valid", block), err.Error())}
}

// Resource is embedded by each resource.
type Resource struct {
	// Data is nil until the provider was configured.
	Data *ProviderData
}

// Configure keeps the provider data.
func (r *Resource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	r.Data = providerData(req.ProviderData, &resp.Diagnostics)
}

// DataSource is embedded by each data source.
type DataSource struct {
	// Data is nil until the provider was configured.
	Data *ProviderData
}

// Configure keeps the provider data.
func (d *DataSource) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	d.Data = providerData(req.ProviderData, &resp.Diagnostics)
}

// Action is embedded by actions.
type Action struct {
	// Data is nil until the provider was configured.
	Data *ProviderData
}

// Configure takes over the provider data.
func (a *Action) Configure(_ context.Context, req action.ConfigureRequest, resp *action.ConfigureResponse) {
	a.Data = providerData(req.ProviderData, &resp.Diagnostics)
}

func providerData(value any, diagnostics *diag.Diagnostics) *ProviderData {
	if value == nil {
		return nil
	}
	data, ok := value.(*ProviderData)
	if !ok {
		diagnostics.AddError("Provider data of an unexpected type", fmt.Sprintf("Got %T. This is a bug of the provider; please report it.", value))
		return nil
	}
	return data
}
