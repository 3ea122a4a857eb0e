// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package faults

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/rpc"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// protocol is a driver that makes the calls that Terraform makes, with the
// same values, and keeps of the answers what Terraform keeps. A test runs the
// same cells with Terraform's own program and compares.
type protocol struct {
	// kind is the resource's type.
	kind     string
	schema   *tfprotov6.GetProviderSchemaResponse
	settings Settings
	// shared serves all providers that are not killed.
	shared providers
	// doomed is the process of the next apply, if it is to be killed.
	doomed *process
	// survives keeps what Terraform writes when only the provider's process
	// was killed; else nothing is written, as when the machine went down.
	survives bool

	state *stored
}

// stored is a resource in a state.
type stored struct {
	value             tftypes.Value
	private, identity []byte
	tainted           bool
}

// newProtocol returns a driver for the provider's own block of settings.
func newProtocol(ctx context.Context, shared providers, kind string, settings map[string]any, quick bool) (*protocol, error) {
	server, err := newServer(quick)
	if err != nil {
		return nil, err
	}
	schema, err := server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return nil, err
	}
	value, err := encode(schema.Provider.ValueType(), settings)
	if err != nil {
		return nil, err
	}
	config, err := pack(value)
	if err != nil {
		return nil, err
	}
	return &protocol{kind: kind, schema: schema, settings: Settings{Config: config, Quick: quick}, shared: shared}, nil
}

func pack(value tftypes.Value) ([]byte, error) {
	dynamic, err := tfprotov6.NewDynamicValue(value.Type(), value)
	if err != nil {
		return nil, err
	}
	return dynamic.MsgPack, nil
}

func (p *protocol) resource() *tfprotov6.Schema { return p.schema.ResourceSchemas[p.kind] }

func (p *protocol) unpack(content []byte) (tftypes.Value, error) {
	return (&tfprotov6.DynamicValue{MsgPack: content}).Unmarshal(p.resource().ValueType())
}

func (p *protocol) null() tftypes.Value { return tftypes.NewValue(p.resource().ValueType(), nil) }

// run is one run of Terraform.
type run struct {
	*protocol
	at     providers
	number int
	config tftypes.Value
	// prior is the refreshed state, null for none.
	prior             tftypes.Value
	private, identity []byte
	diagnostics       []Diagnostic
	acted             bool
}

// begin configures a provider for one run.
func (p *protocol) begin(config job) (*run, error) {
	r := &run{protocol: p, at: p.shared, config: p.null(), prior: p.null()}
	if p.doomed != nil {
		r.at = p.doomed
	}
	if err := r.at.Configure(p.settings, &r.number); err != nil {
		return nil, err
	}
	var err error
	if config != nil {
		r.config, err = encode(p.resource().ValueType(), config)
	}
	return r, err
}

func (r *run) end() {
	var none int
	_ = r.at.Close(r.number, &none)
	if r.doomed != nil {
		r.doomed.stop()
		r.doomed = nil
	}
}

// call makes a call and unpacks the answer's state.
func (r *run) call(method func(Call, *Reply) error, call Call) (Reply, tftypes.Value, error) {
	call.Server, call.Type, call.Limit = r.number, r.kind, applyLimit(r.settings.Quick)
	var reply Reply
	if err := method(call, &reply); err != nil {
		if errors.Is(err, rpc.ErrShutdown) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
			err = errDied
		}
		return reply, r.null(), err
	}
	r.diagnostics = append(r.diagnostics, reply.Diagnostics...)
	if reply.State == nil {
		return reply, r.null(), nil
	}
	state, err := r.unpack(reply.State)
	return reply, state, err
}

func (r *run) read() error {
	if r.state == nil {
		return nil
	}
	call := Call{Private: r.state.private, Identity: r.state.identity}
	content, err := pack(r.state.value)
	if err != nil {
		return err
	}
	call.Prior = content
	reply, state, err := r.call(r.at.Read, call)
	if err != nil {
		return err
	}
	r.prior, r.private, r.identity = state, reply.Private, reply.Identity
	return nil
}

// plan plans from the refreshed state.
func (r *run) plan() (Reply, tftypes.Value, error) {
	proposed := r.config
	if !r.config.IsNull() {
		var err error
		if proposed, err = propose(r.resource().Block, r.prior, r.config); err != nil {
			return Reply{}, proposed, err
		}
	}
	call := Call{Private: r.private, Identity: r.identity}
	var err error
	if call.Prior, err = pack(r.prior); err != nil {
		return Reply{}, proposed, err
	}
	if call.Config, err = pack(r.config); err != nil {
		return Reply{}, proposed, err
	}
	if call.Proposed, err = pack(proposed); err != nil {
		return Reply{}, proposed, err
	}
	return r.call(r.at.Plan, call)
}

func failed(all []Diagnostic) bool {
	return outcome{diagnostics: all}.errors() != ""
}

// keep stores what Terraform would keep of the refreshed state.
func (r *run) keep(value tftypes.Value, private, identity []byte) {
	if value.IsNull() {
		r.state = nil
		return
	}
	r.state = &stored{value: value, private: private, identity: identity}
}

func (p *protocol) apply(_ context.Context, config job) outcome {
	r, err := p.begin(config)
	if err != nil {
		return outcome{err: err}
	}
	defer r.end()
	rule, err := r.apply()
	return outcome{diagnostics: r.diagnostics, err: err, rule: rule, acted: r.acted}
}

// apply refreshes, plans, plans again and applies. It tells whether the error
// is a rule of Terraform's that the provider broke.
func (r *run) apply() (rule bool, err error) {
	if err := r.read(); err != nil || failed(r.diagnostics) {
		return false, err
	}
	if r.config.IsNull() && r.prior.IsNull() {
		r.keep(r.prior, nil, nil)
		return false, nil
	}
	reply, planned, err := r.plan()
	if err != nil || failed(r.diagnostics) {
		return false, err
	}
	if reply.Replaces {
		return true, errors.New("the plan replaces the job")
	}
	if planned.Equal(r.prior) {
		r.keep(r.prior, r.private, r.identity)
		return false, nil
	}
	if !r.config.IsNull() {
		again, second, err := r.plan()
		if err != nil || failed(r.diagnostics) {
			return false, err
		}
		if err := conforms("the plan at apply: "+r.kind, planned, second); err != nil {
			return true, err
		}
		reply, planned = again, second
	}
	return r.change(reply, planned)
}

// change makes the planned change and keeps what Terraform keeps of it.
func (r *run) change(plan Reply, planned tftypes.Value) (rule bool, err error) {
	call := Call{Private: plan.Private, Identity: plan.Identity, Planned: plan.State}
	if call.Prior, err = pack(r.prior); err != nil {
		return false, err
	}
	if call.Config, err = pack(r.config); err != nil {
		return false, err
	}
	r.acted = true
	reply, state, err := r.call(r.at.Apply, call)
	if err != nil {
		if r.survives || !errors.Is(err, errDied) {
			r.keep(r.prior, r.private, r.identity)
		}
		return false, err
	}
	if failed(reply.Diagnostics) {
		if state.IsNull() {
			// What was there before is still there.
			r.keep(r.prior, r.private, r.identity)
			return false, nil
		}
		r.keep(state, reply.Private, reply.Identity)
		r.state.tainted = r.prior.IsNull()
		return false, nil
	}
	r.keep(state, reply.Private, reply.Identity)
	if !state.IsFullyKnown() {
		return true, fmt.Errorf("after the apply not all is known: %s", state)
	}
	if err := conforms("after the apply: "+r.kind, planned, state); err != nil {
		return true, err
	}
	return false, nil
}

func (p *protocol) changes(_ context.Context, config job) ([]string, error) {
	r, err := p.begin(config)
	if err != nil {
		return nil, err
	}
	defer r.end()
	if err := r.read(); err != nil {
		return nil, err
	}
	if config == nil && r.prior.IsNull() {
		return nil, nil
	}
	_, planned, err := r.plan()
	if err != nil {
		return nil, err
	}
	if failed(r.diagnostics) {
		return nil, errors.New(outcome{diagnostics: r.diagnostics}.errors())
	}
	return differences(r.prior, planned), nil
}

func (p *protocol) recorded() (record, bool) {
	if p.state == nil {
		return record{}, false
	}
	v := p.state.value
	return record{
		JobID: text(v, "job_id"), State: text(v, "state"), SavepointPath: text(v, "savepoint_path"),
		RestoredFrom: text(v, "restored_from"), Tainted: p.state.tainted,
	}, true
}

// mark returns how to go back to what is in state now.
func (p *protocol) mark() func() {
	state := p.state
	return func() { p.state = state }
}

// victim starts a process for the next apply.
func (p *protocol) victim() func() {
	process, err := startProcess()
	if err != nil {
		return func() { panic(err) }
	}
	p.doomed = process
	return process.kill
}

func (p *protocol) close() {
	if p.doomed != nil {
		p.doomed.stop()
	}
}
