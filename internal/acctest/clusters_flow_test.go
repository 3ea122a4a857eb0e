// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package acctest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/gatewayfake"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/pravegafake"
)

// engines are those of one cluster.
type engines struct {
	flink   *flinkfake.Server
	gateway *gatewayfake.Server
	pravega *pravegafake.Server
}

func newEngines(t *testing.T) *engines {
	t.Helper()
	flink := flinkfake.New()
	t.Cleanup(flink.Close)
	e := &engines{flink: flink, gateway: gatewayfake.New(flink), pravega: pravegafake.New()}
	t.Cleanup(e.gateway.Close)
	t.Cleanup(e.pravega.Close)
	return e
}

// forget forgets what was called so far.
func (e *engines) forget() {
	e.flink.ForgetRequests()
	e.gateway.Forget()
	e.pravega.Forget()
}

// count is how much a cluster has of what the rows of the table make.
func (e *engines) count() int {
	things := len(e.flink.Live()) + len(e.pravega.Scopes())
	for _, jar := range e.flink.Jars() {
		if !isProbe(jar.Name) {
			things++
		}
	}
	for _, scope := range e.pravega.Scopes() {
		things += len(e.pravega.Streams(scope))
	}
	return things
}

// rowFiles writes the jars that the rows of the table name, and returns where.
func rowFiles(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "app.jar"), flinkfake.Jar(importProgram))
	write(t, filepath.Join(dir, "flink-python.jar"), flinkfake.Jar("org.apache.flink.client.python.PythonDriver"))
	return filepath.ToSlash(dir)
}

// resources are the blocks of a row.
func (i imported) resources(kind, dir string) string {
	return strings.ReplaceAll(i.beside+fmt.Sprintf("resource %q \"test\" {\n%s}\n", kind, i.config), "${path.module}", dir)
}

// A cluster and what runs on it can be made by one apply.
func TestFlow_Provider_EveryResourceIsMadeWithAnEndpointOfTheSameApply(t *testing.T) {
	t.Parallel()
	dir := rowFiles(t)
	for kind, row := range importedResources() {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			e := newEngines(t)
			config := fmt.Sprintf(`
resource "terraform_data" "engine" {
  input = { flink = %q, gateway = %q, pravega = %q }
}

provider "streaming" {
  flink   = { endpoint = terraform_data.engine.output.flink, sql_gateway_endpoint = terraform_data.engine.output.gateway }
  pravega = { endpoint = terraform_data.engine.output.pravega }
}
`, e.flink.URL(), e.gateway.URL(), e.pravega.URL()) + row.resources(kind, dir)
			acctest.RunFake(t, acctest.Apply(config), acctest.Noop(config))
		})
	}
}

var (
	resourceHead = regexp.MustCompile(`(?m)^resource "\w+" "\w+" \{$`)
	rowNames     = strings.NewReplacer(`"test"`, `"other"`, `"parent"`, `"other_parent"`, `"code"`, `"other_code"`, ".parent.", ".other_parent.", ".code.", ".other_code.")
)

// One configuration has the same resource, by the same name, on two clusters: each
// is on its own, and what becomes of one leaves the other alone. Terraform's own
// program starts a provider for each alias, which one in the test's process is not.
func TestFlow_Provider_EveryResourceIsOnTheClusterOfItsAlias(t *testing.T) {
	t.Parallel()
	u := newUser(t, repository(t))
	dir := rowFiles(t)
	for kind, row := range importedResources() {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			one, other := newEngines(t), newEngines(t)
			work := t.TempDir()
			write(t, filepath.Join(work, "providers.tf"), []byte(required+one.alias("one")+other.alias("other")))
			write(t, filepath.Join(work, "one.tf"), []byte(onAlias("one", row.resources(kind, dir))))
			write(t, filepath.Join(work, "other.tf"), []byte(onAlias("other", rowNames.Replace(row.resources(kind, dir)))))
			u.terraform(t, work, "apply", "-no-color", "-input=false", "-auto-approve")
			if one.count() == 0 || one.count() != other.count() {
				t.Errorf("one cluster has %d things, the other %d", one.count(), other.count())
			}
			u.terraform(t, work, "plan", "-no-color", "-input=false", "-detailed-exitcode")

			one.forget()
			if err := os.Remove(filepath.Join(work, "other.tf")); err != nil {
				t.Fatal(err)
			}
			u.terraform(t, work, "apply", "-no-color", "-input=false", "-auto-approve")
			if calls := acting(one.flink, one.gateway, one.pravega); len(calls) > 0 {
				t.Errorf("the destroy on the other cluster called %q", calls)
			}
			if one.count() == 0 || other.count() != 0 {
				t.Errorf("one cluster has %d things, the other %d", one.count(), other.count())
			}
		})
	}
}

// alias is a provider block for the engines.
func (e *engines) alias(name string) string {
	return fmt.Sprintf("provider \"streaming\" {\n  alias   = %q\n  owner   = %q\n  flink   = { endpoint = %q, sql_gateway_endpoint = %q }\n  pravega = { endpoint = %q }\n}\n",
		name, importOwner, e.flink.URL(), e.gateway.URL(), e.pravega.URL())
}

func onAlias(name, blocks string) string {
	return resourceHead.ReplaceAllString(blocks, "$0\n  provider = streaming."+name)
}
