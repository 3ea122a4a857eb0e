# With include_resource, what Pravega shows of each stream is in the result.
list "streaming_pravega_stream" "clicks" {
  provider         = streaming
  include_resource = true
  limit            = 50

  config {
    scope      = "orders"
    name_regex = "^clicks-"
    tag        = "pii"
  }
}
