// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package jobkind

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/base"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/customtypes"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/values"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// Resource is a kind of job as a resource: M is its model.
type Resource[M any, P Own[M]] struct {
	base.Resource

	Kind Kind
}

// Metadata names the resource. Its identity changes with owner and name.
func (r *Resource[M, P]) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = r.Kind.Type
	resp.ResourceBehavior = resource.ResourceBehavior{MutableIdentity: true}
}

// Schema describes the attributes.
func (r *Resource[M, P]) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = r.Kind.Schema()
}

// IdentitySchema describes what a job is imported by.
func (r *Resource[M, P]) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{Attributes: map[string]identityschema.Attribute{
		"owner": identityschema.StringAttribute{OptionalForImport: true, Description: "The owner in the provider configuration; empty when none is set."},
		"name":  identityschema.StringAttribute{RequiredForImport: true, Description: "The name of the job."},
	}}
}

type identityModel struct {
	Owner types.String `tfsdk:"owner"`
	Name  types.String `tfsdk:"name"`
}

func (r *Resource[M, P]) identity(name types.String) identityModel {
	return identityModel{Owner: types.StringValue(r.Data.Owner), Name: name}
}

// Create starts the job, or goes on with one that an interrupted create began.
// With an error it keeps nothing: a state beside an error would be tainted and
// the job deleted by the next apply.
func (r *Resource[M, P]) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	own := P(new(M))
	resp.Diagnostics.Append(req.Plan.Get(ctx, own)...)
	resp.Diagnostics.Append(reveal[M](ctx, req.Config, own)...)
	engine, diagnostics := Engine(r.Data, &resp.Diagnostics)
	resp.Diagnostics.Append(diagnostics...)
	if resp.Diagnostics.HasError() {
		return
	}
	configured[M](ctx, own)
	plan := own.Shared()
	ctx, cancel := context.WithTimeout(ctx, plan.limit(ctx, func(t timeoutsModel) customtypes.Duration { return t.Create }, 10*time.Minute))
	defer cancel()

	spec, specDiagnostics := Spec(ctx, own, r.Data)
	policy, policyDiagnostics := plan.policy(ctx)
	resp.Diagnostics.Append(specDiagnostics...)
	resp.Diagnostics.Append(policyDiagnostics...)
	if resp.Diagnostics.HasError() {
		return
	}
	defer closeProgram(ctx, spec.Program)
	rec, err := engine.Create(ctx, lifecycle.Create{
		UID:  lifecycle.UID(r.Data.Owner, engine.Client.Endpoint(), r.Kind.Type, plan.Name.ValueString()),
		Spec: spec, Policy: policy, Want: lifecycle.State(plan.State.ValueString()),
		Restore: plan.RestoreFrom.ValueString(),
	})
	if err != nil {
		resp.Diagnostics.Append(r.Kind.Failure("create", plan.Name.ValueString(), err))
		return
	}
	own.AfterStart(ctx, spec.Program)
	plan.setRecord(wanted(rec, plan), engine.Client.Endpoint(), plan.change(ctx))
	resp.Diagnostics.Append(writePrivate(ctx, resp.Private, privateJob{}.withRecord(rec))...)
	resp.Diagnostics.Append(resp.State.Set(ctx, own)...)
	if resp.Identity != nil {
		resp.Diagnostics.Append(resp.Identity.Set(ctx, r.identity(plan.Name))...)
	}
	r.releaseOld(ctx, engine, own, own, rec, &resp.Diagnostics)
}

// wanted keeps a job that finished within its own start from differing from
// the plan, which had to say running; the next refresh shows what it is.
func wanted(rec lifecycle.Record, plan *Model) lifecycle.Record {
	if !plan.State.IsUnknown() && !plan.State.IsNull() {
		rec.State = lifecycle.State(plan.State.ValueString())
	}
	return rec
}

// Spec is what a job is to be.
func Spec[M any, P Own[M]](ctx context.Context, own P, data *base.ProviderData) (lifecycle.Spec, diag.Diagnostics) {
	spec, diagnostics := own.Shared().spec(ctx)
	program, found := own.Program(ctx, data)
	diagnostics.Append(found...)
	spec.Program = program
	if _, ok := any(own).(MaxParallelismKeeper); ok {
		spec.MaxParallelism = 0
	}
	return spec, diagnostics
}

// MaxParallelismKeeper is a model whose program is told the maximum parallelism
// by its own arguments, so that the cluster need not take it with the job.
type MaxParallelismKeeper interface{ KeepsMaxParallelism() }

// BundleKeeper is a model whose program is told of the bundle by its own
// arguments, so that the cluster need not take it with the job. Its program is a
// lifecycle.BundleKeeper.
type BundleKeeper interface{ KeepsBundle() }

// open reads what each call on a job in state begins with. The diagnostics have
// an error, or all of it is there.
func (r *Resource[M, P]) open(ctx context.Context, from tfsdk.State, beside privateReader, diagnostics *diag.Diagnostics) (own P, private privateJob, engine *lifecycle.Engine) {
	own = new(M)
	diagnostics.Append(from.Get(ctx, own)...)
	configured[M](ctx, own)
	private, found := readPrivate(ctx, beside)
	diagnostics.Append(found...)
	engine, found = Engine(r.Data, diagnostics)
	diagnostics.Append(found...)
	return own, private, engine
}

// Read refreshes what the cluster shows. A job that is lost stays in state:
// where its last savepoint is, is the most valuable thing there.
func (r *Resource[M, P]) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	own, private, engine := r.open(ctx, req.State, req.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	state := own.Shared()
	moved, err := moved(ctx, engine, state)
	if err != nil {
		resp.Diagnostics.Append(r.Kind.Failure("read", state.Name.ValueString(), err))
		return
	}
	private.Moved = moved
	if !moved || state.ClusterMoved.ValueBool() {
		rec, err := engine.Refresh(ctx, state.record(ctx, private), state.Name.ValueString(), state.OnFinished.ValueString() != "rerun")
		if err != nil {
			resp.Diagnostics.Append(r.Kind.Failure("read", state.Name.ValueString(), err))
			return
		}
		private = private.withRecord(rec)
		state.setRecord(rec, state.Cluster.ValueString(), state.change(ctx))
		if rec.AskedSince > 0 {
			state.Parallelism = types.Int64Value(rec.AskedSince)
		}
	}
	resp.Diagnostics.Append(writePrivate(ctx, resp.Private, private)...)
	resp.Diagnostics.Append(resp.State.Set(ctx, own)...)
	if resp.Identity != nil {
		resp.Diagnostics.Append(resp.Identity.Set(ctx, r.identity(state.Name))...)
	}
}

// moved tells whether another cluster than the state's is configured, and does
// not know the job.
func moved(ctx context.Context, engine *lifecycle.Engine, state *Model) (bool, error) {
	endpoint := engine.Client.Endpoint()
	if state.Cluster.IsNull() || state.Cluster.ValueString() == endpoint || state.JobID.IsNull() {
		return false, nil
	}
	known, err := engine.Known(ctx, state.JobID.ValueString())
	if err != nil {
		return false, err
	}
	if known {
		// The same cluster under another address.
		state.Cluster = types.StringValue(endpoint)
	}
	return !known, nil
}

// Update stores what needs no job first, then moves the job. On an error the
// state holds what was reached, with the old values of what did not get there.
func (r *Resource[M, P]) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	next := P(new(M))
	resp.Diagnostics.Append(req.Plan.Get(ctx, next)...)
	before, private, engine := r.open(ctx, req.State, req.Private, &resp.Diagnostics)
	resp.Diagnostics.Append(reveal[M](ctx, req.Config, before, next)...)
	if resp.Diagnostics.HasError() {
		return
	}
	configured[M](ctx, next)
	plan, state := next.Shared(), before.Shared()
	ctx, cancel := context.WithTimeout(ctx, plan.limit(ctx, func(t timeoutsModel) customtypes.Duration { return t.Update }, 20*time.Minute))
	defer cancel()

	state.markMoved(plan, private)
	c := changeOf(ctx, state, plan, private, ownDifferences(ctx, before, next))
	if c.parallelismAlone() && !plan.JobID.IsUnknown() {
		// The plan kept the job's id.
		c = c.inPlace(state, plan)
	}
	if deployment, _ := values.As[deploymentModel](ctx, plan.Deployment); deployment.Change.IsUnknown() {
		plan.setDeployment(deployment.Generation, types.StringValue(cmp.Or(c.text, state.change(ctx))))
	}
	reached := P(new(M))
	*reached = *before
	reached.Shared().classNoneFrom(plan)
	resp.Diagnostics.Append(resp.State.Set(ctx, reached)...)
	if resp.Diagnostics.HasError() {
		return
	}
	rec := state.record(ctx, private)
	var err error
	if c.action != actionNone {
		rec, err = r.move(ctx, engine, before, next, private, c, &resp.Diagnostics)
	}
	endpoint := engine.Client.Endpoint()
	if err != nil {
		reached.Shared().setRecord(rec, endpoint, state.change(ctx))
		resp.Diagnostics.Append(writePrivate(ctx, resp.Private, private.withRecord(rec))...)
		resp.Diagnostics.Append(resp.State.Set(ctx, reached)...)
		resp.Diagnostics.Append(r.Kind.Failure("change", plan.Name.ValueString(), err))
		return
	}
	if resp.Diagnostics.HasError() {
		return
	}
	// What is still not known is taken over when it is configured.
	private.Imported, private.Moved = private.Imported && len(r.Kind.missing(ctx, req.Plan)) > 0, false
	if !private.Imported {
		private.Kind = ""
	}
	if c.action != actionNone || plan.JobID.IsUnknown() {
		plan.setRecord(wanted(rec, plan), endpoint, plan.change(ctx))
	}
	resp.Diagnostics.Append(writePrivate(ctx, resp.Private, private.withRecord(rec))...)
	resp.Diagnostics.Append(resp.State.Set(ctx, next)...)
	if resp.Identity != nil {
		resp.Diagnostics.Append(resp.Identity.Set(ctx, r.identity(plan.Name))...)
	}
	if c.action != actionNone {
		r.releaseOld(ctx, engine, before, next, rec, &resp.Diagnostics)
	}
}

// move does what the plan said to the job.
func (r *Resource[M, P]) move(ctx context.Context, engine *lifecycle.Engine, before, next P, private privateJob, c change, diagnostics *diag.Diagnostics) (lifecycle.Record, error) {
	state, plan := before.Shared(), next.Shared()
	rec := state.record(ctx, private)
	spec, specDiagnostics := Spec(ctx, next, r.Data)
	old, oldDiagnostics := Spec(ctx, before, r.Data)
	policy, policyDiagnostics := plan.policy(ctx)
	diagnostics.Append(specDiagnostics...)
	diagnostics.Append(oldDiagnostics...)
	diagnostics.Append(policyDiagnostics...)
	if diagnostics.HasError() {
		return rec, nil
	}
	if program, ok := old.Program.(interface{ ForgetFile() }); ok {
		// The file may have other content by now; the upload has the old one.
		program.ForgetFile()
	}
	u := lifecycle.Update{
		Old: old, OldName: state.Name.ValueString(), Spec: spec, Policy: policy,
		Want: lifecycle.State(plan.State.ValueString()), Restart: c.action != actionRescale && len(c.reasons) > 0, InPlace: c.action == actionRescale,
		Rerun: plan.OnFinished.ValueString() == "rerun",
	}
	if c.restore {
		u.Restore = plan.RestoreFrom.ValueString()
	}
	defer closeProgram(ctx, spec.Program)
	defer closeProgram(ctx, old.Program)
	rec, err := engine.Update(ctx, rec, u)
	if err == nil {
		next.AfterStart(ctx, spec.Program)
	}
	return rec, err
}

// closeProgram ends what a program keeps open while it is started.
func closeProgram(ctx context.Context, program lifecycle.Program) {
	if open, ok := program.(interface{ Close(context.Context) error }); ok {
		// Nothing depends on it: what is left open ends by itself.
		_ = open.Close(ctx)
	}
}

// classNoneFrom takes the attributes that do not touch the job.
func (m *Model) classNoneFrom(plan *Model) {
	m.Upgrade, m.OnDestroy, m.OnFinished = plan.Upgrade, plan.OnDestroy, plan.OnFinished
	m.AdoptExisting, m.ClusterMoved, m.Timeouts = plan.AdoptExisting, plan.ClusterMoved, plan.Timeouts
	m.RestoreFrom = plan.RestoreFrom
}

// releaseOld deletes the uploads that the job has moved off, and those of
// interrupted applies, unless another job may need them.
func (r *Resource[M, P]) releaseOld(ctx context.Context, engine *lifecycle.Engine, before, next P, rec lifecycle.Record, diagnostics *diag.Diagnostics) {
	old, now := before.Upload(ctx), next.Upload(ctx)
	own := lifecycle.OwnJobs(rec.UID, rec.Generation)
	err := engine.ReleaseUploads(ctx, rec.UID, now.SHA256, own)
	if old.SHA256 != "" && old.SHA256 != now.SHA256 {
		_, releaseErr := engine.ReleaseJar(ctx, old.SHA256, old.OfJob, own)
		err = errors.Join(err, releaseErr)
	}
	if bundle := before.Shared().bundle(ctx).SHA256; bundle != "" && bundle != next.Shared().bundle(ctx).SHA256 {
		_, releaseErr := engine.ReleaseBundle(ctx, bundle, own)
		err = errors.Join(err, releaseErr)
	}
	if err != nil {
		diagnostics.AddWarning("The earlier upload could not be deleted", "It is not needed any more and takes space on the JobManager: "+lifecycle.Reason(err)+".")
	}
}

// withWayOut adds to a savepoint that cannot be taken how to do without it.
func withWayOut(err error, onDestroy string) error {
	problem, ok := errors.AsType[*lifecycle.Error](err)
	if !ok || onDestroy != lifecycle.OnDestroySavepoint || problem.Problem != lifecycle.ProblemSavepointDirectory {
		return err
	}
	more := *problem
	more.Advice += " To give up what the job counted since its last checkpoint, apply on_destroy = \"cancel\" and destroy again."
	return &more
}

// Delete ends the job as on_destroy in state says.
func (r *Resource[M, P]) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	own, private, engine := r.open(ctx, req.State, req.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	state := own.Shared()
	ctx, cancel := context.WithTimeout(ctx, state.limit(ctx, func(t timeoutsModel) customtypes.Duration { return t.Delete }, 10*time.Minute))
	defer cancel()

	policy, policyDiagnostics := state.policy(ctx)
	resp.Diagnostics.Append(policyDiagnostics...)
	onDestroy := state.OnDestroy.ValueString()
	if onDestroy == "" {
		onDestroy = lifecycle.OnDestroySavepoint
	}
	rec := state.record(ctx, private)
	savepoint, err := engine.Destroy(ctx, rec, state.Name.ValueString(), onDestroy, policy)
	if err != nil {
		resp.Diagnostics.Append(r.Kind.Failure("destroy", state.Name.ValueString(), withWayOut(err, onDestroy)))
		return
	}
	if savepoint != "" {
		resp.Diagnostics.AddWarning(fmt.Sprintf("The last savepoint of job %q", state.Name.ValueString()),
			"It is at "+savepoint+" and stays there. A new job goes on from it with restore_from.")
	}
	if onDestroy != lifecycle.OnDestroyDetach {
		r.Data.Savepoints.EndJob(rec)
	}
	upload := own.Upload(ctx)
	if onDestroy != lifecycle.OnDestroyDetach && upload.OfJob && upload.SHA256 != "" {
		jobs := lifecycle.OwnJobs(rec.UID, rec.Generation+1)
		_, err := engine.ReleaseJar(ctx, upload.SHA256, true, jobs)
		if err = errors.Join(err, engine.ReleaseUploads(ctx, rec.UID, "", jobs)); err != nil {
			resp.Diagnostics.AddWarning("The job's jar could not be deleted", "It is not needed any more and takes space on the JobManager: "+lifecycle.Reason(err)+".")
		}
	}
}
