// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	api "github.com/terraform-streaming/terraform-provider-streaming/internal/client/pravega"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/customtypes"
)

// observedStream is a stream as REST shows it, in the resource's shapes.
type observedStream struct {
	ID                 types.String           `tfsdk:"id"`
	Scope              types.String           `tfsdk:"scope"`
	Name               types.String           `tfsdk:"name"`
	Scaling            types.Object           `tfsdk:"scaling"`
	Retention          types.Object           `tfsdk:"retention"`
	RetentionHidden    types.Bool             `tfsdk:"retention_hidden"`
	Tags               types.Set              `tfsdk:"tags"`
	AggregationTimeout customtypes.Duration   `tfsdk:"timestamp_aggregation_timeout"`
	RolloverSize       customtypes.MemorySize `tfsdk:"rollover_size"`
}

// observe writes a stream as the resource does after an import.
func observe(ctx context.Context, stream api.Stream, diagnostics *diag.Diagnostics) observedStream {
	read := streamModel{Scope: types.StringValue(stream.Scope), Name: types.StringValue(stream.Name), Retention: types.ObjectNull(retentionTypes)}
	diagnostics.Append(read.refresh(ctx, stream, 0)...)
	return observedStream{
		ID: read.ID, Scope: read.Scope, Name: read.Name, Scaling: read.Scaling, Retention: read.Retention,
		RetentionHidden: types.BoolValue(stream.Retention != nil && stream.Retention.Inexact),
		Tags:            read.Tags, AggregationTimeout: read.AggregationTimeout, RolloverSize: read.RolloverSize,
	}
}

// observedAttributes describe an observedStream.
func observedAttributes() map[string]schema.Attribute {
	text := func(description string) schema.StringAttribute {
		return schema.StringAttribute{Computed: true, MarkdownDescription: description}
	}
	duration := func(description string) schema.StringAttribute {
		return schema.StringAttribute{Computed: true, CustomType: customtypes.DurationType{}, MarkdownDescription: description}
	}
	size := func(description string) schema.StringAttribute {
		return schema.StringAttribute{Computed: true, CustomType: customtypes.MemorySizeType{}, MarkdownDescription: description}
	}
	number := func(description string) schema.Int64Attribute {
		return schema.Int64Attribute{Computed: true, MarkdownDescription: description}
	}
	return map[string]schema.Attribute{
		"id":    text("Scope and name with a slash between, such as `orders/clicks`."),
		"scope": text("Name of the scope that the stream is in."),
		"name":  text("Name of the stream."),
		"scaling": schema.SingleNestedAttribute{
			Computed: true, MarkdownDescription: "How the number of segments is decided.",
			Attributes: map[string]schema.Attribute{
				"type":         text(fmt.Sprintf("`%s`, `%s` or `%s`.", api.Fixed, api.RateInKBytes, api.RateInEvents)),
				"target_rate":  number(fmt.Sprintf("Rate per segment that Pravega aims at, in KB or events per second; null with `%s`.", api.Fixed)),
				"scale_factor": number(fmt.Sprintf("Into how many segments a busy one is split; null with `%s`.", api.Fixed)),
				"min_segments": number(fmt.Sprintf("With `%s` the number of segments, with scaling by rate the least number.", api.Fixed)),
			},
		},
		"retention": schema.SingleNestedAttribute{
			Computed: true, MarkdownDescription: "How much data Pravega keeps at least; older data is deleted in cycles. Null when data is kept for ever, or when `retention_hidden`.",
			Attributes: map[string]schema.Attribute{
				"time": duration("What was written in this time, in the largest unit that it is a whole number of, such as `7 d` or `36 h`; null when retention is by size."),
				"size": size("The newest data up to this size, such as `10 gb` (powers of 1024); null when retention is by time."),
			},
		},
		"retention_hidden": schema.BoolAttribute{
			Computed: true,
			MarkdownDescription: "Whether there is a retention that REST cannot express, because another client set it in seconds or bytes: less than a minute or a MiB, or some seconds more than whole days. " +
				"`retention` is null then although data is not kept for ever. Other seconds and bytes are rounded down and cannot be noticed.",
		},
		"tags":                          schema.SetAttribute{Computed: true, ElementType: types.StringType, MarkdownDescription: "Tags of the stream."},
		"timestamp_aggregation_timeout": duration("How long a writer may be silent before it no longer holds back the stream's time, such as `5 s`; `0 ms` when it is not set."),
		"rollover_size":                 size("Size at which the chunks of the stream's segments roll over in long-term storage, such as `64 mb`; `0 b` for the server's default."),
	}
}

// inScope is the attribute of the scope that a data source looks into.
func inScope(what string) schema.StringAttribute {
	return schema.StringAttribute{
		Required: true, MarkdownDescription: fmt.Sprintf("Name of the scope that the %s in. A scope that does not exist is an error.", what),
		Validators: []validator.String{nameValidator{what: "scope", limit: maxScopeName}},
	}
}
