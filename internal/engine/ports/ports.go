// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package ports checks and picks TCP ports of the loopback interface.
package ports

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
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

// Free returns n different ports that are free now. They are all held open
// until the last is found, so that none is given out twice.
func Free(ctx context.Context, n int) ([]int, error) {
	var found []int
	for range n {
		var config net.ListenConfig
		l, err := config.Listen(ctx, "tcp", net.JoinHostPort(Host, "0"))
		if err != nil {
			return nil, fmt.Errorf("no free port was found: %w", err)
		}
		defer func() { _ = l.Close() }()
		address, ok := l.Addr().(*net.TCPAddr)
		if !ok {
			return nil, fmt.Errorf("the listener at %s has no TCP port", l.Addr())
		}
		found = append(found, address.Port)
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
