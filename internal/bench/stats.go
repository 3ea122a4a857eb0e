// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// pair is one measurement of each side, taken one after the other.
type pair struct{ provider, script time.Duration }

// comparison is what pairs say of the provider beside the script.
type comparison struct {
	provider, script spread
	// ratio is that of the medians. In 95 of 100 resamples of the pairs it lies
	// between low and high.
	ratio, low, high float64
}

// spread describes one side.
type spread struct{ minimum, lower, median, upper, maximum time.Duration }

func (s spread) String() string {
	return fmt.Sprintf("median %d ms, half of them %d to %d ms, all %d to %d ms",
		s.median.Milliseconds(), s.lower.Milliseconds(), s.upper.Milliseconds(), s.minimum.Milliseconds(), s.maximum.Milliseconds())
}

// resamples is enough for two digits of the interval.
const resamples = 4000

func compare(pairs []pair) comparison {
	provider, script := sides(pairs)
	c := comparison{provider: spreadOf(provider), script: spreadOf(script)}
	c.ratio = float64(c.provider.median) / float64(c.script.median)
	// The same pairs always give the same interval.
	random := rand.New(rand.NewPCG(1, 2))
	ratios := make([]float64, resamples)
	drawn := make([]pair, len(pairs))
	for i := range ratios {
		for j := range drawn {
			drawn[j] = pairs[random.IntN(len(pairs))]
		}
		a, b := sides(drawn)
		ratios[i] = float64(quantile(a, 0.5)) / float64(quantile(b, 0.5))
	}
	slices.Sort(ratios)
	c.low, c.high = ratios[resamples*25/1000], ratios[resamples*975/1000]
	return c
}

// sides returns what each side measured, sorted.
func sides(pairs []pair) (provider, script []time.Duration) {
	for _, p := range pairs {
		provider, script = append(provider, p.provider), append(script, p.script)
	}
	slices.Sort(provider)
	slices.Sort(script)
	return provider, script
}

func spreadOf(sorted []time.Duration) spread {
	return spread{
		minimum: sorted[0], lower: quantile(sorted, 0.25), median: quantile(sorted, 0.5),
		upper: quantile(sorted, 0.75), maximum: sorted[len(sorted)-1],
	}
}

// quantile lies between the two nearest of the sorted values.
func quantile(sorted []time.Duration, q float64) time.Duration {
	at := q * float64(len(sorted)-1)
	below := int(at)
	if below+1 == len(sorted) {
		return sorted[below]
	}
	return sorted[below] + time.Duration((at-float64(below))*float64(sorted[below+1]-sorted[below]))
}
