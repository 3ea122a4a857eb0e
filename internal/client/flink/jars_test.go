// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
)

// Flink 2 drops arguments in the query of a request, and the older programArgs
// loses their quotes.
func TestRunJar_EachArgumentIsAnItemOfTheBody(t *testing.T) {
	t.Parallel()
	args := []string{"--name", `two "words", 'quoted'`, "--password", "user#123", "--empty", ""}
	var query string
	var body map[string]json.RawMessage
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query = r.URL.RawQuery
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		_, _ = w.Write([]byte(`{"jobid": "0123456789abcdef0123456789abcdef"}`))
	}))
	defer server.Close()
	client, err := rest.New(rest.Config{Endpoint: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := flink.New(client).RunJar(t.Context(), "a.jar", flink.RunRequest{ProgramArgsList: args}); err != nil {
		t.Fatal(err)
	}
	if query != "" || len(body) != 1 {
		t.Errorf("the query %q and the body %v beside the arguments", query, body)
	}
	var got []string
	if err := json.Unmarshal(body["programArgsList"], &got); err != nil || !slices.Equal(got, args) {
		t.Errorf("%q arrived as %q: %v", args, got, err)
	}
}
