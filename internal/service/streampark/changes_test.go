// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streampark_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/streampark"
)

func TestChanges_FitTheSchema(t *testing.T) {
	t.Parallel()
	var response resource.SchemaResponse
	streampark.NewJobResource().Schema(t.Context(), resource.SchemaRequest{}, &response)
	for _, problem := range streampark.Changes()[streampark.JobType].Check(response.Schema) {
		t.Error(problem)
	}
}

// What is wrong with StreamPark's console is none of this provider's concern, as
// long as it does not use it.
func TestSchema_C81_C82_C85_SaysThatTheConsoleIsNotUsed(t *testing.T) {
	t.Parallel()
	var response resource.SchemaResponse
	streampark.NewJobResource().Schema(t.Context(), resource.SchemaRequest{}, &response)
	for _, words := range []string{"StreamPark's console is not used", "takes a job for failed which runs", "states that nobody knows", "tells no id of what it made"} {
		if !strings.Contains(response.Schema.MarkdownDescription, words) {
			t.Errorf("%q is not said", words)
		}
	}
}
