// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	streaming "github.com/terraform-streaming/terraform-provider-streaming/internal/provider"
)

// asked is a provider that was configured by a Terraform.
type asked struct {
	tfprotov6.ProviderServer

	schema *tfprotov6.GetProviderSchemaResponse
	// defers is true for a Terraform that can put changes off.
	defers bool
}

func askedWith(t *testing.T, config map[string]any, defers bool) asked {
	t.Helper()
	server, err := providerserver.NewProtocol6WithError(streaming.New("1.2.3")())()
	if err != nil {
		t.Fatal(err)
	}
	a := asked{ProviderServer: server, defers: defers}
	if a.schema, err = server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{}); err != nil {
		t.Fatal(err)
	}
	resp, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{
		TerraformVersion: "1.15.0", Config: a.dynamic(t, a.schema.Provider.ValueType(), config),
		ClientCapabilities: &tfprotov6.ConfigureProviderClientCapabilities{DeferralAllowed: defers},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range resp.Diagnostics {
		t.Fatalf("%s: %s", d.Summary, d.Detail)
	}
	return a
}

func (a asked) dynamic(t *testing.T, of tftypes.Type, value any) *tfprotov6.DynamicValue {
	t.Helper()
	dynamic, err := tfprotov6.NewDynamicValue(of, wireValue(t, of, value))
	if err != nil {
		t.Fatal(err)
	}
	return &dynamic
}

// plan is the create of a resource of which nothing is known.
func (a asked) plan(t *testing.T, kind string) *tfprotov6.Deferred {
	t.Helper()
	of := a.schema.ResourceSchemas[kind].ValueType()
	resp, err := a.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: kind, PriorState: a.dynamic(t, of, nil), Config: a.dynamic(t, of, map[string]any{}), ProposedNewState: a.dynamic(t, of, map[string]any{}),
		ClientCapabilities: &tfprotov6.PlanResourceChangeClientCapabilities{DeferralAllowed: a.defers},
	})
	if err != nil {
		t.Fatal(err)
	}
	return resp.Deferred
}

// refresh reads a resource that is in state.
func (a asked) refresh(t *testing.T, kind string) (*tfprotov6.Deferred, []*tfprotov6.Diagnostic) {
	t.Helper()
	state := a.dynamic(t, a.schema.ResourceSchemas[kind].ValueType(), map[string]any{})
	resp, err := a.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{
		TypeName: kind, CurrentState: state, ClientCapabilities: &tfprotov6.ReadResourceClientCapabilities{DeferralAllowed: a.defers},
	})
	if err != nil {
		t.Fatal(err)
	}
	return resp.Deferred, resp.Diagnostics
}

func (a asked) lookUp(t *testing.T, kind string) *tfprotov6.Deferred {
	t.Helper()
	config := a.dynamic(t, a.schema.DataSourceSchemas[kind].ValueType(), map[string]any{})
	resp, err := a.ReadDataSource(t.Context(), &tfprotov6.ReadDataSourceRequest{
		TypeName: kind, Config: config, ClientCapabilities: &tfprotov6.ReadDataSourceClientCapabilities{DeferralAllowed: a.defers},
	})
	if err != nil {
		t.Fatal(err)
	}
	return resp.Deferred
}

// each calls with the answer of every kind to the plan of a create, to a read and to a look-up.
func (a asked) each(t *testing.T, check func(what string, deferred *tfprotov6.Deferred)) {
	t.Helper()
	for kind := range a.schema.ResourceSchemas {
		check("the plan of "+kind, a.plan(t, kind))
		deferred, _ := a.refresh(t, kind)
		check("the read of "+kind, deferred)
	}
	for kind := range a.schema.DataSourceSchemas {
		check("the look-up of "+kind, a.lookUp(t, kind))
	}
}

func TestConfigure_WhatIsNotKnownYetIsPutOffWhereTerraformCan(t *testing.T) {
	t.Parallel()
	for name, config := range map[string]map[string]any{
		"Flink's endpoint":   {"flink": map[string]any{"endpoint": unknown{}}},
		"the SQL gateway's":  {"flink": map[string]any{"endpoint": "http://flink.invalid", "sql_gateway_endpoint": unknown{}}},
		"Pravega's password": {"pravega": map[string]any{"endpoint": "http://p.invalid", "basic_auth": map[string]any{"username": "u", "password": unknown{}}}},
		"all of Flink":       {"flink": unknown{}},
		"the owner":          {"owner": unknown{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			askedWith(t, config, true).each(t, func(what string, deferred *tfprotov6.Deferred) {
				if deferred == nil || deferred.Reason != tfprotov6.DeferredReasonProviderConfigUnknown {
					t.Errorf("%s is %v", what, deferred)
				}
			})
		})
	}
}

// A Terraform that cannot put anything off refuses an answer that does so, and a
// configuration that is known gives it no reason to.
func TestConfigure_NothingElseIsPutOff(t *testing.T) {
	t.Parallel()
	none := func(what string, deferred *tfprotov6.Deferred) {
		if deferred != nil {
			t.Errorf("%s is put off: %v", what, deferred.Reason)
		}
	}
	older := askedWith(t, map[string]any{"owner": unknown{}, "flink": unknown{}, "pravega": unknown{}}, false)
	older.each(t, none)
	for kind := range older.schema.ResourceSchemas {
		if _, problems := older.refresh(t, kind); len(problems) == 0 {
			t.Errorf("%s is read although it is not known where it is", kind)
		}
	}
	askedWith(t, map[string]any{"owner": "team-a"}, true).each(t, none)
}
