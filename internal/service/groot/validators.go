// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package groot

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	document "github.com/terraform-streaming/terraform-provider-streaming/internal/document/groot"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/yamltree"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/diags"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/values"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/jobkind"
)

// described is what a validator says of itself.
type described string

// Description says what is checked.
func (d described) Description(context.Context) string { return string(d) }

// MarkdownDescription says what is checked.
func (d described) MarkdownDescription(context.Context) string { return string(d) }

// yamlValidator checks that a text is a map of sections.
type yamlValidator struct{}

// Description says what is checked.
func (yamlValidator) Description(context.Context) string { return "a map in YAML or JSON" }

// MarkdownDescription says what is checked.
func (v yamlValidator) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString reads a known text.
func (yamlValidator) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if _, err := yamltree.ParseMap(req.ConfigValue.ValueString()); err != nil {
		resp.Diagnostics.Append(diags.AtAttribute(req.Path, "Not the sections of a job file", diags.Sentence(err.Error())))
	}
}

// envValidator checks the options of an env object one by one.
type envValidator struct{ described }

// ValidateObject checks what is known.
func (envValidator) ValidateObject(_ context.Context, req validator.ObjectRequest, resp *validator.ObjectResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	read := newDocument()
	resp.Diagnostics.Append(readEnv(req.ConfigValue, &read)...)
	flink, _ := req.ConfigValue.Attributes()[document.FlinkName].(types.Map)
	for key, value := range flink.Elements() {
		at := req.Path.AtName(document.FlinkName).AtMapKey(key)
		advice, managed := jobkind.ManagedKey(key)
		switch key {
		case "pipeline.max-parallelism":
			// Groot Stream documents it, and the attribute is held against it.
			managed = false
		case "pipeline.global-job-parameters":
			advice, managed = "The provider has its marker there, by which it knows the job again, and a program that sets the option writes over it. Set it in configuration, where the two are merged.", true
		}
		switch {
		case managed:
			resp.Diagnostics.Append(diags.AtAttribute(at, "Option "+key+" cannot be set here", advice))
		case value.IsNull():
			resp.Diagnostics.Append(diags.AtAttribute(at, "Option "+key+" is null", "Leave the key out, or give it a value."))
		}
	}
}

// deliveryValidator checks that there is a path exactly where one is needed.
type deliveryValidator struct{ described }

// ValidateObject checks what is known.
func (deliveryValidator) ValidateObject(ctx context.Context, req validator.ObjectRequest, resp *validator.ObjectResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	delivery, diagnostics := values.As[deliveryModel](ctx, req.ConfigValue)
	resp.Diagnostics.Append(diagnostics...)
	if delivery.Form.IsUnknown() || delivery.Path.IsUnknown() {
		return
	}
	byPath := delivery.Form.ValueString() == string(document.Path)
	switch {
	case byPath && delivery.Path.IsNull():
		resp.Diagnostics.Append(diags.AtAttribute(req.Path.AtName("path"), "delivery.path is missing", "With delivery.form = \"path\" the program is given the path of a file that is there already."))
	case !byPath && !delivery.Path.IsNull():
		resp.Diagnostics.Append(diags.AtAttribute(req.Path.AtName("path"), "delivery.path has no effect", "It counts with delivery.form = \"path\" alone."))
	}
}

// about is the path of what a finding is about, and its name for the summary:
// Terraform shows where the resource is, and no path within an object.
func about(finding document.Finding) (at path.Path, name string) {
	at, name = path.Root(finding.Attribute), ""
	if finding.Member != "" {
		at, name = at.AtName(finding.Member), finding.Attribute+"."+finding.Member
	}
	switch {
	case finding.Key != "":
		at = at.AtMapKey(finding.Key)
	case finding.Index >= 0:
		at, name = at.AtListIndex(finding.Index), fmt.Sprintf("%s[%d]", name, finding.Index)
	}
	return at, name
}
