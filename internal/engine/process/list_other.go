// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

//go:build !linux

package process

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// lookUp asks ps for one process.
func lookUp(pid int) (info, error) {
	found, err := ps("-p", strconv.Itoa(pid))
	if err != nil || len(found) == 0 {
		return info{}, os.ErrNotExist
	}
	return found[0], nil
}

// processes lists every process.
func processes() ([]info, error) { return ps("-ax") }

func ps(selection ...string) ([]info, error) {
	args := append(selection, "-o", "pid=,pgid=,state=,lstart=")
	cmd := exec.CommandContext(context.Background(), "ps", args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C", "TZ=UTC")
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	var found []info
	for line := range strings.Lines(string(out)) {
		i, err := parsePs(line)
		if err != nil {
			return nil, err
		}
		found = append(found, i)
	}
	return found, nil
}

func parsePs(line string) (info, error) {
	fields := strings.Fields(line)
	if len(fields) < 5 {
		return info{}, fmt.Errorf("unreadable line of ps: %q", line)
	}
	pid, err := strconv.Atoi(fields[0])
	if err != nil {
		return info{}, fmt.Errorf("unreadable line of ps: %w", err)
	}
	group, err := strconv.Atoi(fields[1])
	if err != nil {
		return info{}, fmt.Errorf("unreadable line of ps: %w", err)
	}
	return info{
		pid: pid, group: group,
		start:  strings.Join(fields[3:], " "),
		zombie: strings.HasPrefix(fields[2], "Z"),
	}, nil
}

// ownerOf reads the owner mark from the environment a process was started
// with, as far as ps shows it.
func ownerOf(pid int) string {
	out, err := exec.CommandContext(context.Background(), "ps", "-E", "-ww", "-o", "command=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return ""
	}
	_, rest, ok := strings.Cut(string(out), " "+OwnerVariable+"=")
	if !ok {
		return ""
	}
	if end := strings.IndexAny(rest, " \n"); end >= 0 {
		rest = rest[:end]
	}
	return rest
}
