// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package rest_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
)

func toText(value any) string { return fmt.Sprint(value) }

func TestNew_C35_C36_RefusesWhatIsNoEndpoint(t *testing.T) {
	t.Parallel()
	for endpoint, want := range map[string]string{
		"":                           "no http or https scheme",
		"localhost:8081":             "no http or https scheme",
		"flink.example.com":          "no http or https scheme",
		"ftp://flink":                "no http or https scheme",
		"http://":                    "no host",
		"http:flink":                 "no host",
		"http://flink/?a=b":          "a query or a fragment",
		"http://flink/?":             "a query or a fragment",
		"http://flink/#jobs":         "a query or a fragment",
		"http://user:hunter2@flink":  "user name or password",
		"http://hunter2@flink":       "user name or password",
		"http://user:hunter2@fl ink": "not a URL",
		"http://flink:hunter2":       "not a URL",
		"http://flink/%zz":           "not a URL",
	} {
		_, err := rest.New(rest.Config{Endpoint: endpoint})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want an error with %q", endpoint, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: the error repeats the password: %v", endpoint, err)
		}
	}
}

func TestNormalizeEndpoint_C35_GivesOneSpelling(t *testing.T) {
	t.Parallel()
	for endpoint, want := range map[string]string{
		"http://flink:8081":              "http://flink:8081",
		"http://flink:8081/":             "http://flink:8081",
		"HTTP://Flink:8081//":            "http://flink:8081",
		"https://host/flink/Prod/":       "https://host/flink/Prod",
		"https://host/a%2Fb/":            "https://host/a%2Fb",
		"http://[::1]:8081/":             "http://[::1]:8081",
		"https://user-less.example.com/": "https://user-less.example.com",
	} {
		got, err := rest.NormalizeEndpoint(endpoint)
		if err != nil || got != want {
			t.Errorf("%q: got %q, %v; want %q", endpoint, got, err, want)
		}
		if spaced, err := rest.NormalizeEndpoint(" " + endpoint + "\n"); err != nil || spaced != want {
			t.Errorf("%q with space around it: got %q, %v; want %q", endpoint, spaced, err, want)
		}
	}
}

func TestNew_C36_RefusesCredentialsThatCannotBeSent(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		config rest.Config
		want   string
	}{
		"two kinds":                 {rest.Config{BasicAuth: &rest.BasicAuth{Username: "u"}, BearerToken: "t0ken"}, "exclude each other"},
		"user name with a colon":    {rest.Config{BasicAuth: &rest.BasicAuth{Username: "a:b", Password: "hunter2"}}, "colon"},
		"user name with line break": {rest.Config{BasicAuth: &rest.BasicAuth{Username: "a\n", Password: "hunter2"}}, "the user name holds a line break"},
		"password with line break":  {rest.Config{BasicAuth: &rest.BasicAuth{Username: "a", Password: "hunter2\n"}}, "the password holds a line break"},
		"token with line break":     {rest.Config{BearerToken: "t0ken\n"}, "bearer_token holds a line break"},
		"header with line break":    {rest.Config{Headers: map[string]string{"X-A": "hunter2\r\nX-B: c"}}, "the value of X-A holds a line break"},
		"header without a name":     {rest.Config{Headers: map[string]string{"": "hunter2"}}, "is not a header's name"},
		"header's name with spaces": {rest.Config{Headers: map[string]string{"X A": "hunter2"}}, "is not a header's name"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test.config.Endpoint = "http://flink"
			_, err := rest.New(test.config)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("got %v, want an error with %q", err, test.want)
			}
			if strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "t0ken") {
				t.Errorf("the error repeats a secret: %v", err)
			}
		})
	}
}

// seen is a server that keeps each request's path and headers.
func seen(t *testing.T, answer http.HandlerFunc) (endpoint string, last func() *http.Request) {
	t.Helper()
	requests := make(chan *http.Request, 100)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests <- r.Clone(context.WithoutCancel(r.Context()))
		answer(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL, func() *http.Request {
		t.Helper()
		select {
		case r := <-requests:
			return r
		default:
			t.Fatal("no request came")
			return nil
		}
	}
}

func TestPath_C35_KeepsThePrefixAndEscapesEachElement(t *testing.T) {
	t.Parallel()
	endpoint, last := seen(t, status(200, "application/json", "{}"))
	tests := map[string]struct {
		prefix string
		path   []string
		want   string
	}{
		"no prefix":              {"", []string{"jars", "upload"}, "/jars/upload"},
		"prefix":                 {"/flink/prod", []string{"jars", "upload"}, "/flink/prod/jars/upload"},
		"prefix with slash":      {"/flink/prod/", []string{"jars", "upload"}, "/flink/prod/jars/upload"},
		"prefix with escapes":    {"/a%2Fb", []string{"jobs"}, "/a%2Fb/jobs"},
		"slash in an element":    {"/p", []string{"scopes", "a/b"}, "/p/scopes/a%2Fb"},
		"dots":                   {"", []string{"scopes", "..", "streams", "."}, "/scopes/%2E%2E/streams/%2E"},
		"dots in a name":         {"", []string{"jars", "a..jar"}, "/jars/a..jar"},
		"space":                  {"", []string{"jobs", "a b"}, "/jobs/a%20b"},
		"percent":                {"", []string{"jobs", "50%25"}, "/jobs/50%2525"},
		"question mark":          {"", []string{"jobs", "a?b#c"}, "/jobs/a%3Fb%23c"},
		"not ASCII":              {"", []string{"jobs", "ü"}, "/jobs/%C3%BC"},
		"semicolon and plus":     {"", []string{"jobs", "a;b+c"}, "/jobs/a%3Bb+c"},
		"prefix and odd element": {"/x%20y", []string{"a/b"}, "/x%20y/a%2Fb"},
	}
	for name, test := range tests {
		client := newClient(t, rest.Config{Endpoint: endpoint + test.prefix})
		if err := client.Get(t.Context(), nil, test.path...); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := last().RequestURI; got != test.want {
			t.Errorf("%s: got %s, want %s", name, got, test.want)
		}
	}
}

// An id that got lost must not become another route: a controller that asked
// for /jobs//exceptions got 400 for ever.
func TestPath_C41_WithAnEmptyElementIsNotSent(t *testing.T) {
	t.Parallel()
	handler := &answers{}
	server := httptest.NewServer(handler)
	defer server.Close()
	client := newClient(t, rest.Config{Endpoint: server.URL})
	for _, path := range [][]string{{"jobs", ""}, {"jobs", "", "exceptions"}, {""}} {
		err := client.Get(t.Context(), nil, path...)
		if err == nil || !strings.Contains(err.Error(), "nothing was sent") || rest.OutcomeUnknown(err) {
			t.Errorf("%q: got %v", path, err)
		}
	}
	if handler.requests() != 0 {
		t.Errorf("%d requests were sent", handler.requests())
	}
}

func TestQuery_IsEncoded(t *testing.T) {
	t.Parallel()
	endpoint, last := seen(t, status(200, "application/json", "{}"))
	client := newClient(t, rest.Config{Endpoint: endpoint})
	_, err := client.Do(t.Context(), rest.Request{Method: http.MethodGet, Path: []string{"x"}, Query: url.Values{"a": {"b c&d"}}})
	if err != nil {
		t.Fatal(err)
	}
	if got := last().RequestURI; got != "/x?a=b+c%26d" {
		t.Errorf("got %s", got)
	}
}

func TestCredentials_C36_AreSentWithEachRequest(t *testing.T) {
	t.Parallel()
	endpoint, last := seen(t, status(200, "application/json", "{}"))
	tests := map[string]struct {
		config rest.Config
		check  func(*http.Request) bool
	}{
		"basic, with odd characters": {
			rest.Config{BasicAuth: &rest.BasicAuth{Username: "ü@x", Password: "a:b%c@d/é"}},
			func(r *http.Request) bool {
				user, password, ok := r.BasicAuth()
				return ok && user == "ü@x" && password == "a:b%c@d/é"
			},
		},
		"bearer":     {rest.Config{BearerToken: "abc"}, func(r *http.Request) bool { return r.Header.Get("Authorization") == "Bearer abc" }},
		"headers":    {rest.Config{Headers: map[string]string{"X-Team": "a"}}, func(r *http.Request) bool { return r.Header.Get("X-Team") == "a" }},
		"user agent": {rest.Config{UserAgent: "me/1"}, func(r *http.Request) bool { return r.UserAgent() == "me/1" }},
		"none":       {rest.Config{}, func(r *http.Request) bool { return r.Header.Get("Authorization") == "" }},
	}
	for name, test := range tests {
		test.config.Endpoint = endpoint
		if err := newClient(t, test.config).Get(t.Context(), nil, "x"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !test.check(last()) {
			t.Errorf("%s: not as configured", name)
		}
	}
}
