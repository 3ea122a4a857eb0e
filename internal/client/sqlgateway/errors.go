// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package sqlgateway

import (
	"errors"
	"regexp"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
)

// StatementError is a statement that was not executed, or whose outcome is not
// known. It is one line, and repeats nothing of the statement that may be a
// secret.
type StatementError struct {
	// Number and Line are those of the Statement.
	Number, Line int
	// Executed is true where the gateway says that the statement failed. A
	// pipeline may all the same have left a job, which the JobManager tells.
	Executed bool
	// Accepted is true where the gateway has taken the statement and it is not
	// known what became of it.
	Accepted bool
	// Err is what the call met, nil where there is only a message.
	Err error

	statement Statement
	message   string
}

// fault makes the error of a call about this operation.
func (o *Operation) fault(err error, accepted bool) error {
	if fault, ok := errors.AsType[*StatementError](err); ok {
		return fault
	}
	e := o.statementError("")
	e.Accepted, e.Err = accepted, err
	if found := answer(err); found != nil {
		e.message = brief(found.Text)
	} else {
		e.message = err.Error()
	}
	return e
}

func (o *Operation) statementError(message string) *StatementError {
	return &StatementError{Number: o.statement.Number, Line: o.statement.Line, statement: o.statement, message: message}
}

func (e *StatementError) Error() string {
	return e.statement.where() + ": " + e.Reason()
}

// Reason is the root cause without which statement it was.
func (e *StatementError) Reason() string {
	message := e.message
	if IsSessionGone(e.Err) {
		message = "the SQL gateway does not know the session any more: it was restarted, or nobody asked for the session for longer than sql-gateway.session.idle-timeout"
	}
	return scrub(message, e.statement)
}

// Unwrap returns what the call met.
func (e *StatementError) Unwrap() error { return e.Err }

// HasClass tells whether Flink's trace names an exception of this simple name.
func (e *StatementError) HasClass(simple string) bool {
	found := answer(e.Err)
	return found != nil && found.HasClass(simple)
}

// OutcomeUnknown tells whether a statement may have been executed, or may yet
// be, although the call failed.
func OutcomeUnknown(err error) bool {
	fault, ok := errors.AsType[*StatementError](err)
	switch {
	case !ok:
		return rest.OutcomeUnknown(err)
	case fault.Executed:
		return false
	}
	return fault.Accepted || rest.OutcomeUnknown(fault.Err)
}

// IsDuplicate tells whether a pipeline was refused because its job id is, or
// once was, in use.
func IsDuplicate(err error) bool {
	fault, ok := errors.AsType[*StatementError](err)
	return ok && (fault.HasClass("DuplicateApplicationSubmissionException") || fault.HasClass("DuplicateJobSubmissionException"))
}

// IsAlreadyExists tells whether a statement would make what is there already,
// as in a catalog that outlives the session.
func IsAlreadyExists(err error) bool {
	fault, ok := errors.AsType[*StatementError](err)
	return ok && fault.Executed && strings.Contains(fault.message, "already exist")
}

// brief is the one line of an answer's trace that tells most.
func brief(trace string) string {
	if traceback := strings.Index(trace, "Traceback (most recent call last)"); traceback >= 0 {
		// What Python says last is its cause, and above it are only places.
		if lines := pythonError.FindAllString(trace[traceback:], -1); len(lines) > 0 {
			return strings.TrimSpace(lines[len(lines)-1])
		}
	}
	// The cause of this one is the same without the place in the statement.
	if match := placed.FindStringSubmatch(trace); match != nil {
		return match[1]
	}
	cause := rest.RootCause(trace)
	// What the JobManager answered to the gateway.
	if _, inner, nested := strings.Cut(cause.Message, "<Exception on server side: "); nested {
		cause = rest.RootCause(inner)
	}
	message := cause.Message
	// What the parser, or the gateway, would have taken instead is a page long.
	for _, tail := range []string{" Was expecting", " executeSql() only accepts"} {
		message, _, _ = strings.Cut(message, tail)
	}
	if message == "" {
		return cause.String()
	}
	return message
}

var (
	pythonError = regexp.MustCompile(`(?m)^[A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Exit)\b.*$`)
	placed      = regexp.MustCompile(`(?m)^(?:Caused by: )?org\.apache\.calcite\.runtime\.CalciteContextException: ((?:From|At) line .*)$`)
)
