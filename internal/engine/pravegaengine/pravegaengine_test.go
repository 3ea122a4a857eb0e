// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravegaengine

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/javabuild"
)

func TestTheProjectFileNamesTheVersion(t *testing.T) {
	t.Parallel()
	want := "<artifactId>pravega-standalone</artifactId>\n      <version>" + Version + "</version>"
	if !strings.Contains(string(pom), want) {
		t.Fatalf("pom.xml does not name version %s", Version)
	}
}

func TestEveryPortIsHandedToTheServer(t *testing.T) {
	t.Parallel()
	server := Server{
		RunDir: t.TempDir(), Port: 1, ControllerPort: 2, ZooKeeperPort: 3, SegmentStorePort: 4, AdminPort: 5, ListenerPort: 6,
	}
	spec, err := server.Prepare(javabuild.JDK{Java: "java"})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"-Dsinglenode.controller.rest.port=1", "-Dsinglenode.controller.rpc.port=2", "-Dsinglenode.zk.port=3",
		"-Dsinglenode.segmentStore.port=4", "-Dsinglenode.admin.gateway.port=5", "-Dpravegaservice.rest.listener.port=6",
	} {
		if !slices.Contains(spec.Args, want) {
			t.Errorf("no argument %s in %v", want, spec.Args)
		}
	}
}

func TestAPingAloneIsNotReady(t *testing.T) {
	t.Parallel()
	status := http.StatusInternalServerError
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/scopes" {
			w.WriteHeader(status)
		}
	}))
	defer server.Close()
	if err := Ready(t.Context(), server.URL); err == nil {
		t.Error("ready although scopes cannot be listed")
	}
	status = http.StatusOK
	if err := Ready(t.Context(), server.URL); err != nil {
		t.Error(err)
	}
}

func TestTheCountIsFoundAmongOtherLines(t *testing.T) {
	t.Parallel()
	if got, err := parseEvents("WARN something\nEVENTS 42\n"); err != nil || got != 42 {
		t.Errorf("%d, %v", got, err)
	}
	if _, err := parseEvents("nothing\n"); err == nil {
		t.Error("no error without a count")
	}
}
