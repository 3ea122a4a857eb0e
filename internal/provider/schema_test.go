// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	streaming "github.com/terraform-streaming/terraform-provider-streaming/internal/provider"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/schemadump/schemajson"
)

// TestMain forgets what a developer's shell says of engines: these tests say
// themselves what the environment holds.
func TestMain(m *testing.M) {
	for _, entry := range os.Environ() {
		if name, _, _ := strings.Cut(entry, "="); strings.HasPrefix(name, "STREAMING_") || name == "TFC_WORKSPACE_SLUG" {
			_ = os.Unsetenv(name)
		}
	}
	os.Exit(m.Run())
}

func newServer(t *testing.T) tfprotov6.ProviderServer {
	t.Helper()
	server, err := providerserver.NewProtocol6WithError(streaming.New("dev")())()
	if err != nil {
		t.Fatal(err)
	}
	return server
}

func readSchema(t *testing.T) *tfjson.ProviderSchema {
	t.Helper()
	schema, err := schemajson.Read(context.WithoutCancel(t.Context()), newServer(t))
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// The golden file shows in a review what a change means to users.
func TestProviderSchema_Golden(t *testing.T) {
	t.Parallel()
	got, err := json.MarshalIndent(schemajson.Document("streaming", readSchema(t)), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join("testdata", "schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	gotLines, wantLines := bytes.Split(got, []byte("\n")), bytes.Split(bytes.TrimSpace(want), []byte("\n"))
	for i := range min(len(gotLines), len(wantLines)) {
		if !bytes.Equal(gotLines[i], wantLines[i]) {
			t.Fatalf("testdata/schema.json, line %d:\n got %s\nwant %s\nIf the change is meant: make generate, and say it in CHANGELOG.md.", i+1, gotLines[i], wantLines[i])
		}
	}
	if len(gotLines) != len(wantLines) {
		t.Fatalf("testdata/schema.json has %d lines, the schema %d. If the change is meant: make generate.", len(wantLines), len(gotLines))
	}
}

func TestProviderSchema_DescribesEverything(t *testing.T) {
	t.Parallel()
	schema := readSchema(t)
	kinds := map[string]*tfjson.SchemaBlock{"provider": schema.ConfigSchema.Block}
	for name, one := range schema.ResourceSchemas {
		kinds["resource "+name] = one.Block
	}
	for name, one := range schema.DataSourceSchemas {
		kinds["data source "+name] = one.Block
	}
	for name, one := range schema.ListResourceSchemas {
		kinds["list resource "+name] = one.Block
	}
	for name, one := range schema.ActionSchemas {
		kinds["action "+name] = one.Block
	}
	for kind, one := range kinds {
		if one.Description == "" {
			t.Errorf("%s has no description", kind)
		}
		if len(one.NestedBlocks) > 0 {
			t.Errorf("%s has blocks; nested attributes can be set as a whole and hold null", kind)
		}
		checkDescriptions(t, kind, one.Attributes)
	}
}

func checkDescriptions(t *testing.T, where string, attributes map[string]*tfjson.SchemaAttribute) {
	t.Helper()
	for name, attribute := range attributes {
		at := where + "." + name
		if text := strings.TrimSpace(attribute.Description); text == "" || !strings.HasSuffix(text, ".") {
			t.Errorf("%s: the description %q is no sentence", at, text)
		}
		if attribute.AttributeNestedType != nil {
			checkDescriptions(t, at, attribute.AttributeNestedType.Attributes)
		}
		for _, word := range []string{"password", "token", "secret", "key_pem", "headers"} {
			if strings.HasSuffix(name, word) && !attribute.Sensitive && !attribute.WriteOnly {
				t.Errorf("%s: not sensitive", at)
			}
		}
	}
}

// Users must know before an apply what a change does, attribute by attribute or
// for an object as a whole.
func TestProviderSchema_SaysWhatAChangeDoes(t *testing.T) {
	t.Parallel()
	for name, one := range readSchema(t).ResourceSchemas {
		checkChanges(t, name, one.Block.Attributes)
	}
}

func checkChanges(t *testing.T, where string, attributes map[string]*tfjson.SchemaAttribute) {
	t.Helper()
	for name, attribute := range attributes {
		at, said := where+"."+name, regexp.MustCompile(`Change( class)?: `).MatchString(attribute.Description)
		switch {
		case said || !attribute.Required && !attribute.Optional:
		case attribute.AttributeNestedType != nil:
			checkChanges(t, at, attribute.AttributeNestedType.Attributes)
		default:
			t.Errorf("%s: the description does not say what a change does", at)
		}
	}
}

// Each variable that the provider reads is said where its attribute is described.
func TestProviderSchema_NamesEachVariable(t *testing.T) {
	t.Parallel()
	sources, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	described, err := json.Marshal(readSchema(t).ConfigSchema)
	if err != nil {
		t.Fatal(err)
	}
	index, err := os.ReadFile(filepath.Join("..", "..", "templates", "index.md.tmpl"))
	if err != nil {
		t.Fatal(err)
	}
	variable := regexp.MustCompile(`"((?:STREAMING|TFC)_[A-Z_]+)"`)
	found := 0
	for _, source := range sources {
		if strings.HasSuffix(source, "_test.go") {
			continue
		}
		content, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range variable.FindAllSubmatch(content, -1) {
			found++
			if !bytes.Contains(described, match[1]) {
				t.Errorf("%s: no attribute's description names it", match[1])
			}
			if !bytes.Contains(index, match[1]) {
				t.Errorf("%s: the table in templates/index.md.tmpl lacks it", match[1])
			}
		}
	}
	if found < 10 {
		t.Errorf("only %d variables were found in the sources", found)
	}
}

// Whatever users can write has a page, an example, and tests of both kinds.
func TestProvider_EachKindHasDocsExampleAndTests(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	tests := testNames(t, filepath.Join(root, "internal", "service"))
	schema := readSchema(t)
	check := func(typeName string, files ...string) {
		for _, file := range files {
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(file))); err != nil {
				t.Errorf("%s: %s is missing", typeName, file)
			}
		}
		for _, kind := range []string{"TestFlow_", "TestAcc_"} {
			pattern := testPattern(kind, typeName)
			if !slices.ContainsFunc(tests, pattern.MatchString) {
				t.Errorf("%s: no test is named %s", typeName, pattern)
			}
		}
	}
	for name := range schema.ResourceSchemas {
		short := strings.TrimPrefix(name, "streaming_")
		check(name, "docs/resources/"+short+".md", "examples/resources/"+name+"/resource.tf", "examples/resources/"+name+"/import.sh")
		if schema.ResourceIdentitySchemas[name] == nil {
			t.Errorf("%s has no identity", name)
		}
	}
	for name := range schema.DataSourceSchemas {
		check(name, "docs/data-sources/"+strings.TrimPrefix(name, "streaming_")+".md", "examples/data-sources/"+name+"/data-source.tf")
	}
	exist := func(what string, files ...string) {
		for _, file := range files {
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(file))); err != nil {
				t.Errorf("%s: %s is missing", what, file)
			}
		}
	}
	for name := range schema.ListResourceSchemas {
		exist("list resource "+name, "docs/list-resources/"+strings.TrimPrefix(name, "streaming_")+".md", "examples/list-resources/"+name+"/list-resource.tfquery.hcl")
	}
	for name := range schema.ActionSchemas {
		exist("action "+name, "docs/actions/"+strings.TrimPrefix(name, "streaming_")+".md", "examples/actions/"+name+"/action.tf")
	}
	for name, one := range schema.Functions {
		exist("function "+name, "docs/functions/"+name+".md", "examples/functions/"+name+"/function.tf")
		if one.Summary == "" || one.Description == "" {
			t.Errorf("function %s is not described", name)
		}
		pattern := testPattern("TestFlow_", "function_"+name)
		if !slices.ContainsFunc(tests, pattern.MatchString) {
			t.Errorf("function %s: no test is named %s", name, pattern)
		}
	}
}

// testPattern matches TestFlow_FlinkJob_x, and TestFlow_Job_x in the package flink.
func testPattern(kind, typeName string) *regexp.Regexp {
	var camel []string
	for word := range strings.SplitSeq(strings.TrimPrefix(typeName, "streaming_"), "_") {
		camel = append(camel, strings.ToUpper(word[:1])+word[1:])
	}
	backend, entity := camel[0], strings.Join(camel[1:], "")
	return regexp.MustCompile(fmt.Sprintf("^%s(%s)?%s_", kind, backend, entity))
}

func testNames(t *testing.T, dir string) []string {
	t.Helper()
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	var names []string
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		content, err := os.ReadFile(path)
		for _, match := range declared.FindAllSubmatch(content, -1) {
			names = append(names, string(match[1]))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
