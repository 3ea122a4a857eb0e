// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package rest

import (
	"regexp"
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
)

// RootCause draws the innermost exception from a Java trace as Flink sends it,
// or the text itself, in one line of at most 500 characters.
func RootCause(trace string) Cause {
	trace = strings.TrimSpace(trace)
	if inner, ok := strings.CutPrefix(trace, "Internal server error."); ok && strings.TrimSpace(inner) != "" {
		trace = strings.TrimSpace(inner)
	}
	if _, after, ok := strings.Cut(trace, "<Exception on server side:"); ok {
		trace = strings.TrimSpace(after)
	}
	parts := causedBy.Split(trace, -1)
	for i := len(parts) - 1; i >= 0; i-- {
		cause := parseException(parts[i])
		if cause.Message != "" || (i == 0 && cause.Class != "") {
			return cause
		}
		// An exception without a message: the next outer one may explain it,
		// but a class such as NullPointerException is the better answer.
		if cause.Class != "" && !plainClasses[cause.Class] {
			return cause
		}
	}
	return Cause{}
}

// HasClass tells whether a trace names an exception of this simple name.
func HasClass(trace, simple string) bool {
	for start := 0; ; {
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
}

func isWord(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

func parseException(text string) Cause {
	if i := strings.Index(text, "\n\tat "); i >= 0 {
		text = text[:i]
	}
	if i := strings.Index(text, "\n\t... "); i >= 0 {
		text = text[:i]
	}
	text = strings.TrimSpace(text)
	text = strings.TrimSpace(strings.TrimSuffix(text, "End of exception on server side>"))
	var cause Cause
	// Flink nests classes in one line ("CompletionException: JobException: x"): keep the last.
	for {
		match := className.FindStringSubmatch(text)
		if match == nil {
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
