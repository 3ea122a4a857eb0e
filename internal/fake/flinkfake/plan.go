// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"maps"
	"slices"
	"strings"
)

// planJar runs main up to its first execute and answers with the graph; nothing is started or registered.
func (s *Server) planJar(c *call) reply {
	r, refused := s.prepare(c, "JarPlanRequestBody")
	if refused != nil {
		return *refused
	}
	if bad := s.checkConf(r); bad != nil {
		return *bad
	}
	s.mu.Lock()
	program, err := s.program(r.class)
	all := conf(s.conf).merged(r.conf)
	s.mu.Unlock()
	if err != nil {
		return planFailed(throw(classState, "%s", err))
	}
	var planned *job
	m := &Main{Args: slices.Clone(r.args), Conf: maps.Clone(all), Planning: true, server: s}
	m.execute = func(g Graph) error {
		s.mu.Lock()
		defer s.mu.Unlock()
		j, bad := s.newJob(r, g)
		if bad != nil {
			return bad
		}
		if planned == nil {
			planned = j
		}
		return errPlanned
	}
	err = program(m)
	if planned != nil {
		return ok(map[string]any{"plan": planned.plan()})
	}
	if err == nil {
		return planFailed(throw(classInvocation, "The program plan could not be fetched - the program aborted pre-maturely. The root cause may be that the main method doesn't call `env.execute()` or `env.executeAsync()`.\n\nClasspath: [file:%s/%s]\n\nSystem.out: (none)\n\nSystem.err: (none)", uploadDir, r.jar.id))
	}
	return planFailed(mainError(err))
}

func planFailed(t *throwable) reply { return internal(t) }

// plan is the graph as REST shows it.
func (j *job) plan() map[string]any {
	nodes := []any{}
	for _, v := range slices.Backward(j.vertices) {
		nodes = append(nodes, map[string]any{
			"id": v.id, "parallelism": v.parallelism, "operator": "", "operator_strategy": "",
			"description": j.server.description(v), "optimizer_properties": map[string]any{},
		})
	}
	for i := range nodes {
		if i == len(nodes)-1 {
			break
		}
		node, isMap := nodes[i].(map[string]any)
		if !isMap {
			continue
		}
		previous := j.vertices[len(j.vertices)-2-i].id
		node["inputs"] = []any{map[string]any{
			"num": 0, "id": previous, "ship_strategy": "HASH", "exchange": "pipelined_bounded",
		}}
	}
	return map[string]any{"jid": j.id, "name": j.name, "type": "STREAMING", "nodes": nodes}
}

// description is the operators of a vertex as a tree in HTML; 1.14 has their names in a row.
func (s *Server) description(v vertex) string {
	if s.version.strict() {
		return htmlEscaper.Replace(v.name)
	}
	var b strings.Builder
	for i, operator := range strings.Split(v.name, chain) {
		if i > 0 {
			b.WriteString(strings.Repeat("   ", i-1) + "+- ")
		}
		b.WriteString(htmlEscaper.Replace(operator) + "<br/>")
	}
	return b.String()
}

var htmlEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")
