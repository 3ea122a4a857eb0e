// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streampark

import (
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/streampark"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/changes"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/customtypes"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/validators"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/jobkind"
)

// abouts describe the groups, in the order of the document.
var abouts = []struct{ group, text string }{
	{"option", "Options of `flink run`. This provider does not use it: none has an effect, and a value that asks for something else than what happens is warned of."},
	{"property", "Further options of Flink's."},
	{"memory", "Memory of Flink's processes. A session cluster has its own, so that none has an effect; parts that contradict each other are an error."},
	{"memory.jobmanager", "Memory of the JobManager."},
	{"memory.taskmanager", "Memory of a TaskManager."},
	{"checkpoint", "Checkpoints of the job."},
	{"state_backend", "Where the state of the job is."},
	{"restart_strategy", "When Flink starts the job again by itself."},
	{"restart_strategy.fixed_delay", "For the strategy `fixed-delay`."},
	{"restart_strategy.failure_rate", "For the strategy `failure-rate`."},
	{"table", "Settings of SQL."},
}

// typed are the options that are keys of the file.
func typed() []streampark.Option {
	return slices.DeleteFunc(streampark.Table(), func(o streampark.Option) bool { return o.Elsewhere != "" })
}

// groupAttributes are those of one group, "" for the groups at the top.
func groupAttributes(group string) map[string]schema.Attribute {
	attributes := map[string]schema.Attribute{}
	below := func(at string) (string, bool) {
		name := at
		if group != "" {
			rest, ok := strings.CutPrefix(at, group+".")
			if !ok {
				return "", false
			}
			name = rest
		}
		return name, !strings.Contains(name, ".")
	}
	for _, about := range abouts {
		if name, ok := below(about.group); ok {
			attributes[name] = schema.SingleNestedAttribute{Optional: true, MarkdownDescription: about.text, Attributes: groupAttributes(about.group)}
		}
	}
	for _, row := range typed() {
		if name, ok := below(row.Attribute); ok {
			attributes[name] = optionAttribute(row)
		}
	}
	return attributes
}

func optionAttribute(row streampark.Option) schema.Attribute {
	text := describe(row)
	switch row.Kind {
	case streampark.Flag:
		return schema.BoolAttribute{Optional: true, MarkdownDescription: text}
	case streampark.Count:
		return schema.Int64Attribute{Optional: true, MarkdownDescription: text}
	case streampark.Fraction:
		return schema.NumberAttribute{Optional: true, MarkdownDescription: text}
	case streampark.Duration:
		return schema.StringAttribute{Optional: true, CustomType: customtypes.EngineDurationType{}, MarkdownDescription: text}
	case streampark.Size:
		return schema.StringAttribute{Optional: true, CustomType: customtypes.EngineMemorySizeType{}, MarkdownDescription: text}
	case streampark.Text:
	}
	return schema.StringAttribute{Optional: true, MarkdownDescription: text, Validators: []validator.String{validators.NotEmpty()}}
}

// describe is the description of an option.
func describe(row streampark.Option) string {
	parts := []string{row.What, "Rendered to `flink." + row.Key + "`."}
	switch row.Kind {
	case streampark.Duration:
		parts = append(parts, "A duration such as `30 s`, or a number of milliseconds.")
	case streampark.Size:
		parts = append(parts, "A size such as `64 mb` (powers of 1024), or a number of bytes.")
	case streampark.Text, streampark.Flag, streampark.Count, streampark.Fraction:
	}
	if limits := row.Limits(); limits != "" {
		parts = append(parts, "Allowed: "+limits+".")
	}
	if row.Default != "" {
		parts = append(parts, "Default: "+strings.TrimSuffix(row.Default, ".")+".")
	}
	if row.Note != "" {
		parts = append(parts, row.Note)
	}
	return strings.Join(parts, " ")
}

// groupTypes are the types of the groups at the top.
var groupTypes = func() map[string]map[string]attr.Type {
	groups := map[string]map[string]attr.Type{}
	for name, attribute := range groupAttributes("") {
		if object, ok := attribute.GetType().(types.ObjectType); ok {
			groups[name] = object.AttrTypes
		}
	}
	return groups
}()

func jobSchema() schema.Schema {
	attributes := map[string]schema.Attribute{
		"jar": jobkind.JarAttribute(),
		"entry_class": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Class with the `main` method, with its package. Default: that of the jar's manifest, which for StreamPark's client is `" + streampark.SQLClient + "`.",
			Validators:          []validator.String{validators.NotEmpty()},
		},
		"args": schema.ListAttribute{
			Optional: true, ElementType: types.StringType,
			MarkdownDescription: "Further arguments of the program, by turns `--key` and value, before those of the provider (`--conf`, `--sql`, `--app.name`). Each is passed on unchanged. Flink cannot tell them again.",
		},
		"layout": schema.StringAttribute{
			Optional: true, Computed: true, Default: stringdefault.StaticString(string(streampark.Current)),
			MarkdownDescription: "Where the configuration file has options and properties: `2.x` (default), below `flink.option` and `flink.property`, or `deployment`, below `flink.deployment.option` and `flink.deployment.property`, of which StreamPark 2 reads nothing.",
			Validators:          []validator.String{validators.OneOf(string(streampark.Current), string(streampark.Deployment))},
		},
		"sql": schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "SQL that StreamPark's own main class runs, such as `file(\"job.sql\")`, or the text of the id `sql` in an `sql.yaml`: definitions, and at least one `INSERT`, with semicolons between. All of its `INSERT`s are one job. " +
				"What StreamPark refuses, and what it passes over without a word (`DELETE`, `UPDATE`), is an error at plan. It shows in plans, in the state, and in Flink's REST API: write `${name}` in place of a secret, and set it in `variables`.",
		},
		"sql_by_id": schema.MapAttribute{
			Optional: true, ElementType: types.StringType,
			MarkdownDescription: "SQL by ids, for a main class of your own that calls `context.sql(id)`: the other ids of an `sql.yaml`. It is part of the configuration file, below `sql`.",
		},
		"extra_configuration": schema.MapAttribute{
			Optional: true, ElementType: types.StringType,
			MarkdownDescription: "Further keys of the configuration file, in full and as StreamPark 2 has them, such as `flink.property.state.backend.rocksdb.localdir` or `app.region`. A key that has an attribute is refused, and the attribute named.",
		},
		"variables": schema.MapAttribute{
			Optional: true, Sensitive: true, ElementType: types.StringType,
			MarkdownDescription: "What is put in for `${name}` (`$${name}` in a Terraform string) in `sql`, `sql_by_id`, `extra_configuration` and `args`, such as passwords. They are in the state, and not in `rendered`.",
		},
		"variables_wo": schema.MapAttribute{
			Optional: true, WriteOnly: true, Sensitive: true, ElementType: types.StringType,
			MarkdownDescription: "The same, kept nowhere: neither in a plan nor in the state. Needs Terraform 1.11 and `variables_wo_version`, whose change sends them again. They count more than `variables`.",
			Validators:          []validator.Map{validators.MapNeeds("variables_wo_version")},
		},
		"variables_wo_version": schema.Int64Attribute{
			Optional:            true,
			MarkdownDescription: "Any number, to be changed with `variables_wo`.",
			Validators:          []validator.Int64{validators.AtLeast(0)},
		},
		"rendered": schema.StringAttribute{
			Computed: true, Sensitive: true,
			MarkdownDescription: "What the client reads, unpacked: the configuration file (`--conf`), the SQL (`--sql`) and the name (`--app.name`), with `${name}` in place of variables.",
		},
	}
	maps.Copy(attributes, groupAttributes(""))
	maps.Copy(attributes, jobkind.Attributes())
	return jobChanges().Describe(schema.Schema{MarkdownDescription: about, Attributes: attributes})
}

const about = "A job of [StreamPark](https://streampark.apache.org)'s client on a Flink session cluster: SQL, or a program of your own, with the configuration file `application.yml` in typed attributes.\n\n" +
	"The jar holds StreamPark's client (`streampark-flink-sqlclient` for SQL, with the `flink-table-api-scala-bridge` of the cluster's version). It is run through Flink's REST API, with the file and the SQL packed as the client unpacks them. " +
	"StreamPark's console is not used: that it takes a job for failed which runs, has states that nobody knows, or tells no id of what it made, does not concern this resource. " +
	"The life of the job is that of a `streaming_flink_job`: a change of what runs stops it with a savepoint and starts it again from there.\n\n" +
	"What the client ignores is a warning that says what to use instead; what makes the job fail, run in another way, lose its state, or go on as one that nobody knows of, is an error. This was seen with StreamPark 2.0.0 to 2.1.7 on Flink 1.20. " +
	"`flink.property` in the file counts more than `configuration`, so that a key in both is refused; `SET` in the SQL has effect too. [All keys on one page](../guides/coverage.md).\n\n" +
	"Whether memory settings fit those of the cluster's own configuration, whether the SQL follows Flink's grammar, and its tables, connectors, classes and columns exist, which ids a program asks for with `context.sql(id)`, " +
	"whether there is a savepoint where `restore_from` says, and which main class a jar's manifest names, no plan can know: the apply fails then, and a job that failed is not left running. " +
	"The restart strategy is in no answer of Flink's, so that a change of it by other means is not seen. The file is read by the client and not by Flink, so that the form of the cluster's own configuration file (`flink-conf.yaml`, `config.yaml`) does not matter to it. " +
	"The client reads text in the character set of the JobManager: with other letters than ASCII in `sql` or `name`, start it with `-Dfile.encoding=UTF-8`.\n\n" +
	"Flink's REST API shows to everyone who reaches it, in the job's user configuration: the SQL with its variables put in, in clear; the packed configuration file, which anybody can unpack; and each key of it and each argument, of which Flink hides the values of those named password, secret, token and the like. " +
	"Spaces, line ends, comments and a semicolon at the end are no change of the SQL; the text of literals and names is, and so is the case of keywords."

func jobChanges() changes.Table {
	rows := append(jobkind.JarChanges(),
		changes.Row{Attribute: "entry_class", Class: changes.Restart},
		changes.Row{Attribute: "args", Class: changes.Restart},
		changes.Row{Attribute: "layout", Class: changes.Restart},
		changes.Row{Attribute: "sql", Class: changes.Restart, Respelled: true},
		changes.Row{Attribute: "sql_by_id", Class: changes.Restart, Respelled: true},
		changes.Row{Attribute: "extra_configuration", Class: changes.Restart, Respelled: true},
		changes.Row{Attribute: "variables", Class: changes.Restart},
		changes.Row{Attribute: "variables_wo", Class: changes.Ignored, Note: "see `variables_wo_version`"},
		changes.Row{Attribute: "variables_wo_version", Class: changes.Restart},
		changes.Row{Attribute: "rendered", Class: changes.Computed},
	)
	for _, about := range abouts {
		rows = append(rows, changes.Row{Attribute: about.group, Class: changes.Nested})
	}
	for _, row := range typed() {
		respelled := row.Kind == streampark.Duration || row.Kind == streampark.Size || len(row.Words) > 0 && !row.Exact
		rows = append(rows, changes.Row{Attribute: row.Attribute, Class: changes.Restart, Respelled: respelled})
	}
	return jobkind.Changes(rows...)
}
