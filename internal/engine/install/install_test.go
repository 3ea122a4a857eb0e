// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

//go:build unix

package install

import (
	"archive/zip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestOnceFillsOnlyOnceForManyAtATime(t *testing.T) {
	t.Parallel()
	cache := Cache{Dir: t.TempDir(), Log: io.Discard}
	var fills atomic.Int32
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			dir, err := cache.Once(t.Context(), "thing", func(_ context.Context, dir string) error {
				fills.Add(1)
				time.Sleep(100 * time.Millisecond)
				return os.WriteFile(filepath.Join(dir, "content"), []byte("whole"), 0o600)
			})
			if err != nil {
				t.Error(err)
				return
			}
			if raw, err := os.ReadFile(filepath.Join(dir, "content")); err != nil || string(raw) != "whole" {
				t.Errorf("content %q, error %v", raw, err)
			}
		})
	}
	group.Wait()
	if fills.Load() != 1 {
		t.Fatalf("filled %d times", fills.Load())
	}
}

func TestAFailedFillIsNotTakenForAWholeOne(t *testing.T) {
	t.Parallel()
	cache := Cache{Dir: t.TempDir(), Log: io.Discard}
	broken := errors.New("connection lost")
	_, err := cache.Once(t.Context(), "thing", func(_ context.Context, dir string) error {
		if err := os.WriteFile(filepath.Join(dir, "half"), nil, 0o600); err != nil {
			return err
		}
		return broken
	})
	if !errors.Is(err, broken) {
		t.Fatalf("error %v", err)
	}
	// As after a kill: a partial directory stays behind.
	if err := os.MkdirAll(filepath.Join(cache.Dir, ".thing.partial-1"), 0o755); err != nil {
		t.Fatal(err)
	}
	dir, err := cache.Once(t.Context(), "thing", func(context.Context, string) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Fatalf("entries %v, error %v", entries, err)
	}
	if left, err := filepath.Glob(filepath.Join(cache.Dir, ".*")); err != nil || len(left) != 0 {
		t.Fatalf("left behind: %v, error %v", left, err)
	}
}

func TestLockWaitsForTheOtherAndEndsWithItsContext(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	unlock, err := Lock(t.Context(), path, func() { t.Error("waited for a free lock") })
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	waited := false
	if _, err := Lock(ctx, path, func() { waited = true }); !errors.Is(err, context.DeadlineExceeded) || !waited {
		t.Fatalf("error %v, waited %v", err, waited)
	}
	unlock()
	again, err := Lock(t.Context(), path, func() {})
	if err != nil {
		t.Fatal(err)
	}
	again()
}

func TestUnpackWritesOnlyWhatIsPlaced(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	archive := filepath.Join(dir, "a.zip")
	file, err := os.Create(archive)
	if err != nil {
		t.Fatal(err)
	}
	writer := zip.NewWriter(file)
	for _, name := range []string{"lib/a.jar", "docs/b.txt"} {
		w, err := writer.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(writer.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
	target := filepath.Join(dir, "out")
	err = Unpack(t.Context(), archive, func(name string) string {
		if rest, ok := strings.CutPrefix(name, "lib/"); ok {
			return filepath.Join(target, rest)
		}
		return ""
	})
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(target)
	if err != nil || len(entries) != 1 || entries[0].Name() != "a.jar" {
		t.Fatalf("entries %v, error %v", entries, err)
	}
}
