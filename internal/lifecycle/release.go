// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle

import (
	"context"
	"slices"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
)

// ReleaseJar deletes the upload of a content hash, unless a job may still need
// it: to be rolled back, or to be started again. own are the ids of the
// resource's own jobs, which do not count. It reports whether a job kept it.
func (e *Engine) ReleaseJar(ctx context.Context, sha string, own func(jobID string) bool) (inUse string, err error) {
	jars, err := e.Client.Jars(ctx)
	if err != nil {
		return "", err
	}
	jar := FindJar(jars, sha)
	if jar == nil {
		return "", nil
	}
	if inUse, err = e.userOf(ctx, sha, own); err != nil || inUse != "" {
		return inUse, err
	}
	return "", e.Client.DeleteJar(ctx, jar.ID)
}

// userOf returns a job that may need a jar, or nothing. A job whose marker
// cannot be read may use any. Of one owner and name only the live job counts,
// and all ended ones where none lives.
func (e *Engine) userOf(ctx context.Context, sha string, own func(jobID string) bool) (string, error) {
	jobs, err := e.Client.Jobs(ctx)
	if err != nil {
		return "", err
	}
	type family struct {
		live, ended []Marker
		id          string
	}
	families := map[string]*family{}
	for _, job := range jobs {
		if own != nil && own(job.ID) {
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
		if !known && !job.State.Terminal() {
			return job.ID, nil
		}
		if !known {
			continue
		}
		key := marker.Owner + "\x00" + marker.Name
		if families[key] == nil {
			families[key] = &family{id: job.ID}
		}
		if job.State.Terminal() {
			families[key].ended = append(families[key].ended, marker)
		} else {
			families[key].live = append(families[key].live, marker)
		}
	}
	for _, f := range families {
		markers := f.live
		if len(markers) == 0 {
			markers = f.ended
		}
		if slices.ContainsFunc(markers, func(m Marker) bool { return m.Jar != "" && strings.EqualFold(m.Jar, sha) }) {
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
