// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle

import (
	"context"
	"strings"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
)

// trimSavepoints disposes of the oldest own savepoints above the number to
// keep, but never of the one that the running job was started from.
func (e *Engine) trimSavepoints(ctx context.Context, rec *Record, policy Policy) {
	if policy.KeepSavepoints == nil {
		return
	}
	excess := len(rec.Savepoints) - int(*policy.KeepSavepoints)
	var kept []string
	for _, path := range rec.Savepoints {
		if excess <= 0 || path == rec.RestoredFrom || path == rec.SavepointPath {
			kept = append(kept, path)
			continue
		}
		excess--
		if err := e.Dispose(ctx, path); err != nil {
			kept = append(kept, path)
			e.warnf("A savepoint could not be deleted", "%s: %s. It is tried again at the next change.", path, Reason(err))
		}
	}
	rec.Savepoints = kept
}

// Dispose deletes a savepoint's files through Flink. One that is gone already
// is no error.
func (e *Engine) Dispose(ctx context.Context, path string) error {
	trigger, err := e.Client.DisposeSavepoint(ctx, path)
	if err != nil {
		return err
	}
	began := time.Now()
	for {
		status, err := e.Client.DisposalStatus(ctx, trigger)
		switch {
		case err != nil:
			return err
		case status.InProgress:
			if err := e.pause(ctx, began); err != nil {
				return err
			}
		case status.Failure != "" && !gone(status.Failure):
			return &failure{cause: rest.RootCause(status.Failure), trace: status.Failure}
		default:
			return nil
		}
	}
}

// gone tells whether a disposal failed because there is nothing to dispose of.
func gone(trace string) bool {
	return strings.Contains(trace, "FileNotFoundException") || strings.Contains(trace, "Cannot find checkpoint or savepoint")
}
