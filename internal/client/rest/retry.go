// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package rest

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"
)

// The defaults of Retry.
const (
	DefaultMaxTries = 5
	DefaultMinWait  = 500 * time.Millisecond
	DefaultMaxWait  = 8 * time.Second
)

// Retry says how requests are repeated that are safe to repeat. Zero values
// mean the defaults.
type Retry struct {
	// MaxTries counts the first one; 1 means no retry.
	MaxTries int
	// MinWait and MaxWait bound the pause, which doubles from try to try. Where
	// one alone is given, the other's default does not cross it.
	MinWait, MaxWait time.Duration
}

func (r Retry) tries() int {
	if r.MaxTries <= 0 {
		return DefaultMaxTries
	}
	return r.MaxTries
}

func (r Retry) waits() (low, high time.Duration) {
	low, high = r.MinWait, r.MaxWait
	switch {
	case low <= 0 && high <= 0:
		return DefaultMinWait, DefaultMaxWait
	case low <= 0:
		return min(DefaultMinWait, high), high
	case high <= 0:
		return low, max(DefaultMaxWait, low)
	}
	return low, high
}

func (r Retry) delay(try int) time.Duration {
	low, high := r.waits()
	wait := low
	for i := 1; i < try && wait < high; i++ {
		wait *= 2
	}
	if wait > high {
		wait = high
	}
	// Half of it at random, so that parallel reads do not come back as one burst.
	return wait/2 + time.Duration(rand.Int64N(int64(wait/2)+1))
}

// repeatable tells whether sending the same request again can do no harm: a
// read that failed in a passing way, or any request that surely was not
// executed, which is one that found no listener or that Flink itself refused
// while it elected a leader. A proxy's 502, 503 or 504 may hide an executed POST.
func repeatable(method string, err error) bool {
	if transport, ok := errors.AsType[*TransportError](err); ok {
		if transport.TLS || errors.Is(err, context.Canceled) {
			return false
		}
		return transport.NotSent || isRead(method)
	}
	answer, ok := errors.AsType[*Error](err)
	if !ok {
		return false
	}
	if answer.LeaderElection() {
		return true
	}
	switch answer.Status {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout, http.StatusTooManyRequests:
		return isRead(method)
	}
	return false
}

func isRead(method string) bool { return method == http.MethodGet || method == http.MethodHead }

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
