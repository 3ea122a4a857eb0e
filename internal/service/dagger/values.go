// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package dagger

import (
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/dagger"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/diags"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/values"
)

// reader makes a document of attributes.
type reader struct{ diagnostics diag.Diagnostics }

// given are the attributes of an object, and those of the same object in the
// configuration, which alone has what is write-only.
type given struct {
	attributes, config map[string]attr.Value
	at                 path.Path
	// top is true for the attributes of the resource itself.
	top bool
}

func (g given) path(attribute string) path.Path {
	if g.top {
		return path.Root(attribute)
	}
	return g.at.AtName(attribute)
}

// group reads the options that are set.
func (r *reader) group(options []dagger.Option, g given) map[string]dagger.Value {
	fields := map[string]dagger.Value{}
	for _, o := range options {
		if v, set := r.value(o, g.attributes[o.Attribute], g.config[o.Attribute], g.path(o.Attribute)); set {
			fields[o.Attribute] = v
			continue
		}
		if !o.Secret {
			continue
		}
		if v, set := r.hidden(o, g); set {
			fields[o.Attribute] = v
		}
	}
	return fields
}

// hidden is a secret whose write-only twin is set.
func (r *reader) hidden(o dagger.Option, g given) (dagger.Value, bool) {
	version, ok := g.attributes[o.Attribute+writeOnlyVersion].(types.Int64)
	if !ok || version.IsNull() {
		return dagger.Value{}, false
	}
	if version.IsUnknown() {
		return dagger.Unknown(), true
	}
	at := g.path(o.Attribute + writeOnly)
	text := strconv.FormatInt(version.ValueInt64(), 10)
	inner, set := r.value(o, g.config[o.Attribute+writeOnly], nil, at)
	if !set {
		return dagger.Hidden(text, nil), true
	}
	return dagger.Hidden(text, &inner), true
}

// value reads one attribute; set is false for one that is null, and for a
// collection of nothing, which means the same.
func (r *reader) value(o dagger.Option, v, config attr.Value, at path.Path) (value dagger.Value, set bool) {
	if v == nil || v.IsNull() {
		return dagger.Value{}, false
	}
	if v.IsUnknown() {
		return dagger.Unknown(), true
	}
	switch v := v.(type) {
	case types.Object:
		fields := r.group(o.Options, given{v.Attributes(), attributesIn(config), at, false})
		return dagger.Fields(fields), len(fields) > 0 || o.Kind != dagger.Group
	case types.List:
		elements := v.Elements()
		items := make([]dagger.Value, 0, len(elements))
		for i, element := range elements {
			items = append(items, r.element(o, element, elementOf(config, i), at.AtListIndex(i)))
		}
		// Streams and transformers can be none; whether they may is said by the check.
		return o.Texts(items...), len(items) > 0 || o.Kind == dagger.Objects
	case types.Map:
		fields := map[string]dagger.Value{}
		for name, element := range v.Elements() {
			fields[name] = text(element)
		}
		return dagger.Fields(fields), len(fields) > 0
	}
	spelled, _ := values.Spelled(v)
	value, err := o.Scalar(spelled)
	if err != nil {
		r.diagnostics.Append(diags.AtAttribute(at, "Not a value for "+at.String(), diags.Sentence(err.Error())))
		return dagger.Unknown(), true
	}
	return value, true
}

func (r *reader) element(o dagger.Option, element, config attr.Value, at path.Path) dagger.Value {
	if o.Kind != dagger.Objects {
		return text(element)
	}
	object, ok := element.(types.Object)
	if !ok || object.IsUnknown() {
		return dagger.Unknown()
	}
	return dagger.Fields(r.group(o.Options, given{object.Attributes(), attributesIn(config), at, false}))
}

// text is an element of a list or a map of texts.
func text(element attr.Value) dagger.Value {
	if element.IsUnknown() {
		return dagger.Unknown()
	}
	spelled, _ := values.Spelled(element)
	return dagger.Plain(spelled)
}

func attributesIn(v attr.Value) map[string]attr.Value {
	if object, ok := v.(types.Object); ok {
		return object.Attributes()
	}
	return nil
}

func elementOf(v attr.Value, i int) attr.Value {
	if list, ok := v.(types.List); ok && i < len(list.Elements()) {
		return list.Elements()[i]
	}
	return nil
}

// at is a finding's path for Terraform.
func at(steps dagger.Path) path.Path {
	var p path.Path
	for i, step := range steps {
		switch step := step.(type) {
		case string:
			if i == 0 {
				p = path.Root(step)
			} else {
				p = p.AtName(step)
			}
		case int:
			p = p.AtListIndex(step)
		case dagger.Key:
			p = p.AtMapKey(string(step))
		}
	}
	return p
}

// typesOf are the types of the attributes of options, without write-only twins.
func typesOf(options []dagger.Option) map[string]attr.Type {
	all := map[string]attr.Type{}
	for _, o := range options {
		all[o.Attribute] = typeOf(o)
	}
	return all
}

func typeOf(o dagger.Option) attr.Type {
	switch o.Kind {
	case dagger.Object, dagger.First, dagger.Group:
		return types.ObjectType{AttrTypes: typesOf(o.Options)}
	case dagger.Objects:
		return types.ListType{ElemType: types.ObjectType{AttrTypes: typesOf(o.Options)}}
	default:
		return attributeOf(o, false).GetType()
	}
}

// objectOf has the attributes of options as a document has them.
func objectOf(options []dagger.Option, fields func(string) (dagger.Value, bool)) types.Object {
	attributes := map[string]attr.Value{}
	for _, o := range options {
		v, set := fields(o.Attribute)
		attributes[o.Attribute] = attributeValue(o, v, set)
	}
	return types.ObjectValueMust(typesOf(options), attributes)
}

func attributeValue(o dagger.Option, v dagger.Value, set bool) attr.Value {
	kind := typeOf(o)
	switch kind := kind.(type) {
	case types.ObjectType:
		if !set {
			return types.ObjectNull(kind.AttrTypes)
		}
		return objectOf(o.Options, v.Field)
	case types.ListType:
		if !set {
			return types.ListNull(kind.ElemType)
		}
		items := make([]attr.Value, 0, len(v.Items()))
		for _, item := range v.Items() {
			if o.Kind == dagger.Objects {
				items = append(items, objectOf(o.Options, item.Field))
				continue
			}
			items = append(items, types.StringValue(item.Text()))
		}
		return types.ListValueMust(kind.ElemType, items)
	case types.MapType:
		if !set {
			return types.MapNull(kind.ElemType)
		}
		entries := map[string]attr.Value{}
		for _, name := range v.Names() {
			field, _ := v.Field(name)
			entries[name] = types.StringValue(field.Text())
		}
		return types.MapValueMust(kind.ElemType, entries)
	}
	if o.Kind == dagger.Flag {
		if !set {
			return types.BoolNull()
		}
		return types.BoolValue(v.Text() == "true")
	}
	if o.Kind == dagger.Count {
		number, err := strconv.ParseInt(v.Text(), 10, 64)
		if !set || err != nil {
			return types.Int64Null()
		}
		return types.Int64Value(number)
	}
	if !set {
		return types.StringNull()
	}
	return types.StringValue(v.Text())
}
