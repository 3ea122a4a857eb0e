// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package groot

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	document "github.com/terraform-streaming/terraform-provider-streaming/internal/document/groot"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/yamltree"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/diags"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/values"
)

type deliveryModel struct {
	Form     types.String `tfsdk:"form"`
	Argument types.String `tfsdk:"argument"`
	Path     types.String `tfsdk:"path"`
}

func newDocument() document.Document {
	return document.Document{Env: map[string]document.Value{}, Flink: map[string]string{}, Extra: map[string]string{}, Unknown: map[string]bool{}}
}

// document reads the attributes. What is not known is in its Unknown, and so is
// what cannot be read, which is an error at its attribute.
func (m *jobModel) document() (document.Document, diag.Diagnostics) {
	d := newDocument()
	d.Name = m.Name.ValueString()
	var diagnostics diag.Diagnostics
	diagnostics.Append(readEnv(m.Env, &d)...)
	if m.ExtraConfiguration.IsUnknown() || len(values.Known(m.ExtraConfiguration)) < len(m.ExtraConfiguration.Elements()) {
		d.Unknown[document.ExtraName] = true
	}
	d.Extra = values.Known(m.ExtraConfiguration)
	for _, one := range []struct {
		name string
		text types.String
		into *yamltree.Node
	}{
		{document.SectionsName, m.Sections, &d.Sections}, {document.SecretsName, m.Secrets, &d.Secrets}, {document.SecretsName + "_wo", m.revealed, &d.WriteOnly},
	} {
		if one.text.IsUnknown() {
			d.Unknown[one.name] = true
		}
		if one.text.IsNull() || one.text.IsUnknown() {
			continue
		}
		node, err := yamltree.ParseMap(one.text.ValueString())
		if err != nil {
			diagnostics.AddAttributeError(path.Root(one.name), "Not the sections of a job file", diags.Sentence(err.Error()))
			d.Unknown[one.name] = true
		}
		*one.into = node
	}
	if m.Name.IsUnknown() {
		d.Unknown["name"] = true
	}
	return d, diagnostics
}

// readEnv reads an env object.
func readEnv(object types.Object, d *document.Document) diag.Diagnostics {
	var diagnostics diag.Diagnostics
	if object.IsUnknown() {
		d.Unknown[document.EnvName] = true
		return nil
	}
	for name, value := range object.Attributes() {
		switch value := value.(type) {
		case types.Map:
			d.Flink = values.Known(value)
			if value.IsUnknown() || len(d.Flink) < len(value.Elements()) {
				d.Unknown[name] = true
			}
		case types.List:
			readLocations(name, value, d)
		default:
			diagnostics.Append(readPlain(name, value, d)...)
		}
	}
	return diagnostics
}

func readLocations(name string, list types.List, d *document.Document) {
	if list.IsNull() {
		return
	}
	var locations []string
	for _, element := range list.Elements() {
		text, ok := element.(types.String)
		if !ok || text.IsUnknown() {
			d.Unknown[name] = true
			return
		}
		locations = append(locations, text.ValueString())
	}
	if list.IsUnknown() {
		d.Unknown[name] = true
		return
	}
	d.Env[name] = document.Value{List: locations}
}

func readPlain(name string, value attr.Value, d *document.Document) diag.Diagnostics {
	var diagnostics diag.Diagnostics
	if value.IsNull() {
		return nil
	}
	if value.IsUnknown() {
		d.Unknown[name] = true
		return nil
	}
	text, _ := values.Spelled(value)
	rendered, err := document.ParseValue(name, text)
	if err != nil {
		diagnostics.Append(diags.AtAttribute(path.Root(document.EnvName).AtName(name), "Not a value for env."+name, diags.Sentence(err.Error())))
		d.Unknown[name] = true
		return diagnostics
	}
	d.Env[name] = document.Value{Text: rendered}
	return nil
}

// delivery is how the file goes; known is false while a part of it is not.
func (m *jobModel) delivery(ctx context.Context) (delivery document.Delivery, known bool) {
	given, _ := values.As[deliveryModel](ctx, m.Delivery)
	delivery = document.Delivery{Form: document.Base64, Argument: document.DefaultArgument, Path: given.Path.ValueString()}
	if form := given.Form.ValueString(); form != "" {
		delivery.Form = document.Form(form)
	}
	if !given.Argument.IsNull() {
		delivery.Argument = given.Argument.ValueString()
	}
	return delivery, !m.Delivery.IsUnknown() && !given.Form.IsUnknown() && !given.Argument.IsUnknown() && !given.Path.IsUnknown()
}
