// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package streampark has the resource of jobs that run with StreamPark's client.
package streampark

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/streampark"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/base"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/changes"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/values"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/jobkind"
)

// JobType is the resource type.
const JobType = "streaming_streampark_job"

// Resources lists the constructors of the package's resources.
func Resources() []func() resource.Resource { return []func() resource.Resource{NewJobResource} }

// Changes are the tables of what a change does, by type of resource.
func Changes() map[string]changes.Table { return map[string]changes.Table{JobType: jobChanges()} }

// NewJobResource returns the resource of a job with StreamPark's client.
func NewJobResource() resource.Resource {
	return jobkind.New[jobModel](jobkind.Kind{
		// Whether the client can plan without running is not known.
		Type: JobType, Schema: jobSchema, Needs: []jobkind.Need{{"jar"}}, Fixed: true,
		Paths: map[lifecycle.Problem]path.Path{
			lifecycle.ProblemJar:        path.Root("jar"),
			lifecycle.ProblemEntryClass: path.Root("entry_class"),
			lifecycle.ProblemMain:       path.Root("sql"),
			lifecycle.ProblemTwoJobs:    path.Root("jar"),
		},
	})
}

// jobModel is a job in a configuration, a plan or a state.
type jobModel struct {
	jobkind.Model
	jobkind.JarPart

	EntryClass types.String `tfsdk:"entry_class"`
	Args       types.List   `tfsdk:"args"`
	Layout     types.String `tfsdk:"layout"`
	SQL        types.String `tfsdk:"sql"`
	SQLByID    types.Map    `tfsdk:"sql_by_id"`

	Option          types.Object `tfsdk:"option"`
	Property        types.Object `tfsdk:"property"`
	Memory          types.Object `tfsdk:"memory"`
	Checkpoint      types.Object `tfsdk:"checkpoint"`
	StateBackend    types.Object `tfsdk:"state_backend"`
	RestartStrategy types.Object `tfsdk:"restart_strategy"`
	Table           types.Object `tfsdk:"table"`

	Extra              types.Map    `tfsdk:"extra_configuration"`
	Variables          types.Map    `tfsdk:"variables"`
	VariablesWO        types.Map    `tfsdk:"variables_wo"`
	VariablesWOVersion types.Int64  `tfsdk:"variables_wo_version"`
	Rendered           types.String `tfsdk:"rendered"`

	// hidden are the write-only variables of the configuration.
	hidden        map[string]string
	hiddenUnknown bool
}

// Clear makes the collections null.
func (m *jobModel) Clear() {
	m.ClearJar()
	m.Args = types.ListNull(types.StringType)
	for _, collection := range []*types.Map{&m.SQLByID, &m.Extra, &m.Variables, &m.VariablesWO} {
		*collection = types.MapNull(types.StringType)
	}
	for group, object := range m.groups() {
		*object = types.ObjectNull(groupTypes[group])
	}
}

// Reveal keeps the write-only variables, and renders what was not known at plan.
func (m *jobModel) Reveal(_ context.Context, config *jobModel) diag.Diagnostics {
	m.hidden = values.Known(config.VariablesWO)
	m.hiddenUnknown = config.VariablesWO.IsUnknown() || len(m.hidden) < len(config.VariablesWO.Elements())
	if m.Rendered.IsUnknown() {
		m.render()
	}
	return nil
}

// Configured is where the configuration file puts checkpoints, by the newer name
// of the option too: that of a cluster counts more than a job's older one.
func (m *jobModel) Configured(context.Context) map[string]string {
	directories := map[string]string{}
	directory := strings.TrimSpace(m.whole().Resolved().Properties()["state.checkpoints.dir"])
	if directory != "" && !strings.Contains(directory, "${") {
		directories["state.checkpoints.dir"], directories["execution.checkpointing.dir"] = directory, directory
	}
	return directories
}

// Complete hashes a source file.
func (m *jobModel) Complete(ctx context.Context, config *jobModel) diag.Diagnostics {
	return m.CompleteJar(ctx, &config.JarPart)
}

// Settle keeps the spelling of what means the same, and checks what is new:
// what has been applied is not refused any more, since an error at plan would
// also keep the job from being destroyed.
func (m *jobModel) Settle(ctx context.Context, before *jobModel, data *base.ProviderData) diag.Diagnostics {
	var diagnostics diag.Diagnostics
	if before != nil {
		m.keepSpelling(before)
	}
	same := before != nil && len(m.changed(before)) == 0
	if !same || !values.Same(before.Configuration, m.Configuration) {
		m.check(ctx, data, &diagnostics)
	}
	m.render()
	if same && m.Name.Equal(before.Name) && !before.Rendered.IsNull() {
		// Another version of the provider may write it otherwise.
		m.Rendered = before.Rendered
	}
	return diagnostics
}

// attributes are the model's own, by their names.
func (m *jobModel) attributes() map[string]attr.Value {
	attributes := map[string]attr.Value{
		streampark.EntryClass: m.EntryClass, streampark.Args: m.Args, streampark.LayoutName: m.Layout, streampark.SQL: m.SQL, streampark.Statements: m.SQLByID,
		streampark.Extra: m.Extra, streampark.Variables: m.Variables, "variables_wo_version": m.VariablesWOVersion,
	}
	for group, object := range m.groups() {
		attributes[group] = *object
	}
	return attributes
}

// changed are the attributes that the client would read otherwise.
func (m *jobModel) changed(before *jobModel) []string {
	changed := streampark.Differences(before.document(), m.document())
	if !values.Same(before.VariablesWOVersion, m.VariablesWOVersion) {
		changed = append(changed, "variables_wo_version")
	}
	if m.EntryClass.IsUnknown() && !slices.Contains(changed, streampark.EntryClass) {
		changed = append(changed, streampark.EntryClass)
	}
	return slices.DeleteFunc(changed, func(attribute string) bool {
		return attribute == streampark.Name || attribute == streampark.Parallelism
	})
}

// Differences compares what the client reads.
func (m *jobModel) Differences(ctx context.Context, before *jobModel, d *jobkind.Differences) {
	m.CompareJar(ctx, &before.JarPart, d)
	was, unknown := before.attributes(), m.whole().Unknown
	for _, attribute := range m.changed(before) {
		if d.TakeOver && was[attribute].IsNull() {
			continue
		}
		d.Found(attribute, slices.ContainsFunc(slices.Collect(maps.Keys(unknown)), func(at string) bool {
			return at == attribute || strings.HasPrefix(at, attribute+".")
		}))
	}
}

// keepSpelling takes the state's spelling of each attribute that means the same.
func (m *jobModel) keepSpelling(before *jobModel) {
	changed := m.changed(before)
	keeps := func(attribute string, was, is attr.Value) bool {
		return !was.IsNull() && !is.IsNull() && !is.IsUnknown() && !slices.Contains(changed, attribute)
	}
	was := before.groups()
	for group, object := range m.groups() {
		if keeps(group, *was[group], *object) {
			*object = *was[group]
		}
	}
	if keeps(streampark.SQL, before.SQL, m.SQL) {
		m.SQL = before.SQL
	}
	if keeps(streampark.Statements, before.SQLByID, m.SQLByID) {
		m.SQLByID = before.SQLByID
	}
	if keeps(streampark.Extra, before.Extra, m.Extra) {
		m.Extra = before.Extra
	}
}

// Program is the jar with what the client reads.
func (m *jobModel) Program(ctx context.Context, data *base.ProviderData) (lifecycle.Program, diag.Diagnostics) {
	jar, diagnostics := m.JarProgram(ctx, data)
	document := m.whole()
	jar.EntryClass = m.EntryClass.ValueString()
	jar.Args, jar.Show = streampark.Render(document.Resolved()).Arguments(), show
	return &program{JarProgram: jar, shown: streampark.Render(document.Canonical()), variables: document.Variables}, diagnostics
}
