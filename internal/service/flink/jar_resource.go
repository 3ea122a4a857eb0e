// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/download"
	client "github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/base"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/diags"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/validators"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/jobkind"
)

// JarType is the resource type of an uploaded jar.
const JarType = "streaming_flink_jar"

// jarTimeout limits an upload and what goes with it.
const jarTimeout = 30 * time.Minute

var (
	_ resource.ResourceWithConfigure      = (*jarResource)(nil)
	_ resource.ResourceWithModifyPlan     = (*jarResource)(nil)
	_ resource.ResourceWithImportState    = (*jarResource)(nil)
	_ resource.ResourceWithIdentity       = (*jarResource)(nil)
	_ resource.ResourceWithValidateConfig = (*jarResource)(nil)
)

type jarResource struct {
	base.Resource
}

// NewJarResource returns the resource of an uploaded jar.
func NewJarResource() resource.Resource { return &jarResource{} }

type uploadModel struct {
	Source       types.String `tfsdk:"source"`
	URL          types.String `tfsdk:"url"`
	ID           types.String `tfsdk:"id"`
	SHA256       types.String `tfsdk:"sha256"`
	Size         types.Int64  `tfsdk:"size"`
	FileName     types.String `tfsdk:"file_name"`
	EntryClasses types.List   `tfsdk:"entry_classes"`
}

type uploadIdentity struct {
	ID types.String `tfsdk:"id"`
}

// Metadata names the resource. A new content has a new id.
func (r *jarResource) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = JarType
	resp.ResourceBehavior = resource.ResourceBehavior{MutableIdentity: true}
}

// Schema describes the attributes.
func (r *jarResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = jarChanges().Describe(schema.Schema{
		MarkdownDescription: "A jar on a Flink session cluster, known by the hash of its content.\n\n" +
			"Equal content is uploaded once. A new content is a change in place: the earlier file stays until the job that used it runs from the new one. " +
			"A file that the cluster lost is uploaded again by the next apply, which restarts no job.",
		Attributes: map[string]schema.Attribute{
			"source": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Path of the jar file on the machine that runs Terraform. Its name must not matter, its content does: any size, streamed from disk. Exactly one of `source` and `url` is needed, unless the jar was imported: the cluster does not give its content back, and an imported jar stays without either.",
				Validators:          []validator.String{validators.NotEmpty()},
			},
			"url": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: jobkind.JarURLDescription,
				Validators:          jobkind.JarURLValidators(),
			},
			"sha256": schema.StringAttribute{
				Optional: true, Computed: true,
				MarkdownDescription: "SHA-256 of the content in lower-case hex. Required with `url`; with `source` it is computed, at plan when the file is there.",
				Validators:          []validator.String{jobkind.SHA256Validator(), validators.Excludes("source")},
			},
			"id":        schema.StringAttribute{Computed: true, MarkdownDescription: "The cluster's id of the file, to run it by. It changes with each upload, also of the same content."},
			"size":      schema.Int64Attribute{Computed: true, MarkdownDescription: "Size in bytes; null when the content of a `url` was on the cluster already, so that nothing was fetched."},
			"file_name": schema.StringAttribute{Computed: true, MarkdownDescription: "Name of the file on the cluster: its own name, or that of an earlier upload of the same content, and the first 32 digits of the hash."},
			"entry_classes": schema.ListAttribute{
				Computed: true, ElementType: types.StringType,
				MarkdownDescription: "Classes that the jar's manifest offers to run (`Main-Class` or `program-class`), as Flink lists them.",
			},
		},
	})
}

// IdentitySchema describes what a jar is imported by.
func (r *jarResource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{Attributes: map[string]identityschema.Attribute{
		"id": identityschema.StringAttribute{RequiredForImport: true, Description: "The cluster's id of the file."},
	}}
}

const (
	noJar       = "There is nothing to upload"
	noJarDetail = "Neither source nor url is set. What an imported jar was uploaded from cannot be read again: source, url and sha256 are not known, and it stays as it is. Any other jar needs one of source and url."
)

// ValidateConfig warns of a jar without content: what was imported can be one.
func (r *jarResource) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	var config uploadModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	switch {
	case !config.Source.IsNull() || !config.URL.IsNull():
	case !config.SHA256.IsNull():
		resp.Diagnostics.AddAttributeError(path.Root("sha256"), "There is no url", "sha256 says what the content is, and not where it is. Set url too.")
	default:
		resp.Diagnostics.AddAttributeWarning(path.Root("source"), noJar, noJarDetail)
	}
}

// ModifyPlan hashes the file, so that a plan shows a change of its content.
func (r *jarResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() {
		return
	}
	var plan uploadModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	var state *uploadModel
	if !req.State.Raw.IsNull() {
		state = &uploadModel{}
		resp.Diagnostics.Append(req.State.Get(ctx, state)...)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	if plan.Source.IsNull() && plan.URL.IsNull() {
		if state == nil {
			resp.Diagnostics.AddAttributeError(path.Root("source"), noJar, noJarDetail)
			return
		}
		plan.content(state)
		resp.Diagnostics.Append(resp.Plan.Set(ctx, &plan)...)
		return
	}
	content := uploadModel{Size: types.Int64Unknown()}
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("sha256"), &content.SHA256)...)
	if content.SHA256.IsNull() {
		content.SHA256 = types.StringUnknown()
	}
	if plan.URL.IsNull() && !plan.Source.IsUnknown() && !plan.Source.IsNull() {
		file, err := lifecycle.ReadJarFile(plan.Source.ValueString())
		if err != nil {
			resp.Diagnostics.Append(jobkind.MissingJar(path.Root("source"), plan.Source.ValueString(), err))
		} else {
			content.SHA256, content.Size = types.StringValue(file.SHA256), types.Int64Value(file.Size)
		}
	}
	if state != nil && state.Source.IsNull() && state.URL.IsNull() {
		resp.Diagnostics.AddWarning("The configuration is taken over",
			"The cluster does not tell the content of the imported jar "+state.ID.ValueString()+": these attributes cannot be read: source, url, sha256, size. "+
				"This apply takes what is configured, and uploads it only if the cluster lacks the content.")
	}
	if state != nil && !content.SHA256.IsUnknown() && content.SHA256.Equal(state.SHA256) {
		plan.content(state)
	} else {
		plan.ID, plan.FileName, plan.EntryClasses = types.StringUnknown(), types.StringUnknown(), types.ListUnknown(types.StringType)
		plan.SHA256, plan.Size = content.SHA256, content.Size
	}
	resp.Diagnostics.Append(resp.Plan.Set(ctx, &plan)...)
}

// content takes what the same content has in state.
func (m *uploadModel) content(state *uploadModel) {
	m.ID, m.SHA256, m.Size, m.FileName, m.EntryClasses = state.ID, state.SHA256, state.Size, state.FileName, state.EntryClasses
}

// Create uploads the file, unless its content is there.
func (r *jarResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan uploadModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	r.upload(ctx, &plan, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
	if resp.Identity != nil {
		resp.Diagnostics.Append(resp.Identity.Set(ctx, uploadIdentity{ID: plan.ID})...)
	}
}

// Update uploads a new content. The earlier file stays for the job that runs
// from it.
func (r *jarResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan, state uploadModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if plan.ID.IsUnknown() {
		r.upload(ctx, &plan, &resp.Diagnostics)
		if resp.Diagnostics.HasError() {
			return
		}
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
	if resp.Identity != nil {
		resp.Diagnostics.Append(resp.Identity.Set(ctx, uploadIdentity{ID: plan.ID})...)
	}
}

// upload brings the content to the cluster and reads back what is there.
func (r *jarResource) upload(ctx context.Context, plan *uploadModel, diagnostics *diag.Diagnostics) {
	ctx, cancel := context.WithTimeout(ctx, jarTimeout)
	defer cancel()
	flink, found := r.Data.Flink()
	diagnostics.Append(found...)
	if diagnostics.HasError() {
		return
	}
	upload, from, shown, at := lifecycle.UploadJar, plan.Source.ValueString(), plan.Source.ValueString(), path.Root("source")
	if !plan.URL.IsNull() {
		from = plan.URL.ValueString()
		upload, shown, at = lifecycle.UploadRemoteJar, download.Shown(from), path.Root("url")
	}
	id, file, _, err := upload(ctx, flink, from, plan.SHA256.ValueString(), "")
	if err != nil {
		diagnostics.Append(uploadError(shown, at, err))
		return
	}
	jar, err := jarByID(ctx, flink, id)
	if err == nil && jar == nil {
		err = fmt.Errorf("the upload succeeded as %s, but GET /jars does not list it", id)
	}
	if err != nil {
		diagnostics.Append(diags.Error("Cannot read back the jar "+shown, err))
		return
	}
	plan.SHA256, plan.Size = types.StringValue(file.SHA256), types.Int64Value(file.Size)
	if file.Size == 0 && !plan.URL.IsNull() {
		plan.Size = types.Int64Null()
	}
	diagnostics.Append(plan.setJar(ctx, jar)...)
}

func (m *uploadModel) setJar(ctx context.Context, jar *client.Jar) diag.Diagnostics {
	classes, diagnostics := types.ListValueFrom(ctx, types.StringType, jar.EntryClasses())
	m.ID, m.FileName, m.EntryClasses = types.StringValue(jar.ID), types.StringValue(jar.Name), classes
	return diagnostics
}

func uploadError(shown string, at path.Path, err error) diag.Diagnostic {
	summary := "Cannot upload the jar " + shown
	if problem, ok := errors.AsType[*lifecycle.Error](err); ok {
		return diag.NewAttributeErrorDiagnostic(at, summary, diags.Sentence(problem.Error())+"\n\n"+problem.Advice)
	}
	return diags.Error(summary, err)
}

func jarByID(ctx context.Context, flink *client.Client, id string) (*client.Jar, error) {
	jars, err := flink.Jars(ctx)
	if err != nil {
		return nil, err
	}
	return lifecycle.FindUpload(jars, id, ""), nil
}

// Read looks for the file, under another id too: the same content may have
// been uploaded again. A file that is gone is planned to be uploaded.
func (r *jarResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state uploadModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if resp.Identity != nil {
		// Wanted by the framework also for a resource that turns out to be gone.
		resp.Diagnostics.Append(resp.Identity.Set(ctx, uploadIdentity{ID: state.ID})...)
	}
	flink, found := r.Data.Flink()
	resp.Diagnostics.Append(found...)
	if resp.Diagnostics.HasError() {
		return
	}
	jars, err := flink.Jars(ctx)
	if err != nil {
		resp.Diagnostics.Append(diags.Error("Cannot read the jar "+state.ID.ValueString(), err))
		return
	}
	jar := lifecycle.FindUpload(jars, state.ID.ValueString(), state.SHA256.ValueString())
	if jar == nil {
		resp.State.RemoveResource(ctx)
		return
	}
	resp.Diagnostics.Append(state.setJar(ctx, jar)...)
	resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
	if resp.Identity != nil {
		resp.Diagnostics.Append(resp.Identity.Set(ctx, uploadIdentity{ID: state.ID})...)
	}
}

// Delete deletes the file unless a running job may need it again.
func (r *jarResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state uploadModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	flink, found := r.Data.Flink()
	resp.Diagnostics.Append(found...)
	if resp.Diagnostics.HasError() {
		return
	}
	engine := &lifecycle.Engine{Client: flink, Owner: r.Data.Owner, Timing: r.Data.Timing}
	user, err := engine.DeleteJar(ctx, state.ID.ValueString(), state.SHA256.ValueString())
	if err != nil {
		resp.Diagnostics.Append(diags.Error("Cannot delete the jar "+state.ID.ValueString(), err))
		return
	}
	if user != "" {
		resp.Diagnostics.AddWarning("The jar "+state.ID.ValueString()+" stays on the cluster",
			"Job "+user+" runs from it, or does not tell what it runs from, and may need it to be restarted. Delete it in Flink's web UI when it is not needed any more.")
	}
}

// ImportState takes the cluster's id. The content cannot be read back: it is
// known by the hash in the file name when this provider uploaded it, else the
// next apply uploads the source.
func (r *jarResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	id := req.ID
	if id == "" && req.Identity != nil {
		var identity uploadIdentity
		resp.Diagnostics.Append(req.Identity.Get(ctx, &identity)...)
		id = identity.ID.ValueString()
	}
	flink, found := r.Data.Flink()
	resp.Diagnostics.Append(found...)
	if resp.Diagnostics.HasError() {
		return
	}
	jar, err := jarByID(ctx, flink, id)
	if err != nil {
		resp.Diagnostics.Append(diags.Error("Cannot import the jar "+id, err))
		return
	}
	if jar == nil {
		resp.Diagnostics.AddError("Cannot import the jar "+id, "The cluster lists no jar of this id. GET /jars shows the ids: a random part, an underscore, and the file name.")
		return
	}
	state := uploadModel{}
	resp.Diagnostics.Append(state.setJar(ctx, jar)...)
	resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
	if resp.Identity != nil {
		resp.Diagnostics.Append(resp.Identity.Set(ctx, uploadIdentity{ID: state.ID})...)
	}
}
