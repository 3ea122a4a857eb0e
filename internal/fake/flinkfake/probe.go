// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"encoding/json"
	"maps"
	"path"
	"strconv"
	"strings"
	"time"
)

// stateProbeMain answers questions about the cluster's files through the name of a job that is never started. It
// follows the state probe's source, down to the words of its errors.
func stateProbeMain(m *Main) error {
	var answer any
	switch {
	case len(m.Args) < 2 || m.Args[0] != "v1" || len(m.Args)%2 != 0:
		answer = map[string]any{"v": 1, "error": "the arguments are not v1 TIMEOUT_MS (OP ARG)..."}
	default:
		if _, err := strconv.ParseInt(m.Args[1], 10, 64); err != nil {
			return throw(classNumber, "For input string: %q", m.Args[1])
		}
		results := []any{}
		for rest := m.Args[2:]; len(rest) >= 2; rest = rest[2:] {
			results = append(results, m.server.probe(rest[0], rest[1]))
		}
		answer = map[string]any{"v": 1, "results": results}
	}
	name, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	return m.Execute(Graph{Name: string(name), Operators: []Operator{
		{Name: "Source: Sequence Source", UID: "sequence"}, {Name: "Sink: Print to Std. Out", UID: "print", Chained: true},
	}})
}

func probeError(text string) map[string]any { return map[string]any{"error": text} }

func (s *Server) probe(op, arg string) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.advance()
	if op == "copy" {
		return s.probeCopy(arg)
	}
	if arg == "" {
		return probeError(classArgument + ": Can not create a Path from an empty string")
	}
	p, bad := s.fs.resolve(arg)
	if bad != nil {
		return probeError(bad.String())
	}
	n := s.fs.nodes[p]
	switch op {
	case "exists":
		return map[string]any{"exists": n != nil, "dir": n != nil && n.dir}
	case "newest":
		return s.probeNewest(p)
	case "list":
		return s.probeList(p)
	}
	return probeError("unknown operation " + op)
}

// probeCopy copies an upload to a name beside it.
func (s *Server) probeCopy(arg string) map[string]any {
	id, name, _ := strings.Cut(arg, "/")
	named := func(text, ending string) bool {
		return len(text) > len(ending) && strings.HasSuffix(text, ending) && !strings.ContainsAny(text, "/\\\x00")
	}
	if !named(id, ".jar") || !named(name, ".zip") {
		return probeError("not an upload and the name of a copy: " + arg)
	}
	upload := s.jarByID(id)
	if upload == nil {
		return probeError("no upload " + id)
	}
	now := s.now()
	data := upload.data
	if there := s.copies[name]; there != nil && len(there.data) == len(data) {
		data = there.data
	}
	s.copies[name] = &jar{id: name, data: data, uploaded: now}
	maps.DeleteFunc(s.copies, func(_ string, copied *jar) bool { return now.Sub(copied.uploaded) > time.Hour })
	return map[string]any{"path": uploadDir + "/" + name}
}

func (s *Server) probeList(dir string) map[string]any {
	children := []any{}
	for _, name := range s.fs.list(dir) {
		p := path.Join(dir, name)
		n := s.fs.nodes[p]
		children = append(children, map[string]any{
			"name": name, "dir": n.dir, "modified": n.modified.UnixMilli(), "complete": n.dir && s.fs.exists(p+"/_metadata"),
		})
	}
	return map[string]any{"exists": s.fs.exists(dir), "children": children}
}

// search is the probe's way to the newest complete checkpoint or savepoint.
type search struct {
	fs         *fileSystem
	newest     string
	incomplete int
}

// probeNewest looks directly below a directory and one level deeper.
func (s *Server) probeNewest(dir string) map[string]any {
	f := &search{fs: s.fs}
	top := s.fs.list(dir)
	for _, name := range top {
		p := path.Join(dir, name)
		if f.consider(p) || !s.fs.nodes[p].dir || name == "shared" || name == "taskowned" {
			continue
		}
		for _, below := range s.fs.list(p) {
			f.consider(path.Join(p, below))
		}
	}
	out := map[string]any{
		"exists": s.fs.exists(dir), "empty": len(top) == 0, "path": nil, "incomplete": f.incomplete,
	}
	if f.newest != "" {
		out["path"], out["kind"] = uri(f.newest), "savepoint"
		if strings.HasPrefix(path.Base(f.newest), "chk-") {
			out["kind"] = "checkpoint"
		}
		out["modified"] = s.fs.nodes[f.newest+"/_metadata"].modified.UnixMilli()
	}
	return out
}

// consider tells whether the path is named like a checkpoint or a savepoint, complete or not.
func (f *search) consider(p string) bool {
	name := path.Base(p)
	if !f.fs.nodes[p].dir || !strings.HasPrefix(name, "chk-") && !strings.HasPrefix(name, "savepoint-") {
		return false
	}
	metadata := f.fs.nodes[p+"/_metadata"]
	if metadata == nil {
		f.incomplete++
		return true
	}
	if f.newest == "" {
		f.newest = p
		return true
	}
	at, best := metadata.modified.UnixMilli(), f.fs.nodes[f.newest+"/_metadata"].modified.UnixMilli()
	if at > best || at == best && chkNumber(p) > chkNumber(f.newest) {
		f.newest = p
	}
	return true
}

func chkNumber(p string) int64 {
	n, err := strconv.ParseInt(strings.TrimPrefix(path.Base(p), "chk-"), 10, 64)
	if err != nil {
		return -1
	}
	return n
}
