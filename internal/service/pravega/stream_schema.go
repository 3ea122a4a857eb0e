// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/setdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	api "github.com/terraform-streaming/terraform-provider-streaming/internal/client/pravega"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/customtypes"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/validators"
)

// IdentitySchema describes what tells one stream from another.
func (r *streamResource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{Attributes: map[string]identityschema.Attribute{
		"scope": identityschema.StringAttribute{RequiredForImport: true, Description: "Name of the stream's scope."},
		"name":  identityschema.StringAttribute{RequiredForImport: true, Description: "Name of the stream."},
	}}
}

// Schema describes the attributes.
func (r *streamResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = streamChanges().Describe(schema.Schema{
		MarkdownDescription: "A Pravega stream. Scaling, retention, tags, the timestamp aggregation timeout and the rollover size are updated in place and keep the data; " +
			"a change of `scope` or `name` replaces the stream and **deletes its data**, and so does destroying it.\n\n" +
			"Pravega replaces the whole configuration with each update. A maximum retention that another client set, which REST neither shows nor keeps, ends with the first update; the plan warns of it for a stream that was imported or adopted. " +
			"Nor does REST show the seconds and bytes of a retention that another client set: where they can be noticed, an update of the stream is refused until `retention` is stated or `allow_retention_reset` is set. " +
			"Whether a stream is sealed cannot be read over REST; an update of a sealed stream fails.\n\n" +
			"Facts about limits and answers were measured on Pravega 0.13.0.",
		Attributes: map[string]schema.Attribute{
			"id": schema.StringAttribute{
				Computed: true, MarkdownDescription: "Scope and name with a slash between, such as `orders/clicks`.",
			},
			"scope": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Name of the scope that the stream is in. The scope must exist.",
				Validators:          []validator.String{nameValidator{what: "scope", limit: maxScopeName}},
				PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
			},
			"name": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: fmt.Sprintf("Name of the stream: 1 to %d of the characters `a-z`, `A-Z`, `0-9`, `.` and `-`, case-sensitive. Names that start with `_` belong to Pravega, and `.` and `..` are refused.", maxStreamName),
				Validators:          []validator.String{nameValidator{what: "stream", limit: maxStreamName}},
				PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
			},
			"scaling":   scalingAttribute(),
			"retention": retentionAttribute(),
			"tags": schema.SetAttribute{
				Optional: true, Computed: true, ElementType: types.StringType,
				Default: setdefault.StaticValue(types.SetValueMust(types.StringType, []attr.Value{})),
				MarkdownDescription: fmt.Sprintf("Tags of the stream, at most %d of 1 to %d characters each. Default: none; leaving them out and `[]` are the same.",
					maxTags, maxTagLength),
				Validators: []validator.Set{validators.SetOfAtMost(maxTags), validators.EachOfSet(tagValidator{})},
			},
			"timestamp_aggregation_timeout": schema.StringAttribute{
				Optional: true, Computed: true, CustomType: customtypes.DurationType{}, Default: stringdefault.StaticString("0 ms"),
				MarkdownDescription: "How long a writer may be silent before it no longer holds back the stream's time (watermarks): one whole number and one unit, such as `5 s`; whole milliseconds. " +
					"Default `0 ms`: Pravega's own behaviour.",
				Validators: []validator.String{wholeDuration{unit: millisecond, name: "millisecond"}},
			},
			"rollover_size": schema.StringAttribute{
				Optional: true, Computed: true, CustomType: customtypes.MemorySizeType{}, Default: stringdefault.StaticString("0 b"),
				MarkdownDescription: "Size at which the chunks of the stream's segments roll over in long-term storage: one whole number and one unit, such as `64mb` (powers of 1024). " +
					"Default `0 b`: the server's default, which REST does not show.",
			},
			"deletion_protection": protectionAttribute("stream"),
			"allow_data_loss": schema.BoolAttribute{
				Optional: true, Computed: true, Default: booldefault.StaticBool(false),
				MarkdownDescription: "Whether retention may be shrunk, changed from time to size or back, or added to a stream that exists. Pravega then deletes what is beyond it at the next retention cycle " +
					"(30 minutes apart by default), and raising it again brings nothing back. Default `false`: such a plan fails and says what would be lost. Warns on every plan while `true`, so remove it once it was applied.",
			},
			"allow_retention_reset": schema.BoolAttribute{
				Optional: true, Computed: true, Default: booldefault.StaticBool(false),
				MarkdownDescription: "Whether a stream may be updated whose retention REST cannot express, because another client set it in seconds or bytes. Such a retention reads as unset. " +
					"Each update replaces it, so that with `true` data is kept for ever from then on; stating `retention` is the alternative. Default `false`: the plan of an update fails.",
			},
			"adopt_existing": schema.BoolAttribute{
				Optional: true, Computed: true, Default: booldefault.StaticBool(false),
				MarkdownDescription: "Whether a stream of this name that exists already, for example because a connector created it, is taken over at create. Nothing of it is changed then; the next plan shows where it differs. " +
					"Default `false`: the create fails and says how to import it.",
			},
			"segment_count": schema.Int64Attribute{
				Computed:            true,
				MarkdownDescription: "Number of segments that are open, the parallelism that readers can have. With scaling by rate Pravega changes it by itself; the next refresh shows it.",
			},
		},
	})
}

func scalingAttribute() schema.SingleNestedAttribute {
	number := func(text string) schema.Int64Attribute {
		return schema.Int64Attribute{
			Optional: true, MarkdownDescription: text,
			Validators: []validator.Int64{validators.Between(1, maxInt32)},
		}
	}
	minimum := number(fmt.Sprintf("With `%s` the exact number of segments; with scaling by rate the least number, which splits at once when it is raised above the current number, "+
		"and merges nothing at once when it is lowered. At least 1.", api.Fixed))
	minimum.Optional, minimum.Required = false, true
	return schema.SingleNestedAttribute{
		Optional: true, Computed: true, Default: objectdefault.StaticValue(defaultScaling()),
		MarkdownDescription: fmt.Sprintf("How the number of segments is decided. Default: one segment, `{ type = %q, min_segments = 1 }`. Data is kept when segments split or merge.", api.Fixed),
		Attributes: map[string]schema.Attribute{
			"type": schema.StringAttribute{
				Required: true,
				MarkdownDescription: fmt.Sprintf("`%s`; `%s`: by the rate of data written to a segment, in KB per second; `%s`: in events per second. From a rate to `%[1]s`, segments are merged or split to exactly `min_segments`, and Pravega no longer scales by itself.",
					api.Fixed, api.RateInKBytes, api.RateInEvents),
				Validators: []validator.String{validators.OneOf(string(api.Fixed), string(api.RateInKBytes), string(api.RateInEvents))},
			},
			"target_rate":  number("Rate per segment that Pravega aims at, in KB or events per second. Needed with scaling by rate, refused without. At least 1."),
			"scale_factor": number("Into how many segments a busy one is split. Needed with scaling by rate, refused without. At least 1."),
			"min_segments": minimum,
		},
	}
}

func retentionAttribute() schema.SingleNestedAttribute {
	return schema.SingleNestedAttribute{
		Optional: true,
		MarkdownDescription: "How much data Pravega keeps at least; older data is deleted in cycles (30 minutes apart by default). Absent: data is kept for ever. Exactly one of `time` and `size`. " +
			"Shrinking it, or adding it to a stream that exists, deletes data and needs `allow_data_loss`. Keep data for longer than any job that reads it may be suspended: a savepoint that is older points to data that is gone, and no job starts from it.",
		Attributes: map[string]schema.Attribute{
			"time": schema.StringAttribute{
				Optional: true, CustomType: customtypes.DurationType{},
				MarkdownDescription: "Keep what was written in this time: one whole number and one unit, such as `7d`, `36 h` or `90 min`; whole minutes, at least one, since REST carries nothing finer.",
				Validators:          []validator.String{wholeDuration{unit: minute, name: "minute", positive: true}},
			},
			"size": schema.StringAttribute{
				Optional: true, CustomType: customtypes.MemorySizeType{},
				MarkdownDescription: "Keep the newest data up to this size: one whole number and one unit, such as `10gb` (powers of 1024); whole MiB, at least one, since REST carries nothing finer.",
				Validators:          []validator.String{wholeSize{}},
			},
		},
	}
}
