// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package dagger

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// keys are edits of a configuration: nil removes.
type keys map[string]any

// kafkaStream and parquetStream have what they need.
func kafkaStream() keys {
	return keys{
		"INPUT_SCHEMA_TABLE": "data_stream", "INPUT_SCHEMA_PROTO_CLASS": "com.tests.TestMessage", "INPUT_SCHEMA_EVENT_TIMESTAMP_FIELD_INDEX": "41",
		"SOURCE_DETAILS":           []any{keys{"SOURCE_NAME": "KAFKA_SOURCE", "SOURCE_TYPE": "UNBOUNDED"}},
		"SOURCE_KAFKA_TOPIC_NAMES": "test-topic", "SOURCE_KAFKA_CONSUMER_CONFIG_BOOTSTRAP_SERVERS": "localhost:9092",
		"SOURCE_KAFKA_CONSUMER_CONFIG_GROUP_ID": "dummy-consumer-group",
	}
}

func parquetStream(edits keys) keys {
	return edited(keys{
		"INPUT_SCHEMA_TABLE": "data_stream", "INPUT_SCHEMA_PROTO_CLASS": "com.tests.TestMessage", "INPUT_SCHEMA_EVENT_TIMESTAMP_FIELD_INDEX": 41,
		"SOURCE_DETAILS":            []any{keys{"SOURCE_NAME": "PARQUET_SOURCE", "SOURCE_TYPE": "BOUNDED"}},
		"SOURCE_PARQUET_FILE_PATHS": []any{"gs://bucket/log/dt=2022-02-05/"},
	}, edits)
}

func influx() keys {
	return keys{
		"SINK_TYPE": "influx", "SINK_INFLUX_URL": "http://localhost:8086", "SINK_INFLUX_USERNAME": "root", "SINK_INFLUX_PASSWORD": "root", "SINK_INFLUX_DB_NAME": "DAGGER",
		"SINK_INFLUX_MEASUREMENT_NAME": "concurrent_test", "SINK_INFLUX_BATCH_SIZE": "100", "SINK_INFLUX_FLUSH_DURATION_MS": "1000",
	}
}

func kafkaSink() keys {
	return keys{"SINK_TYPE": "kafka", "SINK_KAFKA_BROKERS": "localhost:9092", "SINK_KAFKA_TOPIC": "out", "SINK_KAFKA_PROTO_MESSAGE": "com.tests.OutputMessage"}
}

func edited(into, edits keys) keys {
	for key, value := range edits {
		if value == nil {
			delete(into, key)
		} else {
			into[key] = value
		}
	}
	return into
}

// configured is a configuration that nothing is wrong with, edited.
func configured(t *testing.T, namespace string, top, stream keys) Document {
	t.Helper()
	all := edited(keys{
		"STREAMS": []any{edited(kafkaStream(), stream)}, "SINK_TYPE": "log", "FLINK_JOB_ID": "job", "FLINK_ROWTIME_ATTRIBUTE_NAME": "rowtime",
		"FLINK_SQL_QUERY": "SELECT * FROM `data_stream`",
	}, top)
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	document, _, err := Parse(string(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	document.Namespace = namespace
	return document.Completed()
}

func found(document Document) []string {
	var all []string
	for _, finding := range Check(document) {
		all = append(all, fmt.Sprintf("%s %s", finding.Severity, finding.Path))
	}
	return all
}

type trap struct {
	name        string
	top, stream keys
	want        []string
}

func try(t *testing.T, namespace string, traps []trap) {
	t.Helper()
	for _, one := range traps {
		t.Run(one.name, func(t *testing.T) {
			t.Parallel()
			document := configured(t, namespace, one.top, one.stream)
			if got := found(document); !slices.Equal(got, one.want) {
				t.Errorf("got  %q\nwant %q\n%+v", got, one.want, Check(document))
			}
		})
	}
}

func TestCheck_Generic(t *testing.T) {
	t.Parallel()
	factory := "org.raystack.dagger.functions.udfs.factories.FunctionFactory"
	try(t, Raystack, []trap{
		{name: "nothing is wrong"},
		{"SINK_TYPE in capitals is influx to Dagger", keys{"SINK_TYPE": "LOG"}, nil, []string{"refused sink_type"}},
		{"SINK_TYPE with a letter wrong", keys{"SINK_TYPE": "kafak"}, nil, []string{"refused sink_type"}},
		{"SINK_TYPE is missing", keys{"SINK_TYPE": nil}, nil, []string{"refused sink_type"}},
		{"STREAMS is missing", keys{"STREAMS": nil}, nil, []string{"refused streams"}},
		{"STREAMS is empty", keys{"STREAMS": []any{}}, nil, []string{"refused streams"}},
		{"FLINK_SQL_QUERY is missing", keys{"FLINK_SQL_QUERY": ""}, nil, []string{"refused sql_query"}},
		{"FLINK_SQL_QUERY has comments alone", keys{"FLINK_SQL_QUERY": "-- nothing"}, nil, []string{"refused sql_query"}},
		{"FLINK_SQL_QUERY begins with a comment", keys{"FLINK_SQL_QUERY": "-- all; of it\nSELECT * FROM data_stream"}, nil, nil},
		{"FLINK_SQL_QUERY ends with a semicolon", keys{"FLINK_SQL_QUERY": "SELECT * FROM data_stream;"}, nil, []string{"refused sql_query"}},
		{"FLINK_SQL_QUERY ends with a comment", keys{"FLINK_SQL_QUERY": "SELECT ';' FROM data_stream -- ; not one"}, nil, nil},
		{"FLINK_SQL_QUERY is an INSERT", keys{"FLINK_SQL_QUERY": "INSERT INTO x SELECT * FROM data_stream"}, nil, []string{"refused sql_query"}},
		{"FLINK_SQL_QUERY is DDL", keys{"FLINK_SQL_QUERY": "CREATE VIEW v AS SELECT * FROM data_stream"}, nil, []string{"refused sql_query"}},
		{"FLINK_SQL_QUERY is two", keys{"FLINK_SQL_QUERY": "SELECT * FROM data_stream; SELECT 1"}, nil, []string{"refused sql_query"}},
		{"FLINK_SQL_QUERY has an open quote", keys{"FLINK_SQL_QUERY": "SELECT 'a FROM data_stream"}, nil, []string{"refused sql_query"}},
		{"FLINK_SQL_QUERY with WITH and UNION", keys{"FLINK_SQL_QUERY": "WITH a AS (SELECT 1 AS b FROM data_stream) (SELECT b FROM a) UNION ALL SELECT b FROM a"}, nil, nil},
		{"FLINK_SQL_QUERY does not read INPUT_SCHEMA_TABLE", keys{"FLINK_SQL_QUERY": "SELECT 'data_stream' FROM Data_Stream"}, nil, []string{"warned streams[0].input_schema_table"}},
		{"FUNCTION_FACTORY_CLASSES as documented", keys{"FUNCTION_FACTORY_CLASSES": "FunctionFactory"}, nil, []string{"refused function_factory_classes[0]"}},
		{"FUNCTION_FACTORY_CLASSES with a blank", keys{"FUNCTION_FACTORY_CLASSES": factory + ", a.B"}, nil, []string{"refused function_factory_classes[1]"}},
		{"FUNCTION_FACTORY_CLASSES is empty", keys{"FUNCTION_FACTORY_CLASSES": ""}, nil, []string{"refused function_factory_classes"}},
		{"FUNCTION_FACTORY_CLASSES without a package", keys{"FUNCTION_FACTORY_CLASSES": factory + ",Mine"}, nil, []string{"warned function_factory_classes[1]"}},
		{"FUNCTION_FACTORY_CLASSES of another namespace", keys{"FUNCTION_FACTORY_CLASSES": "io.odpf.dagger.functions.udfs.factories.FunctionFactory"}, nil, []string{"refused function_factory_classes[0]"}},
		{"FLINK_ROWTIME_ATTRIBUTE_NAME is missing", keys{"FLINK_ROWTIME_ATTRIBUTE_NAME": nil}, nil, []string{"refused rowtime_attribute_name"}},
		{"FLINK_JOB_ID begins with -", keys{"FLINK_JOB_ID": "-job"}, nil, []string{"refused name"}},
		{"FLINK_PARALLELISM above FLINK_PARALLELISM_MAX", keys{"FLINK_PARALLELISM": "5", "FLINK_PARALLELISM_MAX": "4"}, nil, []string{"refused parallelism"}},
		{"FLINK_PARALLELISM above Dagger's own FLINK_PARALLELISM_MAX", keys{"FLINK_PARALLELISM": "51"}, nil, []string{"refused parallelism"}},
		{"FLINK_WATERMARK_DELAY_MS is negative", keys{"FLINK_WATERMARK_DELAY_MS": "-1"}, nil, []string{"refused flink.watermark_delay_ms"}},
		{"FLINK_CHECKPOINT_INTERVAL_MS below what Flink takes", keys{"FLINK_CHECKPOINT_INTERVAL_MS": "5"}, nil, []string{"refused flink.checkpoint_interval_ms"}},
		{
			"FLINK_RETENTION_MIN_IDLE_STATE_HOUR and its fellow are not read",
			keys{"FLINK_RETENTION_MIN_IDLE_STATE_HOUR": "8", "FLINK_RETENTION_MAX_IDLE_STATE_HOUR": "9"},
			nil,
			[]string{"warned flink.retention_min_idle_state_hour", "warned flink.retention_max_idle_state_hour"},
		},
		{"JOB_BUILDER_FQCN in another namespace", keys{"JOB_BUILDER_FQCN": "a.B"}, nil, []string{"warned job_builder_fqcn"}},
	})
}

func TestCheck_Streams(t *testing.T) {
	t.Parallel()
	jaas := `org.apache.kafka.common.security.scram.ScramLoginModule required username="admin" password="a;b c";`
	login := func(edits keys) keys {
		return edited(keys{
			"SOURCE_KAFKA_CONSUMER_CONFIG_SECURITY_PROTOCOL": "SASL_SSL", "SOURCE_KAFKA_CONSUMER_CONFIG_SASL_MECHANISM": "SCRAM-SHA-512", "SOURCE_KAFKA_CONSUMER_CONFIG_SASL_JAAS_CONFIG": jaas,
		}, edits)
	}
	details := func(name, kind string) keys {
		return keys{"SOURCE_DETAILS": []any{keys{"SOURCE_NAME": name, "SOURCE_TYPE": kind}}}
	}
	try(t, Raystack, []trap{
		{"SOURCE_DETAILS is missing and KAFKA_CONSUMER", nil, keys{"SOURCE_DETAILS": nil}, nil},
		{"SOURCE_DETAILS as documented", nil, details("KAFKA_CONSUMER", "BOUNDED"), []string{"refused streams[0].source_details.source_type"}},
		{"SOURCE_DETAILS bounded", nil, details("KAFKA_SOURCE", "BOUNDED"), []string{"refused streams[0].source_details.source_type"}},
		{"SOURCE_NAME with a blank", nil, details("KAFKA_SOURCE ", "UNBOUNDED"), []string{"refused streams[0].source_details.source_name"}},
		{"INPUT_SCHEMA_TABLE twice", keys{"STREAMS": []any{kafkaStream(), kafkaStream()}}, nil, []string{"refused streams[1].input_schema_table"}},
		{"INPUT_SCHEMA_TABLE is missing", nil, keys{"INPUT_SCHEMA_TABLE": ""}, []string{"refused streams[0].input_schema_table"}},
		{"INPUT_SCHEMA_PROTO_CLASS is missing", nil, keys{"INPUT_SCHEMA_PROTO_CLASS": nil}, []string{"refused streams[0].input_schema_proto_class"}},
		{"INPUT_SCHEMA_PROTO_CLASS is no class", nil, keys{"INPUT_SCHEMA_PROTO_CLASS": "com.tests Message"}, []string{"refused streams[0].input_schema_proto_class"}},
		{"INPUT_SCHEMA_EVENT_TIMESTAMP_FIELD_INDEX is missing", nil, keys{"INPUT_SCHEMA_EVENT_TIMESTAMP_FIELD_INDEX": nil}, []string{"refused streams[0].input_schema_event_timestamp_field_index"}},
		{"INPUT_SCHEMA_EVENT_TIMESTAMP_FIELD_INDEX is 0", nil, keys{"INPUT_SCHEMA_EVENT_TIMESTAMP_FIELD_INDEX": 0}, []string{"refused streams[0].input_schema_event_timestamp_field_index"}},
		{"INPUT_DATATYPE in small letters", nil, keys{"INPUT_DATATYPE": "json"}, []string{"refused streams[0].input_datatype"}},
		{"SOURCE_KAFKA_TOPIC_NAMES is missing", nil, keys{"SOURCE_KAFKA_TOPIC_NAMES": nil}, []string{"refused streams[0].source_kafka_topic_names"}},
		{"SOURCE_KAFKA_TOPIC_NAMES has a dot", nil, keys{"SOURCE_KAFKA_TOPIC_NAMES": "a|b.c"}, []string{"warned streams[0].source_kafka_topic_names[1]"}},
		{"SOURCE_KAFKA_TOPIC_NAMES has a meant dot", nil, keys{"SOURCE_KAFKA_TOPIC_NAMES": `a\.b|c.*|d-(e|f)|(?!x)y`}, nil},
		{"SOURCE_KAFKA_TOPIC_NAMES has a blank", nil, keys{"SOURCE_KAFKA_TOPIC_NAMES": "a| b"}, []string{"refused streams[0].source_kafka_topic_names[1]"}},
		{"SOURCE_KAFKA_TOPIC_NAMES is no expression", nil, keys{"SOURCE_KAFKA_TOPIC_NAMES": "a|b["}, []string{"refused streams[0].source_kafka_topic_names[1]"}},
		{"SOURCE_KAFKA_CONSUMER_CONFIG_BOOTSTRAP_SERVERS is missing, as with the documented key", nil, keys{"SOURCE_KAFKA_CONSUMER_CONFIG_BOOTSTRAP_SERVERS": nil, "SOURCE_KAFKA_CONFIG_BOOTSTRAP_SERVERS": "a:1"}, []string{"refused streams[0].source_kafka_bootstrap_servers"}},
		{"SOURCE_KAFKA_CONSUMER_CONFIG_BOOTSTRAP_SERVERS without a port", nil, keys{"SOURCE_KAFKA_CONSUMER_CONFIG_BOOTSTRAP_SERVERS": "a:9092, b"}, []string{"refused streams[0].source_kafka_bootstrap_servers[1]"}},
		{"SOURCE_KAFKA_CONSUMER_CONFIG_BOOTSTRAP_SERVERS of all forms", nil, keys{"SOURCE_KAFKA_CONSUMER_CONFIG_BOOTSTRAP_SERVERS": "a:9092, SASL_SSL://b.c:9093,[::1]:1"}, nil},
		{"SOURCE_KAFKA_CONSUMER_CONFIG_GROUP_ID is missing", nil, keys{"SOURCE_KAFKA_CONSUMER_CONFIG_GROUP_ID": nil}, []string{"refused streams[0].source_kafka_group_id"}},
		{"SOURCE_KAFKA_CONSUMER_CONFIG_AUTO_OFFSET_RESET of no kind", nil, keys{"SOURCE_KAFKA_CONSUMER_CONFIG_AUTO_OFFSET_RESET": "newest"}, []string{"refused streams[0].source_kafka_auto_offset_reset"}},
		{"SOURCE_KAFKA_CONSUMER_CONFIG_AUTO_COMMIT_ENABLE does nothing", nil, keys{"SOURCE_KAFKA_CONSUMER_CONFIG_AUTO_COMMIT_ENABLE": "true"}, []string{"warned streams[0].source_kafka_auto_commit_enable"}},
		{"SOURCE_KAFKA_CONSUMER_CONFIG_AUTO_COMMIT_ENABLE as it is anyway", nil, keys{"SOURCE_KAFKA_CONSUMER_CONFIG_AUTO_COMMIT_ENABLE": "false"}, nil},
		{"SOURCE_KAFKA_CONSUMER_CONFIG_SECURITY_PROTOCOL is PLAINTEXT", nil, keys{"SOURCE_KAFKA_CONSUMER_CONFIG_SECURITY_PROTOCOL": "PLAINTEXT"}, []string{"refused streams[0].source_kafka_security_protocol"}},
		{"SOURCE_KAFKA_CONSUMER_CONFIG_SECURITY_PROTOCOL is missing beside a login", nil, login(keys{"SOURCE_KAFKA_CONSUMER_CONFIG_SECURITY_PROTOCOL": nil}), []string{"refused streams[0].source_kafka_security_protocol"}},
		{"SOURCE_KAFKA_CONSUMER_CONFIG_SECURITY_PROTOCOL is missing beside SOURCE_KAFKA_CONSUMER_CONFIG_SSL_TRUSTSTORE_LOCATION", nil, keys{"SOURCE_KAFKA_CONSUMER_CONFIG_SSL_TRUSTSTORE_LOCATION": "t"}, []string{"refused streams[0].source_kafka_security_protocol"}},
		{"SOURCE_KAFKA_CONSUMER_CONFIG_SECURITY_PROTOCOL without a login", nil, login(keys{"SOURCE_KAFKA_CONSUMER_CONFIG_SECURITY_PROTOCOL": "SSL"}), []string{"warned streams[0].source_kafka_sasl_mechanism"}},
		{"SOURCE_KAFKA_CONSUMER_CONFIG_SSL_PROTOCOL without encryption", nil, login(keys{"SOURCE_KAFKA_CONSUMER_CONFIG_SECURITY_PROTOCOL": "SASL_PLAINTEXT", "SOURCE_KAFKA_CONSUMER_CONFIG_SSL_PROTOCOL": "TLS"}), []string{"warned streams[0].source_kafka_ssl_protocol"}},
		{"SOURCE_KAFKA_CONSUMER_CONFIG_SASL_JAAS_CONFIG is right", nil, login(nil), nil},
		{"SOURCE_KAFKA_CONSUMER_CONFIG_SASL_JAAS_CONFIG without a semicolon", nil, login(keys{"SOURCE_KAFKA_CONSUMER_CONFIG_SASL_JAAS_CONFIG": strings.TrimSuffix(jaas, ";")}), []string{"refused streams[0].source_kafka_sasl_jaas_config"}},
		{"SOURCE_KAFKA_CONSUMER_CONFIG_SASL_JAAS_CONFIG without its quotes", nil, login(keys{"SOURCE_KAFKA_CONSUMER_CONFIG_SASL_JAAS_CONFIG": "a.B required password=a b;"}), []string{"refused streams[0].source_kafka_sasl_jaas_config"}},
		{"SOURCE_KAFKA_CONSUMER_CONFIG_SASL_MECHANISM of another module", nil, login(keys{"SOURCE_KAFKA_CONSUMER_CONFIG_SASL_MECHANISM": "PLAIN"}), []string{"warned streams[0].source_kafka_sasl_jaas_config"}},
		{"SOURCE_KAFKA_CONSUMER_CONFIG_SASL_MECHANISM is missing", nil, login(keys{"SOURCE_KAFKA_CONSUMER_CONFIG_SASL_MECHANISM": nil}), []string{"warned streams[0].source_kafka_sasl_mechanism"}},
		{"SOURCE_KAFKA_CONSUMER_CONFIG_SSL_KEYSTORE_PASSWORD without its store", nil, login(keys{"SOURCE_KAFKA_CONSUMER_CONFIG_SSL_KEYSTORE_PASSWORD": "x"}), []string{"warned streams[0].source_kafka_ssl_keystore_password"}},
		{"SOURCE_KAFKA_CONSUMER_ADDITIONAL_CONFIGURATIONS are dropped", nil, keys{"SOURCE_KAFKA_CONSUMER_ADDITIONAL_CONFIGURATIONS": keys{"x": "1"}}, []string{"warned streams[0].source_kafka_consumer_additional_configurations"}},
		{"INPUT_DATATYPE JSON", nil, keys{"INPUT_DATATYPE": "JSON", "INPUT_SCHEMA_PROTO_CLASS": nil, "INPUT_SCHEMA_EVENT_TIMESTAMP_FIELD_INDEX": nil, "INPUT_SCHEMA_JSON_SCHEMA": `{"properties":{"at":{"type":"number"}}}`, "INPUT_SCHEMA_JSON_EVENT_TIMESTAMP_FIELD_NAME": "at"}, nil},
		{"INPUT_DATATYPE JSON and FLINK_ROWTIME_ATTRIBUTE_NAME", keys{"FLINK_ROWTIME_ATTRIBUTE_NAME": "event_time"}, keys{"INPUT_DATATYPE": "JSON", "INPUT_SCHEMA_PROTO_CLASS": nil, "INPUT_SCHEMA_JSON_SCHEMA": `{"properties":{"at":{"type":"number"}}}`, "INPUT_SCHEMA_JSON_EVENT_TIMESTAMP_FIELD_NAME": "then"}, []string{"refused rowtime_attribute_name", "warned streams[0].input_schema_json_event_timestamp_field_name"}},
		{"INPUT_SCHEMA_JSON_SCHEMA and its fellow are missing", nil, keys{"INPUT_DATATYPE": "JSON"}, []string{"refused streams[0].input_schema_json_schema", "refused streams[0].input_schema_json_event_timestamp_field_name", "warned streams[0].input_schema_proto_class"}},
		{"INPUT_SCHEMA_JSON_SCHEMA is an array", nil, keys{"INPUT_DATATYPE": "JSON", "INPUT_SCHEMA_PROTO_CLASS": nil, "INPUT_SCHEMA_JSON_SCHEMA": `[]`, "INPUT_SCHEMA_JSON_EVENT_TIMESTAMP_FIELD_NAME": "at"}, []string{"refused streams[0].input_schema_json_schema"}},
		{"INPUT_SCHEMA_JSON_SCHEMA of PROTO", nil, keys{"INPUT_SCHEMA_JSON_SCHEMA": `{}`}, []string{"warned streams[0].input_schema_json_schema"}},
		{"SOURCE_PARQUET_READ_ORDER_STRATEGY of Kafka", nil, keys{"SOURCE_PARQUET_READ_ORDER_STRATEGY": "EARLIEST_TIME_URL_FIRST"}, []string{"warned streams[0].source_parquet_read_order_strategy"}},
	})
	try(t, GotoCompany, []trap{
		{"SOURCE_KAFKA_CONSUMER_ADDITIONAL_CONFIGURATIONS", nil, keys{"SOURCE_KAFKA_CONSUMER_ADDITIONAL_CONFIGURATIONS": keys{
			"max.poll.records": "1", "SOURCE_KAFKA_CONSUMER_CONFIG_MAX_POLL_RECORDS": "1", "SOURCE_KAFKA_CONSUMER_CONFIG_GROUP_ID": "g",
		}}, []string{
			`refused streams[0].source_kafka_consumer_additional_configurations["SOURCE_KAFKA_CONSUMER_CONFIG_GROUP_ID"]`,
			`refused streams[0].source_kafka_consumer_additional_configurations["max.poll.records"]`,
		}},
	})
}

func TestCheck_Parquet(t *testing.T) {
	t.Parallel()
	one := func(name string, delay any, edits keys, want ...string) trap {
		return trap{name, keys{"FLINK_WATERMARK_DELAY_MS": delay, "STREAMS": []any{parquetStream(edits)}}, nil, want}
	}
	const day, hour = "86400000", "3600000"
	paths := func(all ...any) keys { return keys{"SOURCE_PARQUET_FILE_PATHS": all} }
	ranged := func(ranges string, all ...any) keys {
		return keys{"SOURCE_PARQUET_FILE_PATHS": all, "SOURCE_PARQUET_FILE_DATE_RANGE": ranges}
	}
	try(t, Raystack, []trap{
		one("FLINK_WATERMARK_DELAY_MS of a day", day, nil),
		one("FLINK_WATERMARK_DELAY_MS is Dagger's own", nil, nil, "refused flink.watermark_delay_ms"),
		one("FLINK_WATERMARK_DELAY_MS of an hour, and maybe days", hour, nil, "warned flink.watermark_delay_ms"),
		one("FLINK_WATERMARK_DELAY_MS of an hour, and hours", hour, paths("gs://b/log/dt=2022-02-05/hr=07/")),
		one("FLINK_WATERMARK_DELAY_MS of an hour, and days", hour, paths("gs://b/log/dt=2022-02-05/a.parquet"), "refused flink.watermark_delay_ms"),
		one("SOURCE_PARQUET_FILE_PATHS is missing", day, keys{"SOURCE_PARQUET_FILE_PATHS": nil}, "refused streams[0].source_parquet_file_paths"),
		one("SOURCE_PARQUET_FILE_PATHS is empty", day, paths(), "refused streams[0].source_parquet_file_paths"),
		one("SOURCE_PARQUET_FILE_PATHS of directories", day, paths("gs://b/log/", "/local/log/dt=2022-02-05")),
		one("SOURCE_PARQUET_FILE_PATHS of a file without dt", day, paths("gs://b/log/a.parquet"), "refused streams[0].source_parquet_file_paths[0]"),
		one("SOURCE_PARQUET_FILE_PATHS of no day", day, paths("gs://b/log/dt=20220205/"), "refused streams[0].source_parquet_file_paths[0]"),
		one("SOURCE_PARQUET_FILE_PATHS of no hour", day, paths("gs://b/log/dt=2022-02-05/hr=7/"), "refused streams[0].source_parquet_file_paths[0]"),
		one("INPUT_DATATYPE is JSON", day, keys{"INPUT_DATATYPE": "JSON"}, "refused streams[0].input_datatype"),
		one("SOURCE_PARQUET_READ_ORDER_STRATEGY of the code", day, keys{"SOURCE_PARQUET_READ_ORDER_STRATEGY": "EARLIEST_INDEX_FIRST"}, "refused streams[0].source_parquet_read_order_strategy"),
		one("SOURCE_PARQUET_SCHEMA_MATCH_STRATEGY is not read", day, keys{"SOURCE_PARQUET_SCHEMA_MATCH_STRATEGY": "SAME_SCHEMA_WITH_FAIL_ON_MISMATCH"}, "warned streams[0].source_parquet_schema_match_strategy"),
		one("SOURCE_KAFKA_NAME of Parquet", day, keys{"SOURCE_KAFKA_NAME": "x"}, "warned streams[0].source_kafka_name"),
		one("SOURCE_PARQUET_FILE_DATE_RANGE", day, ranged("2022-02-05T00:00:00Z,2022-02-05T10:00:00Z; 2022-02-07T00:00:00,2022-02-07T00:00:00", "gs://b/dt=2022-02-05/")),
		one("SOURCE_PARQUET_FILE_DATE_RANGE that skips a partition", day, ranged("2022-02-05T00:00:01Z,2022-02-05T10:00:00Z", "gs://b/dt=2022-02-05/"), "refused streams[0].source_parquet_file_date_range[0]"),
		one("SOURCE_PARQUET_FILE_DATE_RANGE that may skip a day", day, ranged("2022-02-05T07:00:00Z,2022-02-05T10:00:00Z", "gs://b/dt=2022-02-05/"), "warned streams[0].source_parquet_file_date_range[0]"),
		one("SOURCE_PARQUET_FILE_DATE_RANGE that skips a day", day, ranged("2022-02-04T07:00:00Z,2022-02-05T10:00:00Z", "gs://b/dt=2022-02-05/a.parquet"), "refused streams[0].source_parquet_file_date_range[0]"),
		one("SOURCE_PARQUET_FILE_DATE_RANGE of hours", hour, ranged("2022-02-05T07:00:00Z,2022-02-05T10:00:00Z", "gs://b/dt=2022-02-05/hr=07/", "gs://b/dt=2022-02-05/hr=11/"), "warned streams[0].source_parquet_file_paths[1]"),
		one("SOURCE_PARQUET_FILE_DATE_RANGE of one time", day, ranged("2022-02-05T00:00:00Z", "gs://b/dt=2022-02-05/"), "refused streams[0].source_parquet_file_date_range[0]"),
		one("SOURCE_PARQUET_FILE_DATE_RANGE with milliseconds", day, ranged("2022-02-05T00:00:00.000Z,2022-02-05T10:00:00Z", "gs://b/dt=2022-02-05/"), "refused streams[0].source_parquet_file_date_range[0]"),
		one("SOURCE_PARQUET_FILE_DATE_RANGE that ends before it begins", day, ranged("2022-02-05T00:00:00Z,2022-02-04T00:00:00Z", "gs://b/dt=2022-02-05/"), "refused streams[0].source_parquet_file_date_range[0]"),
	})
}

func TestCheck_SinksAndServices(t *testing.T) {
	t.Parallel()
	stencil := func(edits keys) keys {
		return edited(keys{"SCHEMA_REGISTRY_STENCIL_ENABLE": "true", "SCHEMA_REGISTRY_STENCIL_URLS": "http://localhost:8000/v1beta1/namespaces/x/versions/1"}, edits)
	}
	try(t, Raystack, []trap{
		{"SINK_TYPE influx", influx(), nil, nil},
		{"SINK_TYPE influx without its group", keys{"SINK_TYPE": "influx"}, nil, []string{"refused sink_influx"}},
		{"SINK_INFLUX_BATCH_SIZE and SINK_INFLUX_FLUSH_DURATION_MS have no default that works", edited(influx(), keys{"SINK_INFLUX_BATCH_SIZE": nil, "SINK_INFLUX_FLUSH_DURATION_MS": "0"}), nil, []string{"refused sink_influx.batch_size", "refused sink_influx.flush_duration_ms"}},
		{"SINK_INFLUX_URL without a scheme", edited(influx(), keys{"SINK_INFLUX_URL": "localhost:8086"}), nil, []string{"refused sink_influx.url"}},
		{"SINK_INFLUX_PASSWORD is empty", edited(influx(), keys{"SINK_INFLUX_PASSWORD": ""}), nil, nil},
		{"SINK_INFLUX_PASSWORD begins with -", edited(influx(), keys{"SINK_INFLUX_PASSWORD": "-secret"}), nil, []string{"refused sink_influx.password"}},
		{"SINK_INFLUX_WITH_ROW_NAMES_WRITER in another namespace", edited(influx(), keys{"SINK_INFLUX_WITH_ROW_NAMES_WRITER": "true"}), nil, []string{"warned sink_influx.with_row_names_writer"}},
		{"SINK_KAFKA_TOPIC of another sink", keys{"SINK_KAFKA_TOPIC": "out"}, nil, []string{"warned sink_kafka"}},
		{"SINK_TYPE kafka", kafkaSink(), nil, nil},
		{"SINK_TYPE kafka without its group", keys{"SINK_TYPE": "kafka"}, nil, []string{"refused sink_kafka"}},
		{"SINK_KAFKA_BROKERS without a port", edited(kafkaSink(), keys{"SINK_KAFKA_BROKERS": "a"}), nil, []string{"refused sink_kafka.brokers[0]"}},
		{"SINK_KAFKA_BROKERS is empty", edited(kafkaSink(), keys{"SINK_KAFKA_BROKERS": ""}), nil, []string{"refused sink_kafka.brokers"}},
		{"SINK_KAFKA_TOPIC is empty", edited(kafkaSink(), keys{"SINK_KAFKA_TOPIC": ""}), nil, []string{"refused sink_kafka.topic"}},
		{"SINK_KAFKA_PROTO_MESSAGE is missing", edited(kafkaSink(), keys{"SINK_KAFKA_PROTO_MESSAGE": nil}), nil, []string{"refused sink_kafka.proto_message"}},
		{"SINK_KAFKA_DATA_TYPE in small letters", edited(kafkaSink(), keys{"SINK_KAFKA_DATA_TYPE": "json"}), nil, []string{"refused sink_kafka.data_type"}},
		{"SINK_KAFKA_JSON_SCHEMA is missing", edited(kafkaSink(), keys{"SINK_KAFKA_DATA_TYPE": "JSON"}), nil, []string{"refused sink_kafka.json_schema", "warned sink_kafka.proto_message"}},
		{"SINK_KAFKA_JSON_SCHEMA of PROTO", edited(kafkaSink(), keys{"SINK_KAFKA_JSON_SCHEMA": "{}"}), nil, []string{"warned sink_kafka.json_schema"}},
		{"SINK_KAFKA_LINGER_MS is negative", edited(kafkaSink(), keys{"SINK_KAFKA_LINGER_MS": "-5"}), nil, []string{"refused sink_kafka.linger_ms"}},
		{"SINK_KAFKA_PRODUCER_CONFIG_ in another namespace", edited(kafkaSink(), keys{"SINK_KAFKA_PRODUCER_CONFIG_ACKS": "all"}), nil, []string{"warned sink_kafka.producer_config"}},
		{"SINK_TYPE bigquery", keys{"SINK_TYPE": "bigquery", "SINK_CONNECTOR_SCHEMA_PROTO_MESSAGE_CLASS": "a.B", "SINK_BIGQUERY_GOOGLE_CLOUD_PROJECT_ID": "p", "SINK_BIGQUERY_DATASET_NAME": "d", "SINK_BIGQUERY_TABLE_NAME": "t"}, nil, nil},
		{"SINK_TYPE bigquery without what Depot needs", keys{"SINK_TYPE": "bigquery", "SINK_ERROR_TYPES_FOR_FAILURE": "SINK_4XX_ERROR,OTHER", "SINK_BIGQUERY_TABLE_PARTITION_KEY": "k", "SINK_BIGQUERY_TABLE_CLUSTERING_KEYS": "k"}, nil, []string{
			"refused sink_bigquery.error_types_for_failure[1]", "warned sink_bigquery.schema_proto_message_class", "warned sink_bigquery.google_cloud_project_id", "warned sink_bigquery.dataset_name", "warned sink_bigquery.table_name",
			"warned sink_bigquery.table_partition_key", "warned sink_bigquery.table_clustering_keys",
		}},
		{"SCHEMA_REGISTRY_STENCIL_ENABLE", stencil(nil), nil, nil},
		{"SCHEMA_REGISTRY_STENCIL_URLS is missing", stencil(keys{"SCHEMA_REGISTRY_STENCIL_URLS": nil}), nil, []string{"refused schema_registry.stencil_urls"}},
		{"SCHEMA_REGISTRY_STENCIL_URLS is not enabled", stencil(keys{"SCHEMA_REGISTRY_STENCIL_ENABLE": "yes"}), nil, []string{"warned schema_registry.stencil_urls"}},
		{"SCHEMA_REGISTRY_STENCIL_URLS of no web", stencil(keys{"SCHEMA_REGISTRY_STENCIL_URLS": "http://a, b"}), nil, []string{"warned schema_registry.stencil_urls[1]"}},
		{"SCHEMA_REGISTRY_STENCIL_REFRESH_STRATEGY of no kind", stencil(keys{"SCHEMA_REGISTRY_STENCIL_REFRESH_STRATEGY": "VERSION_BASED", "SCHEMA_REGISTRY_STENCIL_CACHE_AUTO_REFRESH": "true"}), nil, []string{"refused schema_registry.stencil_refresh_strategy"}},
		{"SCHEMA_REGISTRY_STENCIL_REFRESH_STRATEGY with a version in the address", stencil(keys{"SCHEMA_REGISTRY_STENCIL_REFRESH_STRATEGY": "version_based_refresh", "SCHEMA_REGISTRY_STENCIL_CACHE_AUTO_REFRESH": "true"}), nil, []string{"warned schema_registry.stencil_urls[0]"}},
		{"SCHEMA_REGISTRY_STENCIL_REFRESH_STRATEGY without SCHEMA_REGISTRY_STENCIL_CACHE_AUTO_REFRESH", stencil(keys{"SCHEMA_REGISTRY_STENCIL_REFRESH_STRATEGY": "LONG_POLLING"}), nil, []string{"warned schema_registry.stencil_refresh_strategy"}},
		{"UDF_DART_GCS_PROJECT_ID and UDF_DART_GCS_BUCKET_ID are missing", keys{"FLINK_SQL_QUERY": "SELECT dartget('a', b, 1) FROM data_stream"}, nil, []string{"refused darts.gcs_project_id", "refused darts.gcs_bucket_id"}},
		{"UDF_DART_GCS_PROJECT_ID and UDF_DART_GCS_BUCKET_ID are there", keys{"FLINK_SQL_QUERY": "SELECT DartContains('a', b, 1) FROM data_stream", "UDF_DART_GCS_PROJECT_ID": "p", "UDF_DART_GCS_BUCKET_ID": "b"}, nil, nil},
		{"PROCESSOR_LONGBOW_GCP_PROJECT_ID and PROCESSOR_LONGBOW_GCP_INSTANCE_ID are missing", keys{"FLINK_SQL_QUERY": "SELECT longbow_key, longbow_data1, event_timestamp, rowtime, longbow_duration FROM data_stream"}, nil, []string{"refused longbow.gcp_project_id", "refused longbow.gcp_instance_id"}},
		{"FLINK_SQL_QUERY lacks columns for Longbow", keys{"FLINK_SQL_QUERY": "SELECT longbow_key, longbow_data1, event_timestamp, longbow_earliest FROM data_stream", "PROCESSOR_LONGBOW_GCP_PROJECT_ID": "p", "PROCESSOR_LONGBOW_GCP_INSTANCE_ID": "i"}, nil, []string{"refused sql_query"}},
		{"PROCESSOR_LONGBOW_THREAD_CAPACITY without Longbow", keys{"PROCESSOR_LONGBOW_THREAD_CAPACITY": "3"}, nil, []string{"warned longbow"}},
		{"PROCESSOR_LONGBOW_DOCUMENT_DURATION of no kind", keys{"PROCESSOR_LONGBOW_DOCUMENT_DURATION": "90 d"}, nil, []string{"refused longbow.document_duration", "warned longbow"}},
	})
	headers := configured(t, Raystack, stencil(nil), nil)
	headers.Values["schema_registry"].fields["stencil_fetch_headers"] = Fields(map[string]Value{"X-Time": Plain("07:00")})
	if got := found(headers); !slices.Equal(got, []string{"refused schema_registry.stencil_fetch_headers"}) {
		t.Errorf("SCHEMA_REGISTRY_STENCIL_FETCH_HEADERS: %q", got)
	}
}
