// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package faults

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"
)

// driver applies configurations to one job, as somebody at a terminal does.
type driver interface {
	// apply runs `terraform apply`, or `terraform destroy` for nil.
	apply(ctx context.Context, config job) outcome
	// changes lists what a further plan would change.
	changes(ctx context.Context, config job) ([]string, error)
	// recorded is what the state holds of the job, and false when it holds none.
	recorded() (record, bool)
	// victim is how to kill the process that runs next, with all that would
	// write a state after it.
	victim() func()
	close()
}

// record is what the matrix looks at in a state.
type record struct {
	JobID, State, SavepointPath, RestoredFrom string
	// Tainted is a record that the next apply would delete first.
	Tainted bool
}

// outcome is how an apply ended.
type outcome struct {
	diagnostics []Diagnostic
	// err is an end that is nobody's answer: a dead provider, or a broken rule
	// of Terraform's.
	err error
	// rule is true when err is a broken rule.
	rule bool
	// acted is true when there was a change to make.
	acted bool
}

var errDied = errors.New("the provider's process has ended")

func (o outcome) failed() bool { return o.err != nil || o.errors() != "" }

// errors is the text of all errors.
func (o outcome) errors() string {
	var all []string
	for _, d := range o.diagnostics {
		if d.Error {
			all = append(all, d.Summary+": "+d.Detail)
		}
	}
	return strings.Join(all, "; ")
}

// warns tells whether a warning holds a text.
func (o outcome) warns(words string) bool {
	for _, d := range o.diagnostics {
		if !d.Error && strings.Contains(d.Summary, words) {
			return true
		}
	}
	return false
}

func (o outcome) String() string {
	if o.err != nil {
		return o.err.Error()
	}
	return o.errors()
}

func broken(format string, args ...any) outcome {
	return outcome{err: fmt.Errorf(format, args...), rule: true}
}

// job is a configuration of the job; nil is none.
type job map[string]any

// with is a configuration with some attributes replaced.
func (j job) with(changes job) job {
	out := job{}
	maps.Copy(out, j)
	maps.Copy(out, changes)
	return out
}

// applyLimit is far above what any apply takes here: one that reaches it hangs.
func applyLimit(quick bool) time.Duration {
	if quick {
		return 30 * time.Second
	}
	return 3 * time.Minute
}
