// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/base"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/namefilter"
)

// ScopesType is the data source type of a list of scopes.
const ScopesType = "streaming_pravega_scopes"

var _ datasource.DataSourceWithConfigure = (*scopesDataSource)(nil)

type scopesDataSource struct {
	base.DataSource
}

// NewScopesDataSource returns the data source of a list of scopes.
func NewScopesDataSource() datasource.DataSource { return &scopesDataSource{} }

type scopesModel struct {
	NameRegex types.String `tfsdk:"name_regex"`
	Names     []string     `tfsdk:"names"`
}

// Metadata names the data source.
func (d *scopesDataSource) Metadata(_ context.Context, _ datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = ScopesType
}

// Schema describes the attributes.
func (d *scopesDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The scopes of a Pravega cluster, without Pravega's own (`_system`). Without a match the list is empty, which is no error.\n\n" +
			"Where the controller checks credentials, the list needs the right `READ` on `prn::/`, which users of single scopes do not have, and it leaves out the scopes that the user may not read.",
		Attributes: map[string]schema.Attribute{
			"name_regex": namefilter.Match("Only scopes whose name holds a match", "`^team-a-`"),
			"names":      schema.ListAttribute{Computed: true, ElementType: types.StringType, MarkdownDescription: "Names of the scopes, in alphabetical order."},
		},
	}
}

// Read lists the scopes in one request.
func (d *scopesDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var model scopesModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	client := clientOf(d.Data, &resp.Diagnostics)
	named := namefilter.New(types.StringNull(), model.NameRegex, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	names, err := client.Scopes(ctx)
	if err != nil {
		resp.Diagnostics.Append(unreadable("Cannot list the scopes of Pravega "+client.Endpoint(), err, allScopes))
		return
	}
	model.Names = slices.DeleteFunc(names, func(name string) bool { return !named.Matches(name) })
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}
