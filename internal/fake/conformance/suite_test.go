// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package conformance

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write what the real engine answered to testdata")

// recording is what one engine answered to each exchange, by name.
type recording map[string][]Observation

// runAll runs every exchange against the target, one after the other, and returns what was seen.
func runAll(t *testing.T, target *Target, exchanges []Exchange) recording {
	t.Helper()
	rec := recording{}
	for _, e := range exchanges {
		if _, twice := rec[e.Name]; twice {
			t.Fatalf("two exchanges are named %q", e.Name)
		}
		t.Run(e.Name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			s := &Session{Target: target, T: t}
			e.Do(ctx, s)
			rec[e.Name] = s.observations
		})
	}
	return rec
}

// compare fails for each difference between what was wanted and what was seen.
func compare(t *testing.T, exchanges []Exchange, want, got recording) {
	t.Helper()
	for _, e := range exchanges {
		w, ok := want[e.Name]
		if !ok {
			t.Errorf("%s: nothing is recorded of the real engine; run the acceptance test with -update", e.Name)
			continue
		}
		g, ok := got[e.Name]
		if !ok {
			continue // It failed by itself and has said so.
		}
		for i := range max(len(w), len(g)) {
			switch {
			case i >= len(g):
				t.Errorf("%s, step %d is missing:\n%s", e.Name, i+1, pretty(w[i]))
			case i >= len(w):
				t.Errorf("%s, step %d is too many:\n%s", e.Name, i+1, pretty(g[i]))
			default:
				if d := difference(w[i], g[i]); d != "" {
					t.Errorf("%s, step %d, %s%s:\n%s", e.Name, i+1, w[i].Route, w[i].Effect, d)
				}
			}
		}
	}
	for name := range want {
		if !named(exchanges, name) {
			t.Errorf("%s is recorded but no exchange any more; run the acceptance test with -update", name)
		}
	}
}

func named(exchanges []Exchange, name string) bool {
	for _, e := range exchanges {
		if e.Name == name {
			return true
		}
	}
	return false
}

// difference lists the lines of two observations that only one of them has.
func difference(want, got Observation) string {
	w, g := strings.Split(pretty(want), "\n"), strings.Split(pretty(got), "\n")
	in := func(lines []string) map[string]int {
		m := map[string]int{}
		for _, l := range lines {
			m[strings.TrimSuffix(l, ",")]++
		}
		return m
	}
	inW, inG := in(w), in(g)
	var b strings.Builder
	for _, l := range w {
		l = strings.TrimSuffix(l, ",")
		if inG[l] < inW[l] {
			b.WriteString("  engine: " + strings.TrimSpace(l) + "\n")
		}
	}
	for _, l := range g {
		l = strings.TrimSuffix(l, ",")
		if inW[l] < inG[l] {
			b.WriteString("  now:    " + strings.TrimSpace(l) + "\n")
		}
	}
	return b.String()
}

func pretty(o Observation) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(o); err != nil {
		return err.Error()
	}
	return b.String()
}

// load reads the recording of an engine, testdata/<engine>.json.
func load(t *testing.T, engine string) recording {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", engine+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var rec recording
	if err := json.Unmarshal(data, &rec); err != nil {
		t.Fatal(err)
	}
	return rec
}

// save writes the recording of an engine.
func save(t *testing.T, engine string, rec recording) {
	t.Helper()
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(rec); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll("testdata", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("testdata", engine+".json"), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// outcomes lists the distinct pairs of route and outcome in a recording.
func outcomes(rec recording) map[string]bool {
	m := map[string]bool{}
	for _, list := range rec {
		for _, o := range list {
			if k := o.outcome(); k != "" {
				m[k] = true
			}
		}
	}
	return m
}
