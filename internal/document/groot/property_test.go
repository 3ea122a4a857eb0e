// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package groot_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/groot"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/yamltree"
)

// Any document is read again as it was rendered.
func TestRender_IsParsedAsTheSame(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	for range 10_000 {
		document := randomDocument(random)
		text := document.Render()
		again, err := groot.Parse(text)
		if err != nil {
			t.Fatalf("%v:\n%s", err, text)
		}
		if !reflect.DeepEqual(document, again) || again.Render() != text {
			t.Fatalf("-before +after:\n%s\n%s", cmp.Diff(document, again), text)
		}
		groot.Check(document, groot.Around{Parallelism: random.Int64N(3), FlinkVersion: "1.20.5"})
	}
}

func randomDocument(random *rand.Rand) groot.Document {
	document := groot.Document{
		Name: "n" + randomText(random), Env: map[string]groot.Value{}, Flink: map[string]string{}, Extra: map[string]string{}, Sections: yamltree.Object(nil),
	}
	for _, option := range groot.Table() {
		if option.OfResource != "" || random.IntN(2) == 0 {
			continue
		}
		document.Env[option.Attribute()] = randomValue(random, option)
	}
	for range random.IntN(4) {
		document.Flink["k."+randomText(random)] = randomText(random)
		document.Extra["x."+randomText(random)] = strconv.Itoa(random.IntN(100))
		document.Sections.Entries[yamltree.Key{Text: "s" + randomText(random)}] = yamltree.Text(randomText(random))
	}
	return document
}

func randomValue(random *rand.Rand, option groot.Option) groot.Value {
	switch option.Kind {
	case groot.Flag:
		return groot.Value{Text: strconv.FormatBool(random.IntN(2) == 0)}
	case groot.Count, groot.Millis:
		return groot.Value{Text: strconv.FormatInt(option.Min+random.Int64N(min(option.Max, 1<<40)-option.Min), 10)}
	case groot.Locations:
		list := []string{"file:///a.jar", "file:///b.jar", "http://h/c.jar"}
		return groot.Value{List: list[:1+random.IntN(len(list))]}
	case groot.Text:
	}
	if len(option.Words) > 0 {
		return groot.Value{Text: option.Words[random.IntN(len(option.Words))]}
	}
	return groot.Value{Text: "t" + strings.TrimSpace(randomText(random))}
}

func randomText(random *rand.Rand) string {
	parts := []string{"a", "yes", "1", " ", "\n", "\"", "\\", ": ", " #", "'", "%", "\t", "ä", "\U0001f600", "{", "]", "null"}
	var text strings.Builder
	for range random.IntN(4) {
		text.WriteString(parts[random.IntN(len(parts))])
	}
	return text.String()
}

// Random changes of a file are read or refused, and what is read is rendered to
// what means the same.
func TestParse_EndsWellWithAnyText(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 6))
	samples := []string{read(t, "basic.given.yaml"), read(t, "names.given.yaml"), read(t, "flink.given.yaml")}
	readable := 0
	for range 10_000 {
		text := []byte(samples[random.IntN(len(samples))])
		for range 1 + random.IntN(4) {
			at := random.IntN(len(text))
			text = slices.Replace(text, at, at+1, []byte(fmt.Sprintf("%c", " :\n-#{}[]'\"09ax;."[random.IntN(17)]))...)
		}
		if tries(t, string(text)) {
			readable++
		}
	}
	if readable < 100 {
		t.Errorf("only %d could be read", readable)
	}
}

// tries tells whether a text could be read.
func tries(t *testing.T, text string) bool {
	t.Helper()
	document, err := groot.Parse(text)
	if err != nil {
		return false
	}
	groot.Check(document, groot.Around{})
	rendered := document.Render()
	again, err := groot.Parse(rendered)
	if err != nil {
		t.Fatalf("%v:\n%s", err, rendered)
	}
	if again.Render() != rendered {
		t.Fatalf("%q is rendered as\n%s\nthen as\n%s", text, rendered, again.Render())
	}
	return true
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"env:\n  name: a\n  parallelism: 4\n  jars: file:///a;file:///b\n", "env: {execution: {restart: {strategy: none}}, flink.a: ~}\nsources: [1]\n", `{"env": {"a": {"b": true}}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) { tries(t, text) })
}
