// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package groot_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
)

func TestFlow_GrootJob_WhatCannotWorkFailsThePlan(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, test := range map[string]struct {
		attributes string
		want       []string
	}{
		"a number that is none":      {sections + "\n  env = { parallelism = 0 }", []string{"env.parallelism", "1 to 32768"}},
		"a duration that is none":    {sections + "\n  env = { execution_restart_delay_interval = \"1h30m\" }", []string{"env.execution_restart_delay_interval", "not a duration"}},
		"a mode that is none":        {sections + "\n  env = { execution_runtime_mode = \"MIXED\" }", []string{"env.execution_runtime_mode", "STREAMING, BATCH"}},
		"the name as Flink's option": {sections + "\n  env = { flink = { \"pipeline.name\" = \"b\" } }", []string{"Option pipeline.name cannot be set here", "Set name instead"}},
		"the marker's place":         {sections + "\n  env = { flink = { \"pipeline.global-job-parameters\" = \"a:b\" } }", []string{"cannot be set here", "marker"}},
		"a value Flink cannot read":  {sections + "\n  env = { flink = { \"execution.checkpointing.interval\" = \"often\" } }", []string{"env.flink", "Flink cannot read", "often"}},
		"two modes":                  {sections + "\n  env = { execution_runtime_mode = \"STREAMING\", flink = { \"execution.runtime-mode\" = \"BATCH\" } }", []string{"say the same thing"}},
		"one option in two places":   {sections + "\n  env = { pipeline_object_reuse = true }\n  configuration = { \"pipeline.object-reuse\" = \"false\" }", []string{"pipeline.object-reuse is set twice"}},
		"a modelled key":             {sections + "\n  extra_configuration = { \"shade.identifier\" = \"x\" }", []string{"has an attribute", "env.shade_identifier"}},
		"no YAML":                    {`sections = "a: b: c"`, []string{"Not the sections of a job file", "Mapping values"}},
		"no map":                     {`sections = "[1]"`, []string{"Not the sections of a job file", "no map"}},
		"a key twice":                {`sections = "a: 1\na: 2"`, []string{"line 2", "twice"}},
		"an env section":             {`sections = "env: {name: x}"`, []string{"The sections have an env block", "groot_job"}},
		"two parallelisms":           {sections + "\n  env = { parallelism = 2 }\n  parallelism = 3", []string{"env.parallelism is 2, and parallelism 3"}},
		"a path without form":        {sections + "\n  delivery = { path = \"/a\" }", []string{"delivery.path has no effect"}},
		"a form without path":        {sections + "\n  delivery = { form = \"path\" }", []string{"delivery.path is missing"}},
		"secrets that cannot go":     {sections + "\n  delivery = { form = \"path\", path = \"/a\" }\n  secrets_wo = \"a: b\"\n  secrets_wo_version = 1", []string{"Write-only secrets cannot reach a file"}},
		"secrets without a version":  {sections + "\n  secrets_wo = \"a: b\"", []string{"secrets_wo_version"}},
		"an argument twice":          {sections + "\n  args = [\"--config\", \"x\"]", []string{"Argument --config is given twice"}},
		"a protocol Java lacks":      {sections + "\n  env = { pipeline_jars = [\"s3://b/a.jar\"] }", []string{"env.pipeline_jars[0]", "protocol"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			acctest.RunFake(t, acctest.Fails(w.config(test.attributes), test.want...))
		})
	}
}

func TestFlow_GrootJob_WhatHasNoEffectIsWarnedOf(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		attributes string
		want       []string
	}{
		"two names":           {sections + "\n  env = { execution_buffer_timeout = \"10\", flink = { \"execution.buffer-timeout\" = \"10 ms\" } }", []string{`env.flink["execution.buffer-timeout"]`, "say the same thing", "Remove one"}},
		"base64":              {sections + "\n  env = { shade_identifier = \"base64\" }", []string{"env.shade_identifier", "no encryption"}},
		"a strategy in part":  {sections + "\n  env = { execution_restart_strategy = \"fixed-delay\" }", []string{"env.execution_restart_strategy", "not set whole"}},
		"nothing to run":      {"", []string{"sections", "env block alone"}},
		"gone in this Flink":  {sections + "\n  env = { flink = { \"state.backend.async\" = \"true\" } }", []string{"has no option state.backend.async"}},
		"savepoints of BATCH": {sections + "\n  env = { execution_runtime_mode = \"BATCH\" }", []string{"takes no savepoints"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			var warnings acctest.Warnings
			acctest.RunFakeWarned(t, &warnings, acctest.Apply(w.config(test.attributes), warnings.InState(test.want...)))
		})
	}
	t.Run("and what has is not", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		var warnings acctest.Warnings
		acctest.RunFakeWarned(t, &warnings, acctest.Apply(w.config(sections, `env = { parallelism = 2, flink = { "state.backend.type" = "rocksdb" } }`), warnings.InState()))
	})
}

// hush is in no state and in nothing that the cluster shows.
const hush = "s3cr3t-value"

func TestFlow_GrootJob_AWriteOnlySecretReachesTheProgramAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	config := func(version int) string {
		return w.config(sections, fmt.Sprintf("secrets_wo = yamlencode({ sources = { clicks = { password = \"%s-%d\" } } })\n  secrets_wo_version = %d", hush, version, version))
	}
	reaches := func(version int) func() error {
		return w.reads(strings.Replace(plainFile, "batch: 10\n", fmt.Sprintf("batch: 10\n    password: %s-%d\n", hush, version), 1))
	}
	shown := strings.Replace(plainFile, "batch: 10\n", "batch: 10\n    password: \"(write-only)\"\n", 1)
	nowhere := acctest.Outside(func() error {
		job, err := w.only()
		if err != nil {
			return err
		}
		if text := fmt.Sprint(job.FlinkConfiguration, job.UserConfig); strings.Contains(text, hush) {
			return fmt.Errorf("the cluster shows %s", text)
		}
		return nil
	})
	acctest.RunFake(t,
		acctest.Apply(config(1), acctest.Outside(reaches(1)), nowhere, noSecret{}, acctest.Is(address, "rendered", knownvalue.StringExact(shown)), acctest.Is(address, "secrets_wo", knownvalue.Null())),
		acctest.Noop(config(1)),
		acctest.Change(config(2), address, plancheck.ResourceActionUpdate, acctest.Outside(reaches(2)), nowhere, noSecret{},
			acctest.Is(address, "deployment.change", knownvalue.StringExact("stop with savepoint, start from it (secrets_wo_version)")),
			acctest.Is(address, "rendered", knownvalue.StringExact(shown))),
	)
}

// noSecret looks for the secret in the whole state.
type noSecret struct{}

// CheckState looks.
func (noSecret) CheckState(_ context.Context, req statecheck.CheckStateRequest, resp *statecheck.CheckStateResponse) {
	content, err := json.Marshal(req.State)
	if err != nil || strings.Contains(string(content), hush) {
		resp.Error = fmt.Errorf("the state has the secret, or cannot be read: %w", err)
	}
}

// A secret that another resource makes is not known at plan, and no change as
// long as its version is the same.
func TestFlow_GrootJob_ASecretThatIsNotKnownYetIsNoChange(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	config := func(password string) string {
		return fmt.Sprintf("resource \"terraform_data\" \"password\" {\n  input = %q\n}\n", password) +
			w.config(sections, "secrets_wo = yamlencode({ password = terraform_data.password.output })", "secrets_wo_version = 1")
	}
	acctest.RunFake(t,
		acctest.Apply(config("one")),
		acctest.Change(config("two"), address, plancheck.ResourceActionNoop),
		acctest.Noop(config("two")),
	)
}

// What is known only after another resource was made is planned as unknown, and
// is what was planned then.
func TestFlow_GrootJob_SectionsMayBeKnownAfterTheApply(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	late := "resource \"terraform_data\" \"topic\" {\n  input = \"clicks\"\n}\n"
	config := late + w.config(`sections = yamlencode({ topic = terraform_data.topic.output })`, `env = { jars = ["file:///${terraform_data.topic.output}.jar"] }`)
	want := "env:\n  jars: \"file:///clicks.jar\"\n  name: clicks\ntopic: clicks\n"
	acctest.RunFake(t,
		resource.TestStep{
			Config: config,
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectUnknownValue(address, acctest.At("rendered")),
			}},
			ConfigStateChecks: []statecheck.StateCheck{acctest.Outside(w.reads(want)), acctest.Is(address, "rendered", knownvalue.StringExact(want))},
		},
		acctest.Noop(config),
		acctest.Change(strings.Replace(config, `input = "clicks"`, `input = "views"`, 1), address, plancheck.ResourceActionUpdate,
			acctest.Outside(w.reads(strings.ReplaceAll(strings.ReplaceAll(want, "topic: clicks", "topic: views"), "/clicks.jar", "/views.jar")))),
	)
}
