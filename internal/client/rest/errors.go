// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package rest

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
)

// Error is an answer with a status that is not a success.
type Error struct {
	// Where is the method and path.
	Where  string
	Status int
	// Engine is true for an answer in Flink's own error shape; only such a 404
	// says that something is gone.
	Engine bool
	// HTML is true for a page, which a proxy or a failed servlet sends.
	HTML bool
	// Empty is true for an answer without a body.
	Empty bool
	// Text is the body of a plain-text answer, or the joined messages.
	Text string
	// Location is where a redirect points that was not followed.
	Location string
}

func newError(where string, response *http.Response, content []byte) *Error {
	e := &Error{Where: where, Status: response.StatusCode, Location: response.Header.Get("Location")}
	text := strings.TrimSpace(string(content))
	var flink struct {
		Errors []string `json:"errors"`
	}
	switch {
	case text == "":
		e.Empty = true
	case json.Unmarshal(content, &flink) == nil && len(flink.Errors) > 0:
		e.Engine, e.Text = true, strings.Join(flink.Errors, "\n")
	case strings.Contains(response.Header.Get("Content-Type"), "html") || strings.HasPrefix(text, "<"):
		e.HTML = true
	default:
		e.Text = text
	}
	return e
}

// Error is one line: where, the status, and the root cause.
func (e *Error) Error() string {
	return fmt.Sprintf("%s: %s", e.Where, e.Reason())
}

// Reason is the status and the root cause without the request.
func (e *Error) Reason() string {
	status := fmt.Sprintf("%d %s", e.Status, http.StatusText(e.Status))
	switch {
	case e.Location != "" && e.Status >= 300 && e.Status < 400:
		return status + ": redirects to another place, which is not followed; set the endpoint to where the API is served"
	case e.HTML:
		return status + " with an HTML page"
	case e.Empty:
		return status + " without a reason"
	}
	cause := RootCause(e.Text)
	if cause.Message == "" {
		return status
	}
	return status + ": " + cause.String()
}

// Cause is the root cause drawn from the body.
func (e *Error) Cause() Cause { return RootCause(e.Text) }

// HasClass tells whether the Java trace names an exception of this simple name.
func (e *Error) HasClass(simple string) bool { return HasClass(e.Text, simple) }

// LeaderElection is true for Flink's own refusal while no leader is known:
// the request was not executed.
func (e *Error) LeaderElection() bool {
	return e.Status == http.StatusServiceUnavailable && e.Engine && strings.Contains(e.Text, "leader election")
}

// TransportError means that no whole answer came. Unless NotSent is true, the
// server may have acted.
type TransportError struct {
	Where string
	// NotSent is true when no connection was made, so nothing can have happened.
	NotSent bool
	Err     error
}

func newTransportError(where string, err error) *TransportError {
	var op *net.OpError
	notSent := errors.As(err, &op) && op.Op == "dial"
	var dns *net.DNSError
	notSent = notSent || errors.As(err, &dns) || isTLS(err)
	return &TransportError{Where: where, NotSent: notSent, Err: err}
}

func isTLS(err error) bool {
	var verify *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	var record tls.RecordHeaderError
	return errors.As(err, &verify) || errors.As(err, &authority) || errors.As(err, &host) || errors.As(err, &record)
}

func (e *TransportError) Error() string { return fmt.Sprintf("%s: %v", e.Where, e.Unwrap()) }

// Unwrap skips net/http's wrapper, which repeats the URL.
func (e *TransportError) Unwrap() error {
	type urlError interface{ Unwrap() error }
	if wrapped, ok := e.Err.(urlError); ok && wrapped.Unwrap() != nil && strings.Contains(fmt.Sprintf("%T", e.Err), "url.Error") { //nolint:errorlint // only the outermost wrapper
		return wrapped.Unwrap()
	}
	return e.Err
}

// NotAPIError means that something answered 2xx, but not the engine: a login
// page, a proxy, another service.
type NotAPIError struct {
	Where       string
	Status      int
	ContentType string
	Err         error
}

func (e *NotAPIError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("%s: %d, but not the expected JSON: %v", e.Where, e.Status, e.Err)
	}
	return fmt.Sprintf("%s: %d with %s instead of JSON", e.Where, e.Status, e.ContentType)
}

// Unwrap returns the decoding error, if there was one.
func (e *NotAPIError) Unwrap() error { return e.Err }

// StatusOf returns the status of an answer that is an error, else 0.
func StatusOf(err error) int {
	var answer *Error
	if errors.As(err, &answer) {
		return answer.Status
	}
	return 0
}

// OutcomeUnknown tells whether the server may have executed the request
// although the call failed: no whole answer, or a gateway's error.
func OutcomeUnknown(err error) bool {
	var transport *TransportError
	if errors.As(err, &transport) {
		return !transport.NotSent
	}
	var answer *Error
	if !errors.As(err, &answer) || answer.LeaderElection() {
		return false
	}
	switch answer.Status {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}
