// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package faults

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// outing runs cells on real Flink, each with a job of its own.
type outing struct {
	cluster *realCluster
	jar     []byte
	start   begin
	// triggers and jobs are how long the cluster remembers what has ended.
	triggers, jobs time.Duration
}

func (o *outing) bench(ctx context.Context, op operation) (*bench, error) {
	b, err := newBench(ctx, o.cluster, o.jar, "counter-"+strings.ToLower(rand.Text()[:8]), op, o.start)
	if b != nil && b.client != nil {
		// The jobs end before the client goes that ends them.
		b.closes = append([]func(){func() { _ = o.cluster.tidy(context.WithoutCancel(ctx), b) }}, b.closes...)
	}
	return b, err
}

// calls lists the calls of an operation that nothing disturbs.
func (o *outing) calls(ctx context.Context, op operation) ([]string, error) {
	b, err := o.bench(ctx, op)
	if err != nil {
		return nil, err
	}
	defer b.close()
	return countCalls(ctx, b, op)
}

func (o *outing) cell(ctx context.Context, c cell) (result, error) {
	b, err := o.bench(ctx, c.op)
	if err != nil {
		return result{cell: c}, named(c, err)
	}
	defer b.close()
	t := &trial{bench: b, result: result{cell: c}}
	hit, err := t.disturb(ctx)
	if err != nil || !hit {
		return t.result, named(c, err)
	}
	if err := o.pass(ctx, c.when); err != nil {
		return t.result, named(c, err)
	}
	return t.result, named(c, t.recover(ctx))
}

// pass lets the time until the next apply pass.
func (o *outing) pass(ctx context.Context, m moment) error {
	wait := time.Duration(0)
	switch m {
	case atOnce:
	case triggersExpired:
		wait = o.triggers
	case jobsExpired:
		wait = o.jobs
	case jobManagerRestarted:
		return o.cluster.crash(ctx)
	case jobsExpireMeanwhile:
		return errors.New("nobody can tell between which two requests a real Flink forgets")
	}
	if wait == 0 && m != atOnce {
		return errors.New("this cluster remembers what has ended for too long")
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(wait):
		return nil
	}
}

// run runs cells, some side by side; those that restart the JobManager, under
// which all cells run, one by one at the end.
func (o *outing) run(ctx context.Context, all []cell, workers int, done func(result, error)) {
	alone := func(c cell) bool { return c.when == jobManagerRestarted }
	todo := make(chan cell)
	var running sync.WaitGroup
	var one sync.Mutex
	work := func(c cell) {
		r, err := o.cell(ctx, c)
		one.Lock()
		defer one.Unlock()
		done(r, err)
	}
	for range workers {
		running.Go(func() {
			for c := range todo {
				work(c)
			}
		})
	}
	for _, c := range slices.DeleteFunc(slices.Clone(all), alone) {
		todo <- c
	}
	close(todo)
	running.Wait()
	for _, c := range all {
		if alone(c) {
			work(c)
		}
	}
}

// kills are cells that kill the provider at each call of an operation. Before a
// call is the same to the cluster as after the one before it.
func kills(op operation, calls []string) []cell {
	var all []cell
	last := lastAct(calls)
	for _, f := range faults {
		switch {
		case f.kills && f.executed:
			for call := 1; call <= len(calls); call++ {
				all = append(all, cell{op: op, call: call, fault: f, looks: call > last})
			}
		case f.kills:
			all = append(all, cell{op: op, call: 1, fault: f})
		}
	}
	return all
}

// spread takes some cells of an operation so that all operations together have
// each fault, each moment and each configuration. last is its last call that
// changes something.
func spread(number int, op operation, last, each int) []cell {
	var all []cell
	for i := range each {
		at := number + 5*i
		all = append(all, cell{
			op: op, call: 1 + (last-1)*(i+1)/each - at%2, fault: faults[(3*number+i)%len(faults)],
			when: realMoments[(number+3*i)%len(realMoments)], with: configurations[at%len(configurations)],
		})
	}
	for i := range all {
		all[i].call = max(1, all[i].call)
	}
	return all
}

// lastAct is the number of the last call that changes something.
func lastAct(calls []string) int {
	for i, call := range slices.Backward(calls) {
		if acts(call) {
			return i + 1
		}
	}
	return len(calls)
}

// acts tells whether a call changes something.
func acts(call string) bool {
	return !strings.HasPrefix(call, "GET ") && !strings.Contains(call, ":probe")
}

// find is an operation by its name.
func find(name string) (operation, error) {
	for _, op := range operations {
		if op.name == name {
			return op, nil
		}
	}
	return operation{}, fmt.Errorf("there is no operation %q", name)
}
