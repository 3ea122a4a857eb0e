// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
)

func TestFlow_FlinkJob_BadInputIsAnErrorAtItsAttributeAndLeavesNothing(t *testing.T) {
	t.Parallel()
	checkpointed := `configuration = { "execution.checkpointing.interval" = "1 s" }`
	cases := map[string]struct {
		attributes []string
		words      []string
	}{
		"no entry class":          {[]string{`entry_class = "x.Y"`}, []string{"entry_class = ", "not in the jar"}},
		"main throws":             {[]string{`entry_class = "streaming.jobs.FailingMain"`, args("a")}, []string{"args = ", "main() failed: main failed on purpose"}},
		"no execute":              {[]string{`entry_class = "streaming.jobs.NoExecute"`}, []string{"started no job"}},
		"two executes":            {[]string{`entry_class = "streaming.jobs.TwoExecutes"`}, []string{"execute() more than once"}},
		"too few slots":           {[]string{"parallelism = 50"}, []string{"parallelism = 50", "too few free slots"}},
		"too few slots, restarts": {[]string{"parallelism = 50", checkpointed}, []string{"parallelism = 50", "too few free slots"}},
		"no savepoint":            {[]string{`restore_from = "file:///fake/none"`}, []string{"restore_from = ", "Nothing was started"}},
		"a relative savepoint":    {[]string{`restore_from = "savepoints/x"`}, []string{"restore_from = ", "absolute path"}},
		"a managed option":        {[]string{`configuration = { "pipeline.name" = "x" }`}, []string{"pipeline.name cannot be set here", "Set name instead"}},
		"an internal option":      {[]string{`configuration = { "$internal.pipeline.job-id" = "x" }`}, []string{"cannot be set here"}},
		"parallelism 0":           {[]string{"parallelism = 0"}, []string{"parallelism"}},
		"a wrong state":           {[]string{`state = "stopped"`}, []string{"state", `"running"`, `"suspended"`}},
		"a wrong mode":            {[]string{`upgrade = { mode = "fast" }`}, []string{"upgrade.mode"}},
		"a duration without unit": {[]string{`timeouts = { create = "10" }`}, []string{"timeouts.create", "no unit"}},
		"a compound duration":     {[]string{`timeouts = { create = "1h30m" }`}, []string{"timeouts.create", "unknown unit"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			acctest.RunFake(t, acctest.Fails(w.job(append(c.attributes, named, source(w.jar(t, "v.jar")), cancel)...), c.words...))
			if jobs := w.Live(); len(jobs) > 0 {
				t.Errorf("still live: %+v", jobs)
			}
			if err := w.noOtherJar(""); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestFlow_FlinkJob_AGarbageJarIsAnErrorAtTheJar(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, content := range []string{"", "this is no zip file"} {
		file := w.file(t, "v.jar", content)
		acctest.RunFake(t, acctest.Fails(w.job(named, source(file), cancel), `Cannot create Flink job "counter"`))
	}
	if err := w.noOtherJar(""); err != nil {
		t.Error(err)
	}
}

func TestFlow_FlinkJob_WithoutASavepointDirectoryThePlanFails(t *testing.T) {
	t.Parallel()
	w := newWorld(t, flinkfake.SavepointDir(""))
	file := source(w.jar(t, "app.jar"))
	acctest.RunFake(t,
		acctest.Fails(w.job(named, file), "There is no directory for savepoints", "upgrade.savepoint_directory", "on_destroy"),
		acctest.Fails(w.job(named, file, cancel), "There is no directory for savepoints"),
		acctest.Apply(w.job(named, file, cancel, `upgrade = { mode = "stateless" }`)),
	)
}

func TestFlow_Flink_C36_C40_AnEndpointThatIsNotFlinkIsSaidSo(t *testing.T) {
	t.Parallel()
	servers := map[string]struct {
		handler http.HandlerFunc
		words   []string
	}{
		"a login page": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<html>log in</html>"))
		}, []string{"text/html", "does not lead to the expected API"}},
		"another API": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"hello":"world"}`))
		}, []string{"flink-version", "does not lead to the expected API"}},
		"a web server": {http.NotFound, []string{"404", "not come from the engine"}},
		"no credentials": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusUnauthorized)
		}, []string{"401", "basic_auth"}},
	}
	for name, server := range servers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := httptest.NewServer(server.handler)
			t.Cleanup(s.Close)
			config := acctest.Config{Flink: s.URL}.String() + "data \"streaming_flink_cluster\" \"test\" {}\n"
			acctest.RunFake(t, acctest.Fails(config, append([]string{"Cannot read the Flink cluster"}, server.words...)...))
		})
	}
}

func TestFlow_Flink_C39_C40_AServerThatIsDownIsAnErrorAndNoDrift(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault flinkfake.Fault
		// refused is a server that is not there at all.
		refused bool
		words   []string
	}{
		"503 of a proxy":        {flinkfake.Fault{Kind: flinkfake.ProxyError, Status: http.StatusServiceUnavailable}, false, []string{"503", "Nothing is taken for gone"}},
		"a leader election":     {flinkfake.Fault{Kind: flinkfake.LeaderElection}, false, []string{"503", "leader election"}},
		"a login page":          {flinkfake.Fault{Kind: flinkfake.HTMLLogin}, false, []string{"text/html", "does not lead to the expected API"}},
		"404 of a web server":   {flinkfake.Fault{Kind: flinkfake.ProxyError, Status: http.StatusNotFound}, false, []string{"404", "not come from the engine"}},
		"no answer":             {flinkfake.Fault{Kind: flinkfake.Unsent}, false, []string{"GET /jobs/", "connection reset", "Nothing was changed"}},
		"nothing listens there": {flinkfake.Fault{}, true, []string{"connection refused"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			down, up := func() {
				c.fault.Path, c.fault.Times = ".*", -1
				w.Inject(c.fault)
			}, w.ClearFaults
			if c.refused {
				f := w.behind(t, "")
				down, up = f.Close, func() { f.again(t) }
			}
			config := w.job(named, source(w.jar(t, "app.jar")), cancel)
			acctest.RunFake(t,
				acctest.Apply(config),
				resource.TestStep{PreConfig: down, Config: config, ExpectError: acctest.InOrder(append([]string{`Cannot read Flink job "counter"`}, c.words...)...)},
				resource.TestStep{PreConfig: up, Config: config, ConfigPlanChecks: acctest.Noop("").ConfigPlanChecks, ConfigStateChecks: []statecheck.StateCheck{acctest.Outside(w.onlyFirst(1))}},
			)
		})
	}
}

// A cluster behind a proxy, below a path.
func TestFlow_FlinkJob_C35_ThePrefixOfAnEndpointIsKept(t *testing.T) {
	t.Parallel()
	for _, slash := range []string{"", "/"} {
		t.Run("with "+slash+" at its end", func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			f := w.behind(t, "/flink/prod")
			file := source(w.jar(t, "app.jar"))
			config := func(attributes ...string) string {
				return acctest.Config{Owner: owner, Flink: w.URL() + slash}.String() + resourceBlock("streaming_flink_job", append(attributes, named, file, cancel)...)
			}
			acctest.RunFake(t,
				acctest.Apply(config(), acctest.Is(jobAddress, "cluster", knownvalue.StringExact(w.URL())), acctest.Is(jobAddress, "job_id", knownvalue.StringExact(w.id(1)))),
				acctest.Apply(config(args("--plain")), acctest.Outside(w.restoredOnce(1))),
			)
			for _, path := range f.asked() {
				if !strings.HasPrefix(path, "/flink/prod/") || strings.Contains(path, "//") {
					t.Errorf("asked for %s", path)
				}
			}
		})
	}
	w := newWorld(t)
	acctest.RunFake(t, acctest.Fails(acctest.Config{Flink: w.URL() + "/?token=a"}.String()+"data \"streaming_flink_cluster\" \"test\" {}\n", "endpoint has a query"))
}

func TestFlow_Flink_WithoutAnEndpointOnlyWhatNeedsItFails(t *testing.T) {
	t.Parallel()
	acctest.RunFake(t,
		acctest.Apply("provider \"streaming\" {}\n\nresource \"terraform_data\" \"test\" {}\n"),
		acctest.Fails("provider \"streaming\" {}\n\ndata \"streaming_flink_cluster\" \"test\" {}\n", "No flink endpoint is configured", "STREAMING_FLINK_ENDPOINT"),
	)
}

func TestFlow_FlinkCluster_TellsVersionSlotsAndDirectories(t *testing.T) {
	t.Parallel()
	w := newWorld(t, flinkfake.Slots(6))
	config := w.provider() + "data \"streaming_flink_cluster\" \"test\" {}\n"
	address := "data.streaming_flink_cluster.test"
	acctest.RunFake(t, acctest.Apply(config,
		acctest.Is(address, "version", knownvalue.StringExact("2.3.0")),
		acctest.Is(address, "slots_total", knownvalue.Int64Exact(6)),
		acctest.Is(address, "slots_available", knownvalue.Int64Exact(6)),
		acctest.Is(address, "submission_enabled", knownvalue.Bool(true)),
		acctest.Is(address, "adaptive_scheduler", knownvalue.Bool(false)),
		acctest.Is(address, "savepoint_directory", knownvalue.NotNull()),
		acctest.Is(address, "checkpoint_directory", knownvalue.NotNull()),
		acctest.Is(address, "id", knownvalue.StringExact(w.URL())),
	))
}

func TestFlow_FlinkJob_C32_AnUploadThatAProxyRefusesIsSaidSoWithoutItsPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Inject(flinkfake.Fault{Method: http.MethodPost, Path: "/jars/upload", Times: -1, Kind: flinkfake.ProxyError, Status: http.StatusRequestEntityTooLarge})
	err := "413"
	acctest.RunFake(t, acctest.Fails(w.jarConfig(w.jar(t, "app.jar")), "Cannot upload the jar", err, "client_max_body_size"))
	uploads := 0
	for _, request := range w.Requests() {
		if strings.HasSuffix(request.Path, "/jars/upload") {
			uploads++
		}
	}
	if uploads != 1 {
		t.Error(fmt.Errorf("a refused upload was sent %d times", uploads))
	}
}

// The adaptive scheduler accepts what it then fails, and lists no exception.
func TestFlow_FlinkJob_AnAdaptiveClusterTellsWhyAJobDidNotStart(t *testing.T) {
	t.Parallel()
	w := newWorld(t, flinkfake.Scheduler("Adaptive"))
	file := source(w.jar(t, "app.jar"))
	savepoint := w.savepoint(t)
	acctest.RunFake(t, acctest.Fails(
		w.job(named, file, cancel, args("--plain", "--uid", "other"), fmt.Sprintf("restore_from = %q", savepoint)),
		`Cannot create Flink job "counter"`, "does not fit the program", "allow_non_restored_state"))
}
