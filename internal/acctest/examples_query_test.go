// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package acctest_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclparse"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/pravegafake"
)

// actionExamples is the folder of examples that Terraform 1.14 reads.
const actionExamples = "actions"

// A Terraform that knows no list blocks does not look at the examples of them.
func TestExamples_QueriesAreAnswered(t *testing.T) {
	t.Parallel()
	flink, pravega := flinkfake.New(), pravegafake.New()
	t.Cleanup(flink.Close)
	t.Cleanup(pravega.Close)
	pravega.AddStream("orders", "clicks-eu", 1)
	p := acctest.NewProtocol(t, map[string]any{"flink": map[string]any{"endpoint": flink.URL()}, "pravega": map[string]any{"endpoint": pravega.URL()}})
	files, err := filepath.Glob(filepath.Join(repository(t), "examples", "list-resources", "*", "list-resource.tfquery.hcl"))
	if err != nil || len(files) != 4 {
		t.Fatalf("%d examples: %v", len(files), err)
	}
	for _, file := range files {
		kind, config := configured(t, file, "list")
		if want := filepath.Base(filepath.Dir(file)); kind != want {
			t.Errorf("%s lists %s", file, kind)
		}
		if _, problems := p.Query(t, kind, config, 0); len(problems) > 0 {
			t.Errorf("%s: %+v", file, problems[0])
		}
	}
}

// Nor at those of actions.
func TestExamples_ActionsAreTaken(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t, nil)
	files, err := filepath.Glob(filepath.Join(repository(t), "examples", actionExamples, "*", "action.tf"))
	if err != nil || len(files) != 2 {
		t.Fatalf("%d examples: %v", len(files), err)
	}
	for _, file := range files {
		kind, config := configured(t, file, "action")
		if want := filepath.Base(filepath.Dir(file)); kind != want {
			t.Errorf("%s calls %s", file, kind)
		}
		// Whatever is wrong with an action is said before a cluster is asked.
		if _, problems := p.Invoke(t, kind, config); len(problems) != 1 || !strings.Contains(problems[0].Detail, "_ENDPOINT") {
			t.Errorf("%s: %+v", file, problems[0])
		}
	}
}

// configured reads the type and the config block of an example's one block of
// a kind. Variables have their defaults.
func configured(t *testing.T, file, kind string) (label string, config map[string]any) {
	t.Helper()
	parsed, problems := hclparse.NewParser().ParseHCLFile(file)
	if problems.HasErrors() {
		t.Fatal(problems)
	}
	body, ok := parsed.Body.(*hclsyntax.Body)
	if !ok {
		t.Fatalf("%s: %T", file, parsed.Body)
	}
	var found []*hclsyntax.Block
	variables := map[string]cty.Value{}
	for _, block := range body.Blocks {
		switch block.Type {
		case kind:
			found = append(found, block)
		case "variable":
			variables[block.Labels[0]] = evaluated(t, block.Body.Attributes["default"], nil)
		}
	}
	if len(found) != 1 || len(found[0].Body.Blocks) != 1 {
		t.Fatalf("%s: not one %s block with a config block", file, kind)
	}
	config = map[string]any{}
	for name, attribute := range found[0].Body.Blocks[0].Body.Attributes {
		value := evaluated(t, attribute, variables)
		content, err := ctyjson.Marshal(value, value.Type())
		if err != nil {
			t.Fatal(err)
		}
		config[name] = json.RawMessage(content)
	}
	return found[0].Labels[0], config
}

func evaluated(t *testing.T, attribute *hclsyntax.Attribute, variables map[string]cty.Value) cty.Value {
	t.Helper()
	value, problems := attribute.Expr.Value(&hcl.EvalContext{Variables: map[string]cty.Value{"var": cty.ObjectVal(variables)}})
	if problems.HasErrors() {
		t.Fatal(problems)
	}
	return value
}
