resource "streaming_pravega_scope" "orders" {
  name = "orders"
}

resource "streaming_pravega_stream" "clicks" {
  scope = streaming_pravega_scope.orders.name
  name  = "clicks"

  scaling = {
    type         = "BY_RATE_IN_EVENTS_PER_SEC"
    target_rate  = 1000
    scale_factor = 2
    min_segments = 2
  }

  # Raising it later keeps the data; lowering it needs allow_data_loss.
  retention = { time = "7d" }
  tags      = ["pii", "team-a"]

  timestamp_aggregation_timeout = "5 s"
  rollover_size                 = "64mb"

  deletion_protection = true
}

# A fixed number of segments, limited by size.
resource "streaming_pravega_stream" "audit" {
  scope     = streaming_pravega_scope.orders.name
  name      = "audit"
  scaling   = { type = "FIXED_NUM_SEGMENTS", min_segments = 4 }
  retention = { size = "10gb" }
}
