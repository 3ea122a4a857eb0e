// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package jobkind

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// NeededDescription ends the description of an attribute that is a need.
const NeededDescription = " Needed, unless the job was imported: Flink cannot tell it, and with `adopt_existing = true` an imported job goes on without it until something starts it."

// Need is what a job cannot be started without: one of these attributes. They
// are not required in the schema, since a configuration that Terraform
// generates of an imported job lacks what Flink cannot tell.
type Need []string

// String names the attributes.
func (n Need) String() string { return strings.Join(n, " or ") }

// attributed is a configuration, a plan or a state.
type attributed interface {
	GetAttribute(ctx context.Context, at path.Path, target any) diag.Diagnostics
}

// isNull tells whether an attribute is known not to be set.
func isNull(ctx context.Context, in attributed, attribute string) bool {
	var value attr.Value
	return !in.GetAttribute(ctx, path.Root(attribute), &value).HasError() && value != nil && value.IsNull()
}

// missing are the needs of which nothing is set.
func (k Kind) missing(ctx context.Context, in attributed) []Need {
	return slices.DeleteFunc(slices.Clone(k.Needs), func(need Need) bool {
		return slices.ContainsFunc(need, func(attribute string) bool { return !isNull(ctx, in, attribute) })
	})
}

// ofProvider are attributes that no job is started with.
var ofProvider = []string{
	"restart_trigger", "restore_from", "restore_trigger", "upgrade", "on_destroy", "on_finished", "adopt_existing", "cluster_moved", "timeouts",
}

// untold are the attributes that Flink did not tell.
func (k Kind) untold(ctx context.Context, state tfsdk.State) []string {
	var untold []string
	attributes := k.Schema().Attributes
	for _, name := range slices.Sorted(maps.Keys(attributes)) {
		settable := attributes[name].IsRequired() || attributes[name].IsOptional()
		if settable && !attributes[name].IsWriteOnly() && !slices.Contains(ofProvider, name) && !slices.Contains(k.Beside, name) && isNull(ctx, state, name) {
			untold = append(untold, name)
		}
	}
	return untold
}

// needed misses what a start needs; adopted tells of a configuration that may
// lack it, since its job runs already.
func (k Kind) needed(ctx context.Context, config tfsdk.Config, diagnostics *diag.Diagnostics) (adopted bool) {
	var adopt types.Bool
	diagnostics.Append(config.GetAttribute(ctx, path.Root("adopt_existing"), &adopt)...)
	missing := k.missing(ctx, config)
	if adopt.ValueBool() || adopt.IsUnknown() {
		return len(missing) > 0
	}
	for _, need := range missing {
		diagnostics.AddAttributeError(path.Root(need[0]), need.String()+" is missing",
			fmt.Sprintf("No job can be started without it. Set %s. An imported job whose program nobody knows any more goes on without it, with adopt_existing = true.", need))
	}
	return false
}

// keepComputed takes from the state what the kind itself computes of a program,
// which is not known where the program is not.
func (k Kind) keepComputed(ctx context.Context, state tfsdk.State, plan *tfsdk.Plan) diag.Diagnostics {
	var diagnostics diag.Diagnostics
	own := k.Schema().Attributes
	for name := range Attributes() {
		delete(own, name)
	}
	for name, attribute := range own {
		var now, before attr.Value
		if attribute.IsOptional() || plan.GetAttribute(ctx, path.Root(name), &now).HasError() || now == nil || !now.IsUnknown() {
			continue
		}
		diagnostics.Append(state.GetAttribute(ctx, path.Root(name), &before)...)
		diagnostics.Append(plan.SetAttribute(ctx, path.Root(name), before)...)
	}
	return diagnostics
}

// told says how much of an imported job's configuration is known.
type told struct {
	missing []Need
	untold  []string
}

// needAll misses what a job to be created lacks.
func (t told) needAll(diagnostics *diag.Diagnostics) {
	for _, need := range t.missing {
		diagnostics.AddAttributeError(path.Root(need[0]), need.String()+" is missing",
			fmt.Sprintf("Only an imported job can do without it. Set %s, or import the job that runs.", need))
	}
}

// check refuses to start what is not known.
func (t told) check(c change, diagnostics *diag.Diagnostics) {
	if c.action != actionStart && c.action != actionRestart {
		return
	}
	for _, need := range t.missing {
		diagnostics.AddAttributeError(path.Root(need[0]), need.String()+" is missing",
			fmt.Sprintf("This plan would do: %s. Flink cannot tell what the imported job runs, and the configuration does not say it either. Set %s: it is taken over without a restart, if nothing else changes.", c.text, need))
	}
}

// warn says what a take-over takes.
func (t told) warn(jobID, movedFrom string, c change, diagnostics *diag.Diagnostics) {
	detail, cannot := "Flink cannot tell what job "+jobID+" was started with.", "read"
	if movedFrom != "" {
		detail, cannot = "Job "+jobID+" was started as a "+movedFrom+".", "compared"
	}
	if c.action == actionNone {
		detail += " This apply takes what is configured for it, without a restart; from then on a change restarts it."
	} else {
		detail += " What is known of it differs from the configuration: " + c.text + "."
	}
	if len(t.untold) > 0 {
		detail += "\n\nThese attributes cannot be " + cannot + ", and are taken as they are configured: " + strings.Join(t.untold, ", ") + "."
	}
	if len(t.missing) > 0 {
		names := make([]string, 0, len(t.missing))
		for _, need := range t.missing {
			names = append(names, need.String())
		}
		detail += "\n\nThe configuration lacks " + strings.Join(names, ", ") + ", without which the job cannot be started again. It goes on as it is. What is set for them later is taken over without a restart too."
	}
	diagnostics.AddWarning("The configuration is taken over", detail)
}
