// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package acctest

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// RunFake runs the steps with Terraform and the provider against fakes.
func RunFake(t *testing.T, steps ...resource.TestStep) {
	t.Helper()
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: FakeFactories(), Steps: steps})
}

// RunReal runs the steps with Terraform and the provider against real engines.
func RunReal(t *testing.T, steps ...resource.TestStep) {
	t.Helper()
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: Factories(), Steps: steps})
}

// RunRealTimed is RunReal, for a test that waits for a job in vain: it need not
// wait as long as a user would.
func RunRealTimed(t *testing.T, timing lifecycle.Timing, steps ...resource.TestStep) {
	t.Helper()
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: timed(timing), Steps: steps})
}

// Apply is a step that applies a configuration. Terraform plans twice after
// it, and the test fails if one of the plans is not empty.
func Apply(config string, checks ...statecheck.StateCheck) resource.TestStep {
	return resource.TestStep{Config: config, ConfigStateChecks: checks}
}

// Change is Apply, for a configuration that leads to this action first.
func Change(config, address string, action plancheck.ResourceActionType, checks ...statecheck.StateCheck) resource.TestStep {
	return resource.TestStep{
		Config:            config,
		ConfigPlanChecks:  resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, action)}},
		ConfigStateChecks: checks,
	}
}

// Noop is a step in which nothing may be planned.
func Noop(config string) resource.TestStep {
	return resource.TestStep{
		Config:           config,
		ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
	}
}

// Fails is a step whose plan or apply fails with these words, in this order.
func Fails(config string, words ...string) resource.TestStep {
	return resource.TestStep{Config: config, ExpectError: InOrder(words...)}
}

// InOrder matches words in this order with anything between. Terraform breaks
// lines, so that a space may have become a line break with a margin.
func InOrder(words ...string) *regexp.Regexp {
	parts := make([]string, 0, len(words))
	for _, word := range words {
		fields := strings.Fields(word)
		for i := range fields {
			fields[i] = regexp.QuoteMeta(fields[i])
		}
		parts = append(parts, strings.Join(fields, `[\s│|]+`))
	}
	return regexp.MustCompile(`(?s)` + strings.Join(parts, ".*"))
}

// At is the path of an attribute such as "jar.sha256".
func At(attribute string) tfjsonpath.Path {
	var at tfjsonpath.Path
	for i, part := range strings.Split(attribute, ".") {
		if i == 0 {
			at = tfjsonpath.New(part)
			continue
		}
		at = at.AtMapKey(part)
	}
	return at
}

// Is checks a value in state.
func Is(address, attribute string, value knownvalue.Check) statecheck.StateCheck {
	return statecheck.ExpectKnownValue(address, At(attribute), value)
}

// Between does something between a plan and its apply, or checks the outside.
func Between(do func()) plancheck.PlanCheck { return sideEffect(do) }

type sideEffect func()

// CheckPlan does it.
func (s sideEffect) CheckPlan(context.Context, plancheck.CheckPlanRequest, *plancheck.CheckPlanResponse) {
	s()
}

// Outside is a state check that looks at something beside the state.
func Outside(check func() error) statecheck.StateCheck { return outside(check) }

type outside func() error

// CheckState looks.
func (o outside) CheckState(_ context.Context, _ statecheck.CheckStateRequest, resp *statecheck.CheckStateResponse) {
	resp.Error = o()
}
