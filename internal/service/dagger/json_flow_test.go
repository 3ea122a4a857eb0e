// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package dagger_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
)

// JSON in another spelling is no change, and what is none is said with its place.
func TestFlow_DaggerJob_C44_JSONIsComparedByWhatItMeans(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	config := func(arguments string) string {
		return w.config(sets{
			"postprocessor": fmt.Sprintf(`{ transformers = [{ transformation_class = "a.B", transformation_arguments = %s }] }`, arguments),
		})
	}
	const first = `jsonencode({ size = 1, text = "<ü>", large = 12345678901234567890, list = [{ b = true, a = null }] })`
	acctest.RunFake(t,
		acctest.Apply(config(first)),
		acctest.Noop(config(`"{\n  \"text\": \"<ü>\",\n  \"list\": [ {\"a\": null, \"b\": true} ],\n  \"large\": 12345678901234567890,\n  \"size\": 1.0\n}\n"`)),
		acctest.Fails(config(`"{\n  \"size\": 1,\n  \"size\": 2\n}"`), "transformation_arguments", "Line 3, column 8", `"size" is there twice`),
		acctest.Fails(config(`"{\n  \"size\": 1,\n}"`), "transformation_arguments", "Line 3, column 1", "not valid JSON"),
		resource.TestStep{
			Config:           config(`jsonencode({ size = 1, text = "<ü>", large = 12345678901234567891, list = [{ b = true, a = null }] })`),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate)}},
		},
	)
}
