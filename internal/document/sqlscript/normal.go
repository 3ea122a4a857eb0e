// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package sqlscript

import (
	"regexp"
	"strconv"
	"strings"
)

// Normal is the form of a script in which two scripts are equal that Flink
// reads alike: spaces and line ends outside of literals, comments that are no
// hints, and a semicolon at the end are no difference. What is in a literal or
// a quoted name is one. So is the case of a keyword: without the whole grammar
// it cannot be told from a name, whose case counts, and a restart too many is
// better than a change that is not seen. A script that cannot be split is its
// own normal form.
func Normal(script string) string {
	statements, err := Split(script)
	if err != nil {
		return script
	}
	normal := make([]string, 0, len(statements))
	for _, s := range statements {
		normal = append(normal, s.Normal())
	}
	return strings.Join(normal, ";\n")
}

// Normal is the normal form of one statement.
func (s Statement) Normal() string {
	texts := s.Words()
	if strings.EqualFold(texts[0], "BEGIN") && s.Kind == StatementSet {
		texts = append([]string{"EXECUTE", texts[1], texts[2], "BEGIN"}, texts[4:]...)
	}
	normal := strings.Join(texts, " ")
	// A space between SET and a sign, or in the place of a comment, would make a
	// setting of what is none to Flink.
	if s.Kind == Set && bareSetting.MatchString(normal) != bareSetting.MatchString(s.Text) {
		return s.Text
	}
	return normal
}

// Words are the tokens that Flink's parser sees: keywords, names, literals with
// their quotes, and signs; no space and no comment.
func (s Statement) Words() []string {
	words := s.words()
	texts := make([]string, 0, len(words))
	for _, t := range words {
		texts = append(texts, t.text)
	}
	return texts
}

// flinkPosition is how Flink says where in a statement something is.
var flinkPosition = regexp.MustCompile(`\b(?i:(line )(\d+)(, column )(\d+))`)

// Relocate turns the positions in a message of Flink's about this statement
// into positions in the script.
func (s Statement) Relocate(message string) string {
	return flinkPosition.ReplaceAllStringFunc(message, func(text string) string {
		m := flinkPosition.FindStringSubmatch(text)
		line, lineErr := strconv.Atoi(m[2])
		column, columnErr := strconv.Atoi(m[4])
		if lineErr != nil || columnErr != nil || line < 1 || column < 1 {
			return text
		}
		if line == 1 {
			column += s.Column - 1
		}
		return m[1] + strconv.Itoa(line+s.Line-1) + m[3] + strconv.Itoa(column)
	})
}
