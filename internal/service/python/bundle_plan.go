// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package python

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/bundle"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/diags"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/values"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

const (
	noFiles       = "The bundle has no files"
	noFilesDetail = "Neither source_dir nor files is set. What an imported bundle was made of cannot be read again: source_dir, files, includes, excludes, requirements_file and sha256 are not known, and it stays as it is. " +
		"Any other bundle needs one of source_dir and files."
)

// ValidateConfig warns of a bundle without files: what was imported can be one.
func (r *bundleResource) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	var config bundleModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if config.SourceDir.IsNull() && config.Files.IsNull() {
		resp.Diagnostics.AddAttributeWarning(path.Root("source_dir"), noFiles, noFilesDetail)
	}
}

// ModifyPlan reads and hashes the content, so that the plan shows which one is
// going to run, and checks what would let a job fail later.
func (r *bundleResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() {
		return
	}
	var plan bundleModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	var state *bundleModel
	if !req.State.Raw.IsNull() {
		state = &bundleModel{}
		resp.Diagnostics.Append(req.State.Get(ctx, state)...)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	planContent(ctx, state, &plan, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(resp.Plan.Set(ctx, &plan)...)
}

func planContent(ctx context.Context, state, plan *bundleModel, diagnostics *diag.Diagnostics) {
	switch {
	case !plan.SourceDir.IsNull() || !plan.Files.IsNull():
	case state == nil:
		diagnostics.AddAttributeError(path.Root("source_dir"), noFiles, noFilesDetail)
		return
	default:
		plan.contentFrom(state)
		return
	}
	if state != nil && state.SHA256.IsNull() {
		diagnostics.AddWarning("The configuration is taken over",
			"The cluster does not tell the content of the imported bundle "+state.ID.ValueString()+": these attributes cannot be read: source_dir, files, includes, excludes, requirements_file, sha256. "+
				"This apply takes what is configured, and uploads it only if the cluster lacks the content.")
	}
	source, known := plan.source()
	if !known {
		plan.unknownContent()
		plan.unknownUpload()
		return
	}
	manifest, err := bundle.Read(ctx, source)
	if err != nil {
		diagnostics.Append(sourceError(err))
		return
	}
	diagnostics.Append(plan.content(ctx, manifest)...)
	if state != nil && plan.SHA256.Equal(state.SHA256) && plan.RequirementsFile.Equal(state.RequirementsFile) {
		plan.uploadFrom(state)
		plan.keepSpelling(state)
		if plan.TargetPlatform.Equal(state.TargetPlatform) {
			// It was checked when it was applied.
			return
		}
	} else {
		plan.unknownUpload()
	}
	checkContent(ctx, source, manifest, plan, diagnostics)
}

// keepSpelling takes the state's spelling of what means the same. A directory
// of the same content is one where nothing else differs: another checkout has
// another path, if the configuration makes it absolute.
func (m *bundleModel) keepSpelling(state *bundleModel) {
	if m.MaxSize.Same(state.MaxSize) {
		m.MaxSize = state.MaxSize
	}
	same := m.Name.Equal(state.Name) && values.Same(m.Includes, state.Includes) && values.Same(m.Excludes, state.Excludes) && m.Files.Equal(state.Files) &&
		m.Symlinks.Equal(state.Symlinks) && m.TargetPlatform.Equal(state.TargetPlatform) && m.ArchivePath.Equal(state.ArchivePath) &&
		m.MaxFiles.Equal(state.MaxFiles) && m.MaxSize.Equal(state.MaxSize)
	if same && !m.SourceDir.IsNull() && !state.SourceDir.IsNull() {
		m.SourceDir = state.SourceDir
	}
}

// checkContent says what would let a job fail.
func checkContent(ctx context.Context, source bundle.Source, manifest *bundle.Manifest, plan *bundleModel, diagnostics *diag.Diagnostics) {
	problems, err := bundle.Check(ctx, source, manifest, bundle.CheckOptions{
		TargetPlatform: plan.TargetPlatform.ValueString(), Requirements: plan.RequirementsFile.ValueString(),
	})
	if err != nil {
		diagnostics.Append(sourceError(err))
		return
	}
	at := plan.root()
	for _, problem := range problems {
		where := at
		if !plan.RequirementsFile.IsNull() && problem.Path == plan.RequirementsFile.ValueString() {
			where = path.Root("requirements_file")
		}
		if problem.Severity == bundle.Refused {
			diagnostics.AddAttributeError(where, problem.Summary, problem.Detail)
		} else {
			diagnostics.AddAttributeWarning(where, problem.Summary, problem.Detail)
		}
	}
}

// root is the attribute that the content comes from.
func (m *bundleModel) root() path.Path {
	if m.SourceDir.IsNull() {
		return path.Root("files")
	}
	return path.Root("source_dir")
}

// sourcePaths are the attributes that an error of the source is about.
var sourcePaths = map[bundle.Kind]path.Path{
	bundle.KindRoot:    path.Root("source_dir"),
	bundle.KindLink:    path.Root("symlinks"),
	bundle.KindPattern: path.Root("excludes"),
	bundle.KindLimit:   path.Root("max_files"),
}

// sourceError words what is wrong with the source.
func sourceError(err error) diag.Diagnostic {
	const summary = "The bundle cannot be made"
	if problem, ok := errors.AsType[*bundle.Error](err); ok {
		at, known := sourcePaths[problem.Kind]
		if !known {
			at = path.Root("source_dir")
		}
		return diag.NewAttributeErrorDiagnostic(at, summary+": "+problem.Summary, diags.Sentence(problem.Detail))
	}
	return diag.NewErrorDiagnostic(summary, diags.Sentence(err.Error()))
}

// bundleError words a failure at the cluster.
func bundleError(verb, name string, err error) diag.Diagnostic {
	summary := fmt.Sprintf("Cannot %s Python bundle %q", verb, name)
	if changed, ok := errors.AsType[*bundle.ChangedError](err); ok {
		return diag.NewErrorDiagnostic(summary, diags.Sentence(changed.Error())+" Plan again, so that the plan shows what is going to run. Nothing was sent.")
	}
	if problem, ok := errors.AsType[*bundle.Error](err); ok {
		return sourceError(problem)
	}
	if problem, ok := errors.AsType[*lifecycle.Error](err); ok {
		return diag.NewErrorDiagnostic(summary, diags.Sentence(problem.Error())+"\n\n"+problem.Advice)
	}
	return diags.Error(summary, err)
}
