// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/base"
	streaming "github.com/terraform-streaming/terraform-provider-streaming/internal/provider"
)

// unknown stands for a value that is not known yet in a test's configuration.
type unknown struct{}

// configure runs Configure with this configuration of the provider block.
func configure(t *testing.T, config map[string]any) provider.ConfigureResponse {
	t.Helper()
	p := streaming.New("1.2.3")()
	var schema provider.SchemaResponse
	p.Schema(t.Context(), provider.SchemaRequest{}, &schema)
	if schema.Diagnostics.HasError() {
		t.Fatal(schema.Diagnostics)
	}
	objectType := schema.Schema.Type().TerraformType(t.Context())
	var resp provider.ConfigureResponse
	p.Configure(t.Context(), provider.ConfigureRequest{
		Config: tfsdk.Config{Schema: schema.Schema, Raw: wireValue(t, objectType, config)},
	}, &resp)
	return resp
}

// wireValue makes a value of this type; what the value lacks is null.
func wireValue(t *testing.T, of tftypes.Type, value any) tftypes.Value {
	t.Helper()
	if _, ok := value.(unknown); ok {
		return tftypes.NewValue(of, tftypes.UnknownValue)
	}
	if value == nil {
		return tftypes.NewValue(of, nil)
	}
	switch of := of.(type) {
	case tftypes.Object:
		given, ok := value.(map[string]any)
		if !ok {
			t.Fatalf("%v is no object", value)
		}
		for name := range given {
			if of.AttributeTypes[name] == nil {
				t.Fatalf("there is no attribute %q", name)
			}
		}
		inner := map[string]tftypes.Value{}
		for name, attributeType := range of.AttributeTypes {
			inner[name] = wireValue(t, attributeType, given[name])
		}
		return tftypes.NewValue(of, inner)
	case tftypes.Map:
		given, ok := value.(map[string]any)
		if !ok {
			t.Fatalf("%v is no map", value)
		}
		inner := map[string]tftypes.Value{}
		for name, element := range given {
			inner[name] = wireValue(t, of.ElementType, element)
		}
		return tftypes.NewValue(of, inner)
	case tftypes.List:
		return tftypes.NewValue(of, wireElements(t, of.ElementType, value))
	case tftypes.Set:
		return tftypes.NewValue(of, wireElements(t, of.ElementType, value))
	}
	return tftypes.NewValue(of, value)
}

func wireElements(t *testing.T, of tftypes.Type, value any) []tftypes.Value {
	t.Helper()
	given, ok := value.([]any)
	if !ok {
		t.Fatalf("%v is no list", value)
	}
	inner := make([]tftypes.Value, len(given))
	for i, element := range given {
		inner[i] = wireValue(t, of, element)
	}
	return inner
}

func providerData(t *testing.T, resp provider.ConfigureResponse) *base.ProviderData {
	t.Helper()
	if resp.Diagnostics.HasError() {
		t.Fatalf("configure: %v", resp.Diagnostics)
	}
	data, ok := resp.ResourceData.(*base.ProviderData)
	if !ok || resp.DataSourceData != resp.ResourceData {
		t.Fatalf("provider data is %T", resp.ResourceData)
	}
	return data
}

// headerServer is a JobManager that answers GET /config with what it was sent.
func headerServer(t *testing.T) (endpoint string, headers func() http.Header) {
	t.Helper()
	var last http.Header
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		last = r.Header.Clone()
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode([]any{})
	}))
	t.Cleanup(server.Close)
	return server.URL, func() http.Header { return last }
}

// sent configures the provider and returns the headers of a request to Flink.
func sent(t *testing.T, headers func() http.Header, config map[string]any) http.Header {
	t.Helper()
	client, diagnostics := providerData(t, configure(t, config)).Flink()
	if diagnostics.HasError() {
		t.Fatal(diagnostics)
	}
	if _, err := client.JobManagerConfig(t.Context()); err != nil {
		t.Fatal(err)
	}
	return headers()
}

func authorization(username, password string) string {
	r := &http.Request{Header: http.Header{}}
	r.SetBasicAuth(username, password)
	return r.Header.Get("Authorization")
}

func TestConfigure_TakesTheEnvironmentForWhatIsNotSet(t *testing.T) {
	endpoint, headers := headerServer(t)
	flink := func(more map[string]any) map[string]any {
		inner := map[string]any{"endpoint": endpoint}
		maps.Copy(inner, more)
		return map[string]any{"flink": inner}
	}
	tests := map[string]struct {
		env    map[string]string
		config map[string]any
		want   string // Authorization
	}{
		"nothing":                          {nil, flink(nil), ""},
		"endpoint of the environment":      {map[string]string{"STREAMING_FLINK_ENDPOINT": endpoint}, map[string]any{}, ""},
		"endpoint, other attributes set":   {map[string]string{"STREAMING_FLINK_ENDPOINT": endpoint}, map[string]any{"flink": map[string]any{"bearer_token": "t"}}, "Bearer t"},
		"configured endpoint goes first":   {map[string]string{"STREAMING_FLINK_ENDPOINT": "http://other.invalid"}, flink(nil), ""},
		"user of the environment":          {map[string]string{"STREAMING_FLINK_USERNAME": "env", "STREAMING_FLINK_PASSWORD": "p"}, flink(nil), authorization("env", "p")},
		"token of the environment":         {map[string]string{"STREAMING_FLINK_BEARER_TOKEN": "e"}, flink(nil), "Bearer e"},
		"configured token goes first":      {map[string]string{"STREAMING_FLINK_USERNAME": "u", "STREAMING_FLINK_BEARER_TOKEN": "e"}, flink(map[string]any{"bearer_token": "c"}), "Bearer c"},
		"configured user goes first":       {map[string]string{"STREAMING_FLINK_BEARER_TOKEN": "e", "STREAMING_FLINK_USERNAME": "x", "STREAMING_FLINK_PASSWORD": "y"}, flink(map[string]any{"basic_auth": map[string]any{"username": "u", "password": "p"}}), authorization("u", "p")},
		"password alone from outside":      {map[string]string{"STREAMING_FLINK_PASSWORD": "e"}, flink(map[string]any{"basic_auth": map[string]any{"username": "u"}}), authorization("u", "e")},
		"an empty password stays empty":    {map[string]string{"STREAMING_FLINK_PASSWORD": "e"}, flink(map[string]any{"basic_auth": map[string]any{"username": "u", "password": ""}}), authorization("u", "")},
		"Pravega's variables are not used": {map[string]string{"STREAMING_PRAVEGA_BEARER_TOKEN": "e"}, flink(nil), ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			for variable, value := range test.env {
				t.Setenv(variable, value)
			}
			got := sent(t, headers, test.config)
			if got.Get("Authorization") != test.want {
				t.Errorf("got %q, want %q", got.Get("Authorization"), test.want)
			}
			if got.Get("User-Agent") != "terraform-provider-streaming/1.2.3" {
				t.Errorf("user agent %q", got.Get("User-Agent"))
			}
		})
	}
}

func TestConfigure_SendsHeaders(t *testing.T) {
	t.Parallel()
	endpoint, headers := headerServer(t)
	got := sent(t, headers, map[string]any{"flink": map[string]any{"endpoint": endpoint, "headers": map[string]any{"X-Team": "a", "X-Null": nil}}})
	if got.Get("X-Team") != "a" || got.Values("X-Null") != nil {
		t.Errorf("got %v", got)
	}
}

func TestConfigure_Owner(t *testing.T) {
	tests := map[string]struct {
		env     map[string]string
		config  any
		want    string
		unknown bool
	}{
		"none":                     {nil, nil, "", false},
		"configured":               {map[string]string{"STREAMING_OWNER": "e"}, "c", "c", false},
		"of the environment":       {map[string]string{"STREAMING_OWNER": "e", "TFC_WORKSPACE_SLUG": "org/ws"}, nil, "e", false},
		"of the HCP workspace":     {map[string]string{"TFC_WORKSPACE_SLUG": "org/ws"}, nil, "org/ws", false},
		"not known, no other used": {map[string]string{"STREAMING_OWNER": "e"}, unknown{}, "", true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			for _, variable := range []string{"STREAMING_OWNER", "TFC_WORKSPACE_SLUG"} {
				t.Setenv(variable, test.env[variable])
			}
			data := providerData(t, configure(t, map[string]any{"owner": test.config}))
			if data.Owner != test.want || data.OwnerUnknown != test.unknown {
				t.Errorf("got %q, %v", data.Owner, data.OwnerUnknown)
			}
		})
	}
}

func TestConfigure_C38_C43_WhatIsNotKnownYetIsNoErrorAndNeverLocalhost(t *testing.T) {
	t.Setenv("STREAMING_FLINK_ENDPOINT", "http://127.0.0.1:1")
	inner := func(name string, value any) map[string]any {
		return map[string]any{"endpoint": "http://flink.invalid", name: value}
	}
	tests := map[string]any{
		"endpoint":               map[string]any{"endpoint": unknown{}},
		"whole block":            unknown{},
		"token":                  inner("bearer_token", unknown{}),
		"basic_auth":             inner("basic_auth", unknown{}),
		"user name":              inner("basic_auth", map[string]any{"username": unknown{}, "password": "p"}),
		"password":               inner("basic_auth", map[string]any{"username": "u", "password": unknown{}}),
		"headers":                inner("headers", unknown{}),
		"one header":             inner("headers", map[string]any{"X-A": unknown{}}),
		"tls":                    inner("tls", unknown{}),
		"certificate":            inner("tls", map[string]any{"ca_pem": unknown{}}),
		"key":                    inner("tls", map[string]any{"client_key_pem": unknown{}}),
		"whether it is checked":  inner("tls", map[string]any{"insecure_skip_verify": unknown{}}),
		"time limit of requests": inner("request_timeout", unknown{}),
	}
	for name, flink := range tests {
		t.Run(name, func(t *testing.T) {
			data := providerData(t, configure(t, map[string]any{"flink": flink}))
			if data.FlinkKnown() {
				t.Error("a client is known")
			}
			if _, diagnostics := data.Flink(); !diagnostics.HasError() || !strings.Contains(diagnostics[0].Summary(), "not known yet") {
				t.Errorf("got %v", diagnostics)
			}
			if _, diagnostics := data.Pravega(); !diagnostics.HasError() || !strings.Contains(diagnostics[0].Summary(), "No pravega endpoint") {
				t.Errorf("Pravega: got %v", diagnostics)
			}
		})
	}
}

func TestConfigure_RefusesWhatCannotWork(t *testing.T) {
	inner := func(endpoint string, more map[string]any) map[string]any {
		block := map[string]any{"endpoint": endpoint}
		maps.Copy(block, more)
		return map[string]any{"flink": block}
	}
	tests := map[string]struct {
		env    map[string]string
		config map[string]any
		want   string
	}{
		"password in the endpoint": {nil, inner("http://u:hunter2@flink", nil), "user name or password"},
		"no scheme":                {nil, inner("flink:8081", nil), "scheme"},
		"endpoint of the environment": {
			map[string]string{"STREAMING_FLINK_ENDPOINT": "http://u:hunter2@flink"}, map[string]any{}, "user name or password",
		},
		"two kinds of the environment": {
			map[string]string{"STREAMING_FLINK_USERNAME": "u", "STREAMING_FLINK_BEARER_TOKEN": "hunter2"}, inner("http://flink", nil), "STREAMING_FLINK_USERNAME and STREAMING_FLINK_BEARER_TOKEN",
		},
		"no user name": {
			nil, inner("http://flink", map[string]any{"basic_auth": map[string]any{"password": "hunter2"}}), "STREAMING_FLINK_USERNAME",
		},
		"authority that is none": {
			nil, inner("https://flink", map[string]any{"tls": map[string]any{"ca_pem": "hunter2"}}), "no PEM certificate",
		},
		"key that is none": {
			nil, inner("https://flink", map[string]any{"tls": map[string]any{"client_cert_pem": "x", "client_key_pem": "hunter2"}}), "do not fit",
		},
		"token with a line break": {
			nil, inner("http://flink", map[string]any{"bearer_token": "hunter2\n"}), "trimspace",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			for variable, value := range test.env {
				t.Setenv(variable, value)
			}
			diagnostics := configure(t, test.config).Diagnostics
			if diagnostics.ErrorsCount() != 1 || !strings.Contains(diagnostics[0].Detail(), test.want) {
				t.Fatalf("got %v, want an error with %q", diagnostics, test.want)
			}
			if strings.Contains(diagnostics[0].Detail(), "hunter2") {
				t.Errorf("the error repeats a secret: %v", diagnostics)
			}
		})
	}
}

func TestConfigure_C38_WarnsOfAnUncheckedCertificate(t *testing.T) {
	t.Parallel()
	for _, value := range []any{true, false, nil} {
		diagnostics := configure(t, map[string]any{"pravega": map[string]any{
			"endpoint": "https://pravega", "tls": map[string]any{"insecure_skip_verify": value},
		}}).Diagnostics
		if diagnostics.HasError() || (diagnostics.WarningsCount() == 1) != (value == true) {
			t.Errorf("%v: %v", value, diagnostics)
		}
	}
}

func TestConfigure_WithoutEndpointsIsNoError(t *testing.T) {
	t.Parallel()
	data := providerData(t, configure(t, map[string]any{}))
	_, flink := data.Flink()
	_, pravega := data.Pravega()
	if !flink.HasError() || !pravega.HasError() {
		t.Error("a client without an endpoint")
	}
}

func TestMetadata_NamesTheProvider(t *testing.T) {
	t.Parallel()
	var resp provider.MetadataResponse
	streaming.New("1.2.3")().Metadata(context.Background(), provider.MetadataRequest{}, &resp)
	if resp.TypeName != "streaming" || resp.Version != "1.2.3" {
		t.Errorf("got %+v", resp)
	}
}

func TestConfigure_RetryIsOfEachEndpoint(t *testing.T) {
	t.Parallel()
	count := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		count++
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	t.Cleanup(server.Close)
	data := providerData(t, configure(t, map[string]any{
		"flink":   map[string]any{"endpoint": server.URL, "retry": map[string]any{"max_tries": 2, "min_wait": "1 ms"}},
		"pravega": map[string]any{"endpoint": server.URL, "retry": map[string]any{"max_tries": 3, "min_wait": "1 ms", "max_wait": "1 ms"}},
	}))
	flink, _ := data.Flink()
	if _, err := flink.Jobs(t.Context()); err == nil || count != 2 {
		t.Errorf("Flink: %d requests, %v", count, err)
	}
	count = 0
	pravega, _ := data.Pravega()
	if err := pravega.Scope(t.Context(), "x"); err == nil || count != 3 {
		t.Errorf("Pravega: %d requests, %v", count, err)
	}
}
