// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package sqlscript

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// class is what a token is to the splitter.
type class int

const (
	space   class = iota // spaces, tabs, line ends
	comment              // -- or // to the end of the line, or /* */
	literal              // 'text', with its prefix if it has one
	quoted               // `identifier`
	word                 // a keyword, a name or a number
	symbol               // anything else
	semicolon
)

// token is a part of a script; all of them together are the script.
type token struct {
	class  class
	text   string
	offset int
}

// trivial is true for what the parser does not see.
func (t token) trivial() bool { return t.class == space || t.class == comment }

// is compares a keyword, in any case.
func (t token) is(keyword string) bool { return t.class == word && strings.EqualFold(t.text, keyword) }

// lexer cuts a script into tokens as Flink's parser does. What it does not
// know is a symbol of one character: the parser is who complains.
type lexer struct {
	script string
	offset int
	tokens []token
	// fresh is true until a statement has its first token.
	fresh bool
}

// SET without quotes around its key is no SQL to Flink: it matches the whole
// statement, before it looks for comments, so that a value may be a URL with
// its two slashes.
var bareSetting = regexp.MustCompile(`^(?i:SET)([ \t\n\r\f]+)([^'\s;]+)([ \t\n\r\f]*)=([ \t\n\r\f]*)([^;'\s][^;\s]*|'(?:[^']|'')*')`)

func lex(script string) ([]token, error) {
	l := &lexer{script: script, fresh: true}
	for l.offset < len(script) {
		if l.fresh && l.bareSetting() {
			continue
		}
		class, length := l.next(script[l.offset:])
		if length < 0 {
			return nil, newError(script, 0, l.offset, unclosed[class])
		}
		l.add(class, length)
	}
	return l.tokens, nil
}

// unclosed says what has no end.
var unclosed = map[class]string{
	literal: "a text that begins with ' here has no end; a ' inside of it is written twice",
	quoted:  "a name that begins with ` here has no end",
	comment: "a comment that begins with /* here has no end",
}

func (l *lexer) add(class class, length int) {
	t := token{class: class, text: l.script[l.offset : l.offset+length], offset: l.offset}
	l.tokens = append(l.tokens, t)
	l.offset += length
	switch {
	case class == semicolon:
		l.fresh = true
	case !t.trivial():
		l.fresh = false
	}
}

// bareSetting takes SET key = value without quotes around the key.
func (l *lexer) bareSetting() bool {
	at := bareSetting.FindStringSubmatchIndex(l.script[l.offset:])
	if at == nil {
		return false
	}
	base := l.offset
	l.add(word, len("SET"))
	l.add(space, at[3]-at[2])
	l.add(word, at[5]-at[4])
	if at[7] > at[6] {
		l.add(space, at[7]-at[6])
	}
	l.add(symbol, len("="))
	if at[9] > at[8] {
		l.add(space, at[9]-at[8])
	}
	value := word
	if l.script[l.offset] == '\'' {
		value = literal
	}
	l.add(value, base+at[1]-l.offset)
	return true
}

// next tells the class and the length of the token that text begins with; a
// length below zero means that it has no end.
func (l *lexer) next(text string) (class, int) {
	switch c := text[0]; {
	// Some editors begin a file with this mark, which Flink does not know.
	case strings.HasPrefix(text, mark):
		return space, len(mark)
	case isSpace(c):
		return space, runOf(text, isSpace)
	case c == ';':
		return semicolon, 1
	case strings.HasPrefix(text, "--"), strings.HasPrefix(text, "//"):
		return comment, lineLength(text)
	// A hint is part of the statement, and what is in it are tokens.
	case strings.HasPrefix(text, "/*+"):
		return symbol, len("/*+")
	case strings.HasPrefix(text, "/*"):
		// Flink's comments do not nest: the first end ends them.
		if end := strings.Index(text[2:], "*/"); end >= 0 {
			return comment, 2 + end + 2
		}
		return comment, -1
	case strings.HasPrefix(text, "*/"):
		return symbol, len("*/")
	case c == '\'':
		return literal, enclosed(text, '\'')
	case c == '`':
		return quoted, enclosed(text, '`')
	}
	if length := prefixed(text); length > 0 {
		end := enclosed(text[length:], '\'')
		if text[0] == 'E' || text[0] == 'e' {
			end = escaped(text[length:])
		}
		if end < 0 {
			return literal, -1
		}
		return literal, length + end
	}
	if length := wordLength(text); length > 0 {
		return word, length
	}
	_, length := utf8.DecodeRuneInString(text)
	return symbol, length
}

const mark = "\ufeff"

// isSpace is true for what Flink's parser skips, and nothing else: a no-break
// space is an error to it.
func isSpace(c byte) bool { return strings.IndexByte(" \t\n\r\f", c) >= 0 }

func runOf(text string, in func(byte) bool) int {
	for i := range len(text) {
		if !in(text[i]) {
			return i
		}
	}
	return len(text)
}

func lineLength(text string) int {
	if end := strings.IndexAny(text, "\r\n"); end >= 0 {
		return end
	}
	return len(text)
}

// enclosed is the length of a text between two quotes, in which a quote is
// written twice, or -1.
func enclosed(text string, quote byte) int {
	for i := 1; i < len(text); i++ {
		if text[i] != quote {
			continue
		}
		if i+1 < len(text) && text[i+1] == quote {
			i++
			continue
		}
		return i + 1
	}
	return -1
}

// escaped is the length of what stands behind an E: there, and only there, a
// backslash keeps the quote behind it from being the end.
func escaped(text string) int {
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\', strings.HasPrefix(text[i:], "''"):
			i++
		case text[i] == '\'':
			return i + 1
		}
	}
	return -1
}

var literalPrefix = regexp.MustCompile(`^(?i:[nxe]|u&|_[a-z0-9:._-]+)'`)

// prefixed is the length of what changes the meaning of the literal behind it,
// 0 for none.
func prefixed(text string) int { return max(0, len(literalPrefix.FindString(text))-1) }

func wordLength(text string) int {
	number := text[0] >= '0' && text[0] <= '9'
	for i, r := range text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '$' || number && r == '.' {
			continue
		}
		return i
	}
	return len(text)
}
