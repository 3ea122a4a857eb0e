// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package jobkind

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/flinkoptions"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/diags"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/values"
)

// flinkVersion is the configured cluster's, empty where it cannot be asked:
// then what holds for all versions counts.
func (p planner) flinkVersion(ctx context.Context) string {
	if !p.data.FlinkKnown() {
		return ""
	}
	client, diagnostics := p.data.Flink()
	if diagnostics.HasError() {
		return ""
	}
	version, err := client.Version(ctx)
	if err != nil {
		return ""
	}
	return version
}

// sameConfiguration tells whether two configurations mean the same to Flink.
func sameConfiguration(state, plan types.Map, version func() string) bool {
	if values.Same(state, plan) {
		return true
	}
	before, after := values.Known(state), values.Known(plan)
	if plan.IsUnknown() || len(after) != len(plan.Elements()) || len(after) != len(before) {
		return false
	}
	for key, value := range after {
		old, ok := before[key]
		if !ok || old != value && !flinkoptions.Same(version(), key, old, value) {
			return false
		}
	}
	return true
}

// checkConfiguration looks at the entries that are new or have changed: what
// has been applied is not refused any more, since an error at plan would also
// keep the job from being destroyed.
func checkConfiguration(state, plan types.Map, version func() string, diagnostics *diag.Diagnostics) {
	before, after := values.Known(state), values.Known(plan)
	for _, key := range slices.Sorted(maps.Keys(after)) {
		value := after[key]
		if old, ok := before[key]; ok && old == value {
			continue
		}
		at := path.Root("configuration").AtMapKey(key)
		if kind, ok := flinkoptions.TypeOf(version(), key); ok && !flinkoptions.Valid(version(), key, value) {
			diagnostics.Append(diags.AtAttribute(at, fmt.Sprintf("The value of %s is not a %s", key, kindNames[kind]),
				fmt.Sprintf("Flink cannot read %q. Write one whole number and one unit, such as %s.", value, kindExamples[kind])))
			continue
		}
		switch last, removed := flinkoptions.Removed(version(), key); {
		case removed:
			diagnostics.AddAttributeWarning(at, fmt.Sprintf("Flink %s has no option %s", version(), key),
				fmt.Sprintf("Flink %s had it. It has no effect now, unless the program itself reads it.", last))
		case flinkoptions.OfCluster(version(), key):
			diagnostics.AddAttributeWarning(at, key+" has no effect here",
				"Flink reads this option when its own processes start, and ignores it in the configuration of a job on a session cluster. Set it in the cluster's configuration.")
		}
	}
}

var (
	kindNames    = map[flinkoptions.Type]string{flinkoptions.Duration: "duration", flinkoptions.MemorySize: "size of memory"}
	kindExamples = map[flinkoptions.Type]string{
		flinkoptions.Duration:   `"10 s", "5 min" or "7 d" (units: d, h, min, s, ms, us, ns; a number alone counts milliseconds)`,
		flinkoptions.MemorySize: `"64 mb" or "1 gb" (units: b, kb, mb, gb, tb, each 1024 of the one before; a number alone counts bytes)`,
	}
)

// once asks for the version when it is first needed, and only then.
func (p planner) once(ctx context.Context) func() string {
	version, asked := "", false
	return func() string {
		if !asked {
			version, asked = p.flinkVersion(ctx), true
		}
		return version
	}
}
