// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/customtypes"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/validators"
)

func providerSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "Stream jobs on Apache Flink, and Pravega scopes and streams.",
		Attributes: map[string]schema.Attribute{
			"owner": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Who owns the jobs of this configuration, such as `team-a/prod`. Part of every job's identity, so that two workspaces with a job of one name never touch each other's, " +
					"and needed to go on with a job whose creation was interrupted. Environment: `STREAMING_OWNER`, else `TFC_WORKSPACE_SLUG`, which HCP Terraform sets. " +
					"Jobs keep the identity that they were created with when it changes.",
			},
			"flink":   endpointSchema("Apache Flink JobManager", flinkEnvironment, true),
			"pravega": endpointSchema("Pravega controller", pravegaEnvironment, false),
		},
	}
}

func endpointSchema(what string, env environment, flink bool) schema.SingleNestedAttribute {
	example := "http://localhost:9091"
	if flink {
		example = "http://localhost:8081"
	}
	attributes := map[string]schema.Attribute{
		"endpoint": schema.StringAttribute{
			Optional: true,
			MarkdownDescription: fmt.Sprintf("Base URL of the %s's REST API, such as `%s`. A path prefix is kept. No user name or password in it. Environment: `%s`. "+
				"There is no default: without an endpoint, only resources that need it fail.", what, example, env.endpoint),
			Validators: []validator.String{endpointValidator{}},
		},
		"basic_auth": schema.SingleNestedAttribute{
			Optional:            true,
			MarkdownDescription: fmt.Sprintf("User name and password, sent with each request. Excludes `bearer_token`. Environment: `%s` and `%s`.", env.username, env.password),
			Attributes: map[string]schema.Attribute{
				"username": schema.StringAttribute{Optional: true, MarkdownDescription: fmt.Sprintf("User name, without a colon. Environment: `%s`.", env.username)},
				"password": schema.StringAttribute{Optional: true, Sensitive: true, MarkdownDescription: fmt.Sprintf("Password. Environment: `%s`.", env.password)},
			},
		},
		"bearer_token": schema.StringAttribute{
			Optional: true, Sensitive: true,
			MarkdownDescription: fmt.Sprintf("Token for `Authorization: Bearer`. Excludes `basic_auth`. Environment: `%s`.", env.bearerToken),
			Validators:          []validator.String{validators.Excludes("basic_auth")},
		},
		"headers": schema.MapAttribute{
			Optional: true, Sensitive: true, ElementType: types.StringType,
			MarkdownDescription: "Further headers of each request. They are never sent to another host.",
		},
		"tls":   tlsSchema(),
		"retry": retrySchema(),
		"request_timeout": schema.StringAttribute{
			Optional: true, CustomType: customtypes.DurationType{},
			MarkdownDescription: "Limit of one try of one request, such as `30 s`, the default. Uploads and job submissions are not limited by it but by the resource's `timeouts`.",
		},
	}
	if flink {
		attributes["sql_gateway_endpoint"] = schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "Base URL of the Flink SQL gateway's REST API, such as `http://localhost:8083`. Environment: `STREAMING_SQL_GATEWAY_ENDPOINT`. " +
				"Credentials, headers, `tls` and `retry` are those of the JobManager. Only `streaming_flink_sql_job` needs it.",
			Validators: []validator.String{endpointValidator{}},
		}
		attributes["python_jar"] = schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "File of `flink-python` of the cluster's version on the machine that runs Terraform, which each `streaming_flink_python_job` without a `jar` of its own runs from. " +
				"It is in the directory `opt` of a Flink installation. Environment: `STREAMING_FLINK_PYTHON_JAR`. Default: an upload of the cluster whose name has `flink-python` and its version.",
			Validators: []validator.String{validators.NotEmpty()},
		}
	}
	return schema.SingleNestedAttribute{
		Optional:            true,
		MarkdownDescription: fmt.Sprintf("How to reach the %s.", what),
		Attributes:          attributes,
	}
}

func tlsSchema() schema.SingleNestedAttribute {
	text := func(description string, sensitive bool) schema.StringAttribute {
		return schema.StringAttribute{Optional: true, Sensitive: sensitive, MarkdownDescription: description}
	}
	return schema.SingleNestedAttribute{
		Optional:            true,
		MarkdownDescription: "TLS settings for an `https` endpoint. Of each pair of text and file at most one.",
		Attributes: map[string]schema.Attribute{
			"ca_pem":           text("Certificates to trust instead of the system's, as PEM text.", false),
			"ca_file":          text("File with certificates to trust instead of the system's, as PEM. Excludes `ca_pem`.", false),
			"client_cert_pem":  text("Client certificate as PEM text.", false),
			"client_cert_file": text("File with the client certificate, as PEM. Excludes `client_cert_pem`.", false),
			"client_key_pem":   text("The client certificate's private key as PEM text.", true),
			"client_key_file":  text("File with the client certificate's private key, as PEM. Excludes `client_key_pem`.", false),
			"server_name":      text("Name that the server's certificate is checked for, instead of the endpoint's host.", false),
			"insecure_skip_verify": schema.BoolAttribute{
				Optional:            true,
				MarkdownDescription: "Do not check the server's certificate. For trials only: anyone in between can read and change everything. Default `false`.",
			},
		},
	}
}
