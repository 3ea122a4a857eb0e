// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package python

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/bundle"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/base"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// BundleType is the resource type of a Python bundle.
const BundleType = "streaming_python_bundle"

// uploadTimeout limits an upload and what goes with it.
const uploadTimeout = 30 * time.Minute

var (
	_ resource.ResourceWithConfigure      = (*bundleResource)(nil)
	_ resource.ResourceWithModifyPlan     = (*bundleResource)(nil)
	_ resource.ResourceWithImportState    = (*bundleResource)(nil)
	_ resource.ResourceWithIdentity       = (*bundleResource)(nil)
	_ resource.ResourceWithValidateConfig = (*bundleResource)(nil)
)

type bundleResource struct {
	base.Resource
}

// NewBundleResource returns the resource of a Python bundle.
func NewBundleResource() resource.Resource { return &bundleResource{} }

type bundleIdentity struct {
	ID types.String `tfsdk:"id"`
}

// Metadata names the resource. A new content has a new id.
func (r *bundleResource) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = BundleType
	resp.ResourceBehavior = resource.ResourceBehavior{MutableIdentity: true}
}

// Schema describes the attributes.
func (r *bundleResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = bundleSchema()
}

// IdentitySchema describes what a bundle is imported by.
func (r *bundleResource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{Attributes: map[string]identityschema.Attribute{
		"id": identityschema.StringAttribute{RequiredForImport: true, Description: "The cluster's id of the archive."},
	}}
}

// Create uploads the content, unless it is there.
func (r *bundleResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan bundleModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(r.upload(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
	if resp.Identity != nil {
		resp.Diagnostics.Append(resp.Identity.Set(ctx, bundleIdentity{ID: plan.ID})...)
	}
}

// Update uploads a new content. The earlier one stays for the jobs that run on
// it.
func (r *bundleResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan, state bundleModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if plan.ID.IsUnknown() || !plan.ArchivePath.Equal(state.ArchivePath) {
		resp.Diagnostics.Append(r.upload(ctx, &plan)...)
		if resp.Diagnostics.HasError() {
			return
		}
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
	if resp.Identity != nil {
		resp.Diagnostics.Append(resp.Identity.Set(ctx, bundleIdentity{ID: plan.ID})...)
	}
	if !plan.SHA256.Equal(state.SHA256) {
		r.release(ctx, &state, "The earlier content", &resp.Diagnostics)
	}
}

// upload reads the content once more, holds it to the plan, and brings it to
// the cluster.
func (r *bundleResource) upload(ctx context.Context, plan *bundleModel) diag.Diagnostics {
	ctx, cancel := context.WithTimeout(ctx, uploadTimeout)
	defer cancel()
	flink, diagnostics := r.Data.Flink()
	if diagnostics.HasError() {
		return diagnostics
	}
	failed := func(err error) diag.Diagnostics {
		return append(diagnostics, bundleError("upload", plan.Name.ValueString(), err))
	}
	source, _ := plan.source()
	built, err := bundle.Build(ctx, source, plan.planned())
	if err != nil {
		return failed(err)
	}
	defer func() { _ = built.Close() }()
	diagnostics.Append(plan.content(ctx, built.Manifest)...)
	plan.ArchiveSHA256, plan.ArchiveSize = types.StringValue(built.SHA256), types.Int64Value(built.Size)
	if err := writeArchive(built, plan.ArchivePath.ValueString()); err != nil {
		return failed(err)
	}
	up := lifecycle.BundleUpload{Name: plan.Name.ValueString(), SHA256: plan.SHA256.ValueString(), Size: built.Size, Open: built.Open}
	if name := plan.RequirementsFile; !name.IsNull() {
		if up.Requirements, err = source.Requirements(ctx, built.Manifest, name.ValueString()); err != nil {
			return failed(err)
		}
	}
	id, err := lifecycle.UploadBundle(ctx, flink, up)
	if err != nil {
		return failed(err)
	}
	jars, err := flink.Jars(ctx)
	if err != nil {
		return failed(err)
	}
	archive := lifecycle.FindUpload(jars, id, "")
	if archive == nil {
		return failed(fmt.Errorf("the upload succeeded as %s, but GET /jars does not list it", id))
	}
	diagnostics.Append(plan.setUpload(ctx, flink, jars, archive)...)
	return diagnostics
}

// writeArchive leaves the archive beside what was asked for, whole or not at
// all.
func writeArchive(built *bundle.Built, file string) (err error) {
	if file == "" {
		return nil
	}
	from, err := built.Open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	to, err := os.CreateTemp(filepath.Dir(file), ".bundle-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(to.Name()))
		}
	}()
	_, err = io.Copy(to, from)
	if err = errors.Join(err, to.Chmod(0o644), to.Close()); err != nil {
		return err
	}
	return os.Rename(to.Name(), file)
}

// Read looks for the upload, under another id too: the same content may have
// been uploaded again. What is gone is planned to be uploaded.
func (r *bundleResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state bundleModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if resp.Identity != nil {
		// Wanted by the framework also for a resource that turns out to be gone.
		resp.Diagnostics.Append(resp.Identity.Set(ctx, bundleIdentity{ID: state.ID})...)
	}
	flink, found := r.Data.Flink()
	resp.Diagnostics.Append(found...)
	if resp.Diagnostics.HasError() {
		return
	}
	jars, err := flink.Jars(ctx)
	if err != nil {
		resp.Diagnostics.Append(bundleError("read", state.Name.ValueString(), err))
		return
	}
	archive := lifecycle.FindUpload(jars, state.ID.ValueString(), state.SHA256.ValueString())
	if archive == nil || !state.RequirementsFile.IsNull() && lifecycle.FindRequirements(jars, state.SHA256.ValueString()) == nil {
		resp.State.RemoveResource(ctx)
		return
	}
	resp.Diagnostics.Append(state.setUpload(ctx, flink, jars, archive)...)
	resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
	if resp.Identity != nil {
		resp.Diagnostics.Append(resp.Identity.Set(ctx, bundleIdentity{ID: state.ID})...)
	}
}

// Delete deletes the files unless a job may need them.
func (r *bundleResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state bundleModel
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
	user, err := engine.DeleteBundle(ctx, lifecycle.Bundle{ID: state.ID.ValueString(), SHA256: state.SHA256.ValueString()})
	if err != nil {
		resp.Diagnostics.Append(bundleError("delete", state.Name.ValueString(), err))
		return
	}
	if user != "" {
		resp.Diagnostics.AddWarning(fmt.Sprintf("Python bundle %q stays on the cluster", state.Name.ValueString()),
			"Job "+user+" runs on it, or does not tell what it runs on, and may need it to be restarted. Delete "+state.ID.ValueString()+" in Flink's web UI when it is not needed any more.")
	}
}

// release deletes a content that no job needs any more. One that runs on it
// releases it when it has moved on.
func (r *bundleResource) release(ctx context.Context, state *bundleModel, what string, diagnostics *diag.Diagnostics) {
	flink, found := r.Data.Flink()
	diagnostics.Append(found...)
	if found.HasError() {
		return
	}
	engine := &lifecycle.Engine{Client: flink, Owner: r.Data.Owner, Timing: r.Data.Timing}
	if _, err := engine.ReleaseBundle(ctx, state.SHA256.ValueString(), nil); err != nil {
		diagnostics.AddWarning(what+" could not be deleted", "It is not needed any more and takes space on the JobManager: "+lifecycle.Reason(err)+".")
	}
}

// ImportState takes the cluster's id. The content cannot be read back: the
// next apply finds it by its hash, or uploads it.
func (r *bundleResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	id := req.ID
	if id == "" && req.Identity != nil {
		var identity bundleIdentity
		resp.Diagnostics.Append(req.Identity.Get(ctx, &identity)...)
		id = identity.ID.ValueString()
	}
	flink, found := r.Data.Flink()
	resp.Diagnostics.Append(found...)
	if resp.Diagnostics.HasError() {
		return
	}
	jars, err := flink.Jars(ctx)
	if err != nil {
		resp.Diagnostics.Append(bundleError("import", id, err))
		return
	}
	archive := lifecycle.FindUpload(jars, id, "")
	if archive == nil {
		resp.Diagnostics.AddAttributeError(path.Root("id"), "Cannot import Python bundle "+id, "The cluster lists no upload of this id. GET /jars shows the ids: a random part, an underscore, and the file name.")
		return
	}
	state := emptyBundle()
	state.Name, state.Symlinks = types.StringValue(nameOf(archive.Name)), types.StringValue(string(bundle.SymlinksError))
	resp.Diagnostics.Append(state.setUpload(ctx, flink, jars, archive)...)
	resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
	if resp.Identity != nil {
		resp.Diagnostics.Append(resp.Identity.Set(ctx, bundleIdentity{ID: state.ID})...)
	}
}

// uploadName is the file of a bundle of this name.
var uploadName = regexp.MustCompile(`^(.+)-[0-9a-f]{32}$`)

// nameOf is the name of the bundle in a file on the cluster.
func nameOf(file string) string {
	stem := strings.TrimSuffix(file, ".jar")
	if match := uploadName.FindStringSubmatch(stem); match != nil {
		return match[1]
	}
	return stem
}
