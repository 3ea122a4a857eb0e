// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package dagger

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/goldentest"
)

// samples has values for each option, by the keys of the page of all options:
// those of a duration are tried one by one, others together. Objects have none.
var samples = map[string][]string{
	"STREAMS":                  nil,
	"SOURCE_DETAILS":           nil,
	"SOURCE_NAME":              {"KAFKA_SOURCE"},
	"SOURCE_TYPE":              {"UNBOUNDED"},
	"SOURCE_KAFKA_TOPIC_NAMES": {"test-topic", "orders-(eu|us)"},
	"INPUT_SCHEMA_TABLE":       {"data_stream"},
	"INPUT_DATATYPE":           {"JSON"},
	"INPUT_SCHEMA_PROTO_CLASS": {"com.tests.TestMessage"},
	"INPUT_SCHEMA_EVENT_TIMESTAMP_FIELD_INDEX":                              {"41"},
	"INPUT_SCHEMA_JSON_SCHEMA":                                              {`{ "type": "object", "properties": {"b": {"type": "number"}, "a": {"type": "string"}} }`},
	"INPUT_SCHEMA_JSON_EVENT_TIMESTAMP_FIELD_NAME":                          {"event_timestamp"},
	"SOURCE_KAFKA_CONSUMER_CONFIG_BOOTSTRAP_SERVERS":                        {"one:9092", "two:9092"},
	"SOURCE_KAFKA_CONSUMER_CONFIG_SECURITY_PROTOCOL":                        {"SASL_SSL"},
	"SOURCE_KAFKA_CONSUMER_CONFIG_SASL_MECHANISM":                           {"SCRAM-SHA-512"},
	"SOURCE_KAFKA_CONSUMER_CONFIG_SASL_JAAS_CONFIG":                         {`org.apache.kafka.common.security.scram.ScramLoginModule required username="admin" password="a<b>&\"c";`},
	"SOURCE_KAFKA_CONSUMER_CONFIG_SSL_PROTOCOL":                             {"TLSv1.3"},
	"SOURCE_KAFKA_CONSUMER_CONFIG_SSL_KEY_PASSWORD":                         {"source-kafka-consumer-config-ssl-key-password"},
	"SOURCE_KAFKA_CONSUMER_CONFIG_SSL_KEYSTORE_LOCATION":                    {"source-kafka-consumer-config-ssl-keystore-location"},
	"SOURCE_KAFKA_CONSUMER_CONFIG_SSL_KEYSTORE_PASSWORD":                    {"source-kafka-consumer-config-ssl-keystore-password"},
	"SOURCE_KAFKA_CONSUMER_CONFIG_SSL_KEYSTORE_TYPE":                        {"PKCS12"},
	"SOURCE_KAFKA_CONSUMER_CONFIG_SSL_TRUSTSTORE_LOCATION":                  {"source-kafka-consumer-config-ssl-truststore-location"},
	"SOURCE_KAFKA_CONSUMER_CONFIG_SSL_TRUSTSTORE_PASSWORD":                  {"source-kafka-consumer-config-ssl-truststore-password"},
	"SOURCE_KAFKA_CONSUMER_CONFIG_SSL_TRUSTSTORE_TYPE":                      {"JKS"},
	"SOURCE_KAFKA_CONSUMER_CONFIG_AUTO_COMMIT_ENABLE":                       {"true"},
	"SOURCE_KAFKA_CONSUMER_CONFIG_AUTO_OFFSET_RESET":                        {"earliest"},
	"SOURCE_KAFKA_CONSUMER_CONFIG_GROUP_ID":                                 {"source-kafka-consumer-config-group-id"},
	"SOURCE_KAFKA_NAME":                                                     {"source-kafka-name"},
	"SOURCE_KAFKA_CONSUMER_ADDITIONAL_CONFIGURATIONS":                       {"SOURCE_KAFKA_CONSUMER_CONFIG_MAX_POLL_RECORDS=100"},
	"SOURCE_PARQUET_FILE_PATHS":                                             {"gs://bucket/log/dt=2022-02-05/", "gs://bucket/log/dt=2022-02-03/"},
	"SOURCE_PARQUET_READ_ORDER_STRATEGY":                                    {"EARLIEST_TIME_URL_FIRST"},
	"SOURCE_PARQUET_SCHEMA_MATCH_STRATEGY":                                  {"SAME_SCHEMA_WITH_FAIL_ON_MISMATCH"},
	"SOURCE_PARQUET_FILE_DATE_RANGE":                                        {"2022-02-05T00:00:00Z,2022-02-05T10:59:59Z", "2022-02-03T00:00:00,2022-02-03T20:59:59"},
	"SINK_TYPE":                                                             {"log"},
	"FLINK_JOB_ID":                                                          {"orders per minute"},
	"FLINK_ROWTIME_ATTRIBUTE_NAME":                                          {"rowtime"},
	"FUNCTION_FACTORY_CLASSES":                                              {"org.raystack.dagger.functions.udfs.factories.FunctionFactory", "com.example.Functions"},
	"FLINK_SQL_QUERY":                                                       {"-- first\nSELECT 'é' AS a, b FROM data_stream WHERE c <> 1\n"},
	"SOURCE_KAFKA_CONSUME_LARGE_MESSAGE_ENABLE":                             {"true"},
	"JOB_BUILDER_FQCN":                                                      {"com.example.Builder"},
	"SINK_INFLUX_URL":                                                       {"http://localhost:8086"},
	"SINK_INFLUX_USERNAME":                                                  {"sink-influx-username"},
	"SINK_INFLUX_PASSWORD":                                                  {"sink-influx-password"},
	"SINK_INFLUX_DB_NAME":                                                   {"sink-influx-db-name"},
	"SINK_INFLUX_MEASUREMENT_NAME":                                          {"sink-influx-measurement-name"},
	"SINK_INFLUX_RETENTION_POLICY":                                          {"sink-influx-retention-policy"},
	"SINK_INFLUX_BATCH_SIZE":                                                {"3"},
	"SINK_INFLUX_FLUSH_DURATION_MS":                                         {"10 s", "2500"},
	"SINK_INFLUX_WITH_ROW_NAMES_WRITER":                                     {"true"},
	"SINK_KAFKA_BROKERS":                                                    {"localhost:9092"},
	"SINK_KAFKA_TOPIC":                                                      {"sink-kafka-topic"},
	"SINK_KAFKA_PROTO_KEY":                                                  {"com.tests.OutputKey"},
	"SINK_KAFKA_PROTO_MESSAGE":                                              {"com.tests.OutputMessage"},
	"SINK_KAFKA_STREAM":                                                     {"sink-kafka-stream"},
	"SINK_KAFKA_PRODUCE_LARGE_MESSAGE_ENABLE":                               {"true"},
	"SINK_KAFKA_LINGER_MS":                                                  {"10 s", "2500"},
	"SINK_KAFKA_DATA_TYPE":                                                  {"JSON"},
	"SINK_KAFKA_JSON_SCHEMA":                                                {`{"properties": {}}`},
	"SINK_KAFKA_PRODUCER_CONFIG_":                                           {"COMPRESSION_TYPE=gzip", "MAX_REQUEST_SIZE=1"},
	"SINK_BIGQUERY_BATCH_SIZE":                                              {"3"},
	"SINK_ERROR_TYPES_FOR_FAILURE":                                          {"UNKNOWN_FIELDS_ERROR", "SINK_5XX_ERROR"},
	"SINK_CONNECTOR_SCHEMA_PROTO_KEY_CLASS":                                 {"com.tests.OutputKey"},
	"SINK_CONNECTOR_SCHEMA_PROTO_MESSAGE_CLASS":                             {"com.tests.OutputMessage"},
	"SINK_BIGQUERY_GOOGLE_CLOUD_PROJECT_ID":                                 {"sink-bigquery-google-cloud-project-id"},
	"SINK_BIGQUERY_DATASET_NAME":                                            {"sink-bigquery-dataset-name"},
	"SINK_BIGQUERY_TABLE_NAME":                                              {"sink-bigquery-table-name"},
	"SINK_BIGQUERY_CREDENTIAL_PATH":                                         {"sink-bigquery-credential-path"},
	"SINK_BIGQUERY_DATASET_LABELS":                                          {"sink-bigquery-dataset-labels"},
	"SINK_BIGQUERY_TABLE_LABELS":                                            {"sink-bigquery-table-labels"},
	"SINK_BIGQUERY_TABLE_PARTITIONING_ENABLE":                               {"true"},
	"SINK_BIGQUERY_TABLE_PARTITION_KEY":                                     {"sink-bigquery-table-partition-key"},
	"SINK_BIGQUERY_TABLE_PARTITION_EXPIRY_MS":                               {"10 s", "2500"},
	"SINK_BIGQUERY_TABLE_CLUSTERING_ENABLE":                                 {"true"},
	"SINK_BIGQUERY_TABLE_CLUSTERING_KEYS":                                   {"a", "b"},
	"SINK_BIGQUERY_DATASET_LOCATION":                                        {"sink-bigquery-dataset-location"},
	"SINK_BIGQUERY_CLIENT_READ_TIMEOUT_MS":                                  {"10 s", "2500"},
	"SINK_BIGQUERY_CLIENT_CONNECT_TIMEOUT_MS":                               {"10 s", "2500"},
	"SCHEMA_REGISTRY_STENCIL_ENABLE":                                        {"true"},
	"SCHEMA_REGISTRY_STENCIL_URLS":                                          {"http://localhost:8000/testproto.desc"},
	"SCHEMA_REGISTRY_STENCIL_FETCH_TIMEOUT_MS":                              {"10 s", "2500"},
	"SCHEMA_REGISTRY_STENCIL_FETCH_HEADERS":                                 {"Authorization=Bearer x", "X-Team=a"},
	"SCHEMA_REGISTRY_STENCIL_CACHE_AUTO_REFRESH":                            {"true"},
	"SCHEMA_REGISTRY_STENCIL_REFRESH_STRATEGY":                              {"version_based_refresh"},
	"SCHEMA_REGISTRY_STENCIL_CACHE_TTL_MS":                                  {"10 s", "2500"},
	"SCHEMA_REGISTRY_STENCIL_FETCH_BACKOFF_MIN_MS":                          {"10 s", "2500"},
	"SCHEMA_REGISTRY_STENCIL_FETCH_RETRIES":                                 {"3"},
	"FLINK_PARALLELISM":                                                     {"3"},
	"FLINK_PARALLELISM_MAX":                                                 {"64"},
	"FLINK_WATERMARK_INTERVAL_MS":                                           {"10 s", "2500"},
	"FLINK_WATERMARK_DELAY_MS":                                              {"10 s", "2500"},
	"FLINK_WATERMARK_PER_PARTITION_ENABLE":                                  {"true"},
	"FLINK_CHECKPOINT_INTERVAL_MS":                                          {"10 s", "2500"},
	"FLINK_CHECKPOINT_TIMEOUT_MS":                                           {"10 s", "2500"},
	"FLINK_CHECKPOINT_MIN_PAUSE_MS":                                         {"10 s", "2500"},
	"FLINK_CHECKPOINT_MAX_CONCURRENT":                                       {"3"},
	"FLINK_RETENTION_MIN_IDLE_STATE_HOUR":                                   {"8"},
	"FLINK_RETENTION_MAX_IDLE_STATE_HOUR":                                   {"3"},
	"FLINK_RETENTION_IDLE_STATE_MINUTE":                                     {"3"},
	"UDF_DART_GCS_PROJECT_ID":                                               {"udf-dart-gcs-project-id"},
	"UDF_DART_GCS_BUCKET_ID":                                                {"udf-dart-gcs-bucket-id"},
	"UDF_DART_PROJECT_ID":                                                   {"udf-dart-project-id"},
	"UDF_DART_BUCKET_ID":                                                    {"udf-dart-bucket-id"},
	"UDF_STORE_PROVIDER":                                                    {"OSS"},
	"PROCESSOR_LONGBOW_ASYNC_TIMEOUT":                                       {"10 s", "2500"},
	"PROCESSOR_LONGBOW_THREAD_CAPACITY":                                     {"3"},
	"PROCESSOR_LONGBOW_GCP_PROJECT_ID":                                      {"processor-longbow-gcp-project-id"},
	"PROCESSOR_LONGBOW_GCP_INSTANCE_ID":                                     {"processor-longbow-gcp-instance-id"},
	"PROCESSOR_LONGBOW_GCP_TABLE_ID":                                        {"processor-longbow-gcp-table-id"},
	"PROCESSOR_LONGBOW_DOCUMENT_DURATION":                                   {"90d"},
	"PROCESSOR_PREPROCESSOR_ENABLE":                                         {"true"},
	"preprocessor.table_transformers":                                       nil,
	"preprocessor.table_transformers.table_name":                            {"table-name"},
	"preprocessor.table_transformers.transformers":                          nil,
	"preprocessor.table_transformers.transformers.transformation_class":     {"com.example.Transformer"},
	"preprocessor.table_transformers.transformers.transformation_arguments": {`{"b": [1, {"z": true, "a": 1.50}], "a": "<&>"}`},
	"PROCESSOR_POSTPROCESSOR_ENABLE":                                        {"true"},
	"external_source":                                                       nil,
	"external_source.http":                                                  nil,
	"external_source.http.endpoint":                                         {"endpoint"},
	"external_source.http.verb":                                             {"get"},
	"external_source.http.request_pattern":                                  {"/customers/%s?x=1&y=<2>"},
	"external_source.http.request_variables":                                {"request-variables"},
	"external_source.http.stream_timeout":                                   {"10 s", "2500"},
	"external_source.http.connect_timeout":                                  {"10 s", "2500"},
	"external_source.http.capacity":                                         {"3"},
	"external_source.http.output_mapping":                                   {"name=$.path", "other=value"},
	"external_source.http.endpoint_variables":                               {"endpoint-variables"},
	"external_source.http.header_pattern":                                   {"header-pattern"},
	"external_source.http.header_variables":                                 {"header-variables"},
	"external_source.http.headers":                                          {"name=$.path", "other=value"},
	"external_source.http.type":                                             {"com.tests.Answer"},
	"external_source.http.fail_on_errors":                                   {"true"},
	"external_source.http.metricId":                                         {"metricid"},
	"external_source.http.retain_response_type":                             {"true"},
	"external_source.es":                                                    nil,
	"external_source.es.host":                                               {"host"},
	"external_source.es.port":                                               {"3"},
	"external_source.es.endpoint_pattern":                                   {"endpoint-pattern"},
	"external_source.es.capacity":                                           {"3"},
	"external_source.es.connect_timeout":                                    {"10 s", "2500"},
	"external_source.es.retry_timeout":                                      {"10 s", "2500"},
	"external_source.es.socket_timeout":                                     {"10 s", "2500"},
	"external_source.es.stream_timeout":                                     {"10 s", "2500"},
	"external_source.es.output_mapping":                                     {"name=$.path", "other=value"},
	"external_source.es.endpoint_variables":                                 {"endpoint-variables"},
	"external_source.es.user":                                               {"user"},
	"external_source.es.password":                                           {"password"},
	"external_source.es.type":                                               {"com.tests.Answer"},
	"external_source.es.fail_on_errors":                                     {"true"},
	"external_source.es.metricId":                                           {"metricid"},
	"external_source.es.retain_response_type":                               {"true"},
	"external_source.pg":                                                    nil,
	"external_source.pg.host":                                               {"host"},
	"external_source.pg.port":                                               {"3"},
	"external_source.pg.user":                                               {"user"},
	"external_source.pg.password":                                           {"password"},
	"external_source.pg.database":                                           {"database"},
	"external_source.pg.capacity":                                           {"3"},
	"external_source.pg.stream_timeout":                                     {"10 s", "2500"},
	"external_source.pg.connect_timeout":                                    {"10 s", "2500"},
	"external_source.pg.idle_timeout":                                       {"10 s", "2500"},
	"external_source.pg.query_pattern":                                      {"query-pattern"},
	"external_source.pg.output_mapping":                                     {"name=$.path", "other=value"},
	"external_source.pg.query_variables":                                    {"query-variables"},
	"external_source.pg.type":                                               {"com.tests.Answer"},
	"external_source.pg.fail_on_errors":                                     {"true"},
	"external_source.pg.metricId":                                           {"metricid"},
	"external_source.pg.retain_response_type":                               {"true"},
	"external_source.grpc":                                                  nil,
	"external_source.grpc.endpoint":                                         {"endpoint"},
	"external_source.grpc.service_port":                                     {"3"},
	"external_source.grpc.grpc_request_proto_schema":                        {"grpc-request-proto-schema"},
	"external_source.grpc.grpc_response_proto_schema":                       {"grpc-response-proto-schema"},
	"external_source.grpc.grpc_method_url":                                  {"grpc-method-url"},
	"external_source.grpc.request_pattern":                                  {"request-pattern"},
	"external_source.grpc.request_variables":                                {"request-variables"},
	"external_source.grpc.stream_timeout":                                   {"10 s", "2500"},
	"external_source.grpc.connect_timeout":                                  {"10 s", "2500"},
	"external_source.grpc.output_mapping":                                   {"name=$.path", "other=value"},
	"external_source.grpc.grpc_stencil_url":                                 {"grpc-stencil-url"},
	"external_source.grpc.headers":                                          {"name=$.path", "other=value"},
	"external_source.grpc.capacity":                                         {"3"},
	"external_source.grpc.type":                                             {"com.tests.Answer"},
	"external_source.grpc.fail_on_errors":                                   {"true"},
	"external_source.grpc.metricId":                                         {"metricid"},
	"external_source.grpc.retain_response_type":                             {"true"},
	"internal_source":                                                       nil,
	"internal_source.output_field":                                          {"output-field"},
	"internal_source.type":                                                  {"constant"},
	"internal_source.value":                                                 {"value"},
	"internal_source.internal_processor_config":                             {"name=$.path", "other=value"},
	"transformers":                                                          nil,
	"transformers.transformation_class":                                     {"com.example.Transformer"},
	"transformers.transformation_arguments":                                 {`{"b": [1, {"z": true, "a": 1.50}], "a": "<&>"}`},
	"METRIC_TELEMETRY_ENABLE":                                               {"true"},
	"METRIC_TELEMETRY_SHUTDOWN_PERIOD_MS":                                   {"10 s", "2500"},
	"PYTHON_UDF_ENABLE":                                                     {"true"},
	"PYTHON_FILES":                                                          {"/path/to/files.zip", "/path/to/add_one.py"},
	"PYTHON_ARCHIVES":                                                       {"/path/to/data.zip#data", "/path/to/more.zip"},
	"PYTHON_REQUIREMENTS":                                                   {"/path/to/requirements.txt"},
	"PYTHON_FN_EXECUTION_ARROW_BATCH_SIZE":                                  {"3"},
	"PYTHON_FN_EXECUTION_BUNDLE_SIZE":                                       {"3"},
	"PYTHON_FN_EXECUTION_BUNDLE_TIME":                                       {"10 s", "2500"},
	"OSS_ENDPOINT":                                                          {"oss-endpoint"},
	"COS_REGION":                                                            {"cos-region"},
	"ENABLE_TKE_OIDC_PROVIDER":                                              {"true"},
}

func TestRender_EachOption(t *testing.T) {
	t.Parallel()
	var rendered bytes.Buffer
	tried := map[string]bool{}
	for _, l := range leaves(nil, table) {
		texts, known := samples[l.key()]
		tried[l.key()] = true
		if !known {
			t.Errorf("%s is not tried", l.key())
			continue
		}
		each := [][]string{texts}
		if l.Kind == Millis {
			each = [][]string{texts[:1], texts[1:]}
		}
		for _, texts := range each {
			document := l.document(l.build(t, texts))
			fmt.Fprintf(&rendered, "%s\t%q\t%s", l.attribute(), texts, document.Rendered())
			if again := reparsed(t, document); !Fields(again.Values).Equal(Fields(document.Values)) {
				t.Errorf("%s = %q is parsed back to %v", l.key(), texts, again.Values)
			}
		}
	}
	for key := range samples {
		if !tried[key] {
			t.Errorf("%s is no option", key)
		}
	}
	goldentest.Check(t, "each_option.tsv", rendered.Bytes())
}

// These keys have no value but that of their members: PROCESSOR_PREPROCESSOR_CONFIG,
// PROCESSOR_POSTPROCESSOR_CONFIG and PYTHON_UDF_CONFIG. The documentation's keys that
// Dagger reads under another name are SQL_QUERY, SOURCE_KAFKA_CONFIG_BOOTSTRAP_SERVERS,
// SOURCE_KAFKA_CONFIG_GROUP_ID, SOURCE_KAFKA_CONFIG_AUTO_OFFSET_RESET and
// SOURCE_KAFKA_CONFIG_AUTO_COMMIT_ENABLE.
func TestRender_MembersAreOneKey(t *testing.T) {
	t.Parallel()
	document := Document{Values: map[string]Value{
		atPython: Fields(map[string]Value{"enable": Plain("true"), "requirements": Plain("r.txt"), "files": Array(Plain("a.py"), Plain("b.zip"))}),
		atPost:   Fields(map[string]Value{"enable": Plain("true"), "transformers": Array(), "internal_source": Array()}),
	}}
	want := map[string]string{
		"PYTHON_UDF_ENABLE": "true", "PYTHON_UDF_CONFIG": `{"PYTHON_FILES":"a.py,b.zip","PYTHON_REQUIREMENTS":"r.txt"}`,
		"PROCESSOR_POSTPROCESSOR_ENABLE": "true", "PROCESSOR_POSTPROCESSOR_CONFIG": `{"internal_source":[],"transformers":[]}`,
	}
	got := keysOf(t, document)
	if len(got) != len(want) {
		t.Errorf("got %v", got)
	}
	for key, value := range want {
		if got[key] != value {
			t.Errorf("%s = %s, want %s", key, got[key], value)
		}
	}
}

func TestCheck_EachOptionHasItsLimits(t *testing.T) {
	t.Parallel()
	for _, l := range leaves(nil, table) {
		if l.Limits() == "" {
			continue
		}
		good, bad := l.Words, []string{"nothing"}
		if len(l.Words) == 0 {
			good, bad = []string{strconv.FormatInt(l.Min, 10), strconv.FormatInt(l.Max, 10)}, []string{strconv.FormatInt(l.Min-1, 10)}
			if l.Max < maxLong {
				bad = append(bad, strconv.FormatInt(l.Max+1, 10))
			}
		}
		if l.Unread != "" {
			continue // Nobody reads it, and TestCheck_OptionsWithoutAnEffect is about it.
		}
		path := l.place()
		if l.Kind == List {
			path += "[0]"
		}
		for _, text := range good {
			document := l.document(l.build(t, []string{text}))
			document.Values[atSink] = Plain("bigquery")
			if findings := Check(document); at(findings, Refused, path) && path != atSink && path != atParallelism && !strings.HasSuffix(path, "delay_ms") {
				t.Errorf("%s = %q is refused: %+v", path, text, findings)
			}
		}
		for _, text := range bad {
			document := l.document(l.build(t, []string{text}))
			if l.Attribute != atSink {
				delete(document.Values, atSink)
			}
			if findings := Check(document); !at(findings, Refused, path) {
				t.Errorf("%s = %q is not refused: %+v", path, text, findings)
			}
		}
	}
}

func TestCheck_EachRequiredOptionIsMissed(t *testing.T) {
	t.Parallel()
	for _, l := range leaves(nil, table) {
		if !l.Required {
			continue
		}
		document := Document{Namespace: Raystack, Values: map[string]Value{}}
		if len(l.parents) > 0 {
			other := leaf{Option{Attribute: "other"}, l.parents}
			document = other.document(Plain("x"))
		}
		if findings := Check(document); !at(findings, Refused, l.place()) {
			t.Errorf("%s is not missed: %+v", l.place(), findings)
		}
	}
}

func TestCheck_OptionsWithoutAnEffect(t *testing.T) {
	t.Parallel()
	for _, l := range leaves(nil, table) {
		if l.Only == "" && l.Unread == "" {
			continue
		}
		document := l.document(l.build(t, samples[l.key()]))
		document.Namespace = ODPF
		if findings := Check(document); !at(findings, Warned, l.place()) {
			t.Errorf("no warning of %s: %+v", l.place(), findings)
		}
		document.Namespace = GotoCompany
		if findings := Check(document); l.Only != "" && at(findings, Warned, l.place()) {
			t.Errorf("a warning of %s: %+v", l.place(), findings)
		}
	}
}

// random values are of any text, but for what their kind has a sign for.
func (o Option) random(r *rand.Rand) Value {
	text := func(without string) string {
		alphabet := []rune("abz09 _.-$%s{}[]\"'\\|#/=é\U0001F600<>&\n\t,;:")
		var b strings.Builder
		for range r.IntN(8) {
			if c := alphabet[r.IntN(len(alphabet))]; !strings.ContainsRune(without, c) {
				b.WriteRune(c)
			}
		}
		return b.String()
	}
	texts := func(without string) []Value {
		all := []Value{Plain("x" + text(without) + "x")}
		for range r.IntN(3) {
			all = append(all, Plain("x"+text(without)+"x"))
		}
		return all
	}
	switch o.Kind {
	case Query:
		return Plain(strings.TrimSpace(text("")))
	case Flag:
		return Plain(strconv.FormatBool(r.IntN(2) == 0))
	case Count, Millis:
		return Plain(strconv.FormatInt(r.Int64N(1_000_000)-10, 10))
	case List:
		if o.Separator == "|" {
			return Array(texts(`|\[]()`)...)
		}
		return Array(texts(o.Separator)...)
	case Strings:
		return Array(texts("")...)
	case Pairs, Prefixed, Map, Paths:
		fields := map[string]Value{}
		for i, v := range texts(":,") {
			fields["N"+strconv.Itoa(i)] = v
		}
		return Fields(fields)
	case JSONText, JSONObject:
		v, _ := o.Scalar(fmt.Sprintf(`{"a": [%d, null, {"c": %q}]}`, r.IntN(9), strings.ToValidUTF8(strings.Map(func(c rune) rune {
			if c > 127 {
				return -1
			}
			return c
		}, text("")), "")))
		return v
	case Object, First, Group:
		return Fields(randomFields(r, o.Options, o.Kind == Group))
	case Objects:
		var items []Value
		for range r.IntN(3) {
			items = append(items, Fields(randomFields(r, o.Options, false)))
		}
		return Array(items...)
	default:
	}
	return Plain(text(""))
}

func randomFields(r *rand.Rand, options []Option, atLeastOne bool) map[string]Value {
	fields := map[string]Value{}
	for _, o := range options {
		if r.IntN(3) > 0 {
			continue
		}
		fields[o.Attribute] = o.random(r)
	}
	if atLeastOne && len(fields) == 0 {
		fields[options[0].Attribute] = options[0].random(r)
	}
	return fields
}

func TestDocument_RandomOnesAreParsedBack(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 7))
	for range 10_000 {
		document := Document{Namespace: Namespaces()[r.IntN(3)], Values: randomFields(r, table, true), Extra: map[string]string{"MY_" + strconv.Itoa(r.IntN(9)): "a b"}}
		keys, err := document.Keys()
		if err != nil {
			t.Fatal(err)
		}
		// Values that begin with - are found by Check, and cannot be read back.
		delete(keys, "FLINK_SQL_QUERY")
		if slices.ContainsFunc(slices.Collect(maps.Values(keys)), func(value string) bool { return strings.HasPrefix(value, "-") && !numeric(value) }) {
			if !slices.ContainsFunc(Check(document), func(f Finding) bool { return f.Severity == Refused }) {
				t.Fatalf("nothing is found in %v", keys)
			}
			continue
		}
		again := reparsed(t, document)
		if !Fields(again.Values).Equal(Fields(document.Values)) || !maps.Equal(again.Extra, document.Extra) {
			t.Fatalf("%s\nis parsed back to\n%s", document.Rendered(), again.Rendered())
		}
		Check(document)
		Check(document.Completed())
	}
}
