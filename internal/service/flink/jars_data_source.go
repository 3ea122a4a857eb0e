// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink

import (
	"cmp"
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	client "github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/base"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/diags"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/namefilter"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// JarsType is the data source type of a list of jars.
const JarsType = "streaming_flink_jars"

var _ datasource.DataSourceWithConfigure = (*jarsDataSource)(nil)

type jarsDataSource struct {
	base.DataSource
}

// NewJarsDataSource returns the data source of a list of jars.
func NewJarsDataSource() datasource.DataSource { return &jarsDataSource{} }

type jarsModel struct {
	FileName  types.String `tfsdk:"file_name"`
	NameRegex types.String `tfsdk:"name_regex"`
	IDs       []string     `tfsdk:"ids"`
	Jars      []listedJar  `tfsdk:"jars"`
}

type listedJar struct {
	ID           types.String `tfsdk:"id"`
	FileName     types.String `tfsdk:"file_name"`
	UploadedAt   types.String `tfsdk:"uploaded_at"`
	EntryClasses []string     `tfsdk:"entry_classes"`
}

// Metadata names the data source.
func (d *jarsDataSource) Metadata(_ context.Context, _ datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = JarsType
}

// Schema describes the attributes.
func (d *jarsDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	text := func(description string) schema.StringAttribute {
		return schema.StringAttribute{Computed: true, MarkdownDescription: description}
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: "The jars on a Flink session cluster, oldest upload first. Without a match the lists are empty, which is no error. " +
			"The small jar that this provider itself uploads, to look at the cluster's file systems, is left out.",
		Attributes: map[string]schema.Attribute{
			"file_name":  namefilter.Exact("Only files of exactly this name, without the random beginning that `id` has. Several uploads may share one."),
			"name_regex": namefilter.Match("Only files whose name holds a match", "`^orders-.*\\.jar$`", "file_name"),
			"ids":        schema.ListAttribute{Computed: true, ElementType: types.StringType, MarkdownDescription: "The cluster's ids of the files, in the order of `jars`."},
			"jars": schema.ListNestedAttribute{
				Computed: true, MarkdownDescription: "The files, by the time of their upload.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"id":          text("The cluster's id of the file, for `jar = { id = ... }` of a job."),
					"file_name":   text("Name that it was uploaded under."),
					"uploaded_at": text("When it was uploaded, in RFC 3339, UTC."),
					"entry_classes": schema.ListAttribute{
						Computed: true, ElementType: types.StringType,
						MarkdownDescription: "Classes that its manifest offers to run; empty for a file that is no jar, whatever its name.",
					},
				}},
			},
		},
	}
}

// Read lists the files.
func (d *jarsDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var model jarsModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	flink, diagnostics := d.Data.Flink()
	resp.Diagnostics.Append(diagnostics...)
	named := namefilter.New(model.FileName, model.NameRegex, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	jars, problem := listedJars(ctx, flink, named)
	if problem != nil {
		resp.Diagnostics.Append(problem)
		return
	}
	model.IDs, model.Jars = []string{}, []listedJar{}
	for i := range jars {
		model.IDs = append(model.IDs, jars[i].ID)
		model.Jars = append(model.Jars, listedJar{
			ID: types.StringValue(jars[i].ID), FileName: types.StringValue(jars[i].Name), UploadedAt: moment(jars[i].Uploaded), EntryClasses: jars[i].EntryClasses(),
		})
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}

// listedJars are the jars of a cluster without the provider's own, oldest first.
func listedJars(ctx context.Context, flink *client.Client, named namefilter.Filter) ([]client.Jar, diag.Diagnostic) {
	jars, err := flink.Jars(ctx)
	if err != nil {
		summary := "Cannot list the jars of the Flink cluster " + flink.Endpoint()
		if cluster, clusterErr := flink.Cluster(ctx); clusterErr == nil && !cluster.WebSubmit {
			return nil, diag.NewErrorDiagnostic(summary, "It does not serve jars through REST. Set web.submit.enable to true in its configuration.")
		}
		return nil, diags.Error(summary, err)
	}
	jars = slices.DeleteFunc(jars, func(jar client.Jar) bool { return lifecycle.IsProbe(jar.Name) || !named.Matches(jar.Name) })
	slices.SortFunc(jars, func(a, b client.Jar) int {
		return cmp.Or(cmp.Compare(a.Uploaded, b.Uploaded), cmp.Compare(a.ID, b.ID))
	})
	return jars, nil
}
