// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// restartStrategy is what happens after a failure.
type restartStrategy struct {
	kind     string
	attempts int
	delay    time.Duration
	maxDelay time.Duration
	interval time.Duration
	// byDefault strategies are Flink's own choice for a job that checkpoints.
	byDefault bool
}

// next is the delay before the next try, if there is one.
func (r restartStrategy) next(tried int) (time.Duration, bool) {
	switch r.kind {
	case "fixed-delay", "failure-rate":
		return r.delay, tried < r.attempts
	case "exponential-delay":
		d := float64(r.delay) * math.Pow(1.5, float64(min(tried, 50)))
		return time.Duration(min(d, float64(r.maxDelay))), true
	}
	return 0, false
}

func (r restartStrategy) text() string {
	switch r.kind {
	case "fixed-delay":
		return fmt.Sprintf("FixedDelayRestartBackoffTimeStrategy(maxNumberRestartAttempts=%d, backoffTimeMS=%d)", r.attempts, r.delay.Milliseconds())
	case "failure-rate":
		return "FailureRateRestartBackoffTimeStrategy"
	}
	return "NoRestartBackoffTimeStrategy"
}

// human is the text under /jobs/:id/config. Before version 2 it tells only what code has set.
func (r restartStrategy) human(v version) string {
	switch {
	case r.byDefault || r.kind == "" || !v.atLeast(2, 0):
		return "Cluster level default restart strategy"
	case r.kind == "fixed-delay":
		return fmt.Sprintf("Restart with fixed delay (%s). #%d restart attempts.", iso(r.delay), r.attempts)
	case r.kind == "failure-rate":
		return fmt.Sprintf("Failure rate restart with maximum of %d failures within interval %s and fixed delay %s.",
			r.attempts, iso(r.interval), iso(r.delay))
	case r.kind == "exponential-delay":
		return fmt.Sprintf("Restart with exponential delay: starting at %s, increasing by 1.500000, with maximum %s. Delay resets after PT1H with jitter 0.100000",
			iso(r.delay), iso(r.maxDelay))
	}
	return "Restart deactivated."
}

// iso prints a duration as Java does.
func iso(d time.Duration) string {
	if d <= 0 {
		return "PT0S"
	}
	out := "PT"
	if h := d / time.Hour; h > 0 {
		out += fmt.Sprintf("%dH", h)
	}
	if m := d % time.Hour / time.Minute; m > 0 {
		out += fmt.Sprintf("%dM", m)
	}
	if s := (d % time.Minute).Seconds(); s > 0 {
		out += strconv.FormatFloat(s, 'f', -1, 64) + "S"
	}
	return out
}

// parseRestart reads the strategy of a job.
func parseRestart(c conf, checkpoints bool, v version) (restartStrategy, *throwable) {
	r := restartStrategy{kind: strings.ToLower(c.first(keyRestart...))}
	var bad *throwable
	switch r.kind {
	case "":
		if !checkpoints {
			return r, nil
		}
		if v.atLeast(1, 20) {
			return restartStrategy{kind: "exponential-delay", delay: time.Second, maxDelay: time.Minute, byDefault: true}, nil
		}
		return restartStrategy{kind: "fixed-delay", attempts: math.MaxInt32, delay: time.Second, byDefault: true}, nil
	case "none", "off", "disable":
		r.kind = "none"
	case "fixed-delay", "fixeddelay":
		r.kind = "fixed-delay"
		if r.attempts, bad = c.integer(1, "restart-strategy.fixed-delay.attempts"); bad != nil {
			return r, bad
		}
		r.delay, bad = c.duration(time.Second, "restart-strategy.fixed-delay.delay")
	case "failure-rate", "failurerate":
		r.kind = "failure-rate"
		if r.attempts, bad = c.integer(1, "restart-strategy.failure-rate.max-failures-per-interval"); bad != nil {
			return r, bad
		}
		if r.delay, bad = c.duration(time.Second, "restart-strategy.failure-rate.delay"); bad != nil {
			return r, bad
		}
		r.interval, bad = c.duration(time.Minute, "restart-strategy.failure-rate.failure-rate-interval")
	case "exponential-delay", "exponentialdelay":
		r.kind = "exponential-delay"
		if r.delay, bad = c.duration(time.Second, "restart-strategy.exponential-delay.initial-backoff"); bad != nil {
			return r, bad
		}
		r.maxDelay, bad = c.duration(time.Minute, "restart-strategy.exponential-delay.max-backoff")
	default:
		return r, throw(classArgument, "%s is an unknown value of RestartStrategyType.", c.first(keyRestart...))
	}
	return r, bad
}
