// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/changes"
)

// What is looked up can stand where an attribute of the resource did: each that
// concerns more than the provider alone is there, in the same shape.
func TestObserved_HasTheShapesOfTheResource(t *testing.T) {
	t.Parallel()
	var made resource.SchemaResponse
	NewStreamResource().Schema(t.Context(), resource.SchemaRequest{}, &made)
	var one, many datasource.SchemaResponse
	NewStreamDataSource().Schema(t.Context(), datasource.SchemaRequest{}, &one)
	NewStreamsDataSource().Schema(t.Context(), datasource.SchemaRequest{}, &many)
	found, listed := one.Schema.Attributes, observedAttributes()
	if many.Schema.Attributes["streams"] == nil {
		t.Error("the list has no streams")
	}
	for name, attribute := range made.Schema.Attributes {
		if row, _ := streamChanges().Row(name); row.Class == changes.None {
			continue
		}
		switch shape := attribute.GetType(); {
		case found[name] == nil || !found[name].GetType().Equal(shape):
			t.Errorf("one stream: %s is not as in the resource", name)
		case name == "segment_count":
		case listed[name] == nil || !listed[name].GetType().Equal(shape):
			t.Errorf("a list of streams: %s is not as in the resource", name)
		}
	}
}
