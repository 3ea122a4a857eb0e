// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"strings"
	"testing"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
)

func TestIsStrict_IsForFlink114AndEarlier(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]bool{
		"1.14.3": true, "1.14-SNAPSHOT": true, "1.14": true, "1.140.0": false, "1.9.0": true, "1.13.6": true, "1.15.0": false, "1.20.5": false, "2.0.0": false, "2.3.0": false, "": false, "x": false,
	} {
		if got := flink.IsStrict(version); got != want {
			t.Errorf("%q: %t", version, got)
		}
	}
}

func connect(t *testing.T, version string) (*flinkfake.Server, *flink.Client) {
	t.Helper()
	fake := flinkfake.New(flinkfake.Version(version))
	t.Cleanup(fake.Close)
	transport, err := rest.New(rest.Config{Endpoint: fake.URL(), Retry: rest.Retry{MaxTries: 1, MinWait: time.Millisecond, MaxWait: time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(transport.Close)
	return fake, flink.New(transport)
}

func asked(fake *flinkfake.Server, suffix string) int {
	n := 0
	for _, request := range fake.Requests() {
		if strings.HasSuffix(request.Path, suffix) {
			n++
		}
	}
	return n
}

func TestClient_AsksForTheVersionOnce(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]bool{"1.14.3": true, "2.3.0": false} {
		fake, client := connect(t, version)
		for range 3 {
			strict, err := client.Strict(t.Context())
			if err != nil || strict != want {
				t.Fatalf("%s: strict %t, %v", version, strict, err)
			}
		}
		if n := asked(fake, "/config"); n != 1 {
			t.Errorf("%s: asked %d times", version, n)
		}
	}
}

func TestClient_TheStateOfAJobToldTheVersion(t *testing.T) {
	t.Parallel()
	const id = "00112233445566778899aabbccddeeff"
	for version, wanted := range map[string]struct{ status, overview, config int }{
		// Without the route, the list of jobs tells, and is asked at once from then on.
		"1.14.3": {1, 2, 1},
		// What has the route is no strict cluster.
		"2.3.0": {2, 0, 0},
	} {
		fake, client := connect(t, version)
		if _, err := fake.SubmitJob(flinkfake.Graph{Rate: 1, Operators: []flinkfake.Operator{{Name: "source", UID: "source"}}}, map[string]string{"$internal.pipeline.job-id": id}); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			state, known, err := client.Status(t.Context(), id)
			if err != nil || !known || state.Terminal() || state == "" {
				t.Fatalf("%s: state %q, %t, %v", version, state, known, err)
			}
		}
		if strict, err := client.Strict(t.Context()); err != nil || strict != (version == "1.14.3") {
			t.Errorf("%s: strict %t, %v", version, strict, err)
		}
		if status, overview, config := asked(fake, "/status"), asked(fake, "/jobs/overview"), asked(fake, "/config"); status != wanted.status || overview != wanted.overview || config != wanted.config {
			t.Errorf("%s: asked %d, %d and %d times", version, status, overview, config)
		}
	}
}

func TestClient_AnUnknownJobIsUnknownInEachVersion(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"1.14.3", "1.20.5", "2.3.0"} {
		_, client := connect(t, version)
		if state, known, err := client.Status(t.Context(), "00112233445566778899aabbccddeeff"); err != nil || known || state != "" {
			t.Errorf("%s: state %q, %t, %v", version, state, known, err)
		}
	}
}
