// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package gatewayfake

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/sqlscript"
)

// execution is one statement on its way.
type execution struct {
	server  *Server
	session *session
	config  map[string]string
}

func (e *execution) execute(text string) (outcome, trace) {
	const endOfFile = `Encountered "<EOF>" at line 1, column 1.` + "\nWas expecting one of:\n    \"ABS\" ...\n    "
	statements, err := sqlscript.Split(text)
	var fault *sqlscript.Error
	switch {
	case errors.As(err, &fault):
		if fault.Statement > 0 || strings.HasPrefix(fault.Message, "a text") {
			return outcome{}, encountered(`'`)
		}
		return outcome{}, notParsed("org.apache.flink.sql.parser.impl.TokenMgrError",
			fmt.Sprintf("Lexical error at line %d, column %d.  Encountered: <EOF> after : \"\"", fault.Line, fault.Column))
	case len(statements) == 0 && strings.Contains(text, ";"):
		return outcome{}, encountered(";")
	case len(statements) == 0:
		return outcome{}, notParsed(parseException, endOfFile)
	case len(statements) > 1:
		return outcome{}, trace{argument + "only single statement supported"}
	}
	s := statements[0]
	switch s.Kind {
	case sqlscript.Set:
		return e.set(s)
	case sqlscript.Reset:
		return e.reset(s)
	case sqlscript.Definition:
		return e.define(s.Words())
	case sqlscript.Insert:
		return e.pipeline([]sqlscript.Statement{s})
	case sqlscript.StatementSet:
		return e.statementSet(s)
	case sqlscript.Query, sqlscript.CreateAs, sqlscript.Other:
		if inner, explained := strings.CutPrefix(strings.ToUpper(s.Normal()), "EXPLAIN "); explained {
			return e.explain(s.Normal()[len(s.Normal())-len(inner):])
		}
	}
	return outcome{}, trace{tableException + "Unsupported SQL query! executeSql() only accepts a single SQL statement of type CREATE TABLE, INSERT, ..."}
}

const parseException = "org.apache.flink.sql.parser.impl.ParseException"

func encountered(what string) trace {
	return notParsed(parseException, fmt.Sprintf("Encountered %q at line 1, column 1.\nWas expecting one of:\n    \"ABS\" ...\n    ", what))
}

// integers are settings that must be numbers, which SET checks at once.
var integers = []string{"parallelism.default", "pipeline.max-parallelism"}

func (e *execution) set(s sqlscript.Statement) (outcome, trace) {
	all := s.Words()
	if len(all) == 1 {
		var rows [][]any
		for _, key := range slices.Sorted(maps.Keys(e.session.properties)) {
			rows = append(rows, []any{key, e.session.properties[key]})
		}
		return outcome{columns: []string{"key", "value"}, rows: rows}, nil
	}
	key, value, ok := s.Setting()
	if !ok {
		return outcome{}, encountered(all[len(all)-1])
	}
	if cause := badInteger(key, value); cause != nil {
		return outcome{}, append(trace{executionError + "Failed to set key " + key + " with value " + value + "."}, cause...)
	}
	e.session.properties[key] = value
	return done(), nil
}

func badInteger(key, value string) trace {
	if _, err := strconv.Atoi(value); !slices.Contains(integers, key) || err == nil {
		return nil
	}
	return trace{
		argument + fmt.Sprintf("Could not parse value '%s' for key '%s'.", value, key),
		number + fmt.Sprintf("For input string: %q", value),
	}
}

// reset gives a key, or all, the value that the session was opened with.
func (e *execution) reset(s sqlscript.Statement) (outcome, trace) {
	all := s.Words()
	if len(all) == 1 {
		e.session.properties = maps.Clone(e.session.given)
		return done(), nil
	}
	key := strings.Trim(strings.Join(all[1:], ""), "'")
	if value, given := e.session.given[key]; given {
		e.session.properties[key] = value
	} else {
		delete(e.session.properties, key)
	}
	return done(), nil
}

// explain checks a pipeline as its start would, and starts nothing.
func (e *execution) explain(text string) (outcome, trace) {
	text = strings.TrimPrefix(text, "PLAN FOR ")
	if strings.HasPrefix(strings.ToUpper(text), "STATEMENT SET") {
		text = "EXECUTE " + text
	}
	s, err := sqlscript.ParsePipeline(text)
	if err != nil {
		return outcome{}, encountered("EXPLAIN")
	}
	inserts := []sqlscript.Statement{s}
	if s.Kind == sqlscript.StatementSet {
		var cause trace
		if inserts, cause = insertsOf(s); cause != nil {
			return outcome{}, cause
		}
	}
	for _, insert := range inserts {
		if _, cause := e.check(insert); cause != nil {
			return outcome{}, cause
		}
	}
	return outcome{columns: []string{"result"}, rows: [][]any{{"== Abstract Syntax Tree ==\n"}}, explains: true}, nil
}

// insertsOf takes a statement set apart.
func insertsOf(s sqlscript.Statement) ([]sqlscript.Statement, trace) {
	text := s.Executable()
	begin, end := strings.Index(strings.ToUpper(text), "BEGIN"), strings.LastIndex(strings.ToUpper(text), "END")
	inner, err := sqlscript.Split(text[begin+len("BEGIN") : end])
	if err != nil || len(inner) == 0 {
		return nil, encountered("END")
	}
	for _, one := range inner {
		if one.Kind != sqlscript.Insert {
			return nil, encountered(one.Words()[0])
		}
	}
	return inner, nil
}

func (e *execution) statementSet(s sqlscript.Statement) (outcome, trace) {
	inserts, cause := insertsOf(s)
	if cause != nil {
		return outcome{}, cause
	}
	return e.pipeline(inserts)
}
