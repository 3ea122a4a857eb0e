// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streampark_test

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest/realengine"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	document "github.com/terraform-streaming/terraform-provider-streaming/internal/document/streampark"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/jobs"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// TestAcc_StreamparkJob_IsUpgradedWithStateAndShowsWhatItWasGiven runs a counter
// in the place of StreamPark's client: it registers its arguments as the client
// does, so that Flink shows what the client would be given.
func TestAcc_StreamparkJob_IsUpgradedWithStateAndShowsWhatItWasGiven(t *testing.T) {
	t.Parallel()
	endpoint := realengine.Variable(t, "STREAMING_FLINK_ENDPOINT")
	content, err := os.ReadFile(realengine.Variable(t, "STREAMING_JOBS_JAR"))
	if err != nil {
		t.Fatal(err)
	}
	text := rand.Text()
	if content, err = jobs.Edition(content, text); err != nil {
		t.Fatal(err)
	}
	jar := filepath.Join(t.TempDir(), "client.jar")
	if err := os.WriteFile(jar, content, 0o600); err != nil {
		t.Fatal(err)
	}
	transport, err := rest.New(rest.Config{Endpoint: endpoint})
	if err != nil {
		t.Fatal(err)
	}
	owner, name := t.Name()+"/"+text, "Zähler \"1\""
	id := func(n int64) string {
		return lifecycle.JobID(lifecycle.UID(owner, endpoint, "streaming_streampark_job", name), n)
	}
	config := func(region string) string {
		return acctest.Config{Owner: owner, Flink: endpoint}.String() + fmt.Sprintf(`resource "streaming_streampark_job" "test" {
  name        = %q
  jar         = { source = %q }
  entry_class = "streaming.jobs.Counter"
  args        = ["--rate", "50", "--label", "streampark"]
  sql_by_id   = { first = "INSERT INTO a SELECT 'ü' FROM b" }
  checkpoint  = { interval = "1 s" }
  variables   = { region = "eu-1" }
  extra_configuration = { "app.region" = %q }
  on_destroy  = "cancel"
}
`, name, filepath.ToSlash(jar), region)
	}
	// shown is what Flink tells about a generation.
	shown := func(n int64, region string) statecheck.StateCheck {
		return acctest.Outside(func() error {
			given, err := flink.New(transport).JobConfig(t.Context(), id(n))
			if err != nil {
				return err
			}
			conf, err := document.Unpack(given.ExecutionConfig.UserConfig["conf"])
			if err != nil {
				return err
			}
			file, _, err := document.Parse(conf)
			appName, nameErr := document.Unpack(given.ExecutionConfig.UserConfig["app.name"])
			return errors.Join(err, nameErr, equal(file.Extra["app.region"], region), equal(file.Statements["first"], "INSERT INTO a SELECT 'ü' FROM b"),
				equal(file.Values["checkpoint.interval"], "1 s"), equal(file.Name, name), equal(appName, name),
				equal(given.ExecutionConfig.UserConfig["terraform.name"], fmt.Sprintf("%x", name)))
		})
	}
	first, second := config("eu"), config("$${region}")
	acctest.RunReal(t,
		acctest.Apply(first, acctest.Is(address, "status", knownvalue.StringExact("RUNNING")), shown(1, "eu")),
		acctest.Noop(first),
		acctest.Change(second, address, plancheck.ResourceActionUpdate, generation(2), acctest.Is(address, "restored_from", knownvalue.NotNull()), shown(2, "eu-1")),
		acctest.Noop(second),
	)
}
