// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package jobkind

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/diags"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/values"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// warnOfDeath says what became of a job that is started again, and what is
// restored and from where.
func (p planner) warnOfDeath(ctx context.Context, state, plan *Model, c change, private privateJob, diagnostics *diag.Diagnostics) {
	rec := state.record(ctx, private)
	next := fmt.Sprintf("This apply starts it as a new job: %s.", c.text)
	switch rec.State {
	case lifecycle.StateFailed:
		cause := rec.Failure
		if cause == "" {
			cause = "Flink tells no exception of it"
		}
		diagnostics.AddAttributeWarning(path.Root("state"), "Job "+rec.JobID+" failed", diags.Sentence(cause)+"\n\n"+next)
	case lifecycle.StateCanceled:
		diagnostics.AddAttributeWarning(path.Root("state"), "Job "+rec.JobID+" was cancelled by someone", next)
	case lifecycle.StateLost:
		diagnostics.AddAttributeWarning(path.Root("state"), "Flink does not know job "+rec.JobID+" any more",
			"Its JobManager was restarted and forgot its jobs, or the job ended long ago. "+next)
	default:
		return
	}
	upgrade, _ := values.As[upgradeModel](ctx, plan.Upgrade)
	if c.restore || private.Moved || upgrade.Mode.ValueString() == lifecycle.ModeStateless {
		return
	}
	if err := lifecycle.CheckOrigin(rec, rec.Origin); err != nil {
		diagnostics.Append(asWarning(p.kind.Failure("start", state.Name.ValueString(), err)))
	}
}

// asWarning is an error of the apply to come.
func asWarning(d diag.Diagnostic) diag.Diagnostic {
	const summary = "The apply is going to fail"
	detail := d.Summary() + ": " + d.Detail()
	if at, ok := d.(diag.DiagnosticWithPath); ok {
		return diag.NewAttributeWarningDiagnostic(at.Path(), summary, detail)
	}
	return diag.NewWarningDiagnostic(summary, detail)
}

// warnOfLoss says where a change may lose state, or cannot work.
func warnOfLoss(ctx context.Context, state, plan *Model, c change, diagnostics *diag.Diagnostics) {
	upgrade, _ := values.As[upgradeModel](ctx, plan.Upgrade)
	if upgrade.AllowNonRestoredState.ValueBool() && (c.action == actionStart || c.action == actionRestart) {
		diagnostics.Append(diags.WarningAtAttribute(path.Root("upgrade").AtName("allow_non_restored_state"), "State may be dropped",
			"State of operators that the new program does not have is lost with this start. Set it back to false afterwards."))
	}
	if upgrade.Mode.ValueString() == lifecycle.ModeStateless && c.action == actionRestart {
		diagnostics.Append(diags.WarningAtAttribute(path.Root("upgrade").AtName("mode"), "The job starts without its state",
			"With upgrade.mode = \"stateless\" the job is cancelled and starts from nothing."))
	}
	if upgrade.Drain.ValueBool() && c.action == actionRestart {
		diagnostics.Append(diags.WarningAtAttribute(path.Root("upgrade").AtName("drain"), "The sources are ended before the savepoint",
			"With upgrade.drain the job's windows fire early and its sources count as finished, so that the next start may read nothing more."))
	}
	if c.action == actionRestart && state.Status.ValueString() != "" && state.Status.ValueString() != "RUNNING" && upgrade.Mode.ValueString() == lifecycle.ModeSavepoint {
		diagnostics.Append(diags.WarningAtAttribute(path.Root("upgrade").AtName("mode"), "The job is "+state.Status.ValueString()+" and may take no savepoint",
			"A savepoint needs a job whose parts all run. If the apply fails for it, choose upgrade.mode = \"last_state\", which goes on from the newest checkpoint."))
	}
}

// warnOfLocalPaths tells of paths that are new, and that each machine of the
// cluster has its own of.
func warnOfLocalPaths(ctx context.Context, state, plan *Model, diagnostics *diag.Diagnostics) {
	before, _ := values.As[upgradeModel](ctx, state.Upgrade)
	after, _ := values.As[upgradeModel](ctx, plan.Upgrade)
	for _, one := range []struct {
		at            path.Path
		before, after types.String
	}{
		{path.Root("restore_from"), state.RestoreFrom, plan.RestoreFrom},
		{path.Root("upgrade").AtName("savepoint_directory"), before.SavepointDirectory, after.SavepointDirectory},
	} {
		if one.after.IsNull() || one.after.IsUnknown() || one.after.Equal(one.before) {
			continue
		}
		const summary, need = "The path is on the cluster's own disks", "It has to be one that each JobManager and TaskManager reaches as the same, such as a shared volume."
		switch value := one.after.ValueString(); {
		case strings.HasPrefix(value, "/"):
			diagnostics.Append(diags.WarningAtAttribute(one.at, summary, value+" has no scheme, so that Flink takes its fs.default-scheme, or else local files. "+need))
		case strings.HasPrefix(value, "file:"):
			diagnostics.Append(diags.WarningAtAttribute(one.at, summary, value+" is a local file. "+need))
		}
	}
}
