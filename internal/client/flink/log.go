// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink

import (
	"context"
	"net/http"
	"regexp"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
)

// logTail is how much of the end of a log is looked at, in bytes.
const logTail = 1 << 20

// LastTraceback is the traceback of the last Python program that the JobManager
// ran, with the Java exception that caused it, as its log has it; empty where
// that program wrote none.
func (c *Client) LastTraceback(ctx context.Context) (string, error) {
	tail := rest.Tail{Limit: logTail}
	request := rest.Request{Method: http.MethodGet, Path: []string{"jobmanager", "log"}, Text: &tail}
	if _, err := c.rest.Do(ctx, request); err != nil {
		return "", err
	}
	return lastTraceback(string(tail.Content)), nil
}

// fromPython is how a line that a Python program wrote is logged, whatever
// comes before the name of the logger.
var fromPython = regexp.MustCompile(`^.*\bPythonDriver\s+(?:\[[^\]]*\]\s+)?- (.*)$`)

const (
	processStarted = "Python Process Started"
	tracebackStart = "Traceback (most recent call last):"
)

// lastTraceback takes what the last program wrote from its last traceback on.
func lastTraceback(log string) string {
	var lines []string
	for line := range strings.Lines(log) {
		match := fromPython.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		switch {
		case match == nil:
		case strings.Contains(match[1], processStarted):
			lines = nil
		default:
			lines = append(lines, match[1])
		}
	}
	text := strings.Join(lines, "\n")
	at := strings.LastIndex(text, tracebackStart)
	if at < 0 {
		return ""
	}
	return text[at:]
}
