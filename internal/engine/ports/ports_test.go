// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package ports

import (
	"net"
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
