// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package python_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
)

func rendered(options string) string {
	return "output \"options\" {\n  value = provider::streaming::python_options(" + options + ")\n}\n"
}

// runFunction runs the steps where Terraform knows functions.
func runFunction(t *testing.T, steps ...resource.TestStep) {
	t.Helper()
	resource.UnitTest(t, resource.TestCase{
		ProtoV6ProviderFactories: acctest.FakeFactories(), Steps: steps,
		TerraformVersionChecks: []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_8_0)},
	})
}

func TestFlow_PythonOptions_EachIsRenderedUnderItsKey(t *testing.T) {
	t.Parallel()
	want := map[string]knownvalue.Check{}
	for key, value := range map[string]string{
		"python.files": "/lib/a.py,/lib/b.zip", "python.archives": "/lib/venv.tgz#venv,/lib/data.zip", "python.requirements": "/lib/r.txt#/lib/wheels",
		"python.executable": "venv/bin/python", "python.fn-execution.bundle.size": "500", "python.fn-execution.bundle.time": "2000",
		"python.metric.enabled": "false", "python.logging.level.overrides": "a.b:DEBUG,py4j:ERROR", "python.execution-mode": "thread",
	} {
		want[key] = knownvalue.StringExact(value)
	}
	runFunction(t, resource.TestStep{
		Config: rendered(`{
    files                    = ["/lib/a.py", "/lib/b.zip"]
    archives                 = [{ path = "/lib/venv.tgz", target = "venv" }, { path = "/lib/data.zip" }]
    requirements             = { file = "/lib/r.txt", cached_dir = "/lib/wheels" }
    executable               = "venv/bin/python"
    fn_execution_bundle_size = 500
    fn_execution_bundle_time = "2 s"
    metric_enabled           = false
    logging_level_overrides  = { "py4j" = "ERROR", "a.b" = "DEBUG" }
    execution_mode           = "thread"
    pythonpath               = null
  }`),
		ConfigStateChecks: []statecheck.StateCheck{statecheck.ExpectKnownOutputValue("options", knownvalue.MapExact(want))},
	})
}

func TestFlow_PythonOptions_WhatFlinkWouldTakeAndRegretIsAnError(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		options string
		want    []string
	}{
		"no such option":    {`{ bundle_size = 5 }`, []string{"bundle_size", "no such option"}},
		"a comma":           {`{ files = ["/a,b.py"] }`, []string{"files", "has a comma"}},
		"no such archive":   {`{ executable = "venv/bin/python" }`, []string{"executable", "in no archive"}},
		"no list":           {`{ files = "/a.py" }`, []string{"files", "list of paths"}},
		"no object":         {`{ archives = ["/a.zip#a"] }`, []string{"archives", "an object"}},
		"another field":     {`{ requirements = { path = "/a.txt" } }`, []string{"requirements", "no path"}},
		"not a whole one":   {`{ fn_execution_bundle_size = 1.5 }`, []string{"fn_execution_bundle_size", "whole number"}},
		"neither":           {`["a"]`, []string{"neither an object nor a map"}},
		"all that is wrong": {`{ fn_execution_bundle_size = 0, metric_enabled = "no" }`, []string{"fn_execution_bundle_size", "metric_enabled"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runFunction(t, acctest.Fails(rendered(test.options), test.want...))
		})
	}
}
