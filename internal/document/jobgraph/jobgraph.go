// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package jobgraph draws the graph of a Flink job as text for Mermaid and for
// Graphviz. The same graph gives the same text, in whatever order it comes.
package jobgraph

import (
	"cmp"
	"regexp"
	"slices"
)

// Graph is what a job consists of. New brings it into its order.
type Graph struct {
	// Name is that of the job.
	Name string
	// Vertices are in the order of the data: each after those it reads from,
	// and by name where that leaves a choice.
	Vertices []Vertex
	// Edges are in the order of the vertices they come from.
	Edges []Edge
}

// Vertex is a chain of operators that run together.
type Vertex struct {
	ID          string
	Name        string
	Parallelism int64
	// Source is true when nothing flows in.
	Source bool
	// Sink is true when nothing flows on, or an operator of the chain is a sink
	// by the name that Flink gives to one.
	Sink bool
}

// Edge is the way of the data from one vertex to another.
type Edge struct {
	From, To string
	// Input is which of the inputs of To it is, from 0.
	Input int64
	// ShipStrategy is Flink's word for how records are spread, such as HASH.
	ShipStrategy string
}

// New orders a graph and marks its ends. An edge of a vertex that is not there
// is left out.
func New(name string, vertices []Vertex, edges []Edge) Graph {
	g := Graph{Name: name, Vertices: slices.Clone(vertices), Edges: slices.Clone(edges)}
	g.Edges = slices.DeleteFunc(g.Edges, func(e Edge) bool { return !g.has(e.From) || !g.has(e.To) })
	g.order()
	for i := range g.Vertices {
		v := &g.Vertices[i]
		v.Source = !slices.ContainsFunc(g.Edges, func(e Edge) bool { return e.To == v.ID })
		v.Sink = !slices.ContainsFunc(g.Edges, func(e Edge) bool { return e.From == v.ID }) || sink.MatchString(v.Name)
	}
	return g
}

// sink matches the name of a vertex with a sink among its operators. Flink puts
// "Sink: " before the name of one, or ": Writer" and ": Committer" after it.
var sink = regexp.MustCompile(`(?:^|-> |\(|, )Sink: |: (?:Writer|Committer)(?:$|\)|, | ->)`)

func (g *Graph) has(id string) bool {
	return slices.ContainsFunc(g.Vertices, func(v Vertex) bool { return v.ID == id })
}

// order sorts by the way of the data. Of a circle, which Flink does not have,
// the first by name is taken first.
func (g *Graph) order() {
	rest := slices.SortedFunc(slices.Values(g.Vertices), func(a, b Vertex) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	place := map[string]int{}
	g.Vertices = make([]Vertex, 0, len(rest))
	for len(rest) > 0 {
		next := max(0, slices.IndexFunc(rest, func(v Vertex) bool {
			return !slices.ContainsFunc(g.Edges, func(e Edge) bool {
				_, placed := place[e.From]
				return e.To == v.ID && !placed
			})
		}))
		place[rest[next].ID] = len(g.Vertices)
		g.Vertices = append(g.Vertices, rest[next])
		rest = slices.Delete(rest, next, next+1)
	}
	slices.SortFunc(g.Edges, func(a, b Edge) int {
		return cmp.Or(cmp.Compare(place[a.From], place[b.From]), cmp.Compare(place[a.To], place[b.To]),
			cmp.Compare(a.Input, b.Input), cmp.Compare(a.ShipStrategy, b.ShipStrategy))
	})
}

// numbers are the names of the vertices in a picture, by their ids.
func (g *Graph) numbers() map[string]int {
	numbers := make(map[string]int, len(g.Vertices))
	for i, v := range g.Vertices {
		numbers[v.ID] = i + 1
	}
	return numbers
}
