// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package jobkind

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// fromJar are the kinds whose jobs Flink runs from a jar: one and the same job
// can be each of them.
var fromJar = []string{
	"streaming_flink_job", "streaming_flink_python_job", "streaming_groot_job", "streaming_streampark_job", "streaming_dagger_job",
}

// ofProviderAddress ends the address of this provider, wherever it came from.
const ofProviderAddress = "/streaming"

// MoveState takes a job over from another kind, for a moved block. The job goes
// on; what only the new kind knows is taken from the configuration.
func (r *Resource[M, P]) MoveState(context.Context) []resource.StateMover {
	attributes := Attributes()
	attributes["jar"] = JarAttribute()
	return []resource.StateMover{
		{SourceSchema: &schema.Schema{Attributes: attributes}, StateMover: r.takeMoved},
		{StateMover: r.refuse},
	}
}

// moves tells whether a job of a type can become one of this kind.
func (r *Resource[M, P]) moves(from, provider string) bool {
	return strings.HasSuffix(provider, ofProviderAddress) && slices.Contains(fromJar, from) && slices.Contains(fromJar, r.Kind.Type)
}

// takeMoved takes what all kinds have. Their own attributes say the same in other
// words, which cannot be compared.
func (r *Resource[M, P]) takeMoved(ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) {
	if !r.moves(req.SourceTypeName, req.SourceProviderAddress) || req.SourceState == nil {
		return
	}
	private, diagnostics := readPrivate(ctx, req.SourcePrivate)
	resp.Diagnostics.Append(diagnostics...)
	private.Imported, private.Kind = true, req.SourceTypeName
	resp.Diagnostics.Append(writePrivate(ctx, resp.TargetPrivate, private)...)
	resp.Diagnostics.Append(takeShared(req.SourceState, &resp.TargetState)...)
	if resp.Diagnostics.HasError() || req.SourceIdentity == nil || resp.TargetIdentity == nil {
		return
	}
	// All kinds are known by the same.
	identity, err := req.SourceIdentity.Unmarshal(resp.TargetIdentity.Raw.Type())
	if err != nil {
		resp.Diagnostics.AddError("The identity of the job cannot be read", err.Error())
		return
	}
	resp.TargetIdentity.Raw = identity
}

// takeShared writes the attributes that both states have.
func takeShared(from, to *tfsdk.State) diag.Diagnostics {
	var shared, all map[string]tftypes.Value
	of, ok := to.Raw.Type().(tftypes.Object)
	if err := from.Raw.As(&shared); err != nil || !ok {
		return diag.Diagnostics{diag.NewErrorDiagnostic("The state of the moved job cannot be read", fmt.Sprint(err))}
	}
	all = make(map[string]tftypes.Value, len(of.AttributeTypes))
	for name, kind := range of.AttributeTypes {
		all[name] = tftypes.NewValue(kind, nil)
		if value, there := shared[name]; there {
			all[name] = value
		}
	}
	to.Raw = tftypes.NewValue(of, all)
	return nil
}

// refuse says why something else cannot become a job of this kind.
func (r *Resource[M, P]) refuse(_ context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) {
	why := "Only a job of this provider can become one: " + strings.Join(fromJar, ", ") + " run from a jar, so that the job can stay the same."
	if strings.HasSuffix(req.SourceProviderAddress, ofProviderAddress) && strings.HasPrefix(req.SourceTypeName, "streaming_") && r.Kind.Gateway != (req.SourceTypeName == "streaming_flink_sql_job") {
		why = "A job from a jar and one in SQL are submitted in other ways, so that it cannot stay the same job."
	}
	resp.Diagnostics.AddError("A "+req.SourceTypeName+" cannot be moved to a "+r.Kind.Type,
		why+" Nothing was changed. To hand a running job over all the same: give it up there with a removed block (destroy = false), and import it here.")
}
