// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega

import (
	"context"
	"errors"
	"fmt"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	api "github.com/terraform-streaming/terraform-provider-streaming/internal/client/pravega"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/base"
)

var _ datasource.DataSourceWithConfigure = (*streamDataSource)(nil)

type streamDataSource struct {
	base.DataSource
}

// NewStreamDataSource returns the data source of one stream.
func NewStreamDataSource() datasource.DataSource { return &streamDataSource{} }

// foundStream is an observedStream and what only a request for one stream tells.
type foundStream struct {
	observedStream

	SegmentCount types.Int64 `tfsdk:"segment_count"`
}

// Metadata names the data source.
func (d *streamDataSource) Metadata(_ context.Context, _ datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = StreamType
}

// Schema describes the attributes.
func (d *streamDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	attributes := observedAttributes()
	attributes["scope"] = inScope("stream is")
	attributes["name"] = schema.StringAttribute{
		Required: true, MarkdownDescription: "Name of the stream. One that does not exist is an error; in a `check` block Terraform makes a warning of it.",
		Validators: []validator.String{nameValidator{what: "stream", limit: maxStreamName}},
	}
	attributes["segment_count"] = schema.Int64Attribute{Computed: true, MarkdownDescription: "Number of segments that are open now, the parallelism that readers can have."}
	resp.Schema = schema.Schema{
		MarkdownDescription: "One Pravega stream, whoever made it: all that REST shows of it, in the shapes of the resource. What it does not show: whether the stream is sealed, a maximum retention, and how much data is in it.\n\n" +
			"To go on without an error when the stream may be missing, look into the list of `streaming_pravega_streams`.",
		Attributes: attributes,
	}
}

// Read reads the stream and counts its segments.
func (d *streamDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var model foundStream
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	client := clientOf(d.Data, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	scope, name := model.Scope.ValueString(), model.Name.ValueString()
	stream, err := client.Stream(ctx, scope, name)
	var segments int64
	if err == nil {
		segments, err = client.SegmentCount(ctx, scope, name)
	}
	switch {
	case errors.Is(err, api.ErrNotFound):
		resp.Diagnostics.Append(missingStream(ctx, client, scope, name))
		return
	case err != nil:
		resp.Diagnostics.Append(unreadable("Cannot read "+streamTitle(scope, name), err, streamRight(scope, name)))
		return
	}
	found := foundStream{observe(ctx, stream, &resp.Diagnostics), types.Int64Value(segments)}
	resp.Diagnostics.Append(resp.State.Set(ctx, &found)...)
}

// missingStream says what is missing, the scope or only the stream: one answer
// of the controller stands for both.
func missingStream(ctx context.Context, client *api.Client, scope, name string) diag.Diagnostic {
	reason := fmt.Sprintf("There is no stream of this name in the scope %q of Pravega %s.", scope, client.Endpoint())
	if err := client.Scope(ctx, scope); errors.Is(err, api.ErrNotFound) {
		reason = fmt.Sprintf("There is no scope %q in Pravega %s.", scope, client.Endpoint())
	}
	return diag.NewErrorDiagnostic(streamTitle(scope, name)+" does not exist", reason+" Capital letters count. "+
		"If this configuration creates it, take scope and name from the resource, so that it is looked up afterwards; "+
		"if a job creates it, run that first.\n\n"+
		fmt.Sprintf("Where it may be missing, use streaming_pravega_streams with name_regex = %q, whose list is empty then.", "^"+regexp.QuoteMeta(name)+"$"))
}
