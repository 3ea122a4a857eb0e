// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravegaspark

import (
	"fmt"
	"slices"
	"strings"
)

// Mode is how a job runs.
type Mode string

// The modes. The zero value stands for options that are meant for both.
const (
	Batch     Mode = "batch"
	Streaming Mode = "streaming"
)

// Severity says what a finding means.
type Severity string

// The severities.
const (
	// Refused: the job would fail, or data would be lost.
	Refused Severity = "refused"
	// Void: the connector ignores the value, or makes another one of it, in silence.
	Void Severity = "void"
	// Risk: whether it works depends on what the options do not tell.
	Risk Severity = "risk"
)

// Finding is something that is wrong with an option.
type Finding struct {
	Option   string
	Severity Severity
	// Summary is one line; Detail says why, and what to do.
	Summary, Detail string
}

// Situation is what is known beside the options.
type Situation struct {
	Mode Mode
	// Managed streams are created and configured by Terraform.
	Managed bool
	// Exists is true for a stream that is there already.
	Exists bool
}

// findings collects them.
type findings struct {
	Options
	Situation
	all []Finding
}

func (f *findings) add(severity Severity, option, summary, detail string) {
	if row, ok := Lookup(option); ok && row.Creates() && severity == Void && (f.Managed || f.Exists) {
		return // Compare says so.
	}
	f.all = append(f.all, Finding{Option: option, Severity: severity, Summary: summary, Detail: detail})
}

// Check finds what is wrong with options, in the order of the table. What is
// not known yet is taken to be right.
func Check(options Options, situation Situation) []Finding {
	f := &findings{Options: options, Situation: situation}
	for _, row := range table {
		value, known := f.known(row.Name)
		if known {
			f.limits(row, value)
		}
		if row.Required && !f.Set(row.Name) {
			f.add(Refused, row.Name, row.Name+" is missing", "The connector needs it, also with metadata = \"Streams\".")
		}
	}
	f.names()
	f.controller()
	f.creation()
	f.scaling()
	f.retention()
	f.cuts()
	f.metadata()
	if !f.Set(Metadata) {
		f.transactions()
		f.trigger()
	}
	slices.SortStableFunc(f.all, func(a, b Finding) int { return position(a.Option) - position(b.Option) })
	return f.all
}

func position(option string) int {
	return slices.IndexFunc(table, func(o Option) bool { return o.Name == option })
}

// limits checks what concerns one option alone.
func (f *findings) limits(row Option, value Value) {
	if len(row.Words) > 0 && !slices.Contains(row.Words, value.text) {
		f.add(Refused, row.Name, fmt.Sprintf("%s is not a word that the connector knows", row.Name),
			fmt.Sprintf("It is %q; the connector takes %s, in exactly this case, and throws an exception over anything else.", value.text, quoted(row.Words)))
	}
	if row.Kind != Number && row.Kind != Millis && row.Kind != Bytes {
		return
	}
	if value.number >= row.Min && value.number <= row.Max {
		return
	}
	allowed := fmt.Sprintf("%d to %d", row.Min, row.Max)
	if row.Max == maxLong {
		allowed = fmt.Sprintf("at least %d", row.Min)
	}
	detail := fmt.Sprintf("It is %d%s; allowed is %s.", value.number, unitOf(row.Kind), allowed)
	switch {
	case (row.Name == RetentionTime || row.Name == RetentionSize) && value.number == 0:
		detail = "It is 0: the connector takes it, and Pravega then deletes all data at the next cycle. Leave it out to keep data for ever."
	case (row.Name == RetentionTime || row.Name == RetentionSize) && value.number > row.Max:
		detail += " The connector reads 32 bits, and its error does not say so. Let streaming_pravega_stream create the stream, whose retention has no such limit, and set managed = true."
	}
	f.add(Refused, row.Name, row.Name+" is out of range", detail)
}

func unitOf(kind Kind) string {
	switch kind {
	case Millis:
		return " ms"
	case Bytes:
		return " bytes"
	default:
		return ""
	}
}

func quoted(words []string) string {
	marked := make([]string, 0, len(words))
	for _, word := range words {
		marked = append(marked, fmt.Sprintf("%q", word))
	}
	return strings.Join(marked, " or ")
}

// creation checks what the job may create.
func (f *findings) creation() {
	if f.Managed && f.is(AllowCreateStream, true) {
		f.add(Risk, AllowCreateStream, "A job may create the stream before Terraform does",
			"managed is true, and so is allow_create_stream: a job that starts before the stream is there, or after it was destroyed, creates one of the default_* policy, and the next apply finds that it exists already. Leave allow_create_stream out: it is false for a managed stream.")
	}
	if !f.is(AllowCreateStream, false) {
		return
	}
	for _, row := range table {
		if row.Creates() && f.Set(row.Name) {
			f.add(Void, row.Name, row.Name+" has no effect without allow_create_stream",
				"It counts only when the connector creates the stream, and allow_create_stream is false. Remove it, or configure the stream where it is created, such as with streaming_pravega_stream.")
		}
	}
}

func (f *findings) scaling() {
	var given []string
	for _, option := range []string{ScaleFactor, BytesRate, EventsRate} {
		if f.Set(option) {
			given = append(given, option)
		}
	}
	if f.Set(BytesRate) && f.Set(EventsRate) {
		f.add(Refused, BytesRate, "Two rates are given", "A stream scales by bytes or by events, and the connector refuses both together. Remove "+BytesRate+" or "+EventsRate+".")
		return
	}
	for _, option := range given {
		switch rate := f.Set(BytesRate) || f.Set(EventsRate); {
		case !f.Set(NumSegments):
			f.add(Void, option, option+" has no effect without "+NumSegments,
				"Without "+NumSegments+" the connector ignores all options of scaling, in silence: a new stream has one segment that never splits. Set it, 1 at the least.")
		case option == ScaleFactor && !rate:
			f.add(Void, option, option+" has no effect without a rate",
				"The connector then creates a fixed number of segments, in silence. Set "+BytesRate+" or "+EventsRate+" too, or remove it.")
		case option != ScaleFactor && !f.Set(ScaleFactor):
			f.add(Void, option, option+" has no effect without "+ScaleFactor,
				"The connector then creates a fixed number of segments, in silence. Set "+ScaleFactor+" too, 2 at the least, or remove it.")
		}
	}
	if rate, ok := f.known(BytesRate); ok && rate.number >= kib && rate.number%kib != 0 {
		f.add(Void, BytesRate, BytesRate+" is rounded down",
			fmt.Sprintf("Pravega counts whole KiB per second: %d becomes %d. Write %d.", rate.number, rate.number/kib*kib, rate.number/kib*kib))
	}
}

const kib = 1024

func (f *findings) retention() {
	if f.Set(RetentionTime) && f.Set(RetentionSize) {
		f.add(Refused, RetentionTime, "Retention has both a time and a size", "Pravega limits a stream by time or by size, and the connector refuses both together. Remove "+RetentionTime+" or "+RetentionSize+".")
	}
}

// Limits of transactions, in milliseconds.
const (
	// minLease is the client's.
	minLease = 10_000
	// maxLease is the controller's.
	maxLease = 600_000
	// maxLeaseBefore is the most before Pravega 0.10.1.
	maxLeaseBefore = 120_000
)

func (f *findings) transactions() {
	if f.is(ExactlyOnce, false) {
		for _, option := range []string{ReadAfterWrite, TransactionTime, PollInterval} {
			// A consistency that is switched off is no wish that is ignored.
			if f.Set(option) && !f.is(option, false) {
				f.add(Void, option, option+" has no effect without exactly_once",
					"exactly_once is false: nothing is written in transactions. Remove it, or let exactly_once be true.")
			}
		}
		return
	}
	if f.is(ReadAfterWrite, false) && f.Set(PollInterval) {
		f.add(Void, PollInterval, PollInterval+" has no effect without "+ReadAfterWrite, ReadAfterWrite+" is false: no commit waits, so none is asked for. Remove it.")
	}
	if interval, ok := f.known(PollInterval); ok && interval.number == 0 {
		f.add(Risk, PollInterval, PollInterval+" is 0", "Each task that waits for a commit asks the controller again without a pause. The connector's default is 50 ms.")
	}
	if timeout, ok := f.known(TransactionTime); ok && timeout.number > maxLease {
		f.add(Risk, TransactionTime, TransactionTime+" is more than a controller allows by default",
			fmt.Sprintf("It is %d ms. A controller refuses transactions above its controller.transaction.lease.count.max, %d ms by default (%d ms before Pravega 0.10.1): each write of the job would fail. "+
				"Make sure that it is raised, and controller.transaction.execution.timeBound.days with it.", timeout.number, maxLease, maxLeaseBefore))
	}
}

// trigger checks the size of micro-batches.
func (f *findings) trigger() {
	switch {
	case !f.Set(BytesPerTrigger):
	case f.Mode == Batch:
		f.add(Void, BytesPerTrigger, BytesPerTrigger+" has no effect in a batch job", "A batch job reads from start_stream_cut to end_stream_cut in one go. Remove it.")
	default:
		f.add(Risk, BytesPerTrigger, BytesPerTrigger+" is ignored by released connectors",
			"The releases up to 0.13.0 do not know it, and take an option that they do not know in silence: a micro-batch reads all that is there. Make sure that the job has a later build of the connector.")
	}
}

// metadata checks what goes together with reading what Pravega knows.
func (f *findings) metadata() {
	if !f.Set(Metadata) {
		return
	}
	if f.Mode == Streaming {
		f.add(Refused, Metadata, "A streaming job cannot read metadata", "The connector reads metadata in batch jobs alone. Use mode = \"batch\", or remove metadata.")
	}
	counts := []string{Metadata, Controller, Scope, Stream, AllowCreateScope, AllowCreateStream}
	for _, row := range table {
		if f.Set(row.Name) && !slices.Contains(counts, row.Name) {
			f.add(Void, row.Name, row.Name+" has no effect with metadata", "A job that reads metadata looks only at controller, scope and stream. Remove it.")
		}
	}
}
