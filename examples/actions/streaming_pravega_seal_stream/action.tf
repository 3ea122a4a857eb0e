# terraform apply -invoke=action.streaming_pravega_seal_stream.retired
action "streaming_pravega_seal_stream" "retired" {
  config {
    scope = "orders"
    name  = "clicks-2024"
  }
}
