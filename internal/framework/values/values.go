// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package values converts between Terraform's values and Go's.
package values

import (
	"context"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
)

// As decodes a known object; for null and unknown ones it is the zero value,
// whose fields are null.
func As[T any](ctx context.Context, object types.Object) (T, diag.Diagnostics) {
	var value T
	if object.IsNull() || object.IsUnknown() {
		return value, nil
	}
	diagnostics := object.As(ctx, &value, basetypes.ObjectAsOptions{})
	return value, diagnostics
}

// Text is a string, null for an empty one.
func Text(s string) types.String {
	if s == "" {
		return types.StringNull()
	}
	return types.StringValue(s)
}

// Same tells whether two values mean the same: a null and an empty collection
// do. An unknown value is the same as none.
func Same(a, b attr.Value) bool {
	if a.IsUnknown() || b.IsUnknown() {
		return false
	}
	return a.Equal(b) || empty(a) && empty(b)
}

func empty(value attr.Value) bool {
	switch v := value.(type) {
	case types.List:
		return len(v.Elements()) == 0
	case types.Map:
		return len(v.Elements()) == 0
	}
	return value.IsNull()
}

// Known are the entries of a map that are known.
func Known(m types.Map) map[string]string {
	entries := map[string]string{}
	for key, value := range m.Elements() {
		if text, ok := value.(types.String); ok && !text.IsUnknown() && !text.IsNull() {
			entries[key] = text.ValueString()
		}
	}
	return entries
}

// Plainly is a value without the wrapping of a dynamic one.
func Plainly(value attr.Value) attr.Value {
	if dynamic, ok := value.(types.Dynamic); ok {
		return dynamic.UnderlyingValue()
	}
	return value
}

// Parts are those of an object or a map; ok is false for another value.
func Parts(value attr.Value) (parts map[string]attr.Value, ok bool) {
	switch value := Plainly(value).(type) {
	case types.Object:
		return value.Attributes(), true
	case types.Map:
		return value.Elements(), true
	}
	return nil, false
}

// Spelled is a known single value as text; ok is false for a collection.
func Spelled(value attr.Value) (text string, ok bool) {
	switch value := Plainly(value).(type) {
	case interface{ ValueString() string }:
		return value.ValueString(), true
	case types.Bool:
		return strconv.FormatBool(value.ValueBool()), true
	case types.Int64:
		return strconv.FormatInt(value.ValueInt64(), 10), true
	case types.Number:
		return value.ValueBigFloat().Text('f', -1), true
	}
	return "", false
}
