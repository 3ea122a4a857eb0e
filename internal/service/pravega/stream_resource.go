// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	api "github.com/terraform-streaming/terraform-provider-streaming/internal/client/pravega"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/base"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/customtypes"
)

// StreamType is the resource's type name.
const StreamType = "streaming_pravega_stream"

var (
	_ resource.ResourceWithConfigure      = (*streamResource)(nil)
	_ resource.ResourceWithIdentity       = (*streamResource)(nil)
	_ resource.ResourceWithImportState    = (*streamResource)(nil)
	_ resource.ResourceWithModifyPlan     = (*streamResource)(nil)
	_ resource.ResourceWithValidateConfig = (*streamResource)(nil)
)

// NewStreamResource makes the stream resource.
func NewStreamResource() resource.Resource { return &streamResource{} }

type streamResource struct {
	base.Resource
}

// Metadata names the type.
func (r *streamResource) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = StreamType
}

// Create creates the stream, or takes over one that exists if that is allowed.
// It never returns an error beside a state: that would taint the stream, and
// the next apply would delete it.
func (r *streamResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan streamModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	client := clientOf(r.Data, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	config, more := plan.config(ctx)
	resp.Diagnostics.Append(more...)
	if resp.Diagnostics.HasError() {
		return
	}
	scope, name := plan.Scope.ValueString(), plan.Name.ValueString()
	stream, err := client.CreateStream(ctx, scope, name, config)
	adopted := errors.Is(err, api.ErrExists) && plan.AdoptExisting.ValueBool()
	if adopted {
		stream, err = client.Stream(ctx, scope, name)
	}
	switch {
	case errors.Is(err, api.ErrExists):
		resp.Diagnostics.Append(exists(plan.title(), StreamType, scope+"/"+name))
		return
	case err != nil:
		resp.Diagnostics.Append(failure("Cannot create "+plan.title(), err))
		return
	}
	if adopted {
		resp.Diagnostics.Append(adoption(plan, stream.StreamConfig, config))
	}
	plan.ID = plan.id()
	plan.SegmentCount = countSegments(ctx, client, plan, types.Int64Null(), &resp.Diagnostics)
	store(ctx, resp.Private, keyEndpoint, client.Endpoint(), &resp.Diagnostics)
	store(ctx, resp.Private, keyForeign, adopted, &resp.Diagnostics)
	resp.Diagnostics.Append(resp.State.Set(ctx, plan)...)
	resp.Diagnostics.Append(resp.Identity.Set(ctx, plan.identity())...)
}

// adoption says what was taken over. The state holds what was planned, as
// Terraform demands; the next refresh puts in what is there.
func adoption(plan streamModel, is, wanted api.StreamConfig) diag.Diagnostic {
	detail := "It was not created by this apply, and adopt_existing is true. Nothing of it was changed. From now on destroying this resource deletes it with its data."
	if differ := differences(is, wanted); differ != "" {
		detail += "\n\nIt differs from the configuration; the next plan shows this as an update in place:\n" + differ
	}
	return diag.NewWarningDiagnostic(plan.title()+" existed and was taken over", detail)
}

// countSegments reads the number of segments. That it cannot be read is no
// reason to fail what was done.
func countSegments(ctx context.Context, client *api.Client, m streamModel, otherwise types.Int64, diagnostics *diag.Diagnostics) types.Int64 {
	count, err := client.SegmentCount(ctx, m.Scope.ValueString(), m.Name.ValueString())
	if err != nil {
		diagnostics.AddAttributeWarning(path.Root("segment_count"), "Cannot read the number of segments of "+m.title(),
			fmt.Sprintf("%s. The next refresh tries again.", err))
		return otherwise
	}
	return types.Int64Value(count)
}

// Read takes over what the controller shows.
func (r *streamResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state streamModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	client := clientOf(r.Data, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	// The framework wants an identity even beside a state that is removed.
	resp.Diagnostics.Append(resp.Identity.Set(ctx, state.identity())...)
	scope, name := state.Scope.ValueString(), state.Name.ValueString()
	seen := load[string](ctx, req.Private, keyEndpoint, &resp.Diagnostics)
	stream, err := client.Stream(ctx, scope, name)
	var segments int64
	if err == nil {
		segments, err = client.SegmentCount(ctx, scope, name)
	}
	switch {
	case errors.Is(err, api.ErrNotFound):
		resp.Diagnostics.Append(gone(state.title(), seen, client.Endpoint())...)
		resp.State.RemoveResource(ctx)
		return
	case err != nil:
		resp.Diagnostics.Append(failure("Cannot read "+state.title(), err))
		return
	}
	resp.Diagnostics.Append(moved(state.title(), seen, client.Endpoint())...)
	resp.Diagnostics.Append(state.refresh(ctx, stream, segments)...)
	store(ctx, resp.Private, keyEndpoint, client.Endpoint(), &resp.Diagnostics)
	store(ctx, resp.Private, keyRetention, hide(stream.Retention), &resp.Diagnostics)
	resp.Diagnostics.Append(resp.State.Set(ctx, state)...)
}

// Update sends the whole configuration, unless only what concerns the provider
// alone has changed. Whether data would be lost is checked again, against the
// stream as it is now: it may have changed since the plan.
func (r *streamResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var state, plan streamModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	plan.ID = plan.id()
	if plan.sends(state) {
		// What concerns the provider alone is kept even when the rest fails.
		partial := state
		partial.DeletionProtection, partial.AllowDataLoss = plan.DeletionProtection, plan.AllowDataLoss
		partial.AllowRetentionReset, partial.AdoptExisting = plan.AllowRetentionReset, plan.AdoptExisting
		resp.Diagnostics.Append(resp.State.Set(ctx, partial)...)
		r.send(ctx, &plan, state, resp)
		if resp.Diagnostics.HasError() {
			return
		}
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, plan)...)
	resp.Diagnostics.Append(resp.Identity.Set(ctx, plan.identity())...)
}

func (r *streamResource) send(ctx context.Context, plan *streamModel, state streamModel, resp *resource.UpdateResponse) {
	client := clientOf(r.Data, &resp.Diagnostics)
	config, more := plan.config(ctx)
	resp.Diagnostics.Append(more...)
	if resp.Diagnostics.HasError() {
		return
	}
	_, err := client.UpdateStream(ctx, plan.Scope.ValueString(), plan.Name.ValueString(), config, func(now api.Stream) error {
		if refusal := plan.consent(now.Retention, config.Retention); refusal != nil {
			return refusal
		}
		return nil
	})
	var refusal *refusedError
	switch {
	case errors.As(err, &refusal):
		resp.Diagnostics.AddAttributeError(path.Root("retention"), refusal.summary, "The stream has changed since the plan was made, or the plan did not read it. "+refusal.detail)
		return
	case errors.Is(err, api.ErrBusy):
		problem := failure("Cannot update "+plan.title(), err)
		resp.Diagnostics.AddError(problem.Summary(), problem.Detail()+
			"\n\nA sealed stream can only be deleted and created again, without its data. Otherwise apply again: what has been reached is found, and the rest is gone on with.")
		return
	case err != nil:
		resp.Diagnostics.Append(failure("Cannot update "+plan.title(), err))
		return
	}
	store(ctx, resp.Private, keyForeign, false, &resp.Diagnostics)
	store(ctx, resp.Private, keyRetention, hiddenRetention{}, &resp.Diagnostics)
	if plan.SegmentCount.IsUnknown() {
		plan.SegmentCount = countSegments(ctx, client, *plan, state.SegmentCount, &resp.Diagnostics)
		resp.Diagnostics.Append(notYetScaled(plan.title(), config.Scaling, plan.SegmentCount)...)
	}
}

// Delete seals the stream and deletes it with its data.
func (r *streamResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state streamModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if state.DeletionProtection.ValueBool() {
		resp.Diagnostics.Append(protected(state.title(), "delete"))
		return
	}
	client := clientOf(r.Data, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	seen := load[string](ctx, req.Private, keyEndpoint, &resp.Diagnostics)
	if elsewhere := unseen(state.title(), seen, client.Endpoint()); elsewhere != nil {
		if _, err := client.Stream(ctx, state.Scope.ValueString(), state.Name.ValueString()); !errors.Is(err, api.ErrNotFound) {
			resp.Diagnostics.Append(elsewhere...)
		}
		return
	}
	if err := client.DeleteStream(ctx, state.Scope.ValueString(), state.Name.ValueString()); err != nil {
		problem := failure("Cannot delete "+state.title(), err)
		resp.Diagnostics.AddError(problem.Summary(), problem.Detail()+
			"\n\nThe stream may be sealed by now, which cannot be undone: its data can be read, but nothing can be written to it. Destroy again to delete it.")
	}
}

// ImportState takes "scope/stream", or the identity.
func (r *streamResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	given := req.ID
	scope, name, found := strings.Cut(given, "/")
	if given == "" && req.Identity != nil {
		var identity streamIdentity
		resp.Diagnostics.Append(req.Identity.Get(ctx, &identity)...)
		scope, name, found = identity.Scope.ValueString(), identity.Name.ValueString(), true
		given = scope + "/" + name
	}
	wrong := checkName(scope, maxScopeName)
	if wrong == "" {
		wrong = checkName(name, maxStreamName)
	}
	if !found {
		wrong = "There is no slash in it."
	}
	if wrong != "" {
		resp.Diagnostics.AddError("Not the id of a Pravega stream",
			fmt.Sprintf("%q is not a scope and a stream. %s Import a stream by scope and name with a slash between, such as \"orders/clicks\".", given, wrong))
		return
	}
	model := importedStream(scope, name)
	store(ctx, resp.Private, keyForeign, true, &resp.Diagnostics)
	resp.Diagnostics.Append(resp.State.Set(ctx, model)...)
	resp.Diagnostics.Append(resp.Identity.Set(ctx, model.identity())...)
}

// importedStream is a stream of which nothing is known but where it is.
func importedStream(scope, name string) *streamModel {
	no := types.BoolValue(false)
	model := &streamModel{
		Scope: types.StringValue(scope), Name: types.StringValue(name),
		Scaling: types.ObjectNull(scalingTypes), Retention: types.ObjectNull(retentionTypes), Tags: types.SetNull(types.StringType),
		AggregationTimeout: customtypes.NewDurationNull(), RolloverSize: customtypes.NewMemorySizeNull(),
		DeletionProtection: no, AllowDataLoss: no, AllowRetentionReset: no, AdoptExisting: no,
	}
	model.ID = model.id()
	return model
}
