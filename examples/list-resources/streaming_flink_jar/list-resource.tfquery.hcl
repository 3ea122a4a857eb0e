list "streaming_flink_jar" "orders" {
  provider = streaming

  config {
    name_regex = "^orders-.*[.]jar$"
  }
}
