// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
)

// TestAcc_Stream_eachScalingBecomesEachOther goes from each type of scaling to
// each, its own with other numbers among them. It reads each back, imports it,
// plans it again, and counts the events.
func TestAcc_Stream_eachScalingBecomesEachOther(t *testing.T) {
	t.Parallel()
	r := realPravega(t)
	data := r.data(t)
	fixed := func(n int) string {
		return fmt.Sprintf(`scaling = { type = "FIXED_NUM_SEGMENTS", min_segments = %d }`, n)
	}
	rate := func(unit string, target, factor, least int) string {
		return fmt.Sprintf(`scaling = { type = "BY_RATE_IN_%s_PER_SEC", target_rate = %d, scale_factor = %d, min_segments = %d }`, unit, target, factor, least)
	}
	counted := acctest.Outside(func() error {
		events, err := data.CountEvents(t.Context(), r.name, "clicks")
		if err == nil && events != 500 {
			t.Errorf("%d events of 500 are left", events)
		}
		return err
	})
	imported := resource.TestStep{
		ResourceName: streamAddress, ImportState: true, ImportStateId: r.name + "/clicks", ImportStateVerify: true,
	}
	steps := []resource.TestStep{
		acctest.Apply(r.stream(fixed(2)), acctest.Outside(func() error { return data.WriteEvents(t.Context(), r.name, "clicks", 500) })),
	}
	for _, next := range []struct {
		scaling string
		// segments are those that there are then; rates keep what they find, if it is enough.
		segments int64
	}{
		{fixed(3), 3},
		{rate("KBYTES", 10, 2, 4), 4},
		{rate("KBYTES", 20, 3, 5), 5},
		{rate("EVENTS", 1000, 2, 1), 5},
		{rate("EVENTS", 2000, 1, 6), 6},
		{fixed(1), 1},
		{rate("EVENTS", 5, 2, 1), 1},
		{rate("KBYTES", 2147483647, 2147483647, 2), 2},
		{fixed(2), 2},
	} {
		change := acctest.Change(r.stream(next.scaling), streamAddress, plancheck.ResourceActionUpdate,
			acctest.Is(streamAddress, "segment_count", knownvalue.Int64Exact(next.segments)), counted)
		steps = append(steps, change, imported, acctest.Noop(r.stream(next.scaling)))
	}
	acctest.RunReal(t, steps...)
}

// TestAcc_Stream_tenAreChangedInOneApply changes them side by side, as many as
// Terraform does at once.
func TestAcc_Stream_tenAreChangedInOneApply(t *testing.T) {
	t.Parallel()
	r := realPravega(t)
	config := func(segments int, tag string) string {
		return r.scope() + fmt.Sprintf(`
resource "streaming_pravega_stream" "test" {
  count     = 10
  scope     = streaming_pravega_scope.test.name
  name      = "clicks-${count.index}"
  scaling   = { type = "FIXED_NUM_SEGMENTS", min_segments = %d }
  retention = { time = "7d" }
  tags      = [%q]
}
`, segments, tag)
	}
	acctest.RunReal(t,
		acctest.Apply(config(1, "a")),
		acctest.Apply(config(2, "b")),
		acctest.Apply(config(2, "c")),
	)
}

// TestAcc_Stream_twoAppliesAtOnceConverge changes one stream from two states.
func TestAcc_Stream_twoAppliesAtOnceConverge(t *testing.T) {
	t.Parallel()
	r := realPravega(t)
	rounds := []string{"a", "b", "c"}
	// They meet before each round, and when the last one is over: the destroy of
	// the one would take the stream from under the other.
	meet := make([]sync.WaitGroup, len(rounds)+1)
	for i := range meet {
		meet[i].Add(2)
	}
	config := func(tag string, segments int) string {
		return r.provider.String() + fmt.Sprintf(`
resource "streaming_pravega_stream" "test" {
  scope          = %q
  name           = "clicks"
  adopt_existing = true
  scaling        = { type = "FIXED_NUM_SEGMENTS", min_segments = %d }
  tags           = [%q]
}
`, r.name, segments, tag)
	}
	client := r.client(t)
	if err := client.CreateScope(t.Context(), r.name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := client.DeleteScope(context.WithoutCancel(t.Context()), r.name); err != nil {
			t.Error(err)
		}
	})
	// Not parallel tests: each waits for the other.
	var both sync.WaitGroup
	for _, name := range []string{"one", "other"} {
		both.Go(func() {
			t.Run(name, func(t *testing.T) {
				round := 0
				t.Cleanup(func() {
					// Nobody waits for one that failed.
					for ; round < len(meet); round++ {
						meet[round].Done()
					}
				})
				arrive := func(i int) func() {
					return func() {
						meet[i].Done()
						round = i + 1
						meet[i].Wait()
					}
				}
				var steps []resource.TestStep
				for i, tag := range rounds {
					step := acctest.Apply(config(tag, i+1))
					step.PreConfig = arrive(i)
					steps = append(steps, step)
				}
				steps[len(steps)-1].PostApplyFunc = arrive(len(rounds))
				acctest.RunReal(t, steps...)
			})
		})
	}
	both.Wait()
}
