# A stream that Terraform owns: the job creates nothing, and what the stream is
# like is said here alone.
resource "streaming_pravega_scope" "orders" {
  name = "orders"
}

resource "streaming_pravega_stream" "clicks" {
  scope     = streaming_pravega_scope.orders.name
  name      = "clicks"
  scaling   = { type = "FIXED_NUM_SEGMENTS", min_segments = 4 }
  retention = { time = "30d" }
}

data "streaming_pravega_spark_options" "write" {
  controller             = "tls://pravega.example.com:9090"
  scope                  = streaming_pravega_stream.clicks.scope
  stream                 = streaming_pravega_stream.clicks.name
  managed                = true
  mode                   = "streaming"
  transaction_timeout_ms = "5 min"
}

# A stream of somebody else's: created by the first job that needs it. Once it
# exists, ignored tells where it is not what this asks for.
data "streaming_pravega_spark_options" "read" {
  controller                              = "tls://pravega.example.com:9090"
  scope                                   = "shared"
  stream                                  = "audit"
  mode                                    = "batch"
  start_stream_cut                        = "earliest"
  default_num_segments                    = 2
  default_retention_duration_milliseconds = "7d"
}

check "stream_is_as_wanted" {
  assert {
    condition     = alltrue([for one in data.streaming_pravega_spark_options.read.ignored : one.wanted == one.actual])
    error_message = "The stream exists and is not as wanted: ${jsonencode(data.streaming_pravega_spark_options.read.ignored)}"
  }
}

# As arguments of a job that hands each on to Spark's option(key, value).
output "arguments" {
  value = [for key, value in data.streaming_pravega_spark_options.write.options : "--pravega.${key}=${value}"]
}
