// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package sqlgateway

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
)

// Statement is one statement to execute.
type Statement struct {
	SQL string
	// Config are Flink's settings for this statement alone.
	Config map[string]string
	// Number and Line say in errors which statement it was, both from 1: the
	// text itself may hold secrets.
	Number, Line int
}

func (s Statement) where() string {
	if s.Line > 0 {
		return fmt.Sprintf("statement %d (line %d)", s.Number, s.Line)
	}
	return fmt.Sprintf("statement %d", s.Number)
}

// Status is how far an operation has come.
type Status string

// The states of an operation.
const (
	Initialized Status = "INITIALIZED"
	Pending     Status = "PENDING"
	Running     Status = "RUNNING"
	Finished    Status = "FINISHED"
	Canceled    Status = "CANCELED"
	Closed      Status = "CLOSED"
	Failed      Status = "ERROR"
	TimedOut    Status = "TIMEOUT"
)

// under is true while an operation may still change.
func (s Status) under() bool { return s == Initialized || s == Pending || s == Running }

// Operation is a statement that the gateway has taken.
type Operation struct {
	session   *Session
	statement Statement
	id        string
}

// Submit hands a statement to the gateway, which answers before it looks at
// it. It is never repeated: where its outcome is unknown (see OutcomeUnknown),
// the statement may have been executed.
func (s *Session) Submit(ctx context.Context, statement Statement) (*Operation, error) {
	body := struct {
		Statement string            `json:"statement"`
		Config    map[string]string `json:"executionConfig,omitempty"`
	}{statement.SQL, statement.Config}
	var answer struct {
		Handle string `json:"operationHandle"`
	}
	o := &Operation{session: s, statement: statement}
	err := s.client.do(ctx, rest.Request{Method: http.MethodPost, Path: []string{"sessions", s.id, "statements"}, Body: body, Out: &answer})
	if err != nil {
		return nil, o.fault(err, false)
	}
	if answer.Handle == "" {
		return nil, o.fault(&rest.NotAPIError{Where: "POST statements", Status: http.StatusOK, ContentType: "JSON without operationHandle"}, true)
	}
	o.id = answer.Handle
	return o, nil
}

func (o *Operation) path(elements ...string) []string {
	return append([]string{"sessions", o.session.id, "operations", o.id}, elements...)
}

// Status asks how far the operation has come.
func (o *Operation) Status(ctx context.Context) (Status, error) {
	var answer struct {
		Status Status `json:"status"`
	}
	if err := o.session.client.do(ctx, rest.Request{Method: http.MethodGet, Path: o.path("status"), Out: &answer}); err != nil {
		return "", o.fault(err, true)
	}
	return answer.Status, nil
}

// pollTimes are the pauses between two looks at an operation: most statements
// take some milliseconds, and a pipeline that compiles some seconds.
var pollTimes = []time.Duration{
	20 * time.Millisecond, 50 * time.Millisecond, 100 * time.Millisecond, 200 * time.Millisecond, 500 * time.Millisecond, time.Second,
}

func pollTime(look int) time.Duration { return pollTimes[min(look, len(pollTimes)-1)] }

// Wait returns when the operation has ended. An operation that failed is a
// *StatementError with Flink's root cause.
func (o *Operation) Wait(ctx context.Context) error {
	for look := 0; ; look++ {
		status, err := o.Status(ctx)
		switch {
		case err != nil:
			return err
		case status == Finished:
			return nil
		case status == Failed:
			return o.failure(ctx)
		case !status.under():
			fault := o.statementError("ended as " + string(status))
			fault.Accepted = true
			return fault
		}
		if !pause(ctx, pollTime(look)) {
			return o.fault(ctx.Err(), true)
		}
	}
}

// failure reads why the operation failed, which only its result tells.
func (o *Operation) failure(ctx context.Context) error {
	_, err := o.page(ctx, "0")
	if err == nil {
		fault := o.statementError("failed, and the SQL gateway does not say why")
		fault.Executed = true
		return fault
	}
	fault, ok := errors.AsType[*StatementError](err)
	if !ok {
		return err
	}
	if answer(err) != nil && !IsSessionGone(err) && !IsOperationGone(err) {
		// The statement is at its end; nothing of it is still under way.
		fault.Accepted, fault.Executed = false, true
	}
	return fault
}

// Cancel asks the gateway to give the operation up. A job that it has started
// goes on. An operation that has ended cannot be canceled, which is an error.
func (o *Operation) Cancel(ctx context.Context) error {
	err := o.session.client.do(ctx, rest.Request{Method: http.MethodPost, Path: o.path("cancel")})
	if err != nil {
		return o.fault(err, true)
	}
	return nil
}

// Close lets the gateway forget the operation and its results.
func (o *Operation) Close(ctx context.Context) error {
	err := o.session.client.do(ctx, rest.Request{Method: http.MethodDelete, Path: o.path("close")})
	if err != nil && !IsSessionGone(err) {
		return o.fault(err, true)
	}
	return nil
}
