// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package local

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/process"
)

// startLimit is generous: two engines may share two busy cores.
const startLimit = 4 * time.Minute

// waitReady returns once ready does not fail any more, or with an error as
// soon as the process has ended.
func waitReady(ctx context.Context, p *process.Process, ready func(context.Context) error) error {
	deadline := time.Now().Add(startLimit)
	for {
		err := ready(ctx)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if !p.Alive() {
			return fmt.Errorf("%s ended while it was starting\n%s", p.Name, explain(p))
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%s is not ready after %s: %w\n%s", p.Name, startLimit, err, explain(p))
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// explain quotes the log lines that most likely say why a process failed.
func explain(p *process.Process) string {
	var out strings.Builder
	for _, file := range []string{p.LogFile, p.OutFile} {
		if file == "" {
			continue
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		if lines := usefulLines(string(raw), 12); len(lines) > 0 {
			fmt.Fprintf(&out, "from %s:\n  %s\n", file, strings.Join(lines, "\n  "))
		}
	}
	if out.Len() == 0 {
		return "it wrote no log"
	}
	return strings.TrimRight(out.String(), "\n")
}

var failure = regexp.MustCompile(`\b(ERROR|FATAL)\b|(^|Caused by: )[\w.$]+(Exception|Error)\b|Could not|Address already in use`)

// usefulLines picks the last n lines that tell of a failure, or if there are
// none the last n lines.
func usefulLines(text string, n int) []string {
	var all, telling []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(line) == "" {
			continue
		}
		all = append(all, line)
		if failure.MatchString(line) {
			telling = append(telling, line)
		}
	}
	if len(telling) == 0 {
		telling = all
	}
	return telling[max(0, len(telling)-n):]
}
