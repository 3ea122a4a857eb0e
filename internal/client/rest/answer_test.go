// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package rest_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
)

// redirectTo answers each request with a redirect.
func redirectTo(code int, location func() string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", location())
		w.WriteHeader(code)
	}
}

func secretive(endpoint string) rest.Config {
	return rest.Config{
		Endpoint:  endpoint,
		BasicAuth: &rest.BasicAuth{Username: "u", Password: "hunter2"},
		Headers:   map[string]string{"X-Api-Key": "hunter2"},
	}
}

func TestRedirect_C36_ToAnotherHostIsNotFollowed(t *testing.T) {
	t.Parallel()
	var reached bool
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		reached = true
		status(200, "application/json", "{}")(w, nil)
	}))
	defer other.Close()
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
		for _, code := range []int{301, 302, 303, 307, 308} {
			server := httptest.NewServer(redirectTo(code, func() string { return other.URL + "/x?token=hunter2" }))
			_, err := newClient(t, secretive(server.URL)).Do(t.Context(), rest.Request{Method: method, Path: []string{"x"}})
			server.Close()
			if rest.StatusOf(err) != code {
				t.Errorf("%s, %d: got %v", method, code, err)
				continue
			}
			if !strings.Contains(err.Error(), "redirects to another place") || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%s, %d: the error says %q", method, code, err)
			}
		}
	}
	if reached {
		t.Error("a request, and with it the credentials, reached another host")
	}
}

func TestRedirect_OnTheSameHostIsFollowedByReadsAlone(t *testing.T) {
	t.Parallel()
	var moved []string
	mux := http.NewServeMux()
	mux.HandleFunc("/moved/", func(w http.ResponseWriter, r *http.Request) {
		_, password, _ := r.BasicAuth()
		moved = append(moved, r.Method+" "+password+" "+r.Header.Get("X-Api-Key"))
		status(200, "application/json", "{}")(w, r)
	})
	mux.Handle("/", redirectTo(http.StatusTemporaryRedirect, func() string { return "/moved/x" }))
	server := httptest.NewServer(mux)
	defer server.Close()
	client := newClient(t, secretive(server.URL))

	if err := client.Get(t.Context(), nil, "x"); err != nil {
		t.Errorf("GET: %v", err)
	}
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		_, err := client.Do(t.Context(), rest.Request{Method: method, Path: []string{"x"}, Body: map[string]string{"a": "b"}})
		if rest.StatusOf(err) != http.StatusTemporaryRedirect {
			t.Errorf("%s: got %v, want the redirect itself", method, err)
		}
	}
	if len(moved) != 1 || moved[0] != "GET hunter2 hunter2" {
		t.Errorf("the other place saw %q, want one GET with the credentials", moved)
	}
}

func TestRedirect_IsNotFollowedFromHTTPSToHTTP(t *testing.T) {
	t.Parallel()
	var server *httptest.Server
	server = httptest.NewTLSServer(redirectTo(http.StatusFound, func() string {
		return strings.Replace(server.URL, "https:", "http:", 1) + "/x"
	}))
	defer server.Close()
	config := secretive(server.URL)
	config.TLS.InsecureSkipVerify = true
	if err := newClient(t, config).Get(t.Context(), nil, "x"); rest.StatusOf(err) != http.StatusFound {
		t.Errorf("got %v, want the redirect itself", err)
	}
}

func TestRedirect_InACircleEnds(t *testing.T) {
	t.Parallel()
	handler := &answers{list: times(100, func(w http.ResponseWriter, r *http.Request) {
		redirectTo(http.StatusFound, func() string { return "/again" })(w, r)
	})}
	server := httptest.NewServer(handler)
	defer server.Close()
	err := newClient(t, rest.Config{Endpoint: server.URL}).Get(t.Context(), nil, "x")
	if rest.StatusOf(err) != http.StatusFound || handler.requests() > 5 {
		t.Errorf("got %v after %d requests", err, handler.requests())
	}
}

func TestAnswer_C40_IsToldApart(t *testing.T) {
	t.Parallel()
	const login = "<!DOCTYPE html><html><body>Sign in, hunter2</body></html>"
	tests := map[string]struct {
		code              int
		contentType, body string
		engine            bool   // of an *Error
		want              string // part of the error's text; "" means success
		notAPI            bool
	}{
		"JSON":                               {200, "application/json; charset=UTF-8", `{"a":1}`, false, "", false},
		"JSON without a content type":        {200, "", `{"a":1}`, false, "", false},
		"login page with 200":                {200, "text/html", login, false, "200 with text/html instead of JSON", true},
		"login page without its type":        {200, "", login, false, "not the expected JSON", true},
		"login page that calls itself JSON":  {200, "application/json", login, false, "not the expected JSON", true},
		"empty 200":                          {200, "application/json", "", false, "an empty body instead of JSON", true},
		"204 where JSON is due":              {204, "", "", false, "an empty body instead of JSON", true},
		"cut JSON":                           {200, "application/json", `{"a":`, false, "not the expected JSON", true},
		"other JSON":                         {200, "application/json", `[1]`, false, "not the expected JSON", true},
		"401 with a page":                    {401, "text/html", login, false, "401 Unauthorized with an HTML page", false},
		"401 without anything":               {401, "", "", false, "401 Unauthorized without a reason", false},
		"403 with text":                      {403, "text/plain", "no access\n", false, "403 Forbidden: no access", false},
		"404 of Flink":                       {404, "application/json", `{"errors":["org.apache.flink.runtime.rest.NotFoundException: Job x not found"]}`, true, "404 Not Found: Job x not found", false},
		"404 of a proxy":                     {404, "text/html", "<html>404</html>", false, "404 Not Found with an HTML page", false},
		"404 of another JSON API":            {404, "application/json", `{"errors":[]}`, false, `404 Not Found: {"errors":[]}`, false},
		"500 with a trace":                   {500, "application/json", `{"errors":["Internal server error.","<Exception on server side:\njava.io.IOException: disk full\n\tat x\n\nEnd of exception on server side>"]}`, true, "500 Internal Server Error: IOException: disk full", false},
		"413 of nginx":                       {413, "text/html", "<html>413</html>", false, "413 Request Entity Too Large with an HTML page", false},
		"redirect without a place":           {302, "", "", false, "302 Found without a reason", false},
		"a status that has no name":          {299, "application/json", `{"a":1}`, false, "", false},
		"an error status that has no name":   {599, "", "", false, "599 without a reason", false},
		"500 of Pravega with its error page": {500, "text/html", "<html><head><title>Grizzly</title></head><body>Request failed.</body></html>", false, "500 Internal Server Error with an HTML page", false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(bare(test.code, test.contentType, test.body))
			defer server.Close()
			var out struct{ A int }
			err := newClient(t, rest.Config{Endpoint: server.URL}).Get(t.Context(), &out, "x")
			if test.want == "" {
				if err != nil || out.A != 1 {
					t.Fatalf("got %d, %v", out.A, err)
				}
				return
			}
			if err == nil || !strings.HasPrefix(err.Error(), "GET /x: ") || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("got %v, want an error with %q", err, test.want)
			}
			if strings.Contains(err.Error(), "hunter2") {
				t.Errorf("the error repeats the page: %v", err)
			}
			if _, ok := errors.AsType[*rest.NotAPIError](err); ok != test.notAPI {
				t.Errorf("NotAPIError: %v, want %v", ok, test.notAPI)
			}
			answer, ok := errors.AsType[*rest.Error](err)
			if ok == test.notAPI || (ok && answer.Engine != test.engine) {
				t.Errorf("got %#v", err)
			}
		})
	}
}

// bare sets the content type also when it is empty, which net/http would guess.
func bare(code int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"] = nil
		if contentType != "" {
			w.Header().Set("Content-Type", contentType)
		}
		w.WriteHeader(code)
		_, _ = w.Write([]byte(body))
	}
}

func TestAccept_MakesAStatusNoError(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(bare(http.StatusNotFound, "", ""))
	defer server.Close()
	got, err := newClient(t, rest.Config{Endpoint: server.URL}).Do(t.Context(), rest.Request{
		Method: http.MethodDelete, Path: []string{"x"}, Accept: []int{http.StatusNotFound},
	})
	if got != http.StatusNotFound || err != nil {
		t.Errorf("got %d, %v", got, err)
	}
}
