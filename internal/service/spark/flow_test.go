// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package spark_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/pravega"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/pravegafake"
)

const lookup = "data.streaming_pravega_spark_options.test"

// newFake starts a controller for one test.
func newFake(t *testing.T, options ...pravegafake.Option) *pravegafake.Server {
	t.Helper()
	fake := pravegafake.New(options...)
	t.Cleanup(fake.Close)
	return fake
}

// clientOf is somebody else at the same controller.
func clientOf(t *testing.T, endpoint string) *pravega.Client {
	t.Helper()
	transport, err := rest.New(rest.Config{Endpoint: endpoint})
	if err != nil {
		t.Fatal(err)
	}
	return pravega.New(transport)
}

// config is a provider block, and the options of orders/clicks with these
// further attributes.
func config(endpoint string, attributes ...string) string {
	return acctest.Config{Pravega: endpoint}.String() + block(attributes...)
}

func block(attributes ...string) string {
	return fmt.Sprintf("data \"streaming_pravega_spark_options\" \"test\" {\n  scope  = \"orders\"\n  stream = \"clicks\"\n  %s\n}\n", strings.Join(attributes, "\n  "))
}

// rendered checks options as a whole: pairs of a key and a value beside scope
// and stream.
func rendered(pairs ...string) statecheck.StateCheck {
	want := map[string]knownvalue.Check{"scope": knownvalue.StringExact("orders"), "stream": knownvalue.StringExact("clicks")}
	for i := 0; i < len(pairs); i += 2 {
		want[pairs[i]] = knownvalue.StringExact(pairs[i+1])
	}
	return acctest.Is(lookup, "options", knownvalue.MapExact(want))
}

// ignored checks the list as a whole: an option, what is wanted and what there
// is ("" for null), and so on.
func ignored(triples ...string) statecheck.StateCheck {
	want := []knownvalue.Check{}
	for i := 0; i < len(triples); i += 3 {
		actual := knownvalue.Check(knownvalue.Null())
		if triples[i+2] != "" {
			actual = knownvalue.StringExact(triples[i+2])
		}
		want = append(want, knownvalue.ObjectExact(map[string]knownvalue.Check{
			"option": knownvalue.StringExact(triples[i]), "wanted": knownvalue.StringExact(triples[i+1]), "actual": actual,
		}))
	}
	return acctest.Is(lookup, "ignored", knownvalue.ListExact(want))
}

func exists(value knownvalue.Check) statecheck.StateCheck {
	return acctest.Is(lookup, "stream_exists", value)
}

// apply is a step that warns with these words, or of nothing without them. The
// plans after the step before have warned again.
func apply(warnings *acctest.Warnings, config string, words []string, checks ...statecheck.StateCheck) resource.TestStep {
	step := acctest.Apply(config, append(checks, warnings.InState(words...))...)
	step.PreConfig = func() { warnings.Take() }
	return step
}
