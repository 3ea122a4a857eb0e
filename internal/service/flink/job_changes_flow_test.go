// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/changes"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/flink"
)

// caseFiles is what the cases of attributes are about.
type caseFiles struct {
	v1, v2, copied string
	savepoint      string
	url, sha       string
	// ids are two uploads of one content.
	ids [2]string
	// bundles are uploads of two contents, the second one twice.
	bundles [3]string
}

// The contents of the bundles.
var bundleHashes = [3]string{strings.Repeat("1", 64), strings.Repeat("2", 64), strings.Repeat("2", 64)}

func (f caseFiles) bundle(i int) string {
	return fmt.Sprintf("bundle = { id = %q, sha256 = %q }", f.bundles[i], bundleHashes[i])
}

func (f caseFiles) byURL(file string) string {
	return fmt.Sprintf("jar = { url = %q, sha256 = %q }", f.url+file, f.sha)
}

func (f caseFiles) byID(i int) string {
	return fmt.Sprintf("jar = { id = %q, sha256 = %q }", f.ids[i], f.sha)
}

// caseWorld is a cluster of its own for the i-th case.
func caseWorld(t *testing.T, i int) (*world, attributeCase) {
	t.Helper()
	var options []flinkfake.Option
	if attributeCases(&world{}, caseFiles{})[i].adaptive {
		options = append(options, flinkfake.Scheduler("Adaptive"))
	}
	w, r := newWorld(t, options...), newRepository(t)
	r.files["/mirror/v1.jar"] = r.files["/v1.jar"]
	files := caseFiles{
		v1: w.jar(t, "v1.jar", "1"), v2: w.jar(t, "v2.jar", "2"), copied: w.jar(t, "copied.jar", "1"),
		savepoint: w.savepoint(t), url: r.URL, sha: r.sha(t, "/v1.jar"),
	}
	content := r.files["/v1.jar"]
	for n, name := range []string{"first.jar", "second.jar"} {
		files.ids[n] = w.upload(t, name, content)
	}
	for n, sha := range bundleHashes {
		files.bundles[n] = w.upload(t, "udfs-"+sha[:32]+".jar", []byte{byte(n)})
	}
	return w, attributeCases(w, files)[i]
}

// upload puts a file onto the cluster by other means.
func (w *world) upload(t *testing.T, name string, content []byte) (id string) {
	t.Helper()
	id, err := w.outsider(t).UploadJar(t.Context(), rest.Upload{
		FileName: name, Size: int64(len(content)), Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// config is a job with the attribute, and what every job needs.
func (w *world) config(t *testing.T, attribute string) string {
	t.Helper()
	attributes := []string{attribute}
	for key, fallback := range map[string]string{"name": named, "jar": source(w.jar(t, "v1.jar", "1")), "on_destroy": cancel} {
		if !strings.HasPrefix(attribute, key+" ") {
			attributes = append(attributes, fallback)
		}
	}
	return w.job(attributes...)
}

// expectation is what a plan has to say, and the server to see.
type expectation struct {
	// change is deployment.change, empty for the one before.
	change string
	// unknown are the computed values that are known after the apply.
	unknown []string
	// requests are those that change something, in their order.
	requests []string
	uploads  int
}

const (
	stopRequest    = "POST /jobs/[0-9a-f]{32}/stop"
	runRequest     = "POST /jars/[^/]+/run"
	rescaleRequest = "PUT /jobs/[0-9a-f]{32}/resource-requirements"
	deleteRequest  = "DELETE /jars/[^/]+"
)

// expected is what a change of this class does, or the change back.
func (c attributeCase) expected(row changes.Row, back bool) expectation {
	table := flink.Changes()[flink.JobType]
	reason := c.reason
	if reason == "" {
		reason = c.attribute
	}
	restart := expectation{
		change:  `stop with savepoint, start from it \(` + reason + `\)`,
		unknown: table.Unknown(changes.Restart), requests: []string{stopRequest, runRequest},
	}
	switch row.Class {
	case changes.None:
		return expectation{}
	case changes.Rescale:
		if !c.adaptive {
			return restart
		}
		words := "1 -> 2"
		if back {
			words = "2 -> 1"
		}
		return expectation{change: `rescale in place \(parallelism ` + words + `\)`, unknown: table.Unknown(row.Class), requests: []string{rescaleRequest}}
	case changes.Restart:
		switch reason {
		case "jar":
			restart.uploads, restart.requests = 1, append(restart.requests, deleteRequest)
		case "bundle":
			restart.requests = append(restart.requests, deleteRequest)
		}
		return restart
	case changes.Restore:
		restart.change, restart.unknown = `stop with savepoint, start from restore_from \(restore_trigger\)`, table.Unknown(row.Class)
		return restart
	case changes.Suspend:
		if back {
			return expectation{change: `start from savepoint \S+ \(state suspended -> running\)`, unknown: table.Unknown(changes.Restart), requests: []string{runRequest}}
		}
		return expectation{change: `stop with savepoint \(state running -> suspended\)`, unknown: table.Unknown(row.Class), requests: []string{stopRequest}}
	default:
		return expectation{change: "no job has an attribute of this class"}
	}
}

// change is a step that updates the job, whose plan says what is expected and
// whose apply does that and nothing else. The plans after it are empty.
func (w *world) change(config string, want expectation) resource.TestStep {
	checks := []plancheck.PlanCheck{
		plancheck.ExpectResourceAction(jobAddress, plancheck.ResourceActionUpdate),
		unknowns{jobAddress, want.unknown},
		acctest.Between(w.ForgetRequests),
	}
	var state []statecheck.StateCheck
	if want.change != "" {
		said := knownvalue.StringRegexp(regexp.MustCompile("^" + want.change + "$"))
		checks = append(checks, plancheck.ExpectKnownValue(jobAddress, acctest.At("deployment.change"), said))
		state = append(state, acctest.Is(jobAddress, "deployment.change", said))
	} else {
		checks = append(checks, unchanged{jobAddress, "deployment"})
	}
	state = append(state, acctest.Outside(func() error {
		seen, pattern := strings.Join(w.writes(), "\n"), "^"+strings.Join(want.requests, "\n")+"$"
		if !regexp.MustCompile(pattern).MatchString(seen) || w.uploads() != want.uploads {
			return fmt.Errorf("the server saw %d uploads instead of %d, and\n%s\ninstead of\n%s", w.uploads(), want.uploads, seen, pattern)
		}
		return nil
	}))
	return resource.TestStep{Config: config, ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: checks}, ConfigStateChecks: state}
}

// unknowns checks that a plan leaves exactly these values unknown.
type unknowns struct {
	address string
	want    []string
}

// CheckPlan looks at the resource's change.
func (u unknowns) CheckPlan(_ context.Context, req plancheck.CheckPlanRequest, resp *plancheck.CheckPlanResponse) {
	for _, change := range req.Plan.ResourceChanges {
		if change.Address != u.address {
			continue
		}
		got, want := flatten(change.Change.AfterUnknown, ""), slices.Sorted(slices.Values(u.want))
		if !slices.Equal(got, want) {
			resp.Error = fmt.Errorf("the plan of %s leaves %q unknown instead of %q", u.address, got, want)
		}
		return
	}
	resp.Error = fmt.Errorf("the plan has no change of %s", u.address)
}

// flatten lists the paths below which a plan says true.
func flatten(value any, path string) []string {
	switch v := value.(type) {
	case bool:
		if v {
			return []string{path}
		}
	case map[string]any:
		var paths []string
		for name, inner := range v {
			paths = append(paths, flatten(inner, strings.TrimPrefix(path+"."+name, "."))...)
		}
		slices.Sort(paths)
		return paths
	}
	return nil
}

// unchanged checks that a plan leaves an attribute as it is in state.
type unchanged struct{ address, attribute string }

// CheckPlan looks at the resource's change.
func (u unchanged) CheckPlan(_ context.Context, req plancheck.CheckPlanRequest, resp *plancheck.CheckPlanResponse) {
	for _, change := range req.Plan.ResourceChanges {
		before, _ := change.Change.Before.(map[string]any)
		after, _ := change.Change.After.(map[string]any)
		if change.Address == u.address && fmt.Sprint(before[u.attribute]) != fmt.Sprint(after[u.attribute]) {
			resp.Error = fmt.Errorf("the plan changes %s.%s from %v to %v", u.address, u.attribute, before[u.attribute], after[u.attribute])
		}
	}
}
