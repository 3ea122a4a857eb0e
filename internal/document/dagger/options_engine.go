// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package dagger

// Groups beside the sinks and the processors.
const (
	atRegistry = "schema_registry"
	atFlink    = "flink"
	atDarts    = "darts"
	atLongbow  = "longbow"
	atPython   = "python_udf"

	atFiles        = "files"
	atRequirements = "requirements"
)

var engineOptions = []Option{
	{
		Attribute: atRegistry, Kind: Group, What: "Stencil, a registry of Protobuf classes.",
		Options: []Option{
			{
				Key: "SCHEMA_REGISTRY_STENCIL_ENABLE", Attribute: "stencil_enable", Kind: Flag, Default: "false",
				What: "Whether Protobuf classes come from Stencil. Otherwise they have to be on the class path.",
			},
			{Key: "SCHEMA_REGISTRY_STENCIL_URLS", Attribute: "stencil_urls", Kind: List, Separator: ",", Trims: true, What: "Addresses of Stencil. Needed when it is enabled."},
			{
				Key: "SCHEMA_REGISTRY_STENCIL_FETCH_TIMEOUT_MS", Attribute: "stencil_fetch_timeout_ms", Kind: Millis, Min: 1, Max: maxInt, Default: "10000",
				What: "Limit of a fetch.", Note: "The documentation has the default 60000.",
			},
			{
				Key: "SCHEMA_REGISTRY_STENCIL_FETCH_HEADERS", Attribute: "stencil_fetch_headers", Kind: Pairs, Secret: true, Undocumented: true,
				What: "Headers of a fetch.", Note: "A header with a colon or a comma in it is dropped, since Dagger separates with them.",
			},
			{
				Key: "SCHEMA_REGISTRY_STENCIL_CACHE_AUTO_REFRESH", Attribute: "stencil_cache_auto_refresh", Kind: Flag, Default: "false",
				What: "Whether classes are fetched again. New fields are not seen before the job is restarted, new words of an enumeration are.",
			},
			{
				Key: "SCHEMA_REGISTRY_STENCIL_REFRESH_STRATEGY", Attribute: "stencil_refresh_strategy", Words: []string{"LONG_POLLING", "VERSION_BASED_REFRESH"}, AnyCase: true, Default: "LONG_POLLING",
				What: "How classes are fetched again. `VERSION_BASED_REFRESH` needs a Stencil server, and addresses without a version.",
				Note: "Dagger takes any other word for `LONG_POLLING`.",
			},
			{
				Key: "SCHEMA_REGISTRY_STENCIL_CACHE_TTL_MS", Attribute: "stencil_cache_ttl_ms", Kind: Millis, Min: 1, Max: maxLong, Default: "900000",
				What: "How often classes are fetched again.", Note: "The documentation has the default 7200000.",
			},
			{
				Key: "SCHEMA_REGISTRY_STENCIL_FETCH_BACKOFF_MIN_MS", Attribute: "stencil_fetch_backoff_min_ms", Kind: Millis, Max: maxLong, Default: "60000",
				What: "How long to wait before a fetch that failed is tried again.", Note: "The documentation has the default 5000.",
			},
			{Key: "SCHEMA_REGISTRY_STENCIL_FETCH_RETRIES", Attribute: "stencil_fetch_retries", Kind: Count, Max: maxInt, Default: "4", What: "How often a fetch that failed is tried again."},
		},
	},
	{
		Attribute: atParallelism, Key: "FLINK_PARALLELISM", Kind: Count, Min: 1, Max: maxInt, Default: "1",
		What: "Parallelism of the job.", Note: "It is `parallelism` of the resource. Dagger does not look at the one that Flink's REST takes.",
	},
	{
		Attribute: atMaxParallelism, Key: "FLINK_PARALLELISM_MAX", Kind: Count, Min: 1, Max: 32768, Default: "50", Undocumented: true,
		What: "Maximum parallelism of the job.", Note: "It is `max_parallelism` of the resource. The documentation lacks it. A savepoint cannot be restored with another one.",
	},
	{
		Attribute: atFlink, Kind: Group, What: "Watermarks, checkpoints and state of the job.",
		Options: []Option{
			{Key: "FLINK_WATERMARK_INTERVAL_MS", Attribute: "watermark_interval_ms", Kind: Millis, Max: maxInt, Default: "10000", What: "How often watermarks are sent."},
			{
				Key: "FLINK_WATERMARK_DELAY_MS", Attribute: atDelay, Kind: Millis, Max: maxLong, Default: "10000",
				What: "How late an event may be. With Parquet at least the time of one partition: `1 d` for days, `1 h` for hours.",
				Note: "A negative one is taken, and fails the job when it runs.",
			},
			{Key: "FLINK_WATERMARK_PER_PARTITION_ENABLE", Attribute: "watermark_per_partition_enable", Kind: Flag, Default: "false", What: "Whether each partition of a topic has its own watermark."},
			{Key: "FLINK_CHECKPOINT_INTERVAL_MS", Attribute: "checkpoint_interval_ms", Kind: Millis, Min: 10, Max: maxLong, Default: "30000", What: "How often a checkpoint is taken."},
			{Key: "FLINK_CHECKPOINT_TIMEOUT_MS", Attribute: "checkpoint_timeout_ms", Kind: Millis, Min: 10, Max: maxLong, Default: "900000", What: "How long a checkpoint may take."},
			{Key: "FLINK_CHECKPOINT_MIN_PAUSE_MS", Attribute: "checkpoint_min_pause_ms", Kind: Millis, Max: maxLong, Default: "5000", What: "The least time between two checkpoints."},
			{Key: "FLINK_CHECKPOINT_MAX_CONCURRENT", Attribute: "checkpoint_max_concurrent", Kind: Count, Min: 1, Max: maxInt, Default: "1", What: "How many checkpoints may be taken at the same time."},
			{
				Key: "FLINK_RETENTION_MIN_IDLE_STATE_HOUR", Attribute: "retention_min_idle_state_hour", Kind: Count, Max: maxInt, Default: "8",
				What: "The least time that idle state is kept, in hours.", Unread: "Dagger has no such key any more: idle state is kept for 10 minutes, unless flink.retention_idle_state_minute says otherwise. Use that.",
				Note: "Dagger does not read it: use `flink.retention_idle_state_minute`.",
			},
			{
				Key: "FLINK_RETENTION_MAX_IDLE_STATE_HOUR", Attribute: "retention_max_idle_state_hour", Kind: Count, Max: maxInt, Default: "9",
				What: "The longest time that idle state is kept, in hours.", Unread: "Dagger has no such key any more: idle state is kept for 10 minutes, unless flink.retention_idle_state_minute says otherwise. Use that.",
				Note: "Dagger does not read it: use `flink.retention_idle_state_minute`.",
			},
			{
				Key: "FLINK_RETENTION_IDLE_STATE_MINUTE", Attribute: "retention_idle_state_minute", Kind: Count, Max: maxInt, Default: "10", Undocumented: true,
				What: "How long idle state is kept, in minutes; 0 for ever.", Note: "It replaces the two documented keys in hours.",
			},
		},
	},
	{
		Attribute: atDarts, Kind: Group, What: "Reference data for the functions `DartGet` and `DartContains`.",
		Options: []Option{
			{Key: "UDF_DART_GCS_PROJECT_ID", Attribute: "gcs_project_id", What: "Google Cloud project.", Note: "Needed where the query calls one of the functions."},
			{Key: "UDF_DART_GCS_BUCKET_ID", Attribute: "gcs_bucket_id", What: "Bucket.", Note: "Needed where the query calls one of the functions."},
			{Key: "UDF_DART_PROJECT_ID", Attribute: "project_id", Undocumented: true, Only: GotoCompany, What: "Project, in place of `gcs_project_id`."},
			{Key: "UDF_DART_BUCKET_ID", Attribute: "bucket_id", Undocumented: true, Only: GotoCompany, What: "Bucket, in place of `gcs_bucket_id`."},
			{Key: "UDF_STORE_PROVIDER", Attribute: "store_provider", Words: []string{"GCS", "OSS", "COS"}, Undocumented: true, Only: GotoCompany, What: "Where the bucket is."},
		},
	},
	{
		Attribute: atLongbow, Kind: Group, What: "Longbow, a store of events in Bigtable. It is switched on by the query alone: by a column whose name begins with `longbow` and ends with `key`.",
		Options: []Option{
			{
				Key: "PROCESSOR_LONGBOW_ASYNC_TIMEOUT", Attribute: "async_timeout", Kind: Millis, Min: 1, Max: maxLong, Default: "15000",
				What: "Limit of a call.", Note: "The documentation writes `15000L`, on which Dagger fails.",
			},
			{Key: "PROCESSOR_LONGBOW_THREAD_CAPACITY", Attribute: "thread_capacity", Kind: Count, Min: 1, Max: maxInt, Default: "30", What: "Calls at the same time."},
			{
				Key: "PROCESSOR_LONGBOW_GCP_PROJECT_ID", Attribute: "gcp_project_id", Default: "default-gcp-project", What: "Google Cloud project. Needed where the query uses Longbow.",
				Note: "The default is a placeholder.",
			},
			{
				Key: "PROCESSOR_LONGBOW_GCP_INSTANCE_ID", Attribute: "gcp_instance_id", Default: "default-gcp-project", What: "Instance of Bigtable. Needed where the query uses Longbow.",
				Note: "The default is a placeholder.",
			},
			{
				Key: "PROCESSOR_LONGBOW_GCP_TABLE_ID", Attribute: "gcp_table_id", What: "Table. Not set: the job's name, so that another name is another, empty table.",
				Note: "The documentation requires it and Dagger does not.",
			},
			{Key: "PROCESSOR_LONGBOW_DOCUMENT_DURATION", Attribute: "document_duration", Default: "90d", What: "How long events are kept: a number and `m`, `h` or `d`."},
		},
	},
}

// atDelay is the delay of watermarks.
const atDelay = "watermark_delay_ms"

func inPython(name, attribute string, o Option) Option {
	o.Key, o.Attribute, o.In = "PYTHON_"+name, attribute, pythonConfig
	return o
}

var pythonGroup = Option{
	Attribute: atPython, Kind: Group,
	What: "Functions in Python. Each `.py` file, also each in a `.zip`, has to have one function of the file's own name, also `__init__.py`. Paths are those of the JobManager, which hands the files on to the TaskManagers; both need PyFlink, which wants Java 11 at most. For files of this configuration there is `bundle`.",
	Options: []Option{
		{
			Key: "PYTHON_UDF_ENABLE", Attribute: atEnable, Kind: Flag, Default: "false", What: "Whether functions in Python are registered.",
			Note: "The documentation has `10000` as example and default, which is false to Dagger, as is everything but `true`.",
		},
		inPython("FILES", "files", Option{
			Kind: List, Separator: ",", Trims: true, What: "`.py` and `.zip` files. Needed when it is enabled.",
			Note: "Neither whether a file is there nor what a `.zip` has is known at plan: for want of a file the job does not start.",
		}),
		inPython("ARCHIVES", "archives", Option{
			Kind: List, Separator: ",", Trims: true, What: "Archives that workers extract, each maybe with `#` and a directory, otherwise to a directory of the archive's name.",
		}),
		inPython("REQUIREMENTS", "requirements", Option{What: "Requirements file, whose packages each worker installs.", Note: "Whether it has all that the functions import is not known at plan: the job fails when it calls one."}),
		inPython("FN_EXECUTION_ARROW_BATCH_SIZE", "fn_execution_arrow_batch_size", Option{Kind: Count, Max: maxInt, Default: "10000", What: "Rows of an Arrow batch, at most those of a bundle."}),
		inPython("FN_EXECUTION_BUNDLE_SIZE", "fn_execution_bundle_size", Option{Kind: Count, Max: maxInt, Default: "100000", What: "Rows of a bundle."}),
		inPython("FN_EXECUTION_BUNDLE_TIME", "fn_execution_bundle_time", Option{Kind: Millis, Max: maxLong, Default: "1000", What: "How long rows wait for others."}),
		{Key: "OSS_ENDPOINT", Attribute: "oss_endpoint", Undocumented: true, Only: GotoCompany, What: "Endpoint for files at `oss://`."},
		{Key: "COS_REGION", Attribute: "cos_region", Undocumented: true, Only: GotoCompany, What: "Region for files at `cosn://`."},
		{Key: "ENABLE_TKE_OIDC_PROVIDER", Attribute: "enable_tke_oidc_provider", Kind: Flag, Undocumented: true, Only: GotoCompany, What: "Whether files at `cosn://` are fetched with the credentials of the pod."},
	},
}
