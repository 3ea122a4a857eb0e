// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package gatewayfake

import (
	"net/http"
	"strings"
)

// trace is a Java exception with its causes, each as Java prints it, the
// outermost first.
type trace []string

const (
	gatewayException = "org.apache.flink.table.gateway.api.utils.SqlGatewayException: "
	executionError   = "org.apache.flink.table.gateway.service.utils.SqlExecutionException: "
	validation       = "org.apache.flink.table.api.ValidationException: "
	tableException   = "org.apache.flink.table.api.TableException: "
	restException    = "org.apache.flink.runtime.rest.handler.RestHandlerException: "
	argument         = "java.lang.IllegalArgumentException: "
	number           = "java.lang.NumberFormatException: "
	catalogs         = "org.apache.flink.table.catalog.exceptions."
)

// String is the printed stack trace. Frames are the fake's own: nobody may rely
// on them.
func (t trace) String() string {
	return strings.Join(t, "\n\tat gatewayfake.Server.handle(Server.java:1)\n\t... 12 more\nCaused by: ") +
		"\n\tat gatewayfake.Server.handle(Server.java:1)"
}

// restError is what a handler answers that the service refused.
func restError(what string, cause ...string) reply {
	t := append(trace{restException + what, gatewayException + what}, cause...)
	return reply{http.StatusInternalServerError, map[string]any{"errors": []string{t.String() + "\n"}}}
}

// fetchError is what the fetch of a result answers, which wraps once more.
func fetchError(cause ...string) reply {
	const what = "Failed to fetchResults."
	return serverError(append(trace{gatewayException + gatewayException + what, gatewayException + what}, cause...))
}

// serverError is an exception that nobody expected.
func serverError(t trace) reply {
	return reply{http.StatusInternalServerError, map[string]any{"errors": []string{
		"Internal server error.", "<Exception on server side:\n" + t.String() + "\n\nEnd of exception on server side>",
	}}}
}

func noSession(id string) string { return gatewayException + "Session '" + id + "' does not exist." }

func noOperation(id string) string {
	return gatewayException + "Can not find the submitted operation in the OperationManager with the " + id + "."
}

func badParameter(where, name, value string) reply {
	text := "Cannot resolve " + where + " parameter (" + name + ") from value \"" + value + "\"."
	t := trace{
		restException + "Bad request, could not parse parameters: " + text,
		"org.apache.flink.runtime.rest.handler.HandlerRequestException: " + text,
	}
	return reply{http.StatusBadRequest, map[string]any{"errors": []string{t.String()}}}
}

func badBody(class string, err error) reply {
	t := trace{
		restException + "Request did not match expected format " + class + ".",
		"org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.exc.MismatchedInputException: " + err.Error(),
	}
	return reply{http.StatusBadRequest, map[string]any{"errors": []string{t.String()}}}
}

// notParsed is a statement that Flink's parser refuses.
func notParsed(class, message string) trace {
	outer := "SqlParserException"
	if class == parseException && strings.HasPrefix(message, `Encountered "<EOF>"`) {
		outer = "SqlParserEOFException"
	}
	return trace{
		"org.apache.flink.table.api." + outer + ": SQL parse failed. " + message,
		"org.apache.calcite.sql.parser.SqlParseException: " + message,
		class + ": " + message,
	}
}

// notValid is a query that does not fit its tables.
func notValid(message string) trace {
	const place = "From line 1, column 1 to line 1, column 2: "
	return trace{
		validation + "SQL validation failed. SQL validation failed. " + place + message,
		validation + "SQL validation failed. " + place + message,
		"org.apache.calcite.runtime.CalciteContextException: " + place + message,
		"org.apache.calcite.sql.validate.SqlValidatorException: " + message,
	}
}
