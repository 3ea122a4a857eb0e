// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink

import (
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/jobkind"
)

func jobSchema() schema.Schema {
	attributes := map[string]schema.Attribute{
		"jar":         jobkind.JarAttribute(),
		"entry_class": jobkind.EntryClassAttribute(),
		"args": schema.ListAttribute{
			Optional: true, ElementType: types.StringType,
			MarkdownDescription: "Arguments of the program's `main()`, passed on one by one and unchanged: no quoting, empty strings kept. Flink cannot tell them again.",
		},
	}
	maps.Copy(attributes, jobkind.Attributes())
	return jobChanges().Describe(schema.Schema{
		MarkdownDescription: "A job that runs from a jar on a Flink session cluster.\n\n" +
			"A change of what runs stops the job with a savepoint and starts it again from there, under a new job id; the job is not replaced. " +
			"`deployment.change` in the plan says what an apply will do. A job that was found failed, canceled, lost or suspended by someone else is planned back to `state`, from its newest state.",
		Attributes: attributes,
	})
}
