// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package spark_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
)

// runFunction runs the steps where Terraform knows functions.
func runFunction(t *testing.T, steps ...resource.TestStep) {
	t.Helper()
	resource.UnitTest(t, resource.TestCase{
		ProtoV6ProviderFactories: acctest.FakeFactories(), Steps: steps,
		TerraformVersionChecks: []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_8_0)},
	})
}

func call(argument string) string {
	return fmt.Sprintf("output \"test\" {\n  value = provider::streaming::pravega_spark_options(%s)\n}\n", argument)
}

func returns(pairs ...string) statecheck.StateCheck {
	want := map[string]knownvalue.Check{}
	for i := 0; i < len(pairs); i += 2 {
		want[pairs[i]] = knownvalue.StringExact(pairs[i+1])
	}
	return statecheck.ExpectKnownOutputValue("test", knownvalue.MapExact(want))
}

func TestFlow_FunctionPravegaSparkOptions_rendersWithoutAskingAnything(t *testing.T) {
	t.Parallel()
	runFunction(t,
		acctest.Apply(call(`{ scope = "orders", stream = "clicks" }`), returns("scope", "orders", "stream", "clicks")),
		acctest.Apply(call(`{
    scope = "orders", stream = "clicks", managed = true, mode = "streaming", controller = null
    approx_bytes_per_trigger = "64mb", transaction_timeout_ms = 60000, exactly_once = true
  }`), returns("scope", "orders", "stream", "clicks", "allow_create_scope", "false", "allow_create_stream", "false",
			"approx_bytes_per_trigger", "67108864", "transaction_timeout_ms", "60000", "exactly_once", "true")),
		acctest.Apply(call(`tomap({ scope = "orders", stream = "clicks", allow_create_stream = "true", managed = "false" })`),
			returns("scope", "orders", "stream", "clicks", "allow_create_stream", "true")),
		acctest.Apply(`
resource "terraform_data" "later" {
  input = "7d"
}
`+call(`{ scope = "orders", stream = "clicks", default_retention_duration_milliseconds = terraform_data.later.output }`),
			returns("scope", "orders", "stream", "clicks", "default_retention_duration_milliseconds", "604800000")),
	)
}

func TestFlow_FunctionPravegaSparkOptions_refuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		argument string
		words    []string
	}{
		{`{ scope = "orders" }`, []string{"stream is missing"}},
		{`{ scope = "orders", stream = "clicks", exactly_onse = true }`, []string{`"exactly_onse" is no option`}},
		{`{ scope = "orders", stream = "clicks", exactly_once = "yes" }`, []string{"neither true nor false"}},
		{`{ scope = "orders", stream = "clicks", default_num_segments = 1.5 }`, []string{"no whole number"}},
		{`{ scope = "orders", stream = "clicks", default_num_segments = [1] }`, []string{"neither a string, a number nor a boolean"}},
		{`{ scope = "orders", stream = "clicks", metadata = "streams" }`, []string{"metadata is not a word", `"StreamInfo"`}},
		{`{ scope = "orders", stream = "clicks", default_scale_factor = 2 }`, []string{"default_scale_factor has no effect", "default_num_segments"}},
		{`{ scope = "orders", stream = "clicks", default_num_segments = 2, managed = true }`, []string{"default_num_segments", "managed is true"}},
		{`{ scope = "orders", stream = "clicks", mode = "micro" }`, []string{"mode", `"batch"`, `"streaming"`}},
		{`{ scope = "orders", stream = "clicks", managed = "perhaps" }`, []string{"managed is neither"}},
		{`{ scope = "orders", stream = "clicks", mode = "batch", approx_bytes_per_trigger=1 }`, []string{"no effect in a batch job"}},
		{`"scope=orders"`, []string{"neither an object nor a map"}},
	}
	var steps []resource.TestStep
	for _, test := range tests {
		steps = append(steps, acctest.Fails(call(test.argument), test.words...))
	}
	runFunction(t, steps...)
}
