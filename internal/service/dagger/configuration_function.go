// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package dagger

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/dagger"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/values"
)

var _ function.Function = (*configurationFunction)(nil)

type configurationFunction struct{}

// NewConfigurationFunction returns the function that reads a configuration of
// Dagger.
func NewConfigurationFunction() function.Function { return &configurationFunction{} }

// Metadata names the function.
func (f *configurationFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "dagger_configuration"
}

// resultTypes are the attributes of a Dagger job, and what of a configuration
// has no place there.
func resultTypes() map[string]attr.Type {
	all := typesOf(dagger.Table())
	maps.Copy(all, map[string]attr.Type{
		"namespace": types.StringType, "extra_configuration": types.MapType{ElemType: types.StringType}, "ignored": types.ListType{ElemType: types.StringType},
	})
	return all
}

// Definition describes the function.
func (f *configurationFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "An existing configuration of Dagger, as the attributes of a job",
		MarkdownDescription: "Reads the configuration of an existing Dagger job and returns an object that has each attribute of a [`streaming_dagger_job`](../resources/dagger_job.md) that it sets, " +
			"null for those that it does not set, so that a job moves over without being typed again. A job that is given all of them renders to what Dagger read before.\n\n" +
			"`namespace` is that of Dagger's own classes among `function_factory_classes`, or null. `extra_configuration` has the keys that have no attribute. " +
			"`ignored` lists in sentences what Dagger does not read, or reads as something else: a key of its documentation that its code does not know, one of a processor in another case, a flag that is neither `true` nor `false`.\n\n" +
			"What Dagger itself would fail on while it reads, such as `15000L` or a `PYTHON_UDF_CONFIG` that is an array, is an error. All else is checked by the resource. " +
			"The result has the passwords of the configuration: pass a text that is `sensitive`, and Terraform treats the result so. Needs Terraform 1.8 or OpenTofu 1.7.",
		Parameters: []function.Parameter{function.StringParameter{
			Name: "text",
			MarkdownDescription: "A file of Java properties; or a JSON object of Dagger's keys, whose values can be JSON themselves; or the JSON array of its arguments (`[\"--KEY\", \"value\", ...]`); " +
				"or that in base64, as `--encodedArgs` has it.",
		}},
		Return: function.ObjectReturn{AttributeTypes: resultTypes()},
	}
}

// Run reads.
func (f *configurationFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var text string
	resp.Error = req.Arguments.Get(ctx, &text)
	if resp.Error != nil {
		return
	}
	document, ignored, err := dagger.Parse(text)
	if err != nil {
		// Terraform ends it with a stop.
		resp.Error = function.NewArgumentFuncError(0, "This is no configuration that Dagger reads. "+strings.TrimSuffix(err.Error(), "."))
		return
	}
	resp.Error = resp.Result.Set(ctx, resultOf(document, ignored))
}

func resultOf(document dagger.Document, ignored []string) types.Object {
	object := objectOf(dagger.Table(), func(name string) (dagger.Value, bool) {
		v, set := document.Values[name]
		return v, set
	})
	attributes := object.Attributes()
	texts := func(all []string) []attr.Value {
		elements := make([]attr.Value, 0, len(all))
		for _, one := range all {
			elements = append(elements, types.StringValue(one))
		}
		return elements
	}
	extra := types.MapNull(types.StringType)
	if len(document.Extra) > 0 {
		entries := map[string]attr.Value{}
		for _, key := range slices.Sorted(maps.Keys(document.Extra)) {
			entries[key] = types.StringValue(document.Extra[key])
		}
		extra = types.MapValueMust(types.StringType, entries)
	}
	attributes["namespace"], attributes["extra_configuration"] = values.Text(document.Namespace), extra
	attributes["ignored"] = types.ListValueMust(types.StringType, texts(ignored))
	return types.ObjectValueMust(resultTypes(), attributes)
}
