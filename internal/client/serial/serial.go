// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package serial lets one operation at a time work on each thing of a server.
package serial

import (
	"context"
	"sync"
)

// Locks are one for each key. The zero value is ready.
type Locks struct {
	mu    sync.Mutex
	slots map[string]chan struct{}
}

// Lock waits for the key and returns what releases it.
func (l *Locks) Lock(ctx context.Context, key string) (release func(), err error) {
	l.mu.Lock()
	if l.slots == nil {
		l.slots = map[string]chan struct{}{}
	}
	slot := l.slots[key]
	if slot == nil {
		slot = make(chan struct{}, 1)
		l.slots[key] = slot
	}
	l.mu.Unlock()
	select {
	case slot <- struct{}{}:
		return func() { <-slot }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
