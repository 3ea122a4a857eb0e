// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package rest_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
)

func loopback() []net.IP { return []net.IP{net.IPv4(127, 0, 0, 1)} }

// proxied is what came to the proxy that TestMain puts into the environment.
var proxied struct {
	sync.Mutex
	urls []string
}

// TestMain sets a proxy before the first request: net/http reads the
// environment once. Requests to this machine are never sent to a proxy.
func TestMain(m *testing.M) {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		proxied.Lock()
		proxied.urls = append(proxied.urls, r.Method+" "+r.URL.String())
		proxied.Unlock()
		if r.Method == http.MethodConnect {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		status(http.StatusOK, "application/json", `{"A":1}`)(w, r)
	}))
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"} {
		_ = os.Setenv(name, proxy.URL)
	}
	for _, name := range []string{"NO_PROXY", "no_proxy"} {
		_ = os.Setenv(name, "direct.invalid")
	}
	code := m.Run()
	proxy.Close()
	os.Exit(code)
}

func TestProxy_C38_OfTheEnvironmentIsUsed(t *testing.T) {
	t.Parallel()
	var out struct{ A int }
	client := newClient(t, rest.Config{Endpoint: "http://flink.invalid/prod", Retry: rest.Retry{MaxTries: 1}})
	if err := client.Get(t.Context(), &out, "jobs"); err != nil || out.A != 1 {
		t.Errorf("got %d, %v", out.A, err)
	}
	secure := newClient(t, rest.Config{Endpoint: "https://flink.invalid", Retry: rest.Retry{MaxTries: 1}})
	if err := secure.Get(t.Context(), &out, "jobs"); err == nil {
		t.Error("a tunnel that the proxy refused was used")
	}
	direct := newClient(t, rest.Config{Endpoint: "http://direct.invalid", Retry: rest.Retry{MaxTries: 1}})
	if err := direct.Get(t.Context(), &out, "jobs"); err == nil {
		t.Error("a name of NO_PROXY was found")
	}
	proxied.Lock()
	defer proxied.Unlock()
	want := map[string]bool{"GET http://flink.invalid/prod/jobs": true, "CONNECT //flink.invalid:443": true}
	for _, url := range proxied.urls {
		if !want[url] {
			t.Errorf("the proxy saw %s", url)
		}
		delete(want, url)
	}
	for url := range want {
		t.Errorf("the proxy did not see %s", url)
	}
}
