// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package dagger

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// partition is how long the part of the data is that a directory has.
type partition time.Duration

const (
	unclear partition = 0
	hour              = partition(time.Hour)
	day               = partition(24 * time.Hour)
)

var (
	datePart = regexp.MustCompile(`/dt=([^/]*)/?`)
	hourPart = regexp.MustCompile(`/hr=([^/]*)/?`)
)

// parquetPath is one path of Parquet files.
type parquetPath struct {
	size partition
	// begin is the first moment of its partition, zero where it has none.
	begin time.Time
}

// readPath tells the partition of a path. The error says what is wrong.
func readPath(text string) (parquetPath, string) {
	file := strings.HasSuffix(text, ".parquet")
	date, hours := datePart.FindStringSubmatch(text), hourPart.FindStringSubmatch(text)
	if date == nil {
		if file {
			return parquetPath{}, "The path of a file has to have /dt=yyyy-MM-dd/ in it, and the job fails on this."
		}
		return parquetPath{}, ""
	}
	begin, err := time.Parse(time.DateOnly, date[1])
	if err != nil {
		return parquetPath{}, "Behind dt= there has to be a day such as 2022-01-23. The job fails on this."
	}
	if hours == nil {
		if file {
			return parquetPath{size: day, begin: begin}, ""
		}
		// The directory may have one for each hour.
		return parquetPath{begin: begin}, ""
	}
	clock, err := time.Parse("15", hours[1])
	if err != nil || len(hours[1]) != 2 {
		return parquetPath{}, "Behind hr= there has to be an hour of two digits, such as 07. The job fails on this."
	}
	return parquetPath{size: hour, begin: begin.Add(time.Duration(clock.Hour()) * time.Hour)}, ""
}

// parquet checks a source of files.
func (n node) parquet(root node) {
	v := n.v.fields[atFilePaths]
	if !n.set(atFilePaths) || v.form == list && len(v.items) == 0 {
		n.refuse(atFilePaths, atFilePaths+" is missing", "A Parquet stream needs files to read, and the job fails without.")
		return
	}
	texts := n.texts(atFilePaths)
	paths := map[int]parquetPath{}
	size := unclear
	for i := range v.items {
		text, known := texts[i]
		if !known {
			continue
		}
		path, wrong := readPath(text)
		if wrong != "" {
			n.c.add(Refused, append(n.at(atFilePaths), i), fmt.Sprintf("%q is no path of Parquet files", text), wrong)
			continue
		}
		paths[i] = path
		size = max(size, path.size)
	}
	n.delay(root, size)
	n.ranges(paths, size)
}

// delay compares the delay of watermarks to the time of a partition: the files
// of one are read in any order.
func (n node) delay(root node, size partition) {
	flink := root.inner(atFlink)
	delay, known := flink.number(atDelay)
	if !known || flink.c.faulty(flink.at(atDelay)) {
		return
	}
	wanted := time.Duration(max(size, hour))
	const why = "Events of a partition are read in any order, and those that are later than the delay are dropped. "
	switch got := time.Duration(delay) * time.Millisecond; {
	case delay < wanted.Milliseconds():
		flink.refuse(atDelay, fmt.Sprintf("The delay of watermarks is shorter than a partition of %s", n.word(atTable, "the stream")),
			fmt.Sprintf("%sIt is %s, and a partition has %s. Set flink.watermark_delay_ms = %d, or 86400000 where partitions are days.", why, got, wanted, wanted.Milliseconds()))
	case size == unclear && got < time.Duration(day):
		flink.warn(atDelay, "The delay of watermarks is enough for partitions of an hour alone", why+"If partitions are days, set flink.watermark_delay_ms = 86400000.")
	}
}

// dateRange is one range of time.
type dateRange struct{ begin, end time.Time }

func readRange(text string) (dateRange, string) {
	parts := strings.Split(text, ",")
	if len(parts) != 2 {
		return dateRange{}, "A range is its first and its last time, with a comma between."
	}
	var times [2]time.Time
	for i, part := range parts {
		part = strings.TrimSuffix(strings.TrimSpace(part), "Z")
		moment, err := time.Parse("2006-01-02T15:04:05", part)
		if err != nil || len(part) != len("2006-01-02T15:04:05") {
			return dateRange{}, "Times are written like 2022-05-08T00:00:00Z, with or without the Z, and nothing else."
		}
		times[i] = moment
	}
	if times[1].Before(times[0]) {
		return dateRange{}, "It ends before it begins."
	}
	return dateRange{times[0], times[1]}, ""
}

// ranges checks which files are read.
func (n node) ranges(paths map[int]parquetPath, size partition) {
	if !n.given(atDateRange) {
		return
	}
	var ranges []dateRange
	texts := n.texts(atDateRange)
	whole := len(texts) > 0 && len(texts) == len(n.v.fields[atDateRange].items)
	for i := range len(n.v.fields[atDateRange].items) {
		text, known := texts[i]
		if !known || strings.Contains(text, ";") {
			whole = false
			continue
		}
		one, wrong := readRange(text)
		if wrong != "" {
			n.c.add(Refused, append(n.at(atDateRange), i), fmt.Sprintf("%q is no range of time", text), wrong+" The job fails on this.")
			whole = false
			continue
		}
		ranges = append(ranges, one)
		n.skipped(i, one, size)
	}
	if !whole {
		return
	}
	for i := range len(n.v.fields[atFilePaths].items) {
		path, there := paths[i]
		if !there || path.begin.IsZero() {
			continue
		}
		last := path.begin
		if path.size == unclear {
			// It may have one for each hour.
			last = last.Add(23 * time.Hour)
		}
		if !slices.ContainsFunc(ranges, func(r dateRange) bool { return !last.Before(r.begin) && !path.begin.After(r.end) }) {
			n.c.add(Warned, append(n.at(atFilePaths), i), "Nothing of this path is read", "It is in no range of source_parquet_file_date_range.")
		}
	}
}

// skipped finds ranges that begin behind the first moment of a partition.
func (n node) skipped(i int, r dateRange, size partition) {
	at := append(n.at(atDateRange), i)
	const why = "A partition counts as its first moment, so that a range that begins later skips all of it. "
	begin := r.begin
	switch {
	case begin.Minute() != 0 || begin.Second() != 0:
		n.c.add(Refused, at, "The range skips the partition that it begins in", why+"Begin it with 00:00:00, or with a whole hour where partitions are hours.")
	case begin.Hour() == 0 || size == hour:
	case size == day:
		n.c.add(Refused, at, "The range skips the day that it begins in", why+"Begin it with 00:00:00.")
	default:
		n.c.add(Warned, at, "The range skips the day that it begins in, where partitions are days", why+"Begin it with 00:00:00, unless partitions are hours.")
	}
}
