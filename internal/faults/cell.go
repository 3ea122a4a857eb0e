// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package faults

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// cell is one cell of the matrix.
type cell struct {
	op   operation
	call int
	// on is the name of the call instead of its number.
	on string
	// looks is true for a call after the operation's last act. Then it only looks,
	// and how often depends on how fast the job is.
	looks bool
	fault fault
	when  moment
	with  configuration
}

// String names the cell, the same in each run.
func (c cell) String() string {
	call := strconv.Itoa(c.call)
	if c.on != "" {
		call = c.on
	}
	return fmt.Sprintf("%s, call %s, %s, applied %s with %s configuration", c.op.name, call, c.fault.name, c.when, c.with)
}

// result is what came of a cell.
type result struct {
	cell cell
	// called is the call that the fault hit, empty when the operation did not
	// make so many.
	called string
	// applies is how many applies the last configuration took.
	applies int
	// unused is true when the provider warned that it left earlier state alone.
	unused bool
	// adopted is true when the job had to be taken over by adopt_existing.
	adopted bool
	// refusals are the errors that an apply after the fault ended with.
	refusals []string
	// violations are broken invariants.
	violations []string
}

func (r *result) violate(format string, args ...any) {
	r.violations = append(r.violations, fmt.Sprintf(format, args...))
}

// trial is a cell on its way.
type trial struct {
	*bench
	result
	// before is what there was when the operation began, between at the moment
	// of the next apply.
	before, between inventory
	// acted is true when the last apply had a change to make. left is true for
	// an upload that nothing needs and that such an apply has to delete.
	acted, left bool
}

// disturb runs the operation with the fault. It tells false when the operation
// does not get to that call.
func (t *trial) disturb(ctx context.Context) (hit bool, err error) {
	var kill func()
	if t.cell.fault.kills {
		kill = t.driver.victim()
	}
	if t.before, err = t.take(); err != nil {
		return false, err
	}
	t.proxy.arm(&armed{fault: t.cell.fault, call: t.cell.call, on: t.cell.on, kill: kill})
	out := t.driver.apply(ctx, t.config(t.cell.op.do))
	_, t.called = t.proxy.seen()
	t.proxy.arm(nil)
	if t.cell.op.doomed {
		if err := t.deny(t.uid(), false); err != nil {
			return false, err
		}
	}
	if t.called == "" {
		return false, nil
	}
	t.judge("the disturbed apply", out)
	if !t.cell.fault.kills && errors.Is(out.err, errDied) {
		t.violate("the provider crashed")
	}
	return true, nil
}

// judge looks at how an apply ended.
func (t *trial) judge(which string, out outcome) {
	if out.rule {
		t.violate("%s: %v", which, out.err)
	}
	if text := out.errors(); strings.Contains(text, "execute() more than once") {
		t.violate("%s blames the program: %s", which, text)
	}
	t.unused = t.unused || out.warns("left state that is not used")
	if rec, ok := t.driver.recorded(); ok && rec.Tainted {
		t.violate("%s left a tainted job, which the next apply would delete", which)
	}
}

// tries is how many applies may be needed, when each says what to do.
const tries = 3

// recover applies the next configurations and checks what has come of it.
func (t *trial) recover(ctx context.Context) error {
	var err error
	if t.between, err = t.take(); err != nil {
		return err
	}
	configs := t.cell.op.next[t.cell.with]
	for i, config := range configs {
		config, ok := t.settle(ctx, maps.Clone(config))
		if !ok {
			return nil
		}
		if i < len(configs)-1 {
			continue
		}
		t.run(12 * time.Second)
		if err := t.check(ctx, config); err != nil {
			return err
		}
		if t.left {
			return t.tidy(ctx, config)
		}
		if config == nil || config.wants().running {
			return nil
		}
		// What a suspended job is worth shows when it goes on.
		delete(config, "state")
		if config, ok = t.settle(ctx, config); ok {
			return t.check(ctx, config)
		}
	}
	return nil
}

// tidy lets an apply act: what an interrupted one uploaded must be gone then.
// Where the configuration was reverted before anything else was done, there is
// no change, and Terraform does not call a provider that might delete it.
func (t *trial) tidy(ctx context.Context, config job) error {
	if config == nil {
		t.violate("an upload is left after a destroy")
		return nil
	}
	config, ok := t.settle(ctx, config.with(job{"restart_trigger": "tidy"}))
	if !ok {
		return nil
	}
	if t.left = false; !t.acted {
		t.violate("a restart was no change")
	}
	return t.check(ctx, config)
}

// settle applies one configuration until it is reached, and returns it as it
// was applied at last.
func (t *trial) settle(ctx context.Context, config job) (job, bool) {
	for try := 1; ; try++ {
		out := t.driver.apply(ctx, t.config(config))
		t.judge("an apply after it", out)
		t.applies = max(t.applies, try)
		if !out.failed() {
			t.acted = out.acted
			return config, true
		}
		text := out.String()
		t.refusals = append(t.refusals, text)
		if t.cell.op.unowned && strings.Contains(text, "adopt_existing") {
			if !strings.Contains(text, "owner") {
				t.violate("the error names no owner: %s", text)
			}
			if now, err := t.take(); err != nil || len(now.live()) != 1 {
				t.violate("an apply without owner was refused, and %d jobs run (%v)", len(now.live()), err)
			}
			config, t.adopted = config.with(map[string]any{"adopt_existing": true}), true
		}
		if try == tries {
			t.violate("%d applies did not get there: %s", try, text)
			return config, false
		}
	}
}

// goOn is the same trial with another time and configuration of the next apply.
func (t *trial) goOn(c cell) *trial {
	other := *t
	other.cell = c
	other.refusals, other.violations = slices.Clone(t.refusals), slices.Clone(t.violations)
	return &other
}

// countCalls runs an operation undisturbed and lists its calls.
func countCalls(ctx context.Context, b *bench, op operation) ([]string, error) {
	b.proxy.arm(nil)
	if out := b.driver.apply(ctx, b.config(op.do)); out.failed() != op.doomed {
		return nil, fmt.Errorf("%s, undisturbed: %s", op.name, out)
	}
	calls, _ := b.proxy.seen()
	return calls, nil
}
