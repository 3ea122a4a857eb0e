resource "streaming_pravega_scope" "orders" {
  name = "orders"
}

resource "streaming_pravega_stream" "clicks" {
  scope   = streaming_pravega_scope.orders.name
  name    = "clicks"
  scaling = { type = "FIXED_NUM_SEGMENTS", min_segments = 4 }
}

# With the names taken from the resource it is looked up after an apply.
data "streaming_pravega_stream" "clicks" {
  scope = streaming_pravega_stream.clicks.scope
  name  = streaming_pravega_stream.clicks.name
}

# More parallel readers than segments have nothing to do.
output "useful_parallelism" {
  value = data.streaming_pravega_stream.clicks.segment_count
}

# A stream of somebody else's. In a check block its absence stops nothing.
check "payments_can_be_read_in_parallel" {
  data "streaming_pravega_stream" "payments" {
    scope = "payments"
    name  = "events"
  }

  assert {
    condition     = data.streaming_pravega_stream.payments.segment_count >= 2
    error_message = "payments/events has one segment, so that only one reader can work."
  }
}
