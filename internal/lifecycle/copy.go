// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle

import (
	"context"
	"path"
	"strings"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle/stateprobe"
)

// copyTimeout is the probe's limit for a copy, which takes as long as the
// archive is large.
const copyTimeout = time.Minute

// BundleKeeper is a Program that tells the job of its bundle by its own
// arguments, so that the cluster need take no configuration with the job.
type BundleKeeper interface {
	Program
	KeepsBundle()
}

// BundleCopy is a bundle's archive under a name that ends with .zip, for a
// program that goes by that. It is there for one start of a job: Flink takes the
// file along when the job is submitted, and keeps it for workers that come later.
type BundleCopy struct {
	// Archive and Requirements are paths on the JobManager; the latter is empty
	// for a bundle without such a file.
	Archive, Requirements string

	client *flink.Client
}

// CopyBundle makes the copy for the job whose uploads the program's are. Its name
// tells the job and the content, so that neither another job's start nor another
// content's meets it.
func (p *JarProgram) CopyBundle(ctx context.Context, bundle Bundle) (BundleCopy, error) {
	jars, err := p.Client.Jars(ctx)
	if err != nil {
		return BundleCopy{}, err
	}
	archive := FindUpload(jars, bundle.ID, bundle.SHA256)
	if archive == nil {
		return BundleCopy{}, noBundle(bundle)
	}
	name := "bundle-" + p.tag + strings.TrimSuffix(hashSuffix(bundle.SHA256), ".jar") + ".zip"
	probe := stateProbe{client: p.Client}
	result, err := probe.askFor(ctx, copyTimeout, stateprobe.Copy(archive.ID, name))
	if err != nil {
		return BundleCopy{}, problemf(ProblemBundle,
			"The name of an upload ends with .jar. For a program that goes by .zip a copy is made beside it, on the JobManager. Nothing was started.", err,
			"the bundle %s could not be copied", archive.ID)
	}
	made := BundleCopy{Archive: result.Path, client: p.Client}
	if requirements := FindRequirements(jars, bundle.SHA256); requirements != nil {
		made.Requirements = path.Join(path.Dir(result.Path), requirements.ID)
	}
	return made, nil
}

// Remove deletes the copy. One that stays is deleted with the next copy that is
// made an hour later, and by a restart of the JobManager.
func (c BundleCopy) Remove(ctx context.Context) {
	_ = c.client.DeleteJar(context.WithoutCancel(ctx), path.Base(c.Archive))
}

func noBundle(bundle Bundle) error {
	return problemf(ProblemBundle,
		"Its upload directory may have been lost. A streaming_python_bundle is uploaded again by the next apply that includes it.", nil,
		"the cluster has no bundle %s", bundle.ID)
}
