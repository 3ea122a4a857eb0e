// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package acctest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
)

// Warnings are what the provider warned of since the last look. Terraform's
// own output, where they end, cannot be asserted on.
type Warnings struct {
	mu    sync.Mutex
	texts []string
}

func (w *Warnings) add(diagnostics []*tfprotov6.Diagnostic) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, d := range diagnostics {
		if d.Severity == tfprotov6.DiagnosticSeverityWarning {
			at := ""
			if d.Attribute != nil {
				at = dotted(d.Attribute) + ": "
			}
			w.texts = append(w.texts, at+d.Summary+". "+d.Detail)
		}
	}
}

// dotted spells a path as configurations do.
func dotted(at *tftypes.AttributePath) string {
	var spelled strings.Builder
	for _, step := range at.Steps() {
		switch step := step.(type) {
		case tftypes.AttributeName:
			if spelled.Len() > 0 {
				spelled.WriteByte('.')
			}
			spelled.WriteString(string(step))
		case tftypes.ElementKeyString:
			fmt.Fprintf(&spelled, "[%q]", string(step))
		case tftypes.ElementKeyInt:
			fmt.Fprintf(&spelled, "[%d]", int64(step))
		}
	}
	return spelled.String()
}

// Take returns the warnings and forgets them.
func (w *Warnings) Take() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	texts := w.texts
	w.texts = nil
	return texts
}

// Held fails unless one of the warnings holds all the words in this order, and
// forgets them all.
func (w *Warnings) Held(words ...string) error {
	texts := w.Take()
	if slices.ContainsFunc(texts, InOrder(words...).MatchString) {
		return nil
	}
	return fmt.Errorf("no warning holds %q; there are: %q", words, texts)
}

// None fails if there is a warning.
func (w *Warnings) None() error {
	if texts := w.Take(); len(texts) > 0 {
		return fmt.Errorf("warned of %q", texts)
	}
	return nil
}

// InPlan is Held, or None without words, as a check after a plan.
func (w *Warnings) InPlan(words ...string) plancheck.PlanCheck { return warnedInPlan{w, words} }

// InState is Held, or None without words, as a check after an apply.
func (w *Warnings) InState(words ...string) statecheck.StateCheck {
	return Outside(func() error { return w.check(words) })
}

func (w *Warnings) check(words []string) error {
	if len(words) == 0 {
		return w.None()
	}
	return w.Held(words...)
}

type warnedInPlan struct {
	warnings *Warnings
	words    []string
}

// CheckPlan looks at the warnings.
func (c warnedInPlan) CheckPlan(_ context.Context, _ plancheck.CheckPlanRequest, resp *plancheck.CheckPlanResponse) {
	resp.Error = c.warnings.check(c.words)
}

// RunFakeWarned is RunFake, and collects the warnings of validation,
// refresh, plan and apply.
func RunFakeWarned(t *testing.T, warnings *Warnings, steps ...resource.TestStep) {
	t.Helper()
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: warned(FakeFactories(), warnings), Steps: steps})
}

// RunRealWarned is RunReal, and collects the warnings of validation,
// refresh, plan and apply.
func RunRealWarned(t *testing.T, warnings *Warnings, steps ...resource.TestStep) {
	t.Helper()
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: warned(Factories(), warnings), Steps: steps})
}

func warned(factories map[string]func() (tfprotov6.ProviderServer, error), warnings *Warnings) map[string]func() (tfprotov6.ProviderServer, error) {
	heard := map[string]func() (tfprotov6.ProviderServer, error){}
	for name, factory := range factories {
		heard[name] = func() (tfprotov6.ProviderServer, error) {
			server, err := factory()
			return listening{server, warnings}, err
		}
	}
	return heard
}

// listening is a provider whose warnings are collected.
type listening struct {
	tfprotov6.ProviderServer
	warnings *Warnings
}

// ValidateResourceConfig is a validation, which goes before each plan and apply.
func (l listening) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	resp, err := l.ProviderServer.ValidateResourceConfig(ctx, req)
	if err == nil {
		l.warnings.add(resp.Diagnostics)
	}
	return resp, err
}

// ReadResource is a refresh.
func (l listening) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	resp, err := l.ProviderServer.ReadResource(ctx, req)
	if err == nil {
		l.warnings.add(resp.Diagnostics)
	}
	return resp, err
}

// ReadDataSource is a look-up.
func (l listening) ReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	resp, err := l.ProviderServer.ReadDataSource(ctx, req)
	if err == nil {
		l.warnings.add(resp.Diagnostics)
	}
	return resp, err
}

// PlanResourceChange is a plan, which Terraform repeats during an apply.
func (l listening) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	resp, err := l.ProviderServer.PlanResourceChange(ctx, req)
	if err == nil {
		l.warnings.add(resp.Diagnostics)
	}
	return resp, err
}

// ApplyResourceChange is a create, an update or a destroy.
func (l listening) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	resp, err := l.ProviderServer.ApplyResourceChange(ctx, req)
	if err == nil {
		l.warnings.add(resp.Diagnostics)
	}
	return resp, err
}
