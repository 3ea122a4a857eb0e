// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink

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
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// JobType is the resource type of a job from a jar.
const JobType = "streaming_flink_job"

var (
	_ resource.ResourceWithConfigure   = (*jobResource)(nil)
	_ resource.ResourceWithModifyPlan  = (*jobResource)(nil)
	_ resource.ResourceWithImportState = (*jobResource)(nil)
	_ resource.ResourceWithIdentity    = (*jobResource)(nil)
)

type jobResource struct {
	base.Resource
}

// NewJobResource returns the resource of a job from a jar.
func NewJobResource() resource.Resource { return &jobResource{} }

// Metadata names the resource. Its identity changes with owner and name.
func (r *jobResource) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = JobType
	resp.ResourceBehavior = resource.ResourceBehavior{MutableIdentity: true}
}

// Schema describes the attributes.
func (r *jobResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = jobSchema()
}

// IdentitySchema describes what a job is imported by.
func (r *jobResource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{Attributes: map[string]identityschema.Attribute{
		"owner": identityschema.StringAttribute{OptionalForImport: true, Description: "The owner in the provider configuration; empty when none is set."},
		"name":  identityschema.StringAttribute{RequiredForImport: true, Description: "The name of the job."},
	}}
}

type jobIdentity struct {
	Owner types.String `tfsdk:"owner"`
	Name  types.String `tfsdk:"name"`
}

func (r *jobResource) identity(name types.String) jobIdentity {
	return jobIdentity{Owner: types.StringValue(r.Data.Owner), Name: name}
}

// Create starts the job, or goes on with one that an interrupted create began.
// With an error it keeps nothing: a state beside an error would be tainted and
// the job deleted by the next apply.
func (r *jobResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan jobModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	engine, diagnostics := r.engine(ctx, &resp.Diagnostics)
	resp.Diagnostics.Append(diagnostics...)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, plan.limit(ctx, func(t timeoutsModel) customtypes.Duration { return t.Create }, 10*time.Minute))
	defer cancel()

	spec, specDiagnostics := plan.spec(ctx, engine.Client)
	policy, policyDiagnostics := plan.policy(ctx)
	resp.Diagnostics.Append(specDiagnostics...)
	resp.Diagnostics.Append(policyDiagnostics...)
	if resp.Diagnostics.HasError() {
		return
	}
	rec, err := engine.Create(ctx, lifecycle.Create{
		UID:  lifecycle.UID(r.Data.Owner, engine.Client.Endpoint(), JobType, plan.Name.ValueString()),
		Spec: spec, Policy: policy, Want: lifecycle.State(plan.State.ValueString()),
		Restore: plan.RestoreFrom.ValueString(),
	})
	if err != nil {
		resp.Diagnostics.Append(jobError("create", plan.Name.ValueString(), err))
		return
	}
	plan.afterStart(ctx, spec)
	plan.setRecord(wanted(rec, &plan), engine.Client.Endpoint(), plan.change(ctx))
	resp.Diagnostics.Append(writePrivate(ctx, resp.Private, privateJob{}.withRecord(rec))...)
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
	if resp.Identity != nil {
		resp.Diagnostics.Append(resp.Identity.Set(ctx, r.identity(plan.Name))...)
	}
	r.releaseOldJar(ctx, engine, plan.Jar, plan.Jar, rec, &resp.Diagnostics)
}

// wanted keeps a job that finished within its own start from differing from
// the plan, which had to say running; the next refresh shows what it is.
func wanted(rec lifecycle.Record, plan *jobModel) lifecycle.Record {
	if !plan.State.IsUnknown() && !plan.State.IsNull() {
		rec.State = lifecycle.State(plan.State.ValueString())
	}
	return rec
}

// afterStart sets what was not known at plan.
func (m *jobModel) afterStart(ctx context.Context, spec lifecycle.Spec) {
	jar, _ := as[jarModel](ctx, m.Jar)
	if !jar.SHA256.IsUnknown() {
		return
	}
	jar.SHA256 = text(spec.Program.JarSHA256())
	m.Jar = jar.object()
}

// open reads what each call on a job in state begins with. The diagnostics have
// an error, or all of it is there.
func (r *jobResource) open(ctx context.Context, from tfsdk.State, beside privateReader, diagnostics *diag.Diagnostics) (state jobModel, private privateJob, engine *lifecycle.Engine) {
	diagnostics.Append(from.Get(ctx, &state)...)
	private, found := readPrivate(ctx, beside)
	diagnostics.Append(found...)
	engine, found = r.engine(ctx, diagnostics)
	diagnostics.Append(found...)
	return state, private, engine
}

// Read refreshes what the cluster shows. A job that is lost stays in state:
// where its last savepoint is, is the most valuable thing there.
func (r *jobResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	state, private, engine := r.open(ctx, req.State, req.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	moved, err := r.moved(ctx, engine, &state)
	if err != nil {
		resp.Diagnostics.Append(jobError("read", state.Name.ValueString(), err))
		return
	}
	private.Moved = moved
	if !moved || state.ClusterMoved.ValueBool() {
		rec, err := engine.Refresh(ctx, state.record(ctx, private), state.Name.ValueString(), state.OnFinished.ValueString() != "rerun")
		if err != nil {
			resp.Diagnostics.Append(jobError("read", state.Name.ValueString(), err))
			return
		}
		private = private.withRecord(rec)
		state.setRecord(rec, state.Cluster.ValueString(), state.change(ctx))
		if rec.AskedSince > 0 {
			state.Parallelism = types.Int64Value(rec.AskedSince)
		}
	}
	resp.Diagnostics.Append(writePrivate(ctx, resp.Private, private)...)
	resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
	if resp.Identity != nil {
		resp.Diagnostics.Append(resp.Identity.Set(ctx, r.identity(state.Name))...)
	}
}

// moved tells whether another cluster than the state's is configured, and does
// not know the job.
func (r *jobResource) moved(ctx context.Context, engine *lifecycle.Engine, state *jobModel) (bool, error) {
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
func (r *jobResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan jobModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	state, private, engine := r.open(ctx, req.State, req.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, plan.limit(ctx, func(t timeoutsModel) customtypes.Duration { return t.Update }, 20*time.Minute))
	defer cancel()

	state.markMoved(&plan, private)
	c := changeOf(ctx, &state, &plan, private)
	if c.parallelismAlone() && !plan.JobID.IsUnknown() {
		// The plan kept the job's id.
		c = c.inPlace(&state, &plan)
	}
	if deployment, _ := as[deploymentModel](ctx, plan.Deployment); deployment.Change.IsUnknown() {
		plan.setDeployment(deployment.Generation, types.StringValue(cmp.Or(c.text, state.change(ctx))))
	}
	reached := state
	reached.classNoneFrom(&plan)
	resp.Diagnostics.Append(resp.State.Set(ctx, &reached)...)
	if resp.Diagnostics.HasError() {
		return
	}
	rec := state.record(ctx, private)
	var err error
	if c.action != actionNone {
		rec, err = r.move(ctx, engine, &state, &plan, private, c, &resp.Diagnostics)
	}
	endpoint := engine.Client.Endpoint()
	if err != nil {
		reached.setRecord(rec, endpoint, state.change(ctx))
		resp.Diagnostics.Append(writePrivate(ctx, resp.Private, private.withRecord(rec))...)
		resp.Diagnostics.Append(resp.State.Set(ctx, &reached)...)
		resp.Diagnostics.Append(jobError("change", plan.Name.ValueString(), err))
		return
	}
	if resp.Diagnostics.HasError() {
		return
	}
	private.Imported, private.Moved = false, false
	if c.action != actionNone || plan.JobID.IsUnknown() {
		plan.setRecord(wanted(rec, &plan), endpoint, plan.change(ctx))
	}
	resp.Diagnostics.Append(writePrivate(ctx, resp.Private, private.withRecord(rec))...)
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
	if resp.Identity != nil {
		resp.Diagnostics.Append(resp.Identity.Set(ctx, r.identity(plan.Name))...)
	}
	if c.action != actionNone {
		r.releaseOldJar(ctx, engine, state.Jar, plan.Jar, rec, &resp.Diagnostics)
	}
}

// move does what the plan said to the job.
func (r *jobResource) move(ctx context.Context, engine *lifecycle.Engine, state, plan *jobModel, private privateJob, c change, diagnostics *diag.Diagnostics) (lifecycle.Record, error) {
	rec := state.record(ctx, private)
	spec, specDiagnostics := plan.spec(ctx, engine.Client)
	old, oldDiagnostics := state.spec(ctx, engine.Client)
	policy, policyDiagnostics := plan.policy(ctx)
	diagnostics.Append(specDiagnostics...)
	diagnostics.Append(oldDiagnostics...)
	diagnostics.Append(policyDiagnostics...)
	if diagnostics.HasError() {
		return rec, nil
	}
	if program, ok := old.Program.(*lifecycle.JarProgram); ok {
		// The file may have other content by now; the upload has the old one.
		program.Path = ""
	}
	u := lifecycle.Update{
		Old: old, OldName: state.Name.ValueString(), Spec: spec, Policy: policy,
		Want: lifecycle.State(plan.State.ValueString()), Restart: c.action != actionRescale && len(c.reasons) > 0, InPlace: c.action == actionRescale,
		Rerun: plan.OnFinished.ValueString() == "rerun",
	}
	if c.restore {
		u.Restore = plan.RestoreFrom.ValueString()
	}
	rec, err := engine.Update(ctx, rec, u)
	if err == nil {
		plan.afterStart(ctx, spec)
	}
	return rec, err
}

// classNoneFrom takes the attributes that do not touch the job.
func (m *jobModel) classNoneFrom(plan *jobModel) {
	m.Upgrade, m.OnDestroy, m.OnFinished = plan.Upgrade, plan.OnDestroy, plan.OnFinished
	m.AdoptExisting, m.ClusterMoved, m.Timeouts = plan.AdoptExisting, plan.ClusterMoved, plan.Timeouts
	m.RestoreFrom = plan.RestoreFrom
}

// releaseOldJar deletes the upload that the job has moved off, and those of
// interrupted applies, unless another job may need them.
func (r *jobResource) releaseOldJar(ctx context.Context, engine *lifecycle.Engine, before, now types.Object, rec lifecycle.Record, diagnostics *diag.Diagnostics) {
	old, _ := as[jarModel](ctx, before)
	jar, _ := as[jarModel](ctx, now)
	own := lifecycle.OwnJobs(rec.UID, rec.Generation)
	err := engine.ReleaseUploads(ctx, rec.UID, jar.SHA256.ValueString(), own)
	if !old.SHA256.IsNull() && !old.SHA256.Equal(jar.SHA256) {
		_, releaseErr := engine.ReleaseJar(ctx, old.SHA256.ValueString(), old.ID.IsNull(), own)
		err = errors.Join(err, releaseErr)
	}
	if err != nil {
		diagnostics.AddWarning("The earlier jar could not be deleted", "It is not needed any more and takes space on the JobManager: "+lifecycle.Reason(err)+".")
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
func (r *jobResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	state, private, engine := r.open(ctx, req.State, req.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
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
		resp.Diagnostics.Append(jobError("destroy", state.Name.ValueString(), withWayOut(err, onDestroy)))
		return
	}
	if savepoint != "" {
		resp.Diagnostics.AddWarning(fmt.Sprintf("The last savepoint of job %q", state.Name.ValueString()),
			"It is at "+savepoint+" and stays there. A new job goes on from it with restore_from.")
	}
	if onDestroy != lifecycle.OnDestroyDetach {
		r.Data.Savepoints.EndJob(rec)
	}
	jar, _ := as[jarModel](ctx, state.Jar)
	if onDestroy != lifecycle.OnDestroyDetach && jar.ID.IsNull() && !jar.SHA256.IsNull() {
		own := lifecycle.OwnJobs(rec.UID, rec.Generation+1)
		_, err := engine.ReleaseJar(ctx, jar.SHA256.ValueString(), true, own)
		if err = errors.Join(err, engine.ReleaseUploads(ctx, rec.UID, "", own)); err != nil {
			resp.Diagnostics.AddWarning("The job's jar could not be deleted", "It is not needed any more and takes space on the JobManager: "+lifecycle.Reason(err)+".")
		}
	}
}
