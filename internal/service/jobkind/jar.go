// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package jobkind

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/base"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/values"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// JarPart is the jar of a job in a configuration, a plan or a state, for kinds
// that run from one to embed.
type JarPart struct {
	Jar types.Object `tfsdk:"jar"`
}

type jarModel struct {
	ID     types.String `tfsdk:"id"`
	Source types.String `tfsdk:"source"`
	URL    types.String `tfsdk:"url"`
	SHA256 types.String `tfsdk:"sha256"`
}

var jarTypes = map[string]attr.Type{"id": types.StringType, "source": types.StringType, "url": types.StringType, "sha256": types.StringType}

func (j jarModel) object() types.Object {
	return types.ObjectValueMust(jarTypes, map[string]attr.Value{"id": j.ID, "source": j.Source, "url": j.URL, "sha256": j.SHA256})
}

// ClearJar makes the jar null.
func (p *JarPart) ClearJar() { p.Jar = types.ObjectNull(jarTypes) }

// SetJar is the jar that a job was found to run from.
func (p *JarPart) SetJar(id, sha256 string) {
	p.Jar = jarModel{ID: types.StringValue(id), SHA256: types.StringValue(sha256)}.object()
}

// JarProgram runs from the jar.
func (p *JarPart) JarProgram(ctx context.Context, data *base.ProviderData) (lifecycle.JarProgram, diag.Diagnostics) {
	client, diagnostics := data.Flink()
	jar, found := values.As[jarModel](ctx, p.Jar)
	diagnostics.Append(found...)
	return lifecycle.JarProgram{
		Client: client, ID: jar.ID.ValueString(), SHA256: jar.SHA256.ValueString(), Path: jar.Source.ValueString(), URL: jar.URL.ValueString(),
	}, diagnostics
}

// AfterStart sets the hash of a file that was made in the same apply.
func (p *JarPart) AfterStart(ctx context.Context, program lifecycle.Program) {
	jar, _ := values.As[jarModel](ctx, p.Jar)
	if !jar.SHA256.IsUnknown() {
		return
	}
	jar.SHA256 = values.Text(program.JarSHA256())
	p.Jar = jar.object()
}

// Upload is the jar.
func (p *JarPart) Upload(ctx context.Context) Upload {
	jar, _ := values.As[jarModel](ctx, p.Jar)
	return Upload{SHA256: jar.SHA256.ValueString(), OfJob: jar.ID.IsNull() && !p.Jar.IsNull()}
}

// CompareJar compares the jars by content. A take-over lets the configuration
// leave it out: it may not be known, or be the provider's own choice.
func (p *JarPart) CompareJar(ctx context.Context, before *JarPart, d *Differences) {
	if differs, unknown := jarDiffers(ctx, before, p); differs && !(d.TakeOver && (before.Jar.IsNull() || p.Jar.IsNull())) {
		d.Found("jar", unknown)
	}
}

// jarDiffers compares contents: an id alone changes when the cluster lost its
// uploads.
func jarDiffers(ctx context.Context, state, plan *JarPart) (differs, unknown bool) {
	if plan.Jar.IsUnknown() {
		return true, true
	}
	if plan.Jar.IsNull() || state.Jar.IsNull() {
		return plan.Jar.IsNull() != state.Jar.IsNull(), false
	}
	before, _ := values.As[jarModel](ctx, state.Jar)
	after, _ := values.As[jarModel](ctx, plan.Jar)
	switch {
	case after.SHA256.IsUnknown():
		return true, true
	case !after.SHA256.IsNull() && !before.SHA256.IsNull():
		return !after.SHA256.Equal(before.SHA256), false
	case after.ID.IsUnknown():
		return true, true
	case !after.ID.IsNull() && after.ID.Equal(before.ID):
		return false, false
	}
	return true, false
}

// CompleteJar hashes a source file, so that a plan shows a change of its content:
// Terraform proposes the hash of the state where nothing else has changed. The
// file may be made in the same apply: then the hash is not known yet.
func (p *JarPart) CompleteJar(ctx context.Context, config *JarPart) diag.Diagnostics {
	if p.Jar.IsNull() || p.Jar.IsUnknown() || config.Jar.IsUnknown() {
		return nil
	}
	jar, diagnostics := values.As[jarModel](ctx, p.Jar)
	given, givenDiagnostics := values.As[jarModel](ctx, config.Jar)
	diagnostics.Append(givenDiagnostics...)
	if diagnostics.HasError() || !given.SHA256.IsNull() {
		return diagnostics
	}
	switch {
	case jar.Source.IsUnknown() || jar.ID.IsUnknown() || !jar.URL.IsNull():
		return diagnostics
	case jar.Source.IsNull() || !jar.ID.IsNull():
		jar.SHA256 = types.StringNull()
	default:
		file, err := lifecycle.ReadJarFile(jar.Source.ValueString())
		jar.SHA256 = types.StringValue(file.SHA256)
		if err != nil {
			diagnostics.Append(MissingJar(path.Root("jar").AtName("source"), jar.Source.ValueString(), err))
			jar.SHA256 = types.StringUnknown()
		}
	}
	p.Jar = jar.object()
	return diagnostics
}

// MissingJar is a warning: at plan a file may be about to be made.
func MissingJar(at path.Path, file string, err error) diag.Diagnostic {
	reason := err.Error()
	if errors.Is(err, fs.ErrNotExist) {
		reason = "there is no such file"
	}
	return diag.NewAttributeWarningDiagnostic(at, "The jar file cannot be read yet",
		fmt.Sprintf("%s: %s. If it is made during this apply, all is well, and its content is known then; otherwise the apply fails before anything is sent. "+
			"Relative paths begin at the directory that Terraform runs in; \"${path.module}/app.jar\" is a path beside the configuration.", file, reason))
}
