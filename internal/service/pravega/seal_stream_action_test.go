// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
)

func TestAction_SealsAStream(t *testing.T) {
	t.Parallel()
	fake := newFake(t)
	fake.AddStream("orders", "clicks", 2)
	p := acctest.NewProtocol(t, map[string]any{"pravega": map[string]any{"endpoint": fake.URL()}})
	const kind = "streaming_pravega_seal_stream"
	clicks := map[string]any{"scope": "orders", "name": "clicks"}
	for _, when := range []string{"once", "again"} {
		said, problems := p.Invoke(t, kind, clicks)
		if want := []string{`Sealing Pravega stream "orders/clicks"`, `Pravega stream "orders/clicks" is sealed`}; len(problems) > 0 || !slices.Equal(said, want) {
			t.Errorf("%s: %q, %+v", when, said, problems)
		}
	}
	if stream, ok := fake.Stream("orders", "clicks"); !ok || !stream.Sealed {
		t.Errorf("%+v", stream)
	}
	for want, config := range map[string]map[string]any{
		"There is no such stream":         {"scope": "orders", "name": "Clicks"},
		"Not a name for a Pravega scope":  {"scope": "_system", "name": "clicks"},
		"Not a name for a Pravega stream": {"scope": "orders", "name": ""},
	} {
		if _, problems := p.Invoke(t, kind, config); len(problems) != 1 || !strings.Contains(problems[0].Summary+problems[0].Detail, want) {
			t.Errorf("%v: %+v", config, problems)
		}
	}
	fake.Close()
	if _, problems := p.Invoke(t, kind, clicks); len(problems) != 1 || !strings.Contains(problems[0].Summary, "Cannot seal") {
		t.Errorf("%+v", problems)
	}
}
