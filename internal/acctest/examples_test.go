// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package acctest_test

import (
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/gatewayfake"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/pravegafake"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/schemadump/schemajson"
)

// Every example is planned as a user would plan it: by Terraform's own program,
// with the provider's own binary, against the engines in memory. So an example
// cannot name what does not exist any more.
func TestFlow_Examples_EveryExampleIsPlanned(t *testing.T) {
	t.Parallel()
	root := repository(t)
	user := newUser(t, root)
	for _, dir := range exampleDirs(t, filepath.Join(root, "examples")) {
		t.Run(filepath.ToSlash(dir), func(t *testing.T) {
			t.Parallel()
			work := user.copyExample(t, root, dir)
			user.terraform(t, work, "validate", "-no-color")
			output := user.terraform(t, work, "plan", "-no-color", "-input=false")
			if !strings.Contains(output, "Plan: ") && !strings.Contains(output, "No changes.") && !strings.Contains(output, "Changes to Outputs") {
				t.Errorf("there is no plan:\n%s", output)
			}
		})
	}
}

// An import example is a shell command: what it names must be there.
func TestExamples_ImportCommandsNameAResourceOfTheExample(t *testing.T) {
	t.Parallel()
	root := repository(t)
	command := regexp.MustCompile(`(?m)^terraform import (?:'|")?([a-z0-9_]+)\.([a-z0-9_]+)(?:'|")? (\S+)$`)
	for _, dir := range exampleDirs(t, filepath.Join(root, "examples")) {
		content, err := os.ReadFile(filepath.Join(root, "examples", dir, "import.sh"))
		if err != nil {
			continue
		}
		matches := command.FindAllStringSubmatch(string(content), -1)
		if len(matches) == 0 || len(matches) != strings.Count(string(content), "terraform import") {
			t.Errorf("%s/import.sh: not only commands such as: terraform import TYPE.NAME ID", dir)
		}
		resources, err := os.ReadFile(filepath.Join(root, "examples", dir, "resource.tf"))
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range matches {
			if !strings.Contains(string(resources), fmt.Sprintf("resource %q %q", match[1], match[2])) {
				t.Errorf("%s/import.sh names %s.%s, which resource.tf lacks", dir, match[1], match[2])
			}
		}
	}
}

const identityFile = "import-by-identity.tf"

func TestExamples_IdentitiesFitTheSchema(t *testing.T) {
	t.Parallel()
	server, err := acctest.Factories()["streaming"]()
	if err != nil {
		t.Fatal(err)
	}
	schema, err := schemajson.Read(t.Context(), server)
	if err != nil {
		t.Fatal(err)
	}
	shape := regexp.MustCompile(`^import \{\n  to = (\w+)\.(\w+)\n  identity = \{\n((?:    \w+ += "[^"]*"\n)+)  \}\n\}\n$`)
	attribute := regexp.MustCompile(`(?m)^    (\w+)`)
	root := repository(t)
	files, err := filepath.Glob(filepath.Join(root, "examples", "resources", "*", identityFile))
	if err != nil || len(files) == 0 {
		t.Fatalf("no identities: %v", err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		match := shape.FindStringSubmatch(string(content))
		if match == nil {
			t.Errorf("%s: not one import block", file)
			continue
		}
		resources, err := os.ReadFile(filepath.Join(filepath.Dir(file), "resource.tf"))
		if err != nil || !strings.Contains(string(resources), fmt.Sprintf("resource %q %q", match[1], match[2])) {
			t.Errorf("%s names %s.%s, which resource.tf lacks: %v", file, match[1], match[2], err)
		}
		identity := schema.ResourceIdentitySchemas[match[1]]
		if identity == nil {
			t.Errorf("%s: %s has no identity", file, match[1])
			continue
		}
		given := map[string]bool{}
		for _, name := range attribute.FindAllStringSubmatch(match[3], -1) {
			given[name[1]] = true
			if identity.Attributes[name[1]] == nil {
				t.Errorf("%s: the identity has no %s", file, name[1])
			}
		}
		for name, one := range identity.Attributes {
			if one.RequiredForImport && !given[name] {
				t.Errorf("%s: %s is missing", file, name)
			}
		}
	}
}

func repository(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// exampleDirs lists the directories with Terraform files, and fails for a file
// that neither this test nor anything else looks at.
func exampleDirs(t *testing.T, examples string) []string {
	t.Helper()
	seen := map[string]bool{}
	var dirs []string
	err := filepath.WalkDir(examples, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if entry.Name() == ".terraform" || path == filepath.Join(examples, actionExamples) || path == filepath.Join(examples, moduleExamples) {
				return filepath.SkipDir
			}
			return nil
		}
		dir, err := filepath.Rel(examples, filepath.Dir(path))
		switch name := entry.Name(); {
		case strings.HasSuffix(name, ".tf"):
			if !seen[dir] {
				seen[dir] = true
				dirs = append(dirs, dir)
			}
		case strings.HasSuffix(name, ".py") && bundled(examples, path):
		case name == "list-resource.tfquery.hcl", name == "import.sh", name == "README.md", strings.Contains(name, ".tfstate"), name == ".terraform.lock.hcl":
		default:
			t.Errorf("%s: no test looks at this file", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(dirs) < 7 {
		t.Errorf("only %d examples were found: %v", len(dirs), dirs)
	}
	return dirs
}

// bundled tells whether an example beside the file's directory names that
// directory, which is planned with it.
func bundled(examples, file string) bool {
	for dir := filepath.Dir(file); dir != examples && len(dir) > len(examples); dir = filepath.Dir(dir) {
		content, err := os.ReadFile(filepath.Join(filepath.Dir(dir), "resource.tf"))
		if err == nil && strings.Contains(string(content), "${path.module}/"+filepath.Base(dir)+`"`) {
			return true
		}
	}
	return false
}

// user is somebody with Terraform, this build of the provider, and engines.
type user struct {
	program string
	env     []string

	flink   *flinkfake.Server
	pravega *pravegafake.Server
}

func newUser(t *testing.T, root string) *user {
	t.Helper()
	program := os.Getenv("TF_ACC_TERRAFORM_PATH")
	if program == "" {
		program = "terraform"
	}
	bin := t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(bin, "terraform-provider-streaming"), ".")
	build.Dir = root
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the provider: %v\n%s", err, output)
	}
	config := filepath.Join(bin, "terraform.tfrc")
	overrides := fmt.Sprintf("disable_checkpoint = true\nprovider_installation {\n  dev_overrides {\n    \"registry.terraform.io/terraform-streaming/streaming\" = %q\n  }\n  direct {}\n}\n", bin)
	if err := os.WriteFile(config, []byte(overrides), 0o600); err != nil {
		t.Fatal(err)
	}
	flink := flinkfake.New()
	t.Cleanup(flink.Close)
	gateway := gatewayfake.New(flink)
	t.Cleanup(gateway.Close)
	pravega := pravegafake.New()
	t.Cleanup(pravega.Close)
	env := []string{
		"TF_CLI_CONFIG_FILE=" + config,
		"CHECKPOINT_DISABLE=1",
		"STREAMING_FLINK_ENDPOINT=" + flink.URL(),
		"STREAMING_SQL_GATEWAY_ENDPOINT=" + gateway.URL(),
		"STREAMING_PRAVEGA_ENDPOINT=" + pravega.URL(),
		// An example's own host is reached through a proxy.
		"HTTP_PROXY=" + proxyTo(t, "pravega.example.com:9091", pravega.URL()),
		"NO_PROXY=127.0.0.1",
	}
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, "TF_") && !strings.HasPrefix(name, "STREAMING_") && !strings.HasSuffix(strings.ToUpper(name), "_PROXY") {
			env = append(env, entry)
		}
	}
	return &user{program: program, env: env, flink: flink, pravega: pravega}
}

// proxyTo is an HTTP proxy that knows one host.
func proxyTo(t *testing.T, host, target string) string {
	t.Helper()
	to, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	forward := httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) }}
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Host != host {
			http.Error(w, "this proxy knows no "+r.Host, http.StatusBadGateway)
			return
		}
		forward.ServeHTTP(w, r)
	}))
	t.Cleanup(proxy.Close)
	return proxy.URL
}

func (u *user) terraform(t *testing.T, dir string, args ...string) string {
	t.Helper()
	output, err := u.try(t, dir, args...)
	if err != nil {
		t.Fatalf("terraform %s: %v\n%s", strings.Join(args, " "), err, output)
	}
	return output
}

// try runs Terraform, which may fail.
func (u *user) try(t *testing.T, dir string, args ...string) (string, error) {
	t.Helper()
	// Not t.Context, which ends before the cleanups: Terraform must not be killed.
	command := exec.CommandContext(context.WithoutCancel(t.Context()), u.program, args...)
	command.Dir, command.Env = dir, u.env
	output, err := command.CombinedOutput()
	return string(output), err
}

var localFile = regexp.MustCompile(`\$\{path\.module\}/([\w./-]+)`)

// copyExample lays the example out in a directory of its own, with the files
// that it names, and with what an example of one resource leaves out.
func (u *user) copyExample(t *testing.T, root, dir string) string {
	t.Helper()
	work := filepath.Join(t.TempDir(), "examples", dir)
	if err := os.MkdirAll(work, 0o750); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(root, "examples", dir, "*.tf"))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, file := range files {
		// Needs Terraform 1.12; TestExamples_IdentitiesFitTheSchema looks at it.
		if filepath.Base(file) == identityFile {
			continue
		}
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(content)
		write(t, filepath.Join(work, filepath.Base(file)), content)
		for _, match := range localFile.FindAllSubmatch(content, -1) {
			named := filepath.FromSlash(string(match[1]))
			if info, err := os.Stat(filepath.Join(root, "examples", dir, named)); err == nil && info.IsDir() {
				copyTree(t, filepath.Join(root, "examples", dir, named), filepath.Join(work, named))
				continue
			}
			makeFile(t, filepath.Join(work, named))
		}
	}
	if !strings.Contains(all.String(), "required_providers") {
		write(t, filepath.Join(work, "versions.tf"), []byte("terraform {\n  required_providers {\n    streaming = {\n      source = \"terraform-streaming/streaming\"\n    }\n  }\n}\n"))
	}
	// A provider block alone is not even configured.
	if !strings.Contains(all.String(), "\nresource \"") && !strings.HasPrefix(all.String(), "resource \"") && !strings.Contains(all.String(), "data \"") {
		write(t, filepath.Join(work, "resource.tf"), []byte("resource \"streaming_pravega_scope\" \"test\" {\n  name = \"test\"\n}\n"))
	}
	return work
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	if _, err := os.Stat(to); err == nil {
		return
	}
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// makeFile makes a file that an example names.
func makeFile(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		t.Fatal(err)
	}
	switch filepath.Ext(path) {
	case ".jar":
		write(t, path, flinkfake.Jar("com.example.Orders", "streaming.jobs.Counter"))
	default:
		write(t, path, []byte("made for a test\n"))
	}
}
