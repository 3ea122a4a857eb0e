// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"os"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/base"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/customtypes"
)

// environment names the variables that stand for attributes of one block.
type environment struct {
	endpoint, username, password, bearerToken string
}

var (
	flinkEnvironment = environment{
		"STREAMING_FLINK_ENDPOINT", "STREAMING_FLINK_USERNAME", "STREAMING_FLINK_PASSWORD", "STREAMING_FLINK_BEARER_TOKEN",
	}
	pravegaEnvironment = environment{
		"STREAMING_PRAVEGA_ENDPOINT", "STREAMING_PRAVEGA_USERNAME", "STREAMING_PRAVEGA_PASSWORD", "STREAMING_PRAVEGA_BEARER_TOKEN",
	}
)

type providerModel struct {
	Owner   types.String   `tfsdk:"owner"`
	Flink   *flinkModel    `tfsdk:"flink"`
	Pravega *endpointModel `tfsdk:"pravega"`
}

type endpointModel struct {
	Endpoint       types.String         `tfsdk:"endpoint"`
	BasicAuth      *basicAuthModel      `tfsdk:"basic_auth"`
	BearerToken    types.String         `tfsdk:"bearer_token"`
	Headers        types.Map            `tfsdk:"headers"`
	TLS            *tlsModel            `tfsdk:"tls"`
	RequestTimeout customtypes.Duration `tfsdk:"request_timeout"`
}

type flinkModel struct {
	Endpoint           types.String         `tfsdk:"endpoint"`
	SQLGatewayEndpoint types.String         `tfsdk:"sql_gateway_endpoint"`
	BasicAuth          *basicAuthModel      `tfsdk:"basic_auth"`
	BearerToken        types.String         `tfsdk:"bearer_token"`
	Headers            types.Map            `tfsdk:"headers"`
	TLS                *tlsModel            `tfsdk:"tls"`
	RequestTimeout     customtypes.Duration `tfsdk:"request_timeout"`
}

type basicAuthModel struct {
	Username types.String `tfsdk:"username"`
	Password types.String `tfsdk:"password"`
}

type tlsModel struct {
	CAPEM              types.String `tfsdk:"ca_pem"`
	CAFile             types.String `tfsdk:"ca_file"`
	ClientCertPEM      types.String `tfsdk:"client_cert_pem"`
	ClientCertFile     types.String `tfsdk:"client_cert_file"`
	ClientKeyPEM       types.String `tfsdk:"client_key_pem"`
	ClientKeyFile      types.String `tfsdk:"client_key_file"`
	ServerName         types.String `tfsdk:"server_name"`
	InsecureSkipVerify types.Bool   `tfsdk:"insecure_skip_verify"`
}

func (m providerModel) owner() (owner string, unknown bool) {
	if m.Owner.IsUnknown() {
		return "", true
	}
	for _, candidate := range []string{m.Owner.ValueString(), os.Getenv("STREAMING_OWNER"), os.Getenv("TFC_WORKSPACE_SLUG")} {
		if candidate != "" {
			return candidate, false
		}
	}
	return "", false
}

func (m *flinkModel) settings(env environment, version string) settings {
	if m == nil {
		return (*endpointModel)(nil).settings(env, version)
	}
	return (&endpointModel{
		Endpoint: m.Endpoint, BasicAuth: m.BasicAuth, BearerToken: m.BearerToken,
		Headers: m.Headers, TLS: m.TLS, RequestTimeout: m.RequestTimeout,
	}).settings(env, version)
}

// settings is a transport's configuration, or the knowledge that it is not known yet.
type settings struct {
	config  rest.Config
	unknown bool
}

// settings takes what is configured, and the environment for what is not.
func (m *endpointModel) settings(env environment, version string) settings {
	if m == nil {
		m = &endpointModel{}
	}
	var s settings
	text := func(value types.String) string {
		s.unknown = s.unknown || value.IsUnknown()
		return value.ValueString()
	}
	withEnv := func(value types.String, variable string) string {
		if value.IsNull() {
			return os.Getenv(variable)
		}
		return text(value)
	}
	s.config.UserAgent = "terraform-provider-streaming/" + version
	s.config.Log = func(ctx context.Context, message string, fields map[string]any) { tflog.Debug(ctx, message, fields) }
	s.config.Endpoint = withEnv(m.Endpoint, env.endpoint)
	switch {
	case m.BasicAuth != nil:
		s.config.BasicAuth = &rest.BasicAuth{Username: text(m.BasicAuth.Username), Password: text(m.BasicAuth.Password)}
	case !m.BearerToken.IsNull():
		s.config.BearerToken = text(m.BearerToken)
	case os.Getenv(env.username) != "":
		s.config.BasicAuth = &rest.BasicAuth{Username: os.Getenv(env.username), Password: os.Getenv(env.password)}
	default:
		s.config.BearerToken = os.Getenv(env.bearerToken)
	}
	s.unknown = s.unknown || m.Headers.IsUnknown() || m.RequestTimeout.IsUnknown()
	s.config.Headers = map[string]string{}
	for name, value := range m.Headers.Elements() {
		header, ok := value.(types.String)
		s.unknown = s.unknown || value.IsUnknown()
		if ok && !header.IsNull() {
			s.config.Headers[name] = header.ValueString()
		}
	}
	if timeout, ok := m.RequestTimeout.Get(); ok {
		s.config.RequestTimeout = timeout
	}
	if t := m.TLS; t != nil {
		s.unknown = s.unknown || t.InsecureSkipVerify.IsUnknown()
		s.config.TLS = rest.TLS{
			CAPEM: text(t.CAPEM), CAFile: text(t.CAFile),
			ClientCertPEM: text(t.ClientCertPEM), ClientCertFile: text(t.ClientCertFile),
			ClientKeyPEM: text(t.ClientKeyPEM), ClientKeyFile: text(t.ClientKeyFile),
			ServerName: text(t.ServerName), InsecureSkipVerify: t.InsecureSkipVerify.ValueBool(),
		}
	}
	return s
}

// check reports what is wrong with known settings at configure time, and warns
// of what is allowed but dangerous.
func (s settings) check(block string) diag.Diagnostics {
	var diagnostics diag.Diagnostics
	if s.config.TLS.InsecureSkipVerify {
		diagnostics.AddAttributeWarning(path.Root(block).AtName("tls").AtName("insecure_skip_verify"), "The server's certificate is not checked",
			"Anyone between Terraform and the server can read the credentials and change what is applied. Use ca_file or ca_pem with the certificate of a private authority instead.")
	}
	if s.unknown || s.config.Endpoint == "" {
		return diagnostics
	}
	if _, err := rest.New(s.config); err != nil {
		diagnostics.AddAttributeError(path.Root(block), "The "+block+" block is not valid", err.Error()+".")
	}
	return diagnostics
}

func (s settings) client() (*rest.Client, error) {
	switch {
	case s.unknown:
		return nil, base.ErrUnknown
	case s.config.Endpoint == "":
		return nil, base.ErrUnset
	}
	return rest.New(s.config)
}

// endpointValidator reports a malformed endpoint at validate, with its path.
type endpointValidator struct{}

// Description says what is checked.
func (endpointValidator) Description(context.Context) string {
	return "an http or https URL without user name, query or fragment"
}

// MarkdownDescription says what is checked.
func (v endpointValidator) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString checks a known value.
func (endpointValidator) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if _, err := rest.NormalizeEndpoint(req.ConfigValue.ValueString()); err != nil {
		resp.Diagnostics.AddAttributeError(req.Path, "Not an endpoint", err.Error()+".")
	}
}
