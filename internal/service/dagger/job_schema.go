// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package dagger

import (
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/dagger"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/changes"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/validators"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/jobkind"
)

// ofModel are options that are attributes of every job.
var ofModel = []string{"name", "parallelism", "max_parallelism"}

// options are those that are attributes of a Dagger job alone.
func options() []dagger.Option {
	return slices.DeleteFunc(dagger.Table(), func(o dagger.Option) bool { return slices.Contains(ofModel, o.Attribute) })
}

func jobSchema() schema.Schema {
	attributes := attributesOf(options(), true)
	attributes["jar"] = jobkind.JarAttribute()
	attributes["entry_class"] = schema.StringAttribute{
		Optional:            true,
		MarkdownDescription: "Class with the `main` method, with its package. Default: Dagger's own of the namespace, `" + dagger.EntryClass(dagger.Raystack) + "` and its like.",
		Validators:          []validator.String{validators.NotEmpty()},
	}
	attributes["namespace"] = schema.StringAttribute{
		Optional: true, Computed: true, Default: stringdefault.StaticString(dagger.Raystack),
		MarkdownDescription: "Which Dagger the jar is: its classes were in `org.raystack` (`raystack`, the default), are in `com.gotocompany` (`gotocompany`), and were in `io.odpf` (`odpf`) first.",
		Validators:          []validator.String{validators.OneOf(dagger.Namespaces()...)},
	}
	attributes["extra_configuration"] = schema.MapAttribute{
		Optional: true, ElementType: types.StringType,
		MarkdownDescription: "Keys that have no attribute, such as those of your own functions and transformers. A key that has one is refused.",
	}
	attributes["rendered"] = schema.StringAttribute{
		Computed: true, Sensitive: true,
		MarkdownDescription: "What Dagger will read, one key a line, as a file of properties has it. Values that are write-only are shown as `(write-only)`.",
	}
	maps.Copy(attributes, jobkind.Attributes())
	bundle := jobkind.BundleAttribute(false)
	bundle.MarkdownDescription = "`{ id, sha256 }` of a `streaming_python_bundle`. Needs `python_udf.enable`. Dagger takes no Python file but `.py` and `.zip`, and an upload ends with `.jar`: " +
		"while the job is started, a copy that ends with `.zip` is in the JobManager's upload directory, after the paths of `python_udf.files`, and its requirements file is installed by the workers, unless `python_udf.requirements` names another. " +
		"Flink hands both on to the TaskManagers, which need not reach the JobManager's disk; the JobManager itself needs PyFlink. " +
		"Dagger makes a function of each file whose name ends with `.py`, named as the file in upper case, wherever it is in the bundle. " +
		"A change of the content restarts the job. An `id` that changes with the same content is not shown as a change."
	attributes["bundle"] = bundle
	return jobChanges().Describe(schema.Schema{
		MarkdownDescription: "A Dagger job on a Flink session cluster: SQL over streams of Protobuf or JSON, from a Dagger jar. Each documented option is an attribute, and is checked at plan; " +
			"Dagger itself checks little before the job runs. [All options on one page](../guides/coverage.md), with what Dagger does otherwise than its documentation says. " +
			"`provider::streaming::dagger_configuration` reads the configuration that an existing job has.\n\n" +
			"The life of the job is that of a `streaming_flink_job`: a change of what runs stops it with a savepoint and starts it again from there. " +
			"Another aggregation needs `upgrade.mode = \"stateless\"`, and a query without one instead of a query with one `upgrade.allow_non_restored_state`.\n\n" +
			"**Before you use it:** Dagger 0.7.0 (raystack) and 0.12.2 (gotocompany) are built for Flink 1.14. " +
			"`parallelism` not set is 1, and `max_parallelism` not set is 50: Dagger does not look at the cluster's own. " +
			"All configuration that a job runs with can be read in Flink's REST by whoever reaches the JobManager, with the passwords of `streams` and `postprocessor` in clear; " +
			"Dagger also prints it to the JobManager's log, in base64. " +
			"A Dagger job that fails over its query on a JobManager that was just started, and another Dagger jar, may leave classes behind with which no later job with Protobuf starts; " +
			"the error says so then, and a restart of the JobManager helps. What no plan can know is said at the attributes.",
		Attributes: attributes,
	})
}

// attributesOf are the attributes of options, with the write-only twins of
// secrets if they are wanted.
func attributesOf(options []dagger.Option, top bool) map[string]schema.Attribute {
	attributes := map[string]schema.Attribute{}
	for _, o := range options {
		attributes[o.Attribute] = attributeOf(o, top)
		if o.Secret {
			twin, version := twinsOf(o)
			attributes[o.Attribute+writeOnly], attributes[o.Attribute+writeOnlyVersion] = twin, version
		}
	}
	return attributes
}

// attributeOf describes one option. What is needed in an object is missed by
// the check, which can say why.
func attributeOf(o dagger.Option, top bool) schema.Attribute {
	description := describe(o, top)
	switch o.Kind {
	case dagger.Flag:
		return schema.BoolAttribute{Optional: true, MarkdownDescription: description}
	case dagger.Count:
		return schema.Int64Attribute{Optional: true, MarkdownDescription: description}
	case dagger.List, dagger.Strings:
		return schema.ListAttribute{Optional: true, ElementType: types.StringType, MarkdownDescription: description}
	case dagger.Pairs, dagger.Prefixed, dagger.Map, dagger.Paths:
		return schema.MapAttribute{
			Optional: true, ElementType: types.StringType, Sensitive: o.Secret, MarkdownDescription: description, Validators: once(o, validators.MapExcludes),
		}
	case dagger.Object, dagger.First, dagger.Group:
		return schema.SingleNestedAttribute{Optional: true, MarkdownDescription: description, Attributes: attributesOf(o.Options, false)}
	case dagger.Objects:
		return schema.ListNestedAttribute{
			Optional: true, MarkdownDescription: description,
			NestedObject: schema.NestedAttributeObject{Attributes: attributesOf(o.Options, false)},
		}
	default:
		return schema.StringAttribute{
			Optional: true, Sensitive: o.Secret, MarkdownDescription: description, Validators: once(o, validators.Excludes),
		}
	}
}

const (
	writeOnly        = "_wo"
	writeOnlyVersion = "_wo_version"
)

// once lets a secret be set once.
func once[V any](o dagger.Option, excludes func(...string) V) []V {
	if !o.Secret {
		return nil
	}
	return []V{excludes(o.Attribute + writeOnly)}
}

// twinsOf are the write-only attribute of a secret, and its version.
func twinsOf(o dagger.Option) (twin, version schema.Attribute) {
	description := "The same as `" + o.Attribute + "`, write-only: it is in no plan and in no state. Needs Terraform 1.11, and `" + o.Attribute + writeOnlyVersion + "`."
	needs := o.Attribute + writeOnlyVersion
	if kind := attributeOf(o, false).GetType(); kind.Equal(types.StringType) {
		twin = schema.StringAttribute{Optional: true, WriteOnly: true, Sensitive: true, MarkdownDescription: description, Validators: []validator.String{validators.Needs(needs)}}
	} else {
		twin = schema.MapAttribute{
			Optional: true, WriteOnly: true, Sensitive: true, ElementType: types.StringType, MarkdownDescription: description, Validators: []validator.Map{validators.MapNeeds(needs)},
		}
	}
	return twin, schema.Int64Attribute{
		Optional: true, MarkdownDescription: "Any number. Terraform cannot see a change of `" + o.Attribute + writeOnly + "`: another number here restarts the job with its value.",
		Validators: []validator.Int64{validators.NumberNeeds(o.Attribute + writeOnly)},
	}
}

func describe(o dagger.Option, top bool) string {
	parts := []string{o.What}
	if o.Key != "" && o.Kind != dagger.Group {
		parts = append(parts, "Dagger's key: `"+o.Key+"`.")
	}
	if o.Kind == dagger.Millis {
		parts = append(parts, "A duration such as `\"10 s\"`, or a number of milliseconds.")
	}
	if o.Required && !top {
		parts = append(parts, "Required.")
	}
	if limits := o.Limits(); limits != "" {
		parts = append(parts, "Allowed: "+limits+".")
	}
	if o.Default != "" {
		parts = append(parts, "Dagger's default: `"+strings.ReplaceAll(o.Default, "`", "")+"`.")
	}
	if o.Only != "" {
		parts = append(parts, "Of the namespace `"+o.Only+"` alone.")
	}
	if o.Note != "" {
		parts = append(parts, o.Note)
	}
	description := strings.Join(parts, " ")
	if o.Required && top {
		description += jobkind.NeededDescription
	}
	return description
}

func jobChanges() changes.Table {
	rows := append(jobkind.JarChanges(),
		changes.Row{Attribute: "entry_class", Class: changes.Restart},
		changes.Row{Attribute: "namespace", Class: changes.Restart},
		changes.Row{Attribute: "extra_configuration", Class: changes.Restart},
		changes.Row{Attribute: "rendered", Class: changes.Computed},
	)
	return jobkind.Changes(append(rows, changesOf(options(), "")...)...)
}

// changesOf are the rows of options; what is in a list has no class of its own.
func changesOf(options []dagger.Option, prefix string) []changes.Row {
	var rows []changes.Row
	for _, o := range options {
		attribute := prefix + o.Attribute
		switch o.Kind {
		case dagger.Object, dagger.First, dagger.Group:
			rows = append(rows, changes.Row{Attribute: attribute, Class: changes.Nested})
			rows = append(rows, changesOf(o.Options, attribute+".")...)
		case dagger.Millis, dagger.Query, dagger.JSONText, dagger.JSONObject, dagger.Objects:
			rows = append(rows, changes.Row{Attribute: attribute, Class: changes.Restart, Respelled: true})
		default:
			rows = append(rows, changes.Row{Attribute: attribute, Class: changes.Restart})
		}
		if o.Secret {
			rows = append(rows, changes.Row{Attribute: attribute + writeOnly, Class: changes.Ignored, Note: "a change of `" + attribute + writeOnlyVersion + "` is one"},
				changes.Row{Attribute: attribute + writeOnlyVersion, Class: changes.Restart})
		}
	}
	return rows
}
