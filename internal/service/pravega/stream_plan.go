// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	api "github.com/terraform-streaming/terraform-provider-streaming/internal/client/pravega"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/diags"
)

// ValidateConfig checks what concerns more than one attribute.
func (r *streamResource) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	var config streamModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(checkScaling(ctx, config.Scaling)...)
	resp.Diagnostics.Append(checkRetention(ctx, config.Retention)...)
}

func checkScaling(ctx context.Context, object types.Object) diag.Diagnostics {
	if object.IsNull() || object.IsUnknown() {
		return nil
	}
	var scaling scalingModel
	diagnostics := object.As(ctx, &scaling, basetypes.ObjectAsOptions{})
	if diagnostics.HasError() || scaling.Type.IsNull() || scaling.Type.IsUnknown() {
		return diagnostics
	}
	fixed := scaling.Type.ValueString() == string(api.Fixed)
	for name, value := range map[string]types.Int64{"target_rate": scaling.TargetRate, "scale_factor": scaling.ScaleFactor} {
		at := path.Root("scaling").AtName(name)
		switch {
		case fixed && !value.IsNull() && !value.IsUnknown():
			diagnostics.Append(diags.AtAttribute(at, name+" has no effect with a fixed number of segments",
				fmt.Sprintf("Pravega drops it silently with type = %q. Remove it, or use %q or %q.", api.Fixed, api.RateInEvents, api.RateInKBytes)))
		case !fixed && value.IsNull():
			diagnostics.Append(diags.AtAttribute(at, name+" is missing",
				fmt.Sprintf("Scaling by rate (type = %q) needs target_rate, scale_factor and min_segments.", scaling.Type.ValueString())))
		}
	}
	return diagnostics
}

func checkRetention(ctx context.Context, object types.Object) diag.Diagnostics {
	if object.IsNull() || object.IsUnknown() {
		return nil
	}
	var retention retentionModel
	diagnostics := object.As(ctx, &retention, basetypes.ObjectAsOptions{})
	switch {
	case diagnostics.HasError():
	case retention.Time.IsNull() && retention.Size.IsNull():
		diagnostics.AddAttributeError(path.Root("retention"), "Retention has neither time nor size",
			"Set one of them, such as retention = { time = \"7d\" }, or leave retention out to keep data for ever.")
	case !retention.Time.IsNull() && !retention.Size.IsNull():
		// An unknown value may still turn out to be null.
		if !retention.Time.IsUnknown() && !retention.Size.IsUnknown() {
			diagnostics.AddAttributeError(path.Root("retention"), "Retention has both time and size", "Pravega limits a stream by time or by size, not by both. Set one of them.")
		}
	}
	return diagnostics
}

// ModifyPlan removes diffs of spelling, and fails where data would be lost
// without consent. It asks nothing of the controller.
func (r *streamResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	var state, plan streamModel
	if !req.State.Raw.IsNull() {
		resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	}
	if req.Plan.Raw.IsNull() {
		if state.DeletionProtection.ValueBool() {
			resp.Diagnostics.Append(protected(state.title(), "destroy"))
		}
		return
	}
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	plan.ID = plan.id()
	switch {
	case req.State.Raw.IsNull():
		plan.SegmentCount = types.Int64Unknown()
	case !plan.Scope.Equal(state.Scope) || !plan.Name.Equal(state.Name):
		plan.SegmentCount = types.Int64Unknown()
		resp.Diagnostics.Append(replacement(state, plan)...)
	default:
		resp.Diagnostics.Append(plan.keepSpelling(ctx, state)...)
		hidden := load[hiddenRetention](ctx, req.Private, keyRetention, &resp.Diagnostics)
		foreign := load[bool](ctx, req.Private, keyForeign, &resp.Diagnostics)
		resp.Diagnostics.Append(plannedUpdate(ctx, state, plan, hidden.retention(), foreign)...)
	}
	if plan.AllowDataLoss.ValueBool() {
		resp.Diagnostics.AddAttributeWarning(path.Root("allow_data_loss"), "allow_data_loss is set",
			"A change of retention that deletes data is not stopped while allow_data_loss is true. Remove it once the change was applied.")
	}
	resp.Diagnostics.Append(resp.Plan.Set(ctx, plan)...)
}

// replacement refuses to replace a protected stream, and warns of what a
// replacement does.
func replacement(state, plan streamModel) diag.Diagnostics {
	if state.DeletionProtection.ValueBool() {
		return diag.Diagnostics{protected(state.title(), "replace")}
	}
	attribute := path.Root("name")
	if !plan.Scope.Equal(state.Scope) {
		attribute = path.Root("scope")
	}
	return diag.Diagnostics{diag.NewAttributeWarningDiagnostic(attribute, state.title()+" will be replaced, and its data deleted",
		"Pravega can neither rename nor move a stream: it is sealed and deleted with all events in it, and an empty one is created. That cannot be undone. "+
			"To keep the data, undo this change, or add a second resource and move the readers and writers first.")}
}

// keepSpelling takes over from the state what means the same, and what only an
// update of the scaling can change.
func (m *streamModel) keepSpelling(ctx context.Context, state streamModel) diag.Diagnostics {
	var diagnostics diag.Diagnostics
	planned, known := retentionOf(ctx, m.Retention, &diagnostics)
	before, _ := retentionOf(ctx, state.Retention, &diagnostics)
	if known && planned != nil && planned.Equal(before) {
		m.Retention = state.Retention
	}
	if m.AggregationTimeout.Same(state.AggregationTimeout) {
		m.AggregationTimeout = state.AggregationTimeout
	}
	if m.RolloverSize.Same(state.RolloverSize) {
		m.RolloverSize = state.RolloverSize
	}
	m.ID, m.SegmentCount = state.ID, state.SegmentCount
	if !m.Scaling.Equal(state.Scaling) {
		m.SegmentCount = types.Int64Unknown()
	}
	return diagnostics
}

// sends tells whether an update from state to m needs a request. All else
// concerns the provider alone.
func (m *streamModel) sends(state streamModel) bool {
	return !m.Scaling.Equal(state.Scaling) || !m.Retention.Equal(state.Retention) || !m.Tags.Equal(state.Tags) ||
		!m.AggregationTimeout.Equal(state.AggregationTimeout) || !m.RolloverSize.Equal(state.RolloverSize)
}

// plannedUpdate checks an update in place. hidden is a retention that the
// state cannot show, foreign says that there may be a maximum of somebody else's.
func plannedUpdate(ctx context.Context, state, plan streamModel, hidden *api.Retention, foreign bool) diag.Diagnostics {
	var diagnostics diag.Diagnostics
	if !plan.sends(state) {
		return nil
	}
	if foreign {
		diagnostics.Append(lastOfOthers(state))
	}
	diagnostics.Append(merging(ctx, state, plan)...)
	wanted, known := retentionOf(ctx, plan.Retention, &diagnostics)
	if !known || plan.AllowDataLoss.IsUnknown() || plan.AllowRetentionReset.IsUnknown() {
		// Update checks again, with everything known.
		return diagnostics
	}
	current, _ := retentionOf(ctx, state.Retention, &diagnostics)
	if hidden != nil {
		current = hidden
	}
	if refusal := plan.consent(current, wanted); refusal != nil {
		diagnostics.Append(diag.NewAttributeErrorDiagnostic(path.Root("retention"), refusal.summary, refusal.detail))
		return diagnostics
	}
	if lost(current, wanted) != "" {
		diagnostics.Append(deletion(state.title(), current, wanted))
	}
	if current != nil && current.Inexact && wanted == nil && plan.AllowRetentionReset.ValueBool() {
		diagnostics.AddAttributeWarning(path.Root("retention"), "The retention of "+state.title()+" is removed by this update",
			fmt.Sprintf("Another client set it to %s, which REST cannot express, and allow_retention_reset is true. Nothing is deleted; from then on data is kept for ever.", describe(current)))
	}
	return diagnostics
}

// refusedError is a change of retention that nobody consented to.
type refusedError struct{ summary, detail string }

func (e *refusedError) Error() string { return e.summary + ": " + e.detail }

// consent returns nil if the retention may change from current to wanted.
func (m *streamModel) consent(current, wanted *api.Retention) *refusedError {
	if current != nil && current.Inexact && wanted == nil && !m.AllowRetentionReset.ValueBool() {
		return &refusedError{
			summary: "The retention of " + m.title() + " would be removed",
			detail: fmt.Sprintf("Another client set it to %s. REST cannot express that, so it reads as unset, and any update replaces it. "+
				"State the retention that you want, or set allow_retention_reset = true to keep data for ever from now on.", describe(current)),
		}
	}
	loss := lost(current, wanted)
	if loss == "" || m.AllowDataLoss.ValueBool() {
		return nil
	}
	return &refusedError{
		summary: "The retention of " + m.title() + " would delete data",
		detail: fmt.Sprintf("The stream keeps %s now; with this change it keeps %s. %s Pravega deletes it at the next retention cycle, within 30 minutes by default, "+
			"and raising the retention again does not bring it back.\n\n%s\n\nIf that is meant, set allow_data_loss = true for this apply. "+
			"If it is not, set retention to at least what the stream has now, or leave it out to keep data for ever.", describe(current), describe(wanted), loss, savepoints),
	}
}

// lost says what data a change of retention may delete, "" if none.
func lost(current, wanted *api.Retention) string {
	switch {
	case wanted == nil:
		return ""
	case current == nil, current.Kind != wanted.Kind:
	case current.Inexact && wanted.Amount > current.Amount, !current.Inexact && wanted.Amount >= current.Amount:
		// What is inexact is less than one unit more than the amount.
		return ""
	}
	if wanted.Kind == api.RetainTime {
		return fmt.Sprintf("Events older than %s would be lost.", describe(wanted))
	}
	return fmt.Sprintf("All but the newest %s of events would be lost.", describe(wanted))
}
