// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package diags words the errors of the engines for users: what failed in one
// line, then why, and what to do.
package diags

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
)

// Error returns a diagnostic for a failed call. The summary says what could
// not be done ("Cannot read Pravega scope \"orders\"").
func Error(summary string, err error) diag.Diagnostic {
	return diag.NewErrorDiagnostic(summary, Detail(err))
}

// Detail says why, and what to do, for an error of a client.
func Detail(err error) string {
	reason := Sentence(err.Error())
	if advice := advice(err); advice != "" {
		reason += "\n\n" + advice
	}
	if tries := rest.TriesOf(err); tries > 1 {
		reason += fmt.Sprintf("\n\nIt was tried %d times; retry.max_tries, min_wait and max_wait of this endpoint in the provider configuration say how often and how slowly.", tries)
	}
	return reason
}

func advice(err error) string {
	if errors.Is(err, context.Canceled) {
		return "The run was interrupted. Apply again: it goes on from what has been reached."
	}
	if transport, ok := errors.AsType[*rest.TransportError](err); ok {
		return adviceForTransport(transport)
	}
	if _, ok := errors.AsType[*rest.NotAPIError](err); ok {
		return "The endpoint in the provider configuration does not lead to the expected API. Check its host, port and path prefix, and whether a proxy or a login page answers instead."
	}
	if answer, ok := errors.AsType[*rest.Error](err); ok {
		return adviceForStatus(answer)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return "The time limit was reached. Raise it in timeouts if the engine only needs longer; apply again to go on from what has been reached."
	}
	return ""
}

func adviceForTransport(transport *rest.TransportError) string {
	switch {
	case transport.TLS:
		return "Nothing was sent: one side refused the other's certificate. Check the tls settings in the provider configuration: ca_file or ca_pem for a private authority, server_name if the certificate has another name, client_cert_* and client_key_* if the server asks for a certificate."
	case transport.NotSent:
		return "Nothing was sent. Check that the server is up, and the endpoint in the provider configuration. To plan without reading it, use -refresh=false."
	case transport.Read:
		return "Nothing was changed. Check that the server is well; request_timeout in the provider configuration limits how long an answer may take. To plan without reading it, use -refresh=false."
	}
	return "It is not known whether the server acted. Apply again: what has been reached is found and gone on from."
}

func adviceForStatus(answer *rest.Error) string {
	switch answer.Status {
	case http.StatusUnauthorized:
		return "The server wants other credentials. Check basic_auth, bearer_token or headers in the provider configuration, or the environment variables that stand for them."
	case http.StatusForbidden:
		return "The credentials in the provider configuration are valid but not allowed to do this."
	case http.StatusRequestEntityTooLarge:
		return "A proxy in front of the server limits the size of uploads. Raise its limit (nginx: client_max_body_size)."
	case http.StatusNotFound:
		if !answer.Engine {
			return "This answer does not come from the engine itself. Check the path prefix of the endpoint in the provider configuration."
		}
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return "The server is not ready, or a proxy cannot reach it. Nothing is taken for gone; try again when it answers."
	}
	return ""
}

// Unconfigured is the error of a resource that needs an endpoint which the
// provider configuration does not have.
func Unconfigured(block, env string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(
		fmt.Sprintf("No %s endpoint is configured", block),
		fmt.Sprintf("This resource needs the endpoint of %s. Set %s = { endpoint = \"...\" } in the provider configuration, or %s in the environment. No default address is ever tried.", block, block, env))
}

// UnconfiguredGateway is Unconfigured for the SQL gateway.
func UnconfiguredGateway() diag.Diagnostic {
	return diag.NewErrorDiagnostic("No SQL gateway is configured",
		"A SQL job is submitted through a Flink SQL gateway. Set flink = { sql_gateway_endpoint = \"...\" } in the provider configuration, or STREAMING_SQL_GATEWAY_ENDPOINT in the environment. No default address is ever tried.")
}

// Sentence begins with a capital letter and ends with a full stop.
func Sentence(s string) string {
	if s == "" {
		return s
	}
	if s[0] >= 'a' && s[0] <= 'z' {
		s = string(s[0]-'a'+'A') + s[1:]
	}
	if strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}

// AtAttribute is an error at an attribute. Of one within an object Terraform
// shows the resource alone, so that the words have to say where it is.
func AtAttribute(at path.Path, summary, detail string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, located(at, summary, detail), detail)
}

// WarningAtAttribute is AtAttribute for a warning.
func WarningAtAttribute(at path.Path, summary, detail string) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(at, located(at, summary, detail), detail)
}

// located is a summary that names the attribute, unless the text does. A key of
// a map is shown by its line.
func located(at path.Path, summary, detail string) string {
	within := slices.ContainsFunc(at.Steps()[min(1, len(at.Steps())):], func(step path.PathStep) bool {
		_, named := step.(path.PathStepAttributeName)
		return named
	})
	if !within || strings.Contains(summary, at.String()) || strings.Contains(detail, at.String()) {
		return summary
	}
	if last, ok := at.Steps()[len(at.Steps())-1].(path.PathStepAttributeName); ok && strings.HasPrefix(summary, string(last)+" ") {
		return at.String() + strings.TrimPrefix(summary, string(last))
	}
	return at.String() + ": " + summary
}
