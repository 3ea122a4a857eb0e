// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
)

// server speaks to the provider as Terraform does, for what Terraform's own
// output cannot be asserted on, which is warnings, and for what the Terraform
// at hand may be too old for, which is identities.
type server struct {
	t        *testing.T
	provider tfprotov6.ProviderServer
	schema   *tfprotov6.GetProviderSchemaResponse
}

func newServer(t *testing.T, endpoint string) *server {
	t.Helper()
	provider, err := acctest.FakeFactories()["streaming"]()
	if err != nil {
		t.Fatal(err)
	}
	schema, err := provider.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	s := &server{t: t, provider: provider, schema: schema}
	resp, err := provider.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{
		Config: s.value(schema.Provider.ValueType(), map[string]any{"pravega": map[string]any{"endpoint": endpoint}}),
	})
	if err != nil {
		t.Fatal(err)
	}
	s.noErrors(resp.Diagnostics)
	return s
}

// state is what Terraform keeps of a resource.
type state struct {
	value    *tfprotov6.DynamicValue
	private  []byte
	identity *tfprotov6.ResourceIdentityData
}

// value encodes attributes; what is missing is null.
func (s *server) value(t tftypes.Type, attributes map[string]any) *tfprotov6.DynamicValue {
	s.t.Helper()
	content, err := json.Marshal(complete(t, attributes))
	if err != nil {
		s.t.Fatal(err)
	}
	// As Terraform sends it: decoded by type, then in msgpack.
	value, err := (&tfprotov6.DynamicValue{JSON: content}).Unmarshal(t)
	if err != nil {
		s.t.Fatal(err)
	}
	dynamic, err := tfprotov6.NewDynamicValue(t, value)
	if err != nil {
		s.t.Fatal(err)
	}
	return &dynamic
}

// complete adds nulls for the attributes that are not given.
func complete(t tftypes.Type, given any) any {
	object, isObject := t.(tftypes.Object)
	attributes, isMap := given.(map[string]any)
	if !isObject || !isMap {
		return given
	}
	out := map[string]any{}
	for name, attributeType := range object.AttributeTypes {
		out[name] = complete(attributeType, attributes[name])
	}
	return out
}

func (s *server) typeOf(name string) tftypes.Type { return s.schema.ResourceSchemas[name].ValueType() }

func (s *server) noErrors(diagnostics []*tfprotov6.Diagnostic) {
	s.t.Helper()
	for _, d := range diagnostics {
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			s.t.Fatalf("%s: %s", d.Summary, d.Detail)
		}
	}
}

// plan plans from a state, nil for none, to a configuration, nil for destroy.
func (s *server) plan(name string, from *state, config map[string]any) *tfprotov6.PlanResourceChangeResponse {
	s.t.Helper()
	t := s.typeOf(name)
	null, err := tfprotov6.NewDynamicValue(t, tftypes.NewValue(t, nil))
	if err != nil {
		s.t.Fatal(err)
	}
	req := &tfprotov6.PlanResourceChangeRequest{TypeName: name, PriorState: &null, ProposedNewState: &null, Config: &null}
	if from != nil {
		req.PriorState, req.PriorPrivate, req.PriorIdentity = from.value, from.private, from.identity
	}
	if config != nil {
		req.Config = s.value(t, config)
		// Terraform proposes the configuration, with the state's values of what is computed.
		req.ProposedNewState = s.value(t, config)
	}
	resp, err := s.provider.PlanResourceChange(s.t.Context(), req)
	if err != nil {
		s.t.Fatal(err)
	}
	return resp
}

// apply plans and applies, and fails on errors.
func (s *server) apply(name string, from *state, config map[string]any) (*state, []*tfprotov6.Diagnostic) {
	s.t.Helper()
	plan := s.plan(name, from, config)
	s.noErrors(plan.Diagnostics)
	t := s.typeOf(name)
	null, err := tfprotov6.NewDynamicValue(t, tftypes.NewValue(t, nil))
	if err != nil {
		s.t.Fatal(err)
	}
	req := &tfprotov6.ApplyResourceChangeRequest{
		TypeName: name, PriorState: &null, PlannedState: plan.PlannedState, Config: s.value(t, config), PlannedPrivate: plan.PlannedPrivate,
		PlannedIdentity: plan.PlannedIdentity,
	}
	if from != nil {
		req.PriorState = from.value
	}
	resp, err := s.provider.ApplyResourceChange(s.t.Context(), req)
	if err != nil {
		s.t.Fatal(err)
	}
	s.noErrors(resp.Diagnostics)
	return &state{resp.NewState, resp.Private, resp.NewIdentity}, resp.Diagnostics
}

func (s *server) read(name string, from *state) (*state, []*tfprotov6.Diagnostic) {
	s.t.Helper()
	resp, err := s.provider.ReadResource(s.t.Context(), &tfprotov6.ReadResourceRequest{
		TypeName: name, CurrentState: from.value, Private: from.private, CurrentIdentity: from.identity,
	})
	if err != nil {
		s.t.Fatal(err)
	}
	s.noErrors(resp.Diagnostics)
	return &state{resp.NewState, resp.Private, resp.NewIdentity}, resp.Diagnostics
}

// importBy imports by an identity.
func (s *server) importBy(name string, identity map[string]string) (*state, []*tfprotov6.Diagnostic) {
	s.t.Helper()
	types := map[string]tftypes.Type{}
	values := map[string]tftypes.Value{}
	for key, value := range identity {
		types[key], values[key] = tftypes.String, tftypes.NewValue(tftypes.String, value)
	}
	data, err := tfprotov6.NewDynamicValue(tftypes.Object{AttributeTypes: types}, tftypes.NewValue(tftypes.Object{AttributeTypes: types}, values))
	if err != nil {
		s.t.Fatal(err)
	}
	resp, err := s.provider.ImportResourceState(s.t.Context(), &tfprotov6.ImportResourceStateRequest{
		TypeName: name, Identity: &tfprotov6.ResourceIdentityData{IdentityData: &data},
	})
	if err != nil {
		s.t.Fatal(err)
	}
	if len(resp.ImportedResources) != 1 {
		return nil, resp.Diagnostics
	}
	imported := resp.ImportedResources[0]
	return &state{imported.State, imported.Private, imported.Identity}, resp.Diagnostics
}

// attributes decodes a state's strings; nil if the resource is gone.
func (s *server) attributes(name string, from *state) map[string]string {
	s.t.Helper()
	value, err := from.value.Unmarshal(s.typeOf(name))
	if err != nil {
		s.t.Fatal(err)
	}
	if value.IsNull() {
		return nil
	}
	var all map[string]tftypes.Value
	if err := value.As(&all); err != nil {
		s.t.Fatal(err)
	}
	texts := map[string]string{}
	for key, v := range all {
		var text string
		if v.Type().Is(tftypes.String) && v.IsKnown() && !v.IsNull() && v.As(&text) == nil {
			texts[key] = text
		}
	}
	return texts
}

// warns fails unless one of the warnings holds all the words.
func warns(t *testing.T, diagnostics []*tfprotov6.Diagnostic, words ...string) {
	t.Helper()
	var texts []string
	for _, d := range diagnostics {
		if d.Severity != tfprotov6.DiagnosticSeverityWarning {
			continue
		}
		text := d.Summary + ": " + d.Detail
		if !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) }) {
			return
		}
		texts = append(texts, text)
	}
	t.Errorf("no warning holds %q; there are: %q", words, texts)
}

func quiet(t *testing.T, diagnostics []*tfprotov6.Diagnostic) {
	t.Helper()
	for _, d := range diagnostics {
		t.Errorf("unexpected: %s: %s", d.Summary, d.Detail)
	}
}

var (
	scopeType, streamType = "streaming_pravega_scope", "streaming_pravega_stream"
	clicks                = map[string]any{"scope": "orders", "name": "clicks"}
)

func with(base map[string]any, key string, value any) map[string]any {
	out := map[string]any{key: value}
	for k, v := range base {
		if k != key {
			out[k] = v
		}
	}
	return out
}

func TestStream_importByIdentity(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	fake.AddStream("orders", "clicks", 3)
	s := newServer(t, fake.URL())
	imported, diagnostics := s.importBy(streamType, map[string]string{"scope": "orders", "name": "clicks"})
	quiet(t, diagnostics)
	read, _ := s.read(streamType, imported)
	if got := s.attributes(streamType, read); got["id"] != "orders/clicks" || got["timestamp_aggregation_timeout"] != "0 ms" {
		t.Errorf("imported: %v", got)
	}
	scope, diagnostics := s.importBy(scopeType, map[string]string{"name": "orders"})
	quiet(t, diagnostics)
	if got := s.attributes(scopeType, scope); got["id"] != "orders" {
		t.Errorf("imported: %v", got)
	}
	if _, diagnostics := s.importBy(streamType, map[string]string{"scope": "orders", "name": "a_b"}); len(diagnostics) != 1 || !strings.Contains(diagnostics[0].Summary, "Not the id of a Pravega stream") {
		t.Errorf("a bad identity: %v", diagnostics)
	}
}

func TestStream_replacementWarnsThatDataIsDeleted(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	s := newServer(t, fake.URL())
	created, diagnostics := s.apply(streamType, nil, clicks)
	quiet(t, diagnostics)
	plan := s.plan(streamType, created, with(clicks, "name", "views"))
	s.noErrors(plan.Diagnostics)
	warns(t, plan.Diagnostics, `"orders/clicks" will be replaced, and its data deleted`, "cannot be undone")
	scope, _ := s.apply(scopeType, nil, map[string]any{"name": "sales"})
	warns(t, s.plan(scopeType, scope, map[string]any{"name": "sales-2"}).Diagnostics, `"sales" will be replaced`, "must be empty")
}

func TestStream_allowDataLossWarnsOnEachPlan(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	s := newServer(t, fake.URL())
	config := with(clicks, "allow_data_loss", true)
	warns(t, s.plan(streamType, nil, config).Diagnostics, "allow_data_loss is set")
	created, _ := s.apply(streamType, nil, config)
	warns(t, s.plan(streamType, created, config).Diagnostics, "allow_data_loss is set")
	quiet(t, s.plan(streamType, created, clicks).Diagnostics)
}

func TestStream_firstUpdateAfterImportWarnsOfAMaximum(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	fake.AddStream("orders", "clicks", 1)
	fake.RetainTime("orders", "clicks", 24*60*60e9, 48*60*60e9)
	s := newServer(t, fake.URL())
	imported, _ := s.importBy(streamType, map[string]string{"scope": "orders", "name": "clicks"})
	read, _ := s.read(streamType, imported)
	same := with(clicks, "retention", map[string]any{"time": "1 d"})
	quiet(t, s.plan(streamType, read, same).Diagnostics)
	tagged := with(same, "tags", []string{"a"})
	warns(t, s.plan(streamType, read, tagged).Diagnostics, "A maximum retention of", "ends with this update")
	updated, _ := s.apply(streamType, read, tagged)
	if state, _ := fake.Stream("orders", "clicks"); state.Maximum != 0 {
		t.Errorf("the maximum is still there, against what was measured: %+v", state)
	}
	quiet(t, s.plan(streamType, updated, with(same, "tags", []string{"b"})).Diagnostics)
}

func TestStream_adoptionSaysWhereItDiffers(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	fake.AddStream("orders", "clicks", 5)
	s := newServer(t, fake.URL())
	config := with(with(clicks, "adopt_existing", true), "tags", []string{"a"})
	adopted, diagnostics := s.apply(streamType, nil, config)
	warns(t, diagnostics, "existed and was taken over", "5 segments, configured FIXED_NUM_SEGMENTS with 1 segments", `tags: is [], configured ["a"]`)
	if state, _ := fake.Stream("orders", "clicks"); state.Segments != 5 || len(state.Tags) != 0 {
		t.Errorf("adopting changed the stream: %+v", state)
	}
	read, _ := s.read(streamType, adopted)
	warns(t, s.plan(streamType, read, config).Diagnostics, "A maximum retention of")
}

func TestStream_resetOfARetentionIsAnnounced(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	s := newServer(t, fake.URL())
	created, _ := s.apply(streamType, nil, clicks)
	fake.RetainTime("orders", "clicks", 90e9+24*60*60e9, 0)
	// 1 d 1 min 30 s reads as 1 d 1 min: nothing shows the seconds.
	read, _ := s.read(streamType, created)
	quiet(t, s.plan(streamType, read, clicks).Diagnostics)
	fake.RetainTime("orders", "clicks", 30e9, 0)
	read, _ = s.read(streamType, created)
	quiet(t, s.plan(streamType, read, clicks).Diagnostics)
	warns(t, s.plan(streamType, read, with(with(clicks, "tags", []string{"a"}), "allow_retention_reset", true)).Diagnostics,
		"is removed by this update", "less than a minute", "Nothing is deleted")
}

func TestStream_anotherEndpointWarns(t *testing.T) {
	t.Parallel()
	first, second := newOrders(t), newOrders(t)
	s := newServer(t, first.URL())
	created, _ := s.apply(streamType, nil, clicks)
	scope, _ := s.apply(scopeType, nil, map[string]any{"name": "sales"})
	other := newServer(t, second.URL())

	gone, diagnostics := other.read(streamType, created)
	warns(t, diagnostics, "does not exist under this endpoint", first.URL(), second.URL())
	if got := other.attributes(streamType, gone); got != nil {
		t.Errorf("it is still in state: %v", got)
	}
	_, diagnostics = other.read(scopeType, scope)
	warns(t, diagnostics, "does not exist under this endpoint")
	// Under its own endpoint it is just gone.
	first.RemoveStream("orders", "clicks")
	_, diagnostics = s.read(streamType, created)
	quiet(t, diagnostics)

	// One of the same name is taken for the same, once, and never deleted unseen.
	second.AddStream("orders", "clicks", 1)
	del, err := other.provider.ApplyResourceChange(context.Background(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: streamType, PriorState: created.value, PlannedPrivate: created.private, PlannedState: nullOf(t, other.typeOf(streamType)), Config: nullOf(t, other.typeOf(streamType)),
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(del.Diagnostics) != 1 || !strings.Contains(del.Diagnostics[0].Summary, "was seen under another endpoint") {
		t.Errorf("delete: %v", del.Diagnostics)
	}
	found, diagnostics := other.read(streamType, created)
	warns(t, diagnostics, "is taken to be the same under another endpoint")
	_, diagnostics = other.read(streamType, found)
	quiet(t, diagnostics)
}

func nullOf(t *testing.T, kind tftypes.Type) *tfprotov6.DynamicValue {
	t.Helper()
	null, err := tfprotov6.NewDynamicValue(kind, tftypes.NewValue(kind, nil))
	if err != nil {
		t.Fatal(err)
	}
	return &null
}
