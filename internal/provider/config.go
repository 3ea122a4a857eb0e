// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"fmt"
	"os"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/base"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/diags"
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

// providerModel leaves the blocks as objects: the whole of one may be unknown
// at plan.
type providerModel struct {
	Owner   types.String `tfsdk:"owner"`
	Flink   types.Object `tfsdk:"flink"`
	Pravega types.Object `tfsdk:"pravega"`
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

// settings is a transport's configuration, or the knowledge that it is not known yet.
type settings struct {
	config  rest.Config
	unknown bool
	err     error
}

// readSettings takes what is configured, and the environment for what is not.
func readSettings(value types.Object, env environment, version string) settings {
	var s settings
	configured := readBlock(value, &s.unknown)
	s.config.UserAgent = "terraform-provider-streaming/" + version
	s.config.Log = func(ctx context.Context, message string, fields map[string]any) { tflog.Debug(ctx, message, fields) }
	s.config.Endpoint = configured.textOr("endpoint", env.endpoint)
	s.config.BasicAuth, s.config.BearerToken, s.err = readCredentials(configured, env)
	s.config.Headers = configured.texts("headers")
	s.config.RequestTimeout = configured.duration("request_timeout")
	if r, ok := configured.block("retry"); ok {
		s.config.Retry = rest.Retry{MaxTries: r.number("max_tries"), MinWait: r.duration("min_wait"), MaxWait: r.duration("max_wait")}
	}
	if t, ok := configured.block("tls"); ok {
		s.config.TLS = rest.TLS{
			CAPEM: t.text("ca_pem"), CAFile: t.text("ca_file"),
			ClientCertPEM: t.text("client_cert_pem"), ClientCertFile: t.text("client_cert_file"),
			ClientKeyPEM: t.text("client_key_pem"), ClientKeyFile: t.text("client_key_file"),
			ServerName: t.text("server_name"), InsecureSkipVerify: t.flag("insecure_skip_verify"),
		}
	}
	return s
}

// ofGateway is how the SQL gateway is reached: as the JobManager is, but for
// its endpoint.
func (s settings) ofGateway(value types.Object) settings {
	s.unknown = s.unknown || value.IsUnknown()
	s.config.Endpoint = readBlock(value, &s.unknown).textOr("sql_gateway_endpoint", "STREAMING_SQL_GATEWAY_ENDPOINT")
	return s
}

// pythonJar is the file of flink-python. One that is not known yet reads as none.
func pythonJar(value types.Object) string {
	var unknown bool
	return readBlock(value, &unknown).textOr("python_jar", "STREAMING_FLINK_PYTHON_JAR")
}

// readCredentials prefers what is configured: a variable of the environment
// never joins, or replaces, credentials of the other kind.
func readCredentials(configured block, env environment) (*rest.BasicAuth, string, error) {
	token := os.Getenv(env.bearerToken)
	if configured.has("bearer_token") {
		token = configured.text("bearer_token")
	}
	if basic, ok := configured.block("basic_auth"); ok {
		auth := &rest.BasicAuth{Username: basic.textOr("username", env.username), Password: basic.textOr("password", env.password)}
		if auth.Username == "" && !*basic.unknown {
			return nil, "", fmt.Errorf("basic_auth has no user name: set username, or %s", env.username)
		}
		return auth, "", nil
	}
	if username := os.Getenv(env.username); username != "" && !configured.has("bearer_token") {
		if token != "" {
			return nil, "", fmt.Errorf("%s and %s are both set, and exclude each other", env.username, env.bearerToken)
		}
		return &rest.BasicAuth{Username: username, Password: os.Getenv(env.password)}, "", nil
	}
	return nil, token, nil
}

// check reports what is wrong with known settings at configure time, and warns
// of what is allowed but dangerous.
func (s settings) check(block string) diag.Diagnostics {
	var diagnostics diag.Diagnostics
	if s.config.TLS.InsecureSkipVerify {
		diagnostics.Append(diags.WarningAtAttribute(path.Root(block).AtName("tls").AtName("insecure_skip_verify"), "The server's certificate is not checked",
			"Anyone between Terraform and the server can read the credentials and change what is applied. Use ca_file or ca_pem with the certificate of a private authority instead."))
	}
	if s.unknown || s.config.Endpoint == "" {
		return diagnostics
	}
	if _, err := s.client(); err != nil {
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
	case s.err != nil:
		return nil, s.err
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
		resp.Diagnostics.Append(diags.AtAttribute(req.Path, "Not an endpoint", err.Error()+"."))
	}
}
