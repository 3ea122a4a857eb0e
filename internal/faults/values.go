// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package faults

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// encode makes a value of a type from what JSON would hold; what is missing is
// null.
func encode(t tftypes.Type, attributes map[string]any) (tftypes.Value, error) {
	content, err := json.Marshal(complete(t, attributes))
	if err != nil {
		return tftypes.Value{}, err
	}
	return (&tfprotov6.DynamicValue{JSON: content}).Unmarshal(t)
}

// complete adds nulls for the attributes that are not given.
func complete(t tftypes.Type, given any) any {
	if list, isList := t.(tftypes.List); isList {
		elements, isSlice := given.([]any)
		if !isSlice {
			return given
		}
		all := make([]any, 0, len(elements))
		for _, element := range elements {
			all = append(all, complete(list.ElementType, element))
		}
		return all
	}
	object, isObject := t.(tftypes.Object)
	attributes, isMap := given.(map[string]any)
	if !isObject || !isMap {
		return given
	}
	out := map[string]any{}
	for name, attributeType := range object.AttributeTypes {
		out[name] = complete(attributeType, attributes[name])
	}
	return out
}

func members(v tftypes.Value) (map[string]tftypes.Value, error) {
	var all map[string]tftypes.Value
	err := v.As(&all)
	return all, err
}

// propose is the state that Terraform proposes to a provider: the
// configuration, with the state's values of what is computed.
func propose(block *tfprotov6.SchemaBlock, prior, config tftypes.Value) (tftypes.Value, error) {
	if len(block.BlockTypes) > 0 {
		return tftypes.Value{}, errors.New("a resource with nested blocks is not known here")
	}
	return proposeObject(block.Attributes, prior, config)
}

func proposeObject(attributes []*tfprotov6.SchemaAttribute, prior, config tftypes.Value) (tftypes.Value, error) {
	wanted, err := members(config)
	if err != nil {
		return config, err
	}
	before := map[string]tftypes.Value{}
	if !prior.IsNull() {
		if before, err = members(prior); err != nil {
			return config, err
		}
	}
	proposed := map[string]tftypes.Value{}
	for _, attribute := range attributes {
		value := wanted[attribute.Name]
		old, known := before[attribute.Name]
		if !known {
			old = tftypes.NewValue(value.Type(), nil)
		}
		switch {
		case attribute.Computed && value.IsNull():
			if !attribute.Optional || !configured(attribute, old) {
				value = old
			}
		case attribute.NestedType != nil && !value.IsNull():
			if value, err = proposeNested(attribute, old, value); err != nil {
				return config, err
			}
		}
		proposed[attribute.Name] = value
	}
	return tftypes.NewValue(config.Type(), proposed), nil
}

// proposeNested proposes the objects of an attribute. Those of a list go with
// the state's of the same index.
func proposeNested(attribute *tfprotov6.SchemaAttribute, prior, config tftypes.Value) (tftypes.Value, error) {
	nested := attribute.NestedType.Attributes
	switch attribute.NestedType.Nesting {
	case tfprotov6.SchemaObjectNestingModeSingle:
		return proposeObject(nested, prior, config)
	case tfprotov6.SchemaObjectNestingModeList:
	default:
		return config, fmt.Errorf("%s: this nesting is not known here", attribute.Name)
	}
	var before, proposed []tftypes.Value
	if err := config.As(&proposed); err != nil {
		return config, err
	}
	if !prior.IsNull() {
		if err := prior.As(&before); err != nil {
			return config, err
		}
	}
	for i, element := range proposed {
		old := tftypes.NewValue(element.Type(), nil)
		if i < len(before) {
			old = before[i]
		}
		var err error
		if proposed[i], err = proposeObject(nested, old, element); err != nil {
			return config, err
		}
	}
	return tftypes.NewValue(config.Type(), proposed), nil
}

// configured tells whether a state's object holds what only a configuration
// can have set: then its absence from the configuration is a change.
func configured(attribute *tfprotov6.SchemaAttribute, value tftypes.Value) bool {
	if attribute.NestedType == nil || value.IsNull() || !value.IsKnown() {
		return false
	}
	inner, err := members(value)
	if err != nil {
		return false
	}
	for _, nested := range attribute.NestedType.Attributes {
		if nested.Optional && !nested.Computed && !inner[nested.Name].IsNull() {
			return true
		}
	}
	return false
}

// conforms tells whether a value keeps what was planned: all that was known.
func conforms(at string, planned, actual tftypes.Value) error {
	if !planned.IsKnown() {
		return nil
	}
	if planned.IsFullyKnown() || planned.IsNull() || actual.IsNull() || !actual.IsKnown() {
		if planned.Equal(actual) {
			return nil
		}
		return fmt.Errorf("%s was planned as %s and is %s", at, planned, actual)
	}
	if planned.Type().Is(tftypes.List{}) || planned.Type().Is(tftypes.Set{}) {
		return fmt.Errorf("%s: a list that is known in part is not known here", at)
	}
	before, err := members(planned)
	if err != nil {
		return fmt.Errorf("%s: %w", at, err)
	}
	after, err := members(actual)
	if err != nil {
		return fmt.Errorf("%s: %w", at, err)
	}
	for name, value := range before {
		if err := conforms(at+"."+name, value, after[name]); err != nil {
			return err
		}
	}
	return nil
}

// differences lists the attributes in which two objects differ.
func differences(before, after tftypes.Value) []string {
	if before.IsNull() != after.IsNull() {
		return []string{"(the whole)"}
	}
	if before.IsNull() {
		return nil
	}
	old, _ := members(before)
	updated, _ := members(after)
	var differ []string
	for name, value := range updated {
		if !value.Equal(old[name]) {
			differ = append(differ, fmt.Sprintf("%s: %s -> %s", name, old[name], value))
		}
	}
	return differ
}

// text reads the text under a path of names, empty for null.
func text(v tftypes.Value, path ...string) string {
	for _, name := range path {
		if v.IsNull() || !v.IsKnown() {
			return ""
		}
		inner, err := members(v)
		if err != nil {
			return ""
		}
		v = inner[name]
	}
	var found string
	if v.IsNull() || !v.IsKnown() || v.As(&found) != nil {
		return ""
	}
	return found
}
