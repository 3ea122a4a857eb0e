// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink

import (
	"maps"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/jobkind"
)

func jobSchema() schema.Schema {
	attributes := map[string]schema.Attribute{
		"jar":         jarAttribute(),
		"entry_class": entryClassAttribute(),
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

func jarAttribute() schema.SingleNestedAttribute {
	return schema.SingleNestedAttribute{
		Required: true,
		MarkdownDescription: "The jar: `{ id, sha256 }` of a `streaming_flink_jar`; or `{ source }`, a file that is uploaded unless its content is on the cluster already; " +
			"or `{ url, sha256 }`, a file that is fetched and uploaded then. `id` wins over `source` and `url`. A change of the content restarts the job, a change of `id`, `source` or `url` alone does not.",
		Attributes: map[string]schema.Attribute{
			"id": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "The cluster's id of an uploaded jar.",
				Validators: []validator.String{
					stringvalidator.LengthAtLeast(1),
					stringvalidator.AtLeastOneOf(path.MatchRelative().AtParent().AtName("source"), path.MatchRelative().AtParent().AtName("url")),
				},
			},
			"source": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Path of a jar file on the machine that runs Terraform. Excludes `url`.",
				Validators:          []validator.String{stringvalidator.LengthAtLeast(1)},
			},
			"url": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: urlDescription,
				Validators:          urlValidators(),
			},
			"sha256": schema.StringAttribute{
				Optional: true, Computed: true,
				MarkdownDescription: "SHA-256 of the jar's content in lower-case hex. Computed at plan for `source`, required with `url`.",
				Validators:          []validator.String{jobkind.SHA256Validator()},
			},
		},
	}
}

func entryClassAttribute() schema.StringAttribute {
	return schema.StringAttribute{
		Optional:            true,
		MarkdownDescription: "Class with the `main` method, with its package. Default: `Main-Class` or `program-class` of the jar's manifest.",
		Validators:          []validator.String{stringvalidator.LengthAtLeast(1)},
	}
}
