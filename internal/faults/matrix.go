// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package faults

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"runtime"
	"sync"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
)

// fakeFor is a fake as an operation needs it.
func fakeFor(op operation) fakeCluster {
	switch {
	case op.adaptive:
		return newFake(flinkfake.Scheduler("Adaptive"))
	case op.flink114:
		return newFake(flink114(op.retains)...)
	}
	return newFake()
}

// fakeJar is the jar that runs on the fake.
func fakeJar(op operation) []byte {
	if op.kind == daggerJobType {
		return flinkfake.Jar(daggerClass)
	}
	return flinkfake.Jar(entryClass)
}

// cells lists all cells of an operation that makes so many calls, those of one
// disturbance side by side.
func cells(op operation, calls int) []cell {
	var all []cell
	for call := 1; call <= calls; call++ {
		for _, f := range faults {
			for _, when := range moments {
				for _, with := range configurations {
					all = append(all, cell{op: op, call: call, fault: f, when: when, with: with})
				}
			}
		}
	}
	return all
}

// sampled tells whether a cell belongs to the fixed sample of one in so many:
// always the same ones, spread over everything.
func (c cell) sampled(oneIn int) bool {
	if oneIn <= 1 {
		return true
	}
	return c.hash()%uint32(oneIn) == 0
}

func (c cell) hash() uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(c.String()))
	return h.Sum32()
}

// longest is about how many requests the longest of the next applies makes.
const longest = 64

// request is the request of the next apply before which something happens:
// always the same one, the cells of a disturbance spread over all.
func (c cell) request() int64 { return 1 + int64(c.hash()>>8%longest) }

// disturbance is what cells have in common that differ in what follows.
func (c cell) disturbance() string { return fmt.Sprint(c.op.name, c.call, c.fault.name) }

// matrix runs cells on fakes. What cells have in common runs once: they go on
// from the same frozen state, each on a fake of its own.
type matrix struct {
	start begin
	// workers is how many cells are on their way at once: they wait, too.
	workers int
}

func newMatrix(start begin) *matrix {
	return &matrix{start: start, workers: 10 * runtime.GOMAXPROCS(0)}
}

func (m *matrix) bench(ctx context.Context, op operation) (*bench, error) {
	return newBench(ctx, fakeFor(op), fakeJar(op), fakeName, op, m.start)
}

// calls lists the calls of an operation that nothing disturbs.
func (m *matrix) calls(ctx context.Context, op operation) ([]string, error) {
	b, err := m.bench(ctx, op)
	if err != nil {
		return nil, err
	}
	defer b.close()
	return countCalls(ctx, b, op)
}

// rewinder is a driver that can go back to what is in its state now.
type rewinder interface{ mark() func() }

// origin is a bench on which an operation can begin again and again.
type origin struct {
	*bench
	op     string
	frozen *flinkfake.Frozen
	rewind func()
}

func (m *matrix) origin(ctx context.Context, op operation) (*origin, error) {
	b, err := m.bench(ctx, op)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op.name, err)
	}
	o := &origin{bench: b, op: op.name}
	if o.frozen, o.rewind, err = b.freeze(); err != nil {
		b.close()
		return nil, err
	}
	return o, nil
}

// freeze keeps what the cluster is and the state holds.
func (b *bench) freeze() (*flinkfake.Frozen, func(), error) {
	fake, isFake := b.cluster.(fakeCluster)
	driver, canRewind := b.driver.(rewinder)
	if !isFake || !canRewind {
		return nil, nil, errors.New("only a fake and a driver that can go back begin again")
	}
	return fake.Freeze(), driver.mark(), nil
}

// again goes back to what was kept.
func (b *bench) again(frozen *flinkfake.Frozen, rewind func()) fakeCluster {
	fake := fakeOf(frozen.Thaw())
	b.at(fake)
	rewind()
	return fake
}

// run disturbs an operation once and lets each of the cells go on from there.
func (o *origin) run(ctx context.Context, group []cell, done func(result, error)) {
	first := group[0]
	o.again(o.frozen, o.rewind)
	t := &trial{bench: o.bench, result: result{cell: first}}
	hit, err := t.disturb(ctx)
	if err != nil || !hit {
		for _, c := range group {
			done(t.goOn(c).result, named(c, err))
		}
		return
	}
	frozen, rewind, err := o.freeze()
	for _, c := range group {
		one := t.goOn(c)
		if err == nil {
			o.again(frozen, rewind).pass(c)
			err = one.recover(ctx)
		}
		done(one.result, named(c, err))
	}
}

func named(c cell, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", c, err)
}

// run runs all cells and hands on each result, one after the other.
func (m *matrix) run(ctx context.Context, all []cell, done func(result, error)) {
	todo := make(chan []cell)
	go func() {
		defer close(todo)
		for len(all) > 0 {
			n := 1
			for n < len(all) && all[n].disturbance() == all[0].disturbance() {
				n++
			}
			select {
			case todo <- all[:n]:
				all = all[n:]
			case <-ctx.Done():
				return
			}
		}
	}()
	var workers sync.WaitGroup
	var one sync.Mutex
	report := func(r result, err error) {
		one.Lock()
		defer one.Unlock()
		done(r, err)
	}
	for range m.workers {
		workers.Go(func() { m.work(ctx, todo, report) })
	}
	workers.Wait()
}

// work runs groups of cells with a disturbance in common.
func (m *matrix) work(ctx context.Context, todo <-chan []cell, done func(result, error)) {
	var o *origin
	defer func() {
		if o != nil {
			o.close()
		}
	}()
	for group := range todo {
		op := group[0].op
		if o == nil || o.op != op.name {
			if o != nil {
				o.close()
			}
			var err error
			if o, err = m.origin(ctx, op); err != nil {
				for _, c := range group {
					done(result{cell: c}, err)
				}
				o = nil
				continue
			}
		}
		o.run(ctx, group, done)
	}
}
