// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package jobkind

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/values"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// describe is deployment.change: what an apply does, and why. It is made of
// what is in state alone, since Terraform plans again during an apply and takes
// no other text then. So it names where a job that is dead goes on from, which
// the refresh found, and no path of one that lives.
func (c change) describe(ctx context.Context, state, plan *Model, private privateJob) string {
	observed := lifecycle.State(state.State.ValueString())
	upgrade, _ := values.As[upgradeModel](ctx, plan.Upgrade)
	mode := upgrade.Mode.ValueString()
	why := strings.Join(c.reasons, ", ")
	switch c.action {
	case actionRestart:
		if c.interrupted {
			return "go on with the interrupted apply"
		}
		return c.restartText(mode) + " (" + why + ")"
	case actionStop:
		if mode == lifecycle.ModeSavepoint || mode == "" {
			return "stop with savepoint (state " + string(observed) + " -> suspended)"
		}
		return "cancel (state " + string(observed) + " -> suspended)"
	case actionStart:
		text := "state " + string(observed) + " -> running"
		if why != "" {
			text += ", " + why
		}
		return c.startText(ctx, state, mode, private) + " (" + text + ")"
	case actionNone, actionRescale:
	}
	return ""
}

// restartText is about a job that runs.
func (c change) restartText(mode string) string {
	if c.restore {
		return "stop with savepoint, start from restore_from"
	}
	switch mode {
	case lifecycle.ModeLastState:
		return "cancel, start from the newest checkpoint"
	case lifecycle.ModeStateless:
		return "cancel, start without state"
	}
	return "stop with savepoint, start from it"
}

// startText is about a job that does not run.
func (c change) startText(ctx context.Context, state *Model, mode string, private privateJob) string {
	observed := lifecycle.State(state.State.ValueString())
	switch {
	case c.restore:
		return "start from restore_from"
	case observed == lifecycle.StateFinished:
		return "start from the beginning"
	case mode == lifecycle.ModeStateless:
		return "start without state"
	case observed == lifecycle.StateSuspended && !state.SavepointPath.IsNull():
		return "start from " + kindAndPath(state.SavepointPath.ValueString())
	case observed == lifecycle.StateSuspended && state.JobID.IsNull():
		return "start"
	}
	return "start " + originText(state.record(ctx, private))
}

// originText tells where a dead job goes on from.
func originText(rec lifecycle.Record) string {
	from := "from " + kindAndPath(rec.Origin.Path)
	switch rec.Origin.Source {
	case lifecycle.SourceFlink:
		return from
	case lifecycle.SourceDisk:
		return from + ", found on disk"
	case lifecycle.SourceHint:
		return fmt.Sprintf("%s, completed %s; a newer one may exist that could not be looked for", from, rec.LastCheckpointAt.UTC().Format(time.RFC3339))
	case lifecycle.SourceRecord:
		return from + ", since none of its own was found"
	}
	if rec.Origin.Searched {
		return "without state, since none was found"
	}
	return "from the newest savepoint or checkpoint"
}

func kindAndPath(directory string) string {
	if lifecycle.IsCheckpoint(directory) {
		return "checkpoint " + directory
	}
	return "savepoint " + directory
}
