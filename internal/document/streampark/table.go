// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streampark

import "math"

const (
	maxInt = math.MaxInt32
	// tooShort is below what Flink takes for an interval or a limit of checkpoints.
	tooShort = 10
)

var table = []Option{
	{
		Key: "option.target", Attribute: target, Kind: Text, Exact: true,
		Words: []string{"yarn-per-job", "application"},
		Also:  []string{"remote", "local", "yarn-session", "yarn-application", "kubernetes-session", "kubernetes-application"},
		What:  "Where the job is to run.",
		Void:  "The job runs on the session cluster of the provider's flink.endpoint, which `flink run` calls remote. Remove it.",
		Note:  "The client ignores it: the job runs on the session cluster of the provider configuration. `application` is no word of Flink's, which says `yarn-application` or `kubernetes-application`.",
	},
	{
		Key: "option.detached", Attribute: detached, Kind: Flag, Default: "true",
		What: "Whether the submission returns while the job runs.",
		Void: "A job that is started through Flink's REST API is always detached. Remove it.",
		Note: "The client ignores it: a job that is started through Flink's REST API is always detached.",
	},
	{
		Key: "option.allowNonRestoredState", Attribute: allowNonRestored, Kind: Flag, Default: "false",
		What: "Whether the job may start although its savepoint has state that no operator takes.",
		Void: ofCLI + " Set upgrade.allow_non_restored_state instead.",
		Note: "The client ignores it. Set `upgrade.allow_non_restored_state` instead.",
	},
	{
		Key: "option.shutdownOnAttachedExit", Attribute: shutdownOnExit, Kind: Flag, Default: "false",
		What: "Whether the cluster ends with an attached submission.",
		Void: ofCLI + " What a destroy does to the job is on_destroy. Remove it.",
		Note: "The client ignores it: nothing is attached to a job of this provider.",
	},
	{
		Key: "option.jobmanager", Attribute: "option.jobmanager", Kind: Text,
		What: "Address of the JobManager, or `yarn-cluster`.",
		Void: "The job runs on the cluster of the provider's flink.endpoint. Remove it.",
		Note: "The client ignores it: the job runs on the session cluster of the provider configuration.",
	},
	{
		Key: "option.parallelism", Attribute: Parallelism, Kind: Count, Min: 1, Max: 32768, Default: "1",
		What: "Parallelism of the program.", Elsewhere: "nothing: set `parallelism`, as the document says",
		Note: "The document forbids it, and the client ignores it: `parallelism` has effect.",
	},
	{
		Key: "option.class", Attribute: EntryClass, Kind: Text, Default: "that of the jar's manifest",
		What: "Class with the `main` method.", Elsewhere: "nothing: set `entry_class`, as the document says",
		Note: "The document forbids it, and the client ignores it: `entry_class` has effect.",
	},
	{
		Key: "property.$internal.application.main", Attribute: EntryClass, Kind: Text, Default: "that of the jar's manifest",
		What: "Class with the `main` method.", Elsewhere: "`entryClass` of the request",
		Note: "The document calls it mandatory. In a job that is started through Flink's REST API it has no effect, so that it is no key of the file here.",
	},
	{
		Key: "property.pipeline.name", Attribute: Name, Kind: Text,
		What: "Name of the job.", Elsewhere: "`--app.name`, and `flink.property.pipeline.name`",
		Note: "Without a name the client fails when the job is already running, so that it is always sent. `SET 'pipeline.name'` in the SQL counts more and is refused.",
	},
	{
		Key: "property.yarn.application.queue", Attribute: "property.yarn_application_queue", Kind: Text,
		What: "Queue of YARN.", Void: "A session cluster has its queue before the job is. Remove it.",
		Note: "No effect on a session cluster.",
	},
	{
		Key: "property.taskmanager.numberOfTaskSlots", Attribute: "property.taskmanager_number_of_task_slots", Kind: Count, Min: 1, Max: maxInt, Default: "1",
		What: "Slots of each TaskManager.", Void: ofSession, Note: "No effect on a session cluster.",
	},
	{
		Key: "property.parallelism.default", Attribute: Parallelism, Kind: Count, Min: 1, Max: 32768, Default: "that of the cluster",
		What: "Parallelism of the program.", Elsewhere: "`parallelism` of the request",
		Note: "In the file it would count more than the request's, and a change of it could not be done in place.",
	},

	memory(managers+".flink_size", "jobmanager.memory.flink.size", "", "Memory of the JobManager without that of its JVM."),
	memory(managers+".heap_size", "jobmanager.memory.heap.size", "", "Heap of the JobManager, 128 mb at the least."),
	memory(managers+".jvm_metaspace_size", "jobmanager.memory.jvm-metaspace.size", "256 mb", "Metaspace of the JobManager's JVM."),
	memory(managers+".jvm_overhead_min", "jobmanager.memory.jvm-overhead.min", "192 mb", "Least overhead of the JobManager's JVM."),
	memory(managers+".jvm_overhead_max", "jobmanager.memory.jvm-overhead.max", "1 gb", "Most overhead of the JobManager's JVM."),
	fraction(managers+".jvm_overhead_fraction", "jobmanager.memory.jvm-overhead.fraction", "0.1", "Part of the JobManager's memory that is overhead of its JVM, within its limits."),
	memory(managers+".off_heap_size", "jobmanager.memory.off-heap.size", "128 mb", "Memory of the JobManager outside of its heap."),
	memory(managers+".process_size", "jobmanager.memory.process.size", "", "All memory of the JobManager."),
	{
		Key: "property.jobmanager.memory.enable-jvm-direct-memory-limit", Attribute: managers + ".enable_jvm_direct_memory_limit", Kind: Flag, Default: "false",
		What: "Whether the JobManager's JVM limits its direct memory to that outside of its heap.", Void: ofSession, Note: "No effect on a session cluster.",
	},
	memory(workers+".flink_size", "taskmanager.memory.flink.size", "", "Memory of a TaskManager without that of its JVM."),
	memory(workers+".framework_heap_size", "taskmanager.memory.framework.heap.size", "128 mb", "Heap of a TaskManager that tasks do not get."),
	memory(workers+".framework_off_heap_size", "taskmanager.memory.framework.off-heap.size", "128 mb", "Memory outside of the heap that tasks do not get."),
	memory(workers+".managed_size", "taskmanager.memory.managed.size", "", "Memory that Flink manages, such as for RocksDB."),
	memory(workers+".process_size", "taskmanager.memory.process.size", "", "All memory of a TaskManager."),
	memory(workers+".task_heap_size", "taskmanager.memory.task.heap.size", "", "Heap of the tasks."),
	memory(workers+".task_off_heap_size", "taskmanager.memory.task.off-heap.size", "0", "Memory of the tasks outside of the heap."),
	memory(workers+".jvm_metaspace_size", "taskmanager.memory.jvm-metaspace.size", "256 mb", "Metaspace of a TaskManager's JVM."),
	memory(workers+".jvm_overhead_max", "taskmanager.memory.jvm-overhead.max", "1 gb", "Most overhead of a TaskManager's JVM."),
	memory(workers+".jvm_overhead_min", "taskmanager.memory.jvm-overhead.min", "192 mb", "Least overhead of a TaskManager's JVM."),
	fraction(workers+".managed_fraction", "taskmanager.memory.managed.fraction", "0.4", "Part of a TaskManager's memory that Flink manages where `managed_size` is not set."),

	{
		Key: "property.pipeline.auto-watermark-interval", Attribute: "property.auto_watermark_interval", Kind: Duration, Default: "200 ms",
		What: "How often watermarks are made; 0 for never.",
	},
	{
		Key: "property.execution.checkpointing.mode", Attribute: mode, Kind: Text, Words: []string{"EXACTLY_ONCE", "AT_LEAST_ONCE"}, Default: "EXACTLY_ONCE",
		What: "What a checkpoint guarantees.",
	},
	{
		Key: "property.execution.checkpointing.interval", Attribute: interval, Kind: Duration, Min: tooShort,
		What: "How often checkpoints are taken.",
		Note: "`flink.property` counts more than `configuration`, and `SET` in the SQL has effect too. Without any of them no checkpoint is taken.",
	},
	{
		Key: "property.execution.checkpointing.timeout", Attribute: timeout, Kind: Duration, Min: tooShort, Default: "10 min",
		What: "When a checkpoint that is not complete is given up.",
	},
	{
		Key: "property.execution.checkpointing.unaligned", Attribute: unaligned, Kind: Flag, Default: "false", Aliases: []string{"execution.checkpointing.unaligned.enabled"},
		What: "Whether checkpoints take what is on its way between tasks along, and do not wait for it.",
		Note: "Needs `EXACTLY_ONCE`, and no more than one checkpoint at a time.",
	},
	{
		Key: "property.execution.checkpointing.externalized-checkpoint-retention", Attribute: retention, Kind: Text,
		Words: []string{"RETAIN_ON_CANCELLATION"}, Also: []string{"DELETE_ON_CANCELLATION", "NO_EXTERNALIZED_CHECKPOINTS"}, Default: "RETAIN_ON_CANCELLATION",
		What: "What becomes of checkpoints when the job is cancelled.",
		Note: "Flink's default is `NO_EXTERNALIZED_CHECKPOINTS`; jobs of this provider get `RETAIN_ON_CANCELLATION` unless another is set.",
	},

	{
		Key: "property.state.backend", Attribute: backend, Kind: Text, Words: []string{"hashmap", "rocksdb"}, Also: []string{"jobmanager", "filesystem"}, Default: "hashmap",
		Aliases: []string{"state.backend.type"},
		What:    "Where running tasks keep state: one of these words, or the class of a factory.",
		Note:    "`jobmanager` and `filesystem` are words of Flink 1.12; later versions take `hashmap` for them. With another word the job fails, and stays in Flink's list as failed.",
	},
	{
		Key: "property.state.backend.incremental", Attribute: incremental, Kind: Flag, Default: "false", Aliases: []string{"execution.checkpointing.incremental"},
		What: "Whether a checkpoint has only what is new.", Note: "For `rocksdb`; Flink ignores it for `hashmap`.",
	},
	{
		Key: "property.state.checkpoint-storage", Attribute: storage, Kind: Text, Words: []string{"jobmanager", "filesystem"},
		Aliases: []string{"execution.checkpointing.storage"}, Default: "filesystem with a directory for checkpoints, else jobmanager",
		What: "Where checkpoints are kept: one of these words, or the class of a factory.", Note: "`jobmanager` keeps them in its memory, and loses them when it ends.",
	},
	{
		Key: "property.state.savepoints.dir", Attribute: savepointsDir, Kind: Text, Aliases: []string{"execution.checkpointing.savepoint-dir", "savepoints.state.backend.fs.dir"},
		What: "Directory for savepoints.", Void: "Flink reads it from the cluster's configuration alone. Set upgrade.savepoint_directory instead.",
		Note: "Flink ignores it for a single job. Set `upgrade.savepoint_directory` instead.",
	},
	{
		Key: "property.state.checkpoints.dir", Attribute: checkpointsDir, Kind: Text, Aliases: []string{"execution.checkpointing.dir", "state.backend.fs.checkpointdir"},
		What: "Directory for checkpoints, with a scheme such as `s3://`, as each JobManager and TaskManager reaches it.",
		Note: "A cluster that sets `execution.checkpointing.dir`, the newer name, counts more than this one, so that the provider sends that name too, as an option of the job.",
	},

	{
		Key: "property.restart-strategy", Attribute: strategy, Kind: Text, Words: []string{"fixed-delay", "failure-rate", "none"},
		Also: []string{"exponential-delay", "fixeddelay", "failurerate", "exponentialdelay", "off", "disable"}, Aliases: []string{"restart-strategy.type"},
		Default: "that of the cluster",
		What:    "When a job that failed is started again by Flink.",
		Note:    "Flink shows in no answer which one a job has. With another word the job fails, and stays in Flink's list as failed.",
	},
	{
		Key: "property.restart-strategy.fixed-delay.attempts", Attribute: fixedAttempts, Kind: Count, Max: maxInt, Default: "1",
		What: "How often it is started again.",
	},
	{
		Key: "property.restart-strategy.fixed-delay.delay", Attribute: fixedDelay, Kind: Duration, Default: "1 s",
		What: "How long to wait before each start.",
	},
	{
		Key: "property.restart-strategy.failure-rate.max-failures-per-interval", Attribute: rateMost, Kind: Count, Min: 1, Max: maxInt, Default: "1",
		What: "How often it may fail within the interval.",
	},
	{
		Key: "property.restart-strategy.failure-rate.failure-rate-interval", Attribute: rateInterval, Kind: Duration, Min: 1, Default: "1 min",
		What: "The interval that failures are counted in.",
	},
	{
		Key: "property.restart-strategy.failure-rate.delay", Attribute: rateDelay, Kind: Duration, Default: "1 s",
		What: "How long to wait before each start.",
	},

	{
		Key: "table.planner", Attribute: planner, Kind: Text, Exact: true, Words: []string{"blink", "any"}, Also: []string{"old"}, Default: "blink",
		What: "Planner of SQL.", Note: "The client looks for it under another name and never finds it: it is always blink. The old one went with Flink 1.14.",
	},
	{
		Key: "table.mode", Attribute: tableMode, Kind: Text, Words: []string{"streaming", "batch"}, Also: []string{"automatic"}, Default: "streaming",
		What: "How a SQL job runs.", Note: "`flink.property.execution.runtime-mode` has no effect. `SET 'execution.runtime-mode'` in the SQL counts more.",
	},
	{
		Key: "table.catalog", Attribute: catalog, Kind: Text, Default: "default_catalog",
		What: "Catalog that SQL begins in.", Note: "The client looks for it under another name and never finds it. Write `USE CATALOG` into the SQL.",
	},
	{
		Key: "table.database", Attribute: database, Kind: Text, Default: "default_database",
		What: "Database that SQL begins in.", Note: "The client looks for it under another name and never finds it. Write `USE` into the SQL.",
	},
	{
		Key: "sql", Attribute: SQL, Kind: Text, Elsewhere: "`--sql`",
		What: "The SQL of the job: definitions and at least one `INSERT`, with semicolons between. All of its `INSERT`s are one job.",
		Note: "A file `sql.yaml` is not read by the client's own main class; its text goes here. Other ids than `sql` go to `sql_by_id`.",
	},
}

func memory(attribute, key, fallback, what string) Option {
	return Option{Key: sectionProperty + key, Attribute: attribute, Kind: Size, Default: fallback, What: what, Void: ofSession, Note: "No effect on a session cluster."}
}

func fraction(attribute, key, fallback, what string) Option {
	o := memory(attribute, key, fallback, what)
	o.Kind = Fraction
	return o
}
