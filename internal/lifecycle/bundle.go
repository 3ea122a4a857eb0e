// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle

import (
	"context"
	"path"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/pyflink"
)

// Bundle is a Python bundle on the cluster.
type Bundle struct {
	// ID is the upload, if it is still there under it.
	ID string
	// SHA256 is the hash of the content, by which it is found otherwise.
	SHA256 string
}

// BundleFileName is the name under which the archive of a bundle is uploaded:
// by its end it is found again, and Flink takes only the ending .jar.
func BundleFileName(name, sha string) string { return fileWord(name) + hashSuffix(sha) }

// RequirementsFileName is the name under which the requirements file of a
// bundle is uploaded beside its archive.
func RequirementsFileName(name, sha string) string { return fileWord(name) + requirementsSuffix(sha) }

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
	for i := range jars {
		if strings.HasSuffix(jars[i].ID, requirementsSuffix(sha)) {
			return &jars[i]
		}
	}
	return nil
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
	archive := FindJar(jars, bundle.SHA256)
	for i := range jars {
		if jars[i].ID == bundle.ID && bundle.ID != "" {
			archive = &jars[i]
		}
	}
	if archive == nil {
		return pyflink.Bundle{}, problemf(ProblemBundle,
			"Its upload directory may have been lost. A streaming_python_bundle is uploaded again by the next apply that includes it.", nil,
			"the cluster has no bundle %s", bundle.ID)
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
