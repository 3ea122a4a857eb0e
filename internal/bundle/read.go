// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package bundle

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"runtime"
	"sync"
	"sync/atomic"
)

const (
	// maxWorkers bounds what is read or compressed at a time, and so the memory
	// that a machine with many cores takes.
	maxWorkers = 8
	// readSize is how much of a file is in memory while it is hashed.
	readSize = 128 << 10
)

func workers(tasks int) int { return max(1, min(runtime.GOMAXPROCS(0), maxWorkers, tasks)) }

// hash reads what a walk found.
func (s Source) hash(ctx context.Context, from tree, found listing) (*Manifest, error) {
	h := &hashing{from: from, entries: found.entries, files: make([]File, len(found.entries)), budget: newBudget(s.maxBytes())}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var group sync.WaitGroup
	for range workers(len(found.entries)) {
		group.Go(func() {
			if err := h.work(ctx); err != nil {
				stop()
			}
		})
	}
	group.Wait()
	if h.err != nil {
		return nil, h.err
	}
	return &Manifest{Files: h.files, Skipped: found.skipped}, nil
}

// hashing is shared by those that do it.
type hashing struct {
	from    tree
	entries []entry
	files   []File
	budget  *budget
	next    atomic.Int64

	mu sync.Mutex
	// failed is the first file, by its place in the list, that failed with err.
	failed int
	err    error
}

func (h *hashing) work(ctx context.Context) error {
	buffer := make([]byte, readSize)
	sum := sha256.New()
	for {
		i := int(h.next.Add(1)) - 1
		if i >= len(h.entries) {
			return nil
		}
		var err error
		if h.files[i], err = h.one(ctx, h.entries[i], sum, buffer); err != nil {
			h.fail(i, err)
			return err
		}
	}
}

// fail keeps the error of the first file; that the others were stopped is none.
func (h *hashing) fail(i int, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.err == nil, errors.Is(h.err, context.Canceled), i < h.failed && !errors.Is(err, context.Canceled):
		h.failed, h.err = i, err
	}
}

func (h *hashing) one(ctx context.Context, e entry, sum hash.Hash, buffer []byte) (file File, err error) {
	r, err := openEntry(h.from, e, h.budget)
	if err != nil {
		return File{}, err
	}
	defer func() {
		if closeErr := r.close(); err == nil {
			err = closeErr
		}
	}()
	sum.Reset()
	for {
		n, err := r.read(ctx, buffer)
		if err != nil {
			return File{}, err
		}
		if n == 0 {
			break
		}
		_, _ = sum.Write(buffer[:n])
	}
	return r.describe(sum), nil
}

// reader reads one file in large pieces, and learns what a manifest says of it.
type reader struct {
	entry
	file       fs.File
	budget     *budget
	executable bool
	size       int64
	native     native
}

func openEntry(from tree, e entry, budget *budget) (*reader, error) {
	file, err := from.open(e.real)
	if err != nil {
		return nil, readError(e.path, err)
	}
	info, err := file.Stat()
	switch {
	case err != nil:
		err = readError(e.path, err)
	case !info.Mode().IsRegular():
		err = specialError(e.path, info.Mode())
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return &reader{entry: e, file: file, budget: budget, executable: info.Mode()&0o111 != 0}, nil
}

// read fills a buffer as far as the file goes; it returns 0 at its end.
func (r *reader) read(ctx context.Context, buffer []byte) (int, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	n, err := io.ReadFull(r.file, buffer)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return 0, readError(r.path, err)
	}
	if r.size == 0 {
		r.native = sniff(buffer[:n])
	}
	r.size += int64(n)
	return n, r.budget.take(r.path, int64(n))
}

func (r *reader) describe(sum hash.Hash) File {
	return File{
		Path: r.path, Executable: r.executable, Size: r.size, SHA256: hex.EncodeToString(sum.Sum(nil)),
		native: r.native, real: r.real,
	}
}

func (r *reader) close() error {
	if err := r.file.Close(); err != nil {
		return readError(r.path, err)
	}
	return nil
}

// budget is how many bytes may still be read. It also ends the reading of a
// file that grows while it is read.
type budget struct {
	limit int64
	left  atomic.Int64
}

func newBudget(limit int64) *budget {
	b := &budget{limit: limit}
	b.left.Store(limit)
	return b
}

func (b *budget) take(name string, n int64) error {
	if b.left.Add(-n) >= 0 {
		return nil
	}
	return &Error{
		Kind: KindLimit, Path: name, Summary: fmt.Sprintf("the files hold more than %d bytes", b.limit),
		Detail: fmt.Sprintf("The limit was reached in %s. Leave out with an exclude what the job does not need, or raise the limit.", name),
	}
}
