// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

func (w *world) protocol(t *testing.T) *acctest.Protocol {
	t.Helper()
	return acctest.NewProtocol(t, map[string]any{"owner": owner, "flink": map[string]any{"endpoint": w.URL()}})
}

func names(found []acctest.Listed) []string {
	var names []string
	for _, one := range found {
		names = append(names, one.Name)
	}
	return names
}

func TestQuery_FindsJobsThatHaveNotEnded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.end(t, w.start(t, "orders-ended"))
	w.Advance(time.Second)
	eu := w.start(t, "orders-eu")
	w.Advance(time.Second)
	w.start(t, "clicks")
	p := w.protocol(t)
	found, problems := p.Query(t, "streaming_flink_job", nil, 0)
	if len(problems) > 0 || !slices.Equal(names(found), []string{"orders-eu", "clicks"}) {
		t.Fatalf("%+v, %+v", found, problems)
	}
	first := found[0]
	if first.Identity["name"] != "orders-eu" || first.Identity["owner"] != owner || len(first.Warnings) > 0 {
		t.Errorf("%+v", first)
	}
	for name, want := range map[string]string{"name": "orders-eu", "job_name": "orders-eu", "job_id": eu, "status": "RUNNING", "cluster": w.URL()} {
		if first.Resource[name] != want {
			t.Errorf("%s is %q instead of %q", name, first.Resource[name], want)
		}
	}
	for _, test := range []struct {
		config map[string]any
		limit  int64
		want   []string
	}{
		{map[string]any{"name_regex": "^orders-"}, 0, []string{"orders-eu"}},
		{map[string]any{"statuses": []string{"RUNNING"}}, 0, []string{"orders-eu", "clicks"}},
		{map[string]any{"statuses": []string{"RESTARTING"}}, 0, nil},
		{nil, 1, []string{"orders-eu"}},
	} {
		if found, problems := p.Query(t, "streaming_flink_job", test.config, test.limit); len(problems) > 0 || !slices.Equal(names(found), test.want) {
			t.Errorf("%v: %v instead of %v, %+v", test.config, names(found), test.want, problems)
		}
	}
}

func TestQuery_SaysWhichJobsAnIdentityCannotTellApart(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 2 {
		w.start(t, "twice")
	}
	found, _ := w.protocol(t).Query(t, "streaming_flink_job", nil, 0)
	if len(found) != 2 {
		t.Fatalf("%+v", found)
	}
	for _, one := range found {
		if len(one.Warnings) != 1 || !strings.Contains(one.Warnings[0], "2 jobs are named") || !strings.Contains(one.Warnings[0], one.Resource["job_id"]) {
			t.Errorf("%q of %+v", one.Warnings, one)
		}
	}
}

func TestQuery_FindsJarsWithoutTheProvidersOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if _, err := lifecycle.NewStateProbe(w.outsider(t).Client).Exists(t.Context(), "file:///"); err != nil {
		t.Fatal(err)
	}
	id := w.upload(t, "orders.jar", flinkfake.Jar(counter))
	w.Advance(time.Second)
	w.upload(t, "clicks.jar", flinkfake.Jar(counter, "other"))
	p := w.protocol(t)
	found, problems := p.Query(t, "streaming_flink_jar", nil, 0)
	if len(problems) > 0 || !slices.Equal(names(found), []string{"orders.jar", "clicks.jar"}) {
		t.Fatalf("%+v, %+v", found, problems)
	}
	if found[0].Identity["id"] != id || found[0].Resource["id"] != id || found[0].Resource["file_name"] != "orders.jar" {
		t.Errorf("%+v", found[0])
	}
	if found, _ := p.Query(t, "streaming_flink_jar", map[string]any{"name_regex": "^clicks"}, 0); !slices.Equal(names(found), []string{"clicks.jar"}) {
		t.Errorf("%v", names(found))
	}
}

func TestQuery_SaysWhyNothingIsFound(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.protocol(t)
	for _, test := range []struct {
		kind   string
		config map[string]any
		want   string
	}{
		{"streaming_flink_job", map[string]any{"name_regex": "("}, "Not a regular expression"},
		{"streaming_flink_job", map[string]any{"statuses": []string{"FINISHED"}}, `statuses[0] cannot be "FINISHED"`},
		{"streaming_flink_jar", map[string]any{"name_regex": "("}, "Not a regular expression"},
	} {
		if _, problems := p.Query(t, test.kind, test.config, 0); len(problems) != 1 || problems[0].Summary != test.want {
			t.Errorf("%s: %+v", test.kind, problems)
		}
	}
	for _, kind := range []string{"streaming_flink_job", "streaming_flink_jar"} {
		if _, problems := acctest.NewProtocol(t, nil).Query(t, kind, nil, 0); len(problems) != 1 || !strings.Contains(problems[0].Detail, "STREAMING_FLINK_ENDPOINT") {
			t.Errorf("%s without an endpoint: %+v", kind, problems)
		}
	}
	w.Close()
	for kind, want := range map[string]string{"streaming_flink_job": "Cannot list the jobs", "streaming_flink_jar": "Cannot list the jars"} {
		if _, problems := p.Query(t, kind, nil, 0); len(problems) != 1 || !strings.Contains(problems[0].Summary, want) {
			t.Errorf("%s: %+v", kind, problems)
		}
	}
}

func texts(problems []*tfprotov6.Diagnostic) string {
	var b strings.Builder
	for _, problem := range problems {
		fmt.Fprintf(&b, "%s\n%s\n", problem.Summary, problem.Detail)
	}
	return b.String()
}
