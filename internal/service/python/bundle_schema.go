// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package python

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/bundle"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/customtypes"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/diags"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/validators"
)

// manifestLimit is the most files whose hashes are kept in state.
const manifestLimit = 1000

func bundleSchema() schema.Schema {
	return bundleChanges().Describe(schema.Schema{
		MarkdownDescription: "A reproducible archive of Python code on a Flink session cluster, known by the hash of its content.\n\n" +
			"The content is read and hashed at plan; the apply reads it again, and uploads it to the JobManager. When a file has changed in between, nothing is sent: Terraform refuses the plan as inconsistent, and names the file as a key of `manifest`. Plan again then. " +
			"The hash depends on names, executable bits and bytes alone: it is the same on every machine, whatever its umask, times, order of files and path of the checkout. " +
			"Jobs take the bundle as `bundle = { id, sha256 }`, and restart when the content has changed, not when the JobManager lost its uploads and the same content went up again.\n\n" +
			"These are always left out: " + defaultExcludes() + ".",
		Attributes: bundleAttributes(),
	})
}

func defaultExcludes() string {
	excludes := bundle.DefaultExcludes()
	quoted := make([]string, 0, len(excludes))
	for _, exclude := range excludes {
		quoted = append(quoted, "`"+exclude.Pattern+"`")
	}
	return strings.Join(quoted, ", ")
}

func bundleAttributes() map[string]schema.Attribute {
	patterns := func(description string) schema.ListAttribute {
		return schema.ListAttribute{
			Optional: true, ElementType: types.StringType, MarkdownDescription: description,
			Validators: []validator.List{validators.EachOfList(patternValidator{})},
		}
	}
	return map[string]schema.Attribute{
		"name": schema.StringAttribute{
			Required: true, MarkdownDescription: "Begins the name of the file on the cluster: 1 to 100 letters, digits, dots, dashes and underscores.",
			Validators: []validator.String{validators.Matches(regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$`),
				"must be 1 to 100 letters, digits, dots, dashes and underscores, and begin with neither a dot nor a dash")},
		},
		"source_dir": schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "Directory of the code, such as `\"${path.module}/udfs\"`: what is in it is at the root of the bundle, so that `udfs/a.py` is imported as `a`. It has to be there at plan. " +
				"Exactly one of `source_dir` and `files` is needed, unless the bundle was imported: the cluster does not give its content back, and an imported bundle stays without either.",
			Validators: []validator.String{validators.NotEmpty(), validators.Excludes("files")},
		},
		"files": schema.MapAttribute{
			Optional: true, ElementType: types.StringType,
			MarkdownDescription: "Contents by path in the bundle, such as `{ \"udfs.py\" = file(\"...\") }`. They are kept in state.",
			Validators:          []validator.Map{validators.MapNotEmpty()},
		},
		"includes": patterns("Patterns of the files to take. Default: all. " + patternHelp),
		"excludes": patterns("Patterns of files to leave out beside the defaults; they win over `includes`. " + patternHelp),
		"requirements_file": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Path in the bundle of a requirements file for pip. It is uploaded beside the archive, and installed by the workers of each job with this bundle (`python.requirements`), which needs pip and an index on the TaskManagers.",
			Validators:          []validator.String{validators.NotEmpty()},
		},
		"symlinks": schema.StringAttribute{
			Optional: true, Computed: true, Default: stringdefault.StaticString(string(bundle.SymlinksError)),
			MarkdownDescription: "What becomes of symbolic links: `error` (default) refuses them, `follow` takes what they point to below `source_dir`, `skip` leaves them out.",
			Validators:          []validator.String{validators.OneOf(string(bundle.SymlinksError), string(bundle.SymlinksFollow), string(bundle.SymlinksSkip))},
		},
		"target_platform": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Platform of the TaskManagers as in the names of wheels, such as `linux_x86_64` or `linux_aarch64`: native code for another one fails the plan. Default: native code is not checked.",
			Validators:          []validator.String{platformValidator{}},
		},
		"archive_path": schema.StringAttribute{
			Optional: true, MarkdownDescription: "File to write the archive to as well, at apply. Nothing reads it, and a destroy leaves it.",
			Validators: []validator.String{validators.NotEmpty()},
		},
		"max_files": schema.Int64Attribute{
			Optional: true, MarkdownDescription: fmt.Sprintf("Most files that are taken, 1 to 1000000. Default: %d, which Python reads from a zip in any version; more needs Python 3.13.", bundle.DefaultMaxFiles),
			Validators: []validator.Int64{validators.Between(1, 1_000_000)},
		},
		"max_size": schema.StringAttribute{
			Optional: true, CustomType: customtypes.MemorySizeType{},
			MarkdownDescription: "Most that the files have together before compression, such as `\"500mb\"`. Default: 4 GiB less a byte, which Python reads from a zip in any version; more needs Python 3.13.",
		},
		"id":             schema.StringAttribute{Computed: true, MarkdownDescription: "The cluster's id of the archive. It changes with each upload, also of the same content."},
		"sha256":         schema.StringAttribute{Computed: true, MarkdownDescription: "SHA-256 of the content: of names, executable bits and bytes. Known at plan, and the same on every machine."},
		"archive_sha256": schema.StringAttribute{Computed: true, MarkdownDescription: "SHA-256 of the archive's bytes. Another version of the provider may compress the same content otherwise; no job is restarted for it."},
		"archive_size":   schema.Int64Attribute{Computed: true, MarkdownDescription: "Size of the archive in bytes."},
		"size":           schema.Int64Attribute{Computed: true, MarkdownDescription: "Size of all files in bytes, before compression."},
		"file_count":     schema.Int64Attribute{Computed: true, MarkdownDescription: "Number of files."},
		"manifest": schema.MapAttribute{
			Computed: true, ElementType: types.StringType,
			MarkdownDescription: fmt.Sprintf("SHA-256 of each file by its path; null above %d files. With it an apply names the file that has changed since the plan.", manifestLimit),
		},
		"cluster_path": schema.StringAttribute{Computed: true, MarkdownDescription: "Path of the archive on the JobManager."},
		"options": schema.MapAttribute{
			Computed: true, ElementType: types.StringType,
			MarkdownDescription: "The `python.*` options that give a job the bundle, for use outside of this provider. They change with each upload: in a job's `configuration` they would restart it; use `bundle` there.",
		},
	}
}

const patternHelp = "A pattern is held against the whole path: `*` stands for anything but a slash, `**` for any directories, `[a-z]` and `{a,b}` are known, and a directory stands for all that is in it."

// patternValidator checks the spelling of a pattern.
type patternValidator struct{}

// Description says what is checked.
func (patternValidator) Description(context.Context) string { return "a pattern of paths" }

// MarkdownDescription says what is checked.
func (v patternValidator) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString checks a known pattern.
func (patternValidator) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if err := bundle.CheckPattern(req.ConfigValue.ValueString()); err != nil {
		resp.Diagnostics.AddAttributeError(req.Path, "Not a pattern of paths", diags.Sentence(err.Error()))
	}
}

// platformValidator checks the name of a platform.
type platformValidator struct{}

// Description says what is checked.
func (platformValidator) Description(context.Context) string {
	return "a platform as in the names of wheels"
}

// MarkdownDescription says what is checked.
func (v platformValidator) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString checks a known platform.
func (platformValidator) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if _, err := bundle.ParsePlatform(req.ConfigValue.ValueString()); err != nil {
		resp.Diagnostics.AddAttributeError(req.Path, "Not a platform", diags.Sentence(err.Error()))
	}
}
