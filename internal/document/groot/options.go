// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package groot makes the job file of Groot Stream: the typed env block, with
// its names for Flink's options, and around it whatever else the file has,
// which stays as it is given.
//
// Groot Stream's documentation of the env block is all that is known of it: what
// the other sections look like, and how a program takes the file, is up to the
// user.
package groot

import (
	"math"
	"slices"
	"strings"
	"sync"
)

// Kind is what a value is.
type Kind int

// The kinds.
const (
	// Text is any text.
	Text Kind = iota
	// Flag is true or false.
	Flag
	// Count is a whole number.
	Count
	// Millis is a duration that is written as a plain number of milliseconds,
	// which is what both Groot Stream and Flink read from one.
	Millis
	// Locations is a list of URLs.
	Locations
)

// Option is one key of the env block.
type Option struct {
	Key  string
	Kind Kind
	// OfResource is the attribute of the resource that sets it, for a key that
	// has none in the env object.
	OfResource string
	// What says in a sentence or more, in Markdown, what it is for.
	What string
	// Default is the documented one, empty for none; Flinks is what Flink does then.
	Default, Flinks string
	// Min and Max limit a number, or a duration in milliseconds.
	Min, Max int64
	// Words are the only values of a text.
	Words []string
	// Flink are Flink's own keys for the same; Documented tells that the
	// documentation names the first of them.
	Flink      []string
	Documented bool
	// Note says where the engine does not do what the documentation says, or says
	// more.
	Note string
}

// Keys that take part in a check.
const (
	NameKey            = "name"
	ParallelismKey     = "parallelism"
	BufferTimeoutKey   = "execution.buffer-timeout"
	RuntimeModeKey     = "execution.runtime-mode"
	ShadeKey           = "shade.identifier"
	ObjectReuseKey     = "pipeline.object-reuse"
	JarsKey            = "jars"
	PipelineJarsKey    = "pipeline.jars"
	ClasspathsKey      = "pipeline.classpaths"
	MaxParallelismKey  = "pipeline.max-parallelism"
	StrategyKey        = "execution.restart.strategy"
	AttemptsKey        = "execution.restart.attempts"
	DelayKey           = "execution.restart.delayBetweenAttempts"
	FailureRateKey     = "execution.restart.failure-rate"
	FailureIntervalKey = "execution.restart.failureInterval"
	FailureDelayKey    = "execution.restart.delayInterval"

	// FlinkPrefix begins a key that is handed to Flink without it.
	FlinkPrefix = "flink."
	// envKey is the section that the env block is.
	envKey = "env"
)

// Attribute is the name of the option in an env object: the key with underscores
// and without capitals.
func (o Option) Attribute() string { return attributeOf(o.Key) }

// attributeOf is made once for each key.
func attributeOf(key string) string { return attributes()[key] }

var attributes = sync.OnceValue(func() map[string]string {
	names := make(map[string]string, len(table))
	for _, option := range table {
		names[option.Key] = attributeName(option.Key)
	}
	return names
})

func attributeName(key string) string {
	var name strings.Builder
	for _, r := range key {
		switch {
		case r == '.' || r == '-':
			name.WriteByte('_')
		case r >= 'A' && r <= 'Z':
			name.WriteString("_" + strings.ToLower(string(r)))
		default:
			name.WriteRune(r)
		}
	}
	return name.String()
}

// Table lists the keys of the env block, in the order of the documentation.
func Table() []Option { return slices.Clone(table) }

// Lookup finds an option of the env object by its attribute.
func Lookup(attribute string) (Option, bool) {
	return find(func(o Option) bool { return o.OfResource == "" && o.Attribute() == attribute })
}

// lookupKey finds an option by its key.
func lookupKey(key string) (Option, bool) {
	return find(func(o Option) bool { return o.Key == key })
}

func find(is func(Option) bool) (Option, bool) {
	if i := slices.IndexFunc(table, is); i >= 0 {
		return table[i], true
	}
	return Option{}, false
}

// strategies are Flink's words for them, those of one strategy in a row.
var strategies = [][]string{
	{"fixed-delay", "fixeddelay"},
	{"failure-rate", "failurerate"},
	{"exponential-delay", "exponentialdelay"},
	{"none", "off", "disable"},
}

const (
	maxParallelism = 32768
	locations      = " Written with `;` between, so that none may have one."
)

var table = []Option{
	{
		Key: NameKey, Kind: Text, OfResource: "name", Default: "groot-stream-job", Flink: []string{"pipeline.name"},
		What: "Name of the job.",
		Note: "A name that is given to `flink run` wins over this one: the provider gives both, and they are the same.",
	},
	{
		Key: ParallelismKey, Kind: Count, Min: 1, Max: maxParallelism, Flinks: "parallelism.default", Flink: []string{"parallelism.default"},
		What: "Parallelism of everything in the job file that sets none itself.",
		Note: "It wins over what a client asks for, and so over `parallelism` of the resource: with it set, the job cannot be rescaled in place. The file's own sources, processors and sinks win over it, so that no plan can tell what each part of the job gets: `vertices` of `data.streaming_flink_job` shows it.",
	},
	{
		Key: BufferTimeoutKey, Kind: Millis, Min: -1, Max: math.MaxInt64, Default: "100", Documented: true,
		Flink: []string{"execution.buffer-timeout", "execution.buffer-timeout.interval"},
		What:  "How often buffers of output are flushed: `0` after every record, `-1` only when they are full.",
		Note:  "Flink reads no negative duration from `execution.buffer-timeout`: to be sure, set `flink = { \"execution.buffer-timeout.enabled\" = \"false\" }` instead of `-1`. The documentation writes `fink.` for `flink.` here.",
	},
	{
		Key: RuntimeModeKey, Kind: Text, Default: "STREAMING", Words: []string{"STREAMING", "BATCH"}, Flink: []string{"execution.runtime-mode"},
		What: "`STREAMING`, or `BATCH` for a job whose sources end.",
		Note: "A job in `BATCH` mode takes no savepoints and no checkpoints.",
	},
	{
		Key: ShadeKey, Kind: Text,
		What: "Method by which values in the job file are encrypted. Not set: none is.",
		Note: "The methods are not documented. In engines of the same family `default` means none, `base64` is no encryption, and a word that is not known leaves all values as they are, without an error.",
	},
	{
		Key: ObjectReuseKey, Kind: Flag, Default: "false", Documented: true, Flink: []string{"object-reuse", "pipeline.object-reuse"},
		What: "Whether operators are handed records without a copy.",
		Note: "The documentation calls it `flink.object-reuse`, which is no option of Flink: Flink's own is `pipeline.object-reuse`.",
	},
	{
		Key: JarsKey, Kind: Locations,
		What: "Jars that Groot Stream loads beside its own, as URLs such as `file:///opt/groot/udf.jar`." + locations,
		Note: "In the documented `file://local/jar1.jar`, `local` is a host and no directory.",
	},
	{
		Key: PipelineJarsKey, Kind: Locations, Flink: []string{"pipeline.jars"},
		What: "Jars that are uploaded to the cluster for the job, as URLs that the JobManager reaches." + locations,
		Note: "Flink sets this option itself for a job that runs from an uploaded jar, and may so drop these: classes that the job cannot do without belong into its jar.",
	},
	{
		Key: ClasspathsKey, Kind: Locations, Flink: []string{"pipeline.classpaths"},
		What: "URLs that are added to the class path of the job, on every node." + locations,
		Note: "Java has to know the protocol, which goes for `file`, `http` and `https`, and not for `s3` or `hdfs`.",
	},
	{
		Key: MaxParallelismKey, Kind: Count, Min: 1, Max: maxParallelism, Documented: true, Flinks: "pipeline.max-parallelism", Flink: []string{"pipeline.max-parallelism"},
		What: "Upper limit of parallelism for the life of the state.",
		Note: "State that was taken with another one cannot be restored. `max_parallelism` of the resource is the same.",
	},
	{
		Key: StrategyKey, Kind: Text, Words: slices.Concat(strategies...), Documented: true,
		Flink: []string{"restart-strategy", "restart-strategy.type"}, Flinks: "restart-strategy",
		What: "How a job that fails is restarted.",
		Note: "Flink 1.20 and 2.3 call it `restart-strategy.type`, and still read `restart-strategy`.",
	},
	{
		Key: AttemptsKey, Kind: Count, Min: 0, Max: math.MaxInt32, Documented: true,
		Flink: []string{"restart-strategy.fixed-delay.attempts"}, Flinks: "1",
		What: "With `fixed-delay`: how often the job is restarted before it fails.",
	},
	{
		Key: DelayKey, Kind: Millis, Min: 0, Max: math.MaxInt64, Documented: true,
		Flink: []string{"restart-strategy.fixed-delay.delay"}, Flinks: "1 s",
		What: "With `fixed-delay`: time between a failure and the restart.",
	},
	{
		Key: FailureRateKey, Kind: Count, Min: 1, Max: math.MaxInt32, Documented: true,
		Flink: []string{"restart-strategy.failure-rate.max-failures-per-interval"}, Flinks: "1",
		What: "With `failure-rate`: more failures than this in an interval fail the job.",
	},
	{
		Key: FailureIntervalKey, Kind: Millis, Min: 1, Max: math.MaxInt64, Documented: true,
		Flink: []string{"restart-strategy.failure-rate.failure-rate-interval"}, Flinks: "1 min",
		What: "With `failure-rate`: the interval.",
	},
	{
		Key: FailureDelayKey, Kind: Millis, Min: 0, Max: math.MaxInt64, Documented: true,
		Flink: []string{"restart-strategy.failure-rate.delay"}, Flinks: "1 s",
		What: "With `failure-rate`: time between a failure and the restart.",
	},
}
