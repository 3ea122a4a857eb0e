// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink

import (
	"regexp"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/customtypes"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/validators"
)

// savepointModel is a savepoint in a configuration, a plan or a state.
type savepointModel struct {
	JobID            types.String `tfsdk:"job_id"`
	Trigger          types.String `tfsdk:"trigger"`
	Directory        types.String `tfsdk:"directory"`
	FormatType       types.String `tfsdk:"format_type"`
	DisposeOnDestroy types.Bool   `tfsdk:"dispose_on_destroy"`
	Timeouts         types.Object `tfsdk:"timeouts"`

	ID        types.String `tfsdk:"id"`
	Path      types.String `tfsdk:"path"`
	CreatedAt types.String `tfsdk:"created_at"`
	Cluster   types.String `tfsdk:"cluster"`
}

type savepointTimeoutsModel struct {
	Create customtypes.Duration `tfsdk:"create"`
	Delete customtypes.Duration `tfsdk:"delete"`
}

var savepointTimeoutsTypes = map[string]attr.Type{"create": customtypes.DurationType{}, "delete": customtypes.DurationType{}}

// savepointPath is a path as Flink takes it on any cluster.
var savepointPath = regexp.MustCompile(`^(/|[a-zA-Z][a-zA-Z0-9+.-]*:/)`)

func savepointPathValidator() validator.String {
	return validators.Matches(savepointPath, "must be an absolute path, or a path with a scheme such as s3://bucket/savepoints")
}

func limitOf(configured customtypes.Duration, fallback time.Duration) time.Duration {
	if d, ok := configured.Get(); ok && d > 0 {
		return d
	}
	return fallback
}

func savepointSchema() schema.Schema {
	computed := func(description string) schema.StringAttribute {
		return schema.StringAttribute{Computed: true, MarkdownDescription: description}
	}
	limit := func(what string) schema.StringAttribute {
		return schema.StringAttribute{
			Optional: true, CustomType: customtypes.DurationType{},
			MarkdownDescription: "Limit of a " + what + ", such as `\"30m\"`. Default `10m`.",
		}
	}
	return savepointChanges().Describe(schema.Schema{
		MarkdownDescription: "A savepoint of a running job, taken when the resource is created, without stopping the job.\n\n" +
			"A change of `trigger` replaces the resource and so takes a new savepoint; the files of the old one stay unless `dispose_on_destroy` is true. " +
			"What becomes of the job afterwards is no diff; files that are gone are one. " +
			"An apply that was interrupted is gone on with: its savepoint is waited for, or used for a quarter of an hour when it is complete, and not taken a second time.",
		Attributes: map[string]schema.Attribute{
			"job_id": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Flink's id of the job, such as `streaming_flink_job.orders.job_id`. Needed, unless the savepoint was imported, since a path does not tell it. Used when the savepoint is taken; another id later, alone, is no diff, and state keeps the id of the job that it was taken of.",
				Validators:          []validator.String{jobIDValidator()},
			},
			"trigger": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Any text, such as a date or a release; a change takes a new savepoint. Go on to values that were not used before: " +
					"an equal one, of the same job and format, within a quarter of an hour may be answered with the savepoint that it took.",
			},
			"directory": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Parent directory, as the cluster reaches it; the savepoint goes to two directories of its own below it. " +
					"Default: the cluster's `execution.checkpointing.savepoint-dir`. A create with neither fails at plan.",
				Validators: []validator.String{savepointPathValidator()},
			},
			"format_type": schema.StringAttribute{
				Optional: true, Computed: true, Default: stringdefault.StaticString("CANONICAL"),
				MarkdownDescription: "`CANONICAL` (default; any state backend can read it) or `NATIVE` (faster, the same backend only).",
				Validators:          []validator.String{validators.OneOf("CANONICAL", "NATIVE")},
			},
			"dispose_on_destroy": schema.BoolAttribute{
				Optional: true, Computed: true, Default: booldefault.StaticBool(false),
				MarkdownDescription: "Delete the files, through Flink, when the resource is destroyed or replaced. Refused while a job of the cluster was restored from them, or has ended with no newer state. " +
					"The value in state counts, so it has to be applied before. Default `false`.",
			},
			"timeouts": schema.SingleNestedAttribute{
				Optional:            true,
				MarkdownDescription: "Time limits of whole operations, one number and one unit.",
				Attributes:          map[string]schema.Attribute{"create": limit("create"), "delete": limit("destroy")},
			},
			"id":         computed("The same as `path`."),
			"path":       computed("Path of the savepoint, for `restore_from`."),
			"created_at": computed("When the savepoint was complete, in RFC 3339, UTC; null for an imported one."),
			"cluster":    computed("Endpoint of the cluster that it was taken on, or seen from last."),
		},
	})
}
