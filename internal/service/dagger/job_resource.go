// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package dagger

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/dagger"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/base"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/diags"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/values"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/jobkind"
)

// JobType is the resource type of a Dagger job.
const JobType = "streaming_dagger_job"

var (
	_ resource.ResourceWithConfigure   = (*jobkind.Resource[jobModel, *jobModel])(nil)
	_ resource.ResourceWithModifyPlan  = (*jobkind.Resource[jobModel, *jobModel])(nil)
	_ resource.ResourceWithImportState = (*jobkind.Resource[jobModel, *jobModel])(nil)
	_ resource.ResourceWithIdentity    = (*jobkind.Resource[jobModel, *jobModel])(nil)
	_ jobkind.Revealer[jobModel]       = (*jobModel)(nil)
	_ jobkind.MaxParallelismKeeper     = (*jobModel)(nil)
	_ jobkind.BundleKeeper             = (*jobModel)(nil)
	_ lifecycle.BundleKeeper           = (*program)(nil)
)

// NewJobResource returns the resource of a Dagger job.
func NewJobResource() resource.Resource {
	return jobkind.New[jobModel](jobkind.Kind{
		Type: JobType, Schema: jobSchema, Needs: needs(),
		Paths: map[lifecycle.Problem]path.Path{
			lifecycle.ProblemJar:        path.Root("jar"),
			lifecycle.ProblemEntryClass: path.Root("namespace"),
			lifecycle.ProblemTwoJobs:    path.Root("jar"),
		},
		// Dagger sets its parallelism itself, from what it is given.
		Fixed: true,
		Hint:  hint,
	})
}

// needs are the jar, and the options without which Dagger does not start.
func needs() []jobkind.Need {
	all := []jobkind.Need{{"jar"}}
	for _, o := range options() {
		if o.Required {
			all = append(all, jobkind.Need{o.Attribute})
		}
	}
	return all
}

// jobModel is a Dagger job in a configuration, a plan or a state.
type jobModel struct {
	jobkind.Model
	jobkind.JarPart

	EntryClass             types.String `tfsdk:"entry_class"`
	Namespace              types.String `tfsdk:"namespace"`
	Streams                types.List   `tfsdk:"streams"`
	SinkType               types.String `tfsdk:"sink_type"`
	RowtimeAttributeName   types.String `tfsdk:"rowtime_attribute_name"`
	FunctionFactoryClasses types.List   `tfsdk:"function_factory_classes"`
	SQLQuery               types.String `tfsdk:"sql_query"`
	ConsumeLargeMessage    types.Bool   `tfsdk:"source_kafka_consume_large_message_enable"`
	JobBuilder             types.String `tfsdk:"job_builder_fqcn"`
	SinkInflux             types.Object `tfsdk:"sink_influx"`
	SinkKafka              types.Object `tfsdk:"sink_kafka"`
	SinkBigQuery           types.Object `tfsdk:"sink_bigquery"`
	SchemaRegistry         types.Object `tfsdk:"schema_registry"`
	Flink                  types.Object `tfsdk:"flink"`
	Darts                  types.Object `tfsdk:"darts"`
	Longbow                types.Object `tfsdk:"longbow"`
	Preprocessor           types.Object `tfsdk:"preprocessor"`
	Postprocessor          types.Object `tfsdk:"postprocessor"`
	Telemetry              types.Object `tfsdk:"telemetry"`
	PythonUDF              types.Object `tfsdk:"python_udf"`
	ExtraConfiguration     types.Map    `tfsdk:"extra_configuration"`
	Rendered               types.String `tfsdk:"rendered"`

	// config has the attributes of today's configuration, with what is write-only.
	config map[string]attr.Value
}

// fields are pointers to what options are read from, by attribute.
func (m *jobModel) fields() map[string]any {
	return map[string]any{
		"streams": &m.Streams, "sink_type": &m.SinkType, "rowtime_attribute_name": &m.RowtimeAttributeName,
		"function_factory_classes": &m.FunctionFactoryClasses, "sql_query": &m.SQLQuery, "source_kafka_consume_large_message_enable": &m.ConsumeLargeMessage,
		"job_builder_fqcn": &m.JobBuilder, "sink_influx": &m.SinkInflux, "sink_kafka": &m.SinkKafka, "sink_bigquery": &m.SinkBigQuery,
		"schema_registry": &m.SchemaRegistry, "flink": &m.Flink, "darts": &m.Darts, "longbow": &m.Longbow, "preprocessor": &m.Preprocessor,
		"postprocessor": &m.Postprocessor, "telemetry": &m.Telemetry, "python_udf": &m.PythonUDF,
	}
}

// attributes are what a document is read from.
func (m *jobModel) attributes() map[string]attr.Value {
	all := map[string]attr.Value{"name": m.Name, "parallelism": m.Parallelism, "max_parallelism": m.MaxParallelism}
	for name, field := range m.fields() {
		switch field := field.(type) {
		case *types.List:
			all[name] = *field
		case *types.Object:
			all[name] = *field
		case *types.String:
			all[name] = *field
		case *types.Bool:
			all[name] = *field
		}
	}
	return all
}

// take takes an attribute of another model.
func (m *jobModel) take(name string, from *jobModel) {
	switch field := from.fields()[name].(type) {
	case *types.List:
		if to, ok := m.fields()[name].(*types.List); ok {
			*to = *field
		}
	case *types.Object:
		if to, ok := m.fields()[name].(*types.Object); ok {
			*to = *field
		}
	case *types.String:
		if to, ok := m.fields()[name].(*types.String); ok {
			*to = *field
		}
	}
}

// Clear makes the collections null.
func (m *jobModel) Clear() {
	m.ClearJar()
	for _, o := range options() {
		kind := attributeOf(o, true).GetType()
		switch field := m.fields()[o.Attribute].(type) {
		case *types.List:
			if list, ok := kind.(types.ListType); ok {
				*field = types.ListNull(list.ElemType)
			}
		case *types.Object:
			if object, ok := kind.(types.ObjectType); ok {
				*field = types.ObjectNull(object.AttrTypes)
			}
		}
	}
	m.ExtraConfiguration = types.MapNull(types.StringType)
}

// Complete hashes a source file.
func (m *jobModel) Complete(ctx context.Context, config *jobModel) diag.Diagnostics {
	return m.CompleteJar(ctx, &config.JarPart)
}

// Reveal keeps the configuration, which alone has what is write-only. In an
// apply all is known, and what was not at plan can be rendered.
func (m *jobModel) Reveal(_ context.Context, config *jobModel) diag.Diagnostics {
	m.config = config.attributes()
	if document, known, _ := m.document(); known && m.Rendered.IsUnknown() {
		m.Rendered = types.StringValue(m.complete(document).Rendered())
	}
	return nil
}

// document is the job's configuration; known is false while part of it is not.
func (m *jobModel) document() (document dagger.Document, known bool, diagnostics diag.Diagnostics) {
	var r reader
	fields := r.group(dagger.Table(), given{m.attributes(), m.config, path.Empty(), true})
	extra := values.Known(m.ExtraConfiguration)
	known = dagger.Fields(fields).Known() && !m.ExtraConfiguration.IsUnknown() && len(extra) == len(m.ExtraConfiguration.Elements()) && !m.Namespace.IsUnknown()
	document = dagger.Document{Namespace: cmp.Or(m.Namespace.ValueString(), dagger.Raystack), Values: fields, Extra: extra}
	return document, known, r.diagnostics
}

// Differences compares what Dagger would read.
func (m *jobModel) Differences(ctx context.Context, before *jobModel, d *jobkind.Differences) {
	m.CompareJar(ctx, &before.JarPart, d)
	d.Compare("entry_class", before.EntryClass, m.EntryClass)
	d.Compare("namespace", before.Namespace, m.Namespace)
	was, _, _ := before.document()
	is, _, _ := m.document()
	for _, o := range options() {
		old, set := was.Values[o.Attribute]
		now := is.Values[o.Attribute]
		switch {
		case !now.Known():
			d.Found(o.Attribute, true)
		case !now.Equal(old) && (set || !d.TakeOver):
			d.Found(o.Attribute, false)
		}
	}
	d.Compare("extra_configuration", before.ExtraConfiguration, m.ExtraConfiguration)
}

// Settle keeps the spelling of what means the same, checks what is new, and
// renders.
func (m *jobModel) Settle(ctx context.Context, before *jobModel, data *base.ProviderData) diag.Diagnostics {
	document, known, diagnostics := m.document()
	var earlier dagger.Document
	if before != nil {
		earlier, _, _ = before.document()
		m.keepSpelling(before, earlier, document)
	} else {
		diagnostics.Append(m.warnOfVersion(ctx, data)...)
	}
	switch enabled, known := document.Python(); {
	case m.Namespace.IsUnknown():
	case !m.Bundle.IsNull() && known && !enabled:
		if was, _ := earlier.Python(); before == nil || was || before.Bundle.IsNull() {
			diagnostics.AddAttributeError(path.Root("bundle"), "The bundle has no effect", "Functions in Python are not enabled. Set python_udf = { enable = true }.")
		}
	default:
		if before != nil {
			earlier = before.complete(earlier)
		}
		diagnostics.Append(findings(earlier, m.complete(document))...)
	}
	m.Rendered = types.StringUnknown()
	if known {
		m.Rendered = types.StringValue(m.complete(document).Rendered())
	}
	return diagnostics
}

// keepSpelling takes the state's values where Dagger reads the same.
func (m *jobModel) keepSpelling(before *jobModel, was, is dagger.Document) {
	old, now := before.attributes(), m.attributes()
	for name := range m.fields() {
		if v := is.Values[name]; v.Known() && v.Equal(was.Values[name]) && !old[name].IsNull() && !now[name].IsNull() {
			m.take(name, before)
		}
	}
}

// findings are those of the new configuration that the earlier one had not:
// what has been applied is not refused any more, since an error at plan would
// also keep the job from being destroyed.
func findings(earlier, document dagger.Document) diag.Diagnostics {
	var diagnostics diag.Diagnostics
	key := func(f dagger.Finding) string { return string(f.Severity) + f.Path.String() + f.Summary }
	var old []string
	if len(earlier.Values) > 0 {
		for _, finding := range dagger.Check(earlier) {
			old = append(old, key(finding))
		}
	}
	for _, finding := range dagger.Check(document) {
		switch {
		case slices.Contains(old, key(finding)):
		case finding.Severity == dagger.Refused:
			diagnostics.Append(diags.AtAttribute(at(finding.Path), finding.Summary, finding.Detail))
		default:
			diagnostics.Append(diags.WarningAtAttribute(at(finding.Path), finding.Summary, finding.Detail))
		}
	}
	return diagnostics
}

// builtFor is the Flink that Dagger's releases are built with.
const builtFor = "1.14."

// warnOfVersion tells of a cluster that Dagger was not built for.
func (m *jobModel) warnOfVersion(ctx context.Context, data *base.ProviderData) diag.Diagnostics {
	if data == nil || !data.FlinkKnown() {
		return nil
	}
	client, diagnostics := data.Flink()
	if diagnostics.HasError() {
		return nil // Said where it is needed.
	}
	version, err := client.Version(ctx)
	if err != nil || strings.HasPrefix(version, builtFor) {
		return nil
	}
	diagnostics.AddAttributeWarning(path.Root("jar"), "The cluster runs Flink "+version,
		"Dagger 0.7.0 (raystack) and 0.12.2 (gotocompany) are built for Flink 1.14: on another one a job fails over classes that are not there. Use a cluster of Flink 1.14, unless this jar was built for "+version+".")
	return diagnostics
}

// KeepsMaxParallelism is there since Dagger has a key for it.
func (m *jobModel) KeepsMaxParallelism() {}

// KeepsBundle is there since Dagger has a key for Python files.
func (m *jobModel) KeepsBundle() {}

// complete is all that Dagger will read, with a word for the bundle's path.
func (m *jobModel) complete(document dagger.Document) dagger.Document {
	if m.Bundle.IsNull() {
		return document.Completed()
	}
	return document.Completed().WithBundle(dagger.BundleFile, "")
}

// Program is Dagger with its configuration.
func (m *jobModel) Program(ctx context.Context, data *base.ProviderData) (lifecycle.Program, diag.Diagnostics) {
	jar, diagnostics := m.JarProgram(ctx, data)
	document, _, found := m.document()
	diagnostics.Append(found...)
	document = document.Completed()
	jar.EntryClass = cmp.Or(m.EntryClass.ValueString(), dagger.EntryClass(document.Namespace))
	p := &program{JarProgram: jar, document: document, bundle: m.BundleOf(ctx)}
	p.Show = p.show
	return p, diagnostics
}
