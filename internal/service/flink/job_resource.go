// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/base"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/jobkind"
)

// JobType is the resource type of a job from a jar.
const JobType = "streaming_flink_job"

var (
	_ resource.ResourceWithConfigure   = (*jobkind.Resource[jobModel, *jobModel])(nil)
	_ resource.ResourceWithModifyPlan  = (*jobkind.Resource[jobModel, *jobModel])(nil)
	_ resource.ResourceWithImportState = (*jobkind.Resource[jobModel, *jobModel])(nil)
	_ resource.ResourceWithIdentity    = (*jobkind.Resource[jobModel, *jobModel])(nil)
)

// NewJobResource returns the resource of a job from a jar.
func NewJobResource() resource.Resource {
	return jobkind.New[jobModel](jobkind.Kind{
		Type: JobType, Schema: jobSchema, Needs: []jobkind.Need{{"jar"}},
		Paths: map[lifecycle.Problem]path.Path{
			lifecycle.ProblemJar:        path.Root("jar"),
			lifecycle.ProblemEntryClass: path.Root("entry_class"),
			lifecycle.ProblemMain:       path.Root("args"),
			lifecycle.ProblemTwoJobs:    path.Root("jar"),
		},
	})
}

// jobModel is a job from a jar in a configuration, a plan or a state.
type jobModel struct {
	jobkind.Model
	jobkind.JarPart

	EntryClass types.String `tfsdk:"entry_class"`
	Args       types.List   `tfsdk:"args"`
}

// Clear makes the jar and the arguments null.
func (m *jobModel) Clear() {
	m.ClearJar()
	m.Args = types.ListNull(types.StringType)
}

// Complete hashes a source file.
func (m *jobModel) Complete(ctx context.Context, config *jobModel) diag.Diagnostics {
	return m.CompleteJar(ctx, &config.JarPart)
}

// Differences compares the jars by content.
func (m *jobModel) Differences(ctx context.Context, before *jobModel, d *jobkind.Differences) {
	m.CompareJar(ctx, &before.JarPart, d)
	d.Compare("entry_class", before.EntryClass, m.EntryClass)
	d.Compare("args", before.Args, m.Args)
}

// Program is the job's jar, entry class and arguments.
func (m *jobModel) Program(ctx context.Context, data *base.ProviderData) (lifecycle.Program, diag.Diagnostics) {
	program, diagnostics := m.JarProgram(ctx, data)
	program.EntryClass = m.EntryClass.ValueString()
	if !m.Args.IsNull() && !m.Args.IsUnknown() {
		diagnostics.Append(m.Args.ElementsAs(ctx, &program.Args, false)...)
	}
	return &program, diagnostics
}

// Settle has nothing to add.
func (m *jobModel) Settle(context.Context, *jobModel, *base.ProviderData) diag.Diagnostics {
	return nil
}
