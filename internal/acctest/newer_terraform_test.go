// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package acctest_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/go-version"
)

const (
	emptyProvider = `
terraform {
  required_providers {
    streaming = { source = "terraform-streaming/streaming" }
  }
}

provider "streaming" {}
`
	sealing = `
action "streaming_pravega_seal_stream" "test" {
  config {
    scope = "orders"
    name  = "clicks"
  }
}
`
	listing = `
list "streaming_pravega_stream" "test" {
  provider = streaming

  config {
    scope = "orders"
  }
}
`
)

// knows tells whether this Terraform is of a version or newer.
func (u *user) knows(t *testing.T, version string) bool {
	t.Helper()
	var answer struct {
		Version string `json:"terraform_version"`
	}
	if err := json.Unmarshal([]byte(u.terraform(t, t.TempDir(), "version", "-json")), &answer); err != nil {
		t.Fatal(err)
	}
	return parsed(t, answer.Version).Core().GreaterThanOrEqual(parsed(t, version))
}

func parsed(t *testing.T, text string) *version.Version {
	t.Helper()
	parsed, err := version.NewVersion(text)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

func TestFlow_Query_ATerraformThatKnowsItFindsWhatIsThere(t *testing.T) {
	t.Parallel()
	u := newUser(t, repository(t))
	u.pravega.AddStream("orders", "clicks", 2)
	work := t.TempDir()
	write(t, filepath.Join(work, "main.tf"), []byte(emptyProvider))
	write(t, filepath.Join(work, "find.tfquery.hcl"), []byte(listing))
	u.terraform(t, work, "validate", "-no-color")
	output, err := u.try(t, work, "query", "-no-color", "-generate-config-out=found.tf")
	if !u.knows(t, "1.14.0") {
		if err == nil || !strings.Contains(output, `no command named "query"`) {
			t.Errorf("%v\n%s", err, output)
		}
		return
	}
	if err != nil || !strings.Contains(output, "orders/clicks") {
		t.Fatalf("%v\n%s", err, output)
	}
	found, err := os.ReadFile(filepath.Join(work, "found.tf"))
	if err != nil || !strings.Contains(string(found), `resource "streaming_pravega_stream"`) {
		t.Fatalf("%v\n%s", err, found)
	}
	if err := os.Remove(filepath.Join(work, "find.tfquery.hcl")); err != nil {
		t.Fatal(err)
	}
	if output := u.terraform(t, work, "plan", "-no-color", "-input=false"); !strings.Contains(output, "1 to import, 0 to add, 0 to change, 0 to destroy") {
		t.Errorf("%s\n%s", found, output)
	}
}

func TestFlow_Action_ATerraformThatKnowsItInvokesIt(t *testing.T) {
	t.Parallel()
	u := newUser(t, repository(t))
	u.pravega.AddStream("orders", "clicks", 2)
	work := t.TempDir()
	write(t, filepath.Join(work, "main.tf"), []byte(emptyProvider+sealing))
	output, err := u.try(t, work, "apply", "-no-color", "-input=false", "-auto-approve", "-invoke=action.streaming_pravega_seal_stream.test")
	stream, _ := u.pravega.Stream("orders", "clicks")
	if !u.knows(t, "1.14.0") {
		if err == nil || stream.Sealed {
			t.Errorf("%v, %+v\n%s", err, stream, output)
		}
		output, err := u.try(t, work, "validate", "-no-color")
		if err == nil || !strings.Contains(output, `Blocks of type "action" are not expected here`) {
			t.Errorf("%v\n%s", err, output)
		}
		return
	}
	if err != nil || !stream.Sealed || !strings.Contains(output, `Pravega stream "orders/clicks" is sealed`) {
		t.Errorf("%v, %+v\n%s", err, stream, output)
	}
}
