// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package jobkind

import (
	"context"
	"maps"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/pyflink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/customtypes"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/diags"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/validators"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/values"
)

const pythonName = "python"

func pythonAttribute() schema.SingleNestedAttribute {
	attributes := map[string]schema.Attribute{}
	for _, option := range pyflink.Table() {
		attributes[option.Attribute()] = pythonOptionAttribute(option)
	}
	return schema.SingleNestedAttribute{
		Optional: true,
		MarkdownDescription: "Options of Flink's Python workers, each checked and rendered to its `python.*` key; what is not set is the cluster's. " +
			"Paths are those of the JobManager, or of a file system that it reaches. [All options on one page](../guides/coverage.md).",
		Attributes: attributes,
		Validators: []validator.Object{pythonValidator{}},
	}
}

func pythonOptionAttribute(option pyflink.Option) schema.Attribute {
	description := describePython(option)
	switch option.Kind {
	case pyflink.Flag:
		return schema.BoolAttribute{Optional: true, MarkdownDescription: description}
	case pyflink.Count:
		return schema.Int64Attribute{Optional: true, MarkdownDescription: description}
	case pyflink.Millis:
		return schema.StringAttribute{Optional: true, CustomType: customtypes.DurationType{}, MarkdownDescription: description}
	case pyflink.Paths:
		return schema.ListAttribute{Optional: true, ElementType: types.StringType, MarkdownDescription: description}
	case pyflink.Levels:
		return schema.MapAttribute{Optional: true, ElementType: types.StringType, MarkdownDescription: description}
	case pyflink.Archives:
		return schema.ListNestedAttribute{
			Optional: true, MarkdownDescription: description,
			NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				"path":   schema.StringAttribute{Required: true, MarkdownDescription: "The archive. No comma and no `#`, which Flink has no way to write."},
				"target": schema.StringAttribute{Optional: true, MarkdownDescription: "Directory that it is extracted to. Default: the name of the file."},
			}},
		}
	case pyflink.Requirements:
		return schema.SingleNestedAttribute{
			Optional: true, MarkdownDescription: description,
			Attributes: map[string]schema.Attribute{
				"file":       schema.StringAttribute{Required: true, MarkdownDescription: "The requirements file. No comma and no `#`."},
				"cached_dir": schema.StringAttribute{Optional: true, MarkdownDescription: "Directory with the packages. Default: none, so that each worker fetches them from an index."},
			},
		}
	case pyflink.Text:
	}
	text := schema.StringAttribute{Optional: true, MarkdownDescription: description}
	if len(option.Words) > 0 {
		text.Validators = []validator.String{validators.OneOf(option.Words...)}
	} else {
		text.Validators = []validator.String{validators.NotEmpty()}
	}
	return text
}

func describePython(option pyflink.Option) string {
	parts := []string{option.What}
	if option.Kind == pyflink.Millis {
		parts = append(parts, "A duration such as `\"1 s\"`.")
	}
	if limits := option.Limits(); limits != "" {
		parts = append(parts, "Allowed: "+limits+".")
	}
	if option.Default != "" {
		unit := ""
		if option.Kind == pyflink.Millis {
			unit = " ms"
		}
		parts = append(parts, "Flink's default: `"+option.Default+"`"+unit+".")
	}
	if option.Note != "" {
		parts = append(parts, option.Note)
	}
	return strings.Join(parts, " ")
}

// pythonTypes are the types of the object.
var pythonTypes = func() map[string]attr.Type {
	object := map[string]attr.Type{}
	for name, attribute := range pythonAttribute().Attributes {
		object[name] = attribute.GetType()
	}
	return object
}()

// pythonOptions reads the object. What is not a good value is an error at its
// attribute.
func pythonOptions(ctx context.Context, object types.Object) (pyflink.Options, diag.Diagnostics) {
	var diagnostics diag.Diagnostics
	options := pyflink.Options{Plain: map[string]string{}, Unknown: map[string]bool{}}
	for name, value := range object.Attributes() {
		if value.IsNull() {
			continue
		}
		if value.IsUnknown() {
			options.Unknown[name] = true
			continue
		}
		switch value := value.(type) {
		case types.List:
			diagnostics.Append(readList(ctx, name, value, &options)...)
		case types.Map:
			options.Levels = map[string]string{}
			for key, level := range value.Elements() {
				if text, ok := level.(types.String); ok && !text.IsUnknown() {
					options.Levels[key] = text.ValueString()
				}
			}
		case types.Object:
			diagnostics.Append(readRequirement(ctx, value, &options)...)
		default:
			text, _ := values.Spelled(value)
			rendered, err := pyflink.Parse(name, text)
			if err != nil {
				diagnostics.Append(diags.AtAttribute(path.Root(pythonName).AtName(name), "Not a value for python."+name, diags.Sentence(err.Error())))
				continue
			}
			options.Plain[name] = rendered
		}
	}
	return options, diagnostics
}

type archiveModel struct {
	Path   types.String `tfsdk:"path"`
	Target types.String `tfsdk:"target"`
}

type requirementModel struct {
	File      types.String `tfsdk:"file"`
	CachedDir types.String `tfsdk:"cached_dir"`
}

// readList reads files or archives. One that is not known is left out.
func readList(ctx context.Context, name string, list types.List, options *pyflink.Options) diag.Diagnostics {
	var diagnostics diag.Diagnostics
	for _, element := range list.Elements() {
		switch element := element.(type) {
		case types.String:
			if element.IsUnknown() {
				options.Unknown[name] = true
				continue
			}
			options.Files = append(options.Files, element.ValueString())
		case types.Object:
			archive, found := values.As[archiveModel](ctx, element)
			diagnostics.Append(found...)
			if element.IsUnknown() || archive.Path.IsUnknown() || archive.Target.IsUnknown() {
				options.Unknown[name] = true
				continue
			}
			options.Archives = append(options.Archives, pyflink.Archive{Path: archive.Path.ValueString(), Target: archive.Target.ValueString()})
		}
	}
	return diagnostics
}

func readRequirement(ctx context.Context, object types.Object, options *pyflink.Options) diag.Diagnostics {
	requirement, diagnostics := values.As[requirementModel](ctx, object)
	if requirement.File.IsUnknown() || requirement.CachedDir.IsUnknown() {
		options.Unknown["requirements"] = true
		return diagnostics
	}
	options.Requirements = &pyflink.Requirement{File: requirement.File.ValueString(), CachedDir: requirement.CachedDir.ValueString()}
	return diagnostics
}

// comparePython finds the options that Flink would be given otherwise.
func comparePython(ctx context.Context, state, plan *Model, d *Differences) {
	if d.TakeOver && state.Python.IsNull() {
		return
	}
	options, _ := pythonOptions(ctx, plan.Python)
	if unknown := plan.Python.IsUnknown() || len(options.Unknown) > 0; unknown || !samePython(ctx, state.Python, plan.Python) {
		d.Found(pythonName, unknown)
	}
}

// samePython tells whether Flink is given the same by both.
func samePython(ctx context.Context, state, plan types.Object) bool {
	before, _ := pythonOptions(ctx, state)
	after, _ := pythonOptions(ctx, plan)
	return !plan.IsUnknown() && len(after.Unknown) == 0 && maps.Equal(before.Render(pyflink.Bundle{}), after.Render(pyflink.Bundle{}))
}

// pythonValidator checks what of a python object is known.
type pythonValidator struct{}

// Description says what is checked.
func (pythonValidator) Description(context.Context) string {
	return "options of Python that Flink takes for what they say"
}

// MarkdownDescription says what is checked.
func (v pythonValidator) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateObject checks the options one by one and together, and that none is
// in configuration too.
func (pythonValidator) ValidateObject(ctx context.Context, req validator.ObjectRequest, resp *validator.ObjectResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	options, diagnostics := pythonOptions(ctx, req.ConfigValue)
	resp.Diagnostics.Append(diagnostics...)
	for _, finding := range pyflink.Check(options) {
		at := req.Path.AtName(finding.Attribute)
		if finding.Index >= 0 && !options.Unknown[finding.Attribute] {
			at = at.AtListIndex(finding.Index)
		}
		if finding.Severity == pyflink.Refused {
			resp.Diagnostics.Append(diags.AtAttribute(at, finding.Summary, finding.Detail))
		} else {
			resp.Diagnostics.Append(diags.WarningAtAttribute(at, finding.Summary, finding.Detail))
		}
	}
	var configuration types.Map
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("configuration"), &configuration)...)
	for _, option := range pyflink.Table() {
		if value := req.ConfigValue.Attributes()[option.Attribute()]; value == nil || value.IsNull() {
			continue
		}
		if _, twice := configuration.Elements()[option.Key]; twice {
			resp.Diagnostics.AddAttributeError(path.Root("configuration").AtMapKey(option.Key), option.Key+" is set twice", "python."+option.Attribute()+" sets it too. Remove one of them.")
		}
	}
}
