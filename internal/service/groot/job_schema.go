// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package groot

import (
	"maps"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	document "github.com/terraform-streaming/terraform-provider-streaming/internal/document/groot"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/validators"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/jobkind"
)

func jobSchema() schema.Schema {
	attributes := map[string]schema.Attribute{
		"jar":         jobkind.JarAttribute(),
		"entry_class": jobkind.EntryClassAttribute(),
		"args": schema.ListAttribute{
			Optional: true, ElementType: types.StringType,
			MarkdownDescription: "Arguments of the program beside the job file, which `delivery` adds behind them.",
		},
		document.EnvName: envAttribute(),
		document.ExtraName: schema.MapAttribute{
			Optional: true, ElementType: types.StringType,
			MarkdownDescription: "Keys of the `env` block that have no attribute. Whole numbers, `true` and `false` are written without quotes, everything else as text.",
			Validators:          []validator.Map{validators.MapWithoutNull()},
		},
		document.SectionsName: schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "Everything in the job file beside the `env` block: a map of sections such as `sources`, `filters`, `processing_pipelines`, `sinks` and `application`, in YAML or JSON. " +
				"`yamlencode({ ... })` or `file(\"job.yaml\")`. It has to be well-formed, with each key once; what is in it is Groot Stream's own.",
			Validators: []validator.String{yamlValidator{}},
		},
		document.SecretsName: schema.StringAttribute{
			Optional: true, Sensitive: true,
			MarkdownDescription: "More of the job file in the same form, for what must not be shown: it goes over `sections`, map into map, and may have an `env` block with keys that have no attribute. It is kept in the state, as Terraform keeps any sensitive value.",
			Validators:          []validator.String{yamlValidator{}},
		},
		"secrets_wo": schema.StringAttribute{
			Optional: true, WriteOnly: true, Sensitive: true,
			MarkdownDescription: "The same as `secrets`, over which it goes, without being kept in a plan or a state. Needs Terraform 1.11. A change is seen by `secrets_wo_version` alone.",
			Validators: []validator.String{
				yamlValidator{}, validators.Needs("secrets_wo_version"),
			},
		},
		"secrets_wo_version": schema.Int64Attribute{
			Optional:            true,
			MarkdownDescription: "Any number; a change restarts the job with the `secrets_wo` of now.",
			Validators:          []validator.Int64{validators.NumberNeeds("secrets_wo")},
		},
		document.DeliveryName: deliveryAttribute(),
		"rendered": schema.StringAttribute{
			Computed: true, Sensitive: true,
			MarkdownDescription: "The job file as the program reads it, sorted, with `(write-only)` for each value of `secrets_wo`.",
		},
	}
	maps.Copy(attributes, jobkind.Attributes())
	return Changes().Describe(schema.Schema{
		MarkdownDescription: "A job of Groot Stream that runs on a Flink session cluster: the `env` block of its job file is typed and checked, the other sections are given as they are.\n\n" +
			"The job file is rendered, and given to the program of `jar` as `delivery` says: Groot Stream's documentation does not tell how its program takes the file. " +
			"`name` is the job's name in the file too. The life of the job is that of a `streaming_flink_job`: a change of what the file means stops it with a savepoint and starts it again from there; " +
			"another order of keys, comments, JSON instead of YAML, or `1.0` instead of `1` is no change.\n\n" +
			"The function [`groot_job`](../functions/groot_job.md) takes a job file that exists apart into these attributes. " +
			"[All documented keys on one page](../guides/coverage.md).\n\n" +
			"-> Secrets in the job file reach the JobManager as an argument of the program. Flink's REST does not tell a program's arguments, but shows, to everybody who reaches it, what the program puts into its global job parameters; " +
			"of these it hides only values whose keys have a word such as `password` or `secret`.",
		Attributes: attributes,
	})
}

func envAttribute() schema.SingleNestedAttribute {
	attributes := map[string]schema.Attribute{
		document.FlinkName: schema.MapAttribute{
			Optional: true, ElementType: types.StringType,
			MarkdownDescription: "Flink's options, by Flink's own keys, each written with `flink.` before it. They win over Groot Stream's names for the same, and are set by the program, so that they win over `configuration` too. " +
				"Durations, sizes of memory, numbers and booleans are checked as Flink reads them.",
		},
	}
	for _, option := range document.Table() {
		if option.OfResource == "" {
			attributes[option.Attribute()] = optionAttribute(option)
		}
	}
	return schema.SingleNestedAttribute{
		Optional:            true,
		MarkdownDescription: "The `env` block, each attribute checked and rendered to its key; what is not set is not rendered.",
		Attributes:          attributes,
		Validators:          []validator.Object{envValidator{}},
	}
}

func optionAttribute(option document.Option) schema.Attribute {
	description := describe(option)
	switch option.Kind {
	case document.Flag:
		return schema.BoolAttribute{Optional: true, MarkdownDescription: description}
	case document.Count:
		return schema.Int64Attribute{Optional: true, MarkdownDescription: description}
	case document.Locations:
		return schema.ListAttribute{
			Optional: true, ElementType: types.StringType, MarkdownDescription: description,
			Validators: []validator.List{validators.ListNotEmpty(), validators.ListWithoutNull()},
		}
	case document.Text, document.Millis:
	}
	return schema.StringAttribute{Optional: true, MarkdownDescription: description}
}

func describe(option document.Option) string {
	parts := []string{option.What}
	if option.Kind == document.Millis {
		parts = append(parts, "A duration such as `\"10 s\"`, or a number of milliseconds.")
	}
	if limits := option.Limits(); limits != "" {
		parts = append(parts, "Allowed: "+limits+".")
	}
	if option.Default != "" {
		parts = append(parts, "Default: `"+option.Default+"`.")
	}
	if option.Note != "" {
		parts = append(parts, option.Note)
	}
	return strings.Join(parts, " ")
}

func deliveryAttribute() schema.SingleNestedAttribute {
	return schema.SingleNestedAttribute{
		Optional:            true,
		MarkdownDescription: "How the job file reaches the program. Default: in base64, behind the argument `--config`.",
		Attributes: map[string]schema.Attribute{
			"form": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "`base64` (default): the file in base64. `inline`: the text itself. " +
					"`path`: the path of a file that is there already; the provider writes none, but a change of what it has to be (`rendered`) restarts the job.",
				Validators: []validator.String{validators.OneOf(document.Forms()...)},
			},
			"argument": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Argument before the file. Default `--config`; empty for none.",
			},
			"path": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "The file, as the JobManager reaches it. Needed with `form = \"path\"`, and refused without.",
				Validators:          []validator.String{validators.NotEmpty()},
			},
		},
		Validators: []validator.Object{deliveryValidator{}},
	}
}

var (
	envTypes      = typesOf(envAttribute())
	deliveryTypes = typesOf(deliveryAttribute())
)

func typesOf(object schema.SingleNestedAttribute) map[string]attr.Type {
	of := map[string]attr.Type{}
	for name, attribute := range object.Attributes {
		of[name] = attribute.GetType()
	}
	return of
}
