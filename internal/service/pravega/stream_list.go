// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	api "github.com/terraform-streaming/terraform-provider-streaming/internal/client/pravega"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/base"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/listing"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/namefilter"
)

var _ list.ListResourceWithConfigure = (*streamList)(nil)

type streamList struct {
	base.Resource
}

// NewStreamList returns the list of streams that could be imported.
func NewStreamList() list.ListResource { return &streamList{} }

type streamListModel struct {
	Scope     types.String `tfsdk:"scope"`
	NameRegex types.String `tfsdk:"name_regex"`
	Tag       types.String `tfsdk:"tag"`
}

// Metadata names the resource that is listed.
func (l *streamList) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = StreamType
}

// ListResourceConfigSchema describes the filters.
func (l *streamList) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Finds streams of a Pravega cluster to import, scope by scope, in alphabetical order. Filters are combined; no match is no error.\n\n" +
			"One request lists the streams of a scope. With `include_resource` each stream that is found costs one more, for its segments. Streams of Pravega itself, whose names begin with `_`, are left out.",
		Attributes: map[string]schema.Attribute{
			"scope": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Only streams of this scope. Without it those of all scopes that the user may read: that needs the right `READ` on `prn::/`, where the controller checks credentials.",
				Validators:          []validator.String{nameValidator{what: "scope", limit: maxScopeName}},
			},
			"name_regex": namefilter.MatchListed("Only streams whose name, without the scope, holds a match", "`^clicks-`"),
			"tag": schema.StringAttribute{
				Optional: true, MarkdownDescription: "Only streams with exactly this tag. The controller filters; capital letters count.", Validators: []validator.String{tagValidator{}},
			},
		},
	}
}

// List asks for the streams of each scope.
func (l *streamList) List(ctx context.Context, req list.ListRequest, resp *list.ListResultsStream) {
	var model streamListModel
	diagnostics := req.Config.Get(ctx, &model)
	named := namefilter.New(types.StringNull(), model.NameRegex, &diagnostics)
	client := clientOf(l.Data, &diagnostics)
	if diagnostics.HasError() {
		listing.Fail(resp, diagnostics)
		return
	}
	scopes := []string{model.Scope.ValueString()}
	if model.Scope.IsNull() {
		var err error
		if scopes, err = client.Scopes(ctx); err != nil {
			listing.Fail(resp, append(diagnostics, unreadable("Cannot list the scopes of Pravega "+client.Endpoint(), err, allScopes)))
			return
		}
	}
	var found []listing.Found
	for _, scope := range scopes {
		streams, err := client.Streams(ctx, scope, model.Tag.ValueStringPointer())
		if err != nil {
			listing.Fail(resp, append(diagnostics, unreadable("Cannot list the streams of "+scopeTitle(scope), err, scopeRight(scope))))
			return
		}
		for _, stream := range streams {
			if named.Matches(stream.Name) {
				found = append(found, listedStream(client, scope, stream))
			}
		}
	}
	listing.Stream(ctx, req, resp, found)
}

func listedStream(client *api.Client, scope string, stream api.Stream) listing.Found {
	model := importedStream(scope, stream.Name)
	return listing.Found{
		Name: scope + "/" + stream.Name, Identity: model.identity(),
		Fill: func(ctx context.Context, to *tfsdk.Resource) diag.Diagnostics {
			segments, err := client.SegmentCount(ctx, scope, stream.Name)
			if err != nil {
				return diag.Diagnostics{failure("Cannot read "+model.title(), err)}
			}
			diagnostics := model.refresh(ctx, stream, segments)
			return append(diagnostics, to.Set(ctx, model)...)
		},
	}
}
