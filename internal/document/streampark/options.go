// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package streampark knows what StreamPark's client reads of a job: the
// configuration file application.yml, the SQL and the arguments, their keys,
// types and limits, what Flink makes of them, and what the client ignores.
//
// What the client does was seen with StreamPark 2.0.0 to 2.1.7 on Flink 1.20.5,
// in a job that runs from its jar on a session cluster.
package streampark

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Kind is what a value is.
type Kind string

// The kinds.
const (
	// Text is any text.
	Text Kind = "string"
	// Flag is true or false.
	Flag Kind = "boolean"
	// Count is a whole number.
	Count Kind = "number"
	// Fraction is a decimal number from 0 to below 1.
	Fraction Kind = "fraction"
	// Duration is one whole number and one unit, milliseconds without one.
	Duration Kind = "duration"
	// Size is one whole number and one unit of memory, bytes without one.
	Size Kind = "size of memory"
)

// Option is one key of the document.
type Option struct {
	// Key is the document's, behind the section that it is in.
	Key string
	// Attribute is where users set it: names with points between.
	Attribute string
	Kind      Kind
	// What says in a sentence or more, in Markdown, what the option is for.
	What string
	// Default is Flink's or the client's own; empty for none.
	Default string
	// Min and Max limit a number, or a duration in milliseconds.
	Min, Max int64
	// Words are those of the document, Also those that Flink takes beside them.
	Words, Also []string
	// Exact words count in this case alone.
	Exact bool
	// Aliases are other spellings of the key that Flink knows.
	Aliases []string
	// Elsewhere is what the option renders to when it is no key of the
	// configuration file.
	Elsewhere string
	// Undocumented keys are known by other means.
	Undocumented bool
	// Void says what to use instead of an option that the client ignores.
	Void string
	// Note says where the engine does not do what the document says, or says more.
	Note string
}

// Sections of the keys.
const (
	sectionOption   = "option."
	sectionProperty = "property."
	sectionTable    = "table."
)

// Attributes that take part in a check.
const (
	Name        = "name"
	Parallelism = "parallelism"
	EntryClass  = "entry_class"
	SQL         = "sql"
	Statements  = "sql_by_id"
	Extra       = "extra_configuration"
	Args        = "args"
	Variables   = "variables"
	LayoutName  = "layout"

	detached         = "option.detached"
	allowNonRestored = "option.allow_non_restored_state"
	shutdownOnExit   = "option.shutdown_on_attached_exit"
	target           = "option.target"

	interval  = "checkpoint.interval"
	timeout   = "checkpoint.timeout"
	mode      = "checkpoint.mode"
	unaligned = "checkpoint.unaligned"
	retention = "checkpoint.externalized_checkpoint_retention"

	backend        = "state_backend.backend"
	incremental    = "state_backend.incremental"
	storage        = "state_backend.checkpoint_storage"
	savepointsDir  = "state_backend.savepoints_dir"
	checkpointsDir = "state_backend.checkpoints_dir"

	strategy      = "restart_strategy.strategy"
	fixedAttempts = "restart_strategy.fixed_delay.attempts"
	fixedDelay    = "restart_strategy.fixed_delay.delay"
	rateMost      = "restart_strategy.failure_rate.max_failures_per_interval"
	rateInterval  = "restart_strategy.failure_rate.failure_rate_interval"
	rateDelay     = "restart_strategy.failure_rate.delay"

	planner   = "table.planner"
	tableMode = "table.mode"
	catalog   = "table.catalog"
	database  = "table.database"

	managers = "memory.jobmanager"
	workers  = "memory.taskmanager"
)

// Table lists all options, in the order of the document.
func Table() []Option { return slices.Clone(table) }

// Lookup finds an option by its attribute.
func Lookup(attribute string) (Option, bool) {
	i, ok := positions[attribute]
	if !ok {
		return Option{}, false
	}
	return table[i], true
}

// positions are the rows of the table by their attributes.
var positions = func() map[string]int {
	rows := map[string]int{}
	for i, row := range table {
		rows[row.Attribute] = i
	}
	return rows
}()

// byKey finds the option of a key of a section, by whichever of its spellings.
func byKey(key string) (Option, bool) {
	i := slices.IndexFunc(table, func(o Option) bool {
		return o.Key == key || strings.HasPrefix(key, sectionProperty) && slices.Contains(o.Aliases, strings.TrimPrefix(key, sectionProperty))
	})
	if i < 0 {
		return Option{}, false
	}
	return table[i], true
}

// Spellings are all names that Flink knows for a key of its own.
func Spellings(key string) []string {
	row, ok := byKey(sectionProperty + key)
	if !ok {
		return []string{key}
	}
	return append([]string{row.FlinkKey()}, row.Aliases...)
}

// FlinkKey is the key that Flink knows; empty for what is not Flink's.
func (o Option) FlinkKey() string {
	key, found := strings.CutPrefix(o.Key, sectionProperty)
	if !found {
		return ""
	}
	return key
}

// Limits says which values are allowed; empty for any.
func (o Option) Limits() string {
	switch {
	case len(o.Words) > 0:
		return "`" + strings.Join(append(slices.Clone(o.Words), o.Also...), "`, `") + "`"
	case o.Kind == Fraction:
		return "at least 0, below 1"
	case o.Kind == Duration && o.Min > 0:
		return fmt.Sprintf("at least %d ms", o.Min)
	case o.Kind == Count && o.Max == math.MaxInt32:
		return fmt.Sprintf("at least %d", o.Min)
	case o.Kind == Count:
		return fmt.Sprintf("%d to %d", o.Min, o.Max)
	}
	return ""
}

const (
	ofSession = "The processes of a session cluster are there before the job is, with the memory and slots of their own configuration: set it there."
	ofCLI     = "It is an option of `flink run`, which this provider does not use."
)
