// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package process

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// lookUp reads one process from /proc.
func lookUp(pid int) (info, error) {
	raw, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return info{}, err
	}
	return parseStat(pid, string(raw))
}

// parseStat takes state, process group and start time out of a stat line. The
// name in parentheses may itself hold spaces and parentheses.
func parseStat(pid int, line string) (info, error) {
	end := strings.LastIndexByte(line, ')')
	if end < 0 {
		return info{}, fmt.Errorf("unreadable stat line of process %d", pid)
	}
	// fields[0] is field 3 of proc(5): the state.
	fields := strings.Fields(line[end+1:])
	if len(fields) < 20 {
		return info{}, fmt.Errorf("unreadable stat line of process %d", pid)
	}
	group, err := strconv.Atoi(fields[2])
	if err != nil {
		return info{}, fmt.Errorf("unreadable stat line of process %d: %w", pid, err)
	}
	return info{pid: pid, group: group, start: fields[19], zombie: fields[0] == "Z" || fields[0] == "X"}, nil
}

// processes lists every process that can be read.
func processes() ([]info, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	var found []info
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		i, err := lookUp(pid)
		if err != nil {
			continue // it ended meanwhile
		}
		found = append(found, i)
	}
	return found, nil
}

// ownerOf reads the owner mark from the environment a process was started with.
func ownerOf(pid int) string {
	raw, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "environ"))
	if err != nil {
		return ""
	}
	for entry := range bytes.SplitSeq(raw, []byte{0}) {
		if value, ok := strings.CutPrefix(string(entry), OwnerVariable+"="); ok {
			return value
		}
	}
	return ""
}
