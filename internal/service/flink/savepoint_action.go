// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	client "github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/base"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/customtypes"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/progress"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/validators"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/jobkind"
)

var _ action.ActionWithConfigure = (*savepointAction)(nil)

type savepointAction struct {
	base.Action
}

// NewSavepointAction returns the action that takes a savepoint.
func NewSavepointAction() action.Action { return &savepointAction{} }

type savepointActionModel struct {
	JobID      types.String         `tfsdk:"job_id"`
	Directory  types.String         `tfsdk:"directory"`
	FormatType types.String         `tfsdk:"format_type"`
	Timeout    customtypes.Duration `tfsdk:"timeout"`
}

// Metadata names the action.
func (a *savepointAction) Metadata(_ context.Context, _ action.MetadataRequest, resp *action.MetadataResponse) {
	resp.TypeName = SavepointType
}

// Schema describes the attributes.
func (a *savepointAction) Schema(_ context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Takes a savepoint of a running job, without stopping it, and waits until it is complete. Each call takes another one.\n\n" +
			"The path is in the messages of the run and in no state: nothing deletes the files later. Where a configuration needs the path, use the resource `streaming_flink_savepoint`.",
		Attributes: map[string]schema.Attribute{
			"job_id": schema.StringAttribute{
				Required: true, MarkdownDescription: "Flink's id of the job, such as `streaming_flink_job.orders.job_id`.",
				Validators: []validator.String{jobIDValidator()},
			},
			"directory": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Parent directory, as the cluster reaches it; the savepoint goes to two directories of its own below it. " +
					"Default: the cluster's `execution.checkpointing.savepoint-dir`. With neither the action fails.",
				Validators: []validator.String{savepointPathValidator()},
			},
			"format_type": schema.StringAttribute{
				Optional: true, MarkdownDescription: "`CANONICAL` (default; any state backend can read it) or `NATIVE` (faster, the same backend only).",
				Validators: []validator.String{validators.OneOf("CANONICAL", "NATIVE")},
			},
			"timeout": schema.StringAttribute{
				Optional: true, CustomType: customtypes.DurationType{},
				MarkdownDescription: "How long to wait for the savepoint, one number and one unit such as `30 min`. Default `10 min`. After that Flink goes on with it.",
			},
		},
	}
}

// Invoke takes the savepoint.
func (a *savepointAction) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	var model savepointActionModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	engine, diagnostics := jobkind.Engine(a.Data, &resp.Diagnostics)
	resp.Diagnostics.Append(diagnostics...)
	if resp.Diagnostics.HasError() {
		return
	}
	job := model.JobID.ValueString()
	format := client.Canonical
	if !model.FormatType.IsNull() {
		format = client.SavepointFormat(model.FormatType.ValueString())
	}
	ctx, cancel := context.WithTimeout(ctx, limitOf(model.Timeout, 10*time.Minute))
	defer cancel()
	progress.Say(resp, "Taking a savepoint of job %s", job)
	var taken lifecycle.TakenSavepoint
	err := progress.During(resp, progress.Every, "Savepoint of job "+job, func() (err error) {
		taken, err = engine.TakeSavepoint(ctx, lifecycle.SavepointOrder{
			JobID: job, Trigger: "action " + rand.Text(), Directory: model.Directory.ValueString(), Format: format,
		}, &a.Data.Savepoints)
		return err
	})
	if err != nil {
		resp.Diagnostics.Append(savepointError("take a savepoint of job "+job, err))
		return
	}
	progress.Say(resp, "Savepoint of job %s: %s", job, taken.Path)
}
