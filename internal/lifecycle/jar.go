// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
)

// JarFile is a jar on this machine and its content hash.
type JarFile struct {
	Path   string
	SHA256 string
	Size   int64
	// Tag marks the uploads of one job, so that those of an interrupted apply
	// are found and deleted; empty for uploads that are resources of their own.
	Tag string
}

// tagDigits of a job's identity mark its uploads.
const tagDigits = 12

// UploadTag is the mark of the uploads of the job of an identity.
func UploadTag(uid string) string { return "job" + uid[:min(tagDigits, len(uid))] }

// ReadJarFile hashes a file without keeping it in memory.
func ReadJarFile(path string) (JarFile, error) {
	file, err := os.Open(path)
	if err != nil {
		return JarFile{}, err
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return JarFile{}, err
	}
	if !info.Mode().IsRegular() {
		return JarFile{}, fmt.Errorf("%s is not a file", path)
	}
	h := sha256.New()
	size, err := io.Copy(h, file)
	if err != nil {
		return JarFile{}, err
	}
	return JarFile{Path: path, SHA256: hex.EncodeToString(h.Sum(nil)), Size: size}, nil
}

// hashDigits of the content hash are part of an upload's file name.
const hashDigits = 32

// FileName is the name under which a jar is uploaded: its own, the mark of the
// job that it is for, and its content hash, by which equal content is found
// again whatever the rest of the name is.
func (f JarFile) FileName() string {
	base := filepath.Base(f.Path)
	if ext := filepath.Ext(base); strings.EqualFold(ext, ".jar") {
		base = strings.TrimSuffix(base, ext)
	}
	if f.Tag != "" {
		base += "-" + f.Tag
	}
	return base + hashSuffix(f.SHA256)
}

func hashSuffix(sha string) string {
	if len(sha) < hashDigits {
		return "-" + sha + ".jar"
	}
	return "-" + sha[:hashDigits] + ".jar"
}

// FindJar returns the upload of a content hash, or nil.
func FindJar(jars []flink.Jar, sha string) *flink.Jar {
	if sha == "" {
		return nil
	}
	return findBySuffix(jars, hashSuffix(sha))
}

func findBySuffix(jars []flink.Jar, suffix string) *flink.Jar {
	for i := range jars {
		if strings.HasSuffix(jars[i].ID, suffix) {
			return &jars[i]
		}
	}
	return nil
}

// FindUpload returns the upload of an id, else that of a content hash, under
// which it may have come back, or nil.
func FindUpload(jars []flink.Jar, id, sha string) *flink.Jar {
	for i := range jars {
		if jars[i].ID == id && id != "" {
			return &jars[i]
		}
	}
	return FindJar(jars, sha)
}

// findUpload is FindJar for a job. A resource that is an upload itself takes
// none that a job is going to delete when it has moved on.
func findUpload(jars []flink.Jar, file JarFile) *flink.Jar {
	if file.Tag == "" {
		jars = slices.DeleteFunc(slices.Clone(jars), ofJob)
	}
	return FindJar(jars, file.SHA256)
}

// UploadJar uploads a file unless its content is there already. It fails when
// the content is not what was planned.
func UploadJar(ctx context.Context, client *flink.Client, path, planned, tag string) (id string, file JarFile, uploaded bool, err error) {
	file, err = ReadJarFile(path)
	if err != nil {
		return "", file, false, problemf(ProblemJar, "Build the jar before applying, or correct the path. Nothing was sent.", nil,
			"the jar file cannot be read: %s", plainFileError(err))
	}
	if planned != "" && file.SHA256 != planned {
		return "", file, false, problemf(ProblemJar, "Plan again, so that the plan shows what is going to run. Nothing was sent.", nil,
			"%s changed between plan and apply (sha256 %s instead of %s)", path, file.SHA256, planned)
	}
	file.Tag = tag
	release, err := client.LockUpload(ctx, file.SHA256)
	if err != nil {
		return "", file, false, err
	}
	defer release()
	jars, err := client.Jars(ctx)
	if err != nil {
		return "", file, false, err
	}
	if jar := findUpload(jars, file); jar != nil {
		return jar.ID, file, false, nil
	}
	id, uploaded, err = sendJar(ctx, client, file, func() (io.ReadCloser, error) { return os.Open(path) })
	return id, file, uploaded, err
}

// sendJar uploads a content that is not on the cluster.
func sendJar(ctx context.Context, client *flink.Client, file JarFile, open func() (io.ReadCloser, error)) (id string, uploaded bool, err error) {
	return send(ctx, client, rest.Upload{FileName: file.FileName(), Size: file.Size, Open: open},
		func(jars []flink.Jar) *flink.Jar { return findUpload(jars, file) })
}

// send uploads a file. Where the answer is lost, its name tells whether it
// arrived.
func send(ctx context.Context, client *flink.Client, upload rest.Upload, find func([]flink.Jar) *flink.Jar) (id string, uploaded bool, err error) {
	id, err = client.UploadJar(ctx, upload)
	if rest.OutcomeUnknown(err) {
		jars, listErr := client.Jars(ctx)
		if listErr != nil {
			return "", false, errors.Join(err, listErr)
		}
		if jar := find(jars); jar != nil {
			return jar.ID, true, nil
		}
	}
	return id, err == nil, err
}

func plainFileError(err error) string {
	if pathErr, ok := errors.AsType[*os.PathError](err); ok {
		return fmt.Sprintf("%s: %v", pathErr.Path, pathErr.Err)
	}
	return err.Error()
}

// JarProgram is a program in a jar.
type JarProgram struct {
	Client *flink.Client
	// ID is the upload to run, which wins over Path.
	ID string
	// SHA256 is the planned content hash.
	SHA256 string
	// Path is the file to upload if its content is not there.
	Path string
	// URL is where to fetch the file from instead; it needs SHA256.
	URL        string
	EntryClass string
	Args       []string
	// Show adds a marker to the arguments of a program that registers them as
	// global parameters, in the place of those that were submitted. It is nil for
	// other programs, whose jobs have none where a cluster takes no configuration.
	Show func(args []string, marker []Entry) ([]string, error)

	tag, resolved string
}

// tagger is a Program whose uploads carry the mark of their job.
type tagger interface{ setTag(tag string) }

func (p *JarProgram) setTag(tag string) { p.tag = tag }

// mark makes the program's uploads those of the job of an identity.
func mark(program Program, uid string) {
	if t, ok := program.(tagger); ok {
		t.setTag(UploadTag(uid))
	}
}

// Fingerprint lists the content, or the id where the content is not known.
func (p *JarProgram) Fingerprint() []string {
	content := p.SHA256
	if content == "" {
		content = "id:" + p.ID
	}
	return append([]string{"jar", content, p.EntryClass}, p.Args...)
}

// JarSHA256 is the planned content hash.
func (p *JarProgram) JarSHA256() string { return p.SHA256 }

// Prepare finds the upload, or uploads the file.
func (p *JarProgram) Prepare(ctx context.Context) (bool, error) {
	if p.ID == "" && p.hasFile() {
		return p.prepareFile(ctx)
	}
	jars, err := p.Client.Jars(ctx)
	if err != nil {
		return false, err
	}
	if jar := FindUpload(jars, p.ID, p.SHA256); jar != nil {
		p.resolved = jar.ID
		return false, nil
	}
	if p.hasFile() {
		return p.prepareFile(ctx)
	}
	return false, problemf(ProblemJar,
		"Its upload directory may have been lost. A streaming_flink_jar is uploaded again at the next apply; an upload by other means has to be repeated.", nil,
		"the cluster has no jar %s", p.ID)
}

func (p *JarProgram) hasFile() bool { return p.Path != "" || p.URL != "" }

func (p *JarProgram) prepareFile(ctx context.Context) (bool, error) {
	upload, from := UploadJar, p.Path
	if p.Path == "" {
		upload, from = UploadRemoteJar, p.URL
	}
	id, file, uploaded, err := upload(ctx, p.Client, from, p.SHA256, p.tag)
	if err != nil {
		return uploaded, err
	}
	p.resolved, p.SHA256 = id, file.SHA256
	return uploaded, nil
}

// Submit runs the program; a jar that was lost meanwhile is uploaded once more.
func (p *JarProgram) Submit(ctx context.Context, s Submission) (string, error) {
	request := flink.RunRequest{
		EntryClass: p.EntryClass, ProgramArgsList: p.Args, Parallelism: s.Parallelism, JobID: s.JobID,
		FlinkConfiguration: s.Configuration,
	}
	if s.Restore != "" {
		request.SavepointPath, request.ClaimMode = s.Restore, flink.NoClaim
		request.AllowNonRestoredState = s.AllowNonRestored
	}
	if p.Show != nil {
		shown, err := p.Show(p.Args, s.Marker.Entries())
		if err != nil {
			return "", err
		}
		request.ProgramArgsList = shown
	}
	strict, err := p.Client.Strict(ctx)
	if err != nil {
		return "", err
	}
	if strict {
		// It never claims a savepoint. What it cannot keep was refused before.
		request.FlinkConfiguration, request.ClaimMode = nil, ""
	}
	if p.resolved == "" {
		if _, err := p.Prepare(ctx); err != nil {
			return "", err
		}
	}
	id, err := p.Client.RunJar(ctx, p.resolved, request)
	if flink.IsJarMissing(err) {
		if _, err := p.Prepare(ctx); err != nil {
			return "", err
		}
		return p.Client.RunJar(ctx, p.resolved, request)
	}
	return id, err
}

func (p *JarProgram) throughREST() {}

// Vertices asks the program for its graph, as it is with a parallelism.
func (p *JarProgram) Vertices(ctx context.Context, parallelism int64, configuration map[string]string) (map[string]int64, error) {
	return p.Client.PlanVertices(ctx, p.resolved, flink.RunRequest{
		EntryClass: p.EntryClass, ProgramArgsList: p.Args, Parallelism: parallelism, FlinkConfiguration: configuration,
	})
}

// Discard deletes the upload.
func (p *JarProgram) Discard(ctx context.Context) error {
	if p.resolved == "" {
		return nil
	}
	return p.Client.DeleteJar(ctx, p.resolved)
}

// ForgetFile makes the program run from the upload of its content alone.
func (p *JarProgram) ForgetFile() { p.Path = "" }

// ContentKnown is false for a file that is not read yet.
func (p *JarProgram) ContentKnown() bool { return p.SHA256 != "" }
