// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package values converts between Terraform's values and Go's.
package values

import (
	"context"

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
