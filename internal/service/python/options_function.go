// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package python

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

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/pyflink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/values"
)

var _ function.Function = (*optionsFunction)(nil)

type optionsFunction struct{}

// NewOptionsFunction returns the function that renders python.* options.
func NewOptionsFunction() function.Function { return &optionsFunction{} }

// Metadata names the function.
func (f *optionsFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "python_options"
}

// Definition describes the function.
func (f *optionsFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "Flink's python.* options, checked and rendered",
		MarkdownDescription: "Renders options of Flink's Python workers to the map of strings that Flink reads, and checks them, without asking anything. " +
			"It takes and checks what the attribute `python` of a job does, for jobs that are submitted by other means, and for SQL's `SET`. What the attribute only warns of is not said: a function cannot warn. " +
			"Needs Terraform 1.8 or OpenTofu 1.7.",
		Parameters: []function.Parameter{function.DynamicParameter{
			Name: "options",
			MarkdownDescription: "Object of the options, named as the attributes of `python` are: the key without `python.`, with underscores. What is left out or null is not set. " +
				"`files` is a list of paths, `archives` a list of objects `{ path, target }`, `requirements` an object `{ file, cached_dir }`, `logging_level_overrides` a map, and `fn_execution_bundle_time` a duration such as `\"1 s\"`.",
		}},
		Return: function.MapReturn{ElementType: types.StringType},
	}
}

// Run renders.
func (f *optionsFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
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
	rendered, known, err := renderOptions(given)
	switch {
	case err != nil:
		resp.Error = function.NewArgumentFuncError(0, err.Error())
	case !known:
		resp.Error = resp.Result.Set(ctx, types.MapUnknown(types.StringType))
	default:
		resp.Error = resp.Result.Set(ctx, rendered)
	}
}

// renderOptions is the whole function: known is false while a value is not.
func renderOptions(given map[string]attr.Value) (rendered map[string]string, known bool, err error) {
	options := pyflink.Options{Plain: map[string]string{}, Unknown: map[string]bool{}}
	var problems []string
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if err := readOption(name, given[name], &options); err != nil {
			problems = append(problems, name+": "+err.Error()+".")
		}
	}
	for _, finding := range pyflink.Check(options) {
		if finding.Severity == pyflink.Refused {
			problems = append(problems, finding.Attribute+": "+finding.Summary+". "+finding.Detail)
		}
	}
	if len(problems) > 0 {
		// Terraform ends it with a stop.
		return nil, false, errors.New(strings.TrimSuffix(strings.Join(problems, "\n"), "."))
	}
	return options.Render(pyflink.Bundle{}), len(options.Unknown) == 0, nil
}

// readOption reads one part of the argument.
func readOption(name string, value attr.Value, options *pyflink.Options) error {
	value = values.Plainly(value)
	option, ok := pyflink.Lookup(name)
	if !ok {
		return errors.New("there is no such option")
	}
	if value == nil || value.IsNull() {
		return nil
	}
	if unknownWithin(value) {
		options.Unknown[name] = true
		return nil
	}
	switch option.Kind {
	case pyflink.Paths:
		list, ok := elements(value)
		for _, element := range list {
			options.Files = append(options.Files, spelled(element))
		}
		return unless(ok, "a list of paths")
	case pyflink.Archives:
		list, ok := elements(value)
		for _, element := range list {
			fields, err := object(element, "path", "target")
			if err != nil {
				return err
			}
			options.Archives = append(options.Archives, pyflink.Archive{Path: fields["path"], Target: fields["target"]})
		}
		return unless(ok, "a list of objects { path, target }")
	case pyflink.Requirements:
		fields, err := object(value, "file", "cached_dir")
		if err == nil {
			options.Requirements = &pyflink.Requirement{File: fields["file"], CachedDir: fields["cached_dir"]}
		}
		return err
	case pyflink.Levels:
		entries, ok := values.Parts(value)
		options.Levels = map[string]string{}
		for key, level := range entries {
			options.Levels[key] = spelled(level)
		}
		return unless(ok, "a map of levels")
	case pyflink.Text, pyflink.Flag, pyflink.Count, pyflink.Millis:
	}
	rendered, err := pyflink.Parse(name, spelled(value))
	options.Plain[name] = rendered
	return err
}

func unless(ok bool, what string) error {
	if ok {
		return nil
	}
	return errors.New("it has to be " + what)
}

// elements are those of a list, a set or a tuple.
func elements(value attr.Value) ([]attr.Value, bool) {
	if list, ok := values.Plainly(value).(interface{ Elements() []attr.Value }); ok {
		return list.Elements(), true
	}
	return nil, false
}

// object reads the texts of an object, of which the first one is needed.
func object(value attr.Value, names ...string) (map[string]string, error) {
	given, ok := values.Parts(value)
	if !ok {
		return nil, fmt.Errorf("it has to be an object { %s }", strings.Join(names, ", "))
	}
	fields := map[string]string{}
	for name, field := range given {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("an object { %s } has no %s", strings.Join(names, ", "), name)
		}
		fields[name] = spelled(field)
	}
	return fields, nil
}

// unknownWithin tells whether a part of a value is not known.
func unknownWithin(value attr.Value) bool {
	value = values.Plainly(value)
	if value == nil || value.IsNull() {
		return false
	}
	if value.IsUnknown() {
		return true
	}
	list, _ := elements(value)
	if entries, ok := values.Parts(value); ok {
		list = slices.Collect(maps.Values(entries))
	}
	return slices.ContainsFunc(list, unknownWithin)
}

// spelled is a single value as text, empty for a collection.
func spelled(value attr.Value) string {
	text, _ := values.Spelled(value)
	return text
}
