// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"path"
	"slices"
	"sort"
	"strings"
	"time"
)

// fileSystem is the storage that jobs and the JobManager share. Paths are kept without a scheme for file:, with
// one for everything else. It lives as long as the server: a JobManager that restarts finds its files again.
type fileSystem struct {
	nodes    map[string]*node
	readOnly []string
	// schemes are those that a file system is there for besides file:.
	schemes map[string]bool
}

// node is a directory or a file. A _metadata file carries the state of the job that wrote it.
type node struct {
	dir      bool
	modified time.Time
	state    *snapshot
}

// snapshot is the state in a savepoint or checkpoint.
type snapshot struct {
	jobID          string
	progress       int64
	operators      []Operator
	maxParallelism int
	savepoint      bool
	// id is the checkpoint's number; a job restored from it counts on.
	id int64
}

func newFileSystem() *fileSystem {
	return &fileSystem{
		nodes:    map[string]*node{"/": {dir: true}},
		readOnly: []string{"/proc", "/sys"},
		schemes:  map[string]bool{},
	}
}

// resolve brings a URI into the form that the map uses, and says why it cannot be used if so.
func (fs *fileSystem) resolve(uri string) (string, *throwable) {
	scheme, rest, found := strings.Cut(uri, ":")
	if !found || strings.Contains(scheme, "/") {
		return path.Clean("/" + uri), nil
	}
	if scheme == "file" {
		return path.Clean("/" + strings.TrimLeft(rest, "/")), nil
	}
	if !fs.schemes[scheme] {
		return "", unsupported(scheme)
	}
	return scheme + ":" + path.Clean("/"+strings.TrimLeft(rest, "/")), nil
}

// unsupported is what Flink says to a scheme: that a plugin is missing where it knows one, else that Hadoop is.
func unsupported(scheme string) *throwable {
	text := "Could not find a file system implementation for scheme '" + scheme + "'. "
	if plugin := schemePlugins[scheme]; plugin != "" {
		return throw(classScheme, "%sThe scheme is directly supported by Flink through the following plugin(s): %s. Please ensure that each plugin resides within its own subfolder within the plugins directory.", text, plugin)
	}
	return throw(classScheme, "%sThe scheme is not directly supported by Flink and no Hadoop file system to support this scheme could be loaded.", text).
		by(throw(classScheme, "Hadoop is not in the classpath/dependencies."))
}

var schemePlugins = map[string]string{
	"s3": "flink-s3-fs-hadoop, flink-s3-fs-presto", "s3a": "flink-s3-fs-hadoop", "s3p": "flink-s3-fs-presto",
	"gs": "flink-gs-fs-hadoop", "oss": "flink-oss-fs-hadoop", "abfs": "flink-fs-azure-hadoop",
	"abfss": "flink-fs-azure-hadoop", "wasb": "flink-fs-azure-hadoop", "wasbs": "flink-fs-azure-hadoop",
}

// uri is the way Flink prints a path: file:/x with one slash, s3://bucket/x with two.
func uri(p string) string {
	if strings.HasPrefix(p, "/") {
		return "file:" + p
	}
	scheme, rest, _ := strings.Cut(p, ":")
	return scheme + ":/" + rest
}

func (fs *fileSystem) exists(p string) bool { return fs.nodes[p] != nil }

// writable tells whether a directory can be made at p.
func (fs *fileSystem) writable(p string) bool {
	for _, r := range fs.readOnly {
		if p == r || strings.HasPrefix(p, strings.TrimSuffix(r, "/")+"/") {
			return false
		}
	}
	for q := p; q != "/" && q != "."; q = path.Dir(q) {
		if n := fs.nodes[q]; n != nil && !n.dir {
			return false
		}
	}
	return true
}

func (fs *fileSystem) mkdir(p string, now time.Time) {
	for q := p; fs.nodes[q] == nil; q = path.Dir(q) {
		fs.nodes[q] = &node{dir: true, modified: now}
		if path.Dir(q) == q {
			return
		}
	}
}

func (fs *fileSystem) write(p string, s *snapshot, now time.Time) {
	fs.mkdir(path.Dir(p), now)
	fs.nodes[p] = &node{modified: now, state: s}
	if d := fs.nodes[path.Dir(p)]; d != nil {
		d.modified = now
	}
}

// remove deletes p and everything below.
func (fs *fileSystem) remove(p string) {
	for q := range fs.nodes {
		if q == p || strings.HasPrefix(q, p+"/") {
			delete(fs.nodes, q)
		}
	}
}

// list names what is directly in a directory, in order.
func (fs *fileSystem) list(dir string) []string {
	var out []string
	for q := range fs.nodes {
		if q != dir && path.Dir(q) == dir {
			out = append(out, path.Base(q))
		}
	}
	sort.Strings(out)
	return out
}

// snapshotAt finds the state at a path that names a savepoint's directory or its _metadata.
func (fs *fileSystem) snapshotAt(p string) (*snapshot, string) {
	if n := fs.nodes[p]; n != nil && n.state != nil {
		return n.state, path.Dir(p)
	}
	if n := fs.nodes[p+"/_metadata"]; n != nil && n.state != nil {
		return n.state, p
	}
	return nil, ""
}

// File is a path in the fake's file system, for tests.
type File struct {
	Path     string
	Dir      bool
	Modified time.Time
	// Progress is the state of a savepoint or checkpoint, -1 for anything else.
	Progress int64
}

// Files lists everything at or below a directory, in order.
func (s *Server) Files(under string) []File {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.advance()
	dir, bad := s.fs.resolve(under)
	if bad != nil {
		return nil
	}
	var out []File
	for p, n := range s.fs.nodes {
		if p != dir && !strings.HasPrefix(p, strings.TrimSuffix(dir, "/")+"/") {
			continue
		}
		f := File{Path: uri(p), Dir: n.dir, Modified: n.modified, Progress: -1}
		if n.state != nil {
			f.Progress = n.state.progress
		}
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// RemoveFiles deletes a path and everything below, as somebody else who tidies up would.
func (s *Server) RemoveFiles(under string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.advance()
	if p, bad := s.fs.resolve(under); bad == nil {
		s.fs.remove(p)
	}
}

// DenyWrite makes a directory and everything below read-only.
func (s *Server) DenyWrite(dir string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p, bad := s.fs.resolve(dir); bad == nil {
		s.fs.readOnly = append(s.fs.readOnly, p)
	}
}

// AllowWrite takes DenyWrite of the same directory back.
func (s *Server) AllowWrite(dir string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p, bad := s.fs.resolve(dir); bad == nil {
		s.fs.readOnly = slices.DeleteFunc(s.fs.readOnly, func(denied string) bool { return denied == p })
	}
}

// AllowScheme adds a file system, "s3" say, as a plugin in the cluster would.
func (s *Server) AllowScheme(scheme string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fs.schemes[scheme] = true
}
