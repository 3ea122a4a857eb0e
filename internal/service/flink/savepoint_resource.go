// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	client "github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/base"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/diags"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/values"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/jobkind"
)

// SavepointType is the resource type of a savepoint.
const SavepointType = "streaming_flink_savepoint"

var (
	_ resource.ResourceWithConfigure      = (*savepointResource)(nil)
	_ resource.ResourceWithModifyPlan     = (*savepointResource)(nil)
	_ resource.ResourceWithImportState    = (*savepointResource)(nil)
	_ resource.ResourceWithIdentity       = (*savepointResource)(nil)
	_ resource.ResourceWithValidateConfig = (*savepointResource)(nil)
)

type savepointResource struct {
	base.Resource
}

// NewSavepointResource returns the resource of a savepoint.
func NewSavepointResource() resource.Resource { return &savepointResource{} }

type savepointIdentity struct {
	Path types.String `tfsdk:"path"`
}

// Metadata names the resource.
func (r *savepointResource) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = SavepointType
}

// Schema describes the attributes.
func (r *savepointResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = savepointSchema()
}

// IdentitySchema describes what a savepoint is imported by.
func (r *savepointResource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{Attributes: map[string]identityschema.Attribute{
		"path": identityschema.StringAttribute{RequiredForImport: true, Description: "The path of the savepoint."},
	}}
}

// Create takes the savepoint, or the one that an interrupted create took. With
// an error it keeps nothing.
func (r *savepointResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan savepointModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	engine, diagnostics := jobkind.Engine(r.Data, &resp.Diagnostics)
	resp.Diagnostics.Append(diagnostics...)
	if resp.Diagnostics.HasError() {
		return
	}
	timeouts, _ := values.As[savepointTimeoutsModel](ctx, plan.Timeouts)
	ctx, cancel := context.WithTimeout(ctx, limitOf(timeouts.Create, 10*time.Minute))
	defer cancel()
	taken, err := engine.TakeSavepoint(ctx, lifecycle.SavepointOrder{
		JobID: plan.JobID.ValueString(), Trigger: plan.Trigger.ValueString(),
		Directory: plan.Directory.ValueString(), Format: client.SavepointFormat(plan.FormatType.ValueString()),
	}, &r.Data.Savepoints)
	if err != nil {
		resp.Diagnostics.Append(savepointError("take a savepoint of job "+plan.JobID.ValueString(), err))
		return
	}
	plan.ID, plan.Path = types.StringValue(taken.Path), types.StringValue(taken.Path)
	plan.CreatedAt = types.StringValue(taken.At.UTC().Format(time.RFC3339))
	plan.Cluster = types.StringValue(engine.Client.Endpoint())
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
	if resp.Identity != nil {
		resp.Diagnostics.Append(resp.Identity.Set(ctx, savepointIdentity{Path: plan.Path})...)
	}
}

// Read looks whether the files are there. What became of the job does not
// matter.
func (r *savepointResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state savepointModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if resp.Identity != nil {
		// Wanted by the framework also for a resource that turns out to be gone.
		resp.Diagnostics.Append(resp.Identity.Set(ctx, savepointIdentity{Path: state.Path})...)
	}
	engine, diagnostics := jobkind.Engine(r.Data, &resp.Diagnostics)
	resp.Diagnostics.Append(diagnostics...)
	if resp.Diagnostics.HasError() {
		return
	}
	location := state.Path.ValueString()
	exists, known, err := engine.SavepointExists(ctx, location)
	if err != nil {
		resp.Diagnostics.Append(diags.Error("Cannot look for the savepoint "+location, err))
		return
	}
	elsewhere := state.Cluster.ValueString() != engine.Client.Endpoint()
	switch {
	case exists && elsewhere:
		// The same storage, seen from another cluster or address.
		state.Cluster = types.StringValue(engine.Client.Endpoint())
	case known && !exists && elsewhere:
		resp.Diagnostics.AddWarning("The savepoint cannot be seen from this cluster",
			fmt.Sprintf("%s was taken on %s, and the cluster that the provider configuration names now does not see it. It stays in state, and nothing is planned for it. "+
				"Correct the endpoint, or give the savepoint up with terraform state rm.", location, state.Cluster.ValueString()))
	case known && !exists:
		resp.Diagnostics.AddWarning("A savepoint is gone",
			location+" is not there any more, or has lost its metadata: somebody deleted it. It is removed from state, so that the plan shows a new one. If the storage is only unmounted for a while, do not apply.")
		resp.State.RemoveResource(ctx)
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
}

// Update stores what needs no savepoint.
func (r *savepointResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan savepointModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(resp.Private.SetKey(ctx, importedKey, []byte("false"))...)
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
	if resp.Identity != nil {
		resp.Diagnostics.Append(resp.Identity.Set(ctx, savepointIdentity{Path: plan.Path})...)
	}
}

// Delete leaves the files unless dispose_on_destroy in state says otherwise.
func (r *savepointResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state savepointModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	location := state.Path.ValueString()
	dispose := state.DisposeOnDestroy.ValueBool()
	engine, diagnostics := jobkind.Engine(r.Data, &resp.Diagnostics)
	if dispose {
		resp.Diagnostics.Append(diagnostics...)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	if diagnostics.HasError() {
		// To leave files alone needs no cluster.
		engine = &lifecycle.Engine{}
	}
	timeouts, _ := values.As[savepointTimeoutsModel](ctx, state.Timeouts)
	ctx, cancel := context.WithTimeout(ctx, limitOf(timeouts.Delete, 10*time.Minute))
	defer cancel()
	if dispose && state.Cluster.ValueString() != engine.Client.Endpoint() {
		exists, known, err := engine.SavepointExists(ctx, location)
		if err != nil {
			resp.Diagnostics.Append(diags.Error("Cannot look for the savepoint "+location, err))
			return
		}
		if known && !exists {
			resp.Diagnostics.AddWarning("The files of the savepoint may stay",
				fmt.Sprintf("%s was taken on %s, and the cluster that the provider configuration names now does not see it. Nothing was deleted.", location, state.Cluster.ValueString()))
			return
		}
	}
	stays, err := engine.EndSavepoint(ctx, location, dispose, &r.Data.Savepoints)
	switch {
	case err != nil:
		resp.Diagnostics.Append(savepointError("delete the savepoint "+location, err))
	case stays != "":
		resp.Diagnostics.AddWarning("The savepoint "+location+" stays", "Its files are not deleted: "+stays+".")
	case !dispose:
		resp.Diagnostics.AddWarning("The files of the savepoint stay",
			"They are at "+location+". A job can go on from there with restore_from. To delete them with the resource, apply dispose_on_destroy = true before.")
	}
}

// ImportState takes the path. What Flink cannot tell of a savepoint is taken
// over from the configuration.
func (r *savepointResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	location := req.ID
	if location == "" && req.Identity != nil {
		var identity savepointIdentity
		resp.Diagnostics.Append(req.Identity.Get(ctx, &identity)...)
		location = identity.Path.ValueString()
	}
	engine, diagnostics := jobkind.Engine(r.Data, &resp.Diagnostics)
	resp.Diagnostics.Append(diagnostics...)
	if resp.Diagnostics.HasError() {
		return
	}
	if !savepointPath.MatchString(location) {
		resp.Diagnostics.AddAttributeError(path.Root("path"), "Cannot import the savepoint "+location,
			"A savepoint is imported by its path, with a scheme or absolute, such as s3://bucket/savepoints/savepoint-1a2b3c-4d5e6f.")
		return
	}
	exists, known, err := engine.SavepointExists(ctx, location)
	switch {
	case err != nil:
		resp.Diagnostics.Append(diags.Error("Cannot import the savepoint "+location, err))
	case !known:
		resp.Diagnostics.AddWarning("Whether the savepoint exists is not known", "The cluster cannot look at "+location+". It is imported as it is named.")
	case !exists:
		resp.Diagnostics.AddError("Cannot import the savepoint "+location, "There is no complete savepoint: the cluster finds no _metadata in it.")
	}
	if resp.Diagnostics.HasError() {
		return
	}
	state := savepointModel{
		ID: types.StringValue(location), Path: types.StringValue(location), Cluster: types.StringValue(engine.Client.Endpoint()),
		DisposeOnDestroy: types.BoolValue(false), Timeouts: types.ObjectNull(savepointTimeoutsTypes),
	}
	resp.Diagnostics.Append(resp.Private.SetKey(ctx, importedKey, []byte("true"))...)
	resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
	if resp.Identity != nil {
		resp.Diagnostics.Append(resp.Identity.Set(ctx, savepointIdentity{Path: state.Path})...)
	}
}
