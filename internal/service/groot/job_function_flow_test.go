// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package groot_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
)

// A job file that exists becomes a resource whose program reads the same.
func TestFlow_FunctionGrootJob_AFileThatExistsIsTakenOver(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"basic", "names", "flink"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			file, err := filepath.Abs(filepath.Join("..", "..", "document", "groot", "testdata", name+".yaml"))
			if err != nil {
				t.Fatal(err)
			}
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			config := fmt.Sprintf("locals {\n  job = provider::streaming::groot_job(file(%q))\n}\n", filepath.ToSlash(file)) +
				replaced(w.config(`env = local.job.env`, `extra_configuration = local.job.extra_configuration`, `sections = local.job.sections`), named, `name = local.job.name`)
			acctest.RunFake(t,
				acctest.Apply(config, acctest.Outside(w.reads(string(content)))),
				acctest.Noop(config),
			)
		})
	}
}

func replaced(text, old, with string) string {
	for i := 0; i+len(old) <= len(text); i++ {
		if text[i:i+len(old)] == old {
			return text[:i] + with + text[i+len(old):]
		}
	}
	return text
}

func TestFlow_FunctionGrootJob_LeavesNullWhatTheFileHasNot(t *testing.T) {
	t.Parallel()
	acctest.RunFake(t, acctest.Apply(`
output "little" { value = provider::streaming::groot_job("sinks: {}") }
output "env" { value = provider::streaming::groot_job("env: {parallelism: 2}").env.parallelism }
`,
		statecheck.ExpectKnownOutputValue("little", knownvalue.ObjectExact(map[string]knownvalue.Check{
			"name": knownvalue.Null(), "env": knownvalue.Null(), "extra_configuration": knownvalue.Null(), "sections": knownvalue.StringExact("sinks: {}\n"),
		})),
		statecheck.ExpectKnownOutputValue("env", knownvalue.Int64Exact(2)),
	))
}

func TestFlow_FunctionGrootJob_SaysWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	acctest.RunFake(t,
		acctest.Fails(`output "x" { value = provider::streaming::groot_job("env: {parallelism: many}") }`, "The job file cannot be read", "env.parallelism", "whole number"),
		acctest.Fails(`output "x" { value = provider::streaming::groot_job("a: [") }`, "The job file cannot be read", "line"),
	)
}
