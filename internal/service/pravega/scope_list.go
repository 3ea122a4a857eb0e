// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/base"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/listing"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/namefilter"
)

var _ list.ListResourceWithConfigure = (*scopeList)(nil)

type scopeList struct {
	base.Resource
}

// NewScopeList returns the list of scopes that could be imported.
func NewScopeList() list.ListResource { return &scopeList{} }

type scopeListModel struct {
	NameRegex types.String `tfsdk:"name_regex"`
}

// Metadata names the resource that is listed.
func (l *scopeList) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = ScopeType
}

// ListResourceConfigSchema describes the filters.
func (l *scopeList) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Finds scopes of a Pravega cluster to import, in alphabetical order, without Pravega's own (`_system`). No match is no error.\n\n" +
			"Where the controller checks credentials, the list needs the right `READ` on `prn::/`, and it leaves out the scopes that the user may not read.",
		Attributes: map[string]schema.Attribute{
			"name_regex": namefilter.MatchListed("Only scopes whose name holds a match", "`^team-a-`"),
		},
	}
}

// List asks for the scopes in one request.
func (l *scopeList) List(ctx context.Context, req list.ListRequest, resp *list.ListResultsStream) {
	var model scopeListModel
	diagnostics := req.Config.Get(ctx, &model)
	named := namefilter.New(types.StringNull(), model.NameRegex, &diagnostics)
	client := clientOf(l.Data, &diagnostics)
	if diagnostics.HasError() {
		listing.Fail(resp, diagnostics)
		return
	}
	names, err := client.Scopes(ctx)
	if err != nil {
		listing.Fail(resp, append(diagnostics, unreadable("Cannot list the scopes of Pravega "+client.Endpoint(), err, allScopes)))
		return
	}
	var found []listing.Found
	for _, name := range names {
		if named.Matches(name) {
			found = append(found, listing.Found{
				Name: name, Identity: scopeIdentity{Name: types.StringValue(name)},
				Fill: func(ctx context.Context, to *tfsdk.Resource) diag.Diagnostics {
					return to.Set(ctx, importedScope(name))
				},
			})
		}
	}
	listing.Stream(ctx, req, resp, found)
}
