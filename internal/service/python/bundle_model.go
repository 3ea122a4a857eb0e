// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package python

import (
	"context"
	"path"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/bundle"
	client "github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/pyflink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/customtypes"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/values"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// bundleModel is a bundle in a configuration, a plan or a state.
type bundleModel struct {
	Name             types.String           `tfsdk:"name"`
	SourceDir        types.String           `tfsdk:"source_dir"`
	Files            types.Map              `tfsdk:"files"`
	Includes         types.List             `tfsdk:"includes"`
	Excludes         types.List             `tfsdk:"excludes"`
	RequirementsFile types.String           `tfsdk:"requirements_file"`
	Symlinks         types.String           `tfsdk:"symlinks"`
	TargetPlatform   types.String           `tfsdk:"target_platform"`
	ArchivePath      types.String           `tfsdk:"archive_path"`
	MaxFiles         types.Int64            `tfsdk:"max_files"`
	MaxSize          customtypes.MemorySize `tfsdk:"max_size"`

	ID            types.String `tfsdk:"id"`
	SHA256        types.String `tfsdk:"sha256"`
	ArchiveSHA256 types.String `tfsdk:"archive_sha256"`
	ArchiveSize   types.Int64  `tfsdk:"archive_size"`
	Size          types.Int64  `tfsdk:"size"`
	FileCount     types.Int64  `tfsdk:"file_count"`
	Manifest      types.Map    `tfsdk:"manifest"`
	ClusterPath   types.String `tfsdk:"cluster_path"`
	Options       types.Map    `tfsdk:"options"`
}

// emptyBundle is a state in which nothing is known.
func emptyBundle() bundleModel {
	return bundleModel{
		Files: types.MapNull(types.StringType), Includes: types.ListNull(types.StringType), Excludes: types.ListNull(types.StringType),
		Manifest: types.MapNull(types.StringType), Options: types.MapNull(types.StringType),
	}
}

// source is what the bundle is made of; known is false while a part of it is
// not.
func (m *bundleModel) source() (source bundle.Source, known bool) {
	known = !m.SourceDir.IsUnknown() && !m.Files.IsUnknown() && !m.Symlinks.IsUnknown() && !m.MaxFiles.IsUnknown() && !m.MaxSize.IsUnknown()
	source = bundle.Source{
		Dir: m.SourceDir.ValueString(), Symlinks: bundle.SymlinkPolicy(m.Symlinks.ValueString()), MaxFiles: int(m.MaxFiles.ValueInt64()),
	}
	if size, ok := m.MaxSize.Get(); ok {
		source.MaxBytes = size
	}
	if !m.Files.IsNull() {
		source.Files = values.Known(m.Files)
		known = known && len(source.Files) == len(m.Files.Elements())
	}
	for _, list := range []struct {
		from types.List
		to   *[]string
	}{{m.Includes, &source.Includes}, {m.Excludes, &source.Excludes}} {
		known = known && !list.from.IsUnknown()
		for _, element := range list.from.Elements() {
			text, ok := element.(types.String)
			known = known && ok && !text.IsUnknown()
			*list.to = append(*list.to, text.ValueString())
		}
	}
	return source, known
}

// content sets what is known of a content without uploading it.
func (m *bundleModel) content(ctx context.Context, manifest *bundle.Manifest) diag.Diagnostics {
	m.SHA256 = types.StringValue(manifest.SHA256())
	m.Size, m.FileCount = types.Int64Value(manifest.Size()), types.Int64Value(int64(len(manifest.Files)))
	m.Manifest = types.MapNull(types.StringType)
	if len(manifest.Files) > manifestLimit {
		return nil
	}
	hashes, diagnostics := types.MapValueFrom(ctx, types.StringType, manifest.Hashes())
	m.Manifest = hashes
	return diagnostics
}

// unknownContent is a content that the apply will bring.
func (m *bundleModel) unknownContent() {
	m.SHA256, m.Size, m.FileCount = types.StringUnknown(), types.Int64Unknown(), types.Int64Unknown()
	m.Manifest = types.MapUnknown(types.StringType)
}

// unknownUpload is an upload that the apply will make, or find.
func (m *bundleModel) unknownUpload() {
	m.ID, m.ArchiveSHA256, m.ArchiveSize = types.StringUnknown(), types.StringUnknown(), types.Int64Unknown()
	m.ClusterPath, m.Options = types.StringUnknown(), types.MapUnknown(types.StringType)
}

// uploadFrom takes the upload of the state, and its content.
func (m *bundleModel) uploadFrom(state *bundleModel) {
	m.ID, m.ArchiveSHA256, m.ArchiveSize = state.ID, state.ArchiveSHA256, state.ArchiveSize
	m.ClusterPath, m.Options = state.ClusterPath, state.Options
}

// contentFrom takes the content of the state, whatever it is.
func (m *bundleModel) contentFrom(state *bundleModel) {
	m.SHA256, m.Size, m.FileCount, m.Manifest = state.SHA256, state.Size, state.FileCount, state.Manifest
	m.uploadFrom(state)
}

// planned is what the plan knows of the content.
func (m *bundleModel) planned() bundle.Planned {
	planned := bundle.Planned{SHA256: m.SHA256.ValueString()}
	if !m.Manifest.IsNull() && !m.Manifest.IsUnknown() {
		planned.Hashes = values.Known(m.Manifest)
	}
	return planned
}

// setUpload writes where the files are on the cluster.
func (m *bundleModel) setUpload(ctx context.Context, flink *client.Client, jars []client.Jar, archive *client.Jar) diag.Diagnostics {
	directory, err := flink.UploadDirectory(ctx)
	if err != nil {
		return diag.Diagnostics{bundleError("read", m.Name.ValueString(), err)}
	}
	m.ID, m.ClusterPath = types.StringValue(archive.ID), types.StringValue(path.Join(directory, archive.ID))
	files := pyflink.Bundle{Archive: m.ClusterPath.ValueString()}
	if requirements := lifecycle.FindRequirements(jars, m.SHA256.ValueString()); requirements != nil && !m.RequirementsFile.IsNull() {
		files.Requirements = path.Join(directory, requirements.ID)
	}
	options, diagnostics := types.MapValueFrom(ctx, types.StringType, pyflink.Options{}.Render(files))
	m.Options = options
	return diagnostics
}
