// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
)

// Each bad state with each on_destroy: what is sent, what Flink says of the job
// then, and what the user reads.
func TestFlow_FlinkJob_DestroyOfABadJobDoesWhatOnDestroySays(t *testing.T) {
	t.Parallel()
	failing := args("--plain", "--rate", "100", "--fail-at", "1000")
	pass := func(t *testing.T, w *world) {
		t.Helper()
		w.Advance(time.Minute)
	}
	bad := map[string]struct {
		attributes []string
		happens    func(t *testing.T, w *world)
		// left is Flink's word for the job after the destroy, by on_destroy; empty
		// for a job that it does not know.
		left  map[string]string
		words map[string][]string
	}{
		"the jar file is gone": {
			nil,
			func(t *testing.T, w *world) {
				t.Helper()
				if err := os.Remove(w.dir + "/app.jar"); err != nil {
					t.Error(err)
				}
			},
			map[string]string{"savepoint": "FINISHED", "cancel": "CANCELED", "detach": "RUNNING"},
			map[string][]string{"savepoint": {`The last savepoint of job "counter"`, "It is at file:/fake/savepoints/", "/1/savepoint-", "stays there"}},
		},
		"failed": {
			[]string{failing, configuration("restart-strategy.type", "none")},
			pass,
			map[string]string{"savepoint": "FAILED", "cancel": "FAILED", "detach": "FAILED"},
			nil,
		},
		"restarting": {
			[]string{failing, configuration("restart-strategy.type", "fixed-delay", "restart-strategy.fixed-delay.attempts", "1000", "restart-strategy.fixed-delay.delay", "1 h")},
			pass,
			map[string]string{"savepoint": "RESTARTING", "cancel": "CANCELED", "detach": "RESTARTING"},
			nil,
		},
		"lost": {
			nil,
			func(_ *testing.T, w *world) { w.RestartJobManager(flinkfake.LoseJars()) },
			map[string]string{"savepoint": "", "cancel": "", "detach": ""},
			nil,
		},
	}
	for state, b := range bad {
		for onDestroy, left := range b.left {
			t.Run(state+"/"+onDestroy, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				config := func(onDestroy string) string {
					return w.job(append([]string{named, source(w.dir + "/app.jar"), fmt.Sprintf("on_destroy = %q", onDestroy)}, b.attributes...)...)
				}
				w.jar(t, "app.jar")
				var warnings acctest.Warnings
				destroy := resource.TestStep{
					PreConfig: func() { b.happens(t, w); warnings.Take() },
					Config:    config(onDestroy), Destroy: true,
				}
				steps := []resource.TestStep{acctest.Apply(config(onDestroy)), destroy}
				if left == "RESTARTING" && onDestroy == "savepoint" {
					steps[1].ExpectError = acctest.InOrder(`Cannot destroy Flink job "counter"`, "RESTARTING and takes no savepoint", `on_destroy = "cancel"`)
					// What the error offers works.
					mended := acctest.Apply(config("cancel"))
					mended.PreConfig = func() {
						if err := w.left(left); err != nil {
							t.Error(err)
						}
						left = "CANCELED"
					}
					steps = append(steps, mended)
				}
				acctest.RunFakeWarned(t, &warnings, steps...)
				if err := w.left(left); err != nil {
					t.Error(err)
				}
				if words := b.words[onDestroy]; words != nil {
					if err := warnings.Held(words...); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
}

// left checks what Flink says of the first generation and that it knows no other.
func (w *world) left(wanted string) error {
	var states []string
	for _, job := range w.Jobs() {
		states = append(states, job.ID+" "+job.State)
	}
	if got, want := strings.Join(states, ", "), w.id(1)+" "+wanted; got != want && (wanted != "" || got != "") {
		return errors.New("there is " + got + ", expected is " + want)
	}
	return nil
}

// A suspended and a finished job are no diff when Flink has forgotten them:
// after an hour, and after a restart of the JobManager.
func TestFlow_FlinkJob_WhatFlinkForgotIsNoDiff(t *testing.T) {
	t.Parallel()
	bounded := []string{args("--plain", "--count", "6000", "--rate", "100")}
	ends := map[string]struct{ before, after []string }{
		"suspended": {nil, []string{`state = "suspended"`}},
		"finished":  {bounded, bounded},
	}
	forgets := map[string]func(w *world){
		"expired":         func(w *world) { w.Advance(3 * time.Hour) },
		"JobManager anew": func(w *world) { w.RestartJobManager(flinkfake.LoseJars()) },
	}
	for name, end := range ends {
		for how, forget := range forgets {
			t.Run(name+"/"+how, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				base := []string{named, source(w.jar(t, "app.jar")), cancel}
				before, after := w.job(append(base, end.before...)...), w.job(append(base, end.after...)...)
				forgotten := acctest.Noop(after)
				forgotten.PreConfig = func() {
					forget(w)
					if jobs := w.Jobs(); len(jobs) > 0 {
						t.Errorf("Flink has not forgotten %+v", jobs)
					}
					w.ForgetRequests()
				}
				acctest.RunFake(t,
					acctest.Apply(before, w.advance(2*time.Minute)),
					acctest.Apply(after),
					// This refresh sees the end of a job that ended by itself.
					acctest.Noop(after),
					forgotten,
				)
				for _, request := range w.writes() {
					// The destroy at the end deletes the upload alone.
					if !strings.HasPrefix(request, "DELETE /jars/") {
						t.Errorf("a job that had ended needed %s", request)
					}
				}
			})
		}
	}
}
