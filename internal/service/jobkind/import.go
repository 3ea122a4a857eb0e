// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package jobkind

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

var flinkID = regexp.MustCompile(`^[0-9a-fA-F]{32}$`)

const namePrefix = "name:"

// ImportState finds a job by its Flink id, by name:<job name>, or by identity.
// What Flink cannot tell stays null and is taken over from the configuration.
func (r *Resource[M, P]) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	id := req.ID
	if id == "" && req.Identity != nil {
		var identity identityModel
		resp.Diagnostics.Append(req.Identity.Get(ctx, &identity)...)
		if owner := identity.Owner.ValueString(); owner != "" && r.Data != nil && owner != r.Data.Owner {
			resp.Diagnostics.AddError("Cannot import a job of another owner",
				fmt.Sprintf("The identity says owner %q, the provider configuration %q.", owner, r.Data.Owner))
		}
		id = namePrefix + identity.Name.ValueString()
	}
	engine, diagnostics := Engine(r.Data, &resp.Diagnostics)
	resp.Diagnostics.Append(diagnostics...)
	if resp.Diagnostics.HasError() {
		return
	}
	jobID, err := resolveImport(ctx, engine, id)
	if err != nil {
		resp.Diagnostics.AddError("Cannot import "+id, err.Error())
		return
	}
	rec, marker, err := engine.Import(ctx, jobID, func(name string) string {
		return lifecycle.UID(r.Data.Owner, engine.Client.Endpoint(), r.Kind.Type, name)
	})
	if err != nil {
		resp.Diagnostics.Append(r.Kind.Failure("import", id, err))
		return
	}
	own := new(M)
	P(own).Clear()
	model := P(own).Shared()
	*model = *emptyModel()
	model.Name = types.StringValue(rec.JobName)
	model.setRecord(rec, engine.Client.Endpoint(), "imported")
	if err := r.readMarker(ctx, engine, own, rec, marker); err != nil {
		resp.Diagnostics.Append(r.Kind.Failure("import", id, err))
		return
	}
	resp.Diagnostics.Append(writePrivate(ctx, resp.Private, privateJob{Imported: true}.withRecord(rec))...)
	resp.Diagnostics.Append(resp.State.Set(ctx, own)...)
	if len(r.Kind.missing(ctx, resp.State)) > 0 {
		// A configuration that is generated of this state is valid without.
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("adopt_existing"), true)...)
	}
	if resp.Identity != nil {
		resp.Diagnostics.Append(resp.Identity.Set(ctx, r.identity(model.Name))...)
	}
}

// jarTaker is a model with a jar.
type jarTaker interface{ SetJar(id, sha256 string) }

// readMarker takes what a job says of itself that this provider started.
func (r *Resource[M, P]) readMarker(ctx context.Context, engine *lifecycle.Engine, own P, rec lifecycle.Record, marker lifecycle.Marker) error {
	model := own.Shared()
	// A job on the adaptive scheduler may have another one by now.
	if parallelism, err := strconv.ParseInt(marker.Parallelism, 10, 64); err == nil && len(rec.Asked) == 0 {
		model.Parallelism = types.Int64Value(parallelism)
	}
	taker, hasJar := any(own).(jarTaker)
	hasJar = hasJar && marker.Jar != ""
	if !hasJar && marker.Bundle == "" {
		return nil
	}
	jars, err := engine.Client.Jars(ctx)
	if err != nil {
		return err
	}
	if jar := lifecycle.FindJar(jars, marker.Jar); hasJar && jar != nil {
		taker.SetJar(jar.ID, marker.Jar)
	}
	if bundle := lifecycle.FindJar(jars, marker.Bundle); marker.Bundle != "" && bundle != nil {
		model.Bundle = types.ObjectValueMust(bundleTypes, map[string]attr.Value{"id": types.StringValue(bundle.ID), "sha256": types.StringValue(marker.Bundle)})
	}
	return nil
}

func resolveImport(ctx context.Context, engine *lifecycle.Engine, id string) (string, error) {
	if name, ok := strings.CutPrefix(id, namePrefix); ok && name != "" {
		job, err := engine.FindByName(ctx, name)
		if err != nil {
			return "", err
		}
		if job == nil {
			return "", fmt.Errorf("no job named %q runs on %s", name, engine.Client.Endpoint())
		}
		return job.ID, nil
	}
	if !flinkID.MatchString(id) {
		return "", fmt.Errorf("%q is neither a Flink job id (32 hex digits) nor name:<job name>", id)
	}
	return strings.ToLower(id), nil
}

// emptyModel is a state in which nothing is known.
func emptyModel() *Model {
	return &Model{
		Configuration: types.MapNull(types.StringType),
		Bundle:        types.ObjectNull(bundleTypes), Python: types.ObjectNull(pythonTypes),
		Upgrade: types.ObjectNull(upgradeTypes), Timeouts: types.ObjectNull(timeoutsTypes), Deployment: types.ObjectNull(deploymentTypes),
	}
}
