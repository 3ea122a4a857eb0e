// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streampark

import (
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/streampark"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/values"
)

// groups are the objects of a model, by their attributes.
func (m *jobModel) groups() map[string]*types.Object {
	return map[string]*types.Object{
		"option": &m.Option, "property": &m.Property, "memory": &m.Memory, "checkpoint": &m.Checkpoint,
		"state_backend": &m.StateBackend, "restart_strategy": &m.RestartStrategy, "table": &m.Table,
	}
}

// document is what the attributes say, without write-only variables.
func (m *jobModel) document() streampark.Document {
	d := streampark.Document{
		Layout: streampark.Layout(m.Layout.ValueString()), Name: m.Name.ValueString(), EntryClass: m.EntryClass.ValueString(),
		Parallelism: m.Parallelism.ValueInt64(), SQL: m.SQL.ValueString(), Values: map[string]string{}, Unknown: map[string]bool{},
	}
	for name, value := range map[string]attr.Value{
		streampark.Name: m.Name, streampark.EntryClass: m.EntryClass, streampark.Parallelism: m.Parallelism, streampark.SQL: m.SQL, streampark.LayoutName: m.Layout,
	} {
		if value.IsUnknown() {
			d.Unknown[name] = true
		}
	}
	for group, object := range m.groups() {
		readGroup(&d, group, *object)
	}
	d.Statements = readMap(&d, streampark.Statements, m.SQLByID)
	d.Extra = readMap(&d, streampark.Extra, m.Extra)
	d.Variables = readMap(&d, streampark.Variables, m.Variables)
	if m.Args.IsUnknown() {
		d.Unknown[streampark.Args] = true
	}
	for _, element := range m.Args.Elements() {
		if element.IsUnknown() {
			d.Unknown[streampark.Args] = true
		}
		text, _ := values.Spelled(element)
		d.Args = append(d.Args, text)
	}
	return d
}

// readGroup reads an object and those in it.
func readGroup(d *streampark.Document, at string, value attr.Value) {
	switch {
	case value.IsNull():
		return
	case value.IsUnknown():
		d.Unknown[at] = true
		return
	}
	if quantity, ok := value.(interface{ Refused() bool }); ok && quantity.Refused() {
		// Its type says so; what is checked here has nothing to add.
		d.Unknown[at] = true
		return
	}
	if parts, ok := values.Parts(value); ok {
		for name, part := range parts {
			readGroup(d, at+"."+name, part)
		}
		return
	}
	if text, ok := values.Spelled(value); ok {
		d.Values[at] = text
	}
}

func readMap(d *streampark.Document, at string, value types.Map) map[string]string {
	known := values.Known(value)
	if value.IsUnknown() || len(known) < len(value.Elements()) {
		d.Unknown[at] = true
	}
	return known
}

// whole is the document with write-only variables.
func (m *jobModel) whole() streampark.Document {
	d := m.document()
	if len(m.hidden) > 0 {
		d.Variables = maps.Clone(d.Variables)
		maps.Copy(d.Variables, m.hidden)
	}
	if m.hiddenUnknown {
		d.Unknown[streampark.Variables] = true
	}
	return d
}

// render sets what is shown of the document, when all of that is known.
func (m *jobModel) render() {
	d := m.document()
	// Neither is shown.
	delete(d.Unknown, streampark.Variables)
	delete(d.Unknown, streampark.EntryClass)
	delete(d.Unknown, streampark.Parallelism)
	if len(d.Unknown) > 0 {
		m.Rendered = types.StringUnknown()
		return
	}
	m.Rendered = types.StringValue(streampark.Render(d).Text())
}
