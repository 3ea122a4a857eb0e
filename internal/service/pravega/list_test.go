// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
)

func query(t *testing.T, endpoint, kind string, config map[string]any) (names []string, found []acctest.Listed, problems string) {
	t.Helper()
	p := acctest.NewProtocol(t, map[string]any{"pravega": map[string]any{"endpoint": endpoint}})
	found, all := p.Query(t, kind, config, 0)
	for _, one := range found {
		names = append(names, one.Name)
	}
	var texts []string
	for _, problem := range all {
		texts = append(texts, problem.Summary+"\n"+problem.Detail)
	}
	return names, found, strings.Join(texts, "\n")
}

func TestQuery_FindsScopesByName(t *testing.T) {
	t.Parallel()
	fake := newFake(t)
	for _, name := range []string{"team-b", "team-a"} {
		fake.AddScope(name)
	}
	names, found, problems := query(t, fake.URL(), "streaming_pravega_scope", nil)
	if !slices.Equal(names, []string{"team-a", "team-b"}) || problems != "" {
		t.Fatalf("%v, %s", names, problems)
	}
	if one := found[0]; one.Identity["name"] != "team-a" || one.Resource["id"] != "team-a" || one.Resource["name"] != "team-a" {
		t.Errorf("%+v", one)
	}
	if names, _, _ := query(t, fake.URL(), "streaming_pravega_scope", map[string]any{"name_regex": "b$"}); !slices.Equal(names, []string{"team-b"}) {
		t.Errorf("%v", names)
	}
	if _, _, problems := query(t, fake.URL(), "streaming_pravega_scope", map[string]any{"name_regex": "("}); !strings.Contains(problems, "Not a regular expression") {
		t.Error(problems)
	}
}

func TestQuery_FindsStreamsOfOneScopeOrOfAll(t *testing.T) {
	t.Parallel()
	fake := newFake(t)
	fake.AddStream("orders", "views", 1)
	fake.AddStream("orders", "clicks", 3)
	fake.AddStream("shop", "clicks", 1)
	const kind = "streaming_pravega_stream"
	names, found, problems := query(t, fake.URL(), kind, nil)
	if !slices.Equal(names, []string{"orders/clicks", "orders/views", "shop/clicks"}) || problems != "" {
		t.Fatalf("%v, %s", names, problems)
	}
	if one := found[0]; one.Identity["scope"] != "orders" || one.Identity["name"] != "clicks" || one.Resource["id"] != "orders/clicks" || one.Resource["rollover_size"] == "" {
		t.Errorf("%+v", one)
	}
	for _, test := range []struct {
		config map[string]any
		want   []string
	}{
		{map[string]any{"scope": "shop"}, []string{"shop/clicks"}},
		{map[string]any{"name_regex": "^views$"}, []string{"orders/views"}},
		{map[string]any{"tag": "pii"}, nil},
	} {
		if names, _, problems := query(t, fake.URL(), kind, test.config); !slices.Equal(names, test.want) || problems != "" {
			t.Errorf("%v: %v instead of %v: %s", test.config, names, test.want, problems)
		}
	}
	for want, config := range map[string]map[string]any{
		"Not a regular expression":               {"name_regex": "("},
		"A tag is empty":                         {"tag": ""},
		"Not a name for a Pravega scope":         {"scope": "_system"},
		"Cannot list the streams of Pravega sco": {"scope": "gone"},
	} {
		if _, _, problems := query(t, fake.URL(), kind, config); !strings.Contains(problems, want) {
			t.Errorf("%v: %s", config, problems)
		}
	}
	fake.Close()
	if _, _, problems := query(t, fake.URL(), kind, nil); !strings.Contains(problems, "Cannot list the scopes of Pravega") {
		t.Error(problems)
	}
}
