// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package acctest_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
)

// movedWorld is a cluster on which a job changes its kind.
type movedWorld struct {
	flink *flinkfake.Server
	dir   string
}

func newMovedWorld(t *testing.T) *movedWorld {
	t.Helper()
	w := &movedWorld{flink: flinkfake.New(), dir: t.TempDir()}
	t.Cleanup(w.flink.Close)
	write(t, filepath.Join(w.dir, "app.jar"), flinkfake.Jar(importProgram))
	write(t, filepath.Join(w.dir, "flink-python.jar"), flinkfake.Jar("org.apache.flink.client.python.PythonDriver", importProgram))
	return w
}

func (w *movedWorld) provider() string {
	return acctest.Config{Owner: importOwner, Flink: w.flink.URL()}.String() + importedBundle
}

// notOfAll are attributes that not each job of the table of imports has. What
// all kinds have is compared, and has to be the same.
var notOfAll = regexp.MustCompile(`(?m)^  (configuration|bundle) = .*\n`)

// job is a job of a kind, as the table of imports has it, with more attributes.
func (w *movedWorld) job(kind string, attributes ...string) string {
	row := importedResources()[kind]
	config := strings.ReplaceAll(notOfAll.ReplaceAllString(row.config, ""), "${path.module}", filepath.ToSlash(w.dir))
	return w.provider() + fmt.Sprintf("resource %q \"test\" {\n%s  %s\n}\n", kind, config, strings.Join(attributes, "\n  "))
}

func movedBlock(from, to string) string {
	return fmt.Sprintf("moved {\n  from = %s.test\n  to   = %s.test\n}\n", from, to)
}

// untouched fails if the job was started or stopped, or a file came or went.
func (w *movedWorld) untouched() error {
	for _, request := range w.flink.Requests() {
		if request.Method != "GET" && !strings.Contains(request.Path, "/plan") {
			return fmt.Errorf("the move called %s %s", request.Method, request.Path)
		}
	}
	return nil
}

// kindsFromJar are the kinds between which a job moves, as a ring.
var kindsFromJar = []string{
	"streaming_flink_job", "streaming_flink_python_job", "streaming_groot_job", "streaming_streampark_job", "streaming_dagger_job",
}

// A job that gets another resource type by a moved block stays the same job.
func TestFlow_Moved_AJobBecomesAnotherKindWithoutARestart(t *testing.T) {
	t.Parallel()
	for i, kind := range kindsFromJar {
		next := kindsFromJar[(i+1)%len(kindsFromJar)]
		for _, pair := range [][2]string{{kind, next}, {next, kind}} {
			t.Run(pair[0]+" to "+pair[1], func(t *testing.T) {
				t.Parallel()
				newMovedWorld(t).becomes(t, pair[0], pair[1])
			})
		}
	}
}

func (w *movedWorld) becomes(t *testing.T, from, to string) {
	t.Helper()
	before, after := from+".test", to+".test"
	same, identity := statecheck.CompareValue(compare.ValuesSame()), statecheck.CompareValue(compare.ValuesSame())
	var warnings acctest.Warnings
	shared, jar := "", "app.jar"
	if strings.Contains(from+to, "python") {
		jar = "flink-python.jar"
		shared = "bundle = { id = streaming_python_bundle.code.id, sha256 = streaming_python_bundle.code.sha256 }"
	}
	job := func(kind string, attributes ...string) string {
		return strings.ReplaceAll(w.job(kind, append(attributes, shared)...), "app.jar", jar)
	}
	moved := movedBlock(from, to) + job(to)
	acctest.RunFakeWarned(t, &warnings,
		acctest.Apply(job(from), same.AddStateValue(before, acctest.At("job_id")), identity.AddStateValue(before, acctest.At("id"))),
		resource.TestStep{
			PreConfig: func() { w.flink.ForgetRequests(); warnings.Take() },
			Config:    moved,
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(after, plancheck.ResourceActionUpdate),
				warnings.InPlan("The configuration is taken over", "was started as a "+from, "without a restart", "cannot be compared"),
			}},
			ConfigStateChecks: []statecheck.StateCheck{
				same.AddStateValue(after, acctest.At("job_id")), identity.AddStateValue(after, acctest.At("id")), acctest.Outside(w.untouched),
			},
		},
		acctest.Noop(moved),
		acctest.Change(job(to, `restart_trigger = "2"`), after, plancheck.ResourceActionUpdate,
			acctest.Is(after, "deployment.change", knownvalue.StringExact("stop with savepoint, start from it (restart_trigger)")),
			acctest.Is(after, "restored_from", knownvalue.NotNull())),
	)
}

// What both kinds have is compared, so that a moved block hides no change.
func TestFlow_Moved_AChangeBesideTheMoveRestartsTheJob(t *testing.T) {
	t.Parallel()
	w := newMovedWorld(t)
	from, to := "streaming_flink_job", "streaming_groot_job"
	acctest.RunFake(t,
		acctest.Apply(w.job(from)),
		acctest.Change(movedBlock(from, to)+strings.Replace(w.job(to), "parallelism = 2", "parallelism = 1", 1),
			to+".test", plancheck.ResourceActionUpdate,
			acctest.Is(to+".test", "deployment.change", knownvalue.StringExact("stop with savepoint, start from it (parallelism)"))),
	)
}

// A moved block between what cannot be the same job is refused, and nothing is sent.
func TestFlow_Moved_WhatCannotStayTheSameIsRefused(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		from, to, before string
		words            []string
	}{
		"from a jar to SQL": {from: "streaming_flink_job", to: "streaming_flink_sql_job", words: []string{"cannot stay the same job", "removed block"}},
		"from what is no job": {
			from: "streaming_flink_jar", to: "streaming_flink_job", before: "resource \"streaming_flink_jar\" \"test\" {\n  source = \"%s/app.jar\"\n}\n",
			words: []string{"Only a job of this provider can become one"},
		},
		"from another provider": {
			from: "terraform_data", to: "streaming_groot_job", before: "resource \"terraform_data\" \"test\" {\n  input = \"%s\"\n}\n",
			words: []string{"Only a job of this provider can become one"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newMovedWorld(t)
			before := w.job("streaming_flink_job")
			if test.before != "" {
				before = w.provider() + fmt.Sprintf(test.before, filepath.ToSlash(w.dir))
			}
			words := append([]string{"A " + test.from + " cannot be moved to a " + test.to}, test.words...)
			acctest.RunFake(t,
				acctest.Apply(before),
				resource.TestStep{PreConfig: w.flink.ForgetRequests, Config: movedBlock(test.from, test.to) + w.job(test.to), ExpectError: acctest.InOrder(words...)},
				resource.TestStep{Config: before, ConfigStateChecks: []statecheck.StateCheck{acctest.Outside(w.untouched)}},
			)
		})
	}
}
