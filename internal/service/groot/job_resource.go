// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package groot

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	document "github.com/terraform-streaming/terraform-provider-streaming/internal/document/groot"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/base"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/jobkind"
)

// JobType is the resource type of a job of Groot Stream.
const JobType = "streaming_groot_job"

// NewJobResource returns the resource of a job of Groot Stream.
func NewJobResource() resource.Resource {
	return jobkind.New[jobModel](jobkind.Kind{
		Type: JobType, Schema: jobSchema, Needs: []jobkind.Need{{"jar"}},
		Paths: map[lifecycle.Problem]path.Path{
			lifecycle.ProblemJar:        path.Root("jar"),
			lifecycle.ProblemEntryClass: path.Root("entry_class"),
			lifecycle.ProblemMain:       path.Root(document.SectionsName),
			lifecycle.ProblemTwoJobs:    path.Root("jar"),
		},
	})
}

// jobModel is a job of Groot Stream in a configuration, a plan or a state.
type jobModel struct {
	jobkind.Model
	jobkind.JarPart

	EntryClass         types.String `tfsdk:"entry_class"`
	Args               types.List   `tfsdk:"args"`
	Env                types.Object `tfsdk:"env"`
	ExtraConfiguration types.Map    `tfsdk:"extra_configuration"`
	Sections           types.String `tfsdk:"sections"`
	Secrets            types.String `tfsdk:"secrets"`
	SecretsWO          types.String `tfsdk:"secrets_wo"`
	SecretsWOVersion   types.Int64  `tfsdk:"secrets_wo_version"`
	Delivery           types.Object `tfsdk:"delivery"`
	Rendered           types.String `tfsdk:"rendered"`

	// revealed is what secrets_wo has in the configuration.
	revealed types.String
}

// Clear makes the job's own collections null.
func (m *jobModel) Clear() {
	m.ClearJar()
	m.Args, m.ExtraConfiguration = types.ListNull(types.StringType), types.MapNull(types.StringType)
	m.Env, m.Delivery = types.ObjectNull(envTypes), types.ObjectNull(deliveryTypes)
}

// Reveal keeps what is write-only.
func (m *jobModel) Reveal(_ context.Context, config *jobModel) diag.Diagnostics {
	m.revealed = config.SecretsWO
	return nil
}

// Complete hashes a source file.
func (m *jobModel) Complete(ctx context.Context, config *jobModel) diag.Diagnostics {
	return m.CompleteJar(ctx, &config.JarPart)
}

// program runs from the jar, and is told from another without its secrets.
type program struct {
	*lifecycle.JarProgram

	public []string
}

// Fingerprint has the arguments without what is secret.
func (p *program) Fingerprint() []string {
	bare := *p.JarProgram
	bare.Args = p.public
	return bare.Fingerprint()
}

// Program is the jar with the job file among its arguments.
func (m *jobModel) Program(ctx context.Context, data *base.ProviderData) (lifecycle.Program, diag.Diagnostics) {
	jar, diagnostics := m.JarProgram(ctx, data)
	jar.EntryClass = m.EntryClass.ValueString()
	file, found := m.document()
	diagnostics.Append(found...)
	delivery, _ := m.delivery(ctx)
	var args []string
	if !m.Args.IsNull() && !m.Args.IsUnknown() {
		diagnostics.Append(m.Args.ElementsAs(ctx, &args, false)...)
	}
	jar.Args = delivery.Args(file.Render(), args)
	public := append(delivery.Args(file.Public(lifecycle.SecretKey), args), m.SecretsWOVersion.String())
	if delivery.Form == document.Path {
		// The file is no argument, and still makes the program what it is.
		public = append(public, file.Public(lifecycle.SecretKey))
	}
	return &program{JarProgram: &jar, public: public}, diagnostics
}

// AfterStart sets what was not known at plan.
func (m *jobModel) AfterStart(ctx context.Context, started lifecycle.Program) {
	m.JarPart.AfterStart(ctx, started)
	if file, diagnostics := m.document(); m.Rendered.IsUnknown() && !diagnostics.HasError() {
		m.Rendered = types.StringValue(file.Shown())
	}
}

// Differences compares what the program is given, as the engine reads it.
func (m *jobModel) Differences(ctx context.Context, before *jobModel, d *jobkind.Differences) {
	m.CompareJar(ctx, &before.JarPart, d)
	d.Compare("entry_class", before.EntryClass, m.EntryClass)
	d.Compare("args", before.Args, m.Args)
	for _, name := range m.changed(ctx, before, d.TakeOver) {
		d.Found(name.attribute, name.unknown)
	}
	d.Compare("secrets_wo_version", before.SecretsWOVersion, m.SecretsWOVersion)
}

// part is an attribute of which the job file is made.
type part struct {
	attribute string
	unknown   bool
}

// changed lists the parts that differ, or of which it is not known yet.
func (m *jobModel) changed(ctx context.Context, before *jobModel, takeOver bool) []part {
	was, _ := before.document()
	is, _ := m.document()
	var found []part
	add := func(attribute string, unset bool, same func() bool, unknown ...string) {
		isUnknown := slices.ContainsFunc(unknown, func(name string) bool { return is.Unknown[name] })
		switch {
		case isUnknown:
			found = append(found, part{attribute, true})
		case !same() && !(takeOver && unset):
			found = append(found, part{attribute, false})
		}
	}
	add(document.EnvName, before.Env.IsNull(), func() bool {
		return document.Document{Env: was.Env, Flink: was.Flink}.Meaning() == document.Document{Env: is.Env, Flink: is.Flink}.Meaning()
	}, envNames()...)
	add(document.ExtraName, before.ExtraConfiguration.IsNull(), func() bool {
		return document.Document{Extra: was.Extra}.Meaning() == document.Document{Extra: is.Extra}.Meaning()
	}, document.ExtraName)
	add(document.SectionsName, before.Sections.IsNull(), func() bool {
		return document.Document{Sections: was.Sections}.Meaning() == document.Document{Sections: is.Sections}.Meaning()
	}, document.SectionsName)
	add(document.SecretsName, before.Secrets.IsNull(), func() bool {
		return document.Document{Secrets: was.Secrets}.Meaning() == document.Document{Secrets: is.Secrets}.Meaning()
	}, document.SecretsName)
	delivery, known := m.delivery(ctx)
	old, _ := before.delivery(ctx)
	if !known {
		is.Unknown[document.DeliveryName] = true
	}
	add(document.DeliveryName, before.Delivery.IsNull(), func() bool { return delivery == old }, document.DeliveryName)
	return found
}

// envNames are the attributes of an env object, and its own name.
func envNames() []string {
	names := []string{document.EnvName}
	for name := range envTypes {
		names = append(names, name)
	}
	return names
}
