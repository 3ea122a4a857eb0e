// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package acctest

import (
	"slices"
	"testing"
)

func TestOfProvider_AreTheVariablesThatStandForAConfiguration(t *testing.T) {
	t.Parallel()
	got := ofProvider([]string{
		"PATH=/bin", "STREAMING_OWNER=me", "STREAMING_FLINK_PYTHON_JAR=/opt/flink-python.jar", "STREAMING_FAULTS=all", "STREAMING_PRAVEGA_PASSWORD=a=b",
		"STREAMING_SQL_GATEWAY_ENDPOINT=http://localhost", "STREAMING_ENGINE_DIR=/d", "STREAMING_FLINK_ENDPOINT=", "TFC_WORKSPACE_SLUG=o/w",
	})
	want := []string{
		"STREAMING_OWNER", "STREAMING_FLINK_PYTHON_JAR", "STREAMING_PRAVEGA_PASSWORD", "STREAMING_SQL_GATEWAY_ENDPOINT", "STREAMING_FLINK_ENDPOINT", "TFC_WORKSPACE_SLUG",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}
