// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package jobkind

import (
	"context"
	"slices"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/values"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// action is what a plan does to the running job.
type action int

const (
	actionNone action = iota
	actionStart
	actionStop
	actionRestart
	actionRescale
)

// change is what a plan does, and why.
type change struct {
	action action
	// reasons are the attributes that restart the job.
	reasons []string
	// unknown is true when it depends on values that apply will bring.
	unknown bool
	// restore is true when the job starts from restore_from.
	restore bool
	// interrupted is true when it goes on with what an interrupted apply began.
	interrupted bool
	// text is deployment.change.
	text string
}

// Differences collects the attributes whose change restarts a job.
type Differences struct {
	// TakeOver is true while the configuration of an imported job is not known:
	// what its state does not have differs from nothing.
	TakeOver bool

	reasons []string
	unknown bool
}

// Compare looks at one attribute, in state and in the plan.
func (d *Differences) Compare(name string, before, after attr.Value) {
	switch {
	case after.IsUnknown():
		d.Found(name, true)
	case !values.Same(before, after) && !(d.TakeOver && before.IsNull()):
		d.Found(name, false)
	}
}

// Found notes an attribute that differs, or of which it is not known yet.
func (d *Differences) Found(name string, unknown bool) {
	d.reasons, d.unknown = append(d.reasons, name), d.unknown || unknown
}

// Reasons are the attributes that were found.
func (d *Differences) Reasons() []string { return d.reasons }

// differences lists the restart attributes that differ between state and plan.
// own adds those of the kind.
func differences(ctx context.Context, state, plan *Model, takeOver bool, own func(*Differences)) *Differences {
	d := &Differences{TakeOver: takeOver}
	d.Compare("name", state.Name, plan.Name)
	own(d)
	d.Compare("parallelism", state.Parallelism, plan.Parallelism)
	d.Compare("max_parallelism", state.MaxParallelism, plan.MaxParallelism)
	d.Compare("configuration", state.Configuration, plan.Configuration)
	compareBundle(ctx, state, plan, d)
	comparePython(ctx, state, plan, d)
	d.Compare("restart_trigger", state.RestartTrigger, plan.RestartTrigger)
	return d
}

// changeOf decides what a plan does to a job that is in state.
func changeOf(ctx context.Context, state, plan *Model, private privateJob, own func(*Differences)) change {
	takeOver := private.Imported
	d := differences(ctx, state, plan, takeOver, own)
	c := change{reasons: d.reasons, unknown: d.unknown}
	c.restore = !values.Same(state.RestoreTrigger, plan.RestoreTrigger) && !(takeOver && state.RestoreTrigger.IsNull())
	if c.restore {
		c.reasons = append(c.reasons, "restore_trigger")
	}
	observed := lifecycle.State(state.State.ValueString())
	if plan.State.IsUnknown() {
		c.unknown = true
	}
	switch {
	case plan.State.ValueString() == string(lifecycle.StateSuspended):
		if observed == lifecycle.StateRunning || observed == lifecycle.StateInterrupted {
			c.action = actionStop
		}
	case observed == lifecycle.StateRunning:
		if len(c.reasons) > 0 {
			c.action = actionRestart
		}
	case observed == lifecycle.StateInterrupted:
		c.action, c.interrupted = actionRestart, true
	case observed == lifecycle.StateFinished && plan.OnFinished.ValueString() == "keep" && len(c.reasons) == 0:
	default:
		c.action = actionStart
	}
	c.text = c.describe(ctx, state, plan, private)
	return c
}

// parallelismAlone tells whether a restart has no other reason.
func (c change) parallelismAlone() bool {
	return c.action == actionRestart && !c.unknown && !c.interrupted && slices.Equal(c.reasons, []string{"parallelism"})
}

// inPlace is the change without a restart.
func (c change) inPlace(state, plan *Model) change {
	words := func(value types.Int64) string {
		if value.IsNull() {
			return "default"
		}
		return strconv.FormatInt(value.ValueInt64(), 10)
	}
	c.action = actionRescale
	c.text = "rescale in place (parallelism " + words(state.Parallelism) + " -> " + words(plan.Parallelism) + ")"
	return c
}
