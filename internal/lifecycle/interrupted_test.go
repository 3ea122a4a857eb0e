// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle_test

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// A provider that is killed between the stop and the start of an upgrade keeps
// nothing. The next apply goes on at the start, and never stops a job that has
// ended.
func TestUpdate_C23_AnUpgradeKilledAfterItsStopGoesOnAtTheStart(t *testing.T) {
	t.Parallel()
	for _, m := range moments {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			rec, err := running(t.Context(), b)
			if err != nil {
				t.Fatal(err)
			}
			b.ForgetRequests()
			upgrade := lifecycle.Update{Old: b.spec("a"), Spec: b.spec("b"), Want: lifecycle.StateRunning, Restart: true}
			killed, kill := context.WithCancel(t.Context())
			defer kill()
			b.Inject(flinkfake.Fault{Method: http.MethodPost, Path: "/run$", Kind: flinkfake.Unsent, Times: -1, Hook: func(*http.Request) { kill() }})
			if reached, err := b.update(killed, rec, upgrade); err == nil {
				t.Fatalf("the upgrade was not interrupted: %+v", reached)
			}
			b.ClearFaults()
			m.pass(b.Server)
			b.restart(t)
			upgrade.Old, upgrade.Spec = b.spec("a"), b.spec("b")
			rec, err = b.update(t.Context(), rec, upgrade)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(rec.RestoredFrom, "/1/savepoint-") {
				t.Errorf("generation %d was restored from %q", rec.Generation, rec.RestoredFrom)
			}
			stops := 0
			for _, request := range b.Requests() {
				if request.Method == http.MethodPost && strings.HasSuffix(request.Path, "/stop") {
					stops++
				}
			}
			if stops != 1 {
				t.Errorf("%d stops were sent", stops)
			}
			if err := b.invariants(operation{label: "b"}, rec); err != nil {
				t.Error(err)
			}
		})
	}
}

// Flink forgets an ended job from one answer to the next. Whichever that is, the
// savepoint of its stop is found.
func TestUpdate_AJobThatIsForgottenWhileItIsLookedAtGoesOnFromItsSavepoint(t *testing.T) {
	t.Parallel()
	undisturbed := forgottenBefore(t, math.MaxInt64)
	if undisturbed < 10 {
		t.Fatalf("only %d requests were made", undisturbed)
	}
	for k := int64(1); k <= undisturbed; k++ {
		t.Run(fmt.Sprintf("before request %d", k), func(t *testing.T) {
			t.Parallel()
			forgottenBefore(t, k)
		})
	}
}

// forgottenBefore kills an upgrade between its stop and its start, and lets Flink
// forget the stopped job before the k-th request of the next apply. It returns how
// many there were.
func forgottenBefore(t *testing.T, k int64) int64 {
	t.Helper()
	b := newBench(t)
	rec, err := running(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	upgrade := lifecycle.Update{Old: b.spec("a"), Spec: b.spec("b"), Want: lifecycle.StateRunning, Restart: true}
	killed, kill := context.WithCancel(t.Context())
	defer kill()
	b.Inject(flinkfake.Fault{Method: http.MethodPost, Path: "/run$", Kind: flinkfake.Unsent, Times: -1, Hook: func(*http.Request) { kill() }})
	if reached, err := b.update(killed, rec, upgrade); err == nil {
		t.Fatalf("the upgrade was not interrupted: %+v", reached)
	}
	b.ClearFaults()
	b.restart(t)
	var requests atomic.Int64
	b.OnRequest(func(*http.Request) {
		if requests.Add(1) == k {
			b.Advance(3 * time.Hour)
		}
	})
	upgrade.Old, upgrade.Spec = b.spec("a"), b.spec("b")
	rec, err = b.update(t.Context(), rec, upgrade)
	b.OnRequest(nil)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(rec.RestoredFrom, "/1/savepoint-") {
		t.Errorf("generation %d was restored from %q", rec.Generation, rec.RestoredFrom)
	}
	if err := b.invariants(operation{label: "b"}, rec); err != nil {
		t.Error(err)
	}
	return requests.Load()
}
