// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// repository serves jars by HTTP and counts the downloads.
type repository struct {
	*httptest.Server
	files map[string][]byte
	gets  atomic.Int32
}

// newRepository has v1.jar, v2.jar, a login page, and nothing else.
func newRepository(t *testing.T) *repository {
	t.Helper()
	r := &repository{files: map[string][]byte{
		"/v1.jar": flinkfake.Jar(counter, "1"), "/v2.jar": flinkfake.Jar(counter, "2"),
		"/login.jar": []byte("<!DOCTYPE html><html>please log in</html>"),
	}}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		r.gets.Add(1)
		content, ok := r.files[request.URL.Path]
		if !ok {
			http.NotFound(w, request)
			return
		}
		_, _ = w.Write(content)
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *repository) sha(t *testing.T, file string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.jar")
	if err := os.WriteFile(path, r.files[file], 0o600); err != nil {
		t.Fatal(err)
	}
	return hashOf(t, path)
}

// byURL is a job's jar by URL.
func (r *repository) byURL(t *testing.T, file string) string {
	t.Helper()
	return fmt.Sprintf("jar = { url = %q, sha256 = %q }", r.URL+file, r.sha(t, file))
}

// jarByURL is a jar resource by URL.
func (r *repository) jarByURL(t *testing.T, w *world, file string) string {
	t.Helper()
	return w.provider() + resourceBlock("streaming_flink_jar", fmt.Sprintf("url = %q", r.URL+file), fmt.Sprintf("sha256 = %q", r.sha(t, file)))
}

func (r *repository) expectGets(want int32) func() error {
	return func() error {
		if got := r.gets.Load(); got != want {
			return fmt.Errorf("%d downloads instead of %d", got, want)
		}
		return nil
	}
}

func TestFlow_FlinkJob_AJarByURLIsFetchedOnceAndUpgradedWithState(t *testing.T) {
	t.Parallel()
	w, r := newWorld(t), newRepository(t)
	v1, v2 := w.job(named, cancel, r.byURL(t, "/v1.jar")), w.job(named, cancel, r.byURL(t, "/v2.jar"))
	acctest.RunFake(t,
		acctest.Apply(v1, acctest.Outside(r.expectGets(1)), acctest.Outside(w.expectUploads(1)), acctest.Outside(func() error {
			job, err := w.only()
			if err == nil && (!strings.Contains(job.JarID, "_v1-job") || !strings.HasSuffix(job.JarID, "-"+r.sha(t, "/v1.jar")[:32]+".jar")) {
				err = fmt.Errorf("the job runs from %s", job.JarID)
			}
			return err
		})),
		acctest.Noop(v1),
		resource.TestStep{
			Config: v2,
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectKnownValue(jobAddress, acctest.At("deployment.change"), knownvalue.StringExact("stop with savepoint, start from it (jar)")),
				acctest.Between(func() {
					if err := r.expectGets(1)(); err != nil {
						t.Errorf("at plan: %v", err)
					}
				}),
			}},
		},
		acctest.Apply(v2, acctest.Outside(r.expectGets(2)), acctest.Outside(func() error {
			job, err := w.only()
			if err != nil {
				return err
			}
			return w.noOtherJar(job.JarID)
		})),
	)
}

func TestFlow_FlinkJob_TheSameContentUnderAnotherURLChangesNothing(t *testing.T) {
	t.Parallel()
	w, r := newWorld(t), newRepository(t)
	r.files["/mirror/v1.jar"] = r.files["/v1.jar"]
	acctest.RunFake(t,
		acctest.Apply(w.job(named, cancel, r.byURL(t, "/v1.jar"))),
		acctest.Change(w.job(named, cancel, r.byURL(t, "/mirror/v1.jar")), jobAddress, plancheck.ResourceActionUpdate,
			acctest.Is(jobAddress, "job_id", knownvalue.StringExact(w.id(1))), acctest.Outside(r.expectGets(1))),
		acctest.Change(w.job(named, cancel, source(w.file(t, "local.jar", string(r.files["/v1.jar"])))), jobAddress, plancheck.ResourceActionUpdate,
			acctest.Is(jobAddress, "job_id", knownvalue.StringExact(w.id(1)))),
	)
}

func TestFlow_FlinkJob_AJarByURLThatCannotBeUsedIsOneLineAndNothingIsSent(t *testing.T) {
	t.Parallel()
	w, r := newWorld(t), newRepository(t)
	wrong := fmt.Sprintf("jar = { url = %q, sha256 = %q }", r.URL+"/v2.jar?sig=s3cret", r.sha(t, "/v1.jar"))
	acctest.RunFake(t,
		acctest.Fails(w.job(named, cancel, wrong), "jar", "The jar cannot be fetched", "/v2.jar?...", "sha256 "+r.sha(t, "/v2.jar"), "instead of", r.sha(t, "/v1.jar"), "Nothing was uploaded"),
		acctest.Fails(w.job(named, cancel, strings.Replace(wrong, "/v2.jar", "/login.jar", 1)), "answers with an HTML page", "Nothing was uploaded"),
		acctest.Fails(w.job(named, cancel, r.byURL(t, "/missing.jar")), "missing.jar: 404 Not Found", "Check the url"),
	)
	if uploads := w.uploads(); uploads != 0 || len(w.writes()) != 0 {
		t.Fatalf("%d uploads, %v", uploads, w.writes())
	}
}

func TestFlow_FlinkJob_AURLIsCheckedAtPlan(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const sha = `sha256 = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"`
	acctest.RunFake(t,
		acctest.Fails(w.job(named, `jar = { url = "https://host/app.jar" }`), "A url needs the sha256 of its content", "sha256sum"),
		acctest.Fails(w.job(named, `jar = { url = "https://u:p@host/app.jar", `+sha+` }`), "user name or password"),
		acctest.Fails(w.job(named, `jar = { url = "s3://bucket/app.jar", `+sha+` }`), "http and https URLs can be fetched"),
		acctest.Fails(w.job(named, `jar = { url = "https://host/app.jar", source = "app.jar", `+sha+` }`), "exclude each other"),
		acctest.Fails(w.job(named, `jar = { `+sha+` }`), "id"),
	)
}

func TestFlow_FlinkJob_C27_AJarByURLComesBackForARestartAndARollback(t *testing.T) {
	t.Parallel()
	w, r := newWorld(t), newRepository(t)
	lose := func() {
		o := w.outsider(t)
		for _, jar := range w.Jars() {
			if err := o.DeleteJar(t.Context(), jar.ID); err != nil {
				t.Error(err)
			}
		}
	}
	acctest.RunFake(t,
		acctest.Apply(w.job(named, cancel, r.byURL(t, "/v1.jar"))),
		// A lost upload is no diff, and comes back when it is needed.
		resource.TestStep{PreConfig: lose, Config: w.job(named, cancel, r.byURL(t, "/v1.jar")), PlanOnly: true},
		acctest.Apply(w.job(named, cancel, r.byURL(t, "/v1.jar"), `restart_trigger = "1"`), acctest.Outside(r.expectGets(2))),
		// The new version fails, and the old one's upload is lost: it is fetched again.
		resource.TestStep{
			PreConfig: func() {
				w.Inject(flinkfake.Fault{Method: "POST", Path: "/stop$", Kind: flinkfake.Nothing, Hook: func(*http.Request) { lose() }})
			},
			Config:      w.job(named, cancel, r.byURL(t, "/v2.jar"), `restart_trigger = "1"`, args("--plain", "--uid", "other")),
			ExpectError: acctest.InOrder("the old one runs again"),
		},
		acctest.Apply(w.job(named, cancel, r.byURL(t, "/v1.jar"), `restart_trigger = "1"`), acctest.Outside(w.expectLive(func(path string) bool { return path != "" }))),
		// Suspended, and resumed from another jar: the old upload goes.
		acctest.Apply(w.job(named, cancel, r.byURL(t, "/v1.jar"), `restart_trigger = "1"`, `state = "suspended"`)),
		acctest.Apply(w.job(named, cancel, r.byURL(t, "/v2.jar"), `restart_trigger = "1"`), acctest.Outside(func() error {
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

func TestFlow_FlinkJob_IDWinsOverURL(t *testing.T) {
	t.Parallel()
	w, r := newWorld(t), newRepository(t)
	config := w.jarConfig(w.file(t, "v1.jar", string(r.files["/v1.jar"]))) + resourceBlock("streaming_flink_job", named, cancel,
		fmt.Sprintf("jar = { id = streaming_flink_jar.test.id, url = %q, sha256 = streaming_flink_jar.test.sha256 }", r.URL+"/v1.jar"))
	acctest.RunFake(t, acctest.Apply(config, acctest.Outside(r.expectGets(0))))
}

func TestFlow_FlinkJar_ByURL(t *testing.T) {
	t.Parallel()
	w, r := newWorld(t), newRepository(t)
	v1, v2 := r.jarByURL(t, w, "/v1.jar"), r.jarByURL(t, w, "/v2.jar")
	acctest.RunFake(t,
		acctest.Apply(v1,
			acctest.Is(jarAddress, "url", knownvalue.StringExact(r.URL+"/v1.jar")),
			acctest.Is(jarAddress, "sha256", knownvalue.StringExact(r.sha(t, "/v1.jar"))),
			acctest.Is(jarAddress, "size", knownvalue.Int64Exact(int64(len(r.files["/v1.jar"])))),
			acctest.Is(jarAddress, "file_name", knownvalue.StringExact("v1-"+r.sha(t, "/v1.jar")[:32]+".jar"))),
		acctest.Noop(v1),
		acctest.Change(v2, jarAddress, plancheck.ResourceActionUpdate, acctest.Outside(r.expectGets(2))),
		// The earlier file is still there for a job that runs from it: nothing to fetch.
		acctest.Change(v1, jarAddress, plancheck.ResourceActionUpdate, acctest.Outside(r.expectGets(2)), acctest.Outside(w.expectUploads(2)),
			acctest.Is(jarAddress, "size", knownvalue.Null())),
		acctest.Change(w.jarConfig(w.file(t, "local.jar", string(r.files["/v1.jar"]))), jarAddress, plancheck.ResourceActionUpdate,
			acctest.Outside(w.expectUploads(2))),
	)
}

func TestFlow_FlinkJar_WrongURLs(t *testing.T) {
	t.Parallel()
	w, r := newWorld(t), newRepository(t)
	block := func(attributes ...string) string {
		return w.provider() + resourceBlock("streaming_flink_jar", attributes...)
	}
	acctest.RunFake(t,
		acctest.Fails(block(), "source", "url"),
		acctest.Fails(block(`source = "a.jar"`, `url = "https://host/a.jar"`), "url and source exclude each other"),
		acctest.Fails(block(`url = "https://host/a.jar"`), "A url needs the sha256"),
		acctest.Fails(block(`source = "a.jar"`, fmt.Sprintf("sha256 = %q", r.sha(t, "/v1.jar"))), "sha256", "source"),
		acctest.Fails(block(fmt.Sprintf("url = %q", r.URL+"/v2.jar"), fmt.Sprintf("sha256 = %q", r.sha(t, "/v1.jar"))),
			"Cannot upload the jar "+r.URL+"/v2.jar", "instead of", "set sha256 to its hash"),
	)
	if uploads := w.uploads(); uploads != 0 {
		t.Fatalf("%d uploads", uploads)
	}
}

func TestFlow_FlinkJar_AContentUploadedBeforeUnderAnotherNameIsTaken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	file := w.jar(t, "earlier.jar", "1")
	id, _, _, err := lifecycle.UploadJar(t.Context(), w.outsider(t).Client, file, "", "")
	if err != nil {
		t.Fatal(err)
	}
	acctest.RunFake(t, acctest.Apply(w.jarConfig(w.jar(t, "app.jar", "1")), acctest.Is(jarAddress, "id", knownvalue.StringExact(id)), acctest.Outside(w.expectUploads(1))))
}
