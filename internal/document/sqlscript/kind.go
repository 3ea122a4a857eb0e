// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package sqlscript

import "strings"

// definitions are the first words of statements that define something.
var definitions = map[string]bool{
	"CREATE": true, "ALTER": true, "DROP": true, "USE": true, "LOAD": true, "UNLOAD": true, "ADD": true,
}

// queries are the first words of statements that only read.
var queries = map[string]bool{"SELECT": true, "WITH": true, "VALUES": true, "TABLE": true, "(": true}

// words are the tokens that the parser sees.
func (s Statement) words() []token {
	words := make([]token, 0, len(s.tokens))
	for _, t := range s.tokens {
		if !t.trivial() {
			words = append(words, t)
		}
	}
	return words
}

// kind tells what a statement is from its first words.
func (s Statement) kind() Kind {
	words := s.words()
	at := func(i int, keyword string) bool { return i < len(words) && words[i].is(keyword) }
	first := strings.ToUpper(words[0].text)
	switch {
	case first == "SET":
		return Set
	case first == "RESET":
		return Reset
	case first == "INSERT", first == "EXECUTE" && at(1, "INSERT"):
		return Insert
	case first == "EXECUTE" && at(1, "STATEMENT") && at(2, "SET"), opensSet(words[:min(4, len(words))]) && first == "BEGIN":
		return StatementSet
	case queries[first], first == "EXECUTE" && len(words) > 1 && queries[strings.ToUpper(words[1].text)]:
		return Query
	case first == "CREATE" && createsAs(words):
		return CreateAs
	case definitions[first]:
		return Definition
	}
	return Other
}

// createsAs is true for CREATE TABLE ... AS and its like: AS outside of all
// parentheses, where no column of a computed value can be.
func createsAs(words []token) bool {
	i := 1
	for i < len(words) && (words[i].is("OR") || words[i].is("REPLACE") || words[i].is("TEMPORARY")) {
		i++
	}
	if i >= len(words) || !words[i].is("TABLE") {
		return false
	}
	depth := 0
	for _, t := range words[i:] {
		switch {
		case t.text == "(":
			depth++
		case t.text == ")":
			depth--
		case depth == 0 && t.is("AS"):
			return true
		}
	}
	return false
}

// Executable is the statement as the SQL gateway takes it in one call. The SQL
// client's BEGIN STATEMENT SET; becomes EXECUTE STATEMENT SET BEGIN: the
// gateway would keep it in the session, and start the job at END.
func (s Statement) Executable() string {
	words := s.words()
	if !words[0].is("BEGIN") || s.Kind != StatementSet {
		return s.Text
	}
	at := func(t token) int { return t.offset - s.tokens[0].offset }
	return "EXECUTE" + s.Text[len("BEGIN"):at(words[3])] + " BEGIN" + s.Text[at(words[3])+1:]
}

// Setting is the key and the value of a SET. ok is false for a bare SET, which
// lists the settings, and where a literal has a prefix or more than one part.
func (s Statement) Setting() (key, value string, ok bool) {
	words := s.words()
	if s.Kind != Set || len(words) != 4 || words[2].text != "=" {
		return "", "", false
	}
	if s.cutsValue() {
		return "", "", false
	}
	key, keyOK := settingPart(words[1], words[1].class == literal)
	value, valueOK := settingPart(words[3], words[1].class == literal)
	return key, value, keyOK && valueOK
}

// cutsValue is true for SET key = 'it”s': behind a key without quotes Flink
// takes the value up to the second quote, whatever comes then.
func (s Statement) cutsValue() bool {
	words := s.words()
	return s.Kind == Set && len(words) >= 4 && words[1].class != literal && words[3].class == literal &&
		strings.Contains(words[3].text[1:len(words[3].text)-1], "''")
}

// settingPart is the text of a key or value. Behind a key without quotes a
// value may have them or not.
func settingPart(t token, quotes bool) (string, bool) {
	if t.class == literal {
		if t.text[0] != '\'' {
			return "", false
		}
		inner := t.text[1 : len(t.text)-1]
		// Flink drops what is around the value.
		return strings.TrimSpace(strings.ReplaceAll(inner, "''", "'")), true
	}
	return t.text, !quotes
}
