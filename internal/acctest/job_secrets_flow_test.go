// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package acctest_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/dagger"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/streampark"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
)

// jobsWithSecrets has a job of each kind that takes any, plain and write-only.
const jobsWithSecrets = `
terraform {
  required_providers {
    streaming = { source = "terraform-streaming/streaming" }
  }
}

variable "secrets" {
  type      = map(string)
  sensitive = true
}

variable "generation" {
  type = number
}

provider "streaming" {
  owner = "team-a/secrets"
  flink = { endpoint = %q }
}

resource "streaming_flink_job" "this" {
  name       = "jar"
  jar        = { source = %[2]q }
  args       = ["--plain", "--password", var.secrets["jar_plain"]]
  on_destroy = "cancel"
}

resource "streaming_groot_job" "this" {
  name               = "groot"
  jar                = { source = %[2]q }
  sections           = yamlencode({ sources = { clicks = { type = "kafka" } } })
  secrets            = yamlencode({ sources = { clicks = { password = var.secrets["groot_plain"] } } })
  secrets_wo         = yamlencode({ sources = { clicks = { token = var.secrets["groot_wo"] } } })
  secrets_wo_version = var.generation
  on_destroy         = "cancel"
}

resource "streaming_streampark_job" "this" {
  name                 = "streampark"
  jar                  = { source = %[2]q }
  sql                  = "CREATE TABLE b (x INT) WITH ('password' = '$${plain}', 'token' = '$${hidden}'); INSERT INTO a SELECT * FROM b"
  variables            = { plain = var.secrets["streampark_plain"] }
  variables_wo         = { hidden = var.secrets["streampark_wo"] }
  variables_wo_version = var.generation
  on_destroy           = "cancel"
}

resource "streaming_dagger_job" "this" {
  name                   = "dagger"
  jar                    = { source = %[3]q }
  sql_query              = "SELECT * FROM data_stream"
  rowtime_attribute_name = "rowtime"
  sink_type              = "influx"
  sink_influx = {
    url = "http://a", username = "u", db_name = "d", measurement_name = "m", batch_size = 100, flush_duration_ms = "1 s"
    password_wo         = var.secrets["dagger_wo"]
    password_wo_version = var.generation
  }
  streams = [{
    input_schema_table                       = "data_stream"
    input_schema_proto_class                 = "com.tests.TestMessage"
    input_schema_event_timestamp_field_index = 41
    source_kafka_topic_names                 = ["test-topic"]
    source_kafka_bootstrap_servers           = ["localhost:9092"]
    source_kafka_group_id                    = "dummy-consumer-group"
    source_kafka_security_protocol           = "SASL_SSL"
    source_kafka_sasl_mechanism              = "PLAIN"
    source_kafka_sasl_jaas_config            = "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"u\" password=\"${var.secrets["dagger_plain"]}\";"
  }]
  on_destroy = "cancel"
}
`

// secretsOf are the secrets of a generation of the jobs.
func secretsOf(generation int) map[string]string {
	all := map[string]string{}
	for _, name := range []string{"jar_plain", "groot_plain", "groot_wo", "streampark_plain", "streampark_wo", "dagger_plain", "dagger_wo"} {
		all[name] = fmt.Sprintf("hunter%d-%s", generation, name)
	}
	return all
}

// findSecrets fails the test where a text has a secret, as it is or as a marker
// would have it. The plain ones may be where Terraform itself keeps them.
func findSecrets(t *testing.T, where string, content []byte, plainToo bool) {
	t.Helper()
	for generation := 1; generation <= 2; generation++ {
		for name, secret := range secretsOf(generation) {
			if strings.HasSuffix(name, "_plain") && !plainToo {
				continue
			}
			for _, form := range []string{secret, hex.EncodeToString([]byte(secret)), base64.StdEncoding.EncodeToString([]byte(secret))} {
				if at := bytes.Index(content, []byte(form)); at >= 0 {
					t.Errorf("%s holds the secret %s: %s", where, name, content[max(0, at-200):min(len(content), at+60)])
				}
			}
		}
	}
}

// unpacked are arguments, and what engines pack into them.
func unpacked(args []string) []string {
	all := slices.Clone(args)
	for _, arg := range args {
		if text, err := base64.StdEncoding.DecodeString(arg); err == nil {
			all = append(all, string(text))
			var more []string
			if json.Unmarshal(text, &more) == nil {
				all = append(all, more...)
			}
		}
		if text, err := streampark.Unpack(arg); err == nil {
			all = append(all, text)
		}
	}
	return all
}

// markerOf is what the provider writes to a job about itself: options of its own
// and, where the program replaces those, arguments.
func markerOf(job flinkfake.JobSnapshot) string {
	text := fmt.Sprint(job.FlinkConfiguration)
	args := unpacked(job.Args)
	for i := 0; i+1 < len(args); i++ {
		if strings.HasPrefix(args[i], "--terraform.") {
			text += args[i+1]
		}
	}
	return text
}

// Secrets of jobs are looked for in all that a plan and an apply leave behind,
// Terraform's most talkative log included.
func TestFlow_Jobs_TheirSecretsReachTheProgramAlone(t *testing.T) {
	t.Parallel()
	u := newUser(t, repository(t))
	cluster := flinkfake.New()
	t.Cleanup(cluster.Close)
	class := dagger.EntryClass(dagger.Raystack)
	cluster.RegisterProgram(class, func(m *flinkfake.Main) error {
		return m.Execute(flinkfake.Graph{Name: "dagger", Rate: 100, Operators: []flinkfake.Operator{{Name: "source", UID: "source", Stateful: true}}})
	})
	work, elsewhere := t.TempDir(), t.TempDir()
	jar, daggerJar := filepath.Join(elsewhere, "app.jar"), filepath.Join(elsewhere, "dagger.jar")
	write(t, jar, flinkfake.Jar("streaming.jobs.Counter"))
	write(t, daggerJar, flinkfake.Jar(class))
	write(t, filepath.Join(work, "main.tf"), fmt.Appendf(nil, jobsWithSecrets, cluster.URL(), filepath.ToSlash(jar), filepath.ToSlash(daggerJar)))
	log := filepath.Join(work, "trace.log")
	u.env = append(u.env, "TF_LOG=TRACE", "TF_LOG_PATH="+log)

	variables := filepath.Join(elsewhere, "secrets.tfvars.json")
	for generation := 1; generation <= 2; generation++ {
		content, err := json.Marshal(map[string]any{"secrets": secretsOf(generation), "generation": generation})
		if err != nil {
			t.Fatal(err)
		}
		write(t, variables, content)
		findSecrets(t, "the plan", []byte(u.terraform(t, work, "plan", "-no-color", "-input=false", "-out=saved.plan", "-var-file="+variables)), true)
		findSecrets(t, "the plan that was shown", []byte(u.terraform(t, work, "show", "-no-color", "saved.plan")), true)
		// The variables are kept by Terraform, for the apply.
		findSecrets(t, "the plan as JSON", []byte(withoutVariables(u.terraform(t, work, "show", "-no-color", "-json", "saved.plan"))), false)
		findSecrets(t, "the apply", []byte(u.terraform(t, work, "apply", "-no-color", "-input=false", "saved.plan")), true)
		lookAround(t, work)

		jobs := cluster.Live()
		if len(jobs) != 4 {
			t.Fatalf("%d jobs run: %+v", len(jobs), jobs)
		}
		given := ""
		for _, job := range jobs {
			marker := markerOf(job)
			if !strings.Contains(marker, hex.EncodeToString([]byte(job.Name))) {
				t.Errorf("%s has no marker: %s", job.Name, marker)
			}
			findSecrets(t, "the marker of "+job.Name, []byte(marker), true)
			given += strings.Join(unpacked(job.Args), "\n")
		}
		for name, secret := range secretsOf(generation) {
			if !strings.Contains(given, secret) {
				t.Errorf("%s did not reach its program", name)
			}
		}
	}
	findSecrets(t, "the destroy", []byte(u.terraform(t, work, "destroy", "-no-color", "-input=false", "-auto-approve", "-var-file="+variables)), true)
	lookAround(t, work)
	content, err := os.ReadFile(log)
	if err != nil || !bytes.Contains(content, []byte("/jars/")) {
		t.Errorf("the log does not even show the requests: %v", err)
	}
}

// lookAround looks into the files that Terraform and the provider left.
func lookAround(t *testing.T, work string) {
	t.Helper()
	looked := map[string]bool{}
	err := filepath.WalkDir(work, func(path string, entry fs.DirEntry, err error) error {
		name := filepath.Base(path)
		if err != nil || entry.IsDir() || name == "saved.plan" {
			return err
		}
		content, err := os.ReadFile(path)
		looked[name] = true
		findSecrets(t, name, content, !strings.HasPrefix(name, "terraform.tfstate"))
		return err
	})
	if err != nil || !looked["trace.log"] || !looked["terraform.tfstate"] {
		t.Errorf("looked at %v, %v", looked, err)
	}
}
