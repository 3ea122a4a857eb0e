// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package ports checks and picks TCP ports of the loopback interface.
package ports

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"sync/atomic"
)

// Host is the only address that engines are bound to.
const Host = "127.0.0.1"

// Named is a port together with the flag that sets it.
type Named struct {
	Flag string
	Port int
}

// Check returns one error that names every port of the list that is not free
// or given twice, and the flag to change it with.
func Check(ctx context.Context, wanted []Named) error {
	var problems []error
	seen := map[int]string{}
	for _, w := range wanted {
		if w.Port < 1 || w.Port > 65535 {
			problems = append(problems, fmt.Errorf("-%s %d is not a port", w.Flag, w.Port))
			continue
		}
		if other, twice := seen[w.Port]; twice {
			problems = append(problems, fmt.Errorf("port %d is given to both -%s and -%s", w.Port, other, w.Flag))
			continue
		}
		seen[w.Port] = w.Flag
		if !free(ctx, w.Port) {
			problems = append(problems, fmt.Errorf("port %d is taken: free it, choose another with -%s, or use -ports auto", w.Port, w.Flag))
		}
	}
	return errors.Join(problems...)
}

// Ports that are picked are below those that systems give to connections that
// go out (from 32768 on Linux): such a one could take a port between the moment
// when it is picked and the one when the engine binds it.
const (
	lowest = 20000
	count  = 12000
	// apart is how far from each other two processes begin to look whose ids
	// follow one another.
	apart = 131
)

// given is how many ports this process has looked at: it gives none out twice.
var given atomic.Int64

// Free returns n different ports that are free now, and that no other process
// of this kind is about to look at.
func Free(ctx context.Context, n int) ([]int, error) {
	var found []int
	for range count {
		if len(found) == n {
			break
		}
		port := lowest + int(int64(os.Getpid())*apart+given.Add(1))%count
		if free(ctx, port) {
			found = append(found, port)
		}
	}
	if len(found) < n {
		return nil, fmt.Errorf("%d free ports were wanted, and of %d to %d only %d are", n, lowest, lowest+count-1, len(found))
	}
	return found, nil
}

// free tries both loopback and all interfaces: Pravega binds the latter.
func free(ctx context.Context, port int) bool {
	for _, host := range []string{Host, ""} {
		var config net.ListenConfig
		l, err := config.Listen(ctx, "tcp", net.JoinHostPort(host, strconv.Itoa(port)))
		if err != nil {
			return false
		}
		_ = l.Close()
	}
	return true
}
