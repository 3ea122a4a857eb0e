// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink

import (
	"context"
	"slices"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

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

// restartReasons lists the restart attributes that differ between state and
// plan, and whether one of them is not known yet. taken over attributes are
// those that an import could not read: they differ from nothing.
func restartReasons(ctx context.Context, state, plan *jobModel, takeOver bool) (reasons []string, unknown bool) {
	add := func(name string, before, after attr.Value) {
		switch {
		case after.IsUnknown():
			unknown = true
			reasons = append(reasons, name)
		case !sameValue(before, after) && !(takeOver && before.IsNull()):
			reasons = append(reasons, name)
		}
	}
	add("name", state.Name, plan.Name)
	if differs, notKnown := jarDiffers(ctx, state, plan); differs && !(takeOver && state.Jar.IsNull()) {
		reasons, unknown = append(reasons, "jar"), unknown || notKnown
	}
	add("entry_class", state.EntryClass, plan.EntryClass)
	add("args", state.Args, plan.Args)
	add("parallelism", state.Parallelism, plan.Parallelism)
	add("max_parallelism", state.MaxParallelism, plan.MaxParallelism)
	add("configuration", state.Configuration, plan.Configuration)
	add("restart_trigger", state.RestartTrigger, plan.RestartTrigger)
	return reasons, unknown
}

// jarDiffers compares contents: an id alone changes when the cluster lost its
// uploads.
func jarDiffers(ctx context.Context, state, plan *jobModel) (differs, unknown bool) {
	if plan.Jar.IsUnknown() {
		return true, true
	}
	before, _ := as[jarModel](ctx, state.Jar)
	after, _ := as[jarModel](ctx, plan.Jar)
	switch {
	case after.SHA256.IsUnknown():
		return true, true
	case !after.SHA256.IsNull() && !before.SHA256.IsNull():
		return !after.SHA256.Equal(before.SHA256), false
	case after.ID.IsUnknown():
		return true, true
	case !after.ID.IsNull() && after.ID.Equal(before.ID):
		return false, false
	}
	return true, false
}

// sameValue tells whether two values mean the same: a null and an empty
// collection do.
func sameValue(a, b attr.Value) bool {
	if a.IsUnknown() || b.IsUnknown() {
		return false
	}
	return a.Equal(b) || empty(a) && empty(b)
}

func empty(value attr.Value) bool {
	switch v := value.(type) {
	case types.List:
		return len(v.Elements()) == 0
	case types.Map:
		return len(v.Elements()) == 0
	}
	return value.IsNull()
}

// changeOf decides what a plan does to a job that is in state.
func changeOf(ctx context.Context, state, plan *jobModel, private privateJob) change {
	var c change
	takeOver := private.Imported
	c.reasons, c.unknown = restartReasons(ctx, state, plan, takeOver)
	c.restore = !sameValue(state.RestoreTrigger, plan.RestoreTrigger) && !(takeOver && state.RestoreTrigger.IsNull())
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
func (c change) inPlace(state, plan *jobModel) change {
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
