// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package acctest_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/pravegafake"
)

func TestFlow_Provider_RefusesAtValidateWhatCannotWork(t *testing.T) {
	t.Parallel()
	const scope = "resource \"streaming_pravega_scope\" \"x\" {\n  name = \"x\"\n}\n"
	provider := func(flink string) string {
		return "provider \"streaming\" {\n  flink = {\n" + flink + "\n  }\n}\n" + scope
	}
	acctest.RunFake(t,
		acctest.Fails(provider(`endpoint = "http://user:hunter2@flink:8081"`), "Not an endpoint", "user name or password", "basic_auth"),
		acctest.Fails(provider(`endpoint = "flink:8081"`), "Not an endpoint", "http://host:8081"),
		acctest.Fails(provider(`endpoint = "http://flink:8081/?a=b"`), "Not an endpoint", "query"),
		acctest.Fails(provider("endpoint = \"http://flink\"\n bearer_token = \"a\"\n basic_auth = { username = \"b\", password = \"c\" }"), "basic_auth"),
		acctest.Fails(provider("endpoint = \"http://flink\"\n request_timeout = \"1h30m\""), "Not a duration", "one whole number and one unit"),
		acctest.Fails(provider("endpoint = \"https://flink\"\n tls = { ca_file = \"missing.pem\" }"), "The flink block is not valid", "ca_file"),
		acctest.Fails(provider("endpoint = \"http://flink\"\n bearer_token = \"a\\n\""), "The flink block is not valid", "trimspace"),
	)
}

func TestFlow_Provider_EndpointFromAResourceIsKnownAtApplyOnly(t *testing.T) {
	t.Parallel()
	pravega := pravegafake.New()
	t.Cleanup(pravega.Close)
	config := func(name string) string {
		return fmt.Sprintf(`
resource "terraform_data" "engine" {
  input = { endpoint = %q, unused = %q }
}

provider "streaming" {
  pravega = { endpoint = terraform_data.engine.output.endpoint }
}

resource "streaming_pravega_scope" "x" {
  name = "late"
}
`, pravega.URL(), name)
	}
	acctest.RunFake(t,
		acctest.Apply(config("a")),
		// While its source changes it is unknown again: what exists cannot be read,
		// and must neither be taken for gone nor be looked for elsewhere.
		acctest.Fails(config("b"), "not known yet", "-target"),
		acctest.Noop(config("a")),
	)
}

func TestFlow_Provider_WholeBlockFromAResource(t *testing.T) {
	t.Parallel()
	pravega := pravegafake.New(pravegafake.BasicAuth("admin", "hunter2"))
	t.Cleanup(pravega.Close)
	acctest.RunFake(t, acctest.Apply(fmt.Sprintf(`
resource "terraform_data" "engine" {
  input = { endpoint = %q, basic_auth = { username = "admin", password = "hunter2" } }
}

provider "streaming" {
  pravega = terraform_data.engine.output
}

resource "streaming_pravega_scope" "x" {
  name = "late"
}
`, pravega.URL())))
}

func TestFlow_Provider_WithoutAnEndpointOnlyWhatNeedsItFails(t *testing.T) {
	t.Parallel()
	pravega := pravegafake.New()
	t.Cleanup(pravega.Close)
	provider := acctest.Config{Pravega: pravega.URL()}.String()
	acctest.RunFake(t,
		acctest.Apply(provider+"resource \"streaming_pravega_scope\" \"x\" {\n  name = \"x\"\n}\n"),
		resource.TestStep{
			Config:      provider + "data \"streaming_flink_cluster\" \"x\" {}\n",
			ExpectError: acctest.InOrder("No flink endpoint is configured", "STREAMING_FLINK_ENDPOINT"),
		},
	)
}

// Secrets of the provider are looked for in everything that a run leaves
// behind: state, plan, and Terraform's most talkative log.
func TestFlow_Provider_SecretsAreNowhere(t *testing.T) {
	t.Parallel()
	const marker = "hunter2"
	root := repository(t)
	u := newUser(t, root)
	pravega := pravegafake.New(pravegafake.BasicAuth("admin", marker+"-pravega"))
	t.Cleanup(pravega.Close)
	flink := flinkfake.New()
	t.Cleanup(flink.Close)
	cert, key := clientCertificate(t)

	work := t.TempDir()
	write(t, filepath.Join(work, "main.tf"), []byte(fmt.Sprintf(`
terraform {
  required_providers {
    streaming = { source = "terraform-streaming/streaming" }
  }
}

variable "secrets" {
  type      = map(string)
  sensitive = true
}

provider "streaming" {
  flink = {
    endpoint     = %q
    bearer_token = var.secrets["token"]
    headers      = { "X-Api-Key" = var.secrets["header"] }
    tls          = { client_cert_pem = var.secrets["cert"], client_key_pem = var.secrets["key"] }
  }
  pravega = {
    endpoint   = %q
    basic_auth = { username = "admin" }
  }
}

data "streaming_flink_cluster" "this" {}

resource "streaming_pravega_scope" "x" {
  name = "x"
}
`, flink.URL(), pravega.URL())))
	log := filepath.Join(work, "trace.log")
	u.env = append(u.env,
		"STREAMING_PRAVEGA_PASSWORD="+marker+"-pravega",
		"TF_LOG=TRACE", "TF_LOG_PATH="+log,
	)
	variables, err := os.Create(filepath.Join(t.TempDir(), "secrets.tfvars"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = fmt.Fprintf(variables, "secrets = {\n  token  = %q\n  header = %q\n  cert = %q\n  key = %q\n}\n", marker+"-token", marker+"-header", cert, key)
	if err := firstError(err, variables.Close()); err != nil {
		t.Fatal(err)
	}

	output := u.terraform(t, work, "plan", "-no-color", "-input=false", "-out=saved.plan", "-var-file="+variables.Name())
	output += u.terraform(t, work, "show", "-no-color", "-json", "saved.plan")
	// A saved plan keeps the variables that Terraform needs to apply it, and
	// -json shows them: that is Terraform's own doing.
	output = withoutVariables(output)
	output += u.terraform(t, work, "apply", "-no-color", "-input=false", "-auto-approve", "-var-file="+variables.Name())
	output += u.terraform(t, work, "destroy", "-no-color", "-input=false", "-auto-approve", "-var-file="+variables.Name())

	secrets := []string{marker, strings.Split(key, "\n")[1]}
	find := func(where string, content []byte) {
		for _, secret := range secrets {
			if at := bytes.Index(content, []byte(secret)); at >= 0 {
				t.Errorf("%s holds a secret: %s", where, content[max(0, at-200):min(len(content), at+40)])
			}
		}
	}
	find("the output", []byte(output))
	looked := 0
	err = filepath.WalkDir(work, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(path, "saved.plan") {
			return err
		}
		content, err := os.ReadFile(path)
		looked++
		find(filepath.Base(path), content)
		return err
	})
	if err != nil || looked < 3 {
		t.Errorf("%d files looked at, %v", looked, err)
	}
	content, err := os.ReadFile(log)
	if err != nil || !bytes.Contains(content, []byte("/v1/scopes")) {
		t.Errorf("the log does not even show the requests: %v", err)
	}
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// withoutVariables cuts the variables out of what "show -json" prints.
func withoutVariables(output string) string {
	before, after, found := strings.Cut(output, `"variables":{`)
	if !found {
		return output
	}
	_, after, _ = strings.Cut(after, `"planned_values"`)
	return before + after
}

func clientCertificate(t *testing.T) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
		string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: keyDER}))
}
