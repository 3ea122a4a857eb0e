// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

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
