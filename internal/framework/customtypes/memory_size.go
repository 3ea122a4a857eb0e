// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package customtypes

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/attr/xattr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/flinkvalue"
)

var (
	_ basetypes.StringTypable                    = MemorySizeType{}
	_ basetypes.StringValuableWithSemanticEquals = MemorySize{}
	_ xattr.ValidateableAttribute                = MemorySize{}
)

// MemorySizeType is a string that holds a size in Flink's grammar.
type MemorySizeType struct {
	basetypes.StringType
}

// Equal compares types.
func (t MemorySizeType) Equal(o attr.Type) bool {
	_, ok := o.(MemorySizeType)
	return ok
}

// String names the type.
func (t MemorySizeType) String() string { return "customtypes.MemorySizeType" }

// ValueFromString converts a string value.
func (t MemorySizeType) ValueFromString(_ context.Context, in basetypes.StringValue) (basetypes.StringValuable, diag.Diagnostics) {
	return MemorySize{StringValue: in}, nil
}

// ValueFromTerraform converts a wire value.
func (t MemorySizeType) ValueFromTerraform(ctx context.Context, in tftypes.Value) (attr.Value, error) {
	return fromTerraform(ctx, t.StringType, in, func(s basetypes.StringValue) attr.Value { return MemorySize{StringValue: s} })
}

// ValueType returns the zero value.
func (t MemorySizeType) ValueType(context.Context) attr.Value { return MemorySize{} }

// MemorySize is a value of MemorySizeType, kept as the user wrote it.
type MemorySize struct {
	basetypes.StringValue
}

// NewMemorySize returns a known value.
func NewMemorySize(text string) MemorySize {
	return MemorySize{StringValue: basetypes.NewStringValue(text)}
}

// NewMemorySizeNull returns a null value.
func NewMemorySizeNull() MemorySize { return MemorySize{StringValue: basetypes.NewStringNull()} }

// Equal compares values as written.
func (v MemorySize) Equal(o attr.Value) bool {
	other, ok := o.(MemorySize)
	return ok && v.StringValue.Equal(other.StringValue)
}

// Type returns MemorySizeType.
func (v MemorySize) Type(context.Context) attr.Type { return MemorySizeType{} }

// Get parses a known value; ok is false for null, unknown and invalid ones.
func (v MemorySize) Get() (int64, bool) {
	if v.IsNull() || v.IsUnknown() {
		return 0, false
	}
	d, err := flinkvalue.Memory(v.ValueString())
	return d, err == nil
}

// Same tells whether both values mean the same: both null, or equal sizes.
func (v MemorySize) Same(o MemorySize) bool {
	a, okA := v.Get()
	b, okB := o.Get()
	if okA && okB {
		return a == b
	}
	return v.Equal(o)
}

// StringSemanticEquals keeps the earlier spelling of an equal size.
func (v MemorySize) StringSemanticEquals(_ context.Context, o basetypes.StringValuable) (bool, diag.Diagnostics) {
	other, ok := o.(MemorySize)
	return ok && v.Same(other), nil
}

// ValidateAttribute refuses what the grammar does not allow.
func (v MemorySize) ValidateAttribute(_ context.Context, req xattr.ValidateAttributeRequest, resp *xattr.ValidateAttributeResponse) {
	if v.IsNull() || v.IsUnknown() {
		return
	}
	if _, err := flinkvalue.Memory(v.ValueString()); err != nil {
		resp.Diagnostics.AddAttributeError(req.Path, "Not a memory size",
			fmt.Sprintf("%s = %q is not a memory size: %s. A memory size is one whole number and one unit (b, kb, mb, gb, tb; powers of 1024), such as \"64mb\" or \"10 gb\".", req.Path, v.ValueString(), err))
	}
}
