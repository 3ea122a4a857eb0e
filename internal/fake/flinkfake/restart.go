// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// restartStrategy is what happens after a failure.
type restartStrategy struct {
	kind     string
	attempts int
	delay    time.Duration
	maxDelay time.Duration
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

// human is the text under /jobs/:id/config.
func (r restartStrategy) human() string {
	switch r.kind {
	case "fixed-delay":
		return fmt.Sprintf("Restart with fixed delay (%d ms). #%d restart attempts.", r.delay.Milliseconds(), r.attempts)
	case "failure-rate":
		return "Failure rate restart"
	case "exponential-delay":
		return "Restart with exponential delay"
	case "none":
		return "Restart deactivated."
	}
	return "Cluster level default restart strategy"
}

// parseRestart reads the strategy of a job; the second answer is whether it was set at all.
func parseRestart(c conf, checkpoints bool, v version) (restartStrategy, *throwable) {
	r := restartStrategy{kind: strings.ToLower(c.first(keyRestart...))}
	var bad *throwable
	switch r.kind {
	case "":
		if !checkpoints {
			return r, nil
		}
		if v.atLeast(1, 20) {
			return restartStrategy{kind: "exponential-delay", delay: time.Second, maxDelay: time.Minute}, nil
		}
		return restartStrategy{kind: "fixed-delay", attempts: math.MaxInt32, delay: time.Second}, nil
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
		r.delay, bad = c.duration(time.Second, "restart-strategy.failure-rate.delay")
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
