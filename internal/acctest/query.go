// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package acctest

import (
	"encoding/json"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Protocol is a configured provider that is called as Terraform calls it, for
// what the Terraform at hand does not know.
type Protocol struct {
	Server tfprotov6.ProviderServer

	schema *tfprotov6.GetProviderSchemaResponse
}

// NewProtocol configures a provider with timing for fakes.
func NewProtocol(t *testing.T, config map[string]any) *Protocol {
	t.Helper()
	server, err := FakeFactories()["streaming"]()
	if err != nil {
		t.Fatal(err)
	}
	schema, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	p := &Protocol{Server: server, schema: schema}
	p.ok(t, schema.Diagnostics)
	resp, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{Config: Values(t, config), TerraformVersion: "1.14.0"})
	if err != nil {
		t.Fatal(err)
	}
	p.ok(t, resp.Diagnostics)
	return p
}

// Values is a configuration; what is not in it is null.
func Values(t *testing.T, config map[string]any) *tfprotov6.DynamicValue {
	t.Helper()
	if config == nil {
		config = map[string]any{}
	}
	content, err := json.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	return &tfprotov6.DynamicValue{JSON: content}
}

func (p *Protocol) ok(t *testing.T, diagnostics []*tfprotov6.Diagnostic) {
	t.Helper()
	for _, d := range diagnostics {
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			t.Fatalf("%s: %s", d.Summary, d.Detail)
		}
	}
}

// Listed is one result of a query: texts by attribute, without what is null.
type Listed struct {
	Name               string
	Identity, Resource map[string]string
	Warnings           []string
}

// Query lists what could be imported, as terraform query does. With an error
// there is nothing beside it.
func (p *Protocol) Query(t *testing.T, kind string, config map[string]any, limit int64) (found []Listed, problems []*tfprotov6.Diagnostic) {
	t.Helper()
	server, ok := p.Server.(tfprotov6.ListResourceServer)
	if !ok {
		t.Fatal("the provider lists nothing")
	}
	checked, err := server.ValidateListResourceConfig(t.Context(), &tfprotov6.ValidateListResourceConfigRequest{TypeName: kind, Config: Values(t, config)})
	if err != nil {
		t.Fatal(err)
	}
	if len(checked.Diagnostics) > 0 {
		return nil, checked.Diagnostics
	}
	stream, err := server.ListResource(t.Context(), &tfprotov6.ListResourceRequest{TypeName: kind, Config: Values(t, config), IncludeResource: true, Limit: limit})
	if err != nil {
		t.Fatal(err)
	}
	for result := range stream.Results {
		one := Listed{Name: result.DisplayName}
		for _, d := range result.Diagnostics {
			if d.Severity == tfprotov6.DiagnosticSeverityError {
				return nil, append(problems, d)
			}
			one.Warnings = append(one.Warnings, d.Summary+"\n"+d.Detail)
		}
		one.Resource = texts(t, result.Resource, p.schema.ResourceSchemas[kind].ValueType())
		one.Identity = texts(t, result.Identity.IdentityData, p.identity(t, kind))
		found = append(found, one)
	}
	return found, nil
}

func (p *Protocol) identity(t *testing.T, kind string) tftypes.Type {
	t.Helper()
	all, err := p.Server.GetResourceIdentitySchemas(t.Context(), &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		t.Fatal(err)
	}
	return all.IdentitySchemas[kind].ValueType()
}

// texts are the attributes that are known texts.
func texts(t *testing.T, value *tfprotov6.DynamicValue, of tftypes.Type) map[string]string {
	t.Helper()
	object, err := value.Unmarshal(of)
	if err != nil {
		t.Fatal(err)
	}
	var attributes map[string]tftypes.Value
	if err := object.As(&attributes); err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for name, attribute := range attributes {
		if !attribute.Type().Is(tftypes.String) || attribute.IsNull() || !attribute.IsKnown() {
			continue
		}
		var text string
		if err := attribute.As(&text); err != nil {
			t.Fatal(err)
		}
		found[name] = text
	}
	return found
}

// Invoke calls an action, as terraform apply does, and returns its messages.
func (p *Protocol) Invoke(t *testing.T, kind string, config map[string]any) (said []string, problems []*tfprotov6.Diagnostic) {
	t.Helper()
	server, ok := p.Server.(tfprotov6.ActionServer)
	if !ok {
		t.Fatal("the provider has no actions")
	}
	checked, err := server.ValidateActionConfig(t.Context(), &tfprotov6.ValidateActionConfigRequest{ActionType: kind, Config: Values(t, config)})
	if err != nil {
		t.Fatal(err)
	}
	if len(checked.Diagnostics) > 0 {
		return nil, checked.Diagnostics
	}
	planned, err := server.PlanAction(t.Context(), &tfprotov6.PlanActionRequest{ActionType: kind, Config: Values(t, config)})
	if err != nil {
		t.Fatal(err)
	}
	if len(planned.Diagnostics) > 0 {
		return nil, planned.Diagnostics
	}
	events, err := server.InvokeAction(t.Context(), &tfprotov6.InvokeActionRequest{ActionType: kind, Config: Values(t, config)})
	if err != nil {
		t.Fatal(err)
	}
	for event := range events.Events {
		switch event := event.Type.(type) {
		case tfprotov6.ProgressInvokeActionEventType:
			said = append(said, event.Message)
		case tfprotov6.CompletedInvokeActionEventType:
			problems = append(problems, event.Diagnostics...)
		}
	}
	return said, problems
}

// Imported is what an import answers, as texts that can be compared.
type Imported struct{ State, Identity, Private string }

// Import imports by id, or by identity where there is one, as an import block
// does.
func (p *Protocol) Import(t *testing.T, kind, id string, identity map[string]any) Imported {
	t.Helper()
	req := &tfprotov6.ImportResourceStateRequest{TypeName: kind, ID: id}
	if identity != nil {
		req.Identity = &tfprotov6.ResourceIdentityData{IdentityData: Values(t, identity)}
	}
	resp, err := p.Server.ImportResourceState(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	p.ok(t, resp.Diagnostics)
	if len(resp.ImportedResources) != 1 {
		t.Fatalf("%d resources are imported", len(resp.ImportedResources))
	}
	one := resp.ImportedResources[0]
	state, err := one.State.Unmarshal(p.schema.ResourceSchemas[kind].ValueType())
	if err != nil {
		t.Fatal(err)
	}
	imported := Imported{State: state.String(), Private: string(one.Private)}
	if one.Identity != nil {
		value, err := one.Identity.IdentityData.Unmarshal(p.identity(t, kind))
		if err != nil {
			t.Fatal(err)
		}
		imported.Identity = value.String()
	}
	return imported
}
