// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package flinkoptions knows the options that Flink declares, their types, and
// which spellings of a value mean the same to Flink.
//
// The tables are made from the classes of Flink's own distributions by
// go run ./internal/document/flinkoptions/extract.
package flinkoptions

import (
	"embed"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:generate go run -C ../../.. ./internal/document/flinkoptions/extract

// Type is how Flink reads the value of an option.
type Type string

// The types whose values have several spellings. Every other is compared as
// text.
const (
	Duration   Type = "Duration"
	MemorySize Type = "MemorySize"
)

// Option is one key that Flink declares.
type Option struct {
	Type Type
	// ReplacedBy is set for an older spelling of a key, which Flink still reads.
	ReplacedBy string
}

// table is what one version of Flink declares.
type table struct {
	version string
	number  [2]int
	grammar grammar
	options map[string]Option
}

//go:embed tables/*.tsv
var files embed.FS

// grammars tell what each version accepts beside a number and a unit.
var grammars = map[string]grammar{"1.20.5": {}, "2.3.0": {iso: true, big: true}}

// tables are read when they are first needed, in the order of their versions.
var tables = sync.OnceValue(func() []*table {
	var all []*table
	for version, g := range grammars {
		content, err := files.ReadFile("tables/" + version + ".tsv")
		if err != nil {
			panic(err) // embedded at build
		}
		t := &table{version: version, grammar: g, options: map[string]Option{}}
		t.number, _ = numberOf(version)
		for line := range strings.Lines(string(content)) {
			fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			t.options[fields[0]] = Option{Type: Type(fields[1]), ReplacedBy: fields[3]}
		}
		all = append(all, t)
	}
	slices.SortFunc(all, func(a, b *table) int { return slices.Compare(a.number[:], b.number[:]) })
	return all
})

// Versions lists the versions of which there is a table.
func Versions() []string {
	var versions []string
	for _, t := range tables() {
		versions = append(versions, t.version)
	}
	return versions
}

func numberOf(version string) (number [2]int, ok bool) {
	parts := strings.SplitN(version, ".", 3)
	if len(parts) < 2 {
		return number, false
	}
	for i := range number {
		n, err := strconv.Atoi(parts[i])
		if err != nil {
			return number, false
		}
		number[i] = n
	}
	return number, true
}

// tablesOf are those that tell about a version: its own, or the nearest on
// both sides; all for a version that is not known.
func tablesOf(version string) []*table {
	all := tables()
	number, ok := numberOf(version)
	if !ok {
		return all
	}
	i, found := slices.BinarySearchFunc(all, number, func(t *table, n [2]int) int { return slices.Compare(t.number[:], n[:]) })
	if found {
		return all[i : i+1]
	}
	return all[max(0, i-1):min(len(all), i+1)]
}

// TypeOf returns the type of a key in a version of Flink; "" as the version
// stands for any. It is not known where Flink declares no such key, and where
// the versions that may be meant differ.
func TypeOf(version, key string) (Type, bool) {
	var found Type
	for _, t := range tablesOf(version) {
		option, ok := t.options[key]
		switch {
		case !ok:
		case found != "" && found != option.Type:
			return "", false
		default:
			found = option.Type
		}
	}
	return found, found != ""
}

// Removed tells whether a version of Flink knows a key no more that an earlier
// one did. It is false for a version of which there is no table, for keys that
// are part of a map option, and for those that no version declares.
func Removed(version, key string) (since string, removed bool) {
	number, ok := numberOf(version)
	if !ok {
		return "", false
	}
	known := ""
	for _, t := range tables() {
		_, declared := t.options[key]
		switch {
		case t.number == number:
			return known, known != "" && !declared && !t.inMap(key)
		case declared:
			known = t.version
		}
	}
	return "", false
}

// Options of Flink's own processes, by prefix and by key: memory, addresses,
// high availability, deployment, and how the JobManager schedules.
var (
	processPrefixes = []string{
		"blob.", "historyserver.", "high-availability.", "jobmanager.memory.", "jobmanager.rpc.", "jobstore.",
		"kubernetes.", "rest.", "sql-gateway.", "web.", "yarn.",
	}
	processKeys = []string{
		"execution.target", "jobmanager.bind-host", "jobmanager.scheduler", "taskmanager.bind-host", "taskmanager.host",
		"taskmanager.memory.flink.size", "taskmanager.memory.managed.fraction", "taskmanager.memory.managed.size",
		"taskmanager.memory.process.size", "taskmanager.memory.task.heap.size", "taskmanager.memory.task.off-heap.size",
		"taskmanager.numberOfTaskSlots",
	}
)

// OfCluster tells whether a key is an option that Flink reads when its own
// processes start and nowhere else. It is false where that is not sure.
func OfCluster(version, key string) bool {
	if _, declared := TypeOf(version, key); !declared {
		return false
	}
	return slices.Contains(processKeys, key) ||
		slices.ContainsFunc(processPrefixes, func(prefix string) bool { return strings.HasPrefix(key, prefix) })
}

// inMap tells whether the key is an entry of an option that is a map, which may
// be written as one key for each entry.
func (t *table) inMap(key string) bool {
	for end := strings.LastIndexByte(key, '.'); end > 0; end = strings.LastIndexByte(key[:end], '.') {
		if t.options[key[:end]].Type == "Map" {
			return true
		}
	}
	return false
}

// Same tells whether two values of a key mean the same in a version of Flink.
func Same(version, key, a, b string) bool {
	if a == b {
		return true
	}
	kind, ok := TypeOf(version, key)
	if !ok {
		return false
	}
	x, okA := canonical(kind, a)
	y, okB := canonical(kind, b)
	return okA && okB && x == y
}

// Canonical is one spelling for all values of a key that mean the same,
// whatever the version of Flink.
func Canonical(key, value string) string {
	kind, ok := TypeOf("", key)
	if !ok {
		return value
	}
	if text, ok := canonical(kind, value); ok {
		return text
	}
	return value
}

func canonical(kind Type, value string) (string, bool) {
	switch kind {
	case Duration:
		if n, ok := parseDuration(value, grammar{iso: true, big: true}); ok {
			return n.String() + " ns", true
		}
	case MemorySize:
		if n, ok := parseMemory(value); ok {
			return strconv.FormatInt(n, 10) + " bytes", true
		}
	}
	return "", false
}

// Valid tells whether a version of Flink can read the value of a key. Only
// durations and sizes of memory are looked at.
func Valid(version, key, value string) bool {
	kind, ok := TypeOf(version, key)
	if !ok {
		return true
	}
	switch kind {
	case Duration:
		return slices.ContainsFunc(tablesOf(version), func(t *table) bool {
			_, ok := parseDuration(value, t.grammar)
			return ok
		})
	case MemorySize:
		_, ok := parseMemory(value)
		return ok
	}
	return true
}

// Declared tells whether any version of Flink declares a key, be it as an entry
// of an option that is a map.
func Declared(key string) bool {
	return slices.ContainsFunc(tables(), func(t *table) bool {
		_, declared := t.options[key]
		return declared || t.inMap(key)
	})
}
