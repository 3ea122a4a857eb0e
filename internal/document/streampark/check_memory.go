// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streampark

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/flinkvalue"
)

const mib = 1 << 20

// Defaults of Flink, in bytes.
const (
	defaultMetaspace   = 256 * mib
	defaultOverheadMin = 192 * mib
	defaultOverheadMax = 1024 * mib
	defaultOverhead    = 0.1
	defaultOffHeap     = 128 * mib
	defaultFramework   = 128 * mib
	defaultManaged     = 0.4
	defaultNetworkMin  = 64 * mib
	defaultNetwork     = 0.1
	// leastHeap is what the document recommends for a JobManager.
	leastHeap = 128 * mib
)

// sizes are the parts of one process.
type sizes struct {
	*checker
	group string
}

// memory checks the parts of a process against each other, as Flink does when
// the process starts: each group has one conflict at the most.
func (c *checker) memory() {
	for _, group := range []string{managers, workers} {
		s := sizes{checker: c, group: group}
		if s.incomplete() {
			continue
		}
		if conflict := s.conflict(); conflict != "" {
			c.add(Refused, group, group+" contradicts itself", conflict+" With these parts the process does not start.")
			continue
		}
		if s.has("process_size") && s.has("flink_size") {
			c.add(Warned, group, group+" has two totals", "Flink advises against setting both process_size and flink_size: a later change of one of them, or of another part, may keep the process from starting. Remove one of them.")
		}
	}
	s := sizes{checker: c, group: managers}
	if heap, ok := s.size("heap_size"); ok && heap < leastHeap {
		c.add(Warned, managers+".heap_size", "The heap of the JobManager is small", "The document recommends 128 mb at the least.")
	}
}

// incomplete is true while a part is not known, or is no size.
func (s sizes) incomplete() bool {
	for _, row := range table {
		if strings.HasPrefix(row.Attribute, s.group+".") && (s.bad[row.Attribute] || s.Unknown[row.Attribute]) {
			return true
		}
	}
	return s.Unknown[s.group] || s.Unknown["memory"]
}

func (s sizes) has(part string) bool {
	_, ok := s.Values[s.group+"."+part]
	return ok
}

func (s sizes) size(part string) (int64, bool) {
	bytes, err := flinkvalue.BareMemory(s.Values[s.group+"."+part])
	return bytes, err == nil && s.has(part)
}

func (s sizes) or(part string, fallback int64) int64 {
	if bytes, ok := s.size(part); ok {
		return bytes
	}
	return fallback
}

func (s sizes) fraction(part string, fallback float64) float64 {
	value, err := strconv.ParseFloat(flinkvalue.Trim(s.Values[s.group+"."+part]), 64)
	if err != nil {
		return fallback
	}
	return value
}

// extraSize is a key of Flink's that has no attribute.
func (s sizes) extraSize(key string, fallback int64) int64 {
	value, ok := s.property(key)
	if bytes, err := flinkvalue.BareMemory(value); ok && err == nil {
		return bytes
	}
	return fallback
}

// portion is a part of a whole, between its limits.
func portion(whole int64, fraction float64, least, most int64) int64 {
	return min(max(int64(float64(whole)*fraction), least), most)
}

// conflict says in a sentence what does not fit.
func (s sizes) conflict() string {
	least, most := s.or("jvm_overhead_min", defaultOverheadMin), s.or("jvm_overhead_max", defaultOverheadMax)
	if least > most {
		return fmt.Sprintf("jvm_overhead_min is %s and jvm_overhead_max %s.", inWords(least), inWords(most))
	}
	metaspace := s.or("jvm_metaspace_size", defaultMetaspace)
	inner, conflict := s.inner()
	if conflict != "" {
		return conflict
	}
	process, hasProcess := s.size("process_size")
	switch {
	case inner < 0 && !hasProcess:
		return "" // The rest is in the cluster's configuration.
	case inner < 0:
		return s.fromProcess(process, metaspace, least, most)
	case !hasProcess:
		return ""
	}
	overhead := process - inner - metaspace
	if overhead < least || overhead > most {
		return fmt.Sprintf("process_size leaves %s for the overhead of the JVM, beside %s and a metaspace of %s; allowed is %s to %s (jvm_overhead_min and jvm_overhead_max).",
			inWords(overhead), inWords(inner), inWords(metaspace), inWords(least), inWords(most))
	}
	return ""
}

// fromProcess divides the whole memory of a process.
func (s sizes) fromProcess(process, metaspace, least, most int64) string {
	overhead := portion(process, s.fraction("jvm_overhead_fraction", defaultOverhead), least, most)
	if metaspace+overhead > process {
		return fmt.Sprintf("A metaspace of %s and an overhead of the JVM of %s are more than process_size, which is %s.", inWords(metaspace), inWords(overhead), inWords(process))
	}
	if s.group == managers {
		return s.managerFrom(process - metaspace - overhead)
	}
	return s.workerFrom(process - metaspace - overhead)
}

// inner is the memory without that of the JVM; -1 where the parts do not tell.
func (s sizes) inner() (bytes int64, conflict string) {
	if s.group == managers {
		return s.managerInner()
	}
	return s.workerInner()
}

func (s sizes) managerInner() (int64, string) {
	total, hasTotal := s.size("flink_size")
	heap, hasHeap := s.size("heap_size")
	offHeap := s.or("off_heap_size", defaultOffHeap)
	switch {
	case hasHeap && hasTotal && s.has("off_heap_size") && heap+offHeap != total:
		return 0, fmt.Sprintf("heap_size and off_heap_size are %s together, and flink_size is %s.", inWords(heap+offHeap), inWords(total))
	case hasHeap && hasTotal && heap > total:
		return 0, fmt.Sprintf("heap_size is %s, and flink_size is %s.", inWords(heap), inWords(total))
	case hasTotal && hasHeap:
		return total, ""
	case hasHeap:
		return heap + offHeap, ""
	case hasTotal:
		return total, s.managerFrom(total)
	}
	return -1, ""
}

func (s sizes) managerFrom(total int64) string {
	if offHeap := s.or("off_heap_size", defaultOffHeap); total <= offHeap {
		return fmt.Sprintf("off_heap_size is %s, and %s is all that there is beside the JVM's own.", inWords(offHeap), inWords(total))
	}
	return ""
}

// framework is what a TaskManager has before the heap of its tasks.
func (s sizes) framework() int64 {
	return s.or("framework_heap_size", defaultFramework) + s.or("framework_off_heap_size", defaultFramework) + s.or("task_off_heap_size", 0)
}

func (s sizes) managed(total int64) int64 {
	return s.or("managed_size", int64(float64(total)*s.fraction("managed_fraction", defaultManaged)))
}

func (s sizes) workerInner() (int64, string) {
	total, hasTotal := s.size("flink_size")
	heap, hasHeap := s.size("task_heap_size")
	managed, hasManaged := s.size("managed_size")
	switch {
	case hasTotal:
		return total, s.workerFrom(total)
	case hasHeap && hasManaged:
		rest := s.framework() + heap + managed
		least, most := s.networkLimits()
		fraction := s.networkFraction()
		network := portion(int64(float64(rest)/(1-fraction)), fraction, least, most)
		return rest + network, ""
	}
	return -1, ""
}

// workerFrom divides the memory of a TaskManager that is not the JVM's.
func (s sizes) workerFrom(total int64) string {
	used := s.framework() + s.managed(total)
	least, most := s.networkLimits()
	heap, hasHeap := s.size("task_heap_size")
	if !hasHeap {
		network := portion(total, s.networkFraction(), least, most)
		if used+network > total {
			return fmt.Sprintf("The parts of the framework, of tasks outside of the heap, managed memory and network are %s together, of %s beside the JVM's own.", inWords(used+network), inWords(total))
		}
		return ""
	}
	network := total - used - heap
	switch {
	case network < 0:
		return fmt.Sprintf("The heaps, what is outside of them, and managed memory are %s together, of %s beside the JVM's own.", inWords(used+heap), inWords(total))
	case network < least || network > most:
		return fmt.Sprintf("%s is left for the network; the least is %s.", inWords(network), inWords(least))
	}
	return ""
}

func (s sizes) networkLimits() (least, most int64) {
	return s.extraSize("taskmanager.memory.network.min", defaultNetworkMin), s.extraSize("taskmanager.memory.network.max", math.MaxInt64)
}

func (s sizes) networkFraction() float64 {
	value, ok := s.property("taskmanager.memory.network.fraction")
	if fraction, err := strconv.ParseFloat(flinkvalue.Trim(value), 64); ok && err == nil && fraction >= 0 && fraction < 1 {
		return fraction
	}
	return defaultNetwork
}

// inWords is a size in the largest unit that is whole.
func inWords(bytes int64) string {
	if bytes%mib == 0 {
		return strconv.FormatInt(bytes/mib, 10) + " mb"
	}
	return strconv.FormatInt(bytes, 10) + " bytes"
}
