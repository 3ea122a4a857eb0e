# Needs Terraform 1.8. Nothing is asked: the configuration is read.
locals {
  existing = provider::streaming::dagger_configuration(<<-PROPERTIES
    STREAMS=[{"INPUT_SCHEMA_TABLE": "orders", "INPUT_SCHEMA_PROTO_CLASS": "com.example.Order", "INPUT_SCHEMA_EVENT_TIMESTAMP_FIELD_INDEX": "4", "SOURCE_KAFKA_TOPIC_NAMES": "orders"}]
    SINK_TYPE=log
    FLINK_ROWTIME_ATTRIBUTE_NAME=rowtime
    FLINK_SQL_QUERY=SELECT * FROM orders
    FLINK_CHECKPOINT_INTERVAL_MS=30000
  PROPERTIES
  )
}

# Each attribute of a streaming_dagger_job that is set, such as streams = local.existing.streams.
output "streams" {
  value = local.existing.streams
}

# What of it Dagger does not read.
output "ignored" {
  value = local.existing.ignored
}
