// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package pravegaspark knows the options of the Pravega connector for Spark:
// their types, defaults and limits, what the connector does with combinations
// of them, and which of them an existing stream makes void.
//
// Where the connector's documentation and its code differ, the code counts.
package pravegaspark

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Names of the options.
const (
	Controller        = "controller"
	Scope             = "scope"
	Stream            = "stream"
	AllowCreateScope  = "allow_create_scope"
	AllowCreateStream = "allow_create_stream"
	NumSegments       = "default_num_segments"
	ScaleFactor       = "default_scale_factor"
	BytesRate         = "default_segment_target_rate_bytes_per_sec"
	EventsRate        = "default_segment_target_rate_events_per_sec"
	RetentionTime     = "default_retention_duration_milliseconds"
	RetentionSize     = "default_retention_size_bytes"
	StartStreamCut    = "start_stream_cut"
	EndStreamCut      = "end_stream_cut"
	ExactlyOnce       = "exactly_once"
	ReadAfterWrite    = "read_after_write_consistency"
	TransactionTime   = "transaction_timeout_ms"
	PollInterval      = "transaction_status_poll_interval_ms"
	Metadata          = "metadata"
	BytesPerTrigger   = "approx_bytes_per_trigger"
)

// Option is one option of the connector.
type Option struct {
	Name string
	Kind Kind
	// What says in a sentence or more, in Markdown, what the option is for.
	What string
	// Batch and Streaming are the connector's defaults; empty for none.
	Batch, Streaming string
	// Min and Max limit a number, a duration in milliseconds, or a size in bytes.
	Min, Max int64
	// Words are the only values of a text.
	Words []string
	// Required options have to be set.
	Required bool
	// Undocumented options are known from the connector's code alone.
	Undocumented bool
	// Note says where the code differs from the documentation, or says more.
	Note string
}

// Creates tells whether the option counts only when the connector creates the
// stream: an existing one makes it void.
func (o Option) Creates() bool { return strings.HasPrefix(o.Name, "default_") }

const (
	maxInt  = math.MaxInt32
	maxLong = math.MaxInt64
	// forStreams ends the description of what counts for new streams alone.
	forStreams = " Counts only when the connector creates the stream; an existing stream makes it void."
)

// Table lists all options, in the order of the connector's documentation.
func Table() []Option { return slices.Clone(table) }

// Lookup finds an option.
func Lookup(name string) (Option, bool) {
	i := slices.IndexFunc(table, func(o Option) bool { return o.Name == name })
	if i < 0 {
		return Option{}, false
	}
	return table[i], true
}

var table = []Option{
	{
		Name: AllowCreateScope, Kind: Bool, Batch: "true", Streaming: "true",
		What: "Whether the connector creates the scope if it is missing. Has to be `false` on Dell EMC Streaming Data Platform.",
		Note: "The connector tries to create also when a job only reads.",
	},
	{
		Name: AllowCreateStream, Kind: Bool, Batch: "true", Streaming: "true",
		What: "Whether the connector creates the stream if it is missing.",
		Note: "The connector tries to create also when a job only reads: one that starts before Terraform has made the stream makes another one, of the `default_*` policy.",
	},
	{
		Name: Controller, Kind: Text, Batch: "tcp://localhost:9090", Streaming: "tcp://localhost:9090",
		What: "Pravega controller that the job talks to, as `protocol://host:port`, not the REST endpoint. Several addresses have commas between (`tls://a:9090,b:9090`).",
		Note: "The connector takes any URI, and Pravega's client fails later: it wants `tcp`, `ssl`, `tls`, `pravega` or `pravegas`, a host and a port, and no user name (seen with the client of 0.13.0).",
	},
	{
		Name: NumSegments, Kind: Number, Min: 1, Max: maxInt,
		What: "Number of segments of a new stream, the least number with scaling by rate." + forStreams,
		Note: "Without it the connector ignores all other options of scaling.",
	},
	{
		Name: RetentionTime, Kind: Millis, Min: 1, Max: maxInt,
		What: "How long a new stream keeps data. Excludes `default_retention_size_bytes`." + forStreams,
		Note: "The connector takes 0, with which all data is deleted at the next cycle, and reads the number as 32 bits, so that 24.8 days are the most.",
	},
	{
		Name: RetentionSize, Kind: Bytes, Min: 1, Max: maxInt,
		What: "How much data a new stream keeps. Excludes `default_retention_duration_milliseconds`." + forStreams,
		Note: "The connector takes 0, with which all data is deleted at the next cycle, and reads the number as 32 bits, so that 2 GiB less a byte are the most.",
	},
	{
		Name: ScaleFactor, Kind: Number, Min: 2, Max: maxInt,
		What: "Into how many segments a busy one of a new stream is split. Needs `default_num_segments` and one of the rates." + forStreams,
		Note: "Without both of these the connector ignores it: the stream does not scale.",
	},
	{
		Name: BytesRate, Kind: Bytes, Min: 1024, Max: maxInt,
		What: "Rate per second that each segment of a new stream aims at, in bytes. Needs `default_num_segments` and `default_scale_factor`, excludes the rate in events." + forStreams,
		Note: "The connector rounds it down to whole KiB.",
	},
	{
		Name: EventsRate, Kind: Number, Min: 1, Max: maxInt,
		What: "Rate per second that each segment of a new stream aims at, in events. Needs `default_num_segments` and `default_scale_factor`, excludes the rate in bytes." + forStreams,
		Note: "Without both of these the connector ignores it: the stream does not scale.",
	},
	{
		Name: EndStreamCut, Kind: Text, Batch: "latest", Streaming: "unbounded",
		What: "Where reading ends: `latest`, resolved when the job starts, `unbounded`, or the text of a stream cut (base-64).",
		Note: "`earliest` fails without a reason. A streaming job does not end there: its code does not look at it again.",
	},
	{
		Name: ExactlyOnce, Kind: Bool, Batch: "true", Streaming: "true",
		What: "Whether events are written in transactions: each exactly once, and seen later. The controller must let transactions stay open as long as the job or its micro-batch takes.",
	},
	{
		Name: Metadata, Kind: Text, Words: []string{"Streams", "StreamInfo"},
		What: "Read what Pravega knows instead of events: `Streams` for the streams of the scope, `StreamInfo` for the head and the tail of the stream.",
		Note: "For batch jobs that read. The words are case-sensitive, and `stream` is needed also for `Streams`. Nothing is created, and no other option counts but `controller`, `scope` and `stream`.",
	},
	{
		Name: ReadAfterWrite, Kind: Bool, Batch: "true", Streaming: "true",
		What: "Whether a commit waits until Pravega has committed the transaction.",
		Note: "Has no effect with `exactly_once = false`.",
	},
	{Name: Scope, Kind: Text, Required: true, What: "Name of the scope that the stream is in."},
	{
		Name: StartStreamCut, Kind: Text, Batch: "earliest", Streaming: "latest",
		What: "Where reading begins: `earliest` or `latest`, resolved when the job starts, `unbounded`, or the text of a stream cut (base-64).",
		Note: "In a batch job `latest` fails without a reason.",
	},
	{
		Name: Stream, Kind: Text, Required: true, What: "Name of the stream to read or write.",
		Note: "Needed also with `metadata = \"Streams\"`.",
	},
	{
		Name: TransactionTime, Kind: Millis, Min: minLease, Max: maxLong, Batch: "120000", Streaming: "30000",
		What: "How long a transaction may stay open: the longest time that the job, or one micro-batch, is expected to take.",
		Note: "The connector checks nothing. Pravega's client refuses less than 10 s (seen with 0.13.0), and the controller more than its `controller.transaction.lease.count.max`: 600000 ms since Pravega 0.10.1, 120000 ms before.",
	},
	{
		Name: PollInterval, Kind: Millis, Min: 0, Max: maxLong, Batch: "50", Streaming: "50",
		What: "How often the state of a transaction is asked for while a commit waits.",
		Note: "Has no effect without `read_after_write_consistency` or without `exactly_once`.",
	},
	{
		Name: BytesPerTrigger, Kind: Bytes, Min: 1, Max: maxLong, Undocumented: true,
		What: "About how much one micro-batch of a streaming job reads. Not set: all that is there.",
		Note: "The documentation lacks it, and so do the releases up to 0.13.0, which ignore it: the code has it since then. Has no effect in a batch job.",
	},
}

// Limits says which values are allowed, beginning with a comma; empty for any.
func (o Option) Limits() string {
	switch {
	case len(o.Words) > 0:
		return ", `" + strings.Join(o.Words, "` or `") + "`"
	case o.Max == maxLong:
		return strings.Replace(fmt.Sprintf(", at least %d%s", o.Min, unitOf(o.Kind)), " 1 bytes", " 1 byte", 1)
	case o.Max > 0:
		return fmt.Sprintf(", %d to %d%s", o.Min, o.Max, unitOf(o.Kind))
	}
	return ""
}

// Defaults says what the connector does when the option is not set.
func (o Option) Defaults() string {
	mark := func(value string) string { return "`" + value + "`" + unitOf(o.Kind) }
	switch {
	case o.Required:
		return "none: required"
	case o.Batch == "":
		return "none"
	case o.Batch == o.Streaming:
		return mark(o.Batch)
	}
	return fmt.Sprintf("%s in a batch job, %s in a streaming job", mark(o.Batch), mark(o.Streaming))
}
