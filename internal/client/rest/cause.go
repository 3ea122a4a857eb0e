// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package rest

import (
	"regexp"
	"slices"
	"strings"
)

// Cause is one exception of a Java trace.
type Cause struct {
	// Class is the simple class name, empty when the text holds none.
	Class   string
	Message string
}

// String is the message, after the class where that adds something.
func (c Cause) String() string {
	switch {
	case c.Message == "":
		return c.Class
	case c.Class == "" || plainClasses[c.Class]:
		return c.Message
	}
	return c.Class + ": " + c.Message
}

// plainClasses say nothing that their message does not.
var plainClasses = map[string]bool{
	"Exception": true, "RuntimeException": true, "IllegalStateException": true, "IllegalArgumentException": true,
	"RestHandlerException": true, "NotFoundException": true, "FlinkException": true, "JobException": true,
	"ProgramInvocationException": true, "FlinkRuntimeException": true, "CompletionException": true,
}

var (
	causedBy  = regexp.MustCompile(`(?m)^\s*Caused by:\s*`)
	className = regexp.MustCompile(`^((?:[a-z_][\w]*\.)+)([A-Z][\w$]*)(?::\s*|\s*$)`)
	thrown    = regexp.MustCompile(`(?:Exception|Error|Failure|Throwable)$`)
)

// detailClasses are thrown deep inside a library: without what the next outer
// exception says, nobody knows what they are about.
var detailClasses = map[string]bool{
	"NumberFormatException": true, "DateTimeParseException": true, "ClassNotFoundException": true, "NoSuchElementException": true,
	"ArrayIndexOutOfBoundsException": true, "IndexOutOfBoundsException": true, "StringIndexOutOfBoundsException": true,
	"NullPointerException": true, "ClassCastException": true,
}

// RootCause draws the innermost exception that tells something from a Java
// trace as Flink sends it, or the text itself, in one line of at most 500
// characters.
func RootCause(trace string) Cause {
	trace = strings.TrimSpace(trace)
	if inner, ok := strings.CutPrefix(trace, "Internal server error."); ok && strings.TrimSpace(inner) != "" {
		trace = strings.TrimSpace(inner)
	}
	if _, after, ok := strings.Cut(trace, "<Exception on server side:"); ok {
		trace = strings.TrimSpace(after)
	}
	var chain []Cause
	for _, part := range causedBy.Split(trace, -1) {
		if cause := parseException(part); cause != (Cause{}) {
			chain = append(chain, cause)
		}
	}
	var detail Cause
	for i, cause := range slices.Backward(chain) {
		switch {
		case i > 0 && detailClasses[cause.Class]:
			if detail == (Cause{}) {
				detail = cause
			}
			continue
		case i > 0 && cause.Message == "" && plainClasses[cause.Class]:
			continue
		}
		if detail != (Cause{}) && (detail.Message == "" || !strings.Contains(cause.Message, detail.Message)) {
			cause.Message = oneLine(strings.TrimRight(cause.Message, ".: ") + ": " + detail.String())
		}
		return cause
	}
	return Cause{}
}

// HasClass tells whether a trace names an exception of this simple name.
func HasClass(trace, simple string) bool {
	for start := 0; simple != ""; {
		i := strings.Index(trace[start:], simple)
		if i < 0 {
			return false
		}
		before, after := start+i-1, start+i+len(simple)
		if (before < 0 || !isWord(trace[before])) && (after >= len(trace) || !isWord(trace[after])) {
			return true
		}
		start = after
	}
	return false
}

func isWord(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

func parseException(text string) Cause {
	text = strings.TrimSpace(text)
	// Frames follow, or after an empty line what the program printed.
	for _, end := range []string{"\n\tat ", "\n\t... ", "\n\n", "\nEnd of exception on server side>"} {
		text, _, _ = strings.Cut(text, end)
	}
	text = strings.TrimSpace(text)
	var cause Cause
	// Flink nests classes in one line ("CompletionException: JobException: x"): keep the last.
	for {
		match := className.FindStringSubmatch(text)
		if match == nil || (cause.Class != "" && !thrown.MatchString(match[2])) {
			break
		}
		cause.Class = match[2]
		text = strings.TrimSpace(text[len(match[0]):])
	}
	if i := strings.LastIndex(cause.Class, "$"); i >= 0 {
		cause.Class = cause.Class[i+1:]
	}
	cause.Message = oneLine(text)
	return cause
}

func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > 500 {
		return string(runes[:499]) + "…"
	}
	return text
}
