// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package diags_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/diags"
)

func TestError_SaysWhyAndWhatToDo(t *testing.T) {
	t.Parallel()
	refused := &rest.TransportError{Where: "GET /config", Read: true, NotSent: true, Err: errors.New("connection refused")}
	tests := map[string]struct {
		err  error
		want []string
	}{
		"401 with a page":     {&rest.Error{Where: "GET /jobs", Status: 401, HTML: true}, []string{"GET /jobs: 401 Unauthorized with an HTML page.", "basic_auth, bearer_token or headers", "environment variables"}},
		"403":                 {&rest.Error{Where: "GET /v1/scopes", Status: 403, Empty: true}, []string{"403 Forbidden without a reason.", "not allowed"}},
		"404 of a proxy":      {&rest.Error{Where: "GET /config", Status: 404, HTML: true}, []string{"path prefix"}},
		"404 of the engine":   {&rest.Error{Where: "GET /jobs/x", Status: 404, Engine: true, Text: "Job x not found"}, []string{"GET /jobs/x: 404 Not Found: Job x not found."}},
		"413":                 {&rest.Error{Where: "POST /jars/upload", Status: 413, HTML: true}, []string{"client_max_body_size"}},
		"502":                 {&rest.Error{Where: "GET /config", Status: 502, HTML: true}, []string{"Nothing is taken for gone"}},
		"503":                 {&rest.Error{Where: "GET /config", Status: 503, HTML: true}, []string{"Nothing is taken for gone"}},
		"refused connection":  {refused, []string{"GET /config: connection refused.", "Nothing was sent", "-refresh=false"}},
		"wrapped":             {fmt.Errorf("read the cluster: %w", refused), []string{"Read the cluster: GET /config", "Nothing was sent"}},
		"refused certificate": {&rest.TransportError{Where: "GET /config", NotSent: true, TLS: true, Err: errors.New("unknown authority")}, []string{"ca_file or ca_pem", "server_name", "client_cert_"}},
		"a read without end":  {&rest.TransportError{Where: "GET /config", Read: true, Err: context.DeadlineExceeded}, []string{"Nothing was changed", "request_timeout"}},
		"503 for the fifth":   {&rest.Error{Where: "GET /config", Status: 503, HTML: true, Tries: 5}, []string{"Nothing is taken for gone", "It was tried 5 times; retry.max_tries"}},
		"a lost answer":       {&rest.TransportError{Where: "POST /run", Err: errors.New("EOF")}, []string{"not known whether the server acted", "Apply again"}},
		"no API":              {&rest.NotAPIError{Where: "GET /config", Status: 200, ContentType: "text/html"}, []string{"200 with text/html instead of JSON.", "a proxy or a login page"}},
		"interrupted":         {&rest.TransportError{Where: "GET /config", Err: context.Canceled}, []string{"interrupted"}},
		"too long":            {fmt.Errorf("wait for job: %w", context.DeadlineExceeded), []string{"Wait for job", "timeouts"}},
		"anything else":       {errors.New("disk full"), []string{"Disk full."}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := diags.Error("Cannot read job \"x\"", test.err)
			if got.Summary() != "Cannot read job \"x\"" {
				t.Errorf("summary %q", got.Summary())
			}
			for _, part := range test.want {
				if !strings.Contains(got.Detail(), part) {
					t.Errorf("%q does not say %q", got.Detail(), part)
				}
			}
			if strings.Contains(got.Detail(), "..") || !strings.HasSuffix(got.Detail(), ".") {
				t.Errorf("%q does not end as a sentence", got.Detail())
			}
		})
	}
}

func TestUnconfigured_NamesTheBlockAndTheVariable(t *testing.T) {
	t.Parallel()
	got := diags.Unconfigured("pravega", "STREAMING_PRAVEGA_ENDPOINT")
	for _, part := range []string{"pravega = { endpoint", "STREAMING_PRAVEGA_ENDPOINT", "No default address"} {
		if !strings.Contains(got.Detail(), part) {
			t.Errorf("%q does not say %q", got.Detail(), part)
		}
	}
}

func TestAtAttribute_NamesWhatTerraformDoesNotShow(t *testing.T) {
	t.Parallel()
	scaling := path.Root("scaling").AtName("target_rate")
	for _, test := range []struct {
		at                     path.Path
		summary, detail, wants string
	}{
		{path.Root("name"), "Not a name", "", "Not a name"},
		{path.Root("configuration").AtMapKey("a"), "Not a duration", "", "Not a duration"},
		{path.Root("tags").AtListIndex(1), "A tag is empty", "", "A tag is empty"},
		{scaling, "Not a number", "", "scaling.target_rate: Not a number"},
		{scaling, "target_rate is missing", "", "scaling.target_rate is missing"},
		{scaling, "scaling.target_rate is missing", "", "scaling.target_rate is missing"},
		{scaling, "Not a number", "Set scaling.target_rate to one.", "Not a number"},
		{path.Root("streams").AtListIndex(0).AtName("topics"), "No topic", "", "streams[0].topics: No topic"},
	} {
		for _, found := range []diag.Diagnostic{diags.AtAttribute(test.at, test.summary, test.detail), diags.WarningAtAttribute(test.at, test.summary, test.detail)} {
			at, ok := found.(diag.DiagnosticWithPath)
			if !ok || !at.Path().Equal(test.at) || found.Summary() != test.wants || found.Detail() != test.detail {
				t.Errorf("%s %q: got %v", test.at, test.summary, found)
			}
		}
	}
}
