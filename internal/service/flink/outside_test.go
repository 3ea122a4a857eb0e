// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"testing"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// outsider acts on a cluster as someone who does not use Terraform.
type outsider struct {
	*flink.Client
}

func (w *world) outsider(t *testing.T) outsider {
	t.Helper()
	transport, err := rest.New(rest.Config{Endpoint: w.Server.URL()})
	if err != nil {
		t.Fatal(err)
	}
	return outsider{flink.New(transport)}
}

// start runs a counter of this name and returns its id once it is up.
func (w *world) start(t *testing.T, name string) string {
	t.Helper()
	o := w.outsider(t)
	id, _, _, err := lifecycle.UploadJar(t.Context(), o.Client, w.jar(t, "outside.jar", "outside"), "", "")
	if err != nil {
		t.Fatal(err)
	}
	request := flink.RunRequest{FlinkConfiguration: map[string]string{"pipeline.name": name}}
	strict, err := o.Strict(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if strict {
		request = flink.RunRequest{ProgramArgsList: []string{"--plain", "--name", name}}
	}
	jobID, err := o.RunJar(t.Context(), id, request)
	if err != nil {
		t.Fatal(err)
	}
	o.wait(t, func() bool {
		job, err := o.Summary(t.Context(), jobID)
		return err == nil && job != nil && job.AllUp()
	})
	return jobID
}

// savepoint runs a counter, stops it with a savepoint, and returns the path.
func (w *world) savepoint(t *testing.T) string {
	t.Helper()
	o := w.outsider(t)
	return o.stop(t, w.start(t, "outside"), "file:///fake/outside")
}

func (o outsider) stop(t *testing.T, jobID, directory string) string {
	t.Helper()
	trigger, err := o.Stop(t.Context(), jobID, flink.StopRequest{TargetDirectory: directory})
	if err != nil {
		t.Fatal(err)
	}
	var location string
	o.wait(t, func() bool {
		status, err := o.SavepointStatus(t.Context(), jobID, trigger)
		if err != nil || status.Failure != "" {
			t.Fatalf("stop failed: %v %+v", err, status)
		}
		location = status.Location
		return location != ""
	})
	o.wait(t, func() bool {
		state, _, err := o.Status(t.Context(), jobID)
		return err == nil && state.Terminal()
	})
	return location
}

func (o outsider) wait(t *testing.T, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the cluster did not get there in 20 s")
		}
	}
}
