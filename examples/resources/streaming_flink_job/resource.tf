resource "streaming_flink_jar" "app" {
  source = "${path.module}/app.jar"
}

resource "streaming_flink_job" "orders" {
  name        = "orders"
  jar         = { id = streaming_flink_jar.app.id, sha256 = streaming_flink_jar.app.sha256 }
  entry_class = "com.example.Orders"
  args        = ["--window", "5 min"]
  parallelism = 2

  configuration = {
    "execution.checkpointing.interval" = "10 s"
    "state.backend.type"               = "rocksdb"
  }

  # A change stops the job with a savepoint and starts it from there.
  upgrade = {
    mode                = "savepoint"
    savepoint_directory = "s3://example-bucket/savepoints"
  }

  on_destroy = "savepoint"
  timeouts   = { create = "10 min", update = "20 min", delete = "10 min" }
}
