// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package spark_test

import (
	"crypto/rand"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest/realengine"
)

// A real stream, created by Terraform: a look-up before it is there, the
// options of its owner, and those of somebody who wants another one.
func TestAcc_SparkOptions_tellWhatARealStreamIgnores(t *testing.T) {
	t.Parallel()
	endpoint, scope := realengine.Variable(t, "STREAMING_PRAVEGA_ENDPOINT"), "acc-"+strings.ToLower(rand.Text())
	provider := acctest.Config{Pravega: endpoint, PravegaCA: os.Getenv("STREAMING_PRAVEGA_CA_FILE")}.String()
	stream := func(attributes ...string) string {
		return fmt.Sprintf(`
resource "streaming_pravega_scope" "test" {
  name = %q
}

resource "streaming_pravega_stream" "test" {
  scope = streaming_pravega_scope.test.name
  name  = "clicks"
  %s
}
`, scope, strings.Join(attributes, "\n  "))
	}
	options := func(attributes ...string) string {
		return fmt.Sprintf("data \"streaming_pravega_spark_options\" \"test\" {\n  scope  = %q\n  stream = \"clicks\"\n  %s\n}\n", scope, strings.Join(attributes, "\n  "))
	}
	option := func(key, want string) statecheck.StateCheck {
		return acctest.Is(lookup, "options."+key, knownvalue.StringExact(want))
	}
	wishes := []string{
		"default_num_segments = 4", "default_scale_factor = 2", `default_segment_target_rate_bytes_per_sec = "64kb"`, `default_retention_duration_milliseconds = "7d"`,
	}
	rate := `scaling = { type = "BY_RATE_IN_KBYTES_PER_SEC", target_rate = 64, scale_factor = 3, min_segments = 2 }`
	acctest.RunReal(t,
		acctest.Apply(provider+options(wishes...), exists(knownvalue.Bool(false)), ignored(), option("default_num_segments", "4")),
		acctest.Apply(provider+stream(rate, `retention = { time = "36h" }`)+options("managed = true"),
			option("allow_create_scope", "false"), option("allow_create_stream", "false")),
		resource.TestStep{
			Config: provider + stream(rate, `retention = { time = "36h" }`) + options(wishes...),
			ConfigStateChecks: []statecheck.StateCheck{
				exists(knownvalue.Bool(true)), option("allow_create_stream", "false"),
				ignored("default_num_segments", "4", "2", "default_retention_duration_milliseconds", "604800000", "129600000",
					"default_scale_factor", "2", "3", "default_segment_target_rate_bytes_per_sec", "65536", "65536"),
			},
		},
		acctest.Fails(provider+stream(rate, `retention = { time = "36h" }`)+options(`default_retention_size_bytes = "1gb"`, `on_ignored = "error"`),
			"default_retention_size_bytes is ignored", "no retention by size"),
		// Updated in place: what was ignored is what there is now.
		acctest.Apply(provider+stream(`scaling = { type = "FIXED_NUM_SEGMENTS", min_segments = 3 }`, `retention = { time = "7d" }`)),
		acctest.Apply(provider+stream(`scaling = { type = "FIXED_NUM_SEGMENTS", min_segments = 3 }`, `retention = { time = "7d" }`)+
			options("default_num_segments = 3", `default_retention_duration_milliseconds = "7d"`, `on_ignored = "error"`),
			ignored("default_num_segments", "3", "3", "default_retention_duration_milliseconds", "604800000", "604800000")),
	)
}
