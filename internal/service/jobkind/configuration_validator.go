// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package jobkind

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/diags"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// managedKeys are options that an attribute or the provider itself sets.
var managedKeys = map[string]string{
	"pipeline.name":                                   "Set name instead.",
	"pipeline.max-parallelism":                        "Set max_parallelism instead.",
	"execution.state-recovery.path":                   "Set restore_from instead: it is used for the first start alone, so that an upgrade goes on from its own savepoint.",
	"execution.savepoint.path":                        "Set restore_from instead: it is used for the first start alone, so that an upgrade goes on from its own savepoint.",
	"pipeline.jars":                                   "Flink overwrites it for a job that runs from an uploaded jar. Put the classes into the jar, or use pipeline.classpaths.",
	"execution.checkpointing.savepoint-dir":           "Flink ignores it for a single job. Set upgrade.savepoint_directory instead.",
	"state.savepoints.dir":                            "Flink ignores it for a single job. Set upgrade.savepoint_directory instead.",
	"execution.state-recovery.claim-mode":             "The provider always restores with NO_CLAIM, so that a savepoint stays whole for a rollback.",
	"execution.state-recovery.ignore-unclaimed-state": "Set upgrade.allow_non_restored_state instead.",
}

// ManagedKey tells whether an attribute, or the provider, sets an option, and
// what to do instead.
func ManagedKey(key string) (advice string, managed bool) {
	if strings.HasPrefix(key, "$internal") {
		return "Options that begin with $internal are Flink's own, and the provider sets the job id by itself.", true
	}
	advice, managed = managedKeys[key]
	return advice, managed
}

// configurationValidator refuses options that would not do what they say.
type configurationValidator struct{}

// Description says what is checked.
func (configurationValidator) Description(context.Context) string {
	return "no option that an attribute of the resource sets"
}

// MarkdownDescription says what is checked.
func (v configurationValidator) MarkdownDescription(ctx context.Context) string {
	return v.Description(ctx)
}

// ValidateMap checks known keys.
func (configurationValidator) ValidateMap(_ context.Context, req validator.MapRequest, resp *validator.MapResponse) {
	for key, value := range req.ConfigValue.Elements() {
		at := req.Path.AtMapKey(key)
		if advice, managed := ManagedKey(key); managed {
			resp.Diagnostics.Append(diags.AtAttribute(at, "Option "+key+" cannot be set here", advice))
		}
		text, ok := value.(types.String)
		if value.IsNull() {
			resp.Diagnostics.Append(diags.AtAttribute(at, "Option "+key+" is null", "Flink refuses a null value. Leave the key out, or give it a value."))
			continue
		}
		if ok && !text.IsUnknown() && key == "pipeline.global-job-parameters" {
			if _, err := lifecycle.MergeMarker(text.ValueString(), lifecycle.Marker{}); err != nil {
				resp.Diagnostics.Append(diags.AtAttribute(at, "Not a map of parameters", err.Error()+"."))
			}
		}
	}
}
