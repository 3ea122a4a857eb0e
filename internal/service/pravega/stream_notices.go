// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	api "github.com/terraform-streaming/terraform-provider-streaming/internal/client/pravega"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/diags"
)

// savepoints is what the deletion of data means to jobs: they find out when
// they start, which may be long after.
const savepoints = "Savepoints and checkpoints of jobs hold positions in the stream. Those that are older than what is kept point to data that is gone: " +
	"a suspended job that is resumed from one of them fails with a TruncatedDataException. Let such jobs read on before this is applied."

// deletion warns of an update that deletes data with consent.
func deletion(title string, current, wanted *api.Retention) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(path.Root("retention"), "This update deletes data of "+title,
		fmt.Sprintf("The stream keeps %s now; with this change it keeps %s, and allow_data_loss is true. %s It goes at the next retention cycle, within 30 minutes by default, for good.\n\n%s",
			describe(current), describe(wanted), lost(current, wanted), savepoints))
}

// lastOfOthers warns of the first update of a stream that somebody else made.
func lastOfOthers(state streamModel) diag.Diagnostic {
	detail := "The stream was imported or adopted. Pravega's REST API neither shows a maximum retention that another client may have set, nor keeps it: any update removes it, so that consumption no longer deletes data early."
	if !state.Retention.IsNull() {
		detail += " Nor does it show seconds or bytes: if the retention was set with them, this update shortens it to the whole minutes or MiB that are shown."
	}
	return diag.NewWarningDiagnostic("A maximum retention of "+state.title()+" ends with this update, if there is one", detail+" This warning ends with the first update.")
}

// merging warns of an update after which there may be fewer segments. Data is
// kept by all of them.
func merging(ctx context.Context, state, plan streamModel) diag.Diagnostics {
	var before, after scalingModel
	if plan.Scaling.IsUnknown() || plan.Scaling.Equal(state.Scaling) {
		return nil
	}
	diagnostics := state.Scaling.As(ctx, &before, basetypes.ObjectAsOptions{})
	diagnostics.Append(plan.Scaling.As(ctx, &after, basetypes.ObjectAsOptions{})...)
	if diagnostics.HasError() || after.Type.IsUnknown() || after.MinSegments.IsUnknown() {
		return diagnostics
	}
	open := before.MinSegments.ValueInt64()
	if !state.SegmentCount.IsNull() {
		open = state.SegmentCount.ValueInt64()
	}
	wanted := after.MinSegments.ValueInt64()
	fixed, wasFixed := after.Type.ValueString() == string(api.Fixed), before.Type.ValueString() == string(api.Fixed)
	const (
		readers = "More readers of a group than segments have nothing to do, and neither have more parallel parts of a Flink source."
		keeps   = "Data is kept, and so is the order of the events of a key. "
	)
	switch at := path.Root("scaling"); {
	case fixed && open > wanted:
		diagnostics.Append(diags.WarningAtAttribute(at, "Segments of "+state.title()+" will be merged",
			fmt.Sprintf("It has %s now, and exactly %d from this update on. %s%s", segments(open), wanted, keeps, readers)))
	case fixed && !wasFixed:
		diagnostics.Append(diags.WarningAtAttribute(at, state.title()+" stops scaling by itself",
			fmt.Sprintf("It has %s now, and exactly %d from this update on, whatever the load: what Pravega may have split by then is merged. %s%s", segments(open), wanted, keeps, readers)))
	case !fixed && before.MinSegments.ValueInt64() > wanted:
		diagnostics.Append(diags.WarningAtAttribute(at, "Segments of "+state.title()+" may be merged",
			fmt.Sprintf("It has %s now. This update merges none of them, but lets Pravega go down to %d when there is little load. %s%s", segments(open), wanted, keeps, readers)))
	}
	return diagnostics
}

// notYetScaled warns of an update whose policy is in force while its segments
// are not: the controller sets one after the other, and may fail between.
func notYetScaled(title string, wanted api.Scaling, count types.Int64) diag.Diagnostics {
	open := count.ValueInt64()
	if count.IsNull() || open == wanted.MinSegments || wanted.Type != api.Fixed && open > wanted.MinSegments {
		return nil
	}
	return diag.Diagnostics{diag.NewAttributeWarningDiagnostic(path.Root("segment_count"), title+" does not have its segments yet",
		fmt.Sprintf("The update was accepted, and the stream has %s where scaling asks for %d. Another change of it may have been in the way. "+
			"Refresh a little later; if it stays so, change min_segments to another number and back.", segments(open), wanted.MinSegments))}
}

func segments(n int64) string {
	if n == 1 {
		return "1 segment"
	}
	return fmt.Sprintf("%d segments", n)
}
