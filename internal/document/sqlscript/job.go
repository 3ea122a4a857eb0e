// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package sqlscript

import "fmt"

// Job is a script that starts one job: what prepares the session, and the
// pipeline at its end.
type Job struct {
	Setup    []Statement
	Pipeline Statement
}

// Statements are all of them in the order of running.
func (j *Job) Statements() []Statement {
	return append(append([]Statement(nil), j.Setup...), j.Pipeline)
}

const wantsPipeline = "one INSERT INTO or one EXECUTE STATEMENT SET BEGIN ... END"

const cutValue = "without quotes around the key, Flink takes the value up to the first quote in it only; write SET 'key' = 'value'"

// Parse splits a script that runs one job. The error is an *Error.
func Parse(script string) (*Job, error) {
	statements, err := Split(script)
	if err != nil {
		return nil, err
	}
	job, pipeline := &Job{}, 0
	for i, s := range statements {
		number := i + 1
		fail := func(format string, args ...any) error {
			return &Error{Statement: number, Line: s.Line, Column: s.Column, Message: fmt.Sprintf(format, args...)}
		}
		switch {
		case s.Kind.Pipeline() && pipeline > 0:
			return nil, fail("this is a second pipeline, after statement %d (line %d), but a job runs one: put both into one EXECUTE STATEMENT SET BEGIN ... END",
				pipeline, job.Pipeline.Line)
		case pipeline > 0:
			return nil, fail("this comes after the pipeline, statement %d (line %d), which must be the last one: it starts the job", pipeline, job.Pipeline.Line)
		case s.Kind.Pipeline():
			job.Pipeline, pipeline = s, number
		case s.cutsValue():
			return nil, fail(cutValue)
		case s.Kind.Setup():
			job.Setup = append(job.Setup, s)
		default:
			return nil, fail("%s", s.unfit())
		}
	}
	if pipeline == 0 {
		return nil, newError(script, 0, len(script), "the script has no pipeline; a job runs "+wantsPipeline)
	}
	return job, nil
}

// ParsePipeline reads the text of one pipeline. The error is an *Error.
func ParsePipeline(text string) (Statement, error) {
	s, err := single(text)
	switch {
	case err != nil:
		return Statement{}, err
	case s.Kind.Pipeline():
		return s, nil
	case s.Kind.Setup():
		return Statement{}, s.fault("this prepares a session and starts no job; needed is " + wantsPipeline)
	}
	return Statement{}, s.fault(s.unfit())
}

// ParseSetup reads the text of one statement that comes before the pipeline.
// The error is an *Error.
func ParseSetup(text string) (Statement, error) {
	s, err := single(text)
	switch {
	case err != nil:
		return Statement{}, err
	case s.cutsValue():
		return Statement{}, s.fault(cutValue)
	case s.Kind.Setup():
		return s, nil
	case s.Kind.Pipeline():
		return Statement{}, s.fault("this starts a job; before the pipeline, only SET, RESET and definitions can be")
	}
	return Statement{}, s.fault(s.unfit())
}

// single reads a text of exactly one statement.
func single(text string) (Statement, error) {
	statements, err := Split(text)
	switch {
	case err != nil:
		return Statement{}, err
	case len(statements) == 0:
		return Statement{}, newError(text, 0, 0, "there is no statement here")
	case len(statements) > 1:
		return Statement{}, &Error{
			Statement: 2, Line: statements[1].Line, Column: statements[1].Column,
			Message: "only one statement can be here",
		}
	}
	return statements[0], nil
}

func (s Statement) fault(message string) *Error {
	return &Error{Statement: 1, Line: s.Line, Column: s.Column, Message: message}
}

// unfit says why a statement has no place in a job.
func (s Statement) unfit() string {
	if s.Kind == Query {
		return "this is a query, whose result nobody would read; write it to a table with INSERT INTO"
	}
	if s.Kind == CreateAs {
		return "CREATE TABLE ... AS starts a job of its own; write CREATE TABLE, and INSERT INTO as the pipeline"
	}
	return "this is neither SET, RESET, a definition (CREATE, ALTER, DROP, USE, LOAD, ADD JAR) nor " + wantsPipeline
}
