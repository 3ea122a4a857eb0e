// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package dagger

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

func transformer(edits keys) keys {
	return edited(keys{"transformation_class": "org.raystack.dagger.functions.transformers.SQLTransformer", "transformation_arguments": keys{"sqlQuery": "SELECT 1"}}, edits)
}

func httpSource(edits keys) keys {
	return edited(keys{
		"endpoint": "http://localhost:8000", "verb": "get", "request_pattern": "/customers/%s", "request_variables": "customer_id", "stream_timeout": "5000", "connect_timeout": "5000",
		"capacity": "30", "output_mapping": keys{"name": keys{"path": "$.name"}},
	}, edits)
}

func TestCheck_Processors(t *testing.T) {
	t.Parallel()
	pre := func(table any, transformers ...any) keys {
		return keys{"PROCESSOR_PREPROCESSOR_ENABLE": "true", "PROCESSOR_PREPROCESSOR_CONFIG": keys{"table_transformers": []any{keys{"table_name": table, "transformers": transformers}}}}
	}
	post := func(config keys) keys {
		return keys{"PROCESSOR_POSTPROCESSOR_ENABLE": "true", "PROCESSOR_POSTPROCESSOR_CONFIG": config}
	}
	http := func(edits keys) keys { return post(keys{"external_source": keys{"http": []any{httpSource(edits)}}}) }
	internal := func(value keys) keys {
		return post(keys{"internal_source": []any{edited(keys{"output_field": "a", "type": "function"}, value)}})
	}
	const preAt, httpAt = "preprocessor.table_transformers[0]", "postprocessor.external_source.http[0]"
	try(t, Raystack, []trap{
		{"PROCESSOR_PREPROCESSOR_CONFIG", pre("data_stream", transformer(nil)), nil, nil},
		{"PROCESSOR_PREPROCESSOR_CONFIG of a table that no stream has", pre("other", transformer(nil)), nil, []string{"warned " + preAt + ".table_name"}},
		{"PROCESSOR_PREPROCESSOR_ENABLE is missing", edited(pre("data_stream", transformer(nil)), keys{"PROCESSOR_PREPROCESSOR_ENABLE": nil}), nil, []string{"warned preprocessor.table_transformers"}},
		{"PROCESSOR_PREPROCESSOR_CONFIG is missing", keys{"PROCESSOR_PREPROCESSOR_ENABLE": "true"}, nil, []string{"refused preprocessor.enable"}},
		{"transformation_arguments are missing", pre("data_stream", transformer(keys{"transformation_arguments": nil})), nil, []string{"refused " + preAt + ".transformers[0].transformation_arguments"}},
		{"transformation_arguments with table_name", pre("data_stream", transformer(keys{"transformation_arguments": keys{"table_name": 1}})), nil, []string{"refused " + preAt + ".transformers[0].transformation_arguments"}},
		{"transformation_class of another namespace", pre("data_stream", transformer(keys{"transformation_class": "com.gotocompany.dagger.functions.transformers.SQLTransformer"})), nil, []string{"refused " + preAt + ".transformers[0].transformation_class"}},
		{"transformation_class is no class", pre("data_stream", transformer(keys{"transformation_class": "SQL Transformer"})), nil, []string{"refused " + preAt + ".transformers[0].transformation_class"}},
		{"PROCESSOR_POSTPROCESSOR_ENABLE is missing", edited(post(keys{"transformers": []any{transformer(nil)}}), keys{"PROCESSOR_POSTPROCESSOR_ENABLE": nil}), nil, []string{"warned postprocessor.transformers"}},
		{"PROCESSOR_POSTPROCESSOR_CONFIG", post(keys{"transformers": []any{transformer(nil)}}), nil, nil},
		{"external_source.http", http(nil), nil, nil},
		{"external_source.http.verb of no kind", http(keys{"verb": "delete"}), nil, []string{"refused " + httpAt + ".verb"}},
		{"external_source.http.output_mapping is empty", http(keys{"output_mapping": keys{}}), nil, []string{"refused " + httpAt + ".output_mapping"}},
		{"external_source.http.output_mapping is missing", http(keys{"output_mapping": nil}), nil, []string{"refused " + httpAt + ".output_mapping"}},
		{"external_source.http.request_variables are too few", http(keys{"request_pattern": "/%s/%s"}), nil, []string{"refused " + httpAt + ".request_variables"}},
		{"external_source.http.request_variables are too many", http(keys{"request_variables": "a,b"}), nil, []string{"refused " + httpAt + ".request_variables"}},
		{"external_source.http.request_pattern has a percent sign", http(keys{"request_pattern": "/%s?q=a%&b"}), nil, []string{"refused " + httpAt + ".request_pattern"}},
		{"external_source.http.request_pattern has places with numbers", http(keys{"request_pattern": "/%1$s/%1$s?p=5%%"}), nil, nil},
		{"external_source.http.header_variables are missing", http(keys{"header_pattern": `{"key": "%s"}`}), nil, []string{"refused " + httpAt + ".header_variables"}},
		{"external_source.http.endpoint without variables is no pattern", http(keys{"endpoint": "http://a/%20"}), nil, nil},
		{"external_source.http.endpoint with variables", http(keys{"endpoint": "http://a/%s/%s", "endpoint_variables": "a"}), nil, []string{"refused " + httpAt + ".endpoint_variables"}},
		{"external_source.http.capacity is 0", http(keys{"capacity": "0"}), nil, []string{"refused " + httpAt + ".capacity"}},
		{"internal_source.value of no function", internal(keys{"value": "NOW"}), nil, []string{"refused postprocessor.internal_source[0].value"}},
		{"internal_source.value CURRENT_TIMESTAMP", internal(keys{"value": "CURRENT_TIMESTAMP"}), nil, nil},
		{"internal_source.internal_processor_config is missing", internal(keys{"value": "JSON_PAYLOAD"}), nil, []string{"refused postprocessor.internal_source[0].internal_processor_config"}},
		{"internal_source.internal_processor_config", internal(keys{"value": "JSON_PAYLOAD", "internal_processor_config": keys{"schema_proto_class": "a.B"}}), nil, nil},
		{"internal_source.type of no kind", internal(keys{"type": "sum", "value": "1"}), nil, []string{"refused postprocessor.internal_source[0].type"}},
	})
}

func TestCheck_Python(t *testing.T) {
	t.Parallel()
	python := func(config keys) keys {
		return keys{"PYTHON_UDF_ENABLE": "true", "PYTHON_UDF_CONFIG": edited(keys{"PYTHON_FILES": "/path/to/files.zip"}, config)}
	}
	files := func(text string) keys { return python(keys{"PYTHON_FILES": text}) }
	archives := func(text string) keys { return python(keys{"PYTHON_ARCHIVES": text}) }
	try(t, Raystack, []trap{
		{"PYTHON_UDF_CONFIG", python(nil), nil, nil},
		{"PYTHON_UDF_ENABLE as documented is false", edited(python(nil), keys{"PYTHON_UDF_ENABLE": "10000"}), nil, []string{"warned python_udf.files"}},
		{"PYTHON_FILES are missing", keys{"PYTHON_UDF_ENABLE": "true"}, nil, []string{"refused python_udf.files"}},
		{"PYTHON_FILES of a wheel", files("a.py,b.whl"), nil, []string{"refused python_udf.files[1]"}},
		{"PYTHON_FILES with a blank in its path", files("/my files/a.py"), nil, []string{"refused python_udf.files[0]"}},
		{"PYTHON_FILES on the web", files("https://a/b.py"), nil, []string{"refused python_udf.files[0]"}},
		{"PYTHON_FILES of other stores", files("gs://a/b.py,oss://a/c.py,gs://a/d.zip"), nil, nil},
		{"PYTHON_FILES that Dagger cannot open", files("gs://a/b.zip,oss://a/c.zip,file:///d.zip"), nil, []string{"refused python_udf.files[1]", "refused python_udf.files[2]"}},
		{"PYTHON_FILES that are built into Flink", files("/path/plus.py"), nil, []string{"warned python_udf.files[0]"}},
		{"PYTHON_FILES that are no functions", files("add-one.py"), nil, []string{"refused python_udf.files[0]"}},
		{"PYTHON_FILES in capitals", files("add.PY"), nil, []string{"refused python_udf.files[0]"}},
		{"PYTHON_FILES of one name", files("a/add_one.py,b/ADD_ONE.py"), nil, []string{"refused python_udf.files[1]"}},
		{"PYTHON_ARCHIVES", archives("data.zip#data,more.tar.gz"), nil, nil},
		{"PYTHON_ARCHIVES of one directory", archives("data.zip#data,more.zip#data"), nil, []string{"refused python_udf.archives[1]"}},
		{"PYTHON_ARCHIVES outside", archives("data.zip#../data"), nil, []string{"refused python_udf.archives[0]"}},
		{"PYTHON_ARCHIVES that cannot be extracted", archives("data.tar.bz2"), nil, []string{"refused python_udf.archives[0]"}},
		{"PYTHON_ARCHIVES of an unusual kind", archives("data.bin"), nil, []string{"warned python_udf.archives[0]"}},
		{"PYTHON_REQUIREMENTS with a blank", python(keys{"PYTHON_REQUIREMENTS": "a b.txt"}), nil, []string{"refused python_udf.requirements"}},
		{"PYTHON_FN_EXECUTION_ARROW_BATCH_SIZE above PYTHON_FN_EXECUTION_BUNDLE_SIZE", python(keys{"PYTHON_FN_EXECUTION_ARROW_BATCH_SIZE": "100001"}), nil, []string{"warned python_udf.fn_execution_arrow_batch_size"}},
		{"PYTHON_FN_EXECUTION_BUNDLE_SIZE below PYTHON_FN_EXECUTION_ARROW_BATCH_SIZE", python(keys{"PYTHON_FN_EXECUTION_BUNDLE_SIZE": "10"}), nil, []string{"warned python_udf.fn_execution_bundle_size"}},
		{"PYTHON_FN_EXECUTION_BUNDLE_TIME of 0", python(keys{"PYTHON_FN_EXECUTION_BUNDLE_TIME": 0}), nil, []string{"warned python_udf.fn_execution_bundle_time"}},
		{"OSS_ENDPOINT in another namespace", edited(python(nil), keys{"OSS_ENDPOINT": "x"}), nil, []string{"warned python_udf.oss_endpoint"}},
	})
}

func TestCheck_PythonOfGotoCompany(t *testing.T) {
	t.Parallel()
	files := func(text string) keys {
		return keys{"PYTHON_UDF_ENABLE": "true", "PYTHON_UDF_CONFIG": keys{"PYTHON_FILES": text}}
	}
	try(t, GotoCompany, []trap{
		{"PYTHON_FILES of its stores", files("gs://a/b.zip,oss://a/c.zip,cosn://a/d.zip,/e.zip"), nil, nil},
		{"PYTHON_FILES that Dagger cannot open", files("s3://a/b.zip"), nil, []string{"refused python_udf.files[0]"}},
	})
}

func TestCheck_ExtraConfiguration(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]string{
		"MY_OWN": "", "SQL_QUERY": "refused", "SINK_TYPE": "refused", "PYTHON_UDF_CONFIG": "refused", "FLINK_PARALLELISM": "refused", "encodedArgs": "refused",
		"SINK_KAFKA_PRODUCER_CONFIG_ACKS": "refused", "a b": "refused", "--KEY": "refused", "": "refused", "terraform.name": "refused", "sink_type": "warned", "SOURCE_KAFKA_CONFIG_GROUP_ID": "warned",
		"SOURCE_KAFKA_CONSUMER_CONFIG_GROUP_ID": "warned", "SINK_BIGQUERY_ROW_INSERT_ID_ENABLE": "warned", "FLINK_RETENTION_MIN_IDLE_STATE_HOUR": "refused",
	} {
		document := configured(t, Raystack, nil, nil)
		document.Extra[key] = "x"
		expected := []string{want + " extra_configuration[" + strconv.Quote(key) + "]"}
		if want == "" {
			expected = nil
		}
		if got := found(document); !slices.Equal(got, expected) {
			t.Errorf("%q: %q, want %q", key, got, expected)
		}
	}
	document := configured(t, Raystack, nil, nil)
	document.Extra["ONE"], document.Extra["TWO"] = "-1.5", "-x"
	if got := found(document); !slices.Equal(got, []string{`refused extra_configuration["TWO"]`}) {
		t.Errorf("values that begin with -: %q", got)
	}
	for _, finding := range Check(configured(t, Raystack, keys{"SINK_TYPE": "KAFKA"}, nil)) {
		if !strings.Contains(finding.Detail, "Write kafka.") {
			t.Errorf("the word that is meant is not named: %+v", finding)
		}
	}
}

// at tells whether something was found at exactly a path.
func at(findings []Finding, severity Severity, path string) bool {
	return slices.ContainsFunc(findings, func(f Finding) bool { return f.Severity == severity && f.Path.String() == path })
}

// place is the path of an option in a document of it alone.
func (l leaf) place() string { return strings.ReplaceAll(l.attribute(), "[]", "[0]") }
