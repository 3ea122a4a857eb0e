// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink

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

var _ list.ListResourceWithConfigure = (*jarList)(nil)

type jarList struct {
	base.Resource
}

// NewJarList returns the list of jars that could be imported.
func NewJarList() list.ListResource { return &jarList{} }

type jarListModel struct {
	NameRegex types.String `tfsdk:"name_regex"`
}

// Metadata names the resource that is listed.
func (l *jarList) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = JarType
}

// ListResourceConfigSchema describes the filters.
func (l *jarList) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Finds jars on a Flink session cluster to import, oldest first, in one request; the provider's own are left out. No match is no error.\n\n" +
			"Flink does not give a jar back: after the import, `source` or `url` says where its content is.",
		Attributes: map[string]schema.Attribute{
			"name_regex": namefilter.MatchListed("Only jars whose file name holds a match", "`^orders-.*[.]jar$`"),
		},
	}
}

// List asks for the uploads.
func (l *jarList) List(ctx context.Context, req list.ListRequest, resp *list.ListResultsStream) {
	var model jarListModel
	diagnostics := req.Config.Get(ctx, &model)
	named := namefilter.New(types.StringNull(), model.NameRegex, &diagnostics)
	flink, more := l.Data.Flink()
	diagnostics.Append(more...)
	if diagnostics.HasError() {
		listing.Fail(resp, diagnostics)
		return
	}
	jars, problem := listedJars(ctx, flink, named)
	if problem != nil {
		listing.Fail(resp, append(diagnostics, problem))
		return
	}
	var found []listing.Found
	for i := range jars {
		jar := &jars[i]
		found = append(found, listing.Found{
			Name: jar.Name, Identity: uploadIdentity{ID: types.StringValue(jar.ID)},
			Fill: func(ctx context.Context, to *tfsdk.Resource) diag.Diagnostics {
				state := uploadModel{}
				diagnostics := state.setJar(ctx, jar)
				return append(diagnostics, to.Set(ctx, &state)...)
			},
		})
	}
	listing.Stream(ctx, req, resp, found)
}
