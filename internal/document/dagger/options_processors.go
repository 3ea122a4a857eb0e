// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package dagger

import "slices"

// Groups and attributes of the processors that take part in checks.
const (
	atPre          = "preprocessor"
	atPost         = "postprocessor"
	atTransformers = "transformers"
	atArguments    = "transformation_arguments"
	atMapping      = "output_mapping"
)

var transformerOptions = []Option{
	{Key: "transformation_class", Attribute: "transformation_class", Required: true, Class: true, Undocumented: true, What: "Class of the transformer, with its package.", Note: "Whether the class path has it is not known at plan: otherwise the job does not start."},
	{
		Key: "transformation_arguments", Attribute: atArguments, Kind: JSONObject, Required: true, Undocumented: true,
		What: "Arguments of the transformer, a JSON object as `jsonencode` makes it; `{}` for none. No argument can have the name `table_name`.",
		Note: "Which arguments a transformer needs is not known at plan: without one the job may fail when it runs.",
	},
}

// required marks options of which a processor wants each.
func required(options ...Option) []Option {
	for i := range options {
		options[i].Required, options[i].Undocumented = true, true
	}
	return options
}

func optional(options ...Option) []Option {
	for i := range options {
		options[i].Undocumented = true
	}
	return options
}

// field is an option of a processor, whose key is its attribute.
func field(name string, kind Kind, what string) Option {
	o := Option{Key: name, Attribute: name, Kind: kind, What: what}
	if kind == Count || kind == Millis {
		o.Max = maxInt
	}
	return o
}

// commonFields are those of processors that ask another service.
func commonFields() []Option {
	metric := field("metric_id", Text, "Name of the processor in metrics.")
	metric.Key = "metricId"
	failing := field("fail_on_errors", Flag, "Whether an error of the service fails the job.")
	failing.Bare, failing.Default = true, "false"
	typed := field("retain_response_type", Flag, "Whether values of the answer keep their types.")
	typed.Bare, typed.Default = true, "false"
	return optional(field("type", Text, "Protobuf class that the answer is put into, with its package."), failing, metric, typed)
}

func positive(o Option) Option {
	o.Min = 1
	return o
}

func bare(o Option) Option {
	o.Bare = true
	return o
}

func secret(o Option) Option {
	o.Secret = true
	return o
}

const (
	whatCapacity  = "Requests at the same time."
	whatStream    = "Limit of a request, with all of its attempts."
	whatConnect   = "Limit of connecting."
	whatPattern   = "with a `%s` for each variable, as Java formats it; `%%` is a percent sign"
	whatMapping   = "Column that the answer's value goes to, and the value's path in the answer, such as `$.name`."
	whatVariables = "with commas between"
)

var httpOptions = slices.Concat(required(
	field("endpoint", Text, "Address of the service."),
	field("verb", Text, "`get`, `post` or `put`."),
	field("request_pattern", Text, "Request, "+whatPattern+": the path for `get`, the body for others."),
	field("request_variables", Text, "Columns of the request, "+whatVariables+"."),
	positive(field("stream_timeout", Millis, whatStream)),
	positive(field("connect_timeout", Millis, whatConnect)),
	positive(field("capacity", Count, whatCapacity)),
	field(atMapping, Paths, whatMapping),
), optional(
	field("endpoint_variables", Text, "Columns of the endpoint, "+whatVariables+"."),
	field("header_pattern", Text, "A JSON object of headers, "+whatPattern+"."),
	field("header_variables", Text, "Columns of the headers, "+whatVariables+"."),
	secret(field("headers", Map, "Headers of each request.")),
), commonFields())

var esOptions = slices.Concat(required(
	field("host", Text, "Elasticsearch hosts, "+whatVariables+"."),
	positive(field("port", Count, "Port.")),
	field("endpoint_pattern", Text, "Path of the document, "+whatPattern+"."),
	positive(field("capacity", Count, whatCapacity)),
	positive(field("connect_timeout", Millis, whatConnect)),
	positive(field("retry_timeout", Millis, "Limit of all attempts of a request.")),
	positive(field("socket_timeout", Millis, "Limit of waiting for data.")),
	positive(field("stream_timeout", Millis, whatStream)),
	field(atMapping, Paths, whatMapping),
), optional(
	field("endpoint_variables", Text, "Columns of the path, "+whatVariables+"."),
	field("user", Text, "User."),
	secret(field("password", Text, "Password.")),
), commonFields())

var pgOptions = slices.Concat(required(
	field("host", Text, "PostgreSQL host."),
	positive(field("port", Count, "Port.")),
	field("user", Text, "User."),
	secret(field("password", Text, "Password.")),
	field("database", Text, "Database."),
	positive(field("capacity", Count, "Connections.")),
	positive(field("stream_timeout", Millis, whatStream)),
	positive(field("connect_timeout", Millis, whatConnect)),
	positive(field("idle_timeout", Millis, "How long a connection may be idle.")),
	field("query_pattern", Text, "Query, "+whatPattern+"."),
	field(atMapping, Map, "Column that a value goes to, and the column of the query that it comes from."),
), optional(
	field("query_variables", Text, "Columns of the query, "+whatVariables+"."),
), commonFields())

var grpcOptions = slices.Concat(required(
	field("endpoint", Text, "Host of the service."),
	bare(positive(field("service_port", Count, "Port."))),
	field("grpc_request_proto_schema", Text, "Protobuf class of the request, with its package."),
	field("grpc_response_proto_schema", Text, "Protobuf class of the answer, with its package."),
	field("grpc_method_url", Text, "Method, such as `test.TestServer/Get`."),
	field("request_pattern", Text, "Request in JSON, "+whatPattern+"."),
	field("request_variables", Text, "Columns of the request, "+whatVariables+"."),
	positive(field("stream_timeout", Millis, whatStream)),
	positive(field("connect_timeout", Millis, whatConnect)),
	field(atMapping, Paths, whatMapping),
), optional(
	field("grpc_stencil_url", Text, "Stencil's address of the Protobuf classes."),
	secret(field("headers", Map, "Headers of each request.")),
	bare(positive(field("capacity", Count, whatCapacity))),
), commonFields())

var internalOptions = slices.Concat(required(
	field("output_field", Text, "Column that the value goes to; `*` for all columns of the query."),
	Option{Key: "type", Attribute: "type", Words: []string{"sql", "constant", "function"}, What: "What `value` is: `sql` (a column of the query, or `*`), `constant` or `function`."},
	field("value", Text, "The value. Of the type `function`: `CURRENT_TIMESTAMP` or `JSON_PAYLOAD`."),
), optional(
	field("internal_processor_config", Map, "Options of the function: `JSON_PAYLOAD` needs `schema_proto_class`."),
))

func externalSource(name, what string, options []Option) Option {
	return Option{Key: name, Attribute: name, Kind: Objects, Undocumented: true, What: what, Options: options}
}

var processorOptions = []Option{
	{
		Attribute: atPre, Kind: Group, What: "What is done to streams before the query.",
		Options: []Option{
			{Key: "PROCESSOR_PREPROCESSOR_ENABLE", Attribute: atEnable, Kind: Flag, Default: "false", What: "Whether it is done."},
			{
				Key: "table_transformers", Attribute: "table_transformers", Kind: Objects, In: preConfig, Undocumented: true, What: "Transformers of each table.",
				Options: []Option{
					{
						Key: "table_name", Attribute: "table_name", Required: true, Undocumented: true, What: "Table of one of the streams.",
						Note: "A table that no stream has is passed over.",
					},
					{Key: "transformers", Attribute: atTransformers, Kind: Objects, Required: true, Undocumented: true, What: "Transformers, in the order in which they run.", Options: transformerOptions},
				},
			},
		},
	},
	{
		Attribute: atPost, Kind: Group, What: "What is done to the result of the query.",
		Options: []Option{
			{Key: "PROCESSOR_POSTPROCESSOR_ENABLE", Attribute: atEnable, Kind: Flag, Default: "false", What: "Whether it is done."},
			{
				Key: "external_source", Attribute: "external_source", Kind: Object, In: postConfig, Undocumented: true, What: "Services that each row is completed from.",
				Options: []Option{
					externalSource("http", "HTTP services.", httpOptions),
					externalSource("es", "Documents of Elasticsearch.", esOptions),
					externalSource("pg", "Queries of PostgreSQL.", pgOptions),
					externalSource("grpc", "gRPC services.", grpcOptions),
				},
			},
			{Key: "internal_source", Attribute: "internal_source", Kind: Objects, In: postConfig, Undocumented: true, What: "Columns that are made of the query's, of constants and of functions.", Options: internalOptions},
			{Key: "transformers", Attribute: atTransformers, Kind: Objects, In: postConfig, Undocumented: true, What: "Transformers, in the order in which they run.", Options: transformerOptions},
		},
	},
}
