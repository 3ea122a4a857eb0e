// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Command coverage writes the page of the docs that lists each documented
// option of the engines.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/coverage"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/dagger"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/groot"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/pravegaspark"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/pyflink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/streampark"
)

func main() {
	log.SetFlags(0)
	out := flag.String("out", filepath.Join("docs", "guides", "coverage.md"), "file to write")
	flag.Parse()
	if err := write(*out); err != nil {
		log.Fatalf("coverage: %v", err)
	}
}

// documents are those whose options the provider has attributes for.
func documents() []coverage.Document {
	return []coverage.Document{pravegaspark.Coverage(), pyflink.Coverage(), groot.Coverage(), streampark.Coverage(), dagger.Coverage()}
}

func write(out string) error {
	if err := os.MkdirAll(filepath.Dir(out), 0o750); err != nil {
		return fmt.Errorf("make the directory of the page: %w", err)
	}
	return os.WriteFile(out, []byte(coverage.Markdown(documents())), 0o600)
}
