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
	"net/url"
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
	// Tries is how often the request was sent in vain; see Retry.
	Tries int
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
	status := strings.TrimSpace(fmt.Sprintf("%d %s", e.Status, http.StatusText(e.Status)))
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
	// Read is true for a request that changes nothing.
	Read bool
	// NotSent is true when no connection was made, so nothing can have happened.
	NotSent bool
	// TLS is true when one side refused the other's certificate or protocol,
	// which no second try changes.
	TLS bool
	// Tries is how often it was tried in vain; see Retry.
	Tries int
	Err   error
}

func newTransportError(method, where string, err error) *TransportError {
	// net/http's wrapper repeats the URL, whose query may be nobody's business.
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	refused := isTLS(err)
	return &TransportError{Where: where, Read: isRead(method), NotSent: refused || notConnected(err), TLS: refused, Err: err}
}

// notConnected tells whether not even a connection was made, to the server or
// to the proxy before it.
func notConnected(err error) bool {
	if op, ok := errors.AsType[*net.OpError](err); ok && (op.Op == "dial" || op.Op == "proxyconnect") {
		return true
	}
	_, ok := errors.AsType[*net.DNSError](err)
	return ok
}

// isTLS tells whether the handshake failed. A server's alert about our
// certificate comes with the first read, and before it looks at any request.
func isTLS(err error) bool {
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "remote error" {
		return handshakeAlerts[op.Err.Error()]
	}
	var verify *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	var record tls.RecordHeaderError
	return errors.As(err, &verify) || errors.As(err, &authority) || errors.As(err, &host) || errors.As(err, &record) ||
		errors.Is(err, http.ErrSchemeMismatch)
}

// handshakeAlerts are the texts of the alerts of RFC 8446, section 6.2, that
// refuse a certificate or the protocol. crypto/tls has no type for them.
var handshakeAlerts = func() map[string]bool {
	texts := map[string]bool{}
	for _, code := range []uint8{40, 42, 43, 44, 45, 46, 48, 49, 70, 71, 109, 112, 115, 116, 120} {
		texts[tls.AlertError(code).Error()] = true
	}
	return texts
}()

func (e *TransportError) Error() string { return fmt.Sprintf("%s: %v", e.Where, e.Err) }

// Unwrap returns what went wrong with the connection.
func (e *TransportError) Unwrap() error { return e.Err }

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

// tried notes in an error how often the request was tried.
func tried(err error, tries int) error {
	if answer, ok := errors.AsType[*Error](err); ok {
		answer.Tries = tries
	}
	if transport, ok := errors.AsType[*TransportError](err); ok {
		transport.Tries = tries
	}
	return err
}

// TriesOf is how often the request of an error was tried, at least 1.
func TriesOf(err error) int {
	if answer, ok := errors.AsType[*Error](err); ok {
		return max(1, answer.Tries)
	}
	if transport, ok := errors.AsType[*TransportError](err); ok {
		return max(1, transport.Tries)
	}
	return 1
}

// StatusOf returns the status of an answer that is an error, else 0.
func StatusOf(err error) int {
	if answer, ok := errors.AsType[*Error](err); ok {
		return answer.Status
	}
	return 0
}

// OutcomeUnknown tells whether the server may have executed the request
// although the call failed: no whole answer, or a gateway's error.
func OutcomeUnknown(err error) bool {
	if transport, ok := errors.AsType[*TransportError](err); ok {
		return !transport.NotSent
	}
	answer, ok := errors.AsType[*Error](err)
	if !ok || answer.LeaderElection() {
		return false
	}
	switch answer.Status {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}
