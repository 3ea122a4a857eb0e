// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package sqlscript splits a script of Flink SQL into its statements and tells
// what each is, as far as a job resource must know. It knows what Flink's
// parser takes for a text, a name, a comment and a hint, and nothing of the
// grammar beyond the first words of a statement.
package sqlscript

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Kind is what a statement is for a job.
type Kind int

// The kinds of statements.
const (
	// Other is what has no place in a job: SHOW, EXPLAIN, DELETE, CALL, ...
	Other Kind = iota
	// Set and Reset change the session.
	Set
	Reset
	// Definition makes or changes a table, a function, a catalog, ...
	Definition
	// Insert and StatementSet start the job.
	Insert
	StatementSet
	// Query is a SELECT, whose result nobody would read.
	Query
	// CreateAs is CREATE TABLE ... AS SELECT, which starts a job of its own.
	CreateAs
)

// Pipeline is true for what starts the job.
func (k Kind) Pipeline() bool { return k == Insert || k == StatementSet }

// Setup is true for what may come before the pipeline.
func (k Kind) Setup() bool { return k == Set || k == Reset || k == Definition }

// Statement is one statement of a script.
type Statement struct {
	Kind Kind
	// Text is the statement without what is before its first and behind its
	// last token: no comment, no semicolon at the end.
	Text string
	// Line and Column are where it begins in the script, both counted from 1,
	// the latter in characters.
	Line, Column int

	// raw is the part of the script that this statement and its semicolon end.
	raw    string
	tokens []token
}

// Error is what is wrong with a script, and where. It quotes nothing of the
// script, which may hold passwords.
type Error struct {
	// Statement counts from 1; 0 where the script could not be split.
	Statement    int
	Line, Column int
	Message      string
}

func (e *Error) Error() string {
	if e.Statement == 0 {
		return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
	}
	return fmt.Sprintf("statement %d (line %d): %s", e.Statement, e.Line, e.Message)
}

func newError(script string, statement, offset int, message string) *Error {
	line, column := position(script, offset)
	return &Error{Statement: statement, Line: line, Column: column, Message: message}
}

// position turns an offset into line and column. As for Flink, a line ends
// with \n, \r\n or \r.
func position(script string, offset int) (line, column int) {
	return advance(script[:offset], 1, 1)
}

// advance is the place behind a text that begins at the given one.
func advance(text string, line, column int) (lineBehind, columnBehind int) {
	ends := strings.Count(text, "\n") + strings.Count(text, "\r") - strings.Count(text, "\r\n")
	if ends == 0 {
		return line, column + utf8.RuneCountInString(text)
	}
	return line + ends, 1 + utf8.RuneCountInString(text[strings.LastIndexAny(text, "\r\n")+1:])
}

// offset is where the statement begins in the script.
func (s Statement) offset() int { return s.tokens[0].offset }

// Split cuts a script into its statements. A part without any, of comments or
// a lone semicolon, which Flink refuses, is left out. The error is an *Error.
func Split(script string) ([]Statement, error) {
	statements, _, err := split(script)
	return statements, err
}

// split also returns what comes behind the last statement.
func split(script string) (statements []Statement, rest string, err error) {
	tokens, err := lex(script)
	if err != nil {
		return nil, "", err
	}
	began := 0
	// Places are counted on from statement to statement: a script may be long.
	seen, line, column := 0, 1, 1
	for len(tokens) > 0 {
		length, err := statementLength(script, len(statements)+1, tokens)
		if err != nil {
			return nil, "", err
		}
		part := tokens[:length]
		end := len(script)
		if length < len(tokens) {
			end = tokens[length].offset
		}
		tokens = tokens[length:]
		statement, ok := newStatement(script, part)
		if !ok {
			continue
		}
		line, column = advance(script[seen:statement.offset()], line, column)
		seen = statement.offset()
		statement.Line, statement.Column = line, column
		statement.raw = script[began:end]
		began = end
		statements = append(statements, statement)
	}
	return statements, script[began:], nil
}

// newStatement drops what is around the statement; ok is false where nothing
// is left.
func newStatement(script string, part []token) (statement Statement, ok bool) {
	if n := len(part); n > 0 && part[n-1].class == semicolon {
		part = part[:n-1]
	}
	for len(part) > 0 && part[0].trivial() {
		part = part[1:]
	}
	for len(part) > 0 && part[len(part)-1].trivial() {
		part = part[:len(part)-1]
	}
	if len(part) == 0 {
		return Statement{}, false
	}
	first, last := part[0], part[len(part)-1]
	s := Statement{Text: script[first.offset : last.offset+len(last.text)], tokens: part}
	s.Kind = s.kind()
	return s, true
}

// statementLength is how many tokens belong to the first statement, with its
// semicolon.
func statementLength(script string, number int, tokens []token) (int, error) {
	var words []token // what the parser sees
	set := -1         // where a statement set began, while it is open
	for i, t := range tokens {
		if t.trivial() {
			continue
		}
		words = append(words, t)
		switch {
		case set >= 0:
			// CASE ends with END as well, but never behind a semicolon. A set of
			// nothing is for Flink to refuse.
			if before := words[len(words)-2]; t.is("END") && (before.class == semicolon || before.is("BEGIN")) {
				set = -1
			}
		case opensSet(words):
			set = words[0].offset
		case t.class == semicolon:
			return i + 1, nil
		}
	}
	if set >= 0 {
		return 0, newError(script, number, set, "this statement set has no END behind its last semicolon")
	}
	return len(tokens), nil
}

// opensSet is true behind the last word of EXECUTE STATEMENT SET BEGIN, which
// EXPLAIN and COMPILE PLAN take as well, and behind the semicolon of the
// SQL client's BEGIN STATEMENT SET;.
func opensSet(words []token) bool {
	n := len(words)
	switch {
	case n == 4 && words[0].is("BEGIN") && words[1].is("STATEMENT") && words[2].is("SET"):
		return words[3].class == semicolon
	case n >= 3:
		return words[n-3].is("STATEMENT") && words[n-2].is("SET") && words[n-1].is("BEGIN")
	}
	return false
}
