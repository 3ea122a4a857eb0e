// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// A job that is suspended has its savepoint in Terraform's state alone. So each
// version of a schema that was ever released has a state in testdata/states,
// which every later version of the provider must read without losing a value.
func TestUpgradeState_C21_EachEarlierStateIsReadWhole(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	versions := map[string]int64{}
	files, err := filepath.Glob(filepath.Join("testdata", "states", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		parts := strings.Split(filepath.Base(file), ".")
		var version int64
		if _, err := fmt.Sscan(parts[1], &version); err != nil {
			t.Fatal(err)
		}
		versions[parts[0]]++
		resp, err := server.UpgradeResourceState(t.Context(), &tfprotov6.UpgradeResourceStateRequest{
			TypeName: parts[0], Version: version, RawState: &tfprotov6.RawState{JSON: content},
		})
		if err != nil || len(resp.Diagnostics) > 0 {
			t.Errorf("%s: %v, %v", file, err, resp.Diagnostics)
			continue
		}
		of := schemas.ResourceSchemas[parts[0]].ValueType()
		upgraded, err := resp.UpgradedState.Unmarshal(of)
		if err != nil {
			t.Fatal(err)
		}
		before, after := attributes(t, content, of), map[string]tftypes.Value{}
		if err := upgraded.As(&after); err != nil {
			t.Fatal(err)
		}
		for name, value := range before {
			if !value.Equal(after[name]) {
				t.Errorf("%s: %s was %s and became %s", file, name, value, after[name])
			}
		}
	}
	for name, schema := range schemas.ResourceSchemas {
		if versions[name] != schema.Version+1 {
			t.Errorf("%s has version %d, and %d states of it are kept", name, schema.Version, versions[name])
		}
	}
}

// attributes are the values of a state that are in its file.
func attributes(t *testing.T, content []byte, of tftypes.Type) map[string]tftypes.Value {
	t.Helper()
	state := tfprotov6.RawState{JSON: content}
	whole, err := state.Unmarshal(of)
	if err != nil {
		t.Fatal(err)
	}
	var named map[string]json.RawMessage
	values := map[string]tftypes.Value{}
	if err := errors.Join(whole.As(&values), json.Unmarshal(content, &named)); err != nil {
		t.Fatal(err)
	}
	maps.DeleteFunc(values, func(name string, _ tftypes.Value) bool { return named[name] == nil })
	return values
}
