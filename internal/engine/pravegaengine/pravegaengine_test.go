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
	access := Access{Endpoint: server.URL}
	if err := access.Ready(t.Context()); err == nil {
		t.Error("ready although scopes cannot be listed")
	}
	status = http.StatusOK
	if err := access.Ready(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestTheAnswerIsFoundAmongOtherLines(t *testing.T) {
	t.Parallel()
	if got, err := parseAnswer("WARN something\nANSWER SIZE 1000 2000\n"); err != nil || got != "SIZE 1000 2000" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := parseAnswer("nothing\n"); err == nil {
		t.Error("no error without an answer")
	}
}

func TestASecureServerIsReachedByTLS(t *testing.T) {
	t.Parallel()
	server := Server{
		RunDir: t.TempDir(), Port: 1, ControllerPort: 2, Properties: map[string]string{"controller.retention.frequency.minutes": "1"},
		Secure: &Secure{dir: "/secure", Users: []User{{Name: UserAdmin, Password: "p"}}},
	}
	access := server.Access()
	if access.Endpoint != "https://127.0.0.1:1" || access.ControllerURI != "tls://127.0.0.1:2" || access.CAFile != "/secure/ca.crt" {
		t.Errorf("it is reached by %+v", access)
	}
	spec, err := server.Prepare(javabuild.JDK{Java: "java"})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"-Dsinglenode.security.auth.enable=true", "-Dsinglenode.security.tls.enable=true", "-Dsinglenode.security.auth.credentials.pwd=p",
		"-Dsinglenode.security.tls.trustStore.location=/secure/trust.jks", "-Dcontroller.retention.frequency.minutes=1",
	} {
		if !slices.Contains(spec.Args, want) {
			t.Errorf("no argument %s in %v", want, spec.Args)
		}
	}
}
