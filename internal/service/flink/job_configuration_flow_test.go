// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
)

func configuration(entries ...string) string {
	var lines []string
	for i := 0; i+1 < len(entries); i += 2 {
		lines = append(lines, fmt.Sprintf("    %q = %q", entries[i], entries[i+1]))
	}
	return "configuration = {\n" + strings.Join(lines, "\n") + "\n  }"
}

// dependent is what stands for all that is made of a job's id.
const dependent = "\nresource \"terraform_data\" \"dependent\" {\n  input = [streaming_flink_job.test.job_id, streaming_flink_job.test.configuration]\n}\n"

func TestFlow_FlinkJob_C45_ARespelledValueIsAnEmptyPlan(t *testing.T) {
	t.Parallel()
	const interval, memory = "execution.checkpointing.interval", "state.backend.rocksdb.memory.fixed-per-slot"
	cases := map[string]struct {
		options       []flinkfake.Option
		before, after []string
	}{
		"min and s":             {nil, []string{interval, "10 min"}, []string{interval, "600 s"}},
		"ms":                    {nil, []string{interval, "10 min"}, []string{interval, "600000 ms"}},
		"no unit":               {nil, []string{interval, "10 min"}, []string{interval, "600000"}},
		"no space":              {nil, []string{interval, "10 min"}, []string{interval, "10min"}},
		"case and plural":       {nil, []string{interval, "10 min"}, []string{interval, " 10 MINUTES "}},
		"ISO 8601":              {nil, []string{interval, "10 min"}, []string{interval, "PT10M"}},
		"memory":                {nil, []string{memory, "1 gb"}, []string{memory, "1024m"}},
		"an older key":          {nil, []string{"akka.ask.timeout", "10 s"}, []string{"akka.ask.timeout", "10000"}},
		"on 1.20":               {[]flinkfake.Option{flinkfake.Version("1.20.5")}, []string{interval, "10 min"}, []string{interval, "600 s"}},
		"beside an equal one":   {nil, []string{interval, "1 d", "a.b", "x"}, []string{"a.b", "x", interval, "24 h"}},
		"another order of keys": {nil, []string{"a.b", "x", "c.d", "y"}, []string{"c.d", "y", "a.b", "x"}},
		"of a table program":    {nil, []string{"table.exec.state.ttl", "1 h"}, []string{"table.exec.state.ttl", "60 m"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, c.options...)
			base := []string{named, source(w.jar(t, "app.jar")), cancel}
			acctest.RunFake(t,
				acctest.Apply(w.job(append(base, configuration(c.before...))...)+dependent),
				acctest.Noop(w.job(append(base, configuration(c.after...))...)+dependent),
			)
		})
	}
}

func TestFlow_FlinkJob_C47_NullAndEmptyRestartNothing(t *testing.T) {
	t.Parallel()
	for attribute, empty := range map[string]string{
		"args": "args = []", "configuration": "configuration = {}", "timeouts": "timeouts = {}", "upgrade": "upgrade = {}",
	} {
		t.Run(attribute, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			base := []string{named, source(w.jar(t, "app.jar")), cancel}
			var steps []resource.TestStep
			for i, value := range []string{"", empty, attribute + " = null", empty, ""} {
				config := w.job(append(base, value)...) + "\nresource \"terraform_data\" \"dependent\" {\n  input = streaming_flink_job.test.job_id\n}\n"
				step := acctest.Apply(config, acctest.Is(jobAddress, "job_id", knownvalue.StringExact(w.id(1))))
				if i > 0 {
					step.ConfigPlanChecks.PreApply = []plancheck.PlanCheck{plancheck.ExpectResourceAction("terraform_data.dependent", plancheck.ResourceActionNoop)}
				}
				steps = append(steps, step)
			}
			acctest.RunFake(t, steps...)
		})
	}
}

func TestFlow_FlinkJob_C45_WhatIsNoDurationToFlinkIsComparedAsText(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ key, before, after string }{
		"a key of the program":      {"my.own.timeout", "10 min", "600 s"},
		"a boolean":                 {"execution.checkpointing.unaligned.enabled", "true", "TRUE"},
		"a number":                  {"pipeline.object-reuse-limit", "1", "01"},
		"another duration":          {"execution.checkpointing.interval", "10 min", "11 min"},
		"a duration that is a text": {"pipeline.time-characteristic", "10 min", "600 s"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			base := []string{named, source(w.jar(t, "app.jar")), cancel}
			acctest.RunFake(t,
				acctest.Apply(w.job(append(base, configuration(c.key, c.before))...)),
				acctest.Change(w.job(append(base, configuration(c.key, c.after))...), jobAddress, plancheck.ResourceActionUpdate,
					acctest.Is(jobAddress, "deployment.change", knownvalue.StringExact("stop with savepoint, start from it (configuration)")),
					acctest.Is(jobAddress, "job_id", knownvalue.StringExact(w.id(2)))),
			)
		})
	}
}

// A map is kept whole or taken whole: Terraform allows nothing between.
func TestFlow_FlinkJob_C45_ARespelledValueBesideARealChange(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	base := []string{named, source(w.jar(t, "app.jar")), cancel}
	const interval = "execution.checkpointing.interval"
	acctest.RunFake(t,
		acctest.Apply(w.job(append(base, args("--plain"), configuration(interval, "10 min", "a.b", "x"))...)),
		acctest.Change(w.job(append(base, args("--plain", "--label", "b"), configuration(interval, "600 s", "a.b", "x"))...), jobAddress, plancheck.ResourceActionUpdate,
			acctest.Is(jobAddress, "deployment.change", knownvalue.StringExact("stop with savepoint, start from it (args)"))),
		acctest.Change(w.job(append(base, args("--plain", "--label", "b"), configuration(interval, "600 s", "a.b", "y"))...), jobAddress, plancheck.ResourceActionUpdate,
			acctest.Is(jobAddress, "deployment.change", knownvalue.StringExact("stop with savepoint, start from it (configuration)")),
			acctest.Outside(func() error {
				job, err := w.only()
				if err != nil {
					return err
				}
				return equal(job.FlinkConfiguration[interval], "600 s")
			})),
		acctest.Noop(w.job(append(base, args("--plain", "--label", "b"), configuration(interval, "PT10M", "a.b", "y"))...)),
	)
}

func TestFlow_FlinkJob_C45_AValueThatFlinkCannotReadIsAPlanErrorAtItsKey(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		options    []flinkfake.Option
		key, value string
		words      []string
	}{
		"a duration":  {nil, "execution.checkpointing.interval", "ten", []string{"The value of execution.checkpointing.interval is not a duration", `"ten"`, `"10 s"`}},
		"two units":   {nil, "execution.checkpointing.interval", "1h30m", []string{"is not a duration"}},
		"empty":       {nil, "execution.checkpointing.timeout", "", []string{"is not a duration"}},
		"memory":      {nil, "state.backend.rocksdb.memory.fixed-per-slot", "1.5 gb", []string{"is not a size of memory", `"64 mb"`}},
		"ISO on 1.20": {[]flinkfake.Option{flinkfake.Version("1.20.5")}, "execution.checkpointing.interval", "PT10M", []string{"is not a duration"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, c.options...)
			base := []string{named, source(w.jar(t, "app.jar")), cancel}
			good, bad := w.job(append(base, configuration("a.b", "x"))...), w.job(append(base, configuration(c.key, c.value))...)
			acctest.RunFake(t,
				resource.TestStep{Config: bad, PlanOnly: true, ExpectError: acctest.InOrder(c.words...)},
				acctest.Apply(good),
				resource.TestStep{Config: bad, PlanOnly: true, ExpectError: acctest.InOrder(c.words...)},
				acctest.Noop(good),
			)
		})
	}
}

func TestFlow_FlinkJob_AnOptionWithoutEffectIsAWarning(t *testing.T) {
	t.Parallel()
	old := []flinkfake.Option{flinkfake.Version("1.20.5")}
	for name, c := range map[string]struct {
		options []flinkfake.Option
		key     string
		words   []string
	}{
		"of the cluster":        {nil, "jobmanager.scheduler", []string{`configuration["jobmanager.scheduler"]`, "jobmanager.scheduler has no effect here"}},
		"removed":               {nil, "pipeline.auto-type-registration", []string{"Flink 2.3.0 has no option pipeline.auto-type-registration", "Flink 1.20.5 had it"}},
		"not removed yet":       {old, "pipeline.auto-type-registration", nil},
		"an older spelling":     {nil, "state.checkpoints.dir", nil},
		"of the program":        {nil, "my.own.key", nil},
		"an ordinary one":       {nil, "execution.checkpointing.mode", nil},
		"on an unknown version": {[]flinkfake.Option{flinkfake.Version("2.1.0")}, "pipeline.auto-type-registration", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, c.options...)
			var warnings acctest.Warnings
			config := w.job(named, source(w.jar(t, "app.jar")), cancel, configuration(c.key, "x"))
			acctest.RunFakeWarned(t, &warnings,
				resource.TestStep{Config: config, ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{warnings.InPlan(c.words...)}}},
				resource.TestStep{PreConfig: func() { warnings.Take() }, Config: config, ConfigStateChecks: nil},
				resource.TestStep{Config: config, ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					// What was said once is not said at each plan.
					warnings.InPlan(),
				}}},
			)
		})
	}
}
