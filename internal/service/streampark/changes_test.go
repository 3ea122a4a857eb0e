// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streampark_test

import (
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
