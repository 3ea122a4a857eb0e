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

// LastPython is what the last Python program that the JobManager ran wrote, as
// its log has it: from its last traceback on, if there is one, with the Java
// exception that caused it. It is empty for a program that wrote nothing.
func (c *Client) LastPython(ctx context.Context) (string, error) {
	tail := rest.Tail{Limit: logTail}
	request := rest.Request{Method: http.MethodGet, Path: []string{"jobmanager", "log"}, Text: &tail}
	if _, err := c.rest.Do(ctx, request); err != nil {
		return "", err
	}
	return lastPython(string(tail.Content)), nil
}

// fromPython is how a line that a Python program wrote is logged, whatever
// comes before the name of the logger.
var fromPython = regexp.MustCompile(`^.*\bPythonDriver\s+(?:\[[^\]]*\]\s+)?- (.*)$`)

const (
	processStarted = "Python Process Started"
	processExited  = "Python Process Exited"
	tracebackStart = "Traceback (most recent call last):"
)

// lastPython takes what the last program wrote.
func lastPython(log string) string {
	var lines []string
	runs := false
	for line := range strings.Lines(log) {
		match := fromPython.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		switch {
		case match == nil:
		case strings.Contains(match[1], processStarted):
			lines, runs = nil, true
		case strings.Contains(match[1], processExited):
			runs = false
		case runs:
			lines = append(lines, match[1])
		}
	}
	text := strings.Join(lines, "\n")
	return text[max(0, strings.LastIndex(text, tracebackStart)):]
}
