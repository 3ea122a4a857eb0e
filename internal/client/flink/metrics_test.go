// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
)

// failing starts a job that has failed once and waits for an hour.
func failing(t *testing.T, fake *flinkfake.Server) string {
	t.Helper()
	id, err := fake.SubmitJob(
		flinkfake.Graph{Name: "failing", Rate: 100, FailAt: 3, Operators: []flinkfake.Operator{{Name: "Source: numbers"}}},
		map[string]string{
			"restart-strategy": "fixed-delay", "restart-strategy.type": "fixed-delay",
			"restart-strategy.fixed-delay.attempts": "9", "restart-strategy.fixed-delay.delay": "1 h",
		})
	if err != nil {
		t.Fatal(err)
	}
	fake.Advance(time.Minute)
	return id
}

func TestRestarts_AreThoseOfNowThoughFlinkAnswersWithWhatItHad(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"1.14.3", "1.20.5", "2.3.0"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			fake, client := connect(t, version)
			id := failing(t, fake)
			for want := int64(1); want <= 2; want++ {
				n, known, err := client.Restarts(t.Context(), id)
				if n != want || !known || err != nil {
					t.Fatalf("%d, %t, %v; want %d", n, known, err, want)
				}
				fake.Advance(time.Hour + time.Minute)
			}
		})
	}
}

func TestRestarts_OfAnUnknownJobAreNotKnown(t *testing.T) {
	t.Parallel()
	_, client := connect(t, "2.3.0")
	if n, known, err := client.Restarts(t.Context(), "0123456789abcdef0123456789abcdef"); n != 0 || known || err != nil {
		t.Errorf("%d, %t, %v", n, known, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := client.Restarts(ctx, "0123456789abcdef0123456789abcdef"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
