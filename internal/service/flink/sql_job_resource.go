// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/sqlscript"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/base"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/values"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/jobkind"
)

// SQLJobType is the resource type of a job in SQL.
const SQLJobType = "streaming_flink_sql_job"

var sqlJobKind = jobkind.Kind{
	Type: SQLJobType, Schema: sqlJobSchema, Fixed: true, Gateway: true,
	Needs: []jobkind.Need{{"statement", "script"}}, Beside: []string{"validate"},
	Paths: map[lifecycle.Problem]path.Path{
		lifecycle.ProblemSetup:     path.Root("setup_statements"),
		lifecycle.ProblemStatement: path.Root("statement"),
		lifecycle.ProblemScript:    path.Root("script"),
	},
}

// NewSQLJobResource returns the resource of a job in SQL.
func NewSQLJobResource() resource.Resource { return jobkind.New[sqlJobModel](sqlJobKind) }

// sqlJobModel is a job in SQL in a configuration, a plan or a state.
type sqlJobModel struct {
	jobkind.Model

	Statement       types.String `tfsdk:"statement"`
	SetupStatements types.List   `tfsdk:"setup_statements"`
	Script          types.String `tfsdk:"script"`
	Validate        types.Bool   `tfsdk:"validate"`
}

// Clear makes the statements null.
func (m *sqlJobModel) Clear() { m.SetupStatements = types.ListNull(types.StringType) }

// Complete has nothing to add.
func (m *sqlJobModel) Complete(context.Context, *sqlJobModel) diag.Diagnostics { return nil }

// AfterStart has nothing to add: all is known at plan.
func (m *sqlJobModel) AfterStart(context.Context, lifecycle.Program) {}

// Upload is none.
func (m *sqlJobModel) Upload(context.Context) jobkind.Upload { return jobkind.Upload{} }

// job is what the statements are; known is false while one of them is not.
func (m *sqlJobModel) job() (job sqlscript.Job, known bool, err error) {
	if m.Statement.IsUnknown() || m.SetupStatements.IsUnknown() || m.Script.IsUnknown() {
		return sqlscript.Job{}, false, nil
	}
	if !m.Script.IsNull() {
		parsed, err := sqlscript.Parse(m.Script.ValueString())
		if err != nil {
			return sqlscript.Job{}, true, err
		}
		return *parsed, true, nil
	}
	for _, element := range m.SetupStatements.Elements() {
		text, ok := element.(types.String)
		if !ok || text.IsUnknown() {
			return sqlscript.Job{}, false, nil
		}
		statement, err := sqlscript.ParseSetup(text.ValueString())
		if err != nil {
			return sqlscript.Job{}, true, err
		}
		job.Setup = append(job.Setup, statement)
	}
	if m.Statement.IsNull() {
		return job, true, nil
	}
	job.Pipeline, err = sqlscript.ParsePipeline(m.Statement.ValueString())
	return job, true, err
}

func normals(statements []sqlscript.Statement) []string {
	texts := make([]string, 0, len(statements))
	for _, statement := range statements {
		texts = append(texts, statement.Normal())
	}
	return texts
}

// pipeline is the normal form of the pipeline, empty where there is none.
func (m *sqlJobModel) pipeline(job sqlscript.Job) string {
	if m.Script.IsNull() && m.Statement.IsNull() {
		return ""
	}
	return job.Pipeline.Normal()
}

// Differences compares the statements as Flink reads them, wherever they are.
func (m *sqlJobModel) Differences(_ context.Context, before *sqlJobModel, d *jobkind.Differences) {
	name := func(attribute string) string {
		if !m.Script.IsNull() {
			return "script"
		}
		return attribute
	}
	if d.TakeOver && before.Statement.IsNull() && before.Script.IsNull() {
		return
	}
	after, known, err := m.job()
	was, _, wasErr := before.job()
	if !known {
		d.Found(name("statement"), true)
		return
	}
	setup := err != nil || wasErr != nil || !slices.Equal(normals(was.Setup), normals(after.Setup))
	pipeline := err == nil && wasErr == nil && before.pipeline(was) != m.pipeline(after)
	if setup {
		d.Found(name("setup_statements"), false)
	}
	if pipeline && !(setup && name("") == "script") {
		d.Found(name("statement"), false)
	}
}

// Program is the statements, for the gateway.
func (m *sqlJobModel) Program(ctx context.Context, data *base.ProviderData) (lifecycle.Program, diag.Diagnostics) {
	gateway, diagnostics := data.Gateway()
	job, _, err := m.job()
	if err != nil {
		diagnostics.Append(sqlError(m.at(), err))
	}
	program := &lifecycle.SQLProgram{
		Gateway: gateway, Name: "terraform: " + m.Name.ValueString(), Setup: job.Setup, Pipeline: job.Pipeline, Script: !m.Script.IsNull(),
		Properties: map[string]string{},
	}
	if !m.Configuration.IsNull() && !m.Configuration.IsUnknown() {
		diagnostics.Append(m.Configuration.ElementsAs(ctx, &program.Properties, false)...)
	}
	return program, diagnostics
}

// at is the attribute that the pipeline is in.
func (m *sqlJobModel) at() path.Path {
	if m.Script.IsNull() {
		return path.Root("statement")
	}
	return path.Root("script")
}

// Settle keeps the spelling of statements that Flink reads alike, and lets the
// gateway plan those that are new, if that is asked for.
func (m *sqlJobModel) Settle(ctx context.Context, before *sqlJobModel, data *base.ProviderData) diag.Diagnostics {
	if before != nil {
		m.keepSpelling(before)
	}
	same := before != nil && m.Statement.Equal(before.Statement) && m.Script.Equal(before.Script) && values.Same(before.SetupStatements, m.SetupStatements)
	if _, known, err := m.job(); !m.Validate.ValueBool() || same || !known || err != nil {
		return nil
	}
	return m.explain(ctx, data)
}

func (m *sqlJobModel) keepSpelling(before *sqlJobModel) {
	for _, one := range []struct{ was, is *types.String }{{&before.Statement, &m.Statement}, {&before.Script, &m.Script}} {
		if !one.was.IsNull() && !one.is.IsNull() && !one.is.IsUnknown() && sqlscript.Normal(one.was.ValueString()) == sqlscript.Normal(one.is.ValueString()) {
			*one.is = *one.was
		}
	}
	was, is := before.SetupStatements.Elements(), m.SetupStatements.Elements()
	if m.SetupStatements.IsUnknown() || len(was) != len(is) {
		return
	}
	for i := range is {
		old, oldOK := was[i].(types.String)
		text, ok := is[i].(types.String)
		if !oldOK || !ok || text.IsUnknown() || sqlscript.Normal(old.ValueString()) != sqlscript.Normal(text.ValueString()) {
			return
		}
	}
	if !before.SetupStatements.IsNull() && !m.SetupStatements.IsNull() {
		m.SetupStatements = before.SetupStatements
	}
}

// explain lets the gateway plan the pipeline. What cannot be asked yet is a
// warning: it may be made in this apply.
func (m *sqlJobModel) explain(ctx context.Context, data *base.ProviderData) diag.Diagnostics {
	var diagnostics diag.Diagnostics
	if !data.GatewayKnown() || !data.FlinkKnown() {
		return diagnostics
	}
	engine, found := jobkind.Engine(data, &diagnostics)
	diagnostics.Append(found...)
	spec, found := jobkind.Spec(ctx, m, data)
	diagnostics.Append(found...)
	if diagnostics.HasError() {
		return diagnostics
	}
	err := engine.Explain(ctx, spec)
	if err == nil {
		return diagnostics
	}
	failed := sqlJobKind.Failure("validate", m.Name.ValueString(), err)
	if problem, ok := errors.AsType[*lifecycle.Error](err); ok && slices.Contains([]lifecycle.Problem{lifecycle.ProblemSetup, lifecycle.ProblemStatement, lifecycle.ProblemScript}, problem.Problem) {
		diagnostics.Append(failed)
		return diagnostics
	}
	diagnostics.AddAttributeWarning(path.Root("validate"), "The pipeline could not be validated", strings.TrimSpace(failed.Summary()+": "+failed.Detail()))
	return diagnostics
}
