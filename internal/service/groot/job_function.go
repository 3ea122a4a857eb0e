// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package groot

import (
	"context"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	document "github.com/terraform-streaming/terraform-provider-streaming/internal/document/groot"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/values"
)

var _ function.Function = (*jobFunction)(nil)

type jobFunction struct{}

// NewJobFunction returns the function that takes a job file apart.
func NewJobFunction() function.Function { return &jobFunction{} }

// Metadata names the function.
func (f *jobFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "groot_job"
}

// jobTypes are the types of what the function returns.
var jobTypes = map[string]attr.Type{
	"name": types.StringType, document.EnvName: types.ObjectType{AttrTypes: envTypes},
	document.ExtraName: types.MapType{ElemType: types.StringType}, document.SectionsName: types.StringType,
}

// Definition describes the function.
func (f *jobFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "A job file of Groot Stream, taken apart into the attributes of streaming_groot_job",
		MarkdownDescription: "Reads a job file of Groot Stream, in YAML or JSON, and returns an object with the attributes `name`, `env`, `extra_configuration` and `sections` of [`streaming_groot_job`](../resources/groot_job.md), " +
			"which render to a file that means the same. What the file does not have is null. Keys of the `env` block may be nested, and lists of jars may be lists. " +
			"It fails at a value that Groot Stream's documentation does not allow. Needs Terraform 1.8 or OpenTofu 1.7.",
		Parameters: []function.Parameter{function.StringParameter{
			Name: "text", MarkdownDescription: "The job file, such as `file(\"job.yaml\")`.",
		}},
		Return: function.ObjectReturn{AttributeTypes: jobTypes},
	}
}

// Run reads the file.
func (f *jobFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var text string
	if resp.Error = req.Arguments.Get(ctx, &text); resp.Error != nil {
		return
	}
	file, err := document.Parse(text)
	if err != nil {
		resp.Error = function.NewArgumentFuncError(0, "The job file cannot be read: "+err.Error())
		return
	}
	resp.Error = resp.Result.Set(ctx, types.ObjectValueMust(jobTypes, map[string]attr.Value{
		"name": values.Text(file.Name), document.EnvName: envOf(file),
		document.ExtraName: textMap(file.Extra), document.SectionsName: values.Text(file.Written()),
	}))
}

// textMap is a map of strings, null for an empty one.
func textMap(texts map[string]string) types.Map {
	if len(texts) == 0 {
		return types.MapNull(types.StringType)
	}
	elements := make(map[string]attr.Value, len(texts))
	for key, text := range texts {
		elements[key] = types.StringValue(text)
	}
	return types.MapValueMust(types.StringType, elements)
}

// envOf is the env object of a document, null without a key.
func envOf(file document.Document) types.Object {
	if len(file.Env) == 0 && len(file.Flink) == 0 {
		return types.ObjectNull(envTypes)
	}
	attributes := map[string]attr.Value{document.FlinkName: textMap(file.Flink)}
	for _, option := range document.Table() {
		if option.OfResource == "" {
			value, set := file.Env[option.Attribute()]
			attributes[option.Attribute()] = valueOf(option, value, set)
		}
	}
	return types.ObjectValueMust(envTypes, attributes)
}

func valueOf(option document.Option, value document.Value, set bool) attr.Value {
	switch option.Kind {
	case document.Flag:
		if !set {
			return types.BoolNull()
		}
		return types.BoolValue(value.Text == "true")
	case document.Count:
		number, err := strconv.ParseInt(value.Text, 10, 64)
		if err != nil {
			return types.Int64Null()
		}
		return types.Int64Value(number)
	case document.Locations:
		if len(value.List) == 0 {
			return types.ListNull(types.StringType)
		}
		elements := make([]attr.Value, 0, len(value.List))
		for _, location := range value.List {
			elements = append(elements, types.StringValue(location))
		}
		return types.ListValueMust(types.StringType, elements)
	case document.Text, document.Millis:
	}
	if !set {
		return types.StringNull()
	}
	return types.StringValue(value.Text)
}
