// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	api "github.com/terraform-streaming/terraform-provider-streaming/internal/client/pravega"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/base"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/progress"
)

// SealStreamType is the type of the action that seals a stream.
const SealStreamType = "streaming_pravega_seal_stream"

var _ action.ActionWithConfigure = (*sealStreamAction)(nil)

type sealStreamAction struct {
	base.Action
}

// NewSealStreamAction returns the action that seals a stream.
func NewSealStreamAction() action.Action { return &sealStreamAction{} }

type sealStreamModel struct {
	Scope types.String `tfsdk:"scope"`
	Name  types.String `tfsdk:"name"`
}

// Metadata names the action.
func (a *sealStreamAction) Metadata(_ context.Context, _ action.MetadataRequest, resp *action.MetadataResponse) {
	resp.TypeName = SealStreamType
}

// Schema describes the attributes.
func (a *sealStreamAction) Schema(_ context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Seals a Pravega stream. **That cannot be undone**: what is in the stream can be read, and nothing can be written to it any more. Readers that reach its end are told that there is no more.\n\n" +
			"A stream that is sealed already stays as it is, which is no error. A sealed stream can be deleted, but not be updated.",
		Attributes: map[string]schema.Attribute{
			"scope": schema.StringAttribute{
				Required: true, MarkdownDescription: "Scope of the stream.",
				Validators: []validator.String{nameValidator{what: "scope", limit: maxScopeName}},
			},
			"name": schema.StringAttribute{
				Required: true, MarkdownDescription: "Name of the stream.",
				Validators: []validator.String{nameValidator{what: "stream", limit: maxStreamName}},
			},
		},
	}
}

// Invoke seals the stream.
func (a *sealStreamAction) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	var model sealStreamModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	client := clientOf(a.Data, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	scope, name := model.Scope.ValueString(), model.Name.ValueString()
	title := importedStream(scope, name).title()
	progress.Say(resp, "Sealing %s", title)
	err := progress.During(resp, progress.Every, "Sealing "+title, func() error { return client.SealStream(ctx, scope, name) })
	switch {
	case errors.Is(err, api.ErrNotFound):
		resp.Diagnostics.AddError("Cannot seal "+title, "There is no such stream. Capital letters count in both names.")
	case err != nil:
		resp.Diagnostics.Append(failure("Cannot seal "+title, err))
	default:
		progress.Say(resp, "%s is sealed", title)
	}
}
