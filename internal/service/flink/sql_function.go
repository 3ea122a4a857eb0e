// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/sqlscript"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/diags"
)

var _ function.Function = (*sqlStatementsFunction)(nil)

type sqlStatementsFunction struct{}

// NewSQLStatementsFunction returns the function that splits a SQL script.
func NewSQLStatementsFunction() function.Function { return &sqlStatementsFunction{} }

// Metadata names the function.
func (f *sqlStatementsFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "sql_statements"
}

var sqlStatementsTypes = map[string]attr.Type{"setup_statements": types.ListType{ElemType: types.StringType}, "statement": types.StringType}

// Definition describes the function.
func (f *sqlStatementsFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "A script of Flink SQL, split into its statements",
		MarkdownDescription: "Splits a script as `script` of a `streaming_flink_sql_job` is split, and returns `{ setup_statements, statement }`, the attributes of the same name: what prepares the session, and the one `INSERT` or `EXECUTE STATEMENT SET` at its end. " +
			"A semicolon in a text, in a quoted name or in a comment separates nothing; comments between statements, and the semicolons, are left out. " +
			"A script that Flink or the resource would refuse is an error that says the statement and the line." + needsFunctions,
		Parameters: []function.Parameter{function.StringParameter{Name: "script", MarkdownDescription: "The script, such as `file(\"job.sql\")`."}},
		Return:     function.ObjectReturn{AttributeTypes: sqlStatementsTypes},
	}
}

// Run splits.
func (f *sqlStatementsFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var script string
	if resp.Error = req.Arguments.Get(ctx, &script); resp.Error != nil {
		return
	}
	job, err := sqlscript.Parse(script)
	if err != nil {
		resp.Error = function.NewArgumentFuncError(0, "Not the SQL of a job: "+diags.Sentence(err.Error()))
		return
	}
	setup := make([]attr.Value, 0, len(job.Setup))
	for _, statement := range job.Setup {
		setup = append(setup, types.StringValue(statement.Text))
	}
	resp.Error = resp.Result.Set(ctx, types.ObjectValueMust(sqlStatementsTypes, map[string]attr.Value{
		"setup_statements": types.ListValueMust(types.StringType, setup), "statement": types.StringValue(job.Pipeline.Text),
	}))
}
