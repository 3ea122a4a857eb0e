// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/sqlscript"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/changes"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/diags"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/validators"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/jobkind"
)

func sqlJobSchema() schema.Schema {
	attributes := map[string]schema.Attribute{
		"statement": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "The pipeline: one `INSERT INTO`, or one `EXECUTE STATEMENT SET BEGIN ... END`, which is one job as well. It excludes `script`." + jobkind.NeededDescription,
			Validators: []validator.String{
				validators.Excludes("script"),
				sqlValidator{func(text string) ([]sqlscript.Statement, error) {
					one, err := sqlscript.ParsePipeline(text)
					return []sqlscript.Statement{one}, err
				}},
			},
		},
		"setup_statements": schema.ListAttribute{
			Optional: true, ElementType: types.StringType,
			MarkdownDescription: "Statements that prepare the session, in this order: `SET`, `CREATE`, `USE` and the like, one in each element. They run again at each start, before the running job is stopped; " +
				"what is in a catalog that outlives the session has to be written as `CREATE ... IF NOT EXISTS`.",
			Validators: []validator.List{
				validators.ListExcludes("script"),
				validators.EachOfList(sqlValidator{func(text string) ([]sqlscript.Statement, error) {
					one, err := sqlscript.ParseSetup(text)
					return []sqlscript.Statement{one}, err
				}}),
			},
		},
		"script": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "All statements in one text, such as `file(\"job.sql\")`: those that prepare the session, then one pipeline. The provider splits it, and knows quotes, comments and statement sets. It stands for `statement` and `setup_statements`.",
			Validators: []validator.String{sqlValidator{func(text string) ([]sqlscript.Statement, error) {
				job, err := sqlscript.Parse(text)
				if err != nil {
					return nil, err
				}
				return job.Statements(), nil
			}}},
		},
		"validate": schema.BoolAttribute{
			Optional: true, Computed: true, Default: booldefault.StaticBool(false),
			MarkdownDescription: "Let the SQL gateway plan the pipeline during `terraform plan` (`EXPLAIN`), when the job is new or its statements have changed. " +
				"The set-up runs for it, in a session of its own: in a catalog that outlives the session it leaves what it makes. Default `false`.",
		},
	}
	maps.Copy(attributes, jobkind.Attributes())
	return sqlJobChanges().Describe(schema.Schema{
		MarkdownDescription: "A Flink SQL pipeline that runs as a job on a Flink session cluster, submitted through an SQL gateway (`sql_gateway_endpoint` of the provider configuration; Flink 1.17 or newer).\n\n" +
			"Each start opens a session, runs the set-up statement by statement, and submits the pipeline under an id that the provider chose; the session is closed then, and the JobManager is asked about everything else. " +
			"The life of the job is that of a `streaming_flink_job`: a change of the pipeline or of an option stops it with a savepoint and starts it again from there. " +
			"Flink restores the state of a changed query as far as its plan stays the same; another aggregation or join needs `upgrade.mode = \"stateless\"`, or `upgrade.allow_non_restored_state`.\n\n" +
			"Spaces, line ends, comments and a semicolon at the end are no change of a statement; the text of literals, names and hints is, and so is the case of keywords.",
		Attributes: attributes,
	})
}

func sqlJobChanges() changes.Table {
	return jobkind.Changes(
		changes.Row{Attribute: "statement", Class: changes.Restart, Respelled: true},
		changes.Row{Attribute: "setup_statements", Class: changes.Restart, Respelled: true},
		changes.Row{Attribute: "script", Class: changes.Restart, Respelled: true},
		changes.Row{Attribute: "validate", Class: changes.None},
	)
}

// sqlValidator checks what of SQL can be told without Flink.
type sqlValidator struct {
	parse func(text string) ([]sqlscript.Statement, error)
}

// Description says what is checked.
func (sqlValidator) Description(context.Context) string { return "statements of a job in Flink SQL" }

// MarkdownDescription says what is checked.
func (v sqlValidator) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString checks a known text.
func (v sqlValidator) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	statements, err := v.parse(req.ConfigValue.ValueString())
	if err != nil {
		resp.Diagnostics.Append(sqlError(req.Path, err))
		return
	}
	for i, statement := range statements {
		key, _, ok := statement.Setting()
		if advice, managed := jobkind.ManagedKey(key); ok && managed {
			resp.Diagnostics.AddAttributeError(req.Path, "Option "+key+" cannot be set here", fmt.Sprintf("Statement %d (line %d). %s", i+1, statement.Line, advice))
		}
	}
}

func sqlError(at path.Path, err error) diag.Diagnostic {
	summary := "Not the SQL of a job"
	if fault, ok := errors.AsType[*sqlscript.Error](err); ok && fault.Statement == 0 {
		summary = "The SQL cannot be read"
	}
	return diag.NewAttributeErrorDiagnostic(at, summary, diags.Sentence(err.Error()))
}
