// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle

import (
	"bytes"
	"context"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/pyflink"
)

// Bundle is a Python bundle on the cluster.
type Bundle struct {
	// ID is the upload, if it is still there under it.
	ID string
	// SHA256 is the hash of the content, by which it is found otherwise.
	SHA256 string
}

// requirementsSuffix is the end of the name under which the requirements file of
// a bundle is uploaded beside its archive.
func requirementsSuffix(sha string) string {
	return strings.TrimSuffix(hashSuffix(sha), ".jar") + "-requirements.jar"
}

// fileWord is a name without what a file name, or a list of paths of Flink,
// does without.
func fileWord(name string) string {
	return strings.Trim(unfitForFileName.ReplaceAllString(name, "_"), "._")
}

// FindRequirements returns the upload of the requirements file of the bundle of
// a content hash, or nil.
func FindRequirements(jars []flink.Jar, sha string) *flink.Jar {
	if sha == "" {
		return nil
	}
	return findBySuffix(jars, requirementsSuffix(sha))
}

// locate finds the files of a bundle on the JobManager. An upload has another
// id each time that it is made, and so another path: a job is told it when it
// is submitted, and nothing else remembers it.
func (e *Engine) locate(ctx context.Context, bundle Bundle) (pyflink.Bundle, error) {
	if bundle.SHA256 == "" {
		return pyflink.Bundle{}, nil
	}
	jars, err := e.Client.Jars(ctx)
	if err != nil {
		return pyflink.Bundle{}, err
	}
	archive := FindUpload(jars, bundle.ID, bundle.SHA256)
	if archive == nil {
		return pyflink.Bundle{}, noBundle(bundle)
	}
	directory, err := e.Client.UploadDirectory(ctx)
	if err != nil {
		return pyflink.Bundle{}, err
	}
	found := pyflink.Bundle{Archive: path.Join(directory, archive.ID)}
	if requirements := FindRequirements(jars, bundle.SHA256); requirements != nil {
		found.Requirements = path.Join(directory, requirements.ID)
	}
	return found, nil
}

// BundleUpload is a bundle that is to be on the cluster.
type BundleUpload struct {
	// Name begins the names of the files.
	Name string
	// SHA256 is the hash of the content, by which the files are found again.
	SHA256 string
	// Size and Open are of the archive, of which there may be several readers.
	Size int64
	Open func() (io.ReadCloser, error)
	// Requirements is the content of a requirements file, nil without one.
	Requirements []byte
}

// UploadBundle uploads a bundle unless its content is there, and returns the
// id of its archive.
func UploadBundle(ctx context.Context, client *flink.Client, b BundleUpload) (id string, err error) {
	release, err := client.LockUpload(ctx, b.SHA256)
	if err != nil {
		return "", err
	}
	defer release()
	jars, err := client.Jars(ctx)
	if err != nil {
		return "", err
	}
	if b.Requirements != nil && FindRequirements(jars, b.SHA256) == nil {
		// It goes first: who finds the archive must find both.
		if err := sendRequirements(ctx, client, b); err != nil {
			return "", err
		}
	}
	if archive := FindJar(jars, b.SHA256); archive != nil {
		return archive.ID, nil
	}
	id, _, err = sendJar(ctx, client, JarFile{Path: fileWord(b.Name), SHA256: b.SHA256, Size: b.Size}, b.Open)
	return id, err
}

func sendRequirements(ctx context.Context, client *flink.Client, b BundleUpload) error {
	_, _, err := send(ctx, client, rest.Upload{
		FileName: fileWord(b.Name) + requirementsSuffix(b.SHA256), Size: int64(len(b.Requirements)),
		Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b.Requirements)), nil },
	}, func(jars []flink.Jar) *flink.Jar { return FindRequirements(jars, b.SHA256) })
	return err
}

// ReleaseBundle deletes the files of a bundle, unless a job runs on it or may
// be started again with it. own are as in ReleaseJar. It returns the job that
// kept them.
func (e *Engine) ReleaseBundle(ctx context.Context, sha string, own func(jobID string) bool) (user string, err error) {
	return e.deleteBundle(ctx, Bundle{SHA256: sha}, own, recentlyEnded)
}

// DeleteBundle deletes the files of a bundle whose resource is destroyed,
// unless a job that runs may need it again. It returns that job.
func (e *Engine) DeleteBundle(ctx context.Context, bundle Bundle) (user string, err error) {
	return e.deleteBundle(ctx, bundle, nil, 0)
}

// deleteBundle counts jobs that ended within a time as users.
func (e *Engine) deleteBundle(ctx context.Context, bundle Bundle, own func(jobID string) bool, ended time.Duration) (user string, err error) {
	jars, err := e.Client.Jars(ctx)
	if err != nil {
		return "", err
	}
	files := slices.DeleteFunc([]*flink.Jar{FindUpload(jars, bundle.ID, bundle.SHA256), FindRequirements(jars, bundle.SHA256)}, func(file *flink.Jar) bool { return file == nil })
	if len(files) == 0 {
		return "", nil
	}
	if user, err = e.userOf(ctx, bundle.SHA256, own, ended); err != nil || user != "" {
		return user, err
	}
	for _, file := range files {
		if err := e.Client.DeleteJar(ctx, file.ID); err != nil {
			return "", err
		}
	}
	return "", nil
}
