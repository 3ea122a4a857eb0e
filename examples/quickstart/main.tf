# A Pravega stream and a Flink job with state. `make quickstart` applies it to
# engines of its own.

terraform {
  required_providers {
    streaming = {
      source = "terraform-streaming/streaming"
    }
  }
}

# The endpoints come from STREAMING_FLINK_ENDPOINT and STREAMING_PRAVEGA_ENDPOINT.
provider "streaming" {
  owner = "quickstart"
}

resource "streaming_pravega_scope" "shop" {
  name = "quickstart"
}

resource "streaming_pravega_stream" "clicks" {
  scope = streaming_pravega_scope.shop.name
  name  = "clicks"

  scaling = {
    type         = "FIXED_NUM_SEGMENTS"
    min_segments = 2
  }
  retention = { time = "7d" }
  tags      = ["quickstart"]
}

resource "streaming_flink_jar" "counter" {
  source = coalesce(var.jar, "${path.module}/../../.build/jobs/counter.jar")
}

# Counts numbers by key and keeps the counts in its state, so that a number
# that is lost or counted twice would show.
resource "streaming_flink_job" "counter" {
  name        = "counter"
  jar         = { id = streaming_flink_jar.counter.id, sha256 = streaming_flink_jar.counter.sha256 }
  entry_class = "streaming.jobs.Counter"
  args        = ["--plain", "--rate", "5", "--label", "quickstart"]
  parallelism = var.parallelism
  state       = var.state

  configuration = {
    "execution.checkpointing.interval" = "5 s"
  }

  # Savepoints go to the cluster's default directory.
  upgrade    = { mode = "savepoint" }
  on_destroy = "savepoint"
}
