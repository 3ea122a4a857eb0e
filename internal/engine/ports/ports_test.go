// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package ports

import (
	"net"
	"os"
	"strconv"
	"strings"
	"testing"
)

func TestCheckNamesTheTakenPortAndItsFlag(t *testing.T) {
	t.Parallel()
	var config net.ListenConfig
	l, err := config.Listen(t.Context(), "tcp", net.JoinHostPort(Host, "0"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	_, text, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	taken, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}

	err = Check(t.Context(), []Named{{"flink-port", taken}, {"gateway-port", 70000}, {"zk-port", taken}})
	if err == nil {
		t.Fatal("no error for a taken port")
	}
	for _, want := range []string{
		"port " + text + " is taken", "-flink-port", "-gateway-port 70000 is not a port",
		"given to both -flink-port and -zk-port",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q does not say %q", err, want)
		}
	}
}

func TestFreePortsAreDifferentAndPassTheCheck(t *testing.T) {
	t.Parallel()
	found, err := Free(t.Context(), 5)
	if err != nil {
		t.Fatal(err)
	}
	var wanted []Named
	for _, port := range found {
		wanted = append(wanted, Named{"any", port})
	}
	if err := Check(t.Context(), wanted); err != nil {
		t.Fatal(err)
	}
}

// Not parallel: it knows which port comes next.
func TestFree_PassesOverWhatIsTaken(t *testing.T) {
	next := lowest + int(int64(os.Getpid())*apart+given.Load()+1)%count
	var config net.ListenConfig
	l, err := config.Listen(t.Context(), "tcp", net.JoinHostPort(Host, strconv.Itoa(next)))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	found, err := Free(t.Context(), 1)
	if err != nil || found[0] == next {
		t.Errorf("got %v, %v, with %d taken", found, err, next)
	}
}

func TestFree_GivesNoPortTwiceAndNoneOfOutgoingConnections(t *testing.T) {
	t.Parallel()
	seen := map[int]bool{}
	for range 5 {
		found, err := Free(t.Context(), 8)
		if err != nil || len(found) != 8 {
			t.Fatalf("got %v, %v", found, err)
		}
		for _, port := range found {
			if seen[port] || port < 20000 || port >= 32000 {
				t.Errorf("port %d was given before, or may be that of an outgoing connection", port)
			}
			seen[port] = true
		}
	}
}
