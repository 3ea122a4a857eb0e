// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	client "github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/jobgraph"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/base"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/values"
)

var _ datasource.DataSourceWithConfigure = (*jobGraphDataSource)(nil)

type jobGraphDataSource struct {
	base.DataSource
}

// NewJobGraphDataSource returns the data source of the graph of one job.
func NewJobGraphDataSource() datasource.DataSource { return &jobGraphDataSource{} }

type jobGraphModel struct {
	JobID    types.String  `tfsdk:"job_id"`
	Name     types.String  `tfsdk:"name"`
	Cluster  types.String  `tfsdk:"cluster"`
	Mermaid  types.String  `tfsdk:"mermaid"`
	DOT      types.String  `tfsdk:"dot"`
	Vertices []graphVertex `tfsdk:"vertices"`
	Edges    []graphEdge   `tfsdk:"edges"`
}

type graphVertex struct {
	ID          types.String `tfsdk:"id"`
	Name        types.String `tfsdk:"name"`
	Parallelism types.Int64  `tfsdk:"parallelism"`
	Source      types.Bool   `tfsdk:"source"`
	Sink        types.Bool   `tfsdk:"sink"`
}

type graphEdge struct {
	From         types.String `tfsdk:"from"`
	To           types.String `tfsdk:"to"`
	ShipStrategy types.String `tfsdk:"ship_strategy"`
}

// Metadata names the data source.
func (d *jobGraphDataSource) Metadata(_ context.Context, _ datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = JobType + "_graph"
}

// Schema describes the attributes.
func (d *jobGraphDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	text := func(description string) schema.StringAttribute {
		return schema.StringAttribute{Computed: true, MarkdownDescription: description}
	}
	flag := func(description string) schema.BoolAttribute {
		return schema.BoolAttribute{Computed: true, MarkdownDescription: description}
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: "The graph of one Flink job, as data and as a picture: text for Mermaid, which GitHub, GitLab and many wikis draw, and for Graphviz.\n\n" +
			"Neither the statuses nor the ids of tasks are in it, and it has an order of its own, so that it changes only with the job: with its operators, their names or their parallelism. " +
			"The operators have the names that the program or SQL gave them. Which stream or topic one reads or writes Flink does not tell; a name that says it is up to the program. " +
			"A job that has no graph, since it failed before it had one or still waits for its first slots, has empty lists and an empty picture.",
		Attributes: map[string]schema.Attribute{
			"job_id": jobIDLookup(), "name": jobNameLookup(),
			"cluster": text("Endpoint of the cluster."),
			"mermaid": text("The picture as a Mermaid flowchart. Sources are round, sinks have a double border, and what is both is a hexagon."),
			"dot":     text("The picture in Graphviz's language. Sources are round, and sinks have a double border."),
			"vertices": schema.ListNestedAttribute{
				Computed: true, MarkdownDescription: "Parts of the graph, each a chain of operators that run together: each after those it reads from, and by name where that leaves a choice.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"id":          text("Flink's id of the part."),
					"name":        text("Names of its operators, with ` -> ` between them."),
					"parallelism": schema.Int64Attribute{Computed: true, MarkdownDescription: "Parallelism that it runs with."},
					"source":      flag("Whether nothing of the job flows into it."),
					"sink":        flag("Whether nothing flows on from it, or one of its operators is a sink by the name that Flink gives to one: `Sink: x`, `x: Writer`, `x: Committer`."),
				}},
			},
			"edges": schema.ListNestedAttribute{
				Computed: true, MarkdownDescription: "Ways of the data between the parts, in the order of `vertices`.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"from":          text("`id` of the part that the data comes from."),
					"to":            text("`id` of the part that it goes to."),
					"ship_strategy": text("How records are spread over the parallel parts, in Flink's word, such as `HASH`, `FORWARD` or `REBALANCE`; null where Flink does not tell it."),
				}},
			},
		},
	}
}

// Read finds the job and draws it.
func (d *jobGraphDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var model jobGraphModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	flink, diagnostics := d.Data.Flink()
	resp.Diagnostics.Append(diagnostics...)
	if resp.Diagnostics.HasError() {
		return
	}
	lookup := jobLookup{model.JobID, model.Name}
	summary, problem := lookup.find(ctx, flink)
	if problem != nil {
		resp.Diagnostics.Append(problem)
		return
	}
	job, err := flink.Job(ctx, summary.ID)
	if err != nil {
		resp.Diagnostics.Append(lookup.unreadable(summary.ID, flink.Endpoint(), err))
		return
	}
	model.JobID, model.Name, model.Cluster = types.StringValue(summary.ID), types.StringValue(summary.Name), types.StringValue(flink.Endpoint())
	model.draw(graphOf(summary.Name, job))
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}

// graphOf is the graph of a job. Its names are those of the vertices: the plan
// has them escaped, and with more than names.
func graphOf(name string, job *client.Job) jobgraph.Graph {
	var vertices []jobgraph.Vertex
	for _, v := range job.Vertices {
		vertices = append(vertices, jobgraph.Vertex{ID: v.ID, Name: v.Name, Parallelism: v.Parallelism})
	}
	var edges []jobgraph.Edge
	for _, node := range job.Plan.Nodes {
		for _, input := range node.Inputs {
			edges = append(edges, jobgraph.Edge{From: input.ID, To: node.ID, Input: input.Number, ShipStrategy: input.ShipStrategy})
		}
	}
	return jobgraph.New(name, vertices, edges)
}

func (m *jobGraphModel) draw(g jobgraph.Graph) {
	m.Mermaid, m.DOT = types.StringValue(g.Mermaid()), types.StringValue(g.DOT())
	m.Vertices, m.Edges = []graphVertex{}, []graphEdge{}
	for _, v := range g.Vertices {
		m.Vertices = append(m.Vertices, graphVertex{
			ID: types.StringValue(v.ID), Name: types.StringValue(v.Name), Parallelism: types.Int64Value(v.Parallelism),
			Source: types.BoolValue(v.Source), Sink: types.BoolValue(v.Sink),
		})
	}
	for _, e := range g.Edges {
		m.Edges = append(m.Edges, graphEdge{From: types.StringValue(e.From), To: types.StringValue(e.To), ShipStrategy: values.Text(e.ShipStrategy)})
	}
}
