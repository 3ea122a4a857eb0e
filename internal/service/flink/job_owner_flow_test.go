// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
)

// owned is the same job in the configuration of an owner, or of none.
func (w *world) owned(owner string, attributes ...string) string {
	return acctest.Config{Owner: owner, Flink: w.URL()}.String() + resourceBlock("streaming_flink_job", attributes...)
}

// whole is a whole life of a job, but for its destroy.
func (w *world) whole(t *testing.T, owner string) []resource.TestStep {
	t.Helper()
	file := source(w.jar(t, owner+".jar", owner))
	return []resource.TestStep{
		acctest.Apply(w.owned(owner, named, file, `args = ["--plain"]`)),
		acctest.Noop(w.owned(owner, named, file, `args = ["--plain"]`)),
		acctest.Change(w.owned(owner, named, file, `args = ["--plain", "--rate", "20"]`), jobAddress, plancheck.ResourceActionUpdate),
		acctest.Apply(w.owned(owner, named, file, `args = ["--plain", "--rate", "20"]`, `state = "suspended"`)),
		acctest.Apply(w.owned(owner, named, file, `args = ["--plain", "--rate", "20"]`)),
		acctest.Noop(w.owned(owner, named, file, `args = ["--plain", "--rate", "20"]`)),
	}
}

// untouched fails when a job is not as it was: running, and never stopped.
func (w *world) untouched(id string) error {
	job, ok := w.Job(id)
	if !ok || job.State != "RUNNING" || !job.EndedAt.IsZero() {
		return fmt.Errorf("the other configuration's job %s is %+v", id, job)
	}
	return nil
}

func TestFlow_FlinkJob_TwoOwnersOfAJobNameDoNotMeet(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	file := source(w.jar(t, "app.jar"))
	acctest.RunFake(t,
		acctest.Apply(w.owned("team-b", named, file), acctest.Outside(func() error {
			theirs, err := w.only()
			if err != nil {
				return err
			}
			acctest.RunFake(t, w.whole(t, "team-a")...)
			if err := w.untouched(theirs.ID); err != nil {
				return err
			}
			_, err = w.only()
			return err
		})),
		acctest.Noop(w.owned("team-b", named, file)),
	)
}

func TestFlow_FlinkJob_WithoutOwnerASecondConfigurationIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	file := source(w.jar(t, "app.jar"))
	acctest.RunFake(t,
		acctest.Apply(w.owned("", named, file), acctest.Outside(func() error {
			theirs, err := w.only()
			if err != nil {
				return err
			}
			acctest.RunFake(t, acctest.Fails(w.owned("", named, file), "Cannot create Flink job", "owner", "adopt_existing = true"))
			// With an owner of its own it is another job.
			acctest.RunFake(t, w.whole(t, "team-a")...)
			if err := w.untouched(theirs.ID); err != nil {
				return err
			}
			_, err = w.only()
			return err
		})),
		acctest.Noop(w.owned("", named, file)),
	)
}

// TestFlow_FlinkJob_WithoutOwnerASuspendedJobDoesNotTakeTheOthersOver lets a
// second configuration without owner start while the first one's job rests.
func TestFlow_FlinkJob_WithoutOwnerASuspendedJobDoesNotTakeTheOthersOver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	file := source(w.jar(t, "app.jar"))
	plain := `args = ["--plain"]`
	suspended := w.owned("", named, file, plain, `state = "suspended"`)
	acctest.RunFake(t,
		acctest.Apply(w.owned("", named, file, plain)),
		acctest.Apply(suspended, acctest.Outside(func() error {
			acctest.RunFake(t, acctest.Apply(w.owned("", named, file, plain), acctest.Outside(func() error {
				theirs, err := w.only()
				if err != nil {
					return err
				}
				acctest.RunFake(t, acctest.Fails(w.owned("", named, file, plain), "owner"))
				return w.untouched(theirs.ID)
			})))
			return nil
		})),
		acctest.Noop(suspended),
		acctest.Apply(w.owned("", named, file, plain), acctest.Is(jobAddress, "status", knownvalue.StringExact("RUNNING"))),
	)
}
