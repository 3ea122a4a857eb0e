// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// stateProbeMain answers questions about the cluster's files through the name of a job that is never started.
func stateProbeMain(m *Main) error {
	if len(m.Args) < 2 || m.Args[0] != "v1" {
		return throw(classArgument, "unknown protocol %v", m.Args)
	}
	if _, err := strconv.Atoi(m.Args[1]); err != nil {
		return throw("java.lang.NumberFormatException", "For input string: %q", m.Args[1])
	}
	results := []any{}
	for rest := m.Args[2:]; len(rest) >= 2; rest = rest[2:] {
		results = append(results, m.server.probe(rest[0], rest[1]))
	}
	answer, err := json.Marshal(map[string]any{"v": 1, "results": results})
	if err != nil {
		return err
	}
	return m.Execute(Graph{Name: string(answer), Operators: []Operator{{Name: "Source: Sequence Source", UID: "seq"}, {Name: "Sink: Print to Std. Out", UID: "out"}}})
}

func (s *Server) probe(op, arg string) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.advance()
	p, bad := s.fs.resolve(arg)
	if bad != nil {
		return map[string]any{"op": op, "path": arg, "error": bad.String()}
	}
	switch op {
	case "exists":
		return map[string]any{"op": op, "path": arg, "exists": s.fs.exists(p)}
	case "newest":
		return s.probeNewest(arg, p)
	case "list":
		names := s.fs.list(p)
		return map[string]any{"op": op, "path": arg, "exists": s.fs.exists(p), "names": slices.Clone(names)}
	}
	return map[string]any{"op": op, "path": arg, "error": fmt.Sprintf("unknown operation %s", op)}
}

// probeNewest finds the newest complete checkpoint or savepoint directly below a directory or one level deeper.
func (s *Server) probeNewest(arg, dir string) map[string]any {
	newest, at := "", time.Time{}
	for p, n := range s.fs.nodes {
		if n.state == nil || path.Base(p) != "_metadata" {
			continue
		}
		parent := path.Dir(p)
		if path.Dir(parent) != dir && path.Dir(path.Dir(parent)) != dir {
			continue
		}
		base := path.Base(parent)
		if !strings.HasPrefix(base, "chk-") && !strings.HasPrefix(base, "savepoint-") {
			continue
		}
		if n.modified.After(at) || n.modified.Equal(at) && parent > newest {
			newest, at = parent, n.modified
		}
	}
	out := map[string]any{"op": "newest", "path": arg, "exists": s.fs.exists(dir), "newest": nil}
	if newest != "" {
		out["newest"], out["modified"] = uri(newest), at.UnixMilli()
	}
	return out
}
