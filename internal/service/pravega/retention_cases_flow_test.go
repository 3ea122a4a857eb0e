// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
)

func TestFlow_Stream_C75_RetentionIsOneQuantityInAnyUnit(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	const minute = 60_000
	keeps := func(kind string, amount int64) statecheck.StateCheck {
		return acctest.Outside(func() error {
			state, _ := fake.Stream("orders", "clicks")
			if state.RetentionKind != kind || state.Retention != amount {
				return fmt.Errorf("the engine keeps %d by %s, want %d by %s", state.Retention, state.RetentionKind, amount, kind)
			}
			return nil
		})
	}
	config := func(retention string) string { return streamConfig(fake.URL(), "retention = { "+retention+" }") }
	var steps []resource.TestStep
	for refused, why := range map[string]string{
		`time = "45 s"`: "Not a whole number of minutes", `time = "90001 ms"`: "Not a whole number of minutes", `time = "0 d"`: "Retention of nothing",
		`size = "1536 kb"`: "Not a whole number of MiB", `size = "0 b"`: "Retention of nothing",
	} {
		steps = append(steps, acctest.Fails(config(refused), why))
	}
	for _, c := range []struct {
		written, same string
		minutes       int64
	}{
		{`time = "90 min"`, `time = "5400 s"`, 90},
		{`time = "24 h"`, `time = "1 d"`, 1440},
		{`time = "1441 min"`, `time = "86460 s"`, 1441},
		{`time = "30 h"`, `time = "1800 min"`, 1800},
		{`time = "36h"`, `time = "2160min"`, 2160},
	} {
		steps = append(steps, acctest.Apply(config(c.written), keeps("time", c.minutes*minute)), acctest.Noop(config(c.same)))
	}
	acctest.RunFake(t, append(steps,
		// What another client sets in bytes is neither rounded nor removed.
		resource.TestStep{
			PreConfig: func() { fake.RetainSize("orders", "clicks", 1000, 0); fake.Forget() },
			Config:    streamConfig(fake.URL(), `tags = ["a"]`), ExpectError: acctest.InOrder("would be removed", "less than 1 mb", "allow_retention_reset = true"),
		},
		resource.TestStep{
			PreConfig: func() {
				if got, err := puts(fake); err != nil || len(got) > 0 {
					t.Errorf("updates were sent: %v, %v", got, err)
				}
			},
			Config: streamConfig(fake.URL()), ConfigStateChecks: []statecheck.StateCheck{keeps("size", 1000)},
		},
		acctest.Change(streamConfig(fake.URL(), `tags = ["a"]`, `retention = { size = "1 mb" }`), streamAddress, plancheck.ResourceActionUpdate, keeps("size", 1<<20)),
	)...)
}

func TestFlow_Stream_C75_ImportedWithARetentionInBytes(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	fake.AddStream("orders", "clicks", 1)
	fake.AddEvents("orders", "clicks", 50)
	fake.RetainSize("orders", "clicks", 1000, 0)
	acctest.RunFake(t,
		// The tags alone, in the same run as the import.
		acctest.Fails(importBlock+streamConfig(fake.URL(), `tags = ["a"]`), "would be removed", "less than 1 mb", "allow_retention_reset = true"),
		resource.TestStep{
			Config: importBlock + streamConfig(fake.URL(), `tags = ["a"]`, "allow_retention_reset = true"), ConfigPlanChecks: planned(plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{acctest.Outside(func() error {
				fake.RunRetention()
				state, _ := fake.Stream("orders", "clicks")
				if n := fake.Events("orders", "clicks"); n != 50 || state.RetentionKind != "" || !slices.Equal(state.Tags, []string{"a"}) {
					return fmt.Errorf("%d events are left of 50 in %+v", n, state)
				}
				return nil
			})},
		},
	)
}

func TestFlow_Stream_firstRetentionOfAnImportedOneNeedsConsent(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	fake.AddStream("orders", "clicks", 1)
	week := `retention = { time = "7d" }`
	acctest.RunFake(t,
		acctest.Fails(importBlock+streamConfig(fake.URL(), week), "would delete data", "keeps everything now", "it keeps 7 d", "Events older than 7 d would be lost", "allow_data_loss = true"),
		resource.TestStep{
			Config: importBlock + streamConfig(fake.URL(), week, "allow_data_loss = true"), ConfigPlanChecks: planned(plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{acctest.Is(streamAddress, "retention.time", knownvalue.StringExact("7d"))},
		},
		acctest.Change(streamConfig(fake.URL(), week), streamAddress, plancheck.ResourceActionUpdate),
	)
}

func TestFlow_Stream_C87_LessRetentionWarnsOfSavepoints(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	var warnings acctest.Warnings
	step := func(words []string, attributes ...string) resource.TestStep {
		return resource.TestStep{
			PreConfig: func() { warnings.Take() }, Config: streamConfig(fake.URL(), attributes...),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(streamAddress, plancheck.ResourceActionUpdate), warnings.InPlan(words...),
			}},
		}
	}
	hour, day := `retention = { time = "1 h" }`, `retention = { time = "1 d" }`
	acctest.RunFakeWarned(t, &warnings,
		acctest.Apply(streamConfig(fake.URL(), day)),
		// Never by itself.
		acctest.Fails(streamConfig(fake.URL(), hour), "would delete data", "keeps 1 d now", "Savepoints and checkpoints", "suspended job", "TruncatedDataException", "allow_data_loss = true"),
		step([]string{"retention: This update deletes data of", "keeps 1 d now", "it keeps 1 h", "Savepoints and checkpoints", "suspended job", "TruncatedDataException"}, hour, "allow_data_loss = true"),
		// More deletes nothing.
		step(nil, day),
		step(nil),
	)
}
