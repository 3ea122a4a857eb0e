// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink

import (
	"context"
	"maps"
	"regexp"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/base"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/changes"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/validators"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/jobkind"
)

// PythonJobType is the resource type of a Python job.
const PythonJobType = "streaming_flink_python_job"

// NewPythonJobResource returns the resource of a Python job.
func NewPythonJobResource() resource.Resource {
	return jobkind.New[pythonJobModel](jobkind.Kind{
		Type: PythonJobType, Schema: pythonJobSchema, Needs: []jobkind.Need{{"module", "file"}},
		Paths: map[lifecycle.Problem]path.Path{
			lifecycle.ProblemJar:     path.Root("jar"),
			lifecycle.ProblemMain:    path.Root("module"),
			lifecycle.ProblemTwoJobs: path.Root("module"),
		},
	})
}

// pythonJobModel is a Python job in a configuration, a plan or a state.
type pythonJobModel struct {
	jobkind.Model
	jobkind.JarPart

	Module types.String `tfsdk:"module"`
	File   types.String `tfsdk:"file"`
	Args   types.List   `tfsdk:"args"`
}

var (
	moduleName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$`)
	noFile     = regexp.MustCompile(`^(y|py|.*[^y]|.*[^p]y|.*[^.]py)$`)
	// Python finds a file by the name of its module, so that no other part of
	// its path may have a dot.
	moduleFile = regexp.MustCompile(`^([A-Za-z0-9_-]+/)*[A-Za-z0-9_-]+\.py$`)
)

func pythonJobSchema() schema.Schema {
	jar := jobkind.JarAttribute()
	jar.MarkdownDescription = "The cluster's own `flink-python` jar, in one of the forms that `jar` of a `streaming_flink_job` has. Default: `python_jar` of the provider configuration, else an upload of the cluster whose name has `flink-python` and the cluster's version."
	attributes := map[string]schema.Attribute{
		"jar": jar,
		"module": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Module to run, as `python -m` does, such as `enrich_job` or `jobs.enrich`. It excludes `file`." + jobkind.NeededDescription,
			Validators: []validator.String{
				validators.Matches(moduleName, "must be the name of a module, such as enrich_job or jobs.enrich, without .py"),
				validators.Matches(noFile, "must be a module and not a file: set file, or leave out .py"),
				validators.Excludes("file"),
			},
		},
		"file": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "File to run in the bundle, such as `enrich_job.py` or `jobs/enrich.py`. It is run as the module of that name, and stands for `module`.",
			Validators: []validator.String{
				validators.Matches(moduleFile, "must be the path of a .py file in the bundle, such as jobs/enrich.py, without another dot"),
			},
		},
		"args": schema.ListAttribute{
			Optional: true, ElementType: types.StringType,
			MarkdownDescription: "Arguments of the program (`sys.argv[1:]`), passed on one by one and unchanged. Flink cannot tell them again.",
		},
	}
	maps.Copy(attributes, jobkind.Attributes())
	return pythonJobChanges().Describe(schema.Schema{
		MarkdownDescription: "A PyFlink program that runs on a Flink session cluster, with the code of a `streaming_python_bundle`.\n\n" +
			"The program is started by the JobManager through `flink-python`, and needs there, and on the TaskManagers, a Python interpreter with the package `apache-flink` of the cluster's version (`python.client_executable`, `python.executable`). " +
			"It has to build one graph, and to call `execute()` once. The life of the job is that of a `streaming_flink_job`: a change of what runs stops it with a savepoint and starts it again from there.",
		Attributes: attributes,
	})
}

func pythonJobChanges() changes.Table {
	return jobkind.Changes(append(jobkind.JarChanges(),
		changes.Row{Attribute: "module", Class: changes.Restart},
		changes.Row{Attribute: "file", Class: changes.Restart, Note: "another spelling of the same module is no restart"},
		changes.Row{Attribute: "args", Class: changes.Restart},
	)...)
}

// Clear makes the jar and the arguments null.
func (m *pythonJobModel) Clear() {
	m.ClearJar()
	m.Args = types.ListNull(types.StringType)
}

// Complete hashes a source file.
func (m *pythonJobModel) Complete(ctx context.Context, config *pythonJobModel) diag.Diagnostics {
	return m.CompleteJar(ctx, &config.JarPart)
}

// moduleOf is the module that module or file names.
func (m *pythonJobModel) moduleOf() types.String {
	if m.File.IsNull() {
		return m.Module
	}
	if m.File.IsUnknown() {
		return m.File
	}
	return types.StringValue(strings.ReplaceAll(strings.TrimSuffix(m.File.ValueString(), ".py"), "/", "."))
}

// Differences compares what is run.
func (m *pythonJobModel) Differences(ctx context.Context, before *pythonJobModel, d *jobkind.Differences) {
	m.CompareJar(ctx, &before.JarPart, d)
	d.Compare("module", before.moduleOf(), m.moduleOf())
	d.Compare("args", before.Args, m.Args)
}

// Program is the module, its arguments, and what starts it.
func (m *pythonJobModel) Program(ctx context.Context, data *base.ProviderData) (lifecycle.Program, diag.Diagnostics) {
	jar, diagnostics := m.JarProgram(ctx, data)
	program := &lifecycle.PythonProgram{Jar: jar, Chosen: !m.Jar.IsNull(), Module: m.moduleOf().ValueString()}
	if m.Jar.IsNull() {
		program.Jar.Path = data.PythonJar
	}
	if !m.Args.IsNull() && !m.Args.IsUnknown() {
		diagnostics.Append(m.Args.ElementsAs(ctx, &program.Args, false)...)
	}
	return program, diagnostics
}

// Settle has nothing to add.
func (m *pythonJobModel) Settle(context.Context, *pythonJobModel, *base.ProviderData) diag.Diagnostics {
	return nil
}
