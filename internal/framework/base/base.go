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

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/pravega"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
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
	// Savepoints is what this run knows of its own savepoints.
	Savepoints lifecycle.SavepointClaims

	flink   func() (*flink.Client, error)
	probe   func() lifecycle.Prober
	pravega func() (*pravega.Client, error)
}

// NewProviderData returns provider data over two factories of transports.
func NewProviderData(version, owner string, ownerUnknown bool, flinkREST, pravegaREST func() (*rest.Client, error)) *ProviderData {
	data := &ProviderData{
		Owner: owner, OwnerUnknown: ownerUnknown, Version: version, Timing: lifecycle.DefaultTiming(),
		flink: sync.OnceValues(func() (*flink.Client, error) {
			transport, err := flinkREST()
			if err != nil {
				return nil, err
			}
			return flink.New(transport), nil
		}),
		pravega: sync.OnceValues(func() (*pravega.Client, error) {
			transport, err := pravegaREST()
			if err != nil {
				return nil, err
			}
			return pravega.New(transport), nil
		}),
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

// Probe asks about files of the configured Flink cluster; nil without one.
func (p *ProviderData) Probe() lifecycle.Prober { return p.probe() }

// Flink returns the client of the configured JobManager.
func (p *ProviderData) Flink() (*flink.Client, diag.Diagnostics) {
	client, err := p.flink()
	return client, clientDiagnostics("flink", "STREAMING_FLINK_ENDPOINT", err)
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
