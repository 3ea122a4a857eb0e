// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package customtypes has the attribute types whose values can be spelled in
// several ways that mean the same.
package customtypes

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/attr/xattr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// grammar is how one kind of quantity is written. Its values have no content.
type grammar[T comparable] interface {
	parse(text string) (T, error)
	// name is what the quantity is called, howTo how it is written.
	name() string
	howTo() string
}

// QuantityType is a string that holds a quantity in Flink's grammar.
type QuantityType[T comparable, G grammar[T]] struct {
	basetypes.StringType
}

// Equal compares types.
func (t QuantityType[T, G]) Equal(o attr.Type) bool {
	_, ok := o.(QuantityType[T, G])
	return ok
}

// String names the type.
func (t QuantityType[T, G]) String() string {
	var g G
	return "customtypes.QuantityType: " + g.name()
}

// ValueFromString converts a string value.
func (t QuantityType[T, G]) ValueFromString(_ context.Context, in basetypes.StringValue) (basetypes.StringValuable, diag.Diagnostics) {
	return Quantity[T, G]{StringValue: in}, nil
}

// ValueFromTerraform converts a wire value.
func (t QuantityType[T, G]) ValueFromTerraform(ctx context.Context, in tftypes.Value) (attr.Value, error) {
	value, err := t.StringType.ValueFromTerraform(ctx, in)
	if err != nil {
		return nil, err
	}
	text, ok := value.(basetypes.StringValue)
	if !ok {
		return nil, fmt.Errorf("unexpected value type %T", value)
	}
	return Quantity[T, G]{StringValue: text}, nil
}

// ValueType returns the zero value.
func (t QuantityType[T, G]) ValueType(context.Context) attr.Value { return Quantity[T, G]{} }

// Quantity is a value of QuantityType, kept as the user wrote it.
type Quantity[T comparable, G grammar[T]] struct {
	basetypes.StringValue
}

// Equal compares values as written.
func (v Quantity[T, G]) Equal(o attr.Value) bool {
	other, ok := o.(Quantity[T, G])
	return ok && v.StringValue.Equal(other.StringValue)
}

// Type returns QuantityType.
func (v Quantity[T, G]) Type(context.Context) attr.Type { return QuantityType[T, G]{} }

// Get parses a known value; ok is false for null, unknown and invalid ones.
func (v Quantity[T, G]) Get() (quantity T, ok bool) {
	if v.IsNull() || v.IsUnknown() {
		return quantity, false
	}
	var g G
	quantity, err := g.parse(v.ValueString())
	return quantity, err == nil
}

// Refused tells whether the value is known and not of the grammar.
func (v Quantity[T, G]) Refused() bool {
	_, ok := v.Get()
	return !ok && !v.IsNull() && !v.IsUnknown()
}

// Same tells whether both values mean the same: both null, or equal quantities.
func (v Quantity[T, G]) Same(o Quantity[T, G]) bool {
	a, okA := v.Get()
	b, okB := o.Get()
	if okA && okB {
		return a == b
	}
	return v.Equal(o)
}

// StringSemanticEquals keeps the earlier spelling of an equal quantity.
func (v Quantity[T, G]) StringSemanticEquals(_ context.Context, o basetypes.StringValuable) (bool, diag.Diagnostics) {
	other, ok := o.(Quantity[T, G])
	return ok && v.Same(other), nil
}

// ValidateAttribute refuses what the grammar does not allow.
func (v Quantity[T, G]) ValidateAttribute(_ context.Context, req xattr.ValidateAttributeRequest, resp *xattr.ValidateAttributeResponse) {
	if v.IsNull() || v.IsUnknown() {
		return
	}
	var g G
	if _, err := g.parse(v.ValueString()); err != nil {
		resp.Diagnostics.AddAttributeError(req.Path, "Not a "+g.name(),
			fmt.Sprintf("%s = %q is not a %s: %s. %s", req.Path, v.ValueString(), g.name(), err, g.howTo()))
	}
}
