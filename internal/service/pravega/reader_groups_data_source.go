// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/base"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/namefilter"
)

// ReaderGroupsType is the data source type of a list of reader groups.
const ReaderGroupsType = "streaming_pravega_reader_groups"

var _ datasource.DataSourceWithConfigure = (*readerGroupsDataSource)(nil)

type readerGroupsDataSource struct {
	base.DataSource
}

// NewReaderGroupsDataSource returns the data source of a list of reader groups.
func NewReaderGroupsDataSource() datasource.DataSource { return &readerGroupsDataSource{} }

type readerGroupsModel struct {
	Scope        types.String  `tfsdk:"scope"`
	NameRegex    types.String  `tfsdk:"name_regex"`
	Names        []string      `tfsdk:"names"`
	ReaderGroups []listedGroup `tfsdk:"reader_groups"`
}

type listedGroup struct {
	Name          types.String `tfsdk:"name"`
	Streams       []string     `tfsdk:"streams"`
	OnlineReaders []string     `tfsdk:"online_readers"`
}

// Metadata names the data source.
func (d *readerGroupsDataSource) Metadata(_ context.Context, _ datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = ReaderGroupsType
}

// Schema describes the attributes.
func (d *readerGroupsDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	texts := func(description string) schema.ListAttribute {
		return schema.ListAttribute{Computed: true, ElementType: types.StringType, MarkdownDescription: description}
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: "The reader groups of a Pravega scope, in alphabetical order: who reads which streams. Without a match the lists are empty, which is no error.\n\n" +
			"A scope with a reader group in it cannot be deleted. A group outlives the job that made it and the streams that it reads. Each group takes a request of its own; `name_regex` limits them.",
		Attributes: map[string]schema.Attribute{
			"scope":      inScope("reader groups are"),
			"name_regex": namefilter.Match("Only reader groups whose name holds a match", "`^orders-`"),
			"names":      texts("Names of the reader groups, in the order of `reader_groups`."),
			"reader_groups": schema.ListNestedAttribute{
				Computed: true, MarkdownDescription: "The reader groups.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"name":           schema.StringAttribute{Computed: true, MarkdownDescription: "Name of the reader group."},
					"streams":        texts("Streams that it reads, each as scope and name with a slash between, in alphabetical order; also those that were deleted since."),
					"online_readers": texts("Ids of the readers that are online, in alphabetical order; empty when nobody reads."),
				}},
			},
		},
	}
}

// Read lists the names, then reads each group.
func (d *readerGroupsDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var model readerGroupsModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	client := clientOf(d.Data, &resp.Diagnostics)
	named := namefilter.New(types.StringNull(), model.NameRegex, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	scope := model.Scope.ValueString()
	groups, err := client.ReaderGroupsOf(ctx, scope, named.Matches)
	if err != nil {
		resp.Diagnostics.Append(unreadable("Cannot list the reader groups of "+scopeTitle(scope), err, scopeRight(scope)+" and on "+groupsRight(scope)))
		return
	}
	model.Names, model.ReaderGroups = []string{}, []listedGroup{}
	for _, group := range groups {
		model.Names = append(model.Names, group.Name)
		model.ReaderGroups = append(model.ReaderGroups, listedGroup{
			Name: types.StringValue(group.Name), Streams: append([]string{}, group.Streams...), OnlineReaders: append([]string{}, group.OnlineReaders...),
		})
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}
