// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package dagger_test

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest/realengine"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/jobs"
)

// A program that counts stands in for Dagger: it looks at none of the options,
// and its state goes on from configuration to configuration.
func TestAcc_DaggerJob_LivesOnARealFlink(t *testing.T) {
	t.Parallel()
	endpoint := realengine.Variable(t, "STREAMING_FLINK_ENDPOINT")
	content, err := os.ReadFile(realengine.Variable(t, "STREAMING_JOBS_JAR"))
	if err != nil {
		t.Fatal(err)
	}
	if content, err = jobs.Edition(content, rand.Text()); err != nil {
		t.Fatal(err)
	}
	jar := filepath.Join(t.TempDir(), "dagger.jar")
	if err := os.WriteFile(jar, content, 0o600); err != nil {
		t.Fatal(err)
	}
	owner := t.Name() + "/" + rand.Text()
	config := func(query string, more ...string) string {
		return acctest.Config{Owner: owner, Flink: endpoint}.String() + fmt.Sprintf(`
resource "streaming_dagger_job" "test" {
  name                   = "orders"
  jar                    = { source = %q }
  entry_class            = %q
  streams                = %s
  sink_type              = "log"
  rowtime_attribute_name = "rowtime"
  sql_query              = %q
  %s
}
`, jar, jobs.Counter, streamWith(`source_kafka_name = "é \"quoted\" <&>"`), query, strings.Join(more, "\n  "))
	}
	const first, second = "-- all of it\nSELECT * FROM data_stream", "SELECT a FROM data_stream"
	acctest.RunReal(t,
		acctest.Apply(config(first), acctest.Is(address, "status", knownvalue.StringExact("RUNNING")), acctest.Is(address, "restored_from", knownvalue.Null())),
		acctest.Noop(config("\n"+first+"\n")),
		acctest.Change(config(second), address, plancheck.ResourceActionUpdate, acctest.Is(address, "restored_from", knownvalue.NotNull()), restarted("sql_query")),
		acctest.Noop(config(second)),
		acctest.Change(config(second, `state = "suspended"`), address, plancheck.ResourceActionUpdate, acctest.Is(address, "savepoint_path", knownvalue.NotNull())),
		acctest.Change(config(second, `flink = { checkpoint_interval_ms = "1 s" }`, `on_destroy = "cancel"`), address, plancheck.ResourceActionUpdate,
			acctest.Is(address, "restored_from", knownvalue.NotNull())),
	)
}
