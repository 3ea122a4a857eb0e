// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package customtypes has the attribute types whose values can be spelled in
// several ways that mean the same.
package customtypes

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/attr/xattr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/flinkvalue"
)

var (
	_ basetypes.StringTypable                    = DurationType{}
	_ basetypes.StringValuableWithSemanticEquals = Duration{}
	_ xattr.ValidateableAttribute                = Duration{}
)

// DurationType is a string that holds a duration in Flink's grammar.
type DurationType struct {
	basetypes.StringType
}

// Equal compares types.
func (t DurationType) Equal(o attr.Type) bool {
	_, ok := o.(DurationType)
	return ok
}

// String names the type.
func (t DurationType) String() string { return "customtypes.DurationType" }

// ValueFromString converts a string value.
func (t DurationType) ValueFromString(_ context.Context, in basetypes.StringValue) (basetypes.StringValuable, diag.Diagnostics) {
	return Duration{StringValue: in}, nil
}

// ValueFromTerraform converts a wire value.
func (t DurationType) ValueFromTerraform(ctx context.Context, in tftypes.Value) (attr.Value, error) {
	return fromTerraform(ctx, t.StringType, in, func(s basetypes.StringValue) attr.Value { return Duration{StringValue: s} })
}

// ValueType returns the zero value.
func (t DurationType) ValueType(context.Context) attr.Value { return Duration{} }

// Duration is a value of DurationType, kept as the user wrote it.
type Duration struct {
	basetypes.StringValue
}

// NewDuration returns a known value.
func NewDuration(text string) Duration {
	return Duration{StringValue: basetypes.NewStringValue(text)}
}

// NewDurationNull returns a null value.
func NewDurationNull() Duration { return Duration{StringValue: basetypes.NewStringNull()} }

// Equal compares values as written.
func (v Duration) Equal(o attr.Value) bool {
	other, ok := o.(Duration)
	return ok && v.StringValue.Equal(other.StringValue)
}

// Type returns DurationType.
func (v Duration) Type(context.Context) attr.Type { return DurationType{} }

// Get parses a known value; ok is false for null, unknown and invalid ones.
func (v Duration) Get() (time.Duration, bool) {
	if v.IsNull() || v.IsUnknown() {
		return 0, false
	}
	d, err := flinkvalue.Duration(v.ValueString())
	return d, err == nil
}

// Same tells whether both values mean the same: both null, or equal durations.
func (v Duration) Same(o Duration) bool {
	a, okA := v.Get()
	b, okB := o.Get()
	if okA && okB {
		return a == b
	}
	return v.Equal(o)
}

// StringSemanticEquals keeps the earlier spelling of an equal duration.
func (v Duration) StringSemanticEquals(_ context.Context, o basetypes.StringValuable) (bool, diag.Diagnostics) {
	other, ok := o.(Duration)
	return ok && v.Same(other), nil
}

// ValidateAttribute refuses what the grammar does not allow.
func (v Duration) ValidateAttribute(_ context.Context, req xattr.ValidateAttributeRequest, resp *xattr.ValidateAttributeResponse) {
	if v.IsNull() || v.IsUnknown() {
		return
	}
	if _, err := flinkvalue.Duration(v.ValueString()); err != nil {
		resp.Diagnostics.AddAttributeError(req.Path, "Not a duration",
			fmt.Sprintf("%s = %q is not a duration: %s. A duration is one whole number and one unit (d, h, min, s, ms), such as \"10 s\", \"5 min\" or \"7 d\".", req.Path, v.ValueString(), err))
	}
}

func fromTerraform(ctx context.Context, t basetypes.StringType, in tftypes.Value, wrap func(basetypes.StringValue) attr.Value) (attr.Value, error) {
	value, err := t.ValueFromTerraform(ctx, in)
	if err != nil {
		return nil, err
	}
	text, ok := value.(basetypes.StringValue)
	if !ok {
		return nil, fmt.Errorf("unexpected value type %T", value)
	}
	return wrap(text), nil
}
