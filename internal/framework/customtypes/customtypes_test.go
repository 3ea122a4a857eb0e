// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package customtypes_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/attr/xattr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/customtypes"
)

func unknownDuration() customtypes.Duration {
	return customtypes.Duration{StringValue: basetypes.NewStringUnknown()}
}

func unknownMemory() customtypes.MemorySize {
	return customtypes.MemorySize{StringValue: basetypes.NewStringUnknown()}
}

func TestDuration_SameComparesWhatIsMeant(t *testing.T) {
	t.Parallel()
	tests := []struct {
		a, b customtypes.Duration
		want bool
	}{
		{customtypes.NewDuration("60 s"), customtypes.NewDuration("1 min"), true},
		{customtypes.NewDuration("7d"), customtypes.NewDuration("168 h"), true},
		{customtypes.NewDuration("1 s"), customtypes.NewDuration("1 s"), true},
		{customtypes.NewDuration("1 s"), customtypes.NewDuration("2 s"), false},
		{customtypes.NewDurationNull(), customtypes.NewDurationNull(), true},
		{customtypes.NewDurationNull(), customtypes.NewDuration("0 s"), false},
		{customtypes.NewDuration("bad"), customtypes.NewDuration("bad"), true},
		{customtypes.NewDuration("bad"), customtypes.NewDuration("1 s"), false},
		{unknownDuration(), customtypes.NewDuration("1 s"), false},
		{unknownDuration(), unknownDuration(), true},
	}
	for _, test := range tests {
		if got := test.a.Same(test.b); got != test.want {
			t.Errorf("%s, %s: %v", test.a, test.b, got)
		}
		if got := test.b.Same(test.a); got != test.want {
			t.Errorf("%s, %s: %v, the other way round", test.b, test.a, got)
		}
		got, diagnostics := test.a.StringSemanticEquals(t.Context(), test.b)
		if got != test.want || diagnostics.HasError() {
			t.Errorf("semantic equality of %s, %s: %v, %v", test.a, test.b, got, diagnostics)
		}
	}
	if equal, _ := customtypes.NewDuration("1 s").StringSemanticEquals(t.Context(), basetypes.NewStringValue("1 s")); equal {
		t.Error("a value of another type is equal")
	}
}

func TestMemorySize_SameComparesWhatIsMeant(t *testing.T) {
	t.Parallel()
	tests := []struct {
		a, b customtypes.MemorySize
		want bool
	}{
		{customtypes.NewMemorySize("1024mb"), customtypes.NewMemorySize("1 gb"), true},
		{customtypes.NewMemorySize("1 mb"), customtypes.NewMemorySize("1 MB"), true},
		{customtypes.NewMemorySize("1 mb"), customtypes.NewMemorySize("1 kb"), false},
		{customtypes.NewMemorySizeNull(), customtypes.NewMemorySizeNull(), true},
		{customtypes.NewMemorySizeNull(), customtypes.NewMemorySize("0 b"), false},
		{unknownMemory(), customtypes.NewMemorySize("1 mb"), false},
	}
	for _, test := range tests {
		if got := test.a.Same(test.b); got != test.want {
			t.Errorf("%s, %s: %v", test.a, test.b, got)
		}
		got, diagnostics := test.b.StringSemanticEquals(t.Context(), test.a)
		if got != test.want || diagnostics.HasError() {
			t.Errorf("semantic equality of %s, %s: %v, %v", test.a, test.b, got, diagnostics)
		}
	}
}

func TestGet_GivesValuesOfKnownAndValidTextOnly(t *testing.T) {
	t.Parallel()
	if got, ok := customtypes.NewDuration("5 min").Get(); !ok || got != 5*time.Minute {
		t.Errorf("got %s, %v", got, ok)
	}
	if got, ok := customtypes.NewMemorySize("1 kb").Get(); !ok || got != 1024 {
		t.Errorf("got %d, %v", got, ok)
	}
	for _, value := range []customtypes.Duration{customtypes.NewDurationNull(), unknownDuration(), customtypes.NewDuration("5")} {
		if _, ok := value.Get(); ok {
			t.Errorf("%s has a value", value)
		}
	}
	for _, value := range []customtypes.MemorySize{customtypes.NewMemorySizeNull(), unknownMemory(), customtypes.NewMemorySize("5")} {
		if _, ok := value.Get(); ok {
			t.Errorf("%s has a value", value)
		}
	}
}

func TestValidateAttribute_SaysWhatIsWrongAndHowToWriteIt(t *testing.T) {
	t.Parallel()
	tests := []struct {
		value xattr.ValidateableAttribute
		want  []string // parts of the detail; none: valid
	}{
		{customtypes.NewDuration("10 s"), nil},
		{customtypes.NewDurationNull(), nil},
		{unknownDuration(), nil},
		{customtypes.NewDuration("1h30m"), []string{`"1h30m"`, "one whole number and one unit", `"5 min"`}},
		{customtypes.NewDuration("10"), []string{"no unit"}},
		{customtypes.NewMemorySize("64mb"), nil},
		{customtypes.NewMemorySizeNull(), nil},
		{unknownMemory(), nil},
		{customtypes.EngineDuration{StringValue: basetypes.NewStringValue("1500")}, nil},
		{customtypes.EngineDuration{StringValue: basetypes.NewStringValue("1.5")}, []string{`"1.5"`, "milliseconds"}},
		{customtypes.EngineMemorySize{StringValue: basetypes.NewStringValue("1500")}, nil},
		{customtypes.EngineMemorySize{StringValue: basetypes.NewStringValue("-1")}, []string{`"-1"`, "number of bytes"}},
		{customtypes.NewMemorySize("1.5 gb"), []string{`"1.5 gb"`, "powers of 1024", `"64mb"`}},
	}
	for _, test := range tests {
		var resp xattr.ValidateAttributeResponse
		test.value.ValidateAttribute(t.Context(), xattr.ValidateAttributeRequest{Path: path.Root("timeout")}, &resp)
		if len(test.want) == 0 {
			if len(resp.Diagnostics) > 0 {
				t.Errorf("%v: %v", test.value, resp.Diagnostics)
			}
			continue
		}
		if resp.Diagnostics.ErrorsCount() != 1 {
			t.Errorf("%v: %v", test.value, resp.Diagnostics)
			continue
		}
		for _, part := range test.want {
			if detail := resp.Diagnostics[0].Detail(); !strings.Contains(detail, part) {
				t.Errorf("%q does not say %s", detail, part)
			}
		}
	}
}

func TestTypes_KeepTheTextThroughTerraform(t *testing.T) {
	t.Parallel()
	for _, attrType := range []attr.Type{customtypes.DurationType{}, customtypes.MemorySizeType{}, customtypes.EngineDurationType{}, customtypes.EngineMemorySizeType{}} {
		for _, in := range []tftypes.Value{
			tftypes.NewValue(tftypes.String, "  10 S "),
			tftypes.NewValue(tftypes.String, nil),
			tftypes.NewValue(tftypes.String, tftypes.UnknownValue),
		} {
			value, err := attrType.ValueFromTerraform(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			out, err := value.ToTerraformValue(t.Context())
			if err != nil || !out.Equal(in) {
				t.Errorf("%s: %s became %s, %v", attrType, in, out, err)
			}
			if !value.Type(t.Context()).Equal(attrType) {
				t.Errorf("%s: %s has another type", attrType, value)
			}
		}
		if _, err := attrType.ValueFromTerraform(t.Context(), tftypes.NewValue(tftypes.Bool, true)); err == nil {
			t.Errorf("%s: took a bool", attrType)
		}
		if attrType.Equal(basetypes.StringType{}) {
			t.Errorf("%s is equal to a plain string", attrType)
		}
	}
	if (customtypes.DurationType{}).Equal(customtypes.MemorySizeType{}) || (customtypes.MemorySizeType{}).Equal(customtypes.DurationType{}) {
		t.Error("the two types are equal")
	}
}

func TestTypes_TakeStrings(t *testing.T) {
	t.Parallel()
	convert := map[basetypes.StringTypable]attr.Value{
		customtypes.DurationType{}:   customtypes.NewDuration("1 s"),
		customtypes.MemorySizeType{}: customtypes.NewMemorySize("1 s"),
	}
	for attrType, want := range convert {
		got, diagnostics := attrType.ValueFromString(context.Background(), basetypes.NewStringValue("1 s"))
		if diagnostics.HasError() || !got.Equal(want) {
			t.Errorf("%s: got %v, %v", attrType, got, diagnostics)
		}
	}
}
