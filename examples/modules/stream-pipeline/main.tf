locals {
  full_name = "${var.team}.${var.name}"

  configuration = merge(
    var.checkpoint_interval == null ? {} : { "execution.checkpointing.interval" = var.checkpoint_interval },
    var.configuration,
  )
}

resource "streaming_pravega_stream" "this" {
  for_each = var.streams

  scope = var.scope
  name  = each.key

  scaling = {
    type         = each.value.events_per_second == null ? "FIXED_NUM_SEGMENTS" : "BY_RATE_IN_EVENTS_PER_SEC"
    target_rate  = each.value.events_per_second
    scale_factor = each.value.events_per_second == null ? null : 2
    min_segments = each.value.segments
  }

  retention           = each.value.retention_time == null ? null : { time = each.value.retention_time }
  tags                = [var.team, var.name]
  deletion_protection = var.deletion_protection
}

resource "streaming_flink_jar" "this" {
  count = var.jar == null ? 0 : 1

  source = var.jar.source
}

resource "streaming_flink_job" "this" {
  count = var.jar == null ? 0 : 1

  name          = local.full_name
  jar           = { id = streaming_flink_jar.this[0].id, sha256 = streaming_flink_jar.this[0].sha256 }
  entry_class   = var.jar.entry_class
  args          = var.args
  parallelism   = var.parallelism
  configuration = local.configuration
  state         = var.state
  upgrade       = { savepoint_directory = var.savepoint_directory }
  on_destroy    = var.on_destroy

  # A program opens its streams when it starts.
  depends_on = [streaming_pravega_stream.this]
}

resource "streaming_python_bundle" "this" {
  count = var.python == null ? 0 : 1

  name              = local.full_name
  source_dir        = var.python.source_dir
  requirements_file = var.python.requirements_file
  target_platform   = var.python.target_platform
}

resource "streaming_flink_python_job" "this" {
  count = var.python == null ? 0 : 1

  name          = local.full_name
  bundle        = { id = streaming_python_bundle.this[0].id, sha256 = streaming_python_bundle.this[0].sha256 }
  module        = var.python.module
  args          = var.args
  parallelism   = var.parallelism
  configuration = local.configuration
  state         = var.state
  upgrade       = { savepoint_directory = var.savepoint_directory }
  on_destroy    = var.on_destroy

  depends_on = [streaming_pravega_stream.this]
}
