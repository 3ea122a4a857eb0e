// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package dagger knows the configuration of Dagger: its keys, their types,
// defaults and limits, how they are composed into the arguments that Dagger
// reads, and what Dagger takes without a word and does not do.
//
// Where Dagger's documentation and its code differ, the code counts: that of
// raystack/dagger 0.7.0 and goto/dagger 0.12.2, both on Flink 1.14.3.
package dagger

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Kind is the type of an option, and how it is written for Dagger.
type Kind int

// The kinds.
const (
	// Text is any text.
	Text Kind = iota
	// Query is SQL: blanks around it do not count.
	Query
	// Flag is true or false.
	Flag
	// Count is a whole number.
	Count
	// Millis is a duration that Dagger wants as a number of milliseconds.
	Millis
	// List is texts with a separator between them.
	List
	// Strings is a JSON array of texts.
	Strings
	// Pairs is texts by name, as name:value,name:value.
	Pairs
	// Prefixed is keys that begin alike, by the rest of their names.
	Prefixed
	// Map is a JSON object of texts.
	Map
	// Paths is a JSON object of objects that have a path alone.
	Paths
	// JSONText is a JSON document, given as a text.
	JSONText
	// JSONObject is a JSON object with anything in it.
	JSONObject
	// Object is a JSON object of options.
	Object
	// First is a JSON array of exactly one object of options.
	First
	// Objects is a JSON array of objects of options.
	Objects
	// Group is options that belong together, each a key of its own.
	Group
)

// Option is one option of Dagger, or a group of them.
type Option struct {
	// Key is the one that Dagger reads.
	Key string
	// Documented is the documentation's key where it has another one.
	Documented string
	// Attribute is the option's name in its group.
	Attribute string
	Kind      Kind
	// What says in a sentence or more, in Markdown, what the option is for.
	What string
	// Default is Dagger's own; empty for none.
	Default string
	// Min and Max limit a number, or a duration in milliseconds.
	Min, Max int64
	// Words are the only values of a text.
	Words []string
	// AnyCase is true where Dagger does not look at the case of a word.
	AnyCase bool
	// Required options have to be set where their group is.
	Required bool
	// Secret options are not to be shown.
	Secret bool
	// Class is true for the name of a Java class.
	Class bool
	// Undocumented options are known from Dagger's code alone.
	Undocumented bool
	// Only is the namespace whose Dagger alone has the option.
	Only string
	// Unread says what to use instead of an option that Dagger never reads.
	Unread string
	// Note says where the code differs from the documentation, or says more.
	Note string
	// In is the key whose JSON object the option is a member of.
	In string
	// Separator is between the texts of a list; Trims is true where blanks beside it do not count.
	Separator string
	Trims     bool
	// Bare is true where a JSON value has no quotes.
	Bare bool
	// Options are those of an object or a group.
	Options []Option
}

// Sources, as SOURCE_NAME has them, and their SOURCE_TYPE.
const (
	KafkaSource   = "KAFKA_SOURCE"
	KafkaConsumer = "KAFKA_CONSUMER"
	ParquetSource = "PARQUET_SOURCE"
	Unbounded     = "UNBOUNDED"
	Bounded       = "BOUNDED"
)

const (
	maxInt  = math.MaxInt32
	maxLong = math.MaxInt64

	pythonConfig = "PYTHON_UDF_CONFIG"
	preConfig    = "PROCESSOR_PREPROCESSOR_CONFIG"
	postConfig   = "PROCESSOR_POSTPROCESSOR_CONFIG"
	// consumerPrefix begins the keys that become properties of the Kafka consumer.
	consumerPrefix = "SOURCE_KAFKA_CONSUMER_CONFIG_"
	producerPrefix = "SINK_KAFKA_PRODUCER_CONFIG_"
)

// The namespaces that Dagger's classes have had.
const (
	Raystack    = "raystack"
	GotoCompany = "gotocompany"
	ODPF        = "odpf"
)

// Namespaces lists them, the default one first.
func Namespaces() []string { return []string{Raystack, GotoCompany, ODPF} }

// packageOf is the package of Dagger's classes in a namespace.
func packageOf(namespace string) string {
	switch namespace {
	case GotoCompany:
		return "com.gotocompany.dagger"
	case ODPF:
		return "io.odpf.dagger"
	}
	return "org.raystack.dagger"
}

// EntryClass is Dagger's main class.
func EntryClass(namespace string) string {
	return packageOf(namespace) + ".core.KafkaProtoSQLProcessor"
}

// FunctionFactory is the class that has Dagger's own functions.
func FunctionFactory(namespace string) string {
	return packageOf(namespace) + ".functions.udfs.factories.FunctionFactory"
}

// Table lists all options, grouped and ordered as the documentation does.
func Table() []Option { return slices.Clone(table) }

// Attributes of options that take part in checks.
const (
	atStreams        = "streams"
	atSink           = "sink_type"
	atQuery          = "sql_query"
	atName           = "name"
	atParallelism    = "parallelism"
	atMaxParallelism = "max_parallelism"
	atFactories      = "function_factory_classes"
	atRowtime        = "rowtime_attribute_name"
	atEnable         = "enable"
)

var table = slices.Concat(genericOptions, sinkOptions, engineOptions, processorOptions, []Option{telemetryGroup, pythonGroup})

var genericOptions = []Option{
	{
		Key: "STREAMS", Attribute: atStreams, Kind: Objects, Required: true, Options: streamOptions,
		What: "The streams that the query reads, each a table of its own.",
		Note: "A JSON array, and not a comma-separated list. Flink's REST shows all of it in clear, JAAS configuration and passwords included, to whoever can reach the JobManager.",
	},
	{
		Key: "SINK_TYPE", Attribute: atSink, Required: true, Words: []string{"influx", "kafka", "log", "bigquery"}, Default: "influx",
		What: "Where the result goes.",
		Note: "Dagger takes any other word, also one of these in capitals, for `influx`.",
	},
	{
		Key: "FLINK_JOB_ID", Attribute: atName, Default: "SQL Flink job",
		What: "Name of the job as Flink shows it.",
		Note: "It is `name` of the resource. Longbow's table has the same name, unless `longbow.gcp_table_id` is set.",
	},
	{
		Key: "FLINK_ROWTIME_ATTRIBUTE_NAME", Attribute: atRowtime, Required: true,
		What: "Name of the column that has the event time, such as `rowtime`.",
		Note: "Streams of JSON call it `rowtime`, whatever this says.",
	},
	{
		Key: "FUNCTION_FACTORY_CLASSES", Attribute: atFactories, Kind: List, Separator: ",", Class: true, Default: "FunctionFactory",
		What: "Classes that bring functions for the query, with their packages. Not set: the provider sets Dagger's own of the namespace.",
		Note: "Dagger's default has no package, and cannot be loaded: the job fails.",
	},
	{
		Key: "FLINK_SQL_QUERY", Documented: "SQL_QUERY", Attribute: atQuery, Kind: Query, Required: true,
		What: "The query: one SELECT, without a semicolon.",
		Note: "Dagger reads `FLINK_SQL_QUERY`, and never `SQL_QUERY`. A query that begins with `-` is taken for the next key; the provider puts a line break before it. Whether its columns and functions are there is not known at plan: otherwise the job does not start.",
	},
	{
		Key: "SOURCE_KAFKA_CONSUME_LARGE_MESSAGE_ENABLE", Attribute: "source_kafka_consume_large_message_enable", Kind: Flag, Default: "false",
		What: "Whether Kafka messages may be large: `max.partition.fetch.bytes` becomes 5242880.",
	},
	{
		Key: "JOB_BUILDER_FQCN", Attribute: "job_builder_fqcn", Class: true, Undocumented: true, Only: GotoCompany, Default: "com.gotocompany.dagger.core.DaggerSqlJobBuilder",
		What: "Class that builds the job.",
		Note: "A class that cannot be loaded is passed over: the job runs with the default.",
	},
}

var telemetryGroup = Option{
	Attribute: "telemetry", Kind: Group, What: "Metrics. Where they go is said by Flink's own configuration.",
	Options: []Option{
		{Key: "METRIC_TELEMETRY_ENABLE", Attribute: atEnable, Kind: Flag, Default: "true", What: "Whether Dagger collects metrics."},
		{Key: "METRIC_TELEMETRY_SHUTDOWN_PERIOD_MS", Attribute: "shutdown_period_ms", Kind: Millis, Max: maxLong, Default: "10000", What: "How long to wait at the end for metrics to be sent."},
	},
}

// Limits says which values are allowed; empty for any.
func (o Option) Limits() string {
	switch {
	case len(o.Words) > 0:
		return "`" + strings.Join(o.Words, "`, `") + "`"
	case o.Max == maxLong:
		return fmt.Sprintf("at least %d", o.Min)
	case o.Max > 0:
		return fmt.Sprintf("%d to %d", o.Min, o.Max)
	}
	return ""
}

// named finds an option of a group.
func named(options []Option, attribute string) (Option, bool) {
	i := slices.IndexFunc(options, func(o Option) bool { return o.Attribute == attribute })
	if i < 0 {
		return Option{}, false
	}
	return options[i], true
}
