// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/changes"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/flink"
)

func (w *world) jarConfig(file string) string {
	return w.provider() + resourceBlock("streaming_flink_jar", fmt.Sprintf("source = %q", file))
}

// jarAndJob is a jar resource, and a job that runs from it.
func (w *world) jarAndJob(file string, attributes ...string) string {
	return w.jarConfig(file) + resourceBlock("streaming_flink_job", append(attributes, named, cancel,
		"jar = { id = streaming_flink_jar.test.id, sha256 = streaming_flink_jar.test.sha256 }")...)
}

func (w *world) uploads() int {
	count := 0
	for _, request := range w.Requests() {
		if strings.HasSuffix(request.Path, "/jars/upload") && !strings.Contains(request.Body, "terraform-streaming-probe") {
			count++
		}
	}
	return count
}

func (w *world) expectUploads(want int) func() error {
	return func() error {
		if got := w.uploads(); got != want {
			return fmt.Errorf("%d uploads instead of %d", got, want)
		}
		return nil
	}
}

func TestFlow_FlinkJar_SourceIsCreatedKeptChangedAndImported(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	v1, v2 := w.jar(t, "app.jar", "1"), w.jar(t, "app2.jar", "2")
	acctest.RunFake(t,
		acctest.Apply(w.jarConfig(v1),
			acctest.Is(jarAddress, "source", knownvalue.StringExact(v1)),
			acctest.Is(jarAddress, "sha256", knownvalue.StringExact(hashOf(t, v1))),
			acctest.Is(jarAddress, "file_name", knownvalue.StringExact("app-"+hashOf(t, v1)[:32]+".jar")),
			acctest.Is(jarAddress, "entry_classes", knownvalue.ListExact([]knownvalue.Check{knownvalue.StringExact(counter)})),
			acctest.Is(jarAddress, "size", knownvalue.NotNull())),
		acctest.Noop(w.jarConfig(v1)),
		resource.TestStep{
			Config: w.jarConfig(v2),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(jarAddress, plancheck.ResourceActionUpdate),
				plancheck.ExpectKnownValue(jarAddress, acctest.At("sha256"), knownvalue.StringExact(hashOf(t, v2))),
				plancheck.ExpectUnknownValue(jarAddress, acctest.At("id")),
			}},
		},
		resource.TestStep{
			ResourceName: jarAddress, ImportState: true, ImportStateVerify: true,
			// Only the upload is on the cluster, not the file it came from.
			ImportStateVerifyIgnore: []string{"source", "sha256", "size"},
		},
	)
}

func TestFlow_FlinkJar_AnImportedJarIsNotUploadedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	file := w.jar(t, "app.jar", "1")
	id, _, _, err := lifecycle.UploadJar(t.Context(), w.outsider(t).Client, file, "", "")
	if err != nil {
		t.Fatal(err)
	}
	acctest.RunFake(t,
		resource.TestStep{Config: w.jarConfig(file), ResourceName: jarAddress, ImportState: true, ImportStateId: id, ImportStatePersist: true},
		acctest.Apply(w.jarConfig(file), acctest.Is(jarAddress, "id", knownvalue.StringExact(id)), acctest.Outside(w.expectUploads(1))),
		acctest.Noop(w.jarConfig(file)),
	)
}

func TestFlow_FlinkJar_EqualContentUnderAnotherNameUploadsNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	acctest.RunFake(t,
		acctest.Apply(w.jarConfig(w.jar(t, "app.jar", "1"))),
		acctest.Change(w.jarConfig(w.jar(t, "other.jar", "1")), jarAddress, plancheck.ResourceActionUpdate, acctest.Outside(w.expectUploads(1))),
	)
}

func TestFlow_FlinkJar_C29_C31_ANewContentRestartsTheJobAndTheOldFileGoesAfterIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	file := w.jar(t, "v.jar", "1")
	acctest.RunFake(t,
		acctest.Apply(w.jarAndJob(file)),
		// Equal content is not uploaded again, however often it is built.
		resource.TestStep{PreConfig: func() { w.jar(t, "v.jar", "1") }, Config: w.jarAndJob(file), ConfigPlanChecks: acctest.Noop("").ConfigPlanChecks},
		acctest.Apply(w.jarAndJob(file), acctest.Outside(w.expectUploads(1))),
		resource.TestStep{
			PreConfig: func() { w.jar(t, "v.jar", "2") },
			Config:    w.jarAndJob(file),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(jarAddress, plancheck.ResourceActionUpdate),
				plancheck.ExpectKnownValue(jarAddress, acctest.At("sha256"), knownvalue.StringFunc(func(sha string) error {
					content, err := lifecycle.ReadJarFile(file)
					if err != nil {
						return err
					}
					return equal(sha, content.SHA256)
				})),
				plancheck.ExpectKnownValue(jobAddress, acctest.At("deployment.change"), knownvalue.StringExact("stop with savepoint, start from it (jar)")),
			}},
		},
		acctest.Apply(w.jarAndJob(file), acctest.Outside(w.expectUploads(2)), acctest.Outside(func() error {
			job, err := w.only()
			if err != nil {
				return err
			}
			if job.RestoredFrom == "" {
				return fmt.Errorf("job %s was started without state", job.ID)
			}
			return w.noOtherJar(job.JarID)
		})),
	)
}

func TestFlow_FlinkJar_C22_AFailedUpgradeKeepsTheOldFileForTheRollback(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	file := w.jar(t, "v.jar", "1")
	acctest.RunFake(t,
		acctest.Apply(w.jarAndJob(file)),
		resource.TestStep{
			PreConfig:   func() { w.jar(t, "v.jar", "2") },
			Config:      w.jarAndJob(file, args("--plain", "--uid", "other")),
			ExpectError: acctest.InOrder("the old one runs again"),
		},
		resource.TestStep{
			Config: w.jarAndJob(file, args("--plain")),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectKnownValue(jobAddress, acctest.At("deployment.change"), knownvalue.StringExact("stop with savepoint, start from it (jar, args)")),
			}},
		},
		acctest.Apply(w.jarAndJob(file, args("--plain")), acctest.Outside(w.expectLive(func(path string) bool { return path != "" }))),
	)
}

func TestFlow_FlinkJar_C27_ALostUploadComesBackWithoutARestart(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	file := w.jar(t, "app.jar", "1")
	config := w.jarAndJob(file)
	acctest.RunFake(t,
		acctest.Apply(config),
		resource.TestStep{
			PreConfig: func() {
				o := w.outsider(t)
				for _, jar := range w.Jars() {
					if err := o.DeleteJar(t.Context(), jar.ID); err != nil {
						t.Error(err)
					}
				}
			},
			Config: config,
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(jarAddress, plancheck.ResourceActionCreate),
				plancheck.ExpectKnownValue(jobAddress, acctest.At("job_id"), knownvalue.StringExact(w.id(1))),
			}},
		},
		acctest.Apply(config, acctest.Is(jobAddress, "job_id", knownvalue.StringExact(w.id(1))), acctest.Outside(w.expectUploads(2))),
	)
}

// A job that Terraform does not know of here runs from the jar: the destroy is
// not held up, and says who keeps the file.
func TestFlow_FlinkJar_C10_StaysWhileARunningJobOfAnotherOwnerNamesIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	file := w.jar(t, "v.jar", "1")
	other := acctest.Config{Owner: "team-b", Flink: w.URL()}.String() + resourceBlock("streaming_flink_job", named, `on_destroy = "detach"`, source(file))
	acctest.RunFake(t, acctest.Apply(other), resource.TestStep{Config: other, Destroy: true})
	theirs, err := w.only()
	if err != nil {
		t.Fatal(err)
	}
	var warnings acctest.Warnings
	acctest.RunFakeWarned(t, &warnings,
		acctest.Apply(w.jarConfig(file)),
		resource.TestStep{PreConfig: func() { warnings.Take() }, Config: w.jarConfig(file), Destroy: true},
	)
	if w.noOtherJar("") == nil {
		t.Fatal("the jar of a running job was deleted")
	}
	if err := warnings.Held("The jar", "stays on the cluster", "Job "+theirs.ID+" runs from it"); err != nil {
		t.Error(err)
	}
}

func TestFlow_FlinkJar_AMissingFileIsAWarningAtPlanAndAnErrorAtApply(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	missing := w.dir + "/missing.jar"
	acctest.RunFake(t,
		resource.TestStep{Config: w.jarConfig(missing), PlanOnly: true, ExpectNonEmptyPlan: true},
		acctest.Fails(w.jarConfig(missing), "Cannot upload the jar", "missing.jar", "Build the jar before applying"),
	)
	if uploads := w.uploads(); uploads != 0 {
		t.Fatalf("%d uploads", uploads)
	}
}

// Terraform plans once more before it applies, and refuses a plan that differs.
func TestFlow_FlinkJar_AContentThatChangedSinceThePlanIsNeverUploaded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	file := w.jar(t, "app.jar", "1")
	acctest.RunFake(t, resource.TestStep{
		Config: w.jarConfig(file),
		ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{acctest.Between(func() {
			if err := os.WriteFile(file, flinkfake.Jar(counter, "2"), 0o600); err != nil {
				t.Error(err)
			}
		})}},
		ExpectError: acctest.InOrder("inconsistent final plan", "sha256"),
	})
	if uploads := w.uploads(); uploads != 0 {
		t.Fatalf("%d uploads", uploads)
	}
}

// A job's own jar is built again under the same path: nothing else differs.
func TestFlow_FlinkJob_C31_ANewContentOfItsOwnJarRestartsIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	file := w.jar(t, "app.jar", "1")
	config := w.job(named, source(file), cancel)
	acctest.RunFake(t,
		acctest.Apply(config),
		acctest.Noop(config),
		resource.TestStep{
			PreConfig: func() { w.jar(t, "app.jar", "2") },
			Config:    config,
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectKnownValue(jobAddress, acctest.At("deployment.change"), knownvalue.StringExact("stop with savepoint, start from it (jar)")),
			}},
		},
		acctest.Apply(config, acctest.Is(jobAddress, "job_id", knownvalue.StringExact(w.id(2))), acctest.Outside(func() error {
			job, err := w.only()
			if err != nil {
				return err
			}
			return w.noOtherJar(job.JarID)
		})),
		// A file that is gone may be about to be made.
		resource.TestStep{
			PreConfig: func() {
				if err := os.Remove(file); err != nil {
					t.Error(err)
				}
			},
			Config: config, PlanOnly: true, ExpectNonEmptyPlan: true,
		},
		acctest.Fails(config, `Cannot change Flink job "counter"`, "app.jar", "Nothing was sent"),
		resource.TestStep{
			PreConfig: func() { w.jar(t, "app.jar", "2") },
			Config:    config,
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectEmptyPlan(),
				plancheck.ExpectKnownValue(jobAddress, acctest.At("job_id"), knownvalue.StringExact(w.id(2))),
			}},
		},
	)
}

// jarCases are the attributes of a jar that the test below changes.
var jarCases = []string{"source", "url", "sha256"}

// TestFlow_FlinkJar_C26_EachAttributeDoesWhatItsPlanSays changes each attribute
// and compares the table of changes, the plan, and what the server saw.
func TestFlow_FlinkJar_C26_EachAttributeDoesWhatItsPlanSays(t *testing.T) {
	t.Parallel()
	w, r := newWorld(t), newRepository(t)
	r.files["/mirror/v1.jar"] = r.files["/v1.jar"]
	table := flink.Changes()[flink.JarType]
	class := func(attribute string) changes.Class {
		row, _ := table.Row(attribute)
		return row.Class
	}
	step := func(config string, class changes.Class, known ...string) resource.TestStep {
		uploads := 0
		if class == changes.InPlace {
			uploads = 1
		}
		unknown := slices.DeleteFunc(table.Unknown(class), func(attribute string) bool { return slices.Contains(known, attribute) })
		return resource.TestStep{
			Config: config,
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(jarAddress, plancheck.ResourceActionUpdate), unknowns{jarAddress, unknown}, acctest.Between(w.ForgetRequests),
			}},
			ConfigStateChecks: []statecheck.StateCheck{acctest.Outside(w.expectUploads(uploads)), acctest.Outside(func() error {
				if writes := w.writes(); len(writes) > 0 {
					return fmt.Errorf("beside uploads, the server saw %v", writes)
				}
				return nil
			})},
		}
	}
	local := w.file(t, "local.jar", string(r.files["/v1.jar"]))
	acctest.RunFake(t,
		acctest.Apply(w.jarConfig(local)),
		step(w.jarConfig(w.file(t, "copied.jar", string(r.files["/v1.jar"]))), class("source")),
		// A source with another content is a change of the hash, and of what goes with it.
		step(w.jarConfig(w.jar(t, "other.jar", "other")), class("sha256"), "size"),
		step(r.jarByURL(t, w, "/v2.jar"), class("sha256")),
		// Back to what is still on the cluster: no upload.
		acctest.Apply(r.jarByURL(t, w, "/v1.jar"), acctest.Outside(w.expectUploads(1))),
		step(r.jarByURL(t, w, "/mirror/v1.jar"), class("url")),
	)
}

// The file that a job moved off is gone already when it is to be deleted: Flink
// answers 400, and it is what was wanted.
func TestFlow_FlinkJar_C29_AnOldFileThatIsGoneAlreadyIsNoError(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	v1, v2 := w.job(named, cancel, source(w.jar(t, "v1.jar", "1"))), w.job(named, cancel, source(w.jar(t, "v2.jar", "2")))
	var warnings acctest.Warnings
	deletes := 0
	acctest.RunFakeWarned(t, &warnings,
		acctest.Apply(v1, acctest.Outside(func() error {
			warnings.Take()
			o := w.outsider(t)
			w.OnRequest(func(r *http.Request) {
				if r.Method != http.MethodDelete {
					return
				}
				if deletes++; deletes == 1 {
					if err := o.DeleteJar(context.WithoutCancel(r.Context()), r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]); err != nil {
						t.Error(err)
					}
				}
			})
			return nil
		})),
		acctest.Apply(v2, warnings.InState(), acctest.Outside(func() error {
			w.OnRequest(nil)
			job, err := w.only()
			if err != nil {
				return err
			}
			if deletes != 2 {
				return fmt.Errorf("%d deletions were sent, the outsider's among them", deletes)
			}
			return w.noOtherJar(job.JarID)
		})),
	)
}

// A file of the job's own is uploaded once more where the cluster lost it, also
// between the upload and the start.
func TestFlow_FlinkJob_C27_AJarThatIsLostBeforeItsRunIsUploadedOnceMore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	base := []string{named, cancel, source(w.jar(t, "v1.jar", "1"))}
	lose := func() {
		o := w.outsider(t)
		for _, jar := range w.Jars() {
			if err := o.DeleteJar(t.Context(), jar.ID); err != nil {
				t.Error(err)
			}
		}
	}
	acctest.RunFake(t,
		acctest.Apply(w.job(base...)),
		// The job that runs is not affected.
		resource.TestStep{PreConfig: lose, Config: w.job(base...), ConfigPlanChecks: acctest.Noop("").ConfigPlanChecks},
		resource.TestStep{
			PreConfig: func() {
				w.Inject(flinkfake.Fault{Method: http.MethodPost, Path: "/stop$", Kind: flinkfake.Nothing, Hook: func(*http.Request) { lose() }})
			},
			Config: w.job(append(base, args("--plain"))...),
			ConfigStateChecks: []statecheck.StateCheck{
				acctest.Outside(w.expectLive(func(path string) bool { return path != "" })),
				// The first, one before the stop, and one after the run that found none.
				acctest.Outside(w.expectUploads(3)),
			},
		},
	)
}
