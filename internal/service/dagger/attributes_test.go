// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package dagger

import (
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/dagger"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/changes"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/jobkind"
)

// some is any value of an option.
func some(t *testing.T, o dagger.Option) dagger.Value {
	t.Helper()
	fields := map[string]dagger.Value{}
	for _, inner := range o.Options {
		fields[inner.Attribute] = some(t, inner)
	}
	entry := map[string]dagger.Value{"name": dagger.Plain("value")}
	switch o.Kind {
	case dagger.Group, dagger.Object, dagger.First:
		return dagger.Fields(fields)
	case dagger.Objects:
		return dagger.Array(dagger.Fields(fields), dagger.Fields(nil))
	case dagger.List, dagger.Strings:
		return dagger.Array(dagger.Plain("a"), dagger.Plain("b"))
	case dagger.Pairs, dagger.Prefixed, dagger.Map, dagger.Paths:
		return dagger.Fields(entry)
	default:
	}
	text := map[dagger.Kind]string{dagger.Flag: "true", dagger.Count: "7", dagger.Millis: "7", dagger.JSONText: `{"a":1}`, dagger.JSONObject: `{"a":1}`}[o.Kind]
	if text == "" {
		text = "text"
	}
	v, err := o.Scalar(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// A document becomes attributes, and they the same document.
func TestAttributes_HoldEachOption(t *testing.T) {
	t.Parallel()
	for _, o := range dagger.Table() {
		want := some(t, o)
		var r reader
		fields := r.group([]dagger.Option{o}, given{map[string]attr.Value{o.Attribute: attributeValue(o, want, true)}, nil, path.Empty(), true})
		if r.diagnostics.HasError() || !fields[o.Attribute].Equal(want) {
			t.Errorf("%s: %+v becomes %+v, %v", o.Attribute, want, fields[o.Attribute], r.diagnostics)
		}
		null := attributeValue(o, dagger.Value{}, false)
		if !null.IsNull() {
			t.Errorf("%s: nothing becomes %v", o.Attribute, null)
		}
		if fields := r.group([]dagger.Option{o}, given{map[string]attr.Value{o.Attribute: null}, nil, path.Empty(), true}); len(fields) > 0 {
			t.Errorf("%s: nothing becomes %v", o.Attribute, fields)
		}
	}
}

// Each option that is an attribute of Dagger alone restarts the job when it
// changes, and has a row that says so.
func TestDifferences_EachOptionRestartsTheJob(t *testing.T) {
	t.Parallel()
	empty := &jobModel{}
	empty.Clear()
	for _, o := range options() {
		changed := &jobModel{}
		changed.Clear()
		value := attributeValue(o, some(t, o), true)
		switch field := changed.fields()[o.Attribute].(type) {
		case *types.List:
			*field, _ = value.(types.List)
		case *types.Object:
			*field, _ = value.(types.Object)
		case *types.String:
			*field, _ = value.(types.String)
		case *types.Bool:
			*field, _ = value.(types.Bool)
		default:
			t.Errorf("%s is not a field of the model", o.Attribute)
			continue
		}
		var d, same jobkind.Differences
		changed.Differences(t.Context(), empty, &d)
		if reasons := d.Reasons(); !slices.Equal(reasons, []string{o.Attribute}) {
			t.Errorf("%s restarts the job for %q", o.Attribute, reasons)
		}
		changed.Differences(t.Context(), changed, &same)
		if len(same.Reasons()) > 0 {
			t.Errorf("%s differs from itself", o.Attribute)
		}
		row, ok := jobChanges().Row(o.Attribute)
		if !ok || row.Class != changes.Restart && row.Class != changes.Nested {
			t.Errorf("%s has the class %q", o.Attribute, row.Class)
		}
	}
}

func TestHint_NamesWhatARestartMends(t *testing.T) {
	t.Parallel()
	for _, trace := range []string{
		"Caused by: java.lang.NoClassDefFoundError: com/google/protobuf/ByteString$CodedBuilder", "java.io.InvalidClassException: com.google.protobuf.ByteString; local class incompatible",
		"DaggerConfigurationException: Config source not provided",
	} {
		if hint(trace) == "" {
			t.Errorf("nothing is said of %s", trace)
		}
	}
	if got := hint("java.lang.NullPointerException"); got != "" {
		t.Errorf("an exception of any kind: %s", got)
	}
}
