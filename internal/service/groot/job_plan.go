// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package groot

import (
	"context"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	document "github.com/terraform-streaming/terraform-provider-streaming/internal/document/groot"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/base"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/diags"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/values"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// Settle keeps the state's spelling of what the engine reads alike, renders the
// file, and checks it.
func (m *jobModel) Settle(ctx context.Context, before *jobModel, data *base.ProviderData) diag.Diagnostics {
	file, diagnostics := m.document()
	changed := []part{{"all", false}}
	if before != nil {
		changed = m.changed(ctx, before, false)
		m.keepSpelling(before, changed)
	}
	switch {
	case before != nil && len(changed) == 0 && !before.Rendered.IsNull() && before.Name.Equal(m.Name) && before.SecretsWOVersion.Equal(m.SecretsWOVersion):
		// Write-only values that were changed without a word are not given to anybody.
		m.Rendered = before.Rendered
	case len(file.Unknown) > 0:
		m.Rendered = types.StringUnknown()
	default:
		m.Rendered = types.StringValue(m.shown(file))
	}
	now := m.around(ctx, file, data)
	found := document.Check(file, now)
	var old []document.Finding
	if before != nil {
		was, _ := before.document()
		around := before.around(ctx, was, nil)
		around.FlinkVersion = now.FlinkVersion
		old = document.Check(was, around)
	}
	for _, finding := range found {
		at, name := about(finding)
		summary := finding.Summary
		if name != "" && !strings.Contains(summary, name) {
			summary = name + ": " + summary
		}
		// What has been applied is not refused any more, since an error at plan
		// would also keep the job from being destroyed.
		if finding.Severity == document.Refused && !slices.Contains(old, finding) {
			diagnostics.Append(diags.AtAttribute(at, summary, finding.Detail))
		} else {
			diagnostics.Append(diags.WarningAtAttribute(at, summary, finding.Detail))
		}
	}
	return diagnostics
}

// shown is the file after the spelling was kept.
func (m *jobModel) shown(file document.Document) string {
	if kept, diagnostics := m.document(); !diagnostics.HasError() {
		file = kept
	}
	return file.Shown()
}

// keepSpelling takes the state's spelling of what did not change.
func (m *jobModel) keepSpelling(before *jobModel, changed []part) {
	same := func(attribute string) bool {
		return !slices.ContainsFunc(changed, func(p part) bool { return p.attribute == attribute })
	}
	if same(document.EnvName) && !before.Env.IsNull() && !m.Env.IsNull() {
		m.Env = before.Env
	}
	if same(document.SectionsName) && !before.Sections.IsNull() && !m.Sections.IsNull() {
		m.Sections = before.Sections
	}
	if same(document.SecretsName) && !before.Secrets.IsNull() && !m.Secrets.IsNull() {
		m.Secrets = before.Secrets
	}
	if same(document.DeliveryName) && !before.Delivery.IsNull() && !m.Delivery.IsNull() {
		m.Delivery = before.Delivery
	}
}

// around is what the resource says beside the document.
func (m *jobModel) around(ctx context.Context, file document.Document, data *base.ProviderData) document.Around {
	delivery, known := m.delivery(ctx)
	if !known {
		delivery = document.Delivery{}
	}
	mode, _ := m.Upgrade.Attributes()["mode"].(types.String)
	around := document.Around{
		Parallelism: m.Parallelism.ValueInt64(), MaxParallelism: m.MaxParallelism.ValueInt64(),
		Configuration: values.Known(m.Configuration), Delivery: delivery,
		Savepoints: mode.ValueString() == lifecycle.ModeSavepoint || m.OnDestroy.ValueString() == lifecycle.OnDestroySavepoint,
	}
	for _, element := range m.Args.Elements() {
		if text, ok := element.(types.String); ok {
			around.Args = append(around.Args, text.ValueString())
		}
	}
	if len(file.Flink) == 0 || !data.FlinkKnown() {
		return around
	}
	// Without an answer what holds for all versions counts.
	if client, diagnostics := data.Flink(); !diagnostics.HasError() {
		around.FlinkVersion, _ = client.Version(ctx)
	}
	return around
}
