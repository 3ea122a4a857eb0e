// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package dagger

// Groups of the sinks.
const (
	atInflux   = "sink_influx"
	atKafka    = "sink_kafka"
	atBigQuery = "sink_bigquery"
)

func bigQuery(name, attribute, what string) Option {
	return Option{Key: "SINK_BIGQUERY_" + name, Attribute: attribute, Undocumented: true, What: what}
}

func bigQueryMillis(name, attribute, what string) Option {
	return Option{Key: "SINK_BIGQUERY_" + name, Attribute: attribute, Kind: Millis, Max: maxLong, Undocumented: true, What: what}
}

func bigQueryFlag(name, attribute, what string) Option {
	return Option{Key: "SINK_BIGQUERY_" + name, Attribute: attribute, Kind: Flag, Undocumented: true, What: what}
}

var sinkOptions = []Option{
	{
		Attribute: atInflux, Kind: Group, What: "The sink `influx`. Columns `tag_*` and `label_*` of the query become tags, `window_timestamp` the time.",
		Options: []Option{
			{Key: "SINK_INFLUX_URL", Attribute: "url", Required: true, What: "Address of InfluxDB, with `http://` or `https://`.", Note: "Dagger does not look whether it answers: the job runs all the same."},
			{Key: "SINK_INFLUX_USERNAME", Attribute: "username", Required: true, What: "User."},
			{
				Key: "SINK_INFLUX_PASSWORD", Attribute: "password", Required: true, Secret: true, What: "Password.",
				Note: "Flink's REST shows the name of this key alone, and stars for its value.",
			},
			{Key: "SINK_INFLUX_DB_NAME", Attribute: "db_name", Required: true, What: "Database."},
			{Key: "SINK_INFLUX_MEASUREMENT_NAME", Attribute: "measurement_name", Required: true, What: "Measurement."},
			{
				Key: "SINK_INFLUX_RETENTION_POLICY", Attribute: "retention_policy", What: "Retention policy. Not set: the database's own.",
				Note: "The documentation says that the default is `autogen`; the code has none.",
			},
			{
				Key: "SINK_INFLUX_BATCH_SIZE", Attribute: "batch_size", Kind: Count, Required: true, Min: 1, Max: maxInt, Default: "0",
				What: "Points that are sent together.", Note: "The default fails the job as soon as it runs, so that it has to be set.",
			},
			{
				Key: "SINK_INFLUX_FLUSH_DURATION_MS", Attribute: "flush_duration_ms", Kind: Millis, Required: true, Min: 1, Max: maxInt, Default: "0",
				What: "How long points wait for others.", Note: "The default fails the job as soon as it runs, so that it has to be set.",
			},
			{
				Key: "SINK_INFLUX_WITH_ROW_NAMES_WRITER", Attribute: "with_row_names_writer", Kind: Flag, Default: "false", Undocumented: true, Only: GotoCompany,
				What: "Whether columns are written by their names.",
			},
		},
	},
	{
		Attribute: atKafka, Kind: Group, What: "The sink `kafka`.",
		Options: []Option{
			{Key: "SINK_KAFKA_BROKERS", Attribute: "brokers", Kind: List, Separator: ",", Trims: true, Required: true, What: "Kafka brokers, each `host:port`."},
			{Key: "SINK_KAFKA_TOPIC", Attribute: "topic", Required: true, What: "Topic.", Note: "Dagger does not look for it before the first message."},
			{
				Key: "SINK_KAFKA_PROTO_KEY", Attribute: "proto_key", Class: true, What: "Protobuf class of the keys, with its package. Not set: messages have no key.",
				Note: "The documentation requires it and Dagger does not.",
			},
			{Key: "SINK_KAFKA_PROTO_MESSAGE", Attribute: "proto_message", Class: true, What: "Protobuf class of the messages, with its package. Needed for `PROTO`."},
			{Key: "SINK_KAFKA_STREAM", Attribute: "stream", What: "Your own name for the Kafka cluster.", Note: "The documentation requires it and Dagger does not."},
			{
				Key: "SINK_KAFKA_PRODUCE_LARGE_MESSAGE_ENABLE", Attribute: "produce_large_message_enable", Kind: Flag, Default: "false",
				What: "Whether messages may be large: `max.request.size` becomes 20971520, and `compression.type` `snappy`.",
			},
			{Key: "SINK_KAFKA_LINGER_MS", Attribute: "linger_ms", Kind: Millis, Max: maxInt, Default: "0", What: "How long messages wait for others."},
			{Key: "SINK_KAFKA_DATA_TYPE", Attribute: "data_type", Words: []string{"PROTO", "JSON"}, Default: "PROTO", Undocumented: true, What: "What messages are."},
			{Key: "SINK_KAFKA_JSON_SCHEMA", Attribute: "json_schema", Kind: JSONText, Undocumented: true, What: "JSON schema of the messages. Needed for `JSON`."},
			{
				Key: producerPrefix, Attribute: "producer_config", Kind: Prefixed, Secret: true, Undocumented: true, Only: GotoCompany,
				What: "More properties of the Kafka producer: `COMPRESSION_TYPE` is rendered as `SINK_KAFKA_PRODUCER_CONFIG_COMPRESSION_TYPE` and becomes `compression.type`.",
			},
		},
	},
	{
		Attribute: atBigQuery, Kind: Group, What: "The sink `bigquery`, which is that of Depot. Dagger sets nine of Depot's options itself, whatever else is set: it does not refresh the sink's schema, and gives rows no insert id.",
		Options: []Option{
			{
				Key: "SINK_BIGQUERY_BATCH_SIZE", Attribute: "batch_size", Kind: Count, Min: 1, Max: maxInt, Default: "500", What: "Rows that are sent together.",
				Note: "The documentation requires it and Dagger does not.",
			},
			{
				Key: "SINK_ERROR_TYPES_FOR_FAILURE", Attribute: "error_types_for_failure", Kind: List, Separator: ",",
				Words: []string{
					"DESERIALIZATION_ERROR", "INVALID_MESSAGE_ERROR", "UNKNOWN_FIELDS_ERROR", "SINK_4XX_ERROR", "SINK_5XX_ERROR", "SINK_UNKNOWN_ERROR", "DEFAULT_ERROR",
				},
				What: "Errors that fail the job. Not set: none.",
			},
			{Key: "SINK_CONNECTOR_SCHEMA_PROTO_KEY_CLASS", Attribute: "schema_proto_key_class", Class: true, Undocumented: true, What: "Protobuf class of the keys, with its package."},
			{Key: "SINK_CONNECTOR_SCHEMA_PROTO_MESSAGE_CLASS", Attribute: "schema_proto_message_class", Class: true, Undocumented: true, What: "Protobuf class of the rows, with its package."},
			bigQuery("GOOGLE_CLOUD_PROJECT_ID", "google_cloud_project_id", "Project of the dataset."),
			bigQuery("DATASET_NAME", "dataset_name", "Dataset."),
			bigQuery("TABLE_NAME", "table_name", "Table."),
			bigQuery("CREDENTIAL_PATH", "credential_path", "Path of the credentials on the TaskManagers."),
			bigQuery("DATASET_LABELS", "dataset_labels", "Labels of the dataset, as Depot reads them: `key=value,key=value`."),
			bigQuery("TABLE_LABELS", "table_labels", "Labels of the table, as Depot reads them: `key=value,key=value`."),
			bigQueryFlag("TABLE_PARTITIONING_ENABLE", "table_partitioning_enable", "Whether the table is partitioned."),
			bigQuery("TABLE_PARTITION_KEY", "table_partition_key", "Column that the table is partitioned by."),
			bigQueryMillis("TABLE_PARTITION_EXPIRY_MS", "table_partition_expiry_ms", "How long partitions are kept."),
			bigQueryFlag("TABLE_CLUSTERING_ENABLE", "table_clustering_enable", "Whether the table is clustered."),
			{
				Key: "SINK_BIGQUERY_TABLE_CLUSTERING_KEYS", Attribute: "table_clustering_keys", Kind: List, Separator: ",", Undocumented: true,
				What: "Columns that the table is clustered by.",
			},
			bigQuery("DATASET_LOCATION", "dataset_location", "Location of the dataset."),
			bigQueryMillis("CLIENT_READ_TIMEOUT_MS", "client_read_timeout_ms", "Limit of a read."),
			bigQueryMillis("CLIENT_CONNECT_TIMEOUT_MS", "client_connect_timeout_ms", "Limit of connecting."),
		},
	},
}
