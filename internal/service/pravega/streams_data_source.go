// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/base"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/namefilter"
)

// StreamsType is the data source type of a list of streams.
const StreamsType = "streaming_pravega_streams"

var _ datasource.DataSourceWithConfigure = (*streamsDataSource)(nil)

type streamsDataSource struct {
	base.DataSource
}

// NewStreamsDataSource returns the data source of a list of streams.
func NewStreamsDataSource() datasource.DataSource { return &streamsDataSource{} }

type streamsModel struct {
	Scope     types.String     `tfsdk:"scope"`
	Tag       types.String     `tfsdk:"tag"`
	NameRegex types.String     `tfsdk:"name_regex"`
	Names     []string         `tfsdk:"names"`
	Streams   []observedStream `tfsdk:"streams"`
}

// Metadata names the data source.
func (d *streamsDataSource) Metadata(_ context.Context, _ datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = StreamsType
}

// Schema describes the attributes.
func (d *streamsDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The streams of a Pravega scope, in alphabetical order, without those that Pravega keeps for itself. Filters are combined; without a match the lists are empty, which is no error.\n\n" +
			"Where the controller checks credentials, the list leaves out the streams that the user may not read. Whether a stream is sealed cannot be read over REST. The number of segments is in `streaming_pravega_stream`, which asks for one stream.",
		Attributes: map[string]schema.Attribute{
			"scope": inScope("streams are"),
			"tag": schema.StringAttribute{
				Optional: true, MarkdownDescription: "Only streams with exactly this tag. The controller filters; capital letters count.",
				Validators: []validator.String{tagValidator{}},
			},
			"name_regex": namefilter.Match("Only streams whose name holds a match", "`^clicks-`"),
			"names":      schema.ListAttribute{Computed: true, ElementType: types.StringType, MarkdownDescription: "Names of the streams, in the order of `streams`."},
			"streams": schema.ListNestedAttribute{
				Computed: true, MarkdownDescription: "The streams, in the shapes of the resource `streaming_pravega_stream`.",
				NestedObject: schema.NestedAttributeObject{Attributes: observedAttributes()},
			},
		},
	}
}

// Read lists the streams in one request.
func (d *streamsDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var model streamsModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	client := clientOf(d.Data, &resp.Diagnostics)
	named := namefilter.New(types.StringNull(), model.NameRegex, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	scope := model.Scope.ValueString()
	streams, err := client.Streams(ctx, scope, model.Tag.ValueStringPointer())
	if err != nil {
		resp.Diagnostics.Append(unreadable("Cannot list the streams of "+scopeTitle(scope), err, scopeRight(scope)))
		return
	}
	model.Names, model.Streams = []string{}, []observedStream{}
	for _, stream := range streams {
		if named.Matches(stream.Name) {
			model.Names = append(model.Names, stream.Name)
			model.Streams = append(model.Streams, observe(ctx, stream, &resp.Diagnostics))
		}
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}
