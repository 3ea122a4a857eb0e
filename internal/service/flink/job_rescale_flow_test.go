// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
)

const frequent = `configuration = { "execution.checkpointing.interval" = "100 ms" }`

// adaptiveWorld has a cluster whose jobs can be rescaled in place.
func adaptiveWorld(t *testing.T, options ...flinkfake.Option) (w *world, config func(attributes ...string) string) {
	t.Helper()
	w = newWorld(t, append([]flinkfake.Option{flinkfake.Scheduler("Adaptive")}, options...)...)
	base := []string{named, source(w.jar(t, "app.jar")), cancel, frequent}
	return w, func(attributes ...string) string { return w.job(append(slices.Clone(base), attributes...)...) }
}

// asks checks that the one live job is of a generation, and asks for so many
// subtasks of its widest vertex.
func (w *world) asks(t *testing.T, generation, widest int64) func() error {
	t.Helper()
	o := w.outsider(t)
	return func() error {
		job, err := w.only()
		if err != nil {
			return err
		}
		requirements, err := o.Requirements(t.Context(), job.ID)
		if err != nil {
			return err
		}
		var most int64
		for _, bounds := range requirements {
			most = max(most, bounds.Upper)
		}
		if job.ID != w.id(generation) || most != widest {
			return fmt.Errorf("job %s asks for %d, not generation %d for %d", job.ID, most, generation, widest)
		}
		return nil
	}
}

// sent counts the changes of requirements.
func (w *world) sent() int {
	var n int
	for _, write := range w.writes() {
		if strings.HasPrefix(write, http.MethodPut) {
			n++
		}
	}
	return n
}

func TestFlow_FlinkJob_ParallelismAloneIsRescaledInPlace(t *testing.T) {
	t.Parallel()
	w, config := adaptiveWorld(t)
	acctest.RunFake(t,
		acctest.Apply(config("parallelism = 1"), acctest.Outside(w.asks(t, 1, 1))),
		resource.TestStep{
			Config: config("parallelism = 2"),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(jobAddress, plancheck.ResourceActionUpdate),
				plancheck.ExpectKnownValue(jobAddress, acctest.At("job_id"), knownvalue.StringExact(w.id(1))),
				plancheck.ExpectKnownValue(jobAddress, acctest.At("deployment.change"), knownvalue.StringExact("rescale in place (parallelism 1 -> 2)")),
			}},
		},
		acctest.Apply(config("parallelism = 2"),
			acctest.Is(jobAddress, "job_id", knownvalue.StringExact(w.id(1))),
			acctest.Is(jobAddress, "deployment.generation", knownvalue.Int64Exact(1)),
			acctest.Is(jobAddress, "restored_from", knownvalue.Null()),
			acctest.Outside(w.asks(t, 1, 2))),
		acctest.Noop(config("parallelism = 2")),
		// The next start has the new parallelism.
		acctest.Change(config("parallelism = 2", `restart_trigger = "1"`), jobAddress, plancheck.ResourceActionUpdate,
			acctest.Outside(w.asks(t, 2, 2))),
		// With another reason to restart there is one restart, and nothing in place.
		acctest.Change(config("parallelism = 3", `restart_trigger = "2"`), jobAddress, plancheck.ResourceActionUpdate,
			acctest.Outside(w.asks(t, 3, 3)),
			acctest.Outside(func() error {
				if n := w.sent(); n != 1 {
					return fmt.Errorf("requirements were sent %d times", n)
				}
				return nil
			})),
	)
}

// A rescale goes on from a checkpoint, so that a job without any would lose
// its state.
func TestFlow_FlinkJob_WithoutCheckpointsAnotherParallelismIsARestart(t *testing.T) {
	t.Parallel()
	w := newWorld(t, flinkfake.Scheduler("Adaptive"))
	base := []string{named, source(w.jar(t, "app.jar")), cancel}
	acctest.RunFake(t,
		acctest.Apply(w.job(append(base, "parallelism = 1")...)),
		acctest.Change(w.job(append(base, "parallelism = 2")...), jobAddress, plancheck.ResourceActionUpdate,
			acctest.Is(jobAddress, "deployment.change", knownvalue.StringExact("stop with savepoint, start from it (parallelism)")),
			acctest.Is(jobAddress, "restored_from", knownvalue.NotNull()),
			acctest.Outside(w.asks(t, 2, 2))),
	)
}

func TestFlow_FlinkJob_ALostAnswerOfARescaleIsReadBack(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		kind flinkfake.Kind
		sent int
	}{
		"the answer is lost": {flinkfake.LostAnswer, 1},
		"it never arrived":   {flinkfake.Unsent, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, config := adaptiveWorld(t)
			acctest.RunFake(t,
				acctest.Apply(config("parallelism = 1")),
				resource.TestStep{
					PreConfig: func() {
						w.Inject(flinkfake.Fault{Method: http.MethodPut, Path: "/resource-requirements$", Kind: test.kind})
					},
					Config: config("parallelism = 2"),
				},
				acctest.Apply(config("parallelism = 2"), acctest.Outside(w.asks(t, 1, 2)), acctest.Outside(func() error {
					if n := w.sent(); n != test.sent {
						return fmt.Errorf("requirements were sent %d times", n)
					}
					return nil
				})),
			)
		})
	}
}

func TestFlow_FlinkJob_ARescaleThatFlinkRefusesLeavesTheJobRunning(t *testing.T) {
	t.Parallel()
	w, config := adaptiveWorld(t)
	fixed := "max_parallelism = 4"
	acctest.RunFake(t,
		acctest.Apply(config(fixed, "parallelism = 1")),
		acctest.Fails(config(fixed, "parallelism = 5"), "parallelism", "maximum parallelism"),
		acctest.Change(config(fixed, "parallelism = 2"), jobAddress, plancheck.ResourceActionUpdate, acctest.Outside(w.asks(t, 1, 2))),
	)
}

func TestFlow_FlinkJob_TooFewSlotsForARescaleLeaveTheJobRunning(t *testing.T) {
	t.Parallel()
	w, config := adaptiveWorld(t, flinkfake.Slots(3))
	acctest.RunFake(t,
		acctest.Apply(config("parallelism = 1")),
		acctest.Change(config("parallelism = 5"), jobAddress, plancheck.ResourceActionUpdate, acctest.Outside(w.asks(t, 1, 5))),
		acctest.Noop(config("parallelism = 5")),
	)
}

func TestFlow_FlinkJob_SomebodyElsesRescaleIsDrift(t *testing.T) {
	t.Parallel()
	w, config := adaptiveWorld(t)
	acctest.RunFake(t,
		acctest.Apply(config("parallelism = 2")),
		resource.TestStep{
			PreConfig: func() { w.rescaleOutside(t, 3) },
			Config:    config("parallelism = 2"),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectKnownValue(jobAddress, acctest.At("deployment.change"), knownvalue.StringExact("rescale in place (parallelism 3 -> 2)")),
			}},
		},
		acctest.Apply(config("parallelism = 2"), acctest.Outside(w.asks(t, 1, 2))),
	)
}

// rescaleOutside changes the parallelism of the one job without Terraform.
func (w *world) rescaleOutside(t *testing.T, parallelism int64) {
	t.Helper()
	o := w.outsider(t)
	job, err := w.only()
	if err != nil {
		t.Fatal(err)
	}
	requirements, err := o.Requirements(t.Context(), job.ID)
	if err != nil {
		t.Fatal(err)
	}
	for id, bounds := range requirements {
		if bounds.Upper > 1 {
			requirements[id] = flink.Bounds{Lower: 1, Upper: parallelism}
		}
	}
	if err := o.SetRequirements(t.Context(), job.ID, requirements); err != nil {
		t.Fatal(err)
	}
}
