// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/fault"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/pravegafake"
)

const (
	scopeAddress  = "streaming_pravega_scope.test"
	streamAddress = "streaming_pravega_stream.test"
)

// newFake starts a controller for one test.
func newFake(t *testing.T, options ...pravegafake.Option) *pravegafake.Server {
	t.Helper()
	fake := pravegafake.New(options...)
	t.Cleanup(fake.Close)
	return fake
}

// run runs the steps against Terraform, with the provider in process.
func run(t *testing.T, steps ...resource.TestStep) {
	t.Helper()
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: acctest.Factories(), Steps: steps})
}

// scopeConfig is a provider block and a scope with these further attributes.
func scopeConfig(endpoint, name string, attributes ...string) string {
	return acctest.Config{Pravega: endpoint}.String() + fmt.Sprintf(`
resource "streaming_pravega_scope" "test" {
  name = %q
  %s
}
`, name, strings.Join(attributes, "\n  "))
}

// streamConfig is a provider block, and a stream orders/clicks in a scope that
// exists already, with these further attributes.
func streamConfig(endpoint string, attributes ...string) string {
	return namedStream(endpoint, "clicks", attributes...)
}

func namedStream(endpoint, name string, attributes ...string) string {
	return acctest.Config{Pravega: endpoint}.String() + fmt.Sprintf(`
resource "streaming_pravega_stream" "test" {
  scope = "orders"
  name  = %q
  %s
}
`, name, strings.Join(attributes, "\n  "))
}

const (
	fixed2  = `scaling = { type = "FIXED_NUM_SEGMENTS", min_segments = 2 }`
	events2 = `scaling = { type = "BY_RATE_IN_EVENTS_PER_SEC", target_rate = 1000, scale_factor = 2, min_segments = 2 }`
)

// apply is a step that applies a configuration. Terraform plans twice after it,
// and the test fails if one of the plans is not empty.
func apply(config string, checks ...statecheck.StateCheck) resource.TestStep {
	return resource.TestStep{Config: config, ConfigStateChecks: checks}
}

// change is apply, for a configuration that leads to this action first.
func change(config, address string, action plancheck.ResourceActionType, checks ...statecheck.StateCheck) resource.TestStep {
	return resource.TestStep{
		Config:            config,
		ConfigPlanChecks:  resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, action)}},
		ConfigStateChecks: checks,
	}
}

// noop is a step in which nothing may be planned.
func noop(config string) resource.TestStep {
	return resource.TestStep{
		Config:           config,
		ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
	}
}

// fails is a step whose plan or apply fails with these words, in this order and
// with anything between, since Terraform breaks lines.
func fails(config string, words ...string) resource.TestStep {
	return resource.TestStep{Config: config, ExpectError: inOrder(words...)}
}

func inOrder(words ...string) *regexp.Regexp {
	parts := make([]string, 0, len(words))
	for _, word := range words {
		// A space may have become a line break with a margin.
		fields := strings.Fields(word)
		for i := range fields {
			fields[i] = regexp.QuoteMeta(fields[i])
		}
		parts = append(parts, strings.Join(fields, `[\s│|]+`))
	}
	return regexp.MustCompile(`(?s)` + strings.Join(parts, ".*"))
}

func is(address, attribute string, value knownvalue.Check) statecheck.StateCheck {
	at := tfjsonpath.Path{}
	for i, part := range strings.Split(attribute, ".") {
		if i == 0 {
			at = tfjsonpath.New(part)
			continue
		}
		at = at.AtMapKey(part)
	}
	return statecheck.ExpectKnownValue(address, at, value)
}

// between does something after the plan and before it is applied.
func between(do func()) plancheck.PlanCheck { return sideEffect(do) }

type sideEffect func()

func (s sideEffect) CheckPlan(context.Context, plancheck.CheckPlanRequest, *plancheck.CheckPlanResponse) {
	s()
}

// writes counts the requests that change something.
func writes(fake *pravegafake.Server, method string) int {
	count := 0
	for _, request := range fake.Requests() {
		if request.Method == method {
			count++
		}
	}
	return count
}

// cut is a fault on requests of a method to paths that match.
func cut(kind fault.Kind, method, path string) fault.Fault {
	return fault.Fault{Kind: kind, Method: method, Path: regexp.MustCompile(path)}
}
