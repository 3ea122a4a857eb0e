// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package provider is the root of the provider: its schema, its configuration
// and the list of what it offers.
package provider

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/base"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/dagger"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/groot"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/pravega"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/python"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/spark"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/streampark"
)

// Address is the provider's source address in full.
const Address = "registry.terraform.io/terraform-streaming/streaming"

var (
	_ provider.ProviderWithFunctions     = (*streamingProvider)(nil)
	_ provider.ProviderWithListResources = (*streamingProvider)(nil)
	_ provider.ProviderWithActions       = (*streamingProvider)(nil)
)

type streamingProvider struct {
	version string
	timing  lifecycle.Timing
}

// New returns a factory of the provider.
func New(version string) func() provider.Provider {
	return NewWithTiming(version, lifecycle.DefaultTiming())
}

// NewWithTiming is New with other waits, for tests against fast fakes.
func NewWithTiming(version string, timing lifecycle.Timing) func() provider.Provider {
	return func() provider.Provider { return &streamingProvider{version: version, timing: timing} }
}

// Metadata names the provider.
func (p *streamingProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "streaming"
	resp.Version = p.version
}

// Schema describes the provider's configuration.
func (p *streamingProvider) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = providerSchema()
}

// Configure makes the clients' factories. Nothing is sent, and what is not
// known yet is no error: only what needs it fails, when it does. A Terraform
// that can put changes off puts off all of this configuration.
func (p *streamingProvider) Configure(ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	var model providerModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	if resp.Diagnostics.HasError() {
		return
	}
	flinkSettings := readSettings(model.Flink, flinkEnvironment, p.version)
	gatewaySettings := readSettings(model.Flink, flinkEnvironment, p.version).ofGateway(model.Flink)
	pravegaSettings := readSettings(model.Pravega, pravegaEnvironment, p.version)
	resp.Diagnostics.Append(flinkSettings.check("flink")...)
	resp.Diagnostics.Append(pravegaSettings.check("pravega")...)
	if resp.Diagnostics.HasError() {
		return
	}
	owner, ownerUnknown := model.owner()
	data := base.NewProviderData(p.version, owner, ownerUnknown,
		base.Transports{Flink: flinkSettings.client, Gateway: gatewaySettings.client, Pravega: pravegaSettings.client})
	data.PythonJar = pythonJar(model.Flink)
	data.Timing = p.timing
	resp.ResourceData = data
	resp.DataSourceData = data
	resp.ListResourceData = data
	resp.ActionData = data
	notKnown := ownerUnknown || flinkSettings.unknown || gatewaySettings.unknown || pravegaSettings.unknown
	if notKnown && req.ClientCapabilities.DeferralAllowed {
		resp.Deferred = &provider.Deferred{Reason: provider.DeferredReasonProviderConfigUnknown}
	}
}

// Resources lists the resources of all families.
func (p *streamingProvider) Resources(context.Context) []func() resource.Resource {
	return slices.Concat(flink.Resources(), pravega.Resources(), python.Resources(), groot.Resources(), streampark.Resources(), dagger.Resources())
}

// DataSources lists the data sources of all families.
func (p *streamingProvider) DataSources(context.Context) []func() datasource.DataSource {
	return slices.Concat(flink.DataSources(), pravega.DataSources(), spark.DataSources())
}

// ListResources lists what terraform query finds.
func (p *streamingProvider) ListResources(context.Context) []func() list.ListResource {
	return slices.Concat(flink.ListResources(), pravega.ListResources())
}

// Actions lists the actions of all families.
func (p *streamingProvider) Actions(context.Context) []func() action.Action {
	return slices.Concat(flink.Actions(), pravega.Actions())
}

// Functions lists the functions of all families.
func (p *streamingProvider) Functions(context.Context) []func() function.Function {
	return slices.Concat(flink.Functions(), spark.Functions(), python.Functions(), groot.Functions(), streampark.Functions(), dagger.Functions())
}
