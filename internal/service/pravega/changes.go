// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega

import (
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/changes"
)

// Changes are the tables of what a change does, by type of resource. The
// schemas and the docs are made of them, and the tests hold plans and requests
// against them.
func Changes() map[string]changes.Table {
	return map[string]changes.Table{ScopeType: scopeChanges(), StreamType: streamChanges()}
}

func scopeChanges() changes.Table {
	return changes.Table{
		Effects: map[changes.Class]string{
			changes.None:    "nothing is sent",
			changes.Replace: "the scope is deleted, which only an empty one can be unless `force_destroy`, and one of the new name is created",
		},
		Rows: []changes.Row{
			{Attribute: "name", Class: changes.Replace},
			{Attribute: "force_destroy", Class: changes.None},
			{Attribute: "deletion_protection", Class: changes.None},
			{Attribute: "adopt_existing", Class: changes.None},

			{Attribute: "id", Class: changes.Computed},
		},
	}
}

func streamChanges() changes.Table {
	const less = "less of it deletes data, and needs `allow_data_loss`"
	return changes.Table{
		Effects: map[changes.Class]string{
			changes.None:    "nothing is sent",
			changes.Rescale: "in place, with all data; segments are split or merged at once where their number has to change",
			changes.Replace: "**the stream and its data are deleted**, and an empty one is created",
		},
		Rows: []changes.Row{
			{Attribute: "scope", Class: changes.Replace},
			{Attribute: "name", Class: changes.Replace},
			{Attribute: "scaling", Class: changes.Nested},
			{Attribute: "scaling.type", Class: changes.Rescale},
			{Attribute: "scaling.target_rate", Class: changes.Rescale},
			{Attribute: "scaling.scale_factor", Class: changes.Rescale},
			{Attribute: "scaling.min_segments", Class: changes.Rescale},
			{Attribute: "retention", Class: changes.Nested},
			{Attribute: "retention.time", Class: changes.InPlace, Note: less, Respelled: true},
			{Attribute: "retention.size", Class: changes.InPlace, Note: less, Respelled: true},
			{Attribute: "tags", Class: changes.InPlace},
			{Attribute: "timestamp_aggregation_timeout", Class: changes.InPlace, Respelled: true},
			{Attribute: "rollover_size", Class: changes.InPlace, Respelled: true},
			{Attribute: "deletion_protection", Class: changes.None},
			{Attribute: "allow_data_loss", Class: changes.None},
			{Attribute: "allow_retention_reset", Class: changes.None},
			{Attribute: "adopt_existing", Class: changes.None},

			{Attribute: "id", Class: changes.Computed},
			{Attribute: "segment_count", Class: changes.Computed, After: []changes.Class{changes.Rescale, changes.Replace}},
		},
	}
}
