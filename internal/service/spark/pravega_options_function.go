// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package spark

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/pravegaspark"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/values"
)

var _ function.Function = (*pravegaOptionsFunction)(nil)

type pravegaOptionsFunction struct{}

// NewPravegaOptionsFunction returns the function that renders the connector's options.
func NewPravegaOptionsFunction() function.Function { return &pravegaOptionsFunction{} }

// Metadata names the function.
func (f *pravegaOptionsFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "pravega_spark_options"
}

// Definition describes the function.
func (f *pravegaOptionsFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "Options of the Pravega connector for Spark, checked and rendered",
		MarkdownDescription: "Renders the options of the Pravega connector for Spark to the map of strings that Spark's `option(key, value)` takes, and checks them, without asking anything. " +
			"It takes and checks what the data source [`streaming_pravega_spark_options`](../data-sources/pravega_spark_options.md) does, and fails also where that only warns that the connector ignores or changes a value in silence. " +
			"What depends on how the controller is configured is not said: a function cannot warn.\n\n" +
			"It does not look the stream up: whether one that exists makes `default_*` options void is told by the data source alone. Needs Terraform 1.8 or OpenTofu 1.7.",
		Parameters: []function.Parameter{function.DynamicParameter{
			Name: "options",
			MarkdownDescription: "Object, or map of strings, of the options: each is named as the connector names it; what is left out or null is not set. `scope` and `stream` are needed. " +
				"Durations are such as `\"7d\"` or a number of milliseconds, sizes such as `\"64mb\"` or a number of bytes. " +
				"Two keys are not options: `managed`, with which `allow_create_scope` and `allow_create_stream` are `false` unless they are set, and `default_*` options are refused; and `mode`, `\"batch\"` or `\"streaming\"`.",
		}},
		Return: function.MapReturn{ElementType: types.StringType},
	}
}

// Run renders.
func (f *pravegaOptionsFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var argument types.Dynamic
	resp.Error = req.Arguments.Get(ctx, &argument)
	if resp.Error != nil {
		return
	}
	given, ok := values.Parts(argument.UnderlyingValue())
	if !ok {
		resp.Error = function.NewArgumentFuncError(0, "The options are neither an object nor a map.")
		return
	}
	rendered, known, err := renderGiven(given)
	if err != nil {
		resp.Error = function.NewArgumentFuncError(0, err.Error())
		return
	}
	if !known {
		resp.Error = resp.Result.Set(ctx, types.MapUnknown(types.StringType))
		return
	}
	resp.Error = resp.Result.Set(ctx, rendered)
}

// Keys of the function's argument that are no options.
const (
	managedKey = "managed"
	modeKey    = "mode"
)

// renderGiven is the whole function: known is false while a value is not.
func renderGiven(given map[string]attr.Value) (rendered map[string]string, known bool, err error) {
	var situation pravegaspark.Situation
	options, known := pravegaspark.Options{}, true
	var problems []string
	for _, name := range slices.Sorted(maps.Keys(given)) {
		value := values.Plainly(given[name])
		if value == nil || value.IsNull() {
			continue
		}
		known = known && !value.IsUnknown()
		err := error(nil)
		switch name {
		case managedKey:
			situation.Managed, err = managedOf(value)
		case modeKey:
			situation.Mode, err = modeOf(value)
		default:
			options[name], err = optionOf(name, value)
		}
		if err != nil {
			problems = append(problems, err.Error()+".")
			delete(options, name)
		}
	}
	for _, finding := range pravegaspark.Check(options, situation) {
		// Something unknown may still be what makes a value count.
		if finding.Severity == pravegaspark.Refused || finding.Severity == pravegaspark.Void && known {
			problems = append(problems, about(finding.Option, finding.Summary+". "+finding.Detail))
		}
	}
	if situation.Managed {
		createNothing(options)
		for _, one := range pravegaspark.Compare(options, nil) {
			problems = append(problems, one.Option+" is ignored. managed is true, so that the stream is there before the job, and the connector sets it only when it creates a stream. "+
				"Remove it, and configure the stream where it is created.")
		}
	}
	if len(problems) > 0 {
		// Terraform ends it with a stop.
		return nil, known, errors.New(strings.TrimSuffix(strings.Join(problems, "\n"), "."))
	}
	return options.Render(), known, nil
}

// about names the option unless the text does.
func about(option, text string) string {
	if strings.HasPrefix(text, option) {
		return text
	}
	return option + ": " + text
}

func managedOf(value attr.Value) (bool, error) {
	if value.IsUnknown() {
		return false, nil
	}
	switch text, _ := values.Spelled(value); text {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, fmt.Errorf("%s is neither true nor false", managedKey)
}

func modeOf(value attr.Value) (pravegaspark.Mode, error) {
	if value.IsUnknown() {
		return "", nil
	}
	text, _ := values.Spelled(value)
	mode := pravegaspark.Mode(text)
	if mode != pravegaspark.Batch && mode != pravegaspark.Streaming {
		return "", fmt.Errorf("%s is %q, which is neither %q nor %q", modeKey, text, pravegaspark.Batch, pravegaspark.Streaming)
	}
	return mode, nil
}
