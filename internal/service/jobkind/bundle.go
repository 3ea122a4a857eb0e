// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package jobkind

import (
	"context"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/validators"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/values"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// bundleModel is a Python bundle as a job refers to it.
type bundleModel struct {
	ID     types.String `tfsdk:"id"`
	SHA256 types.String `tfsdk:"sha256"`
}

var bundleTypes = map[string]attr.Type{"id": types.StringType, "sha256": types.StringType}

// BundleAttribute is the Python bundle of a job; a kind that cannot do without
// one makes it required.
func BundleAttribute(required bool) schema.SingleNestedAttribute {
	return schema.SingleNestedAttribute{
		Optional: !required, Required: required,
		MarkdownDescription: "`{ id, sha256 }` of a `streaming_python_bundle`. Its files come first in `python.files`, and its requirements file is installed by the workers, unless the job has another; " +
			"both as paths of the JobManager's upload directory, which are found when the job is started. A change of the content restarts the job. An `id` that changes with the same content is not shown as a change.",
		Attributes: map[string]schema.Attribute{
			"id": schema.StringAttribute{
				Required: true, MarkdownDescription: "The cluster's id of the bundle's upload.",
				Validators: []validator.String{validators.NotEmpty()},
			},
			"sha256": schema.StringAttribute{
				Required: true, MarkdownDescription: "SHA-256 of the bundle's content, in lower-case hex.",
				Validators: []validator.String{SHA256Validator()},
			},
		},
	}
}

// bundle is what the lifecycle needs to know of it.
func (m *Model) bundle(ctx context.Context) lifecycle.Bundle {
	bundle, _ := values.As[bundleModel](ctx, m.Bundle)
	return lifecycle.Bundle{ID: bundle.ID.ValueString(), SHA256: bundle.SHA256.ValueString()}
}

// BundleOf is the bundle of a job, for the program of a kind that is told of it
// by its arguments.
func (m *Model) BundleOf(ctx context.Context) lifecycle.Bundle { return m.bundle(ctx) }

// compareBundle finds another content. An id alone is another when the
// JobManager lost its uploads, and no difference.
func compareBundle(ctx context.Context, state, plan *Model, d *Differences) {
	if plan.Bundle.IsUnknown() {
		d.Found("bundle", true)
		return
	}
	before, _ := values.As[bundleModel](ctx, state.Bundle)
	after, _ := values.As[bundleModel](ctx, plan.Bundle)
	if d.TakeOver && state.Bundle.IsNull() {
		return
	}
	d.Compare("bundle", before.SHA256, after.SHA256)
}

// keepBundleID takes the state's id of the same content, so that an upload that
// came back under another one is no diff of the job.
func keepBundleID(ctx context.Context, state, plan *Model) {
	if state.Bundle.IsNull() || plan.Bundle.IsNull() || plan.Bundle.IsUnknown() {
		return
	}
	before, _ := values.As[bundleModel](ctx, state.Bundle)
	after, _ := values.As[bundleModel](ctx, plan.Bundle)
	if !after.SHA256.IsUnknown() && after.SHA256.Equal(before.SHA256) {
		plan.Bundle = state.Bundle
	}
}

// SHA256Validator checks the spelling of a content hash.
func SHA256Validator() validator.String {
	return validators.Matches(regexp.MustCompile(`^[0-9a-f]{64}$`), "must be 64 lower-case hex digits")
}
