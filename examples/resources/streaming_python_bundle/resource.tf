resource "streaming_python_bundle" "udfs" {
  name            = "udfs"
  source_dir      = "${path.module}/udfs"
  excludes        = ["tests"]
  target_platform = "linux_x86_64"
}

# A job of any kind that runs on it. It restarts when the content has changed.
resource "streaming_flink_job" "enrich" {
  name       = "enrich"
  jar        = { source = "${path.module}/app.jar" }
  bundle     = { id = streaming_python_bundle.udfs.id, sha256 = streaming_python_bundle.udfs.sha256 }
  python     = { fn_execution_bundle_time = "500 ms" }
  on_destroy = "cancel"
}
