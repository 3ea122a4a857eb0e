// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	api "github.com/terraform-streaming/terraform-provider-streaming/internal/client/pravega"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/base"
)

// ScopeType is the resource's type name.
const ScopeType = "streaming_pravega_scope"

var (
	_ resource.ResourceWithConfigure   = (*scopeResource)(nil)
	_ resource.ResourceWithIdentity    = (*scopeResource)(nil)
	_ resource.ResourceWithImportState = (*scopeResource)(nil)
	_ resource.ResourceWithModifyPlan  = (*scopeResource)(nil)
)

// NewScopeResource makes the scope resource.
func NewScopeResource() resource.Resource { return &scopeResource{} }

type scopeResource struct {
	base.Resource
}

type scopeModel struct {
	ID                 types.String `tfsdk:"id"`
	Name               types.String `tfsdk:"name"`
	ForceDestroy       types.Bool   `tfsdk:"force_destroy"`
	DeletionProtection types.Bool   `tfsdk:"deletion_protection"`
	AdoptExisting      types.Bool   `tfsdk:"adopt_existing"`
}

type scopeIdentity struct {
	Name types.String `tfsdk:"name"`
}

// Metadata names the type.
func (r *scopeResource) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = ScopeType
}

// IdentitySchema describes what tells one scope from another.
func (r *scopeResource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{Attributes: map[string]identityschema.Attribute{
		"name": identityschema.StringAttribute{RequiredForImport: true, Description: "Name of the scope."},
	}}
}

// Schema describes the attributes.
func (r *scopeResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = scopeChanges().Describe(schema.Schema{
		MarkdownDescription: "A Pravega scope: a namespace of streams, reader groups and key-value tables. A scope has a name and nothing else that could be changed.\n\n" +
			"Facts about limits and answers were measured on Pravega 0.13.0.",
		Attributes: map[string]schema.Attribute{
			"id": schema.StringAttribute{
				Computed: true, MarkdownDescription: "The scope's name.",
			},
			"name": schema.StringAttribute{
				Required: true,
				MarkdownDescription: fmt.Sprintf("Name of the scope: 1 to %d of the characters `a-z`, `A-Z`, `0-9`, `.` and `-`, case-sensitive. ", maxScopeName) +
					"Names that start with `_` belong to Pravega, and `.` and `..` are refused, since HTTP clients resolve them.",
				Validators:    []validator.String{nameValidator{what: "scope", limit: maxScopeName}},
				PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplace()},
			},
			"force_destroy": schema.BoolAttribute{
				Optional: true, Computed: true, Default: booldefault.StaticBool(false),
				MarkdownDescription: "Whether destroying the scope first deletes **every stream in it with all data**, and every reader group, also those that Terraform does not manage. " +
					"Key-value tables can neither be seen nor deleted over REST; a scope that holds one cannot be destroyed. Default `false`: destroying a scope that is not empty fails and names what is in it. " +
					"Must be applied before it has an effect, since destroy goes by the state.",
			},
			"deletion_protection": protectionAttribute("scope"),
			"adopt_existing": schema.BoolAttribute{
				Optional: true, Computed: true, Default: booldefault.StaticBool(false),
				MarkdownDescription: "Whether a scope of this name that exists already, for example because a connector created it, is taken over at create. " +
					"Default `false`: the create fails and says how to import it.",
			},
		},
	})
}

func protectionAttribute(what string) schema.BoolAttribute {
	return schema.BoolAttribute{
		Optional: true, Computed: true, Default: booldefault.StaticBool(false),
		MarkdownDescription: fmt.Sprintf("Whether the %s cannot be destroyed or replaced. It is checked when a destroy or a replacement is planned, and again before anything is deleted, always by the value in state: "+
			"to delete a protected %s, set it to `false` and apply that first. Default `false`.", what, what),
	}
}

// ModifyPlan checks the protection, and says what a replacement does.
func (r *scopeResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	var state, plan scopeModel
	if !req.State.Raw.IsNull() {
		resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	}
	if req.Plan.Raw.IsNull() {
		if state.DeletionProtection.ValueBool() {
			resp.Diagnostics.Append(protected(scopeTitle(state.Name.ValueString()), "destroy"))
			return
		}
		if state.ForceDestroy.ValueBool() {
			resp.Diagnostics.Append(r.emptied(ctx, state.Name.ValueString())...)
		}
		return
	}
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	// A scope is known by its name.
	resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("id"), plan.Name)...)
	if req.State.Raw.IsNull() || plan.Name.Equal(state.Name) {
		return
	}
	title := scopeTitle(state.Name.ValueString())
	if state.DeletionProtection.ValueBool() {
		resp.Diagnostics.Append(protected(title, "replace"))
		return
	}
	detail := "A scope cannot be renamed: it is deleted, and one of the new name is created. It must be empty by then; streams that are not destroyed in the same run make the apply fail."
	if state.ForceDestroy.ValueBool() {
		detail = "A scope cannot be renamed: it is deleted, and since its state has force_destroy = true, every stream and reader group in it with all data before it. That cannot be undone."
	}
	resp.Diagnostics.AddAttributeWarning(path.Root("name"), title+" will be replaced", detail)
	if state.ForceDestroy.ValueBool() {
		resp.Diagnostics.Append(r.emptied(ctx, state.Name.ValueString())...)
	}
}

// emptied warns of what goes with a scope that force_destroy empties, as far as
// it can be told: that it cannot is no reason to stop a plan.
func (r *scopeResource) emptied(ctx context.Context, scope string) diag.Diagnostics {
	if !r.Data.PravegaKnown() {
		return nil
	}
	var diagnostics diag.Diagnostics
	client := r.client(&diagnostics)
	if client == nil {
		return diagnostics
	}
	c := contentsOf(ctx, client, scope)
	found := c.String()
	switch {
	case found != "":
		found = "In it are now " + found + "."
	case c.hidden:
		found = "What is in it could not be listed."
	default:
		return diagnostics
	}
	diagnostics.AddAttributeWarning(path.Root("force_destroy"), scopeTitle(scope)+" will be deleted with all that is in it",
		"Its state has force_destroy = true. "+found+" All that is there by then is deleted with its data, also what Terraform does not manage. That cannot be undone. "+
			"To keep it, set force_destroy = false and apply that first.")
	return diagnostics
}

// Create creates the scope, or takes over one that exists if that is allowed.
func (r *scopeResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan scopeModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	client := r.client(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	name := plan.Name.ValueString()
	err := client.CreateScope(ctx, name)
	switch {
	case errors.Is(err, api.ErrExists) && plan.AdoptExisting.ValueBool():
		resp.Diagnostics.AddWarning(scopeTitle(name)+" existed and was taken over", "It was not created by this apply, and adopt_existing is true. From now on destroying this resource deletes it.")
	case errors.Is(err, api.ErrExists):
		resp.Diagnostics.Append(exists(scopeTitle(name), ScopeType, name))
		return
	case err != nil:
		resp.Diagnostics.Append(failure("Cannot create "+scopeTitle(name), err))
		return
	}
	plan.ID = plan.Name
	store(ctx, resp.Private, keyEndpoint, client.Endpoint(), &resp.Diagnostics)
	resp.Diagnostics.Append(resp.State.Set(ctx, plan)...)
	resp.Diagnostics.Append(resp.Identity.Set(ctx, scopeIdentity{Name: plan.Name})...)
}

// Read looks whether the scope is still there.
func (r *scopeResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state scopeModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	client := r.client(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	// The framework wants an identity even beside a state that is removed.
	resp.Diagnostics.Append(resp.Identity.Set(ctx, scopeIdentity{Name: state.Name})...)
	name := state.Name.ValueString()
	seen := load[string](ctx, req.Private, keyEndpoint, &resp.Diagnostics)
	err := client.Scope(ctx, name)
	switch {
	case errors.Is(err, api.ErrNotFound):
		resp.Diagnostics.Append(gone(scopeTitle(name), seen, client.Endpoint())...)
		resp.State.RemoveResource(ctx)
		return
	case err != nil:
		resp.Diagnostics.Append(failure("Cannot read "+scopeTitle(name), err))
		return
	}
	resp.Diagnostics.Append(moved(scopeTitle(name), seen, client.Endpoint())...)
	store(ctx, resp.Private, keyEndpoint, client.Endpoint(), &resp.Diagnostics)
	resp.Diagnostics.Append(resp.State.Set(ctx, state)...)
}

// Update stores what concerns the provider alone: a scope has nothing to update.
func (r *scopeResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan scopeModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	plan.ID = plan.Name
	resp.Diagnostics.Append(resp.State.Set(ctx, plan)...)
	resp.Diagnostics.Append(resp.Identity.Set(ctx, scopeIdentity{Name: plan.Name})...)
}

// Delete deletes the scope, and what is in it if that is allowed.
func (r *scopeResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state scopeModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	name := state.Name.ValueString()
	if state.DeletionProtection.ValueBool() {
		resp.Diagnostics.Append(protected(scopeTitle(name), "delete"))
		return
	}
	client := r.client(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	seen := load[string](ctx, req.Private, keyEndpoint, &resp.Diagnostics)
	if elsewhere := unseen(scopeTitle(name), seen, client.Endpoint()); elsewhere != nil {
		if err := client.Scope(ctx, name); !errors.Is(err, api.ErrNotFound) {
			resp.Diagnostics.Append(elsewhere...)
		}
		return
	}
	if state.ForceDestroy.ValueBool() {
		if err := client.EmptyScope(ctx, name); err != nil && !errors.Is(err, api.ErrNotFound) {
			problem := failure("Cannot empty "+scopeTitle(name), err)
			resp.Diagnostics.AddError(problem.Summary(), problem.Detail()+"\n\n"+remaining(ctx, client, name))
			return
		}
	}
	err := client.DeleteScope(ctx, name)
	switch {
	case errors.Is(err, api.ErrNotEmpty):
		resp.Diagnostics.Append(notEmpty(ctx, client, name, state.ForceDestroy.ValueBool()))
	case err != nil:
		resp.Diagnostics.Append(failure("Cannot delete "+scopeTitle(name), err))
	}
}

// ImportState takes the name, or the identity.
func (r *scopeResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	name := req.ID
	if name == "" && req.Identity != nil {
		var identity scopeIdentity
		resp.Diagnostics.Append(req.Identity.Get(ctx, &identity)...)
		name = identity.Name.ValueString()
	}
	if wrong := checkName(name, maxScopeName); wrong != "" {
		resp.Diagnostics.AddError("Not the id of a Pravega scope", fmt.Sprintf("%q is not the name of a scope. %s Import a scope by its name, such as \"orders\".", name, wrong))
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, importedScope(name))...)
	resp.Diagnostics.Append(resp.Identity.Set(ctx, scopeIdentity{Name: types.StringValue(name)})...)
}

// importedScope is a scope as an import leaves it.
func importedScope(name string) scopeModel {
	no := types.BoolValue(false)
	return scopeModel{ID: types.StringValue(name), Name: types.StringValue(name), ForceDestroy: no, DeletionProtection: no, AdoptExisting: no}
}

func (r *scopeResource) client(diagnostics *diag.Diagnostics) *api.Client {
	return clientOf(r.Data, diagnostics)
}

// clientOf returns the client, or nil with an error in diagnostics.
func clientOf(data *base.ProviderData, diagnostics *diag.Diagnostics) *api.Client {
	if data == nil {
		diagnostics.AddError("The provider is not configured", "The resource was used before the provider was configured. This is a bug of the provider; please report it.")
		return nil
	}
	client, more := data.Pravega()
	diagnostics.Append(more...)
	return client
}
