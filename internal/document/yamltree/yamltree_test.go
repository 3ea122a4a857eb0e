// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package yamltree_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/yamltree"
)

func TestWrite_KeepsWhatAnEngineReadsInItsOwnWay(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"b: 1\na: x\n":                                "a: x\nb: 1\n",
		`{"b": [1, "1", true, null], "a": {}}`:        "a: {}\nb:\n  - 1\n  - \"1\"\n  - true\n  - null\n",
		"a: yes\nb: 'yes'\nc: 017\nd: 1:30\n":         "a: yes\nb: \"yes\"\nc: 017\nd: 1:30\n",
		"x: 1\ny: N\n":                                "x: 1\n\"y\": \"N\"\n",
		"m: 123456789012345678901234567890\n":         "m: 123456789012345678901234567890\n",
		"a: ~\nb:\nc: Null\nd: ''\n":                  "a: null\nb: null\nc: null\nd: \"\"\n",
		"a: hello world\n":                            "a: \"hello world\"\n",
		"a: |\n  SELECT 1\n  -- end\n":                "a: \"SELECT 1\\n-- end\\n\"\n",
		"a: &x {k: v}\nb: *x\nc:\n  <<: *x\n  k: w\n": "a:\n  k: v\nb:\n  k: v\nc:\n  k: w\n",
		"a:\n  <<: [{x: 1, y: 2}, {x: 3, z: 4}]\n":    "a:\n  x: 1\n  \"y\": 2\n  z: 4\n",
		"- - 1\n  - k: v\n    l: []\n- x\n":           "- - 1\n  - k: v\n    l: []\n- x\n",
		"1: a\n'1x': b\n":                             "1: a\n\"1x\": b\n",
		"a: !!str 12\n":                               "a: \"12\"\n",
		"a: \"\\u0001\\u2028\\U0001F600\\ufeff\"\n":   "a: \"\\x01\\u2028\\U0001f600\\ufeff\"\n",
		" plain": "plain\n",
		" ---":   "\"---\"\n",
		"[0:]":   "- \"0:\"\n",
		"[2001-12-14 21:59:43.10 -5, ~, =, 0x1_F]": "- 2001-12-14 21:59:43.10 -5\n- null\n- =\n- 0x1_F\n",
		" ...":                           "\"...\"\n",
		"a: -.inf\nb: -x\nc: +\nd: .5\n": "a: -.inf\nb: \"-x\"\nc: \"+\"\nd: .5\n",
	} {
		node, err := yamltree.Parse(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		got := yamltree.Write(node)
		if got != want {
			t.Errorf("%q is written as\n%s\nwant\n%s", text, got, want)
		}
		again, err := yamltree.Parse(got)
		if err != nil {
			t.Errorf("%q is written as %q, which cannot be read: %v", text, got, err)
		}
		if diff := cmp.Diff(node, again); diff != "" {
			t.Errorf("%q: -before +after:\n%s", text, diff)
		}
	}
}

func TestParse_RefusesWhatAnEngineMayReadOtherwise(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                "empty",
		"a: 1\na: 2\n":                    `line 2: key "a" is there twice`,
		"a: 1\n'a': 2\n":                  "twice",
		"a: 1\n---\nb: 2\n":               "second document",
		"a: !secret x\n":                  "tag !secret",
		"a: !!binary aGk=\n":              "tag",
		"? [x]\n: 1\n":                    "a list or a map",
		"a: [1\n":                         "line",
		"a: b: c\n":                       "mapping values are not allowed",
		"a: \xff\n":                       "UTF-8",
		"<<: x\n":                         "no map",
		strings.Repeat("[", 200):          "line",
		strings.Repeat("x", 1001) + ": 1": "",
	} {
		if node, err := yamltree.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, read as %v, want an error with %q", text, err, node, want)
		}
	}
	if _, err := yamltree.ParseMap("- a\n"); err == nil {
		t.Error("a list is taken for a map")
	}
}

func TestParse_EndsWithAliasesThatStandForMany(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	text.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 10; i++ {
		fmt.Fprintf(&text, "a%d: &a%d [%s*a%d]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9), i-1)
	}
	if _, err := yamltree.Parse(text.String()); err == nil {
		t.Error("a thousand million values are read")
	}
}

func TestSame_ComparesWhatAnEngineReads(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{"a: 1\nb: 2\n", `{"b":2,"a":1}`, true},
		{"n: y\n", `{"n":"y"}`, true},
		{"a: 1.0\n", "a: 1\n", true},
		{"a: 1e3\n", "a: 1000\n", true},
		{"a: TRUE\n", "a: true\n", true},
		{"a: x # why\n", "a: 'x'\n", true},
		{"a: 1\n", "a: '1'\n", false},
		{"a: 017\n", "a: 17\n", false},
		{"a: yes\n", "a: true\n", false},
		{"a: 12345678901234567890\n", "a: 12345678901234567891\n", false},
		{"a: [1, 2]\n", "a: [2, 1]\n", false},
		{"a:\n", "a: ''\n", false},
	} {
		a, errA := yamltree.Parse(test.a)
		b, errB := yamltree.Parse(test.b)
		if errA != nil || errB != nil || yamltree.Same(a, b) != test.same {
			t.Errorf("%q and %q: same is not %v (%v, %v)", test.a, test.b, test.same, errA, errB)
		}
	}
}

func TestOver_PutsMapsIntoMaps(t *testing.T) {
	t.Parallel()
	parse := func(text string) yamltree.Node {
		node, err := yamltree.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return node
	}
	under := parse("s: {k: {user: u, list: [1, 2]}}\nt: 1\n")
	over := parse("s: {k: {password: p, list: [3]}}\nu: {v: 1}\n")
	want := "s:\n  k:\n    list:\n      - 3\n    password: p\n    user: u\nt: 1\nu:\n  v: 1\n"
	if got := yamltree.Write(yamltree.Over(under, over)); got != want {
		t.Errorf("got\n%s", got)
	}
	masked := "s:\n  k:\n    list:\n      - hidden\n    password: hidden\nu:\n  v: hidden\n"
	if got := yamltree.Write(yamltree.Masked(over, "hidden")); got != masked {
		t.Errorf("got\n%s", got)
	}
	if got := yamltree.Write(yamltree.Over(yamltree.Object(nil), yamltree.Object(map[string]yamltree.Node{"a": yamltree.Plain("1")}))); got != "a: 1\n" {
		t.Errorf("got\n%s", got)
	}
}

// Any tree is read again as it was written.
func TestWrite_IsReadAsTheSame(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 10_000 {
		node := randomNode(random, 4)
		text := yamltree.Write(node)
		again, err := yamltree.Parse(text)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if yamltree.Write(again) != text || !yamltree.Same(node, again) {
			t.Fatalf("%q is read as %q", text, yamltree.Write(again))
		}
	}
}

func randomNode(random *rand.Rand, depth int) yamltree.Node {
	switch kind := random.IntN(4); {
	case depth > 0 && kind == 0:
		entries := map[string]yamltree.Node{}
		for range random.IntN(4) {
			entries[randomText(random)] = randomNode(random, depth-1)
		}
		return yamltree.Object(entries)
	case depth > 0 && kind == 1:
		list := yamltree.Node{Kind: yamltree.List}
		for range random.IntN(4) {
			list.Items = append(list.Items, randomNode(random, depth-1))
		}
		return list
	case kind == 2:
		plain := []string{"1", "-2.5", "true", "false", "null", "017", "yes", "1e9", "2001-01-01", ".inf", "1:30"}
		return yamltree.Plain(plain[random.IntN(len(plain))])
	}
	return yamltree.Text(randomText(random))
}

func randomText(random *rand.Rand) string {
	parts := []string{"a", "yes", "1", " ", "\n", "\"", "\\", ": ", " #", "-", "'", "%", "@", "\t", "\u00e9", "\u2028", "\U0001f600", "{", "]", "&x", "*", "!", "|", "\u0085", "null", "/", "\r"}
	var text strings.Builder
	for range random.IntN(5) {
		text.WriteString(parts[random.IntN(len(parts))])
	}
	return text.String()
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"a: 1\nb: [x, {y: z}]\n", "a: &x {k: v}\nb: {<<: *x}\n", `{"a": "\u0001", "b": [1.0, null]}`, "? a\n: |\n  x\n", "%YAML 1.1\n---\na: ~\n", "- !!str 1\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		node, err := yamltree.Parse(text)
		if err != nil {
			return
		}
		written := yamltree.Write(node)
		again, err := yamltree.Parse(written)
		if err != nil {
			t.Fatalf("%q is written as %q, which cannot be read: %v", text, written, err)
		}
		if yamltree.Write(again) != written {
			t.Fatalf("%q is written as %q, then as %q", text, written, yamltree.Write(again))
		}
	})
}
