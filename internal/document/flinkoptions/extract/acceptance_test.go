// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest/realengine"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/install"
)

// The table of the running engine's version is made again, from its own jars.
func TestAcc_FlinkOptions_TheTablesAreThoseOfTheRealClasses(t *testing.T) {
	t.Parallel()
	transport, err := rest.New(rest.Config{Endpoint: realengine.Variable(t, "STREAMING_FLINK_ENDPOINT")})
	if err != nil {
		t.Fatal(err)
	}
	cluster, err := flink.New(transport).Cluster(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	cache, err := install.DefaultDir()
	if err != nil {
		t.Fatal(err)
	}
	found, err := extract(t.Context(), install.Cache{Dir: cache, Log: t.Output()}, cluster.Version)
	if err != nil {
		t.Fatal(err)
	}
	for folder, want := range map[string][]byte{"tables": found.options, "testdata": found.values} {
		file := filepath.Join("..", folder, cluster.Version+".tsv")
		got, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is stale: run go generate ./internal/document/flinkoptions", file)
		}
	}
}
