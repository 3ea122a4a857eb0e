resource "streaming_python_bundle" "udfs" {
  name            = "udfs"
  source_dir      = "${path.module}/udfs"
  target_platform = "linux_x86_64"
}

resource "streaming_flink_python_job" "enrich" {
  name   = "enrich"
  bundle = { id = streaming_python_bundle.udfs.id, sha256 = streaming_python_bundle.udfs.sha256 }
  module = "enrich_job"
  args   = ["--name", "enrich"]

  configuration = { "execution.checkpointing.interval" = "30 s" }
  on_destroy    = "cancel"
}
