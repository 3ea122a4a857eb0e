// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"
)

// uploadDir is where the JobManager keeps jars: a path of its own, which other programs on it may read.
const uploadDir = "/fake/flink-web-upload"

type jar struct {
	id, name string
	sha256   string
	data     []byte
	content  jarContent
	readable bool
	uploaded time.Time
}

// JarSnapshot is an uploaded jar.
type JarSnapshot struct {
	ID       string
	Name     string
	SHA256   string
	Uploaded time.Time
}

// Jars lists the uploads, oldest first.
func (s *Server) Jars() []JarSnapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]JarSnapshot, 0, len(s.jars))
	for _, j := range s.jars {
		out = append(out, JarSnapshot{ID: j.id, Name: j.name, SHA256: j.sha256, Uploaded: j.uploaded})
	}
	return out
}

func (s *Server) jarByID(id string) *jar {
	for _, j := range s.jars {
		if j.id == id {
			return j
		}
	}
	return nil
}

func (s *Server) addJar(name string, data []byte) *jar {
	sum := sha256.Sum256(data)
	j := &jar{
		id: s.randomUUID() + "_" + name, name: name, sha256: hex.EncodeToString(sum[:]),
		data: data, uploaded: s.now(),
	}
	j.content, j.readable = readJar(data)
	s.jars = append(s.jars, j)
	return j
}

func (s *Server) randomUUID() string {
	h := s.randomHex(32)
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// upload is a part of a multipart body.
type upload struct {
	file string
	data []byte
}

func (s *Server) uploadJar(c *call) reply {
	files, refused := readUploads(c)
	if refused != nil {
		return *refused
	}
	if len(files) != 1 {
		return restError(http.StatusBadRequest, throw(classRest,
			"Exactly 1 file must be sent, received %d.", len(files)))
	}
	name := path.Base(strings.ReplaceAll(files[0].file, `\`, "/"))
	if !strings.HasSuffix(name, ".jar") {
		return restError(http.StatusBadRequest, throw(classRest, "Only Jar files are allowed."))
	}
	j := s.addJar(name, files[0].data)
	return ok(map[string]any{"filename": uploadDir + "/" + j.id, "status": "success"})
}

// readUploads takes the files out of a multipart body. Any other part is refused, as is a body of another kind.
func readUploads(c *call) ([]upload, *reply) {
	kind, params, err := mime.ParseMediaType(c.req.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" {
		return nil, nil
	}
	var files []upload
	r := multipart.NewReader(strings.NewReader(string(c.body)), params["boundary"])
	for {
		part, err := r.NextRawPart()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			a := refuse(http.StatusInternalServerError, "File upload failed.")
			return nil, &a
		}
		data, err := io.ReadAll(part)
		if err != nil {
			a := refuse(http.StatusInternalServerError, "File upload failed.")
			return nil, &a
		}
		if part.FileName() == "" {
			if part.FormName() == "request" {
				continue
			}
			a := refuse(http.StatusBadRequest, "Received unknown attribute %s.", part.FormName())
			return nil, &a
		}
		u := upload{file: rawFileName(part), data: data}
		// Files of one name overwrite each other before anybody counts them.
		same := func(o upload) bool { return path.Base(o.file) == path.Base(u.file) }
		files = append(slices.DeleteFunc(files, same), u)
	}
}

// rawFileName is the name as it was sent: the standard library has already cut it to its last element.
func rawFileName(p *multipart.Part) string {
	_, params, err := mime.ParseMediaType(p.Header.Get("Content-Disposition"))
	if err != nil {
		return p.FileName()
	}
	return params["filename"]
}

func (s *Server) listJars(*call) reply {
	files := []any{}
	for _, j := range slices.Backward(s.jars) {
		entries := []any{}
		for _, e := range j.content.entries() {
			entries = append(entries, map[string]any{"name": e, "description": nil})
		}
		files = append(files, map[string]any{
			"id": j.id, "name": j.name, "uploaded": j.uploaded.UnixMilli(), "entry": entries,
		})
	}
	return ok(map[string]any{"address": s.URL(), "files": files})
}

// File is the content of an upload, or of a copy of one, by its path on the JobManager.
func (s *Server) File(file string) ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name, inside := strings.CutPrefix(file, uploadDir+"/")
	j := s.jarByID(name)
	if j == nil {
		j = s.copies[name]
	}
	if !inside || j == nil {
		return nil, false
	}
	return j.data, true
}

// Copies are the names of the copies of uploads, sorted.
func (s *Server) Copies() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.copies))
}

func (s *Server) deleteJar(c *call) reply {
	id := c.vars[0]
	if s.copies[id] != nil {
		delete(s.copies, id)
		return ok(map[string]any{})
	}
	i := slices.IndexFunc(s.jars, func(j *jar) bool { return j.id == id })
	if i < 0 {
		return restError(http.StatusBadRequest, throw(classRest,
			"File %s does not exist in %s.", id, uploadDir))
	}
	s.jars = slices.Delete(s.jars, i, i+1)
	return ok(map[string]any{})
}

// missingJar is the answer of run and plan for an upload that is gone: 1.14 tells them apart.
func (s *Server) missingJar(c *call) reply {
	t := throw(classRest, "Jar file %s/%s does not exist", uploadDir, c.vars[0])
	if s.version.strict() && strings.HasSuffix(c.req.URL.Path, "/plan") {
		return restError(http.StatusBadRequest, t)
	}
	return internal(t.wrapped(classCompletion))
}

// entryClass finds the class to run, or the answer that there is none.
func (s *Server) entryClass(c *call, j *jar, asked string) (string, *reply) {
	fail := func(t *throwable) *reply {
		if !s.version.strict() || !strings.HasSuffix(c.req.URL.Path, "/plan") {
			t = t.wrapped(classCompletion)
		}
		a := internal(t)
		return &a
	}
	if !j.readable {
		text := "Error while opening jar file '" + uploadDir + "/" + j.id + "'"
		return "", fail(throw(classInvocation, "%s", text).by(throw(classIO, "%s", text)).
			by(throw("java.util.zip.ZipException", "zip END header not found")))
	}
	class := asked
	if class == "" {
		switch {
		case len(j.content.programClasses) == 1:
			class = j.content.programClasses[0]
		case len(j.content.programClasses) > 1:
			class = strings.Join(j.content.programClasses, ",")
		default:
			class = j.content.mainClass
		}
	}
	if class == "" {
		return "", fail(throw(classInvocation,
			"Neither a 'Main-Class', nor a 'program-class' entry was found in the jar file."))
	}
	if !j.content.has(class) {
		return "", fail(throw(classInvocation, "The program's entry point class '%s' was not found in the jar file.", class).
			by(throw("java.lang.ClassNotFoundException", "%s", class)))
	}
	return class, nil
}

// program is what main of a class does. A class in the jar that nobody has described does nothing.
func (s *Server) program(class string) (Program, error) {
	if p := s.programs[class]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("flinkfake: no program is registered for %s", class)
}

// HasUpload tells whether the JobManager can read a path: only uploads are there for sure.
func (s *Server) HasUpload(file string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.jarByID(uploadID(file)) != nil
}

// uploadID is the id of the upload that a path names, "" if it names none.
func uploadID(file string) string {
	p, _ := (&fileSystem{}).resolve(file)
	if path.Dir(p) != uploadDir {
		return ""
	}
	return path.Base(p)
}

// HasPythonModule tells whether a Python module is in one of the archives.
func (s *Server) HasPythonModule(archives, module string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := strings.ReplaceAll(module, ".", "/")
	for f := range strings.SplitSeq(archives, ",") {
		j := s.jarByID(uploadID(f))
		if j != nil && (j.content.files[name+".py"] || j.content.files[name+"/__init__.py"] || j.content.files[name+"/__main__.py"]) {
			return true
		}
	}
	return false
}
