// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package jobgraph

import (
	"fmt"
	"html"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/goldentest"
)

// join is a job in SQL as Flink 2.3 shows it, with one part more that has a
// name of the worst kind.
func join() ([]Vertex, []Edge) {
	vertices := []Vertex{
		{ID: "a", Name: "Source: src[1] -> (Calc[2], Calc[12] -> Sink: dst2[13])", Parallelism: 1},
		{ID: "b", Name: "Source: other[4] -> Calc[5]", Parallelism: 1},
		{ID: "c", Name: "Join[7] -> Calc[8]", Parallelism: 2},
		{ID: "d", Name: "GroupAggregate[10] -> dst[11]: Writer", Parallelism: 2},
		{ID: "e", Name: "\"q\" <br/> & #35; `x` %%{init: {}}%% \\n style: #a; | [y] {z}\nclassDef $$x$$", Parallelism: 3},
	}
	edges := []Edge{
		{From: "c", To: "d", ShipStrategy: "HASH"},
		{From: "a", To: "c", ShipStrategy: "HASH"},
		{From: "b", To: "c", Input: 1, ShipStrategy: "HASH"},
		{From: "a", To: "e", ShipStrategy: "FORWARD"},
		{From: "e", To: "d", Input: 1},
	}
	return vertices, edges
}

func TestPicture_IsAsItWas(t *testing.T) {
	t.Parallel()
	vertices, edges := join()
	g := New(`a "join"`, vertices, edges)
	goldentest.Check(t, "join.mmd", []byte(g.Mermaid()))
	goldentest.Check(t, "join.dot", []byte(g.DOT()))
	one := New("one", []Vertex{{ID: "a", Name: "Source: source -> counter -> Sink: sink", Parallelism: 1}}, nil)
	goldentest.Check(t, "one.mmd", []byte(one.Mermaid()))
	goldentest.Check(t, "one.dot", []byte(one.DOT()))
	none := New("", nil, nil)
	goldentest.Check(t, "none.mmd", []byte(none.Mermaid()))
	goldentest.Check(t, "none.dot", []byte(none.DOT()))
}

func TestPicture_IsTheSameInWhateverOrderTheGraphComes(t *testing.T) {
	t.Parallel()
	vertices, edges := join()
	want := New("job", vertices, edges)
	random := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		random.Shuffle(len(vertices), func(i, j int) { vertices[i], vertices[j] = vertices[j], vertices[i] })
		random.Shuffle(len(edges), func(i, j int) { edges[i], edges[j] = edges[j], edges[i] })
		if got := New("job", vertices, edges); !reflect.DeepEqual(got, want) {
			t.Fatalf("got %+v\nwant %+v", got, want)
		}
	}
}

func TestPicture_ShowsAnotherParallelism(t *testing.T) {
	t.Parallel()
	vertices, edges := join()
	before := New("job", vertices, edges)
	vertices[2].Parallelism = 7
	after := New("job", vertices, edges)
	if before.Mermaid() == after.Mermaid() || before.DOT() == after.DOT() {
		t.Error("the picture is the same")
	}
}

func TestNew_MarksTheEnds(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"Sink: x": true, "a -> Sink: x": true, "a -> (b, Sink: x)": true, "a -> (Sink: x, b)": true, "x: Writer": true,
		"a -> x: Writer -> x: Committer": true, "a -> (x: Writer, b)": true,
		"Source: x": false, "counter": false, "Sinking: x": false, "x: Writers": false, "a: Sink: x": false,
	} {
		vertices := []Vertex{{ID: "1", Name: "Source: in"}, {ID: "2", Name: name}, {ID: "3", Name: "out"}, {ID: "4", Name: "alone"}}
		g := New("", vertices, []Edge{{From: "1", To: "2"}, {From: "2", To: "3"}, {From: "2", To: "gone"}, {From: "gone", To: "1"}})
		got := map[string][2]bool{}
		for _, v := range g.Vertices {
			got[v.ID] = [2]bool{v.Source, v.Sink}
		}
		if want := map[string][2]bool{"1": {true, false}, "2": {false, want}, "3": {false, true}, "4": {true, true}}; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: source and sink are %v, want %v", name, got, want)
		}
		if len(g.Edges) != 2 {
			t.Errorf("edges of vertices that are not there: %v", g.Edges)
		}
	}
}

func TestNew_TakesACircle(t *testing.T) {
	t.Parallel()
	g := New("", []Vertex{{ID: "2", Name: "b"}, {ID: "1", Name: "a"}}, []Edge{{From: "1", To: "2"}, {From: "2", To: "1"}, {From: "1", To: "1"}})
	if g.Vertices[0].ID != "1" || len(g.Edges) != 3 {
		t.Errorf("%+v", g)
	}
}

// What the two languages allow, as far as the pictures use them.
var (
	mermaidLine = regexp.MustCompile(`^  v\d+(\["[^"]+"\]|\(\["[^"]+"\]\)|\[\["[^"]+"\]\]|\{\{"[^"]+"\}\})$|^  v\d+ -->(\|"[^"]+"\|)? v\d+$`)
	mermaidBare = regexp.MustCompile("#(amp|lt|gt|quot|[0-9]+);|<br/>")
	dotQuoted   = `"((?:[^"\\]|\\.)*)"`
	dotLine     = regexp.MustCompile(`^  (?:label=` + dotQuoted + `;|v\d+ \[label=` + dotQuoted + `(?:, shape=oval)?(?:, peripheries=2)?\];|v\d+ -> v\d+(?: \[label=` + dotQuoted + `\])?;)$`)
)

func grammatical(text, first, last string, line *regexp.Regexp) error {
	body, ok := strings.CutPrefix(text, first)
	if !ok || !strings.HasSuffix(body, last) {
		return fmt.Errorf("%q does not begin with %q or end with %q", text, first, last)
	}
	for one := range strings.Lines(strings.TrimSuffix(body, last)) {
		if !line.MatchString(strings.TrimSuffix(one, "\n")) {
			return fmt.Errorf("no line of the language: %q", one)
		}
	}
	return nil
}

// FuzzText holds that any name gives a text of the language, and that its
// readers see the name again.
func FuzzText(f *testing.F) {
	vertices, _ := join()
	for _, v := range vertices {
		f.Add(v.Name, "HASH")
	}
	f.Add("\xff\x00\u2028", `"] --> x["`)
	f.Add("lifestyle:#a;b\\", `\`)
	f.Fuzz(func(t *testing.T, name, ship string) {
		g := New(name, []Vertex{{ID: "1", Name: name}, {ID: "2", Name: "out"}}, []Edge{{From: "1", To: "2", ShipStrategy: ship}})
		if err := grammatical(g.Mermaid(), "flowchart LR\n", "", mermaidLine); err != nil {
			t.Error(err)
		}
		if err := grammatical(g.DOT(), "digraph job {\n  rankdir=LR;\n  node [shape=box];\n", "}\n", dotLine); err != nil {
			t.Error(err)
		}
		escaped := mermaidText(name)
		if strings.ContainsAny(mermaidBare.ReplaceAllString(escaped, ""), "#<>&\"`%\\") || strings.Contains(escaped, "style") || strings.Contains(escaped, "$$") {
			t.Errorf("not escaped for Mermaid: %q", escaped)
		}
		shown := html.UnescapeString(mermaidBare.ReplaceAllStringFunc(escaped, asHTML))
		if got := strings.ReplaceAll(shown, "$\u200b", "$"); got != oneLine(name) {
			t.Errorf("Mermaid shows %q of %q", got, name)
		}
		unquoted := regexp.MustCompile(`\\(.)`).ReplaceAllString(dotText(name), "$1")
		if got := strings.ReplaceAll(unquoted, "&amp;", "&"); got != oneLine(name) {
			t.Errorf("Graphviz shows %q of %q", got, name)
		}
	})
}

// asHTML is how Mermaid reads its escapes: #quot; as &quot;, #35; as &#35;.
func asHTML(entity string) string {
	if entity[1] >= '0' && entity[1] <= '9' {
		return "&" + entity
	}
	return "&" + entity[1:]
}
