// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package jobgraph

import (
	"fmt"
	"strings"
	"unicode"
)

// Mermaid is the graph as a flowchart. Sources are round, sinks have a double
// border.
func (g *Graph) Mermaid() string {
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	numbers := g.numbers()
	for i, v := range g.Vertices {
		open, end := "[", "]"
		switch {
		case v.Source && v.Sink:
			open, end = "{{", "}}"
		case v.Source:
			open, end = "([", "])"
		case v.Sink:
			open, end = "[[", "]]"
		}
		fmt.Fprintf(&b, "  v%d%s\"%s\"%s\n", i+1, open, lines(v, mermaidText, "<br/>"), end)
	}
	for _, e := range g.Edges {
		fmt.Fprintf(&b, "  v%d -->%s v%d\n", numbers[e.From], quoted(e.ShipStrategy, `|"%s"|`, mermaidText), numbers[e.To])
	}
	return b.String()
}

// DOT is the graph in Graphviz's language.
func (g *Graph) DOT() string {
	var b strings.Builder
	b.WriteString("digraph job {\n  rankdir=LR;\n  node [shape=box];\n")
	if g.Name != "" {
		fmt.Fprintf(&b, "  label=\"%s\";\n", dotText(g.Name))
	}
	numbers := g.numbers()
	for i, v := range g.Vertices {
		look := ""
		if v.Source {
			look += ", shape=oval"
		}
		if v.Sink {
			look += ", peripheries=2"
		}
		fmt.Fprintf(&b, "  v%d [label=\"%s\"%s];\n", i+1, lines(v, dotText, `\n`), look)
	}
	for _, e := range g.Edges {
		fmt.Fprintf(&b, "  v%d -> v%d%s;\n", numbers[e.From], numbers[e.To], quoted(e.ShipStrategy, ` [label="%s"]`, dotText))
	}
	b.WriteString("}\n")
	return b.String()
}

// lines are the operators of a vertex, one a line, and its parallelism.
func lines(v Vertex, escape func(string) string, newline string) string {
	var b strings.Builder
	for i, operator := range strings.Split(v.Name, " -> ") {
		if i > 0 {
			operator = "-> " + operator
		}
		b.WriteString(escape(operator) + newline)
	}
	fmt.Fprintf(&b, "parallelism %d", v.Parallelism)
	return b.String()
}

func quoted(text, form string, escape func(string) string) string {
	if text == "" {
		return ""
	}
	return fmt.Sprintf(form, escape(text))
}

// mermaidText escapes what means something to Mermaid within quotes, in its own
// way: #name; or #number;. It looks for its directives (%%{) and for styles
// before it looks for quotes: the last would lose a semicolon. For formulas ($$)
// it looks last of all, so that only a space without width keeps it from them.
func mermaidText(s string) string { return mermaidEscaper.Replace(oneLine(s)) }

var mermaidEscaper = strings.NewReplacer(
	"&", "#amp;", "<", "#lt;", ">", "#gt;", `"`, "#quot;",
	"#", "#35;", "$", "$#8203;", "%", "#37;", "*", "#42;", `\`, "#92;", "_", "#95;", "`", "#96;", "~", "#126;",
	"style", "#115;tyle", "classDef", "#99;lassDef",
)

// dotText escapes a text within quotes. Graphviz reads entities of HTML there.
func dotText(s string) string { return dotEscaper.Replace(oneLine(s)) }

var dotEscaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "&", "&amp;")

// oneLine puts a space for each control character and line break, and a mark
// for what is no text.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}
