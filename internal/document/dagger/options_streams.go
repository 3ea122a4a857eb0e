// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package dagger

// Attributes of a stream that take part in checks.
const (
	atTable          = "input_schema_table"
	atDatatype       = "input_datatype"
	atProtoClass     = "input_schema_proto_class"
	atFieldIndex     = "input_schema_event_timestamp_field_index"
	atJSONSchema     = "input_schema_json_schema"
	atJSONField      = "input_schema_json_event_timestamp_field_name"
	atDetails        = "source_details"
	atSourceName     = "source_name"
	atSourceType     = "source_type"
	atTopics         = "source_kafka_topic_names"
	atServers        = "source_kafka_bootstrap_servers"
	atGroup          = "source_kafka_group_id"
	atOffsetReset    = "source_kafka_auto_offset_reset"
	atAutoCommit     = "source_kafka_auto_commit_enable"
	atSecurity       = "source_kafka_security_protocol"
	atMechanism      = "source_kafka_sasl_mechanism"
	atJAAS           = "source_kafka_sasl_jaas_config"
	atAdditional     = "source_kafka_consumer_additional_configurations"
	atFilePaths      = "source_parquet_file_paths"
	atReadOrder      = "source_parquet_read_order_strategy"
	atDateRange      = "source_parquet_file_date_range"
	sslPrefix        = "source_kafka_ssl_"
	saslPrefix       = "source_kafka_sasl_"
	kafkaPrefix      = "source_kafka_"
	parquetPrefix    = "source_parquet_"
	earliestURLFirst = "EARLIEST_TIME_URL_FIRST"
)

// consumer is an option that becomes a property of the Kafka consumer.
func consumer(name string, o Option) Option {
	o.Key = consumerPrefix + name
	return o
}

var storeTypes = []string{"JKS", "PKCS12", "PEM"}

var streamOptions = []Option{
	{
		Key: "SOURCE_DETAILS", Attribute: atDetails, Kind: First, Default: "`KAFKA_CONSUMER`, `UNBOUNDED`",
		What: "The kind of source.",
		Note: "The documentation requires it and Dagger does not. It is rendered as the array of one that Dagger wants; more than one fails.",
		Options: []Option{
			{
				Key: "SOURCE_NAME", Attribute: atSourceName, Required: true, Words: []string{KafkaSource, KafkaConsumer, ParquetSource},
				What: "`KAFKA_SOURCE` (Kafka, by Flink's newer source), `KAFKA_CONSUMER` (Kafka, by the older one) or `PARQUET_SOURCE` (Parquet files).",
			},
			{
				Key: "SOURCE_TYPE", Attribute: atSourceType, Required: true, Words: []string{Bounded, Unbounded},
				What: "`UNBOUNDED` for Kafka, `BOUNDED` for Parquet.",
				Note: "The documentation calls `KAFKA_CONSUMER` bounded, and Dagger refuses that.",
			},
		},
	},
	{
		Key: "SOURCE_KAFKA_TOPIC_NAMES", Attribute: atTopics, Kind: List, Separator: "|",
		What: "Topics to read. Needed for Kafka.",
		Note: "Together they are a regular expression of Java: a dot stands for any character, so that `a.b` also reads the topic `a-b`; write `a\\\\.b`. Whether there are such topics is not known at plan: `KAFKA_CONSUMER` fails when it runs without any.",
	},
	{
		Key: "INPUT_SCHEMA_TABLE", Attribute: atTable, Required: true,
		What: "Name of the table that the query reads the stream by; no two streams can have the same.",
	},
	{
		Key: "INPUT_DATATYPE", Attribute: atDatatype, Words: []string{"PROTO", "JSON"}, Default: "PROTO", Undocumented: true,
		What: "What messages are. `JSON` is for Kafka alone.",
	},
	{
		Key: "INPUT_SCHEMA_PROTO_CLASS", Attribute: atProtoClass, Class: true,
		What: "Protobuf class of the messages, with its package. Needed for `PROTO`.",
		Note: "Whether the class path, or Stencil, has it is not known at plan: otherwise the job fails.",
	},
	{
		Key: "INPUT_SCHEMA_EVENT_TIMESTAMP_FIELD_INDEX", Attribute: atFieldIndex, Kind: Count, Min: 1, Max: 536870911,
		What: "Number of the field in the Protobuf class that has the event time. Needed for `PROTO`.",
		Note: "Whether the class has such a field is not known before the first message: then the job fails.",
	},
	{
		Key: "INPUT_SCHEMA_JSON_SCHEMA", Attribute: atJSONSchema, Kind: JSONText, Undocumented: true,
		What: "JSON schema of the messages. Needed for `JSON`.",
	},
	{
		Key: "INPUT_SCHEMA_JSON_EVENT_TIMESTAMP_FIELD_NAME", Attribute: atJSONField, Undocumented: true,
		What: "Field that has the event time, a timestamp or a number of seconds. Needed for `JSON`.",
	},
	consumer("BOOTSTRAP_SERVERS", Option{
		Documented: "SOURCE_KAFKA_CONFIG_BOOTSTRAP_SERVERS", Attribute: atServers, Kind: List, Separator: ",", Trims: true,
		What: "Kafka brokers, each `host:port`. Needed for Kafka.", Note: "The documentation's key is read by nobody: the job fails for want of `bootstrap.servers`.",
	}),
	consumer("SECURITY_PROTOCOL", Option{
		Attribute: atSecurity, Words: []string{"SASL_PLAINTEXT", "SASL_SSL", "SSL"},
		What: "How brokers are talked to. Not set: without encryption and without a login.", Note: "`SSL` is not documented, and works. `PLAINTEXT` is refused: leave it out.",
	}),
	consumer("SASL_MECHANISM", Option{
		Attribute: atMechanism, Words: []string{"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"}, What: "How to log in.",
	}),
	consumer("SASL_JAAS_CONFIG", Option{
		Attribute: atJAAS, Secret: true, What: "The login module with its options and a semicolon at the end, as files of JAAS have it.",
	}),
	consumer("SSL_PROTOCOL", Option{
		Attribute: sslPrefix + "protocol", Words: []string{"TLS", "TLSv1.1", "TLSv1.2", "TLSv1.3", "SSL", "SSLv2", "SSLv3"}, What: "Protocol of TLS.",
	}),
	consumer("SSL_KEY_PASSWORD", Option{Attribute: sslPrefix + "key_password", Secret: true, What: "Password of the private key."}),
	consumer("SSL_KEYSTORE_LOCATION", Option{Attribute: sslPrefix + "keystore_location", What: "Path of the key store on the TaskManagers."}),
	consumer("SSL_KEYSTORE_PASSWORD", Option{Attribute: sslPrefix + "keystore_password", Secret: true, What: "Password of the key store."}),
	consumer("SSL_KEYSTORE_TYPE", Option{Attribute: sslPrefix + "keystore_type", Words: storeTypes, What: "Format of the key store."}),
	consumer("SSL_TRUSTSTORE_LOCATION", Option{Attribute: sslPrefix + "truststore_location", What: "Path of the trust store on the TaskManagers."}),
	consumer("SSL_TRUSTSTORE_PASSWORD", Option{Attribute: sslPrefix + "truststore_password", Secret: true, What: "Password of the trust store."}),
	consumer("SSL_TRUSTSTORE_TYPE", Option{Attribute: sslPrefix + "truststore_type", Words: storeTypes, What: "Format of the trust store."}),
	consumer("AUTO_COMMIT_ENABLE", Option{
		Documented: "SOURCE_KAFKA_CONFIG_AUTO_COMMIT_ENABLE", Attribute: atAutoCommit, Kind: Flag, Default: "false",
		What: "Whether Kafka's consumer commits offsets by itself.",
		Note: "Has no effect: it becomes `auto.commit.enable`, which Kafka does not know any more. Flink commits offsets with each checkpoint.",
	}),
	consumer("AUTO_OFFSET_RESET", Option{
		Documented: "SOURCE_KAFKA_CONFIG_AUTO_OFFSET_RESET", Attribute: atOffsetReset, Words: []string{"latest", "earliest", "none"}, Default: "latest",
		What: "Where to begin where the group has no offset. Not set: the provider sets `latest` for Kafka.",
		Note: "`KAFKA_SOURCE` fails without it, in spite of the documented default. Offsets that the group has committed come first.",
	}),
	consumer("GROUP_ID", Option{
		Documented: "SOURCE_KAFKA_CONFIG_GROUP_ID", Attribute: atGroup,
		What: "Consumer group. Needed for Kafka, and for each job its own: one that another job has used goes on behind what that one read.",
	}),
	{
		Key: "SOURCE_KAFKA_NAME", Attribute: "source_kafka_name", What: "Your own name for the Kafka cluster.", Note: "A label: nothing in Dagger reads it.",
	},
	{
		Key: "SOURCE_KAFKA_CONSUMER_ADDITIONAL_CONFIGURATIONS", Attribute: atAdditional, Kind: Map, Secret: true, Undocumented: true, Only: GotoCompany,
		What: "More properties of the Kafka consumer, by keys such as `SOURCE_KAFKA_CONSUMER_CONFIG_MAX_POLL_RECORDS`.",
		Note: "Dagger of other namespaces drops each property that is not in this table.",
	},
	{
		Key: "SOURCE_PARQUET_FILE_PATHS", Attribute: atFilePaths, Kind: Strings, Trims: true,
		What: "Files or directories of Parquet files, with `dt=yyyy-MM-dd/` and maybe `hr=HH/` in the path of each file. Needed for Parquet.",
		Note: "A file whose path has no `dt=` fails the job; in directories, no plan can see them.",
	},
	{
		Key: "SOURCE_PARQUET_READ_ORDER_STRATEGY", Attribute: atReadOrder, Words: []string{earliestURLFirst}, Default: earliestURLFirst,
		What: "The order in which files are read.", Note: "`EARLIEST_INDEX_FIRST`, which the code knows as well, fails.",
	},
	{
		Key: "SOURCE_PARQUET_SCHEMA_MATCH_STRATEGY", Attribute: "source_parquet_schema_match_strategy", Undocumented: true,
		Words:  []string{"SAME_SCHEMA_WITH_FAIL_ON_MISMATCH", "BACKWARD_COMPATIBLE_SCHEMA_WITH_FAIL_ON_TYPE_MISMATCH"},
		What:   "How schemas of files are compared.",
		Unread: "Nothing in Dagger compares schemas of files. Remove it.",
		Note:   "Nothing in Dagger reads it.",
	},
	{
		Key: "SOURCE_PARQUET_FILE_DATE_RANGE", Attribute: atDateRange, Kind: List, Separator: ";", Trims: true,
		What: "Which files to read, by the time in their paths: each range is its first and its last time with a comma between, such as `2022-05-08T00:00:00Z,2022-05-08T23:59:59Z`. Both are inclusive. Not set: all.",
		Note: "A partition counts as its first moment: a range that begins one second later skips the whole day, or hour.",
	},
}
