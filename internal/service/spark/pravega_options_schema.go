// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package spark

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/pravegaspark"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/customtypes"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/validators"
)

// Words of on_ignored.
const (
	warn = "warn"
	fail = "error"
)

func pravegaOptionsSchema() schema.Schema {
	attributes := map[string]schema.Attribute{
		"mode": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "How the job runs: `batch` or `streaming`. It decides on the connector's defaults and on what it refuses. Default: both, so that only what fails in both is an error. Rendered to nothing.",
			Validators:          []validator.String{validators.OneOf(string(pravegaspark.Batch), string(pravegaspark.Streaming))},
		},
		"managed": schema.BoolAttribute{
			Optional: true,
			MarkdownDescription: "Whether Terraform owns the stream. With `true` the job creates nothing: `allow_create_scope` and `allow_create_stream` are `false` unless they are set, whether the stream is there yet or not, and each `default_*` option is void. " +
				"Default `false`. Set it for the stream of a `streaming_pravega_stream`: otherwise `options` changes when that creates the stream. Rendered to nothing.",
		},
		"on_ignored": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "What to do about an option in `ignored` that differs from the stream: `warn`, or `error`, which fails the plan. Default `warn`. Rendered to nothing.",
			Validators:          []validator.String{validators.OneOf(warn, fail)},
		},
		"options": schema.MapAttribute{
			Computed: true, ElementType: types.StringType,
			MarkdownDescription: "What Spark's `option(key, value)` is to be given, such as by way of the job's arguments: each option that is set, durations in milliseconds and sizes in bytes, and `allow_create_scope` and `allow_create_stream` where they are `false` by default. " +
				"Void options are in it too; they do no harm. None of the connector's options is a secret.",
		},
		"ignored": schema.ListNestedAttribute{
			Computed:            true,
			MarkdownDescription: "Each `default_*` option that is set and that the stream makes void, because it exists or is `managed`, also those that the stream fits. Empty when the connector would create the stream.",
			NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				"option": schema.StringAttribute{Computed: true, MarkdownDescription: "Name of the option."},
				"wanted": schema.StringAttribute{Computed: true, MarkdownDescription: "Its value, as in `options`."},
				"actual": schema.StringAttribute{Computed: true, MarkdownDescription: "What the stream has, in the same unit; null when it has no such limit, scales otherwise, or was not read. " +
					"Pravega's REST API shows whole minutes, MiB and KiB per second, rounded down."},
			}},
		},
		"stream_exists": schema.BoolAttribute{
			Computed: true, MarkdownDescription: "Whether the stream was found; null when it was not looked up, because nothing depends on it or no Pravega endpoint is configured.",
		},
	}
	for _, row := range pravegaspark.Table() {
		attributes[row.Name] = optionAttribute(row)
	}
	return schema.Schema{
		MarkdownDescription: "The options of the [Pravega connector for Spark](https://github.com/pravega/spark-connectors), with their types checked and rendered to the map of strings that Spark takes; and which of them an existing stream makes void.\n\n" +
			"The connector checks little of its options. What makes a job fail, or loses data, is an error here; what the connector ignores or changes in silence is a warning that says what to use instead. " +
			"Facts about the connector are from the code of its releases 0.9.0 to 0.13.0, those about Pravega's client were measured with 0.13.0. [All options on one page](../guides/coverage.md).\n\n" +
			"The provider submits no job to Spark. Whoever does so by Spark's REST API has to send `appArgs` and `environmentVariables`, empty ones too: without them Spark answers with an error.\n\n" +
			"By default the connector creates the scope and the stream that it does not find, of the `default_*` options, also to read; a stream that exists keeps its configuration, and nothing says so. " +
			"So the stream is looked up with the provider's `pravega` endpoint, by one request, if a `default_*` option is set, or if `allow_create_scope` or `allow_create_stream` is not set and `managed` is not `true`. " +
			"Without a `pravega` endpoint it is not looked up, which is a warning, and the options are those for a stream that does not exist. If a configured controller does not answer, or refuses, that is an error: it is never taken for a stream that does not exist.",
		Attributes: attributes,
	}
}

// optionAttribute is the attribute of one option.
func optionAttribute(row pravegaspark.Option) schema.Attribute {
	text := describeOption(row)
	switch row.Kind {
	case pravegaspark.Bool:
		return schema.BoolAttribute{Optional: true, MarkdownDescription: text}
	case pravegaspark.Number:
		return schema.Int64Attribute{Optional: true, MarkdownDescription: text}
	case pravegaspark.Millis:
		return schema.StringAttribute{Optional: true, CustomType: customtypes.EngineDurationType{}, MarkdownDescription: text}
	case pravegaspark.Bytes:
		return schema.StringAttribute{Optional: true, CustomType: customtypes.EngineMemorySizeType{}, MarkdownDescription: text}
	default:
		return schema.StringAttribute{Optional: !row.Required, Required: row.Required, MarkdownDescription: text}
	}
}

func describeOption(row pravegaspark.Option) string {
	parts := []string{row.What}
	switch row.Kind {
	case pravegaspark.Millis:
		parts = append(parts, "A duration such as `10 s` or `7d`, or a number of milliseconds.")
	case pravegaspark.Bytes:
		parts = append(parts, "A size such as `64mb` (powers of 1024), or a number of bytes.")
	default:
	}
	if limits := strings.TrimPrefix(row.Limits(), ", "); limits != "" {
		parts = append(parts, "Allowed: "+limits+".")
	}
	if !row.Required {
		parts = append(parts, "Default: "+row.Defaults()+".")
	}
	if row.Name == pravegaspark.AllowCreateScope || row.Name == pravegaspark.AllowCreateStream {
		parts = append(parts, "Here `false` when the stream exists or `managed` is `true`.")
	}
	if row.Note != "" {
		parts = append(parts, row.Note)
	}
	return strings.Join(parts, " ")
}
