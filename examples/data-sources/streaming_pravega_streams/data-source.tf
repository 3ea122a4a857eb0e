resource "streaming_pravega_scope" "orders" {
  name = "orders"
}

# Streams with personal data must not be kept for ever.
data "streaming_pravega_streams" "pii" {
  scope = streaming_pravega_scope.orders.name
  tag   = "pii"
}

check "pii_is_deleted_in_time" {
  assert {
    condition     = alltrue([for stream in data.streaming_pravega_streams.pii.streams : stream.retention != null || stream.retention_hidden])
    error_message = "Kept for ever: ${join(", ", [for stream in data.streaming_pravega_streams.pii.streams : stream.id if stream.retention == null && !stream.retention_hidden])}"
  }
}

# A stream that a job may have created, or not yet.
data "streaming_pravega_streams" "late" {
  scope      = streaming_pravega_scope.orders.name
  name_regex = "^late-clicks$"
}

output "late_clicks_exist" {
  value = length(data.streaming_pravega_streams.late.names) == 1
}
