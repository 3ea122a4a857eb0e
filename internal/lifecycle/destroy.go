// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle

import (
	"context"
	"errors"
)

// Destroy ends a job in the way that onDestroy says, and returns the path of
// the savepoint that was taken.
func (e *Engine) Destroy(ctx context.Context, rec Record, name, onDestroy string, policy Policy) (string, error) {
	if rec.JobID == "" || onDestroy == OnDestroyDetach {
		return "", nil
	}
	fresh, _, err := e.observe(ctx, rec, Update{Spec: Spec{Name: name, Program: none{}}, OldName: name})
	if err != nil {
		return "", err
	}
	if fresh.State != StateRunning {
		return fresh.SavepointPath, nil
	}
	if onDestroy == OnDestroyCancel {
		return "", e.cancel(ctx, fresh.JobID)
	}
	return e.stopWithSavepoint(ctx, fresh, policy)
}

// The values of on_destroy.
const (
	OnDestroySavepoint = "savepoint"
	OnDestroyCancel    = "cancel"
	OnDestroyDetach    = "detach"
)

// none is the program of an operation that starts nothing.
type none struct{}

func (none) Fingerprint() []string                 { return nil }
func (none) JarSHA256() string                     { return "" }
func (none) Prepare(context.Context) (bool, error) { return false, nil }
func (none) Discard(context.Context) error         { return nil }
func (none) Submit(context.Context, Submission) (string, error) {
	return "", errors.New("nothing to start")
}
