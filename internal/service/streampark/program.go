// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streampark

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/streampark"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// program is a jar whose arguments are packed.
type program struct {
	lifecycle.JarProgram

	// shown has no variable put in, and one spelling for all that means the same.
	shown streampark.Rendered
	// variables are those that were put in.
	variables map[string]string
}

// Fingerprint is of the texts, not of what they are packed into, and has no
// secret.
func (p *program) Fingerprint() []string {
	jar := p.JarProgram
	jar.Args = nil
	return append(jar.Fingerprint(), p.shown.Fingerprint()...)
}

// Submit runs the program.
func (p *program) Submit(ctx context.Context, s lifecycle.Submission) (string, error) {
	id, err := p.JarProgram.Submit(ctx, s)
	if refusal, ok := errors.AsType[*rest.Error](err); ok {
		refusal.Text = hide(refusal.Text, p.variables)
	}
	return id, err
}

// shortest is how long a value is that is looked for: a shorter one would be
// found in any text.
const shortest = 4

// hide puts variables back into what the client, or Flink, repeats of the SQL.
func hide(text string, variables map[string]string) string {
	names := slices.SortedFunc(maps.Keys(variables), func(a, b string) int {
		return cmp.Or(len(variables[b])-len(variables[a]), strings.Compare(a, b))
	})
	for _, name := range names {
		if len(variables[name]) >= shortest {
			text = strings.ReplaceAll(text, variables[name], "${"+name+"}")
		}
	}
	return text
}

// show adds a marker to the arguments, which the client registers as the job's
// parameters.
func show(args []string, marker []lifecycle.Entry) ([]string, error) {
	shown := slices.Clone(args)
	for _, entry := range marker {
		shown = append(shown, "--"+entry.Key, entry.Value)
	}
	return shown, nil
}
