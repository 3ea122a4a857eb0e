// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package jobkind

import (
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/changes"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/validators"
)

// JarAttribute describes the jar of a job.
func JarAttribute() schema.SingleNestedAttribute {
	return schema.SingleNestedAttribute{
		Optional: true,
		MarkdownDescription: "The jar: `{ id, sha256 }` of a `streaming_flink_jar`; or `{ source }`, a file that is uploaded unless its content is on the cluster already; " +
			"or `{ url, sha256 }`, a file that is fetched and uploaded then. `id` wins over `source` and `url`. A change of the content restarts the job, a change of `id`, `source` or `url` alone does not." + NeededDescription,
		Attributes: map[string]schema.Attribute{
			"id": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "The cluster's id of an uploaded jar.",
				Validators: []validator.String{
					validators.NotEmpty(),
					validators.AtLeastOneOf("source", "url"),
				},
			},
			"source": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Path of a jar file on the machine that runs Terraform. Excludes `url`.",
				Validators:          []validator.String{validators.NotEmpty()},
			},
			"url": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: JarURLDescription,
				Validators:          JarURLValidators(),
			},
			"sha256": schema.StringAttribute{
				Optional: true, Computed: true,
				MarkdownDescription: "SHA-256 of the jar's content in lower-case hex. Computed at plan for `source`, required with `url`.",
				Validators:          []validator.String{SHA256Validator()},
			},
		},
	}
}

// JarChanges are the rows about the jar of a job.
func JarChanges() []changes.Row {
	return []changes.Row{
		{Attribute: "jar", Class: changes.Nested},
		{Attribute: "jar.id", Class: changes.None, Note: "with the same `sha256`"},
		{Attribute: "jar.source", Class: changes.None, Note: "with the same content"},
		{Attribute: "jar.url", Class: changes.None, Note: "with the same `sha256`"},
		{Attribute: "jar.sha256", Class: changes.Restart},
	}
}

// EntryClassAttribute describes the class that a jar of the user's is run by.
func EntryClassAttribute() schema.StringAttribute {
	return schema.StringAttribute{
		Optional:            true,
		MarkdownDescription: "Class with the `main` method, with its package. Default: `Main-Class` or `program-class` of the jar's manifest.",
		Validators:          []validator.String{validators.NotEmpty()},
	}
}
