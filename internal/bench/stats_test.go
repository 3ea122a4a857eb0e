// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"testing"
	"time"
)

const ms = time.Millisecond

func TestCompare_TheRatioIsThatOfTheMedians(t *testing.T) {
	t.Parallel()
	// One slow measurement on each side moves no median.
	pairs := []pair{{110 * ms, 100 * ms}, {120 * ms, 90 * ms}, {100 * ms, 5 * time.Second}, {9 * time.Second, 80 * ms}, {130 * ms, 110 * ms}}
	c := compare(pairs)
	if c.provider.median != 120*ms || c.script.median != 100*ms || c.ratio != 1.2 {
		t.Errorf("medians %s and %s, ratio %v", c.provider.median, c.script.median, c.ratio)
	}
	if c.provider.minimum != 100*ms || c.provider.maximum != 9*time.Second || c.provider.lower != 110*ms || c.provider.upper != 130*ms {
		t.Errorf("spread %+v", c.provider)
	}
	if c.low > c.ratio || c.high < c.ratio || c.low == c.high {
		t.Errorf("%v lies outside of %v to %v", c.ratio, c.low, c.high)
	}
}

func TestCompare_EqualPairsLeaveNoDoubt(t *testing.T) {
	t.Parallel()
	pairs := make([]pair, 7)
	for i := range pairs {
		pairs[i] = pair{300 * ms, 200 * ms}
	}
	if c := compare(pairs); c.ratio != 1.5 || c.low != 1.5 || c.high != 1.5 {
		t.Errorf("%+v", c)
	}
}

func TestQuantile_AnEvenNumberHasItsMedianBetween(t *testing.T) {
	t.Parallel()
	if got := quantile([]time.Duration{100 * ms, 200 * ms, 300 * ms, 400 * ms}, 0.5); got != 250*ms {
		t.Errorf("%s", got)
	}
}
