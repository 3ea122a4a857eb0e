resource "streaming_flink_jar" "dagger" {
  source = "${path.module}/dagger.jar"
}

variable "kafka_password" {
  type      = string
  ephemeral = true
  default   = "example"
}

# Each file is a function, named as the file.
resource "streaming_python_bundle" "udfs" {
  name       = "dagger-udfs"
  source_dir = "${path.module}/udfs"
}

resource "streaming_dagger_job" "orders" {
  name        = "orders-per-minute"
  jar         = { id = streaming_flink_jar.dagger.id, sha256 = streaming_flink_jar.dagger.sha256 }
  namespace   = "raystack"
  parallelism = 2

  streams = [{
    input_schema_table                       = "orders"
    input_schema_proto_class                 = "com.example.Order"
    input_schema_event_timestamp_field_index = 4
    source_details                           = { source_name = "KAFKA_SOURCE", source_type = "UNBOUNDED" }
    source_kafka_topic_names                 = ["orders"]
    source_kafka_bootstrap_servers           = ["kafka-1.example.com:9093", "kafka-2.example.com:9093"]
    source_kafka_group_id                    = "orders-per-minute"
    source_kafka_security_protocol           = "SASL_SSL"
    source_kafka_sasl_mechanism              = "SCRAM-SHA-512"

    # In no plan and in no state; a change of the version restarts the job with it.
    source_kafka_sasl_jaas_config_wo         = "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"orders\" password=\"${var.kafka_password}\";"
    source_kafka_sasl_jaas_config_wo_version = 1
  }]

  bundle     = { id = streaming_python_bundle.udfs.id, sha256 = streaming_python_bundle.udfs.sha256 }
  python_udf = { enable = true }

  rowtime_attribute_name = "rowtime"
  sql_query              = <<-SQL
    SELECT SERVICE_NAME(service_type) AS tag_service_type, COUNT(*) AS orders, TUMBLE_END(rowtime, INTERVAL '60' SECOND) AS window_timestamp
    FROM orders
    GROUP BY TUMBLE(rowtime, INTERVAL '60' SECOND), service_type
  SQL

  sink_type = "kafka"
  sink_kafka = {
    brokers       = ["kafka-1.example.com:9092"]
    topic         = "orders-per-minute"
    proto_message = "com.example.OrdersPerMinute"
  }

  schema_registry = {
    stencil_enable = true
    stencil_urls   = ["http://stencil.example.com/v1beta1/namespaces/example/schemas/orders"]
  }

  flink = {
    watermark_delay_ms     = "10 s"
    checkpoint_interval_ms = "30 s"
  }
}
