// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package pyflink knows the python.* options of a Flink job: their types,
// defaults and limits, how lists of paths are composed, and what Flink takes
// without a word and does not do.
//
// Defaults are those of Flink 1.20 and 2.3, read from their classes.
package pyflink

import (
	"math"
	"slices"
	"strings"
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
	// Millis is a duration that Flink reads as a plain number of milliseconds.
	Millis
	// Paths is a list of files.
	Paths
	// Archives is a list of files, each with a directory to extract it to.
	Archives
	// Requirements is a file and a directory.
	Requirements
	// Levels is a map from the names of loggers to levels.
	Levels
)

// Option is one option.
type Option struct {
	// Key is Flink's.
	Key  string
	Kind Kind
	// What says in a sentence or more, in Markdown, what the option is for.
	What string
	// Default is Flink's own; empty for none.
	Default string
	// Min and Max limit a number, or a duration in milliseconds.
	Min, Max int64
	// Words are the only values of a text.
	Words []string
	// Newer options are not in the documentation of Flink 1.13.
	Newer bool
	// Note says where Flink does not do what its documentation says, or says more.
	Note string
}

// Attribute is the name of the option in a python object: the key without its
// beginning, with underscores.
func (o Option) Attribute() string { return attributeOf(o.Key) }

func attributeOf(key string) string {
	return strings.NewReplacer(".", "_", "-", "_").Replace(strings.TrimPrefix(key, prefix))
}

const prefix = "python."

// Keys of options that take part in a check.
const (
	Files            = "python.files"
	ArchivesKey      = "python.archives"
	RequirementsKey  = "python.requirements"
	Executable       = "python.executable"
	ClientExecutable = "python.client.executable"
	BundleSize       = "python.fn-execution.bundle.size"
	ArrowBatchSize   = "python.fn-execution.arrow.batch.size"
	ExecutionMode    = "python.execution-mode"
	LevelOverrides   = "python.logging.level.overrides"
)

const experimental = " Experimental: Flink may drop it."

// Table lists all options, in the order of Flink's documentation.
func Table() []Option { return slices.Clone(table) }

// Lookup finds an option by its attribute.
func Lookup(attribute string) (Option, bool) {
	i := slices.IndexFunc(table, func(o Option) bool { return o.Attribute() == attribute })
	if i < 0 {
		return Option{}, false
	}
	return table[i], true
}

// Internal are the options that Flink sets itself.
var Internal = []string{"python.job-options", "python.loopback-server.address", "python.internal."}

var table = []Option{
	{
		Key: ArchivesKey, Kind: Archives,
		What: "Archives that each Python worker extracts into its working directory: a virtual environment, or data that functions open by a relative path. " +
			"`path` is an archive as the JobManager reaches it, `target` the directory to extract to.",
		Note: "`.zip`, `.jar`, `.tar`, `.tar.gz` and `.tgz` are extracted, whatever the letters' case; Flink tries any other ending as zip. Without `target` the directory has the whole name of the file, its ending included.",
	},
	{
		Key: ClientExecutable, Kind: Text, Default: "python",
		What: "Python interpreter of the JobManager, which runs the program of a Python job and plans Python functions.",
		Note: "It needs the package `apache-flink` of the cluster's version. An environment variable PYFLINK_CLIENT_EXECUTABLE of the JobManager counts where neither the job nor the cluster sets it.",
	},
	{
		Key: Executable, Kind: Text, Default: "python",
		What: "Python interpreter of the workers on the TaskManagers: a name on their PATH, an absolute path, or a path that begins with the `target` of one of `archives`, such as `venv/bin/python`.",
		Note: "It needs the package `apache-flink` of the cluster's version.",
	},
	{
		Key: Files, Kind: Paths,
		What: "Python files that are put on the PYTHONPATH of the JobManager and of the workers: `.py`, `.zip`, `.whl` and `.egg` files, or directories, as the JobManager reaches them. Those of `bundle` come first.",
		Note: "Flink takes any other ending, and a missing file, without a word.",
	},
	{
		Key: ArrowBatchSize, Kind: Count, Default: "1000", Min: 1, Max: math.MaxInt32,
		What: "Most elements in an Arrow batch of a vectorized function.",
		Note: "It was 10000 up to Flink 1.14. Above `fn_execution_bundle_size`, that counts instead.",
	},
	{
		Key: BundleSize, Kind: Count, Default: "1000", Min: 1, Max: math.MaxInt32,
		What: "Most elements that are handed to a Python worker at once. More is faster, and takes more memory and time until results are seen.",
		Note: "It was 100000 up to Flink 1.14. Flink takes 0 and less, and uses the default.",
	},
	{
		Key: "python.fn-execution.bundle.time", Kind: Millis, Default: "1000", Min: 1, Max: math.MaxInt64,
		What: "How long elements wait for `fn_execution_bundle_size` to be reached.",
		Note: "Flink reads a plain number of milliseconds and refuses `1 s`, which is written as one.",
	},
	{
		Key: "python.fn-execution.memory.managed", Kind: Flag, Default: "true",
		What: "Whether workers take the managed memory of their slot. With `false` they take off-heap memory, of which the cluster's `taskmanager.memory.task.off-heap.size` must have enough.",
	},
	{
		Key: "python.map-state.iterate-response-batch-size", Kind: Count, Default: "1000", Min: 1, Max: math.MaxInt32,
		What: "Most entries of a MapState that are sent to the worker at once when it iterates." + experimental,
	},
	{
		Key: "python.map-state.read-cache-size", Kind: Count, Default: "1000", Min: 1, Max: math.MaxInt32,
		What: "Most entries of one MapState that are cached." + experimental,
	},
	{
		Key: "python.map-state.write-cache-size", Kind: Count, Default: "1000", Min: 1, Max: math.MaxInt32,
		What: "Most writes of one MapState that are cached before they go to the state backend." + experimental,
	},
	{
		Key: "python.metric.enabled", Kind: Flag, Default: "true",
		What: "Whether Python functions report metrics.",
	},
	{
		Key: RequirementsKey, Kind: Requirements,
		What: "Packages that each worker installs with pip when it starts. `file` is a requirements file as the JobManager reaches it; `cached_dir` a directory with the packages, for TaskManagers that reach no index.",
		Note: "A worker runs `pip install` three times at most, each time that it starts.",
	},
	{
		Key: "python.state.cache-size", Kind: Count, Default: "1000", Min: 1, Max: math.MaxInt32,
		What: "Most states that a worker caches." + experimental,
	},
	{
		Key: ExecutionMode, Kind: Text, Default: "process", Words: []string{"process", "thread"}, Newer: true,
		What: "`process`: functions run in a Python process of their own; `thread`: within the TaskManager's, where Flink can.",
		Note: "Flink takes any other word for `process`.",
	},
	{
		Key: "python.logging.default.level", Kind: Text, Default: "INFO", Words: levels, Newer: true,
		What: "Level from which on a worker's messages are logged.",
		Note: "Flink 1.20 does not have it.",
	},
	{
		Key: LevelOverrides, Kind: Levels, Newer: true,
		What: "Levels of single loggers, by their names; a name goes also for all that begin with it and a dot.",
		Note: "Flink 1.20 does not have it.",
	},
	{
		Key: "python.operator-chaining.enabled", Kind: Flag, Default: "true", Newer: true,
		What: "Whether Python operators without a shuffle between them run in one thread, which saves serialization between them.",
	},
	{
		Key: "python.profile.enabled", Kind: Flag, Default: "false", Newer: true,
		What: "Whether workers write profiles to the TaskManager's log.",
	},
	{
		Key: "python.pythonpath", Kind: Text, Newer: true,
		What: "Directories on the TaskManagers' own disks that are added to the workers' PYTHONPATH, with `:` between.",
	},
	{
		Key: "python.systemenv.enabled", Kind: Flag, Default: "true", Newer: true,
		What: "Whether a worker starts with the TaskManager's environment variables.",
	},
}

var levels = []string{"OFF", "ERROR", "WARN", "INFO", "DEBUG", "TRACE"}
