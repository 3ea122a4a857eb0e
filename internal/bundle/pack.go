// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package bundle

import (
	"bytes"
	"context"
	"crypto/sha256"
	"hash/crc32"
	"sync"

	"github.com/klauspost/compress/flate"
)

const (
	// pieceSize is what is compressed at once. A larger file is cut, so that
	// several can work on it. Another size makes other archives.
	pieceSize = 512 << 10
	// window is how far back a compressor looks: the end of the piece before
	// is given to it, as if the file had not been cut.
	window = 32 << 10
	// level is that of zip programs, unless they are told otherwise. The
	// compressor is one that comes with this module and not with Go, so that the
	// same files give the same archive whatever Go built the provider.
	level = 6
)

// piece is a part of a file on its way into an archive.
type piece struct {
	path        string
	executable  bool
	first, last bool
	raw, before []byte
	deflated    bytes.Buffer
	// file and crc describe the whole file; they are set in its last piece.
	file File
	crc  uint32

	err  error
	done chan struct{}
}

// stored tells a file that compression makes no smaller. It is asked of whole
// files only, for the header of others is written before all is compressed.
func (p *piece) stored() bool { return p.first && p.last && p.deflated.Len() >= len(p.raw) }

// packed is what goes into the archive.
func (p *piece) packed() []byte {
	if p.stored() {
		return p.raw
	}
	return p.deflated.Bytes()
}

// pack reads and compresses files, and hands over their pieces in order.
func pack(ctx context.Context, from tree, entries []entry, budget *budget, write func(*piece) error) error {
	p := newPacker(from, budget)
	ctx, stop := context.WithCancel(ctx)
	var group sync.WaitGroup
	// Nothing runs any more when this function returns.
	defer group.Wait()
	defer stop()
	for range p.workers {
		group.Go(p.compress)
	}
	var readErr error
	group.Go(func() {
		defer close(p.ordered)
		defer close(p.work)
		readErr = p.read(ctx, entries)
	})
	var err error
	for piece := range p.ordered {
		<-piece.done
		if err == nil {
			if err = piece.err; err == nil {
				err = write(piece)
			}
			if err != nil {
				stop()
			}
		}
		p.free <- piece
	}
	if err != nil {
		return err
	}
	return readErr
}

// packer owns a fixed number of pieces, and so its memory.
type packer struct {
	from    tree
	budget  *budget
	workers int

	free, work, ordered chan *piece
}

func newPacker(from tree, budget *budget) *packer {
	n := workers(maxWorkers)
	// While each worker has one, one is being filled, one looked ahead at, and
	// one written.
	pieces := n + 3
	p := &packer{
		from: from, budget: budget, workers: n,
		free: make(chan *piece, pieces), work: make(chan *piece, pieces), ordered: make(chan *piece, pieces),
	}
	for range pieces {
		p.free <- &piece{}
	}
	return p
}

func (p *packer) read(ctx context.Context, entries []entry) error {
	for _, e := range entries {
		if err := p.readFile(ctx, e); err != nil {
			return err
		}
	}
	return nil
}

func (p *packer) readFile(ctx context.Context, e entry) (err error) {
	r, err := openEntry(p.from, e, p.budget)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := r.close(); err == nil {
			err = closeErr
		}
	}()
	sum, crc := sha256.New(), uint32(0)
	current, err := p.fill(ctx, r, nil)
	if err != nil {
		return err
	}
	current.first = true
	for {
		_, _ = sum.Write(current.raw)
		crc = crc32.Update(crc, crc32.IEEETable, current.raw)
		var next *piece
		if len(current.raw) == pieceSize {
			if next, err = p.fill(ctx, r, current); err != nil {
				return err
			}
		}
		if next == nil || len(next.raw) == 0 {
			current.last, current.crc = true, crc
			current.file = r.describe(sum)
		}
		p.send(current)
		if next == nil {
			return nil
		}
		if len(next.raw) == 0 {
			p.free <- next
			return nil
		}
		current = next
	}
}

// fill reads the next piece of a file.
func (p *packer) fill(ctx context.Context, r *reader, before *piece) (*piece, error) {
	var next *piece
	select {
	case next = <-p.free:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	buffer := next.raw[:cap(next.raw)]
	if len(buffer) == 0 {
		buffer = make([]byte, pieceSize)
	}
	n, err := r.read(ctx, buffer)
	if err != nil {
		return nil, err
	}
	next.path, next.executable, next.first, next.last = r.path, r.executable, false, false
	next.raw, next.before = buffer[:n], next.before[:0]
	if before != nil {
		next.before = append(next.before, before.raw[len(before.raw)-window:]...)
	}
	next.done = make(chan struct{})
	return next, nil
}

func (p *packer) send(piece *piece) {
	p.work <- piece
	p.ordered <- piece
}

// compress works on pieces until there are no more.
func (p *packer) compress() {
	var c compressor
	for piece := range p.work {
		piece.err = c.deflate(piece)
		close(piece.done)
	}
}

// compressor keeps its tables from piece to piece.
type compressor struct{ w *flate.Writer }

func (c *compressor) deflate(p *piece) error {
	p.deflated.Reset()
	if c.w == nil {
		var err error
		if c.w, err = flate.NewWriter(&p.deflated, level); err != nil {
			return err
		}
	} else {
		c.w.Reset(&p.deflated)
	}
	if len(p.before) > 0 {
		if err := c.remember(p); err != nil {
			return err
		}
	}
	if _, err := c.w.Write(p.raw); err != nil {
		return err
	}
	if !p.last {
		return c.w.Flush()
	}
	return c.w.Close()
}

// remember makes the compressor know the piece before: it compresses its end,
// and the result is thrown away. A flush ends on a whole byte, so that what
// follows is the continuation.
func (c *compressor) remember(p *piece) error {
	if _, err := c.w.Write(p.before); err != nil {
		return err
	}
	if err := c.w.Flush(); err != nil {
		return err
	}
	p.deflated.Reset()
	return nil
}
