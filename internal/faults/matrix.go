// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package faults

import (
	"context"
	"fmt"
	"hash/fnv"
	"runtime"
	"sync"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
)

// fakeFor is a fake as an operation needs it.
func fakeFor(op operation) fakeCluster {
	if op.adaptive {
		return newFake(flinkfake.Scheduler("Adaptive"))
	}
	return newFake()
}

// fakeJar is the jar that runs on the fake.
func fakeJar() []byte { return flinkfake.Jar("streaming.jobs.Counter") }

// cells lists all cells of an operation that makes so many calls.
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
	h := fnv.New32a()
	_, _ = h.Write([]byte(c.String()))
	return h.Sum32()%uint32(oneIn) == 0
}

// matrix runs cells on fakes, one for each.
type matrix struct {
	jar   []byte
	start begin
	// workers is how many cells are on their way at once: they wait more than
	// they work.
	workers int
}

func newMatrix(start begin) *matrix {
	return &matrix{jar: fakeJar(), start: start, workers: 6 * runtime.GOMAXPROCS(0)}
}

// calls lists the calls of an operation that nothing disturbs.
func (m *matrix) calls(ctx context.Context, op operation) ([]string, error) {
	c := fakeFor(op)
	defer c.Close()
	b, err := newBench(ctx, c, m.jar, "counter", op, m.start)
	if err != nil {
		return nil, err
	}
	defer b.close()
	return countCalls(ctx, b, op)
}

func (m *matrix) cell(ctx context.Context, one cell) (result, error) {
	c := fakeFor(one.op)
	defer c.Close()
	b, err := newBench(ctx, c, m.jar, "counter", one.op, m.start)
	if err != nil {
		return result{cell: one}, fmt.Errorf("%s: %w", one, err)
	}
	defer b.close()
	r, err := runCell(ctx, one, b, c.pass)
	if err != nil {
		return r, fmt.Errorf("%s: %w", one, err)
	}
	return r, nil
}

// run runs all cells and hands on each result, one after the other.
func (m *matrix) run(ctx context.Context, all []cell, done func(result, error)) {
	todo := make(chan cell)
	go func() {
		defer close(todo)
		for _, one := range all {
			select {
			case todo <- one:
			case <-ctx.Done():
				return
			}
		}
	}()
	var workers sync.WaitGroup
	var one sync.Mutex
	for range m.workers {
		workers.Go(func() {
			for c := range todo {
				r, err := m.cell(ctx, c)
				one.Lock()
				done(r, err)
				one.Unlock()
			}
		})
	}
	workers.Wait()
}
