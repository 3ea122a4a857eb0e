// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle

import (
	"errors"
	"fmt"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
)

// Problem says which rule or which part of the engine stopped an operation, so
// that a caller can name the attribute to change.
type Problem int

// The problems that are told apart.
const (
	// ProblemOther has no attribute of its own.
	ProblemOther Problem = iota
	ProblemJar
	ProblemEntryClass
	ProblemMain
	ProblemTwoJobs
	ProblemSlots
	ProblemConfiguration
	ProblemRestore
	ProblemState
	ProblemSavepointDirectory
	ProblemOwner
	ProblemRestarting
	ProblemRolledBack
	ProblemUnknownOutcome
	ProblemParallelism
	ProblemJob
	ProblemBundle
	// ProblemFormat is about the format of a savepoint.
	ProblemFormat
	// ProblemSetup, ProblemStatement and ProblemScript are about SQL.
	ProblemSetup
	ProblemStatement
	ProblemScript
)

// Error is a failure in one sentence, with what it means for the job and what
// to do about it.
type Error struct {
	Problem Problem
	// Summary is one line.
	Summary string
	// Advice says what to do.
	Advice string
	Err    error
}

func (e *Error) Error() string {
	if e.Err == nil {
		return e.Summary
	}
	return e.Summary + ": " + Reason(e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Reason is an error's cause in one line, without the request for an answer of
// the engine.
func Reason(err error) string {
	if problem, ok := errors.AsType[*Error](err); ok {
		return problem.Error()
	}
	var answer *rest.Error
	if errors.As(err, &answer) && answer.Engine {
		return answer.Cause().String()
	}
	return err.Error()
}

func problemf(problem Problem, advice string, err error, format string, args ...any) *Error {
	return &Error{Problem: problem, Summary: fmt.Sprintf(format, args...), Advice: advice, Err: err}
}

// failure is a job's own exception as an error.
type failure struct {
	cause rest.Cause
	trace string
}

func (f *failure) Error() string { return f.cause.String() }
