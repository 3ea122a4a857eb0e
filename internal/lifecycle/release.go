// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle

import (
	"context"
	"regexp"
	"slices"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
)

// recentlyEnded is how long an ended job without a successor counts as a user
// of its jar: it may be in the middle of an upgrade that is going to be rolled
// back.
const recentlyEnded = 30 * time.Minute

// ReleaseJar deletes the upload of a content hash, unless a job may still need
// it: to be rolled back, or to be started again. With jobs it deletes only what
// a job uploaded, since a resource may have uploaded the same content. own are the ids of the
// resource's own jobs, which do not count. It returns the job that kept it.
func (e *Engine) ReleaseJar(ctx context.Context, sha string, jobs bool, own func(jobID string) bool) (user string, err error) {
	jars, err := e.Client.Jars(ctx)
	if err != nil {
		return "", err
	}
	if jobs {
		jars = slices.DeleteFunc(jars, func(jar flink.Jar) bool { return !ofJob(jar) })
	}
	jar := FindJar(jars, sha)
	if jar == nil {
		return "", nil
	}
	if user, err = e.userOf(ctx, sha, own, recentlyEnded); err != nil || user != "" {
		return user, err
	}
	return "", e.Client.DeleteJar(ctx, jar.ID)
}

// ReleaseUploads deletes what an interrupted apply of a job uploaded and no
// job came to use: all uploads with the job's mark but the one of a content
// hash, unless another job may need one. own are as in ReleaseJar.
func (e *Engine) ReleaseUploads(ctx context.Context, uid, keep string, own func(jobID string) bool) error {
	jars, err := e.Client.Jars(ctx)
	if err != nil {
		return err
	}
	for _, jar := range jars {
		match := markedUpload.FindStringSubmatch(jar.ID)
		if match == nil || match[1] != UploadTag(uid) || sameContent(match[2], keep) {
			continue
		}
		user, err := e.userOf(ctx, match[2], own, recentlyEnded)
		if err != nil {
			return err
		}
		if user != "" {
			continue
		}
		if err := e.Client.DeleteJar(ctx, jar.ID); err != nil {
			return err
		}
	}
	return nil
}

// markedUpload is the end of the id of a job's upload.
var markedUpload = regexp.MustCompile(`-(job[0-9a-f]{12})-([0-9a-f]+)\.jar$`)

// ofJob tells the uploads that jobs make from others.
func ofJob(jar flink.Jar) bool { return markedUpload.MatchString(jar.ID) }

// sameContent compares content hashes as far as file names hold them.
func sameContent(a, b string) bool {
	return a != "" && b != "" && a[:min(hashDigits, len(a))] == b[:min(hashDigits, len(b))]
}

// DeleteJar deletes an upload whose resource is destroyed, unless a job that
// runs may need it again. It returns that job.
func (e *Engine) DeleteJar(ctx context.Context, id, sha string) (user string, err error) {
	if user, err = e.userOf(ctx, sha, nil, 0); err != nil || user != "" {
		return user, err
	}
	return "", e.Client.DeleteJar(ctx, id)
}

// family is the jobs of one owner and name.
type family struct {
	live, ended []Marker
	id          string
}

// uses tells whether the family may need the jar or bundle. Ended jobs count
// only where none lives.
func (f *family) uses(sha string) bool {
	markers := f.live
	if len(markers) == 0 {
		markers = f.ended
	}
	return slices.ContainsFunc(markers, func(m Marker) bool { return sameContent(m.Jar, sha) || sameContent(m.Bundle, sha) })
}

// userOf returns a job that may need a jar, or nothing. A running job whose
// marker cannot be read may use any.
func (e *Engine) userOf(ctx context.Context, sha string, own func(jobID string) bool, ended time.Duration) (string, error) {
	jobs, err := e.Client.Jobs(ctx)
	if err != nil {
		return "", err
	}
	families := map[string]*family{}
	for _, job := range jobs {
		over := job.State.Terminal()
		if own != nil && own(job.ID) || over && time.Since(time.UnixMilli(job.LastModification)) >= ended {
			continue
		}
		config, err := e.Client.JobConfig(ctx, job.ID)
		if flink.IsNotFound(err) {
			continue
		}
		if err != nil {
			return "", err
		}
		marker, known := ParseMarker(config.ExecutionConfig.UserConfig)
		if !known {
			if over {
				continue
			}
			return job.ID, nil
		}
		key := marker.Owner + "\x00" + marker.Name
		if families[key] == nil {
			families[key] = &family{}
		}
		f := families[key]
		f.id = job.ID
		if over {
			f.ended = append(f.ended, marker)
		} else {
			f.live = append(f.live, marker)
		}
	}
	for _, f := range families {
		if f.uses(sha) {
			return f.id, nil
		}
	}
	return "", nil
}

// OwnJobs tells which job ids are generations of an identity up to n.
func OwnJobs(uid string, n int64) func(string) bool {
	ids := map[string]bool{}
	for i := int64(1); i <= n; i++ {
		ids[JobID(uid, i)] = true
	}
	return func(id string) bool { return ids[id] }
}
