// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package acctest_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
)

// retrying is a provider block with this retry for Flink.
func retrying(endpoint, retry string) string {
	return fmt.Sprintf("provider \"streaming\" {\n  owner = \"team-a/test\"\n  flink = {\n    endpoint = %q\n    retry = { %s }\n  }\n}\n\n", endpoint, retry)
}

// asked counts the requests of a method whose path ends so.
func asked(s *flinkfake.Server, method, end string) int {
	n := 0
	for _, request := range s.Requests() {
		if request.Method == method && strings.HasSuffix(request.Path, end) {
			n++
		}
	}
	return n
}

// untilAnswered counts the requests to /config before the next one of the data
// source's. Terraform looks again after a success.
func untilAnswered(s *flinkfake.Server) int {
	for i, request := range s.Requests() {
		if request.Path != "/config" {
			return i
		}
	}
	return len(s.Requests())
}

func TestFlow_Provider_RetryRepeatsAReadUntilItIsAnsweredOrGivenUp(t *testing.T) {
	t.Parallel()
	const cluster = "data \"streaming_flink_cluster\" \"x\" {}\n"
	busy := flinkfake.Fault{Method: http.MethodGet, Path: "/config$", Kind: flinkfake.ProxyError, Status: http.StatusServiceUnavailable}
	cases := map[string]struct {
		retry    string
		times    int
		requests int
		fails    []string
	}{
		"answered at last":      {`max_tries = 4, min_wait = "1 ms", max_wait = "2 ms"`, 3, 4, nil},
		"given up":              {`max_tries = 3, min_wait = "1 ms", max_wait = "2 ms"`, 3, 3, []string{"Cannot read the Flink cluster", "503", "It was tried 3 times", "retry.max_tries, min_wait and max_wait"}},
		"not repeated":          {`max_tries = 1`, 1, 1, []string{"Cannot read the Flink cluster", "503", "Nothing is taken for gone"}},
		"only max_wait is said": {`max_tries = 3, max_wait = "2 ms"`, 2, 3, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fake := flinkfake.New()
			t.Cleanup(fake.Close)
			busy := busy
			busy.Times = c.times
			fake.Inject(busy)
			step := resource.TestStep{Config: retrying(fake.URL(), c.retry) + cluster}
			if c.fails != nil {
				step.ExpectError = acctest.InOrder(c.fails...)
			}
			acctest.RunFake(t, step)
			if n := untilAnswered(fake); n != c.requests {
				t.Errorf("%d requests instead of %d", n, c.requests)
			}
		})
	}
}

// A gateway's 503 may hide an executed POST: it is never sent again for it,
// however much patience is configured. Flink's own refusal while it elects a
// leader is another thing.
func TestFlow_Provider_RetryNeverRepeatsASubmissionThatMayHaveBeenExecuted(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		fault    flinkfake.Fault
		requests int
	}{
		"executed, and a proxy says 503":   {flinkfake.Fault{Kind: flinkfake.ProxyError, Status: http.StatusServiceUnavailable, Executed: true}, 1},
		"executed, and the answer is lost": {flinkfake.Fault{Kind: flinkfake.LostAnswer}, 1},
		"refused in an election, twice":    {flinkfake.Fault{Kind: flinkfake.LeaderElection, Times: 2}, 3},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fake := flinkfake.New()
			t.Cleanup(fake.Close)
			file := filepath.Join(t.TempDir(), "app.jar")
			if err := os.WriteFile(file, flinkfake.Jar("streaming.jobs.Counter"), 0o600); err != nil {
				t.Fatal(err)
			}
			c.fault.Method, c.fault.Path = http.MethodPost, "/run$"
			fake.Inject(c.fault)
			job := fmt.Sprintf("resource \"streaming_flink_job\" \"x\" {\n  name = \"x\"\n  jar = { source = %q }\n  on_destroy = \"cancel\"\n}\n", file)
			acctest.RunFake(t, acctest.Apply(retrying(fake.URL(), `max_tries = 10, min_wait = "1 ms", max_wait = "2 ms"`)+job))
			if n := asked(fake, http.MethodPost, "/run"); n != c.requests {
				t.Errorf("the job was submitted %d times instead of %d", n, c.requests)
			}
			if n := len(fake.Jobs()); n != 1 {
				t.Errorf("%d jobs instead of one", n)
			}
		})
	}
}

func TestFlow_Provider_RetryOutOfItsLimitsIsRefusedAtValidate(t *testing.T) {
	t.Parallel()
	const cluster = "data \"streaming_flink_cluster\" \"x\" {}\n"
	config := func(retry string) string { return retrying("http://flink:8081", retry) + cluster }
	acctest.RunFake(t,
		acctest.Fails(config("max_tries = 0"), "flink.retry.max_tries cannot be", "from 1 to 100"),
		acctest.Fails(config("max_tries = 101"), "flink.retry.max_tries cannot be", "from 1 to 100"),
		acctest.Fails(config(`min_wait = "5"`), "Not a duration", "flink.retry.min_wait", "one unit"),
		acctest.Fails(config(`min_wait = "0 s"`), "flink.retry.min_wait", "from 1 ms to 10 min"),
		acctest.Fails(config(`max_wait = "1 h"`), "flink.retry.max_wait", "from 1 ms to 10 min"),
		acctest.Fails(config(`min_wait = "2 s", max_wait = "1000 ms"`), "flink.retry.min_wait is longer than flink.retry.max_wait", "Raise max_wait"),
	)
}
