// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package acctest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
)

// bundleConfig has a bundle beside it, as a module has.
const bundleConfig = `terraform {
  required_providers {
    streaming = { source = "terraform-streaming/streaming" }
  }
}

resource "streaming_python_bundle" "udfs" {
  name       = "udfs"
  source_dir = "${path.module}/udfs"
}

output "sha256" {
  value = streaming_python_bundle.udfs.sha256
}
`

// checkout lays a configuration and its code out, as a version control system
// with this umask does.
func checkout(t *testing.T, mode os.FileMode, when time.Time, code string) string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "main.tf"), []byte(bundleConfig))
	for name, content := range map[string]string{"enrich.py": code, "pkg/__init__.py": "", "pkg/rules.py": "LIMIT = 10\r\n"} {
		file := filepath.Join(dir, "udfs", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
			t.Fatal(err)
		}
		write(t, file, []byte(content))
		if err := os.Chmod(file, mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, when, when); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestFlow_PythonBundle_C50_C55_C56_APlanIsAppliedInAnotherCheckout plans in one
// directory and applies in another one, as HCP Terraform does, by Terraform's
// own program.
func TestFlow_PythonBundle_C50_C55_C56_APlanIsAppliedInAnotherCheckout(t *testing.T) {
	t.Parallel()
	u := newUser(t, repository(t))
	fake := flinkfake.New()
	t.Cleanup(fake.Close)
	u.env = append(u.env, "STREAMING_FLINK_ENDPOINT="+fake.URL())
	const code = "def f(x):\n    return x\n"
	planned := checkout(t, 0o600, time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC), code)
	u.terraform(t, planned, "plan", "-out=tfplan", "-input=false", "-no-color")
	take := func(dir string) {
		content, err := os.ReadFile(filepath.Join(planned, "tfplan"))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, "tfplan"), content)
	}

	changed := checkout(t, 0o644, time.Now(), code+"# later\n")
	take(changed)
	output, err := u.try(t, changed, "apply", "-input=false", "-no-color", "tfplan")
	// Terraform plans again before it applies, and compares the plans itself.
	if err == nil || !strings.Contains(output, "enrich.py") {
		t.Errorf("another content was applied, or the file is not named: %v\n%s", err, output)
	}
	if jars := fake.Jars(); len(jars) > 0 {
		t.Fatalf("something was sent: %+v", jars)
	}

	other := checkout(t, 0o644, time.Now(), code)
	take(other)
	u.terraform(t, other, "apply", "-input=false", "-no-color", "tfplan")
	if jars := fake.Jars(); len(jars) != 1 {
		t.Errorf("uploads: %+v", jars)
	}
	third := checkout(t, 0o444, time.Now().Add(-time.Hour), code)
	content, err := os.ReadFile(filepath.Join(other, "terraform.tfstate"))
	if err != nil {
		t.Fatal(err)
	}
	if text := string(content); strings.Contains(text, other) || strings.Contains(text, planned) {
		t.Errorf("the state knows the path of a checkout:\n%s", text)
	}
	write(t, filepath.Join(third, "terraform.tfstate"), content)
	if output := u.terraform(t, third, "plan", "-input=false", "-no-color"); !strings.Contains(output, "No changes.") {
		t.Errorf("a third checkout differs:\n%s", output)
	}
}
