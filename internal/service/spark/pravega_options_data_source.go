// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package spark

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	api "github.com/terraform-streaming/terraform-provider-streaming/internal/client/pravega"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/pravegaspark"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/base"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/diags"
)

// PravegaOptionsType is the data source's type name.
const PravegaOptionsType = "streaming_pravega_spark_options"

var (
	_ datasource.DataSourceWithConfigure      = (*pravegaOptionsDataSource)(nil)
	_ datasource.DataSourceWithValidateConfig = (*pravegaOptionsDataSource)(nil)
)

type pravegaOptionsDataSource struct {
	base.DataSource
}

// NewPravegaOptionsDataSource returns the data source of the connector's options.
func NewPravegaOptionsDataSource() datasource.DataSource { return &pravegaOptionsDataSource{} }

// Metadata names the data source.
func (d *pravegaOptionsDataSource) Metadata(_ context.Context, _ datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = PravegaOptionsType
}

// Schema describes the attributes.
func (d *pravegaOptionsDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = pravegaOptionsSchema()
}

// ValidateConfig refuses what cannot work. It is asked again when all values
// are known. What is only warned of waits until then, so as to be said once.
func (d *pravegaOptionsDataSource) ValidateConfig(ctx context.Context, req datasource.ValidateConfigRequest, resp *datasource.ValidateConfigResponse) {
	var model pravegaOptionsModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	if resp.Diagnostics.HasError() {
		return
	}
	options := model.options(&resp.Diagnostics)
	for _, finding := range pravegaspark.Check(options, pravegaspark.Situation{Mode: pravegaspark.Mode(model.Mode.ValueString())}) {
		if finding.Severity == pravegaspark.Refused {
			resp.Diagnostics.AddAttributeError(path.Root(finding.Option), finding.Summary, finding.Detail)
		}
	}
}

// Read renders the options, and looks the stream up if anything depends on it.
func (d *pravegaOptionsDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var model pravegaOptionsModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	options := model.options(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	managed := model.Managed.ValueBool()
	created := !managed && (!options.Set(pravegaspark.AllowCreateScope) || !options.Set(pravegaspark.AllowCreateStream))
	var existing *pravegaspark.Existing
	if created || setsDefaults(options) {
		existing, model.StreamExists = d.lookUp(ctx, &model, created, &resp.Diagnostics)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	situation := pravegaspark.Situation{Mode: pravegaspark.Mode(model.Mode.ValueString()), Managed: managed, Exists: existing != nil}
	for _, finding := range pravegaspark.Check(options, situation) {
		if finding.Severity != pravegaspark.Refused {
			resp.Diagnostics.AddAttributeWarning(path.Root(finding.Option), finding.Summary, finding.Detail)
		}
	}
	model.Ignored = []ignoredModel{}
	if managed || existing != nil {
		createNothing(options)
		for _, one := range pravegaspark.Compare(options, existing) {
			model.Ignored = append(model.Ignored, ignoredModel{
				Option: types.StringValue(one.Option), Wanted: types.StringValue(one.Wanted), Actual: types.StringPointerValue(one.Actual),
			})
			resp.Diagnostics.Append(model.report(one, existing != nil)...)
		}
	}
	model.Options = options.Render()
	if !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
	}
}

// lookUp reads the stream. It is nil, and exists is false, when it is not
// there; exists is null when it could not be asked for.
func (d *pravegaOptionsDataSource) lookUp(ctx context.Context, model *pravegaOptionsModel, created bool, diagnostics *diag.Diagnostics) (existing *pravegaspark.Existing, exists types.Bool) {
	scope, name := model.Scope.ValueString(), model.Stream.ValueString()
	if d.Data != nil && !d.Data.PravegaSet() {
		consequence := "The default_* options are not compared with it."
		if created {
			consequence = "The options are those for a stream that does not exist: the connector creates what it does not find, and what an existing stream makes void is not told. " +
				"If Terraform owns the stream, set managed = true; else set allow_create_scope and allow_create_stream, so that nothing depends on it."
		}
		diagnostics.AddWarning("No pravega endpoint is configured, so the stream was not looked up",
			fmt.Sprintf("Whether the stream %q exists is not known. %s To look it up, set pravega = { endpoint = \"...\" } in the provider configuration, or STREAMING_PRAVEGA_ENDPOINT in the environment.", scope+"/"+name, consequence))
		return nil, types.BoolNull()
	}
	client, more := d.Data.Pravega()
	diagnostics.Append(more...)
	if diagnostics.HasError() {
		return nil, types.BoolNull()
	}
	stream, err := client.Stream(ctx, scope, name)
	switch {
	case errors.Is(err, api.ErrNotFound):
		return nil, types.BoolValue(false)
	case err != nil:
		problem := diags.Error(fmt.Sprintf("Cannot look up Pravega stream %q", scope+"/"+name), err)
		diagnostics.AddError(problem.Summary(), problem.Detail()+
			"\n\nThe options depend on whether the stream exists, so they cannot be told. With managed = true, or with both allow_create_scope and allow_create_stream, and without any default_* option, nothing is looked up.")
		return nil, types.BoolNull()
	}
	return existingOf(stream.StreamConfig), types.BoolValue(true)
}

// existingOf is what the connector's options can be compared with.
func existingOf(config api.StreamConfig) *pravegaspark.Existing {
	existing := &pravegaspark.Existing{Segments: config.Scaling.MinSegments}
	switch config.Scaling.Type {
	case api.RateInKBytes:
		existing.Rate = pravegaspark.KiBRate
	case api.RateInEvents:
		existing.Rate = pravegaspark.EventRate
	case api.Fixed:
	}
	if existing.Rate != pravegaspark.NoRate {
		existing.TargetRate, existing.ScaleFactor = config.Scaling.TargetRate, config.Scaling.ScaleFactor
	}
	if r := config.Retention; r != nil {
		amount := r.Amount
		if r.Kind == api.RetainTime {
			existing.RetainMinutes = &amount
		} else {
			existing.RetainMiB = &amount
		}
	}
	return existing
}

// report words an option that is ignored, as an error if that is asked for.
// One that the stream fits loses nothing.
func (m *pravegaOptionsModel) report(one pravegaspark.Ignored, found bool) diag.Diagnostics {
	if one.Same {
		return nil
	}
	at, title := path.Root(one.Option), fmt.Sprintf("%q", m.Scope.ValueString()+"/"+m.Stream.ValueString())
	is := "the stream exists and has " + actual(one)
	if !found {
		is = "managed is true, so that the stream is there before the job"
	}
	summary := one.Option + " is ignored"
	detail := fmt.Sprintf("It is %s for the stream %s, but the connector sets it only when it creates a stream: %s. Nothing would tell the job so. "+
		"Remove it, and configure the stream where it is created, such as with streaming_pravega_stream.", one.Wanted, title, is)
	if m.OnIgnored.ValueString() == fail {
		return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(at, summary, detail+" It is an error because on_ignored is \"error\".")}
	}
	return diag.Diagnostics{diag.NewAttributeWarningDiagnostic(at, summary, detail)}
}

// actual says what the stream has in the place of an option.
func actual(one pravegaspark.Ignored) string {
	switch {
	case one.Actual != nil:
		return *one.Actual
	case one.Option == pravegaspark.RetentionTime:
		return "no retention by time"
	case one.Option == pravegaspark.RetentionSize:
		return "no retention by size"
	}
	return "no scaling by such a rate"
}
