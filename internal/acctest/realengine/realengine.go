// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package realengine decides which tests run against real engines.
package realengine

import (
	"os"
	"testing"
)

// Only skips a test unless real engines are asked for.
func Only(t *testing.T) {
	t.Helper()
	if os.Getenv("TF_ACC") == "" {
		t.Skip("runs against real engines, with TF_ACC=1 (make testacc)")
	}
}

// Variable returns an environment variable that leads to a real engine. Without
// TF_ACC the test is not asked for; with it, a missing engine is a failure,
// never a silent skip.
func Variable(t *testing.T, name string) string {
	t.Helper()
	Only(t)
	value := os.Getenv(name)
	if value == "" {
		t.Fatalf("TF_ACC is set but %s is not: start the engines with `go run ./internal/engine up` and export what `go run ./internal/engine env` prints", name)
	}
	return value
}
