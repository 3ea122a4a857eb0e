// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streampark

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/streampark"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/base"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/diags"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/values"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/jobkind"
)

// check turns what is wrong with the document into diagnostics.
func (m *jobModel) check(ctx context.Context, data *base.ProviderData, diagnostics *diag.Diagnostics) {
	document := m.whole()
	situation := streampark.Situation{FlinkVersion: flinkVersion(ctx, data), Configuration: values.Known(m.Configuration)}
	for _, finding := range streampark.Check(document, situation) {
		diagnostics.Append(diagnosticOf(finding))
	}
	m.checkPlaces(document, diagnostics)
}

// flinkVersion is the cluster's, empty where it cannot be asked.
func flinkVersion(ctx context.Context, data *base.ProviderData) string {
	if data == nil || !data.FlinkKnown() {
		return ""
	}
	client, diagnostics := data.Flink()
	if diagnostics.HasError() {
		return ""
	}
	version, err := client.Version(ctx)
	if err != nil {
		return ""
	}
	return version
}

// checkPlaces looks at options that are in the file and in configuration, and at
// those that the provider sets.
func (m *jobModel) checkPlaces(document streampark.Document, diagnostics *diag.Diagnostics) {
	configuration := values.Known(m.Configuration)
	properties := document.Properties()
	for _, key := range slices.Sorted(maps.Keys(properties)) {
		for _, spelling := range streampark.Spellings(key) {
			if _, twice := configuration[spelling]; twice {
				diagnostics.Append(diags.AtAttribute(path.Root("configuration").AtMapKey(spelling), spelling+" is set twice",
					"The configuration file of StreamPark sets "+key+" too, and counts more. Remove one of them."))
			}
		}
		at := "flink.property." + key
		if _, extra := document.Extra[at]; !extra {
			continue
		}
		if advice, managed := jobkind.ManagedKey(key); managed && !streampark.Misplaced(key) {
			diagnostics.Append(diags.AtAttribute(path.Root(streampark.Extra).AtMapKey(at), "Option "+key+" cannot be set here", advice))
		}
	}
}

// diagnosticOf is at the attribute that a finding is about. Terraform shows
// where the resource is, and no path within an object, so that it is in the words.
func diagnosticOf(finding streampark.Finding) diag.Diagnostic {
	parts := strings.Split(finding.Attribute, ".")
	at := path.Root(parts[0])
	for _, part := range parts[1:] {
		at = at.AtName(part)
	}
	if finding.Key != "" {
		at = at.AtMapKey(finding.Key)
	}
	if finding.Index >= 0 {
		at = at.AtListIndex(finding.Index)
	}
	summary := finding.Summary
	if !strings.Contains(summary, finding.Attribute) {
		summary = finding.Attribute + ": " + summary
	}
	if finding.Severity == streampark.Refused {
		return diags.AtAttribute(at, summary, finding.Detail)
	}
	return diags.WarningAtAttribute(at, summary, finding.Detail)
}
